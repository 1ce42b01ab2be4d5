"""Tags: `<tool_call>`, `<|python_tag|>`, `[TOOL_CALLS]`, `&lt;tool_call&gt;`, and their closers.

The rule of this module: a tag is known by its word alone, without case, separators and decoration, so
that one word of a table covers every spelling of it. What the words mean is said in `tag_words`.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from html import unescape

from langchain_toolemu.reader.window import Waiting, Window

_LIMIT = 200
_NOISE = re.compile("[\\s_.\\-\u2581|\uff5c\\\\]+")
_START = re.compile("(<|&lt;|\\[|\u25c1)(?![^\\w/|\uff5c])")
_END = {
    "<": re.compile(r">"),
    "&lt;": re.compile(r"&gt;|>"),
    "[": re.compile(r"\]"),
    "\u25c1": re.compile("\u25b7"),  # Kimi
}
_FOREIGN = re.compile(r"[<\n{\[]|&lt;")  # never inside a tag
_DECORATION = "|\uff5c \t"
_ATTRIBUTE = re.compile(r"([\w:-]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>/]+))")
# Samples llama-unclosed-tag and llama-parenthesis.
_UNCLOSED = re.compile(r"<(function)=([\w.\-]{1,128})[=,:]?\s{0,8}(?=\{)")
_PARENTHESIS = re.compile(r"(\w+)\(([\w.\-]+)\)\Z")
_OPEN_UNCLOSED = re.compile(r"<function=[\w.\-]{0,128}[=,:]?\s{0,8}\Z")
_SPACED = re.compile(r"[a-z_][a-z0-9_]{0,40}(?:\.([\w.-]*))?(?:>|&(?:gt?)?;?)?\Z")
_NAMESPACES = ("antml:", "minimax:", "seed:", "dsml", "steptml:", "xai:", "longcat")


@dataclass(frozen=True, slots=True)
class Tag:
    """A tag as written, its word without decoration, and what it carries.

    Attributes:
        written: The word as written.
        value: The name in `<function=f>` or `<invoke name="f">`.
        attributes: Whatever else it says of itself.
        empty: Whether it closes itself: `<get_time/>`.
        escaped: Whether it was written with entities.
    """

    raw: str
    word: str
    written: str
    closing: bool
    value: str | None
    attributes: tuple[tuple[str, str], ...]
    empty: bool
    escaped: bool

    @property
    def label(self) -> str:
        """The word in snake case."""
        return re.sub(r"\W+", "_", self.written).strip("_").lower()


class TagSet:
    """A set of words to look for, some of which may carry a namespace.

    Args:
        words: The words.
        names: Those of them that are names of tools.
    """

    def __init__(self, words: Iterable[str], names: Iterable[str] = ()) -> None:
        self._names = frozenset(names)
        self._name_beginnings = beginnings(self._names)
        self.words = frozenset(words) | self._names
        self._beginnings = beginnings(self.words)

    def peek(self, window: Window) -> Waiting[Tag | None]:
        """The tag that comes next, not consumed, if it is one of the set."""
        while True:
            ahead, certain = window.ahead(_LIMIT)
            tag = parse_tag(ahead)
            if tag is not None:
                return self.known(tag)
            if certain or not self._may_become(ahead):
                return None
            yield

    def known(self, tag: Tag) -> Tag | None:
        """The tag under a word of the set, if it has one: without a namespace, if need be."""
        if tag.word in self.words:
            return tag
        # Sample unknown-namespace-in-tag. In pieces it is waited for by the same form.
        spaced = _SPACED.match(_inner(tag.raw))
        word = word_of(spaced[1] or "") if spaced else ""
        return replace(tag, word=word) if word in self._names else None

    def _may_become(self, text: str) -> bool:
        start = _START.match(text)
        if start is None:
            return "&lt;".startswith(text)
        if _OPEN_UNCLOSED.match(text):
            return "function" in self.words
        inner = _inner(text).replace("(", "=", 1)
        if _FOREIGN.search(inner):
            return False
        if "=" in inner:
            return word_of(_word_and_key(inner)[0]) in self.words
        plain = _NOISE.sub("", inner).lower()
        first = "".join(inner.split(None, 1)[:1])
        return (
            word_of(inner.rstrip("/&gt;" + _DECORATION)) in self._beginnings
            or word_of(first) in self.words
            or any(namespace.startswith(plain) for namespace in _NAMESPACES)
            or (bool(self._names) and self._may_be_spaced(inner))
        )

    def _may_be_spaced(self, inner: str) -> bool:
        """Whether this may be a namespace, or one with a name behind it."""
        spaced = _SPACED.match(inner)
        return spaced is not None and word_of(spaced[1] or "") in self._name_beginnings


def _inner(text: str) -> str:
    """What follows a tag's opening mark, its slash and its decoration."""
    start = _START.match(text)
    return text[start.end() :].lstrip("/" + _DECORATION) if start else text


@lru_cache(maxsize=64)
def beginnings(words: frozenset[str]) -> frozenset[str]:
    """Every beginning of every word."""
    return frozenset(word[:size] for word in words for size in range(len(word) + 1))


def word_of(text: str) -> str:
    """A tag's word without case, separators, decoration and namespace."""
    word = _NOISE.sub("", text).lower()
    for namespace in _NAMESPACES:
        word = word.removeprefix(namespace)
    return word


def parse_tag(text: str) -> Tag | None:
    """The tag at the start of a text, if there is a whole one."""
    if found := _UNCLOSED.match(text):
        word, name = found.groups()
        return Tag(found.group(), word, word, False, name, (), False, False)
    start = _START.match(text)
    end = _END[start.group()].search(text, start.end()) if start else None
    if start is None or end is None or _FOREIGN.search(text, start.end(), end.start()):
        return None
    return _read(text[: end.end()], start.group(), end.group())


@lru_cache(maxsize=256)
def _read(raw: str, opening: str, closing_mark: str) -> Tag:
    inner = raw[len(opening) : len(raw) - len(closing_mark)]
    escaped = opening == "&lt;"
    inner = (unescape(inner) if escaped else inner).strip(_DECORATION)
    closing, empty = inner.startswith("/"), inner.endswith("/")
    inner = _PARENTHESIS.sub(r"\1=\2", inner.strip("/" + _DECORATION))
    written, key = _word_and_key(inner)
    word = word_of(written)
    attributes = tuple((name, "".join(values)) for name, *values in _ATTRIBUTE.findall(inner))
    value = dict(attributes).get("name") if key else inner.partition("=")[2].strip(" \"'")
    return Tag(raw, word, written, closing, value or None, attributes, empty, escaped)


def _word_and_key(inner: str) -> tuple[str, str]:
    """The word, and the first attribute if there is one: `<function=f>` has none."""
    left, equals, _ = inner.partition("=")
    words = left.split()
    if not equals or len(words) < 2:
        return left.strip(), ""
    return words[0], words[-1]
