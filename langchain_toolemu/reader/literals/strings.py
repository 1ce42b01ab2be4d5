"""Reads one string from its opening to its closing quote, in pieces of any size.

A valid JSON string decodes as in `json.loads`; an unknown escape stays as text. A long string is
streamed only if nothing before it was repaired, so streamed text is never retracted.
"""

import re
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from html import unescape
from types import MappingProxyType
from typing import Any

from langchain_toolemu.reader.events import CallDelta, CallStarted
from langchain_toolemu.reader.literals.frames import LOOKAHEAD, Ending, Frame, StringBody
from langchain_toolemu.reader.output import Output
from langchain_toolemu.reader.vocabulary import LONG_QUOTE, QUOTES, TOKENS, TRIPLE
from langchain_toolemu.reader.window import Waiting, Window

PREFIXES = frozenset("rRbBuUfF")  # of Python's string literals

# A quote that is not the first of several.
_SHORT_QUOTE = re.compile("\"[^\"]|'[^']|[“”„\u2018\u2019`]")
# Escapes, up to so many at once, since a regular expression remembers each; and what is half of one
# at the end.
_ESCAPES = r"(?:\\.){1,200}|(?P<half>\\)"
# Where each quote is escaped itself, an escape has two backslashes, and what it escapes may have
# one.
_ESCAPES_TWICE = r"(?:\\\\(?:\\.|[^\\])|\\[^\\\"]){1,200}|(?P<half>\\{1,3})"

# Where a string between tokens ends that lacks the last one, and what may become that or a token.
# Sample gemma-open-string.
_CALL_END = r"(?P<end>[\]}]*(?:<tool_call\|>|<end_function_call>))"
_LONGEST_OPEN = 1024  # characters after a call's end in which a string's last token is looked for
_MAY_END = re.compile(r"(?:[\]}]{1,8}(?:<[\w|\"]{0,18})?|<[\w|\"]{0,18})\Z")


@cache
def _special(quote: str) -> re.Pattern[str]:
    escapes = _ESCAPES_TWICE if quote == '\\"' else _ESCAPES
    marks = [*map(re.escape, QUOTES[quote]), _CALL_END if quote in TOKENS else escapes]
    return re.compile("|".join(marks), re.DOTALL)


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
    decoder = RunningDecoder(python=python)
    if not decoder.knows(body, len(body)):
        decoder.doubt(literal=bool(_DRIVE_PATH.search(body)))
    return decoder.feed(body) + decoder.end()


class RunningDecoder:
    """Decodes the escapes of a string before its end is known."""

    def __init__(self, *, python: bool = False) -> None:
        self._rest = ""
        self._python = python
        self._all = self._table = _PYTHON if python else _JSON  # the escapes that count

    def knows(self, body: str, size: int) -> bool:
        """Whether all escapes in the first `size` characters are known."""
        begun = (found for found in _ESCAPE.finditer(body) if found.start() < size)
        return not any(self._is_broken(found.group(1)) for found in begun)

    def doubt(self, *, literal: bool) -> None:
        """Count fewer escapes, next to undoubled backslashes.

        Samples regex-backslash and windows-path.
        """
        doubted = "bfnrtav0/" if literal else "bfav0"
        self._table = {key: self._all[key] for key in self._all if key not in doubted}

    def feed(self, raw: str) -> str:
        """Decode a piece, up to an escape that is not complete yet."""
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
        """Decode the rest."""
        rest, self._rest = self._rest, ""
        return self._decoded(rest)

    def _decoded(self, raw: str) -> str:
        return _ESCAPE.sub(self._replace, raw) if "\\" in raw else raw

    def _replace(self, found: re.Match[str]) -> str:
        escape = found.group(1)
        if self._table is self._all and self._is_broken(escape):
            self.doubt(literal=False)
        known = escape in self._table or escape == "'"  # sample escaped-apostrophe
        decoded = self._table.get(escape, "'") if known else _code_point(escape, self._python)
        return found.group() if decoded is None else decoded

    def _is_broken(self, escape: str) -> bool:
        known = escape in self._all or escape == "'"
        return not known and _code_point(escape, self._python) is None


