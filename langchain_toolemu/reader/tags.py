"""Tags: `<tool_call>`, `<|python_tag|>`, `[TOOL_CALLS]`, `&lt;tool_call&gt;`, and their closers.

The rule of this room: a tag is known by its word alone, without case, separators and decoration,
so that one line of the table covers every spelling of it. What each word means is data.
"""

import re
from collections.abc import Container
from dataclasses import dataclass
from html import unescape

from langchain_toolemu.reader.cursor import Cursor, Waiting

_LIMIT = 200
_NOISE = re.compile(r"[\s_\-▁|\uff5c\\]+")
_START = re.compile(r"<|&lt;|\[")
_END = {"<": re.compile(r">"), "&lt;": re.compile(r"&gt;|>"), "[": re.compile(r"\]")}
_OTHER_START = re.compile(r"[<\n{\[]|&lt;")
_INNER = re.compile(
    r"[|\uff5c\s]*(/?)[|\uff5c\s]*([^=\"'/]*?)(?:\s*=\s*(.*?)|\s+\w+\s*=.*?)?[|\uff5c\s]*(/?)\s*\Z",
    re.DOTALL,
)
_ATTRIBUTE = re.compile(r"(\w+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s>]+))")

# Envelopes: what stands between such a tag and a closer can only be meant as calls.
OPEN = frozenset(
    {
        "toolcall",
        "toolcalls",
        "functioncall",
        "functioncalls",
        "tooluse",
        "toolrequest",
        "toolcallbegin",
        "toolcallsbegin",
        "toolcallssectionbegin",
        "toolcallstart",
        "actionstart",
        "startaction",
        "startfunctioncall",
        "toolsprefix",
        "pythontag",
        "toolcode",
    }
)
# Words that open an envelope too, but mean other things as well.
WEAK = frozenset({"tool", "tools", "function", "functions", "action", "call"})
CLOSE = frozenset(
    {
        "toolcallend",
        "toolcallsend",
        "toolcallssectionend",
        "actionend",
        "endaction",
        "endfunctioncall",
        "endtoolrequest",
        "toolssuffix",
        "eom",
        "eomid",
        "eot",
        "eotid",
        "imend",
    }
)
SEPARATOR = frozenset({"toolsep", "toolcallargumentbegin", "args", "callid", "plugin"})
# Not the model's answer: its thoughts, or results it made up.
ASIDE = frozenset(
    {
        "think",
        "thinking",
        "thought",
        "reasoning",
        "toolresponse",
        "toolresponses",
        "toolresult",
        "toolresults",
        "functionresult",
        "functionresults",
        "functionresponse",
        "observation",
    }
)
KNOWN = OPEN | WEAK | CLOSE | SEPARATOR | ASIDE


@dataclass(frozen=True, slots=True)
class Tag:
    """A tag as written, its word without decoration, and the name it carries if any."""

    raw: str
    word: str
    closing: bool
    name: str | None = None
    empty: bool = False

    @property
    def opens(self) -> bool:
        """Whether calls follow."""
        return not self.closing and self.word in OPEN

    @property
    def closes(self) -> bool:
        """Whether calls end here."""
        return self.word in CLOSE or (self.closing and self.word in OPEN | WEAK)


def word_of(text: str) -> str:
    """A tag's word without case, separators, decoration and namespace."""
    return _NOISE.sub("", text).rpartition(":")[2].lower()


def peek_tag(
    cursor: Cursor, known: Container[str], prefixes: Container[str]
) -> Waiting[Tag | None]:
    """The tag that comes next, not consumed, if it is a known one."""
    while True:
        ahead, certain = cursor.ahead(_LIMIT)
        tag = _parse(ahead)
        if tag is not None:
            return tag if tag.word in known else None
        if certain or not _may_become(ahead, prefixes):
            return None
        yield


def prefixes_of(words: Container[str] | frozenset[str]) -> frozenset[str]:
    """Every beginning of every word."""
    return frozenset(word[:size] for word in words for size in range(len(word) + 1))  # type: ignore[union-attr]


def _parse(text: str) -> Tag | None:
    start = _START.match(text)
    end = _END[start.group()].search(text, start.end()) if start else None
    if start is None or end is None:
        return None
    inner = text[start.end() : end.start()]
    if _OTHER_START.search(inner):
        return None
    if start.group() == "&lt;":
        inner = unescape(inner)
    found = _INNER.match(inner)
    if found is None:
        return Tag(text[: end.end()], "", closing=False)
    closing, word, value, empty = found.groups()
    return Tag(text[: end.end()], word_of(word), bool(closing), _name_in(inner, value), bool(empty))


def _name_in(inner: str, value: str | None) -> str | None:
    """The name in `<function=f>`, `<function="f">` or `<invoke name="f">`."""
    for key, *quoted in _ATTRIBUTE.findall(inner):
        if key == "name":
            return next((text for text in quoted if text), "")
    return value.strip("\"' ") if value else None


def _may_become(text: str, prefixes: Container[str]) -> bool:
    start = _START.match(text)
    if start is None:
        return "&lt;".startswith(text)
    inner = text[start.end() :]
    if _OTHER_START.search(inner):
        return False
    word = re.split(r"=|\s\w+\s*=", inner.lstrip("/|\uff5c "), maxsplit=1)[0]
    return word_of(word.rstrip("/&gt;")) in prefixes or ":" in word
