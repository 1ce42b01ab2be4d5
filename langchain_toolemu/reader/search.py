"""`calls_in`: the calls of one tool in a text that is no reply: a mail, a log, a system prompt.

The text is searched for the tool's name, and read only where a call may stand around it. The same
characters are read a few times at the most: the time is linear in the length of the text.
"""

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import lru_cache
from html import unescape
from itertools import islice
from typing import Any, TypeAlias
from unicodedata import normalize

import regex

from langchain_toolemu.reader.events import BadCall, Call
from langchain_toolemu.reader.reader import Reader
from langchain_toolemu.tools import ToolSet, ToolSpec
from langchain_toolemu.validation import date_format

Arguments: TypeAlias = Mapping[str, Any] | None
"""Of a call in a text; `None` if not all of it could be read."""

_WORDS = re.compile(r"[^\W\d_]+|\d+")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_QUOTE = r"(?:\\{0,4}[\"'`*])"
_CALLED = re.compile(rf"{_QUOTE}{{0,4}}(?:\(|[>=]|\s{{0,8}}[{{<\[]|:\s{{0,8}}[{{(\[<\d\"'`\\])")
"""What follows a name that is called, or is the key of its arguments."""
_BEFORE_VALUE = re.compile(rf"[:=>(,\[{{]\s{{0,8}}{_QUOTE}{{1,4}}\Z|(?:[:=>]\s{{0,8}}|[<.\]|])\Z")
_AFTER_VALUE = re.compile(
    rf"{_QUOTE}{{1,4}}\s{{0,8}}[,}}\]>/:]|{_QUOTE}{{0,4}}[ \t]{{0,8}}(?:\r?\n|[:/]\d|\Z)"
)
"""What stands around a name that is a key's value: quotes, or the rest of a line."""
_DEFINING = {"export", "async", "function", "def"}
_SIGNATURE = re.compile(
    r"\((?:\s{0,8}\*{0,2}\w{1,64}\??:\s{0,8}&?"
    r"(?:(?i:str|string|int|integer|float|number|bool|boolean|list|dict|object|array|any)\b"
    r"|[A-Z]\w{0,32}\[)"
    r"|(?:\s{0,8}(?!(?i:true|false|none|null)\b)[^\W\d]\w{0,64}\s{0,8}[,)]){1,32}(?<=\)))"
)
"""Types or names only in the place of values: the tool is defined, or spoken of."""
_OPENERS = "{[<`"
_NEAR = 120  # characters in which a call's opener stands before the name
_ABOVE = 600  # in which its other beginnings do
_FIRST = 256  # characters that are read at first; each further piece is twice as long
_SLICE = 4_000  # of a text with line marks or escapes
_BUDGET = 100_000  # characters that are read of a text, and twice its length
_OVERHEAD = 1_000  # what beginning to read costs, in characters
_MOST_CLOSERS = 6
_QUOTES = str.maketrans("\u201c\u201d\u201e\u2018\u2019", '"""\'\'')
_CODE_POINT = re.compile(r"\\u([\da-fA-F]{4})")
_NAMESPACE = re.compile(r"[.:/]|(?<=[^_])__(?=[^_])")
_PREFIX = re.compile(r"[\w.:/-]+\Z")  # `functions.`
_BARE = re.compile(r"[`\w.-]*\(?\s*\)?`?")
_IN_PARENTHESES = re.compile(r"\A[\w.-]+\(")
_CLOSER = re.compile(r"\)")
_LINE_MARK = re.compile(
    r"(?m)^[ \t]{0,8}(?:(?:>[ \t]?){1,4}|\d{1,6}[ \t]*[:|\t)\u2192][ \t]?|(?:\||\+|//|#)[ \t])"
)
_ANY_TEXT = {"type", "title", "description", "default", "examples"}  # of a schema
_ASCII_WORD = re.compile(r"[a-z]+|\d+", re.ASCII)
_ESCAPED_WORD = re.compile(r"\\(?:[xu](?:00)?[3-7]|U0{6}[3-7]|\r?\n)")
_SPELLED_NUMBER = re.compile(r"\d[_xobe]")
_JSON = json.JSONDecoder(strict=False)
_ESCAPED = re.compile(r"\\+([\"'\\/]|n|t|r)")
_PLAIN = {"n": "\n", "t": "\t", "r": "\n"}


