"""One string, from its opening quote to its closing one, however long and in whatever pieces.

The rule of this module: content is skipped over by search, never character by character, and a quote
is asked about only once enough of what follows it is there. A valid JSON string decodes exactly as `json.loads` decodes
it. An escape that JSON does not know was not meant as one: the writer forgot to double the backslash, and it stays.
"""

import re
from collections.abc import Callable, Container, Sequence
from functools import cache
from html import unescape

from langchain_toolemu.reader.literals.endings import LOOKAHEAD, Ending, StringBody
from langchain_toolemu.reader.literals.frames import Follower, Frame
from langchain_toolemu.reader.vocabulary import LONG_QUOTE, QUOTES, TOKENS, TRIPLE
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


@cache
def _special(quote: str) -> re.Pattern[str]:
    """A closing quote, or escapes."""
    escapes = _ESCAPES_TWICE if quote == '\\"' else _ESCAPES
    marks = [*map(re.escape, QUOTES[quote]), _CALL_END if quote in TOKENS else escapes]
    return re.compile("|".join(marks), re.DOTALL)


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
        follow: Callable[[str], Follower | None] | None = None,
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
            self._follower = self._follow(quote) if self._follow else None
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
        special, closers = _special(self.body.quote), QUOTES[self.body.quote]
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


LONGEST_ESCAPE = 12
"""A surrogate pair, each half of six characters."""

_JSON = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_PYTHON = {**_JSON, "'": "'", "a": "\a", "v": "\v", "0": "\0", "\n": ""}
del _PYTHON["/"]

_ESCAPE = re.compile(
    r"\\(u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    r"|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|U[0-9a-fA-F]{8}|.)",
    re.DOTALL,
)
_DRIVE_PATH = re.compile(r"[A-Za-z]:\\(?!\\)")
# An escape that more text may still complete: digits are missing, or the second half of a pair.
_UNFINISHED = re.compile(
    r"\\(?:u(?:[0-9a-fA-F]{0,3}"
    r"|[dD][89abAB][0-9a-fA-F]{2}(?:\\(?:u(?:[dD](?:[c-fC-F][0-9a-fA-F]?)?)?)?)?)"
    r"|x[0-9a-fA-F]?|U[0-9a-fA-F]{0,7})\Z"
)


def decode(body: str, *, python: bool = False) -> str:
    """Undo the escapes of a string body, as JSON or as Python writes them."""
    if "\\" not in body:
        return body
    table = _PYTHON if python else _JSON
    escapes = [found.group(1) for found in _ESCAPE.finditer(body)]
    if any(_is_broken(escape, table, python) for escape in escapes):
        table = _without_accidents(table, literal=bool(_DRIVE_PATH.search(body)))

    def replace(found: re.Match[str]) -> str:
        decoded = _decoded(found.group(1), table, python)
        return found.group() if decoded is None else decoded

    return _ESCAPE.sub(replace, body)


class RunningDecoder:
    """Undoes the escapes of a string whose end is not known yet: each by what comes before it alone."""

    def __init__(self, *, python: bool = False) -> None:
        self._rest = ""
        self._python = python
        self._table = _PYTHON if python else _JSON

    def knows(self, body: str, size: int) -> bool:
        """Whether every escape that begins within so many characters is a known one."""
        begun = (found for found in _ESCAPE.finditer(body) if found.start() < size)
        return not any(_is_broken(found.group(1), self._table, self._python) for found in begun)

    def feed(self, raw: str) -> str:
        """The text of a further piece, up to an escape that is not whole yet."""
        raw, self._rest = self._rest + raw, ""
        if "\\" not in raw[-LONGEST_ESCAPE:]:
            return self._decoded(raw)
        # A pair is not whole while its second half is not, so the last two count.
        for start in [found.start() for found in _ESCAPE.finditer(raw)][-2:]:
            if _UNFINISHED.match(raw, start):
                self._rest = raw[start:]
                return self._decoded(raw[:start])
        return self._decoded(raw)

    def end(self) -> str:
        """The text of what was kept back."""
        rest, self._rest = self._rest, ""
        return self._decoded(rest)

    def _decoded(self, raw: str) -> str:
        return _ESCAPE.sub(self._replace, raw) if "\\" in raw else raw

    def _replace(self, found: re.Match[str]) -> str:
        escape = found.group(1)
        table = _PYTHON if self._python else _JSON
        if _is_broken(escape, table, self._python):
            self._table = _without_accidents(table, literal=False)
        decoded = _decoded(escape, self._table, self._python)
        return found.group() if decoded is None else decoded


def _is_broken(escape: str, table: dict[str, str], python: bool) -> bool:
    return escape not in table and escape != "'" and _code_point(escape, python) is None


def _without_accidents(table: dict[str, str], *, literal: bool) -> dict[str, str]:
    r"""The escapes still believed in a string that plainly holds undoubled backslashes.

    Sample regex-backslash: next to `\d` a `\b` is a word boundary, not a backspace.
    Sample windows-path: in `C:\Users\name` the `\n` is not a line break.
    """
    doubted = "bfnrtav0/" if literal else "bfav0"
    return {escape: value for escape, value in table.items() if escape not in doubted}


def _decoded(escape: str, table: dict[str, str], python: bool) -> str | None:
    if escape in table:
        return table[escape]
    if escape == "'":  # sample escaped-apostrophe
        return "'"
    return _code_point(escape, python)


def _code_point(escape: str, python: bool) -> str | None:
    """The character of a numeric escape, two of them for a surrogate pair."""
    if len(escape) == 1:
        return None
    if len(escape) > 9:
        high, low = int(escape[1:5], 16), int(escape[7:], 16)
        return chr(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00))
    number = int(escape[1:], 16)
    if escape[0] == "u":
        return chr(number)
    return chr(number) if python and number < 0x110000 else None
