"""Whether text is reasoning, and what becomes of it: the only place that decides either.

The reader says what a thought is. Its marks go with it, and so does the white space around it; what is left out is reported.
Whether a reply is asked for again does not depend on what becomes of its thoughts.
"""

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from langchain_toolemu.messages.content import Part, Thought, Words
from langchain_toolemu.options import Reasoning
from langchain_toolemu.reader import Reader
from langchain_toolemu.reader.events import HalfThought, Text, TextKind
from langchain_toolemu.tools import ToolSet
from langchain_toolemu.turn.turn_report import TurnWarning, warning

_BETWEEN = "\n\n"
"""What separates two thoughts, which LangChain adds up to one text."""


def reasoning_reader(*, starts_in_thought: bool = False) -> Reader:
    """Tells thoughts from the answer where nothing in a reply can be a call."""
    return Reader(
        ToolSet(), tells_thoughts=True, only_thoughts=True, starts_in_thought=starts_in_thought
    )


def is_only_reasoning(text: str) -> bool:
    """Whether a text is nothing but thoughts; one without a beginning reaches back to that of the text."""
    reader = reasoning_reader()
    thinks = answers = False
    for event in (*reader.feed(text), *reader.close(cut=False)):
        match event:
            case HalfThought(lacks="beginning"):
                thinks, answers = True, False
            case Text(kind="answer"):
                answers |= bool(event.text.strip())
            case Text():
                thinks = True
    return thinks and not answers


def half_thought_warnings(halves: Sequence[HalfThought], *, called: bool) -> list[TurnWarning]:
    """Warnings for thoughts that have one end only; a call may end a thought."""
    lacking = {half.lacks for half in halves}
    began = [warning("began_in_thought")] if "beginning" in lacking else []
    return began + ([warning("ended_in_thought")] if "end" in lacking and not called else [])


class KindCutter:
    """Cuts a reply, piece by piece, where text of another kind begins.

    Args:
        kinds: Where in the reply that is, and which kind it is of.
    """

    def __init__(self, kinds: Sequence[tuple[int, TextKind]]) -> None:
        self._kinds = kinds
        self._next = 0
        self._place = 0
        self._kind: TextKind = "answer"

    def skip(self, size: int) -> None:
        """Pass over so many characters."""
        self._place += size

    def cut(self, text: str) -> Iterator[tuple[str, TextKind]]:
        """The next piece, cut up."""
        start = 0
        while start < len(text):
            left = self._left()
            piece = text[start : None if left is None else start + left]
            start += len(piece)
            self._place += len(piece)
            yield piece, self._kind

    def _left(self) -> int | None:
        """How far the kind reaches that holds here; `None` if to the end."""
        while self._next < len(self._kinds):
            start, kind = self._kinds[self._next]
            if start > self._place:
                return start - self._place
            self._kind = kind
            self._next += 1
        return None


class ReasoningSplitter:
    """Takes the thoughts of a turn's replies out of their text.

    Attributes:
        dropped: How many characters of thoughts were left out.
        found: Whether there was a thought.
    """

    def __init__(self, option: Reasoning) -> None:
        self._option = option
        self.dropped = 0
        self.found = False
        self._last: TextKind = "answer"
        self._in_thought = False  # whether this thought has begun to be given
        self._any_given = False
        self._space: list[str] = []  # after the last words of this thought, which may end here

    def open_reply(self) -> None:
        """A further reply begins."""
        self._last, self._in_thought, self._space = "answer", False, []

    def split(self, parts: Sequence[Part]) -> list[Part]:
        """The parts with thoughts as such, or without."""
        pairs = zip_longest(parts, parts[1:])
        return [one for part, following in pairs for one in self._split_part(part, following)]

    def _split_part(self, part: Part, following: Part | None) -> Iterator[Part]:
        if not isinstance(part, Words):
            self._last = "answer"
            yield part
        elif part.kind == "thought":
            yield from self._thought(part.text)
        elif part.kind == "mark":
            self._last, self._in_thought, self._space = "mark", False, []
            self.found = True
        elif not _is_before_thought(part, following):
            yield from self._answer(part)

    def _thought(self, text: str) -> Iterator[Thought]:
        """Words of a thought, without the white space that it begins and ends with."""
        self._last, self.found = "thought", True
        words = text if self._in_thought else text.lstrip()
        trimmed = words.rstrip()
        before, space = "".join(self._space) if trimmed else "", words[len(trimmed) :]
        if trimmed:
            self._space.clear()
        self._space.append(space)
        if not trimmed:
            return
        opening = _BETWEEN if self._any_given and not self._in_thought else ""
        self._in_thought = self._any_given = True
        if self._option == "blocks":
            yield Thought(opening + before + trimmed)
        else:
            self.dropped += len(before + trimmed)

    def _answer(self, part: Words) -> Iterator[Words]:
        """Words of the answer, without the white space that separates them from the thought before them."""
        text = part.text.lstrip() if self._last != "answer" else part.text
        if text:
            self._last = "answer"
            yield Words(text, part.block)


def _is_before_thought(part: Words, following: Part | None) -> bool:
    """Whether this is nothing but the white space that a reply begins with before its thought."""
    leads = isinstance(following, Words) and following.kind != "answer"
    return leads and not part.text.strip()