def calls_in(text: str, tool: ToolSpec) -> Iterator[Arguments]:
    """The arguments of each call of a tool in a text, in order."""
    if tool.name.isascii() and _rarest_word(tool.name) not in text.lower():
        return
    yield from _calls_in(text, tool)
    plain = _without_entities(text)
    if plain != text:
        yield from _calls_in(plain, tool)


def words_of_args(args: Mapping[str, Any], tool: ToolSpec) -> frozenset[str]:
    """The words and whole numbers that each text has that holds a call with these arguments."""
    words: list[str] = []
    for name, value in args.items():
        schema = tool.properties.get(name)
        if not isinstance(schema, Mapping) or not set(schema) <= _ANY_TEXT or date_format(schema):
            continue  # its values may be respelled
        if type(value) is int:
            words.append(str(abs(value)))
        elif isinstance(value, str) and schema.get("type") == "string":
            words += _ASCII_WORD.findall(value.lower()[:_FIRST])
    return frozenset(words)


def may_hold(text: str, tool: ToolSpec, words: frozenset[str]) -> bool:
    """Whether a text names a tool, and has these words or hides some."""
    lowered = text.lower()
    if tool.name.isascii() and _rarest_word(tool.name) not in lowered:
        return False
    is_hidden = "&" in text or _ESCAPED_WORD.search(text)
    return all(word in lowered or is_hidden or _has_hidden(lowered, word) for word in words)


def _has_hidden(text: str, word: str) -> bool:
    """Whether a text may have a number in another spelling, such as `1e3`."""
    return word.isdecimal() and bool(_SPELLED_NUMBER.search(text))


def _without_entities(text: str) -> str:
    """A text with the letters that HTML, JSON or a word processor writes in another way."""
    if "&" in text:
        text = unescape(text)
    if "\\u" in text:
        text = _CODE_POINT.sub(lambda found: chr(int(found[1], 16)), text)
    return text if text.isascii() else normalize("NFC", text.translate(_QUOTES))


def _calls_in(text: str, tool: ToolSpec) -> Iterator[Arguments]:
    if _rarest_word(tool.name) not in text.lower():
        return
    budget, tools, end = _BUDGET + 2 * len(text), ToolSet([tool]), 0
    for found in _pattern(tool.name).finditer(text):
        if found.start() < end or not _may_be_call(text, found.start(), found.end()):
            continue
        best: Call | BadCall | None = None
        for written, start in _readings(text, found.start()):
            if budget < 0:
                yield None  # nobody writes so, unless to hide a call
                return
            call, read = _first_call(written, start, tools)
            budget -= read + _OVERHEAD
            best = call or best
            if isinstance(call, Call):
                end = max(text.find(call.raw, start) + len(call.raw), 0)
                break
        if best:
            yield best.args if isinstance(best, Call) else None


@lru_cache(maxsize=256)
def _words(name: str) -> tuple[str, ...]:
    own = _NAMESPACE.split(normalize("NFC", name))[-1]
    return tuple(_WORDS.findall(_HUMP.sub(" ", own))) or (name,)


@lru_cache(maxsize=256)
def _rarest_word(name: str) -> str:
    return max(_words(name), key=len).lower()


@lru_cache(maxsize=256)
def _pattern(name: str) -> regex.Pattern[str]:
    """A name in any case, its words with any one separator or none."""
    written = r"[\W_]{0,3}?".join(map(re.escape, _words(name)))
    return regex.compile(rf"(?i)(?<![^\W_]){written}(?![^\W_])")


