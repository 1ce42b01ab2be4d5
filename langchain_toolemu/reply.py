"""One reply of the wrapped model, taken piece by piece: what may be shown now, and what is held back.

A shown word is never unsaid, so whatever may still be taken back is held: prose while a call is forced
(the reply may be re-asked), and in a native reply everything from the first call written as text (the
provider may yet send the call itself).
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from langchain_toolemu.reader import Reader
from langchain_toolemu.values import BadCall, Call, Event, Text

Content: TypeAlias = str | list[str | dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Words:
    """Text for the user, and the content block it came in if it came in one."""

    text: str
    block: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Block:
    """A content block that is no text: passed on as it came."""

    block: dict[str, Any]


_PLAIN = {"type", "text"}
"""A block with nothing but these says no more than a string does."""

Part: TypeAlias = Words | Block | Call | BadCall
Hold: TypeAlias = Literal["nothing", "prose", "calls", "everything"]


class Reply:
    """Reads a reply and decides what is shown.

    Args:
        reader: Reads the text; `None` for a reply in which no call is looked for.
        check: Validates a call's arguments.
        accepts: Whether a call is one that was asked for, given how many were accepted before it.
        hold: `"nothing"`: show all as it comes. `"prose"`: until a call is accepted. `"calls"`: from the
            first call on. `"everything"`: until the end.
    """

    def __init__(
        self,
        reader: Reader | None,
        check: Callable[[Call], Call],
        accepts: Callable[[Call, int], bool],
        hold: Hold,
    ) -> None:
        self.calls: list[Call] = []
        self.bad_calls: list[BadCall] = []
        self.left_out: list[Call] = []
        self.held: list[Part] = []
        self._reader = reader
        self._check = check
        self._accepts = accepts
        self._hold = hold
        self._holding = hold in ("prose", "everything")
        self._raw: list[str] = []
        self._shown = 0

    @property
    def raw(self) -> str:
        """The whole text of the reply."""
        return "".join(self._raw)

    def feed(self, content: Content) -> list[Part]:
        """Take the next piece; returns what may be shown now."""
        return self._pass([part for piece in _pieces(content) for part in self._read(piece)])

    def close(self, *, cut: bool) -> list[Part]:
        """The reply has ended; returns what may be shown now. What is in `held` is the turn's to decide."""
        if self._reader is None:
            return []
        return self._pass([self._part(event, None) for event in self._reader.close(cut=cut)])

    def as_text(self) -> list[Part]:
        """Nothing in this reply is a call: read no further, and return what was not shown, to the letter."""
        rest = self.raw[self._shown :]
        blocks: list[Part] = [part for part in self.held if isinstance(part, Block)]
        self._shown += len(rest)
        self._reader, self._hold, self._holding, self.held = None, "nothing", False, []
        return [Words(rest), *blocks] if rest else blocks

    def _read(self, piece: Words | Block) -> list[Part]:
        if isinstance(piece, Block):
            return [piece]
        self._raw.append(piece.text)
        if self._reader is None:
            return [piece]
        return [self._part(event, piece.block) for event in self._reader.feed(piece.text)]

    def _part(self, event: Event, block: dict[str, Any] | None) -> Part:
        match event:
            case Text():
                return Words(event.text, block)
            case Call():
                return self._check(event)
        return event

    def _pass(self, parts: list[Part]) -> list[Part]:
        shown: list[Part] = []
        for part in parts:
            shown += self._sort(part)
        self._shown += sum(len(part.text) for part in shown if isinstance(part, Words))
        return shown

    def _sort(self, part: Part) -> list[Part]:
        """What may be shown now that this part has come."""
        match part:
            case Call() if not self._accepts(part, len(self.calls)):
                self.left_out.append(part)
                return []
            case Call():
                self.calls.append(part)
                return self._sort_call(part)
            case BadCall():
                self.bad_calls.append(part)
                # The turn decides on it at the end, with the whole reply known.
                self._holding |= self._hold == "calls"
                return []
        if self._holding:
            self.held.append(part)
            return []
        return [part]

    def _sort_call(self, call: Call) -> list[Part]:
        if self._hold in ("calls", "everything"):
            self._holding = True
            self.held.append(call)
            return []
        before, self.held, self._holding = self.held, [], False
        return [*before, call]

    @property
    def only_calls(self) -> bool:
        """Whether the reply holds nothing but calls."""
        words = any(isinstance(part, Words) and part.text.strip() for part in self.held)
        return not (words or self.bad_calls or self.raw[: self._shown].strip())


def _pieces(content: Content) -> Iterator[Words | Block]:
    if isinstance(content, str):
        if content:
            yield Words(content)
        return
    for block in content:
        if isinstance(block, str):
            yield Words(block)
        elif block.get("type") == "text" and isinstance(block.get("text"), str):
            yield Words(block["text"], None if set(block) <= _PLAIN else block)
        else:
            yield Block(block)
