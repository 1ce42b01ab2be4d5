"""What the four drivers call: `TurnRunner` runs a turn and keeps what it learned, `Passthrough` stands for it in mode off.

A driver passes errors to `fail(error)`: true means that the turn goes on or is done, false that the error is the caller's.
"""

from collections.abc import Callable
from typing import Any, Protocol

from langchain_core.messages import BaseMessage
from langchain_core.outputs import ChatGenerationChunk, ChatResult

from langchain_toolemu.messages.chunks import Chunks, as_chunk
from langchain_toolemu.model_facts import Knowledge, Lesson
from langchain_toolemu.turn.stages import MessagePath
from langchain_toolemu.turn.turn import Turn
from langchain_toolemu.turn.turn_input import Request, Settings, TurnInput


class LearningModel(Protocol):
    """The wrapped model as far as it is known."""

    @property
    def known(self) -> Knowledge:
        """What is known by now."""

    def learn_from(self, *taught: Lesson) -> bool:
        """Remember what a turn returned; whether any of it was new."""


class TurnRunner:
    """Runs a turn, and hands its lessons on after each step: the next one goes by them."""

    def __init__(
        self,
        turn_input: TurnInput,
        settings: Settings,
        model: LearningModel,
        known: Knowledge | None = None,
    ) -> None:
        self._turn = Turn(turn_input, settings, known or model.known)
        self._model = model
        self._results: list[ChatResult] = []
        self._pending: Chunks = []  # of whole replies; of an error, which are shown with what comes next
        self._own_error: Exception | None = None

    def ask(self) -> Request | None:
        """The next request to send, or `None`: the turn is done."""
        return self._turn.ask()

    def abandon(self) -> Chunks:
        """What is left to show before an error that ends the turn."""
        return self._turn.abandon()

    def emulated_messages(self) -> list[BaseMessage]:
        """The conversation as emulation sends it."""
        return self._turn.emulated_messages()

    def _step(self, step: Callable[..., Chunks], *taken: Any) -> Chunks:
        try:
            return step(*taken)
        except Exception as error:
            self._own_error = error
            raise
        finally:
            if lessons := self._turn.lessons:
                self._turn.lessons = []
                if self._model.learn_from(*lessons):
                    self._turn.replace_knowledge(self._model.known)

    def feed(self, generation: ChatGenerationChunk) -> Chunks:
        """Take a piece of a stream; returns the chunks to show now."""
        self._turn.streams = True
        return self._feed(generation)

    def _feed(self, generation: ChatGenerationChunk) -> Chunks:
        chunks = self._step(self._turn.feed, generation)
        pending, self._pending = self._pending, []
        return [*pending, *chunks] if pending else chunks

    @property
    def reply_too_long(self) -> bool:
        """Whether the driver is to stop reading: the reply may never end."""
        return self._turn.reply_too_long

    def end(self) -> Chunks:
        """The reply has ended: returns the chunks to show now. A stream without so much as an empty reply is an error."""
        if self._turn.received:
            return [*self._step(self._turn.end), *self._step(self._turn.decide)]
        error = ValueError("No generations found in stream.")  # LangChain's words
        if not self.fail(error):
            raise error
        return []

    def fail(self, error: Exception) -> bool:
        """Whether the turn does without this reply: the error refuses what is not needed, or only spoiled a check."""
        # Raised here while a stream was read, it says nothing of the provider.
        if error is self._own_error:
            return False
        self._pending += self._step(self._turn.fail, error)
        self._pending += self._step(self._turn.decide)
        return not self._turn.reraises

    def close(self) -> Chunks:
        """The turn is done: returns its last chunks."""
        return [*self._pending, *self._step(self._turn.close)]

    def take(self, result: ChatResult) -> None:
        """A whole reply: a stream of one piece."""
        self._results.append(result)
        self._pending = self._feed(as_chunk(result.generations[0]))
        self._pending += self.end()

    def result(self) -> ChatResult:
        """What the whole replies amount to: the sum of the chunks that a stream would have shown."""
        if kept := self._turn.result_as_it_came(self._results):
            return kept
        return self._turn.whole_result(self._results, self.close())

    @property
    def path(self) -> MessagePath:
        """Who makes the message, as far as is known yet."""
        return self._turn.path


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

    def fail(self, _error: Exception) -> bool:
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