def names_tool(text: str, tool: ToolSpec) -> bool:
    """Whether a text has the name of a tool."""
    return bool(_pattern(tool.name).search(text))


def _may_be_call(text: str, start: int, end: int) -> bool:
    if _CALLED.match(text, end):
        words = text[max(start - _NEAR, 0) : start].rpartition("\n")[2].split()
        is_defined = words and {*words} <= _DEFINING
        return not (is_defined or _SIGNATURE.match(text, end))
    before = text[max(start - 16, 0) : start]
    return bool(_BEFORE_VALUE.search(before) and _AFTER_VALUE.match(text, end))


def _beginnings(text: str, start: int) -> Iterator[int]:
    """Where a call may begin that has its name at a place, the nearest first."""
    opener = max(text.rfind(mark, max(start - _NEAR, 0), start) for mark in _OPENERS)
    prefix = _PREFIX.search(text[max(start - _NEAR, 0) : start])
    line = text.rfind("\n", 0, start) + 1
    lowest = max(start - _ABOVE, 0)
    fence = text.rfind("```", max(start - _NEAR, 0), start)
    above = max(text.rfind("\n\n", lowest, start) + 2, lowest)
    places = (
        opener,
        fence,
        start - len(prefix[0]) if prefix else -1,
        start,
        line if start - line <= _ABOVE else -1,
        above,
    )
    yield from dict.fromkeys(place for place in places if place >= 0)


def _readings(text: str, place: int) -> Iterator[tuple[str, int]]:
    """What may be read around a place, and from where: with and without marks and escapes."""
    starts = [*_beginnings(text, place)]
    yield from ((text, start) for start in starts)
    yield from ((text[start:end], 0) for start in starts if (end := _end_of_value(text, start)))
    # In the middle of a sentence its own end ends a call.
    part = text[place : place + _SLICE]
    closers = _CLOSER.finditer(part) if _IN_PARENTHESES.match(part) else ()
    yield from ((part[: closer.end()], 0) for closer in islice(closers, _MOST_CLOSERS))
    for start in starts:
        part = text[start : start + _SLICE]
        variants = (_LINE_MARK.sub("", part), _unescaped(part))
        for variant in (variant for variant in variants if variant != part):
            yield variant[: _end_of_value(variant, 0) or None], 0


def _first_call(text: str, start: int, tools: ToolSet) -> tuple[Call | BadCall | None, int]:
    """The call that begins at a place, or soon after it; and how many characters were read."""
    reader, size, at = Reader(tools, reads_all=True), _FIRST, start
    while True:
        events = reader.feed(text[at : at + size])
        at += size
        if at >= len(text):
            events += reader.close()
        for event in events:
            if isinstance(event, Call | BadCall) and _is_call(event, tools.specs[0]):
                return event, at - start
        if at >= len(text) or not reader.is_holding:
            return None, at - start
        size *= 2


def _is_call(call: Call | BadCall, tool: ToolSpec) -> bool:
    """Whether a call of a tool has an argument object: `get_time()` in a text is only a name."""
    if call.name != tool.name or isinstance(call, BadCall):
        return call.name == tool.name
    plain = [call.args[key] for key in call.args if not tool.kinds_of(key) & {"object", None}]
    is_schema = plain and all(isinstance(it, Mapping) and "type" in it for it in plain)
    return not is_schema and bool(call.args or not _BARE.fullmatch(call.raw.strip()))


def _end_of_value(text: str, start: int) -> int:
    """Where a value of JSON ends that begins here, whatever follows it; 0 if none does."""
    if text[start : start + 1] not in ("{", "["):
        return 0
    with suppress(ValueError, RecursionError):
        return _JSON.raw_decode(text[start : start + _SLICE])[1] + start
    return 0


def _unescaped(text: str) -> str:
    """A text as it was before it was put into a string of JSON."""
    if "\\" not in text:
        return text
    return _ESCAPED.sub(lambda found: _PLAIN.get(found[1], found[1]), text)
