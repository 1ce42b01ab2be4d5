"""A large JSON text, parsed so that other threads go on.

A call of the parser holds Python's lock until it ends. So a text with too many values is refused
before it is parsed, and long strings are taken out of it and read piece by piece.
"""

import re
from typing import Any
from uuid import uuid4

import orjson

from langchain_toolemu.chat_models import sse

_STEP = 2**18  # bytes that are looked at, or parsed, at a time
_BACKSLASH, _LONG_ESCAPE = b"\\u"
_VALUES = (b",", b"[", b"{")  # each value but the first has one before it
_HALF_PAIR = re.compile(rb"\\u[dD][89abAB]..", re.DOTALL)
_MARK = f"\0{uuid4().hex}-"  # which no client can know
_MARKED = re.compile(f"{_MARK}\\d+\0")


class TooManyValuesError(ValueError):
    """A text has more values than are read."""


def load_large(content: bytes, most_values: int, step: int = _STEP) -> Any:
    """The value of a JSON text with at most so many values; a `ValueError` for what is no JSON."""
    starts = range(0, len(content), step)
    rough = sum(content[at : at + step].count(mark) for at in starts for mark in _VALUES)
    if rough <= most_values and len(content) <= 4 * step:
        return sse.load_strictly(content)
    kept, texts = _without_long_strings(content, most_values, step)
    value = sse.load_strictly(kept)
    return _with_texts(value, texts) if texts else value


def _without_long_strings(content: bytes, most: int, step: int) -> tuple[bytes, dict[str, str]]:
    """The text with a mark for each piece of a string that fills a step, and these by mark."""
    kept, texts = [], dict[str, str]()
    at, values, inside = 0, 0, False
    while at < len(content):
        piece = content[at : at + step]
        if at + step < len(content):
            piece = piece[: _safe_end(piece)]
        at += len(piece)
        parts = piece.replace(b"\\\\", b"").replace(b'\\"', b"").split(b'"')
        values += sum(part.count(mark) for part in parts[inside::2] for mark in _VALUES)
        if values > most:
            raise TooManyValuesError
        if inside and len(parts) == 1:
            mark = f"{_MARK}{len(texts)}\0"
            texts[mark] = orjson.loads(b'"%b"' % piece)
            piece = orjson.dumps(mark)[1:-1]
        inside ^= len(parts) % 2 == 0
        kept.append(piece)
    return b"".join(kept), texts


def _safe_end(piece: bytes) -> int:
    """Where to cut near the end: not within an escape, a pair of escapes, or a character."""
    end = len(piece) - 1
    for _ in range(3):
        end -= piece[end] & 0xC0 == 0x80
    for at in range(end - 1, end - 6, -1):
        if _is_escape(piece, at):
            end = at if at == end - 1 or piece[at + 1] == _LONG_ESCAPE else end
            break
    is_half = _HALF_PAIR.match(piece, end - 6, end) and _is_escape(piece, end - 6)
    return end - 6 if is_half else end


def _is_escape(piece: bytes, at: int) -> bool:
    """Whether an escape begins there: with a backslash that is not itself escaped."""
    before = piece[:at]
    return piece[at] == _BACKSLASH and (at - len(before.rstrip(b"\\"))) % 2 == 0


def _with_texts(value: Any, texts: dict[str, str]) -> Any:
    """The value with texts instead of their marks."""
    match value:
        case str() if _MARK in value:
            pieces = _MARKED.split(value)
            long = [texts[mark] for mark in _MARKED.findall(value)]
            return "".join(text for pair in zip(pieces, [*long, ""], strict=True) for text in pair)
        case dict():
            return {_with_texts(key, texts): _with_texts(value[key], texts) for key in value}
        case list():
            return [_with_texts(item, texts) for item in value]
    return value
