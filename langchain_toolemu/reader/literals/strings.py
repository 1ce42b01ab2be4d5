"""One string, from its opening quote to its closing one, however long and in whatever pieces.

The rule of this module: content is skipped over by search, never character by character, and a quote
is asked about only once enough of what follows it is there.
"""

import re
from collections.abc import Callable, Container, Sequence
from html import unescape

from langchain_toolemu.reader.literals.endings import LOOKAHEAD, Ending, StringBody
from langchain_toolemu.reader.literals.escapes import decode
from langchain_toolemu.reader.literals.frames import Follower, Frame
from langchain_toolemu.reader.marks import LONG_QUOTE, QUOTES, TOKENS, TRIPLE
from langchain_toolemu.reader.window import Waiting, Window

PREFIXES = frozenset("rRbBuUfF")  # of Python's string literals

# A quote that is not the first of several.
_SHORT_QUOTE = re.compile("\"[^\"]|'[^']|[“”„\u2018\u2019`]")
# Escapes, up to so many at once, since a regular expression remembers each; and what is half of one at the end.
_ESCAPES = r"(?:\\.){1,200}|(?P<half>\\)"
# Where each quote is escaped itself, an escape has two backslashes, and what it escapes may have one.
_ESCAPES_TWICE = r"(?:\\\\(?:\\.|[^\\])|\\[^\\\"]){1,200}|(?P<half>\\{1,3})"

# Where a string between tokens ends that lacks the last one, and what may become that or a token. Sample gemma-open-string.
_CALL_END = r"(?P<end>[\]}]*(?:<tool_call\|>|<end_function_call>))"
_MAY_END = re.compile(r"(?:[\]}]{1,8}(?:<[\w|\"]{0,18})?|<[\w|\"]{0,18})\Z")


def _special(quote: str, closers: tuple[str, ...]) -> re.Pattern[str]:
    """A closing quote, or escapes."""
    escapes = _ESCAPES_TWICE if quote == '\\"' else _ESCAPES
    marks = [*map(re.escape, closers), _CALL_END if quote in TOKENS else escapes]
    return re.compile("|".join(marks), re.DOTALL)


_SPECIAL = {quote: _special(quote, closers) for quote, closers in QUOTES.items()}


class StringReader:
    """Reads one string value or key. `follow` is asked who follows it, once its quote is known.

    Attributes:
        body: What there is of it.
        closed: Whether its closing quote was found.
    """

    def __init__(
        self,
        window: Window,
        frames: Sequence[Frame],
        keys: Container[str],
        follow: Callable[[str], Follower | None] = lambda _: None,
    ) -> None:
        self._follow = follow
        self._follower: Follower | None = None
        self.body = StringBody("")
        self.closed = False
        self._window = window
        self._frames = frames
        self._keys = keys

    def read(self, *, is_name: bool = False) -> Waiting[bool]:
        """Consume the string; `False` if none starts here."""
        short = _SHORT_QUOTE.match(self._window.text, self._window.pos)
        long = "" if short else (yield from self._window.skip(LONG_QUOTE))
        quote = long or self._short_quote()
        self.body = StringBody(quote, is_name=is_name)
        if quote:
            self._follower = self._follow(quote)
            self.closed = yield from self._read_body()
        return bool(quote)

    def decoded(self, prefix: str = "", *, python: bool = False) -> str:
        """The content with its escapes undone."""
        if self._follower and self._follower.begun:
            return self._follower.text()
        text = self.body.text
        if self.body.quote == "&quot;":  # sample escaped-tags
            return decode(unescape(text))
        if self.body.quote == '\\"':
            return decode(decode(text))
        if prefix in ("r", "R") or self.body.quote in TOKENS:
            return text
        return decode(text, python=python or self.body.quote in ("'", *TRIPLE))

    def _short_quote(self) -> str:
        char, _ = self._window.ahead(1)
        self._window.pos += char in QUOTES
        return char if char in QUOTES else ""

    def _read_body(self) -> Waiting[bool]:
        """Consume the content and the closing quote; whether there was one."""
        window = self._window
        special, closers = _SPECIAL[self.body.quote], QUOTES[self.body.quote]
        while True:
            found = special.search(window.text, window.pos)
            if found is None:
                self._keep(len(window.text) - self._kept_back())
            elif found.group() in closers:
                self._keep(found.start())
                if (yield from self._ends(found.group())):
                    return True
                continue
            elif found.lastgroup == "end":
                self._keep(found.start())
                return True
            elif found.lastgroup:  # half an escape
                self._keep(len(window.text) if window.ended else found.start())
            else:
                self._keep(found.end())
                continue
            if window.ended:
                return False
            yield

    def _keep(self, end: int) -> None:
        """Consume content."""
        if end > self._window.pos:
            piece = self._window.text[self._window.pos : end]
            self.body.parts.append(piece)
            self._window.pos = end
            if self._follower:
                self._follower.take(piece, plain=self.body.plain)

    def _kept_back(self) -> int:
        """How much of the window's end may be the start of a quote of several characters."""
        window, quote = self._window, self.body.quote
        if window.ended or len(quote) == 1:
            return 0
        if quote in TOKENS:
            found = _MAY_END.search(window.text, max(window.pos, len(window.text) - 28))
            return len(window.text) - found.start() if found else 0
        size = min(len(quote) - 1, len(window.text) - window.pos)
        while size and not quote.startswith(window.text[len(window.text) - size :]):
            size -= 1
        return size

    def _ends(self, quote: str) -> Waiting[bool]:
        """Consume a quote and decide whether it closes the string."""
        window, body = self._window, self.body
        window.pos += len(quote)

        def ends(after: str, final: bool) -> bool | None:
            return Ending(body, self._frames, self._keys, after, final=final).decide()

        sure = body.quote in TOKENS | TRIPLE
        ending = sure or (yield from window.ask(LOOKAHEAD, ends))
        if not ending:
            body.keep(quote, window.ahead(1)[0])
            if self._follower:
                self._follower.take(quote, plain=body.plain)
        return ending
