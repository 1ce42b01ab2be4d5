"""The text of one reply as it came: its pieces, the reader that reads them, and what of them was not shown."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from langchain_toolemu.messages import content
from langchain_toolemu.messages.content import ContentBlock, Part, Words
from langchain_toolemu.reader import Reader, events
from langchain_toolemu.turn.reasoning_text import cut_by_kind


@dataclass(slots=True, eq=False)
class ReplyText:
    """Takes the pieces of a reply, and reads them. Without a reader, all of it is text."""

    make_reader: Callable[[], Reader] | None
    _reader: Reader | None = None  # made for the first words: a native reply may have none
    size: int = 0  # characters
    _pieces: list[Words | ContentBlock] = field(default_factory=list)
    _block: dict[str, Any] | None = None  # of the text that is being read

    @property
    def raw(self) -> str:
        """All of it."""
        return "".join([piece.text for piece in self._pieces if isinstance(piece, Words)])

    def read(self, piece: Words | ContentBlock) -> Iterable[events.Event | ContentBlock | Words]:
        """Take the next piece; returns what was read, words in their blocks."""
        self._pieces.append(piece)
        if isinstance(piece, ContentBlock):
            return [piece]
        self.size += len(piece.text)
        if self.make_reader is None:
            return [piece]
        self._reader = self._reader or self.make_reader()
        self._block = piece.block
        parts = [*map(self._in_block, self._reader.feed(piece.text))]
        if self._block and "text" in self._block and content.says_more(self._block):
            # No words yet, but it may carry an id that the thoughts before it go with.
            parts.append(ContentBlock({**(self._block_once() or {}), "text": ""}))
        return parts

    def close(self, *, cut: bool) -> Iterable[events.Event | ContentBlock | Words]:
        """The reply has ended: returns what was read last."""
        if self.make_reader is None:
            return ()
        reader = self._reader or self.make_reader()
        return [*map(self._in_block, reader.close(cut=cut))]

    def _in_block(self, event: events.Event) -> events.Event | ContentBlock | Words:
        if isinstance(event, events.Text):
            return Words(event.text, self._block_once(), event.kind)
        return event

    def _block_once(self) -> dict[str, Any] | None:
        """The block of the text that is being read; what comes next of it only says which block it is of."""
        block, self._block = self._block, self._block and content.place_of(self._block)
        return block

    def after(self, shown: int, held: Sequence[Part]) -> list[Part]:
        """What came after so many characters, in the blocks it came in; other blocks only if they are held."""
        if not held and shown == self.size:
            return []
        kept = set(map(id, held))
        rest: list[Part] = []
        kinds, start = self._reader.kinds if self._reader else (), 0
        for part in self._pieces:
            if isinstance(part, ContentBlock):
                rest += [part] if id(part) in kept else []
                continue
            text = part.text[max(shown - start, 0) :]
            start += len(part.text)
            if kinds:
                cut = cut_by_kind(text, start - len(text), kinds)
                rest += (Words(piece, part.block, kind) for piece, kind in cut)
            elif text:
                rest.append(Words(text, part.block))
        return content.join_parts(rest)
