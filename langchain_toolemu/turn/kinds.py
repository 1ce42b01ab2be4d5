"""A reply as text of several kinds: what is its answer, and what is a thought or marks one."""

from collections.abc import Iterator, Sequence

from langchain_toolemu.reader import Reader
from langchain_toolemu.reader.events import HalfThought, Text, TextKind
from langchain_toolemu.tools import ToolSet


def reader_of_thoughts(*, starts_in_thought: bool) -> Reader:
    """What tells thoughts from the answer where nothing in a reply can be a call."""
    return Reader(
        ToolSet(), tells_thoughts=True, only_thoughts=True, starts_in_thought=starts_in_thought
    )


def is_thought(text: str) -> bool:
    """Whether a text is nothing but thoughts; one without a beginning reaches back to that of the text."""
    reader = reader_of_thoughts(starts_in_thought=False)
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
