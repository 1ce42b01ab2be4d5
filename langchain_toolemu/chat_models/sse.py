"""JSON and server-sent events as bytes, written and read."""

import json
import math
import re
from typing import Any
from uuid import uuid4

import orjson

# A comment: clients skip it, and proxies see that the connection lives.
KEEP_ALIVE = b": keep-alive\n\n"
DONE = b"data: [DONE]\n\n"
# Characters that some clients take for the end of a line, and how they are written.
_LINE_ENDS = [(end.encode(), f"\\u{ord(end):04x}".encode()) for end in "\x85\u2028\u2029"]

_HALF_CHARACTER = re.compile(r"\\u[dD][89a-fA-F]")
_DIGITS = bytes.maketrans(b"123456789", b"0" * 9)
_LONG_NUMBER = b"0" * 19  # which may have more than 64 bits: orjson would round it
MOST_DIGITS = 400  # of a number: to read and write one takes the square of the time
MOST_LONG = 10_000  # integers of so many digits
_STEP = 2**20
LARGE = 2**18  # characters of a string, or bytes of a request
_MARK = f"{uuid4().hex}-"  # which no client can know


def data(value: Any) -> bytes:
    """An event without a name."""
    return b"data: " + dumps(value) + b"\n\n"


def event(name: str, value: Any) -> bytes:
    """An event with a name."""
    return b"event: " + name.encode() + b"\ndata: " + dumps(value) + b"\n\n"


def compact(value: Any) -> bytes:
    """A value as JSON."""
    try:
        return orjson.dumps(value)
    except TypeError:  # such as a lone surrogate, or an integer of more than 64 bits
        return json.dumps(value, separators=(",", ":")).encode()


def compact_large(value: Any, step: int = LARGE) -> bytes:
    """A value as JSON; long strings are written in pieces, so that other threads go on."""
    texts: list[str] = []

    def marked(value: Any) -> Any:
        if isinstance(value, str) and len(value) > step:
            texts.append(value)
            return f"{_MARK}{len(texts) - 1}"
        if isinstance(value, dict):
            return {name: marked(value[name]) for name in value}
        return [*map(marked, value)] if isinstance(value, list) else value

    rest, written = compact(marked(value)), list[bytes]()
    for number, text in enumerate(texts):
        before, _, rest = rest.partition(f'"{_MARK}{number}"'.encode())
        pieces = (compact(text[at : at + step])[1:-1] for at in range(0, len(text), step))
        written += [before, b'"', *pieces, b'"']
    return b"".join([*written, rest])


def dumps(value: Any) -> bytes:
    """A value as JSON on one line, whatever a client takes for the end of one."""
    text = compact(value)
    if text.isascii():  # which is known at once, however long it is
        return text
    for end, written in _LINE_ENDS:
        text = text.replace(end, written)
    return text


def loads(text: bytes) -> Any:
    """A value from JSON; a lone surrogate, which may be half a character of a stream, is kept."""
    try:
        return orjson.loads(text)
    except ValueError:
        return json.loads(text)


def load_strictly(content: bytes) -> Any:
    """A value from JSON without infinite numbers and lone surrogates, with exact integers."""
    pieces = (content[at : at + _STEP + 18] for at in range(0, len(content), _STEP))
    if not any(_LONG_NUMBER in piece.translate(_DIGITS) for piece in pieces):
        return orjson.loads(content)
    text, left = content.decode(), iter(range(MOST_LONG))

    def integer(number: str) -> int:
        if len(number) > MOST_DIGITS or (
            len(number) >= len(_LONG_NUMBER) and next(left, None) is None
        ):
            raise LongNumberError
        return int(number)

    # A call for each object and each number lets the other threads go on.
    value = json.loads(text, object_hook=lambda it: it, parse_int=integer, **ONLY_FINITE)
    if _HALF_CHARACTER.search(text):
        json.dumps(value, ensure_ascii=False).encode()
    return value


class LongNumberError(ValueError):
    """A number has more digits than are read, or too many have."""


def _finite(text: str) -> float:
    if len(text) > MOST_DIGITS:
        raise LongNumberError
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(text)
    return number


ONLY_FINITE: Any = {"parse_constant": _finite, "parse_float": _finite}
"""For `json.loads`: JSON has no infinite number, and Python reads `1e400` as one."""


class EventReader:
    """Finds the data of events that come in pieces, which may be cut anywhere."""

    def __init__(self, *, is_lines: bool = False) -> None:
        self._is_lines = is_lines  # whether each line is an event, as in Ollama's protocol
        self._unread: list[bytes] = []  # a line that has not ended
        self._data: list[bytes] = []  # of an event that has not ended

    def feed(self, piece: bytes) -> list[bytes]:
        """The data of each event that ends in this piece; at the end it is fed two line ends."""
        self._unread.append(piece)
        if b"\n" not in piece and b"\r" not in piece:
            return []
        *lines, last = b"".join(self._unread).splitlines(keepends=True)
        # After a carriage return, a line feed may belong to the same end.
        self._unread = [] if last.endswith(b"\n") else [last]
        ended: list[bytes] = []
        for line in lines if self._unread else (*lines, last):
            text = line.rstrip(b"\r\n")
            if self._is_lines:
                ended += [text] if text.strip() else []
            elif text.startswith(b"data:"):
                self._data.append(text[5:].lstrip(b" "))
            elif not text and self._data:
                ended.append(b"\n".join(self._data))
                self._data = []
        return ended
