"""Whether text is reasoning, and what becomes of it: the only place that decides either.

The reader says what a thought is. Its marks and the white space around it go with it; what is dropped is reported.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from operator import itemgetter

from langchain_core.messages import AIMessageChunk

from langchain_toolemu.messages.content import Part, Thought, Words
from langchain_toolemu.messages.past_reasoning import (
    reasoning_of,
    reasoning_reader,
    without_thoughts,
)
from langchain_toolemu.options import Reasoning
from langchain_toolemu.reader.events import Text, TextKind

_BETWEEN = "\n\n"  # what separates two thoughts, which LangChain adds up to one text


def is_only_reasoning(text: str) -> bool:
    """Whether a text is nothing but thoughts."""
    return bool(text.strip()) and not without_thoughts(text, halves=True).strip()


def thought_of(pieces: Sequence[AIMessageChunk], text: str) -> str:
    """The thoughts of a reply without words: next to its content, in blocks of their own, or in its text."""
    thoughts = "".join(thought for piece in pieces for thought in reasoning_of(piece).values())
    if thoughts.strip() or not text.strip():
        return thoughts
    texts = (event for event in reasoning_reader().read(text) if isinstance(event, Text))
    return "".join(event.text for event in texts if event.kind != "mark")


def cut_by_kind(
    text: str, start: int, kinds: Sequence[tuple[int, TextKind]]
) -> Iterator[tuple[str, TextKind]]:
    """Cut a piece of a reply, which begins at `start`, where text of another kind begins."""
    at, done = bisect_right(kinds, start, key=itemgetter(0)), 0
    while done < len(text):
        end = kinds[at][0] - start if at < len(kinds) else len(text)
        if piece := text[done:end]:
            yield piece, kinds[at - 1][1] if at else "answer"
        done, at = end, at + 1


class ReasoningSplitter:
    """Takes the thoughts of a turn's replies out of their text."""

    def __init__(self, option: Reasoning) -> None:
        self._option = option
        self.dropped = 0  # characters of thoughts that were left out
        self.found = False  # whether there was a thought
        self._last: TextKind = "answer"
        self._in_thought = False  # whether this thought has begun to be given
        self._any_given = False
        self._space: list[str] = []  # after the last words of this thought, which may end here
        self._opening: list[Words] = []  # white space before the first thought or words
        self._begun = False  # whether the reply has said or thought anything

    def open_reply(self) -> None:
        """A further reply begins."""
        self._last, self._in_thought, self._space = "answer", False, []
        self._opening, self._begun = [], False

    def split(self, parts: Sequence[Part]) -> list[Part]:
        """The parts with thoughts as such, or without."""
        return [split for part in parts for split in self._split_part(part)]

    def _split_part(self, part: Part) -> Iterator[Part]:
        if isinstance(part, Words) and not self._begun:
            if part.kind == "answer" and not part.text.strip():
                self._opening.append(part)  # before a thought it goes with it
                return
            yield from self._opening if part.kind == "answer" else ()
        self._begun = True
        if not isinstance(part, Words):
            self._last = "answer"
            yield part
        elif part.kind == "thought":
            yield from self._thought(part.text)
        elif part.kind == "mark":
            self._last, self._in_thought, self._space = "mark", False, []
            self.found = True
        else:
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
