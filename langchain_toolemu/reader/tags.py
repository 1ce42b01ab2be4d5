"""Tags and closing tags: `<tool_call>`, `<|python_tag|>`, `[TOOL_CALLS]`, `&lt;tool_call&gt;`.

A tag is recognised by its word alone, without case, separators, decoration and namespace: see
`vocabulary`.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from html import unescape

import regex

from langchain_toolemu.reader.vocabulary import FENCE_MARKS, SECTION
from langchain_toolemu.reader.window import Waiting, Window

MAYBE_TAG = "<(?=[/|\uff5c\\w]|<f|<?\\Z)|&(?=l|\\Z)|\\](?=<|\\Z)"
"""Where a tag may begin in a text; in pieces, or in truth."""

_LIMIT = 200
_LONGEST_LOOK = 256
MINIMAX = "]<]minimax[>["
"""M3 writes it before every tag."""

_SUFFIX = "(?:[0-9a-f]{8}|opensource)\\Z"  # Hy: the checkpoint's own
_NOISE = re.compile(f":{_SUFFIX}|[\\s:_.\\-\u2581|\uff5c\\\\]+")
_START = re.compile("(<\\|open\\|>|<\\|close\\|>|<<(?=f)|<|&lt;|\\[|\u25c1)(?![^\\w/|\uff5c])")
# A value in quotes may hold anything; a quote that follows no equals sign is a character like any
# other.
_QUOTED = "=\\s*(?:\"[^\"\n]*\"|'[^'\n]*')|=(?!\\s*[\"'])"
_END = {
    "<": regex.compile(rf"(?:{_QUOTED}|[^<>\n{{\[=])*?(>)"),
    "&lt;": regex.compile(r"(?:(?!&lt;)[^<>\n{\[])*?(&gt;|>)"),
    "[": regex.compile(r"[^<\n{\[\]]*(\])"),
    "\u25c1": regex.compile("[^<\n{\\[]*?(\u25b7)"),  # Kimi-VL
    "<|open|>": regex.compile(rf"(?:{_QUOTED}|[^<\n=])*(<\|sep\|>)"),  # Kimi K3
    "<|close|>": regex.compile(r"[^<\n]*(<\|sep\|>)"),
    "<<": regex.compile("function(>>)"),  # Gorilla
}
_DECORATION = "|\uff5c \t"
_ATTRIBUTE = re.compile(r"([\w:-]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>/]+))")
# Samples llama-unclosed-tag and llama-parenthesis.
_UNCLOSED = regex.compile(r"<(function)[=(]([\w.\-]{1,128})[=,:)]?\s{0,8}(?=\{)")
_PARENTHESIS = re.compile(r"(\w+)\(([\w.\-]+)\)\Z")
# Sample minicpm-lost-blank: the blank before an attribute is gone, or written as the tokenizer has
# it.
_LOST_BLANK = re.compile("\\A(function|param|parameter|invoke)\u0120?(?=name=)")
_SPACED = re.compile(r"[a-z_][a-z0-9_]{0,40}(?:\.([\w.-]*))?(?:>|&(?:gt?)?;?)?\Z")
_NAMESPACE = re.compile(rf"(?!tool_(?:call|arg):)[a-zA-Z][\w-]{{0,20}}:(?!{_SUFFIX})")
_MAY_BE_NAMESPACE = re.compile(r"[a-zA-Z][\w-]{0,20}\Z")
_INFO = re.compile(r"[\w ]+")
# DeepSeek, LongCat, dots, GigaChat, K2, IQuest.
_PREFIXES = ("dsml", "longcat", "dots", "gcml", "ifm", "iquest")
_PAIR = {"toolargstart": "argkey", "toolargvalue": "argvalue", "toolargend": "argvalue"}  # Solar
_SPACED_PREFIX = re.compile("\\A(?i:dsml)[|\uff5c][ \t]+")  # sample deepseek-blank-after-bar
_TOKEN_MARKS = frozenset("|\uff5c\u25c1")
_TOKEN_WORDS = frozenset({"startfunctioncall"})  # FunctionGemma
_VALUES = ("name", "tool", "key")  # of attributes: Anthropic, Kimi K3


@dataclass(frozen=True, slots=True)
class Tag:
    """A tag: as written, its word, and its attributes."""

    raw: str
    word: str
    written: str
    closing: bool
    value: str | None  # the name in `<function=f>` or `<invoke name="f">`
    attributes: tuple[tuple[str, str], ...]  # whatever else it says of itself
    empty: bool  # whether it closes itself: `<get_time/>`
    escaped: bool  # whether it was written with entities

    @property
    def label(self) -> str:
        """The word in snake case."""
        return re.sub(r"\W+", "_", self.written).strip("_").lower()

    @property
    def is_mark(self) -> bool:
        """Whether it marks a section of Kimi K3's, or its end."""
        return self.raw.startswith(("<|open|>", "<|close|>")) and self.word in SECTION

    @property
    def is_token(self) -> bool:
        """Whether it looks like a special token of a model."""
        return not _TOKEN_MARKS.isdisjoint(self.raw) or self.word in _TOKEN_WORDS


