"""What a caller has been shown of a turn, and how the next parts are shown.

- A further request adds calls, not words, nor the thoughts before them: what was said first stays. Where no call comes of
  it, its words are the answer, and follow at the end.
- An answer in the demanded form is that and nothing else: its call becomes the text.
- A thought that is told from the text is not said: words may follow in a further reply.
"""

from collections.abc import Sequence
from dataclasses import replace

from langchain_core.messages import BaseMessage
from langchain_core.outputs import ChatGenerationChunk

from langchain_toolemu.contract.response_format import ResponseForm
from langchain_toolemu.messages.chunks import Chunker
from langchain_toolemu.messages.content import ContentBlock, Delta, Part, Thought, Words, write_json
from langchain_toolemu.messages.metadata import TurnMetadata
from langchain_toolemu.options import Reasoning
from langchain_toolemu.reader.events import BadCall, Call, CallsDisowned
from langchain_toolemu.turn.reasoning_text import ReasoningSplitter


class OutputState:
    """Makes chunks of parts, and remembers what they showed.

    Attributes:
        calls: The calls shown.
        answers: The calls that were shown as the answer's text.
        spoke: Whether words were shown.
        calls_before: The calls of earlier replies.
        spoke_before: Whether earlier replies said anything.
        reasoning: Takes thoughts out of the text; `None` if they stay there.
        chunker: Makes the chunks.
    """

    def __init__(self, metadata: TurnMetadata, reasoning: Reasoning = "keep") -> None:
        self.calls: list[Call] = []
        self.answers: list[Call] = []
        self.spoke = False
        self.calls_before: tuple[Call, ...] = ()
        self.spoke_before = False
        self._form: ResponseForm | None = None
        self._silent = False
        self._texts: list[str] = []
        self._suppressed: list[Words] = []  # of a further reply
        self._answering = False
        self._metadata = metadata
        self.reasoning = None if reasoning == "keep" else ReasoningSplitter(reasoning)
        self.chunker = Chunker(gives_thoughts=reasoning == "blocks")

    @property
    def text(self) -> str:
        """The words that were shown."""
        return "".join(self._texts)

    def open_reply(self, *, silent: bool = False, form: ResponseForm | None = None) -> None:
        """A further reply begins.

        Args:
            silent: Whether its words are not for the caller.
            form: The form whose call is the answer, where one is demanded in text.
        """
        self._form = form
        self.spoke_before = self.spoke
        self.calls_before = tuple(self.calls)
        self.chunker.open_reply()
        if self.reasoning:
            self.reasoning.open_reply()
        self._silent = silent
        self._suppressed = []

    def return_to_first(self) -> None:
        """The reply before this one is the answer after all: what is left of it is shown."""
        self._silent = self.spoke_before = False

    def show(
        self, parts: Sequence[Part], carrier: BaseMessage | None = None, *, is_last: bool = False
    ) -> list[ChatGenerationChunk]:
        """Chunks for these parts.

        Args:
            parts: What to show.
            carrier: The message they came in, for what else it carries.
            is_last: Whether no reply follows: then the words of a further reply are the answer if no call came of it.
        """
        if self.reasoning:
            parts = self.reasoning.split(parts)
        if self.spoke_before:
            if not self._silent:
                self._suppressed += [part for part in parts if isinstance(part, Words)]
            parts = [part for part in parts if not isinstance(part, Words | Thought | ContentBlock)]
            if is_last and not (self.calls or _calls_in(parts)):
                parts += self._late_answer()
        elif self._silent:
            parts = _without_words(parts)
        if self._form:
            parts = self._answer_as_text(parts, self._form)
        self._remember(parts)
        metadata = self._metadata
        return self.chunker.chunks(parts, carrier, metadata.format(), metadata.response_metadata)

    def _remember(self, parts: Sequence[Part]) -> None:
        for part in parts:
            match part:
                case Words():
                    self._texts.append(part.text)
                    self.spoke |= bool(part.text.strip())
                case CallsDisowned():
                    self.calls = list(self.calls_before)
                case Call():
                    self.calls.append(part)
                case Delta(ends=Call() as call):
                    self.calls.append(call)

    def _late_answer(self) -> list[Words]:
        """The words of a further reply, which were not shown because a call was to come of it, and none did."""
        text = "".join(part.text for part in self._suppressed).strip()
        if not text or text in self.text:
            return []
        first, *rest = self._suppressed
        return [replace(first, text=f"\n\n{first.text.lstrip()}"), *rest]

    def _answer_as_text(self, parts: Sequence[Part], form: ResponseForm) -> Sequence[Part]:
        """The parts with the call that is the answer as the answer's text, and without other words."""
        answers = [part for part in parts if _is_call_of(part, form.name)]
        self._answering |= any(not isinstance(part, BadCall) for part in answers)
        self.answers += _calls_in(answers)
        if self._answering:
            parts = _without_words(parts)
        return [_as_words(part, form) if _is_call_of(part, form.name) else part for part in parts]


def _is_call_of(part: Part, name: str) -> bool:
    return isinstance(part, Call | BadCall | Delta) and part.name == name


def _as_words(part: Part, form: ResponseForm) -> Part:
    """A call that is the answer, as the answer's text."""
    match part:
        case Call():
            return Words(write_json(form.answer(part.args)))
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
