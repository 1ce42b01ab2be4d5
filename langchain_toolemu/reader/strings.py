"""One string, from its opening quote to its closing one, however long and in whatever pieces.

The rule of this room: content is skipped over by search, never character by character, and a quote
is asked about only once enough of what follows it is there.
"""

import re
from collections.abc import Container, Sequence
from html import unescape

from langchain_toolemu.reader.cursor import Cursor, Waiting
from langchain_toolemu.reader.escapes import decode
from langchain_toolemu.reader.frames import Frame
from langchain_toolemu.reader.long_texts import LongText
from langchain_toolemu.reader.quotes import CLOSING, LOOKAHEAD, Ending, StringBody

QUOTES = frozenset(CLOSING) | {"&"}
PREFIXES = frozenset("rRbBuUfF")  # of Python's string literals

_TRIPLE = {quote * 3: (quote * 3,) for quote in "\"'"}
# A closing quote, or escapes: up to so many at once, since a regular expression remembers each.
_SPECIAL = {
    quote: re.compile("|".join((*map(re.escape, closers), r"(?:\\.){1,200}", r"\\")), re.DOTALL)
    for quote, closers in (CLOSING | _TRIPLE).items()
}


class StringReader:
    """Reads one string value or key.

    Attributes:
        body: What there is of it.
        closed: Whether its closing quote was found.
    """

    def __init__(
        self,
        cursor: Cursor,
        frames: Sequence[Frame],
        keys: Container[str],
        follower: LongText | None = None,
    ) -> None:
        self._follower = follower
        self.body = StringBody("")
        self.closed = False
        self._cursor = cursor
        self._frames = frames
        self._keys = keys

    def read(self, char: str, *, is_name: bool = False) -> Waiting[bool]:
        """Consume the string; `False` if no string starts here."""
        quote = yield from self._opening_quote(char)
        self.body = StringBody(quote, is_name=is_name)
        if quote:
            self.closed = yield from self._read_body()
        return bool(quote)

    def decoded(self, prefix: str = "", *, python: bool = False) -> str:
        """The content with its escapes undone."""
        if self._follower and self._follower.begun:
            return self._follower.text()
        text = self.body.text
        if self.body.quote == "&quot;":  # sample escaped-tags
            return decode(unescape(text))
        if prefix in ("r", "R"):
            return text
        return decode(text, python=python or self.body.quote in ("'", *_TRIPLE))

    def _opening_quote(self, char: str) -> Waiting[str]:
        """Consume a quote: one character, three, or an entity."""
        wanted = "&quot;" if char == "&" else char * 3
        ahead, certain = self._cursor.ahead(len(wanted))
        while wanted.startswith(ahead) and not certain:
            yield
            ahead, certain = self._cursor.ahead(len(wanted))
        if ahead == wanted and wanted in _SPECIAL:
            self._cursor.pos += len(wanted)
            return wanted
        if char == "&":
            return ""
        self._cursor.pos += 1
        return char

    def _read_body(self) -> Waiting[bool]:
        """Consume the content and the closing quote; whether there was one."""
        cursor = self._cursor
        special = _SPECIAL[self.body.quote]
        while True:
            found = special.search(cursor.window, cursor.pos)
            if found is None:
                self._keep(len(cursor.window) - self._kept_back())
            elif found.group() == "\\":  # half an escape
                self._keep(len(cursor.window) if cursor.ended else found.start())
            elif found.group()[0] == "\\":
                self._keep(found.end())
                continue
            else:
                self._keep(found.start())
                if (yield from self._ends(found.group())):
                    return True
                continue
            if cursor.ended:
                return False
            yield

    def _keep(self, end: int) -> None:
        """Consume content."""
        if end > self._cursor.pos:
            piece = self._cursor.window[self._cursor.pos : end]
            self.body.parts.append(piece)
            self._cursor.pos = end
            if self._follower:
                self._follower.take(piece, self.body)

    def _kept_back(self) -> int:
        """How much of the window's end may be the start of a quote of several characters."""
        cursor, quote = self._cursor, self.body.quote
        if cursor.ended or len(quote) == 1:
            return 0
        size = min(len(quote) - 1, len(cursor.window) - cursor.pos)
        while size and not quote.startswith(cursor.window[len(cursor.window) - size :]):
            size -= 1
        return size

    def _ends(self, quote: str) -> Waiting[bool]:
        """Consume a quote and decide whether it closes the string."""
        cursor, body = self._cursor, self.body
        cursor.pos += len(quote)
        ending: bool | None = True if body.quote in _TRIPLE else None
        while ending is None:
            after, certain = cursor.ahead(LOOKAHEAD)
            ending = Ending(body, self._frames, self._keys, after, final=certain).decide()
            if ending is None:
                yield
        if not ending:
            body.keep(quote, cursor.ahead(1)[0])
            if self._follower:
                self._follower.take(quote, body)
        return ending
