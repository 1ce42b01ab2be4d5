"""The parts of a reply: words, blocks and calls, and the words that belong together."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from langchain_toolemu.messages.content import PLAIN, Content
from langchain_toolemu.messages.partial_calls import Delta, joined
from langchain_toolemu.reader.events import BadCall, Call, CallsDisowned, TextKind


@dataclass(frozen=True, slots=True)
class Words:
    """Text for the user, and the content block it came in if it came in one.

    Attributes:
        text: What is said.
        block: The content block.
        kind: Whether it is the answer, or of a thought that is told from it.
    """

    text: str
    block: dict[str, Any] | None = None
    kind: TextKind = "answer"


@dataclass(frozen=True, slots=True)
class Thought:
    """What the model thought, without the marks around it: no part of the text."""

    text: str


@dataclass(frozen=True, slots=True)
class Block:
    """A content block that is no text: passed on as it came."""

    block: dict[str, Any]


_PLACE = {"type", "index", "id"}
"""What tells which block a text belongs to: all else that a block carries is said once."""

Part: TypeAlias = Words | Thought | Block | Call | BadCall | Delta | CallsDisowned


def with_joined_calls(parts: Sequence[Part]) -> Iterator[Part]:
    """The parts, with neighbouring pieces of one call put together."""
    for run in _runs(parts, _is_more):
        deltas = [part for part in run if isinstance(part, Delta)]
        yield from joined(deltas) if deltas else run


def with_joined_words(parts: Sequence[Part]) -> Iterator[Part]:
    """The parts, with neighbouring words of one block put together."""
    for run in _runs(parts, _is_same_text):
        words = [part for part in run if isinstance(part, Words)]
        if words:
            yield Words("".join(part.text for part in words), words[0].block, words[0].kind)
        else:
            yield from run


def _runs(
    parts: Sequence[Part], goes_on: Callable[[Sequence[Part], Part], bool]
) -> Iterator[list[Part]]:
    """The parts in their order, those together that go on one another."""
    run: list[Part] = []
    for part in parts:
        if run and not goes_on(run, part):
            yield run
            run = []
        run.append(part)
    if run:
        yield run


def _is_more(run: Sequence[Part], part: Part) -> bool:
    last = run[-1]
    return isinstance(part, Delta) and isinstance(last, Delta) and not last.ends


def _is_same_text(run: Sequence[Part], part: Part) -> bool:
    first = run[0]
    if not (isinstance(part, Words) and isinstance(first, Words)):
        return False
    return part.kind == first.kind and _continues(part.block, first.block)


def _continues(block: dict[str, Any] | None, first: dict[str, Any] | None) -> bool:
    """Whether a text's block says no more than which block it goes on."""
    if block is None or first is None:
        return block is first
    return set(block) <= PLAIN | _PLACE and place_of(block) == place_of(first)


def place_of(block: dict[str, Any]) -> dict[str, Any]:
    """What tells which block a text belongs to."""
    return {key: value for key, value in block.items() if key in _PLACE}


def says_more(block: dict[str, Any]) -> bool:
    """Whether a text block carries more than its text and where that belongs, such as an id or citations."""
    return bool(set(block) - PLAIN - {"index"})


def _text_piece(block: dict[str, Any]) -> Words | Block:
    if not block["text"] and says_more(block):
        return Block(block)
    return Words(block["text"], None if set(block) <= PLAIN else block)


def pieces_of(content: Content) -> Iterator[Words | Block]:
    """A message's content as words and blocks."""
    if isinstance(content, str):
        if content:
            yield Words(content)
        return
    for block in content:
        if isinstance(block, str):
            yield Words(block)
        elif block.get("type") == "text" and isinstance(block.get("text"), str):
            yield _text_piece(block)
        else:
            yield Block(block)