def _code_point(escape: str, python: bool) -> str | None:
    if len(escape) == 1:
        return None
    if len(escape) > 9:
        high, low = int(escape[1:5], 16), int(escape[7:], 16)
        return chr(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00))
    number = int(escape[1:], 16)
    if escape[0] == "u":
        return chr(number)
    return chr(number) if python and number < 0x110000 else None


LONG = 512
"""So many characters make a text long.

A shorter one comes whole at its end, and may still be asked for again.
"""

FIRST_BREAK = re.compile(r"\A\r?\n")
_LAST_BREAK = re.compile(r"\r?\n\Z|\r\Z")
_SMALLEST = 32
_SHARE = 32
_HUGE = 65_536


class RunningText:
    """A text without escapes as it arrives, without the line breaks at its ends."""

    def __init__(self, *, keeps_ends: bool = False) -> None:
        self._begun = keeps_ends
        self._on_own_lines = False
        self._rest = ""

    def knows(self, _body: str, _size: int) -> bool:
        """Whether every escape in it is known: there are none."""
        return True

    def feed(self, raw: str) -> str:
        """Take a piece, up to a line break that may be the last."""
        if not self._begun and (first := FIRST_BREAK.match(raw)):
            raw, self._on_own_lines = raw[first.end() :], True
        self._begun = True
        raw = self._rest + raw
        last = _LAST_BREAK.search(raw) if self._on_own_lines else None
        self._rest = last.group() if last else ""
        return raw[: len(raw) - len(self._rest)]

    def end(self) -> str:
        """The rest, without a line break."""
        return self._rest.rstrip("\n").rstrip("\r") if self._rest.endswith("\n") else self._rest


