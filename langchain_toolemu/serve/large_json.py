"""A large JSON text, parsed so that other threads go on: no call takes longer than a few dozen milliseconds.

A call of the parser holds Python's lock until it ends. So a text with too many values is refused before it is parsed, and long
strings are taken out of it, and read piece by piece.
"""

import re
from collections.abc import Iterator
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
    """The value of a JSON text with at most so many values; a `ValueError` for what is no JSON, or has lone surrogates."""
    rough = sum(piece.count(mark) for piece in _pieces(content, step) for mark in _VALUES)
    if rough <= most_values and len(content) <= 4 * step:
        return sse.load_strictly(content)
    kept, texts = _without_long_strings(content, most_values, step)
    if not texts:
        return sse.load_strictly(kept)
    return _with_texts(sse.load_strictly(kept), texts)


def _pieces(content: bytes, step: int) -> Iterator[bytes]:
    return (content[at : at + step] for at in range(0, len(content), step))


def _without_long_strings(content: bytes, most: int, step: int) -> tuple[bytes, dict[str, str]]:
    """The text with a mark for each piece of a string that fills a whole step, and these pieces by their marks."""
    kept, texts = [], dict[str, str]()
    at, values, inside = 0, 0, False
    while at < len(content):
        end = _safe_end(content, at + step)
        piece, at = content[at:end], end
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


def _safe_end(content: bytes, end: int) -> int:
    """The end of a piece, at this place or a little before it: not within an escape, a pair of them, or a character."""
    if end >= len(content):
        return len(content)
    for _ in range(3):
        end -= content[end] & 0xC0 == 0x80
    for at in range(end - 1, end - 6, -1):
        if _is_escape(content, at):
            end = at if at == end - 1 or content[at + 1] == _LONG_ESCAPE else end
            break
    is_half = _HALF_PAIR.match(content, end - 6, end) and _is_escape(content, end - 6)
    return end - 6 if is_half else end


def _is_escape(content: bytes, at: int) -> bool:
    """Whether an escape begins there: with a backslash that is not itself escaped."""
    run = at
    while run and content[run - 1] == _BACKSLASH:
        run -= 1
    return content[at] == _BACKSLASH and (at - run) % 2 == 0


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