class TagSet:
    """A set of words to look for."""

    def __init__(self, words: Iterable[str], names: Iterable[str] = ()) -> None:
        self._names = frozenset(names)
        self._name_beginnings = beginnings(self._names)
        self.words = frozenset(words) | self._names
        self._beginnings = beginnings(self.words.union(_PAIR))

    def peek(self, window: Window) -> Waiting[Tag | None]:
        """The next tag, not consumed, if it is in the set."""
        while True:
            ahead, certain = window.ahead(_LIMIT)
            if tag := parse_tag(ahead):
                return self.known(tag)
            if certain or not self.may_become(ahead):
                return None
            yield

    def known(self, tag: Tag) -> Tag | None:
        """The tag with a word of the set, if it has one; an unknown namespace is removed."""
        if tag.word in self.words:
            return tag
        if not self._names:
            return None
        # Sample unknown-namespace-in-tag. In pieces it is waited for by the same form.
        spaced = _SPACED.match(_inner(tag.raw.removeprefix(MINIMAX)))
        word = word_of(spaced[1] or "") if spaced else ""
        return replace(tag, word=word) if word in self._names else None

    def may_become(self, text: str) -> bool:
        """Whether a text that is no tag yet may be the beginning of one in the set."""
        text = text.removeprefix(MINIMAX)
        if text in BEGUN_MARKS:
            return True
        if "function" in self.words and _UNCLOSED.match(text, partial=True):
            return True
        start = _START.match(text)
        if start is None or not _END[start.group()].match(text, start.end(), partial=True):
            return False
        inner = _LOST_BLANK.sub(r"\1 ", _inner(text).replace("(", "=", 1))
        if "=" in inner:
            return word_of(_word_and_key(inner)[0]) in self.words
        spaced = _SPACED.match(inner) if self._names else None
        is_spaced = spaced is not None and word_of(spaced[1] or "") in self._name_beginnings
        return is_spaced or self._may_be_word(inner)

    def _may_be_word(self, inner: str) -> bool:
        inner = inner.partition("<")[0]
        first = "".join(inner.split(None, 1)[:1])
        word = word_of(inner.rstrip("/&gt;>" + _DECORATION) + "_")  # its end is no suffix yet
        return (
            word in self._beginnings
            or not self.words.isdisjoint(map(word_of, (first, inner.partition(":")[0])))
            or any(prefix.startswith(word) for prefix in _PREFIXES)
            or bool(_MAY_BE_NAMESPACE.match(inner))
        )


def first_after(window: Window, tag: Tag) -> Waiting[str]:
    """The first character after the next tag and white space; empty if that is too far away."""
    return window.ask(
        _LONGEST_LOOK,
        lambda ahead, final: ahead[len(tag.raw) :].lstrip()[:1] or ("" if final else None),
    )


def _inner(text: str) -> str:
    start = _START.match(text)
    inner = text[start.end() :].lstrip("/" + _DECORATION) if start else text
    return _SPACED_PREFIX.sub("", inner)


_LONGEST_WORD = 256  # characters; no tool's name that can be called is longer


@lru_cache(maxsize=64)
def beginnings(words: frozenset[str]) -> frozenset[str]:
    """Every beginning of every word."""
    sized = ((word, min(len(word), _LONGEST_WORD)) for word in words)
    return frozenset(word[:size] for word, most in sized for size in range(most + 1))


BEGUN_MARKS = beginnings(frozenset({*_END, MINIMAX}))  # what there may be of a tag before its word


def word_of(text: str) -> str:
    """A tag's word without case, separators, decoration and namespace."""
    if namespace := _NAMESPACE.match(text):
        text = text[namespace.end() :].partition(":")[0]  # PLaMo repeats it at the end
    word = _NOISE.sub("", text).lower()
    for prefix in _PREFIXES:
        word = word.removeprefix(prefix)
    return _PAIR.get(word, word)


def parse_tag(text: str) -> Tag | None:
    """The tag at the start of a text, if it is complete."""
    token = MINIMAX if text.startswith(MINIMAX) else ""
    text = text.removeprefix(token)
    if found := _UNCLOSED.match(text):
        word, name = found.groups()
        return Tag(token + found.group(), word, word, False, name, (), False, False)
    start = _START.match(text)
    end = _END[start.group()].match(text, start.end()) if start else None
    if start is None or end is None:
        return None
    return _read(token, text[: end.end()], start.group(), end.group(1))


@lru_cache(maxsize=256)
def _read(token: str, raw: str, opening: str, ending: str) -> Tag:
    inner = raw[len(opening) : len(raw) - len(ending)] + ("call" if opening == "<<" else "")
    escaped = opening == "&lt;"
    inner = unescape(inner) if escaped else inner
    # Gemma 4 puts the bar where the tag's inside is: `<|tool_call>` opens, `<tool_call|>` closes.
    barred = inner.endswith("|") and not inner.startswith("|")
    inner = inner.strip(_DECORATION)
    closing, empty = inner.startswith("/"), inner.endswith("/")
    inner = _SPACED_PREFIX.sub("", inner.strip("/" + _DECORATION))
    inner = _LOST_BLANK.sub(r"\1 ", inner)
    inner = _PARENTHESIS.sub(r"\1=\2", inner)
    written, key = _word_and_key(inner)
    attributes = tuple((name, "".join(values)) for name, *values in _ATTRIBUTE.findall(inner))
    given = dict(attributes)
    named = next((given[name] for name in _VALUES if name in given), None)
    value = named if key else inner.partition("=")[2].strip(" \"'")
    value = unescape(value) if value else None  # sample kimi-k-three-entities
    closing = closing or barred or opening == "<|close|>" or written == "tool_arg:end"
    empty, word = empty and not closing, word_of(written)
    return Tag(token + raw, word, written, closing, value, attributes, empty, escaped)


def _word_and_key(inner: str) -> tuple[str, str]:
    """The word, and the first attribute if there is one: `<function=f>` has none."""
    left, equals, _ = inner.partition("=")
    words = left.split()
    return (words[0], words[-1]) if equals and len(words) > 1 else (left.strip(), "")


def skip_fence(window: Window) -> Waiting[bool]:
    """Consume a run of fence marks and the words after it; whether it was a fence."""
    is_fence = len((yield from window.run(FENCE_MARKS))) > 2
    if is_fence:
        yield from window.run(_INFO)
    return is_fence
