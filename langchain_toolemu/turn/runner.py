"""What the four drivers call: `TurnRunner` runs a turn and keeps what it learned, `Passthrough` stands for it in mode off.

A driver passes errors to `goes_on_after(error)`: true means that the turn goes on or is done, false that the error is the caller's.
"""

from collections.abc import Callable
from typing import Any, Protocol

from langchain_core.messages import BaseMessage
from langchain_core.outputs import ChatGenerationChunk, ChatResult

from langchain_toolemu.messages.chunks import Chunks, as_chunk, sum_of
from langchain_toolemu.model_facts import Knowledge, Lesson
from langchain_toolemu.turn.stages import MessagePath
from langchain_toolemu.turn.turn import Turn
from langchain_toolemu.turn.turn_input import Request, Settings, TurnInput


class LearningModel(Protocol):
    """The wrapped model as far as it is known."""

    @property
    def known(self) -> Knowledge:
        """What is known by now."""

    def learn_from(self, *turn_lessons: Lesson) -> bool:
        """Remember what a turn returned; whether any of it was new."""


class TurnRunner(Turn):
    """A turn that hands its lessons on after each step: the next one goes by them."""

    def __init__(
        self,
        turn_input: TurnInput,
        settings: Settings,
        model: LearningModel,
        known: Knowledge | None = None,
    ) -> None:
        super().__init__(turn_input, settings, known or model.known)
        self._model = model
        self._results: list[ChatResult] = []
        self._own_error: Exception | None = None

    def _step(self, step: Callable[..., None], *taken: Any) -> None:
        try:
            step(*taken)
        except Exception as error:
            self._own_error = error
            raise
        finally:
            if lessons := self.lessons:
                self.lessons = []
                if self._model.learn_from(*lessons):
                    self.replace_knowledge(self._model.known)

    def feed(self, generation: ChatGenerationChunk) -> Chunks:
        """Take a piece of a stream; returns the chunks to show now."""
        self.streams = True
        self._step(self.read, generation)
        return self._output.take_chunks()

    def end(self) -> Chunks:
        """The reply has ended: returns the chunks to show now. A stream without so much as an empty reply is an error."""
        if self.received:
            self._step(self.end_reply)
            self._step(self.decide)
            return self._output.take_chunks()
        error = ValueError("No generations found in stream.")  # LangChain's words
        if not self.goes_on_after(error):
            raise error
        return []

    def goes_on_after(self, error: Exception) -> bool:
        """Whether the turn does without this reply: the error refuses what is not needed, or only spoiled a check."""
        # Raised here while a stream was read, it says nothing of the provider.
        if error is self._own_error:
            return False
        self._step(self.fail, error)
        self._step(self.decide)
        return not self.reraises

    def close(self) -> Chunks:
        """The turn is done: returns its last chunks."""
        self._step(self.end_turn)
        return self._output.take_chunks()

    def take(self, result: ChatResult) -> None:
        """A whole reply: a stream of one piece."""
        self._results.append(result)
        self._step(self.read, as_chunk(result.generations[0]))
        self._step(self.end_reply)
        self._step(self.decide)

    def result(self) -> ChatResult:
        """What the whole replies amount to: the sum of the chunks that a stream would have shown."""
        if kept := self.result_as_it_came(self._results):
            return kept
        whole = ChatResult(generations=[sum_of(self.close())])
        if self._results:  # else errors held all that came
            llm_output = self._output.metadata.with_summed_usage(self._results[-1].llm_output or {})
            whole.llm_output = self._output.chunker.readable_metadata(llm_output)
        return whole


class Passthrough:
    """Plain delegation: one request as the caller made it, one reply as it came, nothing added."""

    path: MessagePath = "native"
    reply_too_long = False  # that is the caller's matter

    def __init__(self, request: Request) -> None:
        self._request = request
        self._was_sent = False
        self._result = ChatResult(generations=[])

    def ask(self) -> Request | None:
        """The request, once."""
        self._was_sent, was_sent = True, self._was_sent
        return None if was_sent else self._request

    def feed(self, generation: ChatGenerationChunk) -> Chunks:
        """The piece as it came."""
        return [generation]

    def end(self) -> Chunks:
        """Nothing is added, neither to a reply nor to an error."""
        return []

    close = abandon = end

    def goes_on_after(self, _error: Exception) -> bool:
        """Every error is the caller's."""
        return False

    def take(self, result: ChatResult) -> None:
        """The whole reply."""
        self._result = result

    def result(self) -> ChatResult:
        """The reply as it came."""
        return self._result

    def emulated_messages(self) -> list[BaseMessage]:
        """The messages as the caller gave them: nothing is emulated."""
        return self._request.messages