@dataclass(slots=True, eq=False)
class LongText:
    """Streams one string argument, if it is long."""

    _output: Output
    _beginning: Callable[[], CallStarted | None]  # asked once: its call, if that is certain
    decoder: RunningDecoder | RunningText
    begun: bool = False  # whether it was long enough to be streamed
    _refused: bool = False
    _raw: list[str] = field(default_factory=list)
    _size: int = 0
    _sent: list[str] = field(default_factory=list)
    _sent_size: int = 0
    _buffer: list[str] = field(default_factory=list)
    _buffer_size: int = 0
    _enough: int = _SMALLEST

    def take(self, raw: str, *, plain: bool) -> None:
        """Take a piece of the string; it never ends inside an escape of two characters."""
        self._size += len(raw)
        if self.begun:
            self._add(self.decoder.feed(raw))
        elif not self._refused:
            self._raw.append(raw)
            if self._size >= LONG:
                self._begin("".join(self._raw), plain=plain)

    def text(self) -> str:
        """Emit the rest; the whole string."""
        self._add(self.decoder.end())
        self._emit()
        return "".join(self._sent)

    def _begin(self, raw: str, *, plain: bool) -> None:
        known = plain and self.decoder.knows(raw, LONG - LONGEST_ESCAPE)
        beginning = self._beginning() if known else None
        self.begun, self._refused = beginning is not None, beginning is None
        if beginning:
            text = self.decoder.feed(raw)
            # As much as there is in any pieces: an escape is longer than its letter.
            begun = text[: LONG // (2 * LONGEST_ESCAPE)]
            self._output.start_call(replace(beginning, begun=begun))
            self._add(text)

    def _add(self, text: str) -> None:
        self._buffer.append(text)
        self._buffer_size += len(text)
        if self._buffer_size >= self._enough:
            self._emit()

    def _emit(self) -> None:
        text = "".join(self._buffer)
        self._buffer, self._buffer_size = [], 0
        self._sent.append(text)
        self._sent_size += len(text)
        # Adding up chunks copies all earlier text each time, so later pieces are larger.
        self._enough = max(_SMALLEST, self._sent_size // _SHARE, (self._sent_size - _HUGE) // 4)
        if text:
            self._output.add(CallDelta(text))


@dataclass(slots=True, eq=False)
class StringReader:
    """Reads one string value or key."""

    _window: Window
    _frames: Sequence[Frame]
    _keys: Container[str]
    _follow: Callable[[str], LongText | None] | None = None  # what streams it, by its quote
    _follower: LongText | None = None
    body: StringBody = field(default_factory=lambda: StringBody(""))  # what there is of it
    closed: bool = False  # whether its closing quote was found

    def read(self, *, is_name: bool = False) -> Waiting[bool]:
        """Consume the string; `False` if none starts here."""
        short = _SHORT_QUOTE.match(self._window.text, self._window.pos)
        long = "" if short else (yield from self._window.skip(LONG_QUOTE))
        quote = long or self._window.ahead(1)[0]
        quote = quote if quote in QUOTES else ""
        self._window.pos += len(quote) if not long else 0
        self.body = StringBody(quote, is_name=is_name)
        if quote:
            self._follower = self._follow(quote) if self._follow else None
            self.closed = yield from self._read_body()
        return bool(quote)

    def decoded(self, prefix: str = "", *, python: bool = False) -> str:
        """The content with its escapes undone."""
        if self._follower and self._follower.begun:
            return self._follower.text()
        text = "".join(self.body.parts[self.body.doubled])  # sample doubled-quote
        if self.body.quote == "&quot;":  # sample escaped-tags
            return decode(unescape(text))
        if self.body.quote == '\\"':
            return decode(decode(text))
        if prefix in ("r", "R") or self.body.quote in TOKENS:
            return text
        return decode(text, python=python or self.body.quote in ("'", *TRIPLE))

    def _read_body(self) -> Waiting[bool]:
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
                if (yield from window.ask(_LONGEST_OPEN, self._is_left_open)):
                    return True
                self._keep(window.pos + len(found.group()))
                continue
            elif found.lastgroup:  # half an escape
                self._keep(len(window.text) if window.ended else found.start())
            else:
                self._keep(found.end())
                continue
            if window.ended:
                return False
            yield

    def _keep(self, end: int) -> None:
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

    def _is_left_open(self, ahead: str, final: bool) -> bool | None:
        """Whether a string ends with its call, so that a later quote is another call's."""
        before, quote, _ = ahead.partition(self.body.quote)
        if not quote:
            return True if final else None
        return "call:" in before and before.rstrip().endswith((":", "[", ",", "{"))

    def _ends(self, quote: str) -> Waiting[bool]:
        window, body = self._window, self.body
        window.pos += len(quote)

        def ends(after: str, final: bool) -> bool | None:
            return Ending(body, self._frames, self._keys, after, final=final).decide()

        ending = body.quote in TOKENS | TRIPLE or (yield from window.ask(LOOKAHEAD, ends))
        if not ending:
            body.keep(quote, window.ahead(1)[0])
            if self._follower:
                self._follower.take(quote, plain=body.plain)
        return ending


class Listener:
    """Receives the members of the outermost object.

    If `key` or `member` returns `False`, it is no call, and is released.
    """

    own_keys: Mapping[str, str] = MappingProxyType({})  # how keys are called otherwise

    def key(self, _key: str) -> bool:
        """A key was read."""
        return True

    def member(self, _key: str, _value: Any) -> bool:
        """A key's value was read."""
        return True

    def names_tool(self, _key: str) -> bool:
        """Whether a key's value is a tool's name."""
        return False

    def long_text(self, _frames: Sequence[Frame], _quote: str) -> LongText | None:
        """The object that streams the string after this quote, if that may be streamed."""
        return None

    def takes_raw(self, _frames: Sequence[Frame]) -> bool:
        """Whether the next value is a text, even without quotes."""
        return False

    def element(self, _value: Any) -> None:
        """An object of an outer list was read."""
