"""What becomes of the thoughts that a model writes into its text.

The rules here: the marks of a thought go with it, and so does the white space around it; what is left out is told. What a
thought is, the reader says; whether a reply is asked for again does not depend on what becomes of its thoughts.
"""

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from langchain_toolemu.messages.content import Part, Thought, Words
from langchain_toolemu.options import Reasoning
from langchain_toolemu.reader.events import HalfThought, TextKind

_BETWEEN = "\n\n"
"""What separates two thoughts, which LangChain adds up to one text."""

_BEGAN_INSIDE = (
    "the reply ends a thought that it did not begin, which was left in the text. If this model's template opens its "
    "thoughts in the prompt, pass starts_in_thought=True"
)
_ENDED_INSIDE = "the reply ended inside a thought, so that it has no answer after it"


class Thoughts:
    """Takes the thoughts of a turn's replies out of their text.

    Attributes:
        left_out: How many characters of thoughts were left out.
        taken: Whether there was a thought.
    """

    def __init__(self, way: Reasoning) -> None:
        self._way = way
        self.left_out = 0
        self.taken = False
        self._last: TextKind = "answer"
        self._thought = False  # whether this thought has begun to be given
        self._given = False  # whether any has
        self._space: list[str] = []  # after the last words of this thought, which may end here

    def open_reply(self) -> None:
        """A further reply begins."""
        self._last, self._thought, self._space = "answer", False, []

    def apart(self, parts: Sequence[Part]) -> list[Part]:
        """The parts with thoughts as such, or without."""
        if self._way == "keep":
            return list(parts)
        pairs = zip_longest(parts, parts[1:])
        return [one for part, following in pairs for one in self._sorted(part, following)]

    def _sorted(self, part: Part, following: Part | None) -> Iterator[Part]:
        if not isinstance(part, Words):
            self._last = "answer"
            yield part
        elif part.kind == "thought":
            yield from self._given_as_such(part.text)
        elif part.kind == "mark":
            self._last, self._thought, self._space = "mark", False, []
            self.taken = True
        elif not _is_before_thought(part, following):
            yield from self._answer(part)

    def _given_as_such(self, text: str) -> Iterator[Thought]:
        """Words of a thought, without the white space that it begins and ends with."""
        self._last, self.taken = "thought", True
        words = text if self._thought else text.lstrip()
        ended = words.rstrip()
        before, space = "".join(self._space) if ended else "", words[len(ended) :]
        if ended:
            self._space.clear()
        self._space.append(space)
        if not ended:
            return
        opening = _BETWEEN if self._given and not self._thought else ""
        self._thought = self._given = True
        if self._way == "blocks":
            yield Thought(opening + before + ended)
        else:
            self.left_out += len(before + ended)

    def _answer(self, part: Words) -> Iterator[Words]:
        """Words of the answer, without the white space that separates them from the thought before them."""
        text = part.text.lstrip() if self._last != "answer" else part.text
        if text:
            self._last = "answer"
            yield Words(text, part.block)

    def warnings(self) -> list[str]:
        """What is said of thoughts that are not given."""
        if not self.left_out:
            return []
        return [f"left out thoughts ({self.left_out:,} characters), as reasoning='drop' says"]


def _is_before_thought(part: Words, following: Part | None) -> bool:
    """Whether this is nothing but the white space that a reply begins with before its thought."""
    leads = isinstance(following, Words) and following.kind != "answer"
    return leads and not part.text.strip()


def warnings_of(halves: Sequence[HalfThought], *, called: bool) -> list[str]:
    """What is said of thoughts that have one end only."""
    lacking = {half.lacks for half in halves}
    began = [_BEGAN_INSIDE] if "beginning" in lacking else []
    return [*began, *([_ENDED_INSIDE] if "end" in lacking and not called else [])]
