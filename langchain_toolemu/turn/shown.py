"""What a caller has been shown of a turn, and how the next parts are shown.

The rules here:

- A further request adds calls, not words, nor the thoughts before them: what was said first stays. Where no call comes of
  it, its words are the answer, and follow at the end.
- An answer in the demanded form is that and nothing else: its call becomes the text.
- A thought that is told from the text is not said: words may follow in a further reply.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from langchain_core.messages import BaseMessage
from langchain_core.messages.ai import UsageMetadata
from langchain_core.outputs import ChatGenerationChunk

from langchain_toolemu.messages.chunks import Chunker
from langchain_toolemu.messages.content import ContentBlock, Delta, Part, Thought, Words, write_json
from langchain_toolemu.messages.metadata import TurnMetadata
from langchain_toolemu.options import Reasoning
from langchain_toolemu.reader.events import BadCall, Call, CallsDisowned
from langchain_toolemu.tools.response_format import ResponseForm
from langchain_toolemu.turn.thoughts import Thoughts


class Shown:
    """Makes chunks of parts, and remembers what they showed.

    Attributes:
        calls: The calls shown.
        answers: The calls that were shown as the answer's text.
        spoke: Whether words were shown.
        calls_before: The calls of earlier replies.
        spoke_before: Whether earlier replies said anything.
        silent: Whether this reply's words are not for the caller.
        thoughts: What becomes of thoughts.
    """

    def __init__(self, metadata: TurnMetadata, reasoning: Reasoning = "keep") -> None:
        self.calls: list[Call] = []
        self.answers: list[Call] = []
        self.spoke = False
        self.calls_before: list[Call] = []
        self.spoke_before = False
        self._form: ResponseForm | None = None
        self.silent = False
        self._said: list[str] = []
        self._unsaid: list[Words] = []
        self._answering = False
        self._metadata = metadata
        self.thoughts = Thoughts(reasoning)
        self._chunker = Chunker(gives_thoughts=reasoning == "blocks")

    @property
    def started(self) -> bool:
        """Whether anything was shown."""
        return self._chunker.started

    @property
    def said(self) -> str:
        """The words that were shown."""
        return "".join(self._said)

    def open_reply(self, *, silent: bool = False, form: ResponseForm | None = None) -> None:
        """A further reply begins.

        Args:
            silent: Whether its words are not for the caller.
            form: The form whose call is the answer, where one is demanded in text.
        """
        self._form = form
        self.spoke_before = self.spoke
        self.calls_before = list(self.calls)
        self._chunker.open_reply()
        self.thoughts.open_reply()
        self.silent = silent
        self._unsaid = []

    def return_to_first(self) -> None:
        """The reply before this one is the answer after all: what is left of it is shown."""
        self.silent = self.spoke_before = False

    def show(
        self, parts: Sequence[Part], carrying: BaseMessage | None = None
    ) -> list[ChatGenerationChunk]:
        """Chunks for these parts, and for what else the message they came in carries."""
        parts = self.thoughts.apart(parts)
        if self.spoke_before:
            self._unsaid += [part for part in parts if isinstance(part, Words) and not self.silent]
            parts = [part for part in parts if not isinstance(part, Words | Thought | ContentBlock)]
        elif self.silent:
            parts = _without_words(parts)
        parts = self._formed(parts)
        words = [part.text for part in parts if isinstance(part, Words)]
        self._said += words
        self.spoke |= any(map(str.strip, words))
        self._note_calls(parts)
        metadata = self._metadata
        return self._chunker.chunks(parts, carrying, metadata.format(), metadata.response_metadata)

    def answer_after_all(self) -> list[ChatGenerationChunk]:
        """The words of a further reply, which were not shown because a call was to come of it, and none did."""
        unsaid = "".join(part.text for part in self._unsaid).strip()
        if self.calls or not unsaid or unsaid in self.said:
            return []
        self.spoke_before = False
        first, *rest = self._unsaid
        return self.show([replace(first, text=f"\n\n{first.text.lstrip()}"), *rest])

    def _note_calls(self, parts: Sequence[Part]) -> None:
        for part in parts:
            if isinstance(part, CallsDisowned):
                self.calls = list(self.calls_before)
            else:
                self.calls += _calls_in([part])

    def said_of(self, metadata: dict[str, Any]) -> dict[str, Any]:
        """What is said of the message, without what would hide its thoughts."""
        return self._chunker.readable_metadata(metadata)

    def broken_calls(self) -> list[ChatGenerationChunk]:
        """What keeps calls from running whose arguments were shown and never ended."""
        return self._chunker.broken_calls()

    def closing(
        self, metadata: dict[str, Any], info: dict[str, Any], usage: UsageMetadata | None
    ) -> ChatGenerationChunk:
        """The last chunk, with what is said of the whole turn."""
        return self._chunker.closing(metadata, info, usage)

    def _formed(self, parts: Sequence[Part]) -> list[Part]:
        self._answering |= any(
            self._is_answer(part) for part in parts if not isinstance(part, BadCall)
        )
        self.answers += [call for call in _calls_in(parts) if self._is_answer(call)]
        if self._answering:
            parts = _without_words(parts)
        return [self._as_words(part) if self._is_answer(part) else part for part in parts]

    def _is_answer(self, part: Part) -> bool:
        if self._form is None or isinstance(part, Words | Thought | ContentBlock | CallsDisowned):
            return False
        return part.name == self._form.name

    def _as_words(self, part: Part) -> Part:
        """A call that is the answer, as the answer's text."""
        match part:
            case Call() if self._form:
                return Words(write_json(self._form.answer(part.args)))
            case BadCall():
                return Words(part.raw)
            case Delta():
                return Words(part.args)
        return part


def _without_words(parts: Sequence[Part]) -> list[Part]:
    return [part for part in parts if not isinstance(part, Words)]


def _calls_in(parts: Sequence[Part]) -> list[Call]:
    """The calls that are whole with these parts."""
    ended = [part.ends if isinstance(part, Delta) else part for part in parts]
    return [part for part in ended if isinstance(part, Call)]
