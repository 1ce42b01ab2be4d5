"""The grammar of values: open containers, tokens without quotes, and which quote ends a string.

A token is a literal, a number that keeps its spelling, or a bare word. A bare word is never a
string: it may be a variable. A quote ends its string only if the text after it can follow one;
`None` means that more text is needed.
"""

import re
from collections.abc import Container, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Literal, TypeAlias

import regex

from langchain_toolemu.reader.vocabulary import ENVELOPE_END, QUOTES
from langchain_toolemu.reader.window import REST_OF_LINE, SPACE, Waiting, Window
from langchain_toolemu.validation.json_values import with_spelling

ContainerKind: TypeAlias = Literal["object", "array", "tuple", "call"]

_CLOSERS: dict[ContainerKind, str] = {"object": "}", "array": "]", "tuple": ")", "call": ")"}

GIVEN_TWICE = "{!r} is given twice"  # a name with two values, of which one would be lost


@dataclass(slots=True, eq=False)
class Frame:
    """One open container: its items so far, and the key that waits for its value."""

    kind: ContainerKind
    closer: str = field(init=False)
    keyed: bool = field(init=False)  # whether its members have names
    items: Any = field(init=False)
    key: str | None = None
    positional: list[Any] = field(default_factory=list)  # a call's arguments without names
    extra: int = 0  # how many closers more than one it takes: an object that opened as `{{` has one
    bare_keys: bool = False  # whether a key without quotes was seen in it
    repeated: str = ""  # the key that was given twice

    def __post_init__(self) -> None:
        self.closer = _CLOSERS[self.kind]
        self.keyed = self.kind in ("object", "call")
        self.items = {} if self.keyed else []

    @property
    def keys(self) -> set[str]:
        """The names of its members, with the one that waits for its value."""
        return {*self.items, *([self.key] if self.key else [])} if self.keyed else set()

    def add(self, value: Any) -> None:
        """Add a value: under the waiting key, or at the end."""
        if not self.keyed:
            self.items.append(value)
        elif self.key is None:
            self.positional.append(value)
        else:
            if self.key in self.items:
                self.repeated = self.key
            self.items[self.key] = value


_LITERALS: dict[str, Any] = {
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
    **dict.fromkeys(("null", "None", "NULL", "undefined")),
    **{word: float(word) for word in ("NaN", "Infinity", "-Infinity", "+Infinity")},
}
_INTEGER = re.compile(r"[+-]?[0-9](?:_?[0-9])*\Z")  # sample leading-zero
_FLOAT = re.compile(r"[+-]?(?:(?:0|[1-9](?:_?[0-9])*)(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?\Z")
_RADIX = re.compile(r"[+-]?0(?:[xX][0-9a-fA-F]+|[oO][0-7]+|[bB][01]+)\Z")


class BareWord(str):
    """A token without quotes that is neither a literal nor a number."""

    __slots__ = ()


def read_scalar(token: str) -> Any:
    """The value of a token, or a `BareWord`."""
    if token in _LITERALS:
        return _LITERALS[token]
    try:
        if _INTEGER.match(token):
            return with_spelling(int(token, 10), token)
        if _FLOAT.match(token):
            return with_spelling(float(token), token)
        if _RADIX.match(token):
            return with_spelling(int(token, 0), token)
    except ValueError:  # more digits than Python converts
        pass
    return BareWord(token)


LOOKAHEAD = 256
COMMENT = regex.compile(r"//|/\*|#")
SPACES = re.compile(r"(?:\s|\\[nrt])+")  # sample escaped-line-breaks

_NEXT_QUOTES = "\"'\u201c\u2018&"
# Compiled when first needed: valid JSON needs none. No alternative matches what another does, so
# none goes back over a text.
_QUOTED = (
    r"\"[^\"\\]*(?:\\.[^\"\\]*)*\"|'[^'\\]*(?:\\.[^'\\]*)*'"
    "|[“”„][^“”„\"]*[“”\"]|[\u2018\u2019][^\u2018\u2019']*[\u2018\u2019']|&quot;[^&]*&quot;"
)
_KEY = rf"({_QUOTED})\s*[:\uff1a]"
_BARE_KEY = r"([A-Za-z_$][\w$.\\-]*)\s*(?::|=(?!=))"
_VALUE = r"[\"'“”„\u2018\u2019`{\[(\d+.-]|&quot;|(?:true|false|null|NaN|Infinity|True|False|None)\b"
_EXPRESSION = r"\s*(?:[-+*/%.=<>!|&^\[(;\"']|(?:if|for|in|is|and|or|not|else)\b)|[ \t]*\n"
# What computes a value from the string before it: `"a" + b`, `"a".format(b)`, and a second string.
_COMPUTED = r"[ \t]+(?:[+*%&.]|\|\||\.\.)\s|\s*\+\s*[\"']|\.[A-Za-z_]\w*\("
_SWALLOWED = re.compile(r"(?:([\w.-]{1,64})\W?\s*[:=]|,)\s*[\"'“]")
_LATER_END = r"[\"'”\u2019]\s*[}\])]"  # another place where a string could end


@dataclass(slots=True, eq=False)
class StringBody:
    """A string body as far as it was read."""

    quote: str
    is_name: bool = False  # whether it is the name of a tool, which never holds a quote
    parts: list[str] = field(default_factory=list)
    inner: int = 0  # quotes of its own kind that are content: they come in pairs
    doubtful: bool = False  # whether it could as well be read otherwise
    _counted: int = 0
    _nesting: int = 0

    @property
    def nesting(self) -> int:
        """How many more brackets it opened than it closed. Each part is counted once."""
        for part in self.parts[self._counted :]:
            self._nesting += part.count("{") + part.count("[") - part.count("}") - part.count("]")
        self._counted = len(self.parts)
        return self._nesting

    def keep(self, quote: str, following: str) -> None:
        """Append a quote that is content. An apostrophe in or after a word has no partner."""
        before = self.parts[-1][-1:] if self.parts else ""
        in_word = before.isalnum() and following.isalnum()
        if not (quote in "'\u2018\u2019" and (in_word or before + following == "s ")):
            self.inner += 1
        self.parts.append(quote)

    @property
    def unpaired(self) -> bool:
        """Whether the number of quotes inside is odd."""
        return self.inner % 2 == 1

    @property
    def doubled(self) -> slice:
        """The parts without a quote that is written twice, at one end and alone.

        After a digit it stands for inches.
        """
        if not self.unpaired or self.inner > 1:
            return slice(None)
        ends = [part in QUOTES[self.quote] for part in (self.parts[0], self.parts[-1])]
        inches = ends[1] and self.parts[-2:-1] and self.parts[-2][-1:].isdigit()
        return slice(ends[0], -1 if ends[1] and not (ends[0] or inches) else None)

    def swallowed(self, keys: Container[str], *, listed: bool) -> bool:
        """Whether it may hold the next member, since a quote is missing. Sample missing-quote."""
        found = _SWALLOWED.findall("".join(self.parts)) if self.unpaired else ()
        return any(key in keys if key else listed for key in found)

    @property
    def plain(self) -> bool:
        """Whether no quote inside had to be judged so far."""
        return not (self.inner or self.doubtful)


@dataclass(slots=True, eq=False)
class Ending:
    """Whether one quote ends its string. After a first inner quote, stricter rules apply."""

    body: StringBody
    frames: Sequence[Frame]
    keys: Container[str]
    after: str
    final: bool

    def decide(self) -> bool | None:
        """Whether the quote closes its string; `None` if more text is needed to tell."""
        if self.body.is_name:
            return True
        pos = self._skip(0)
        if pos == len(self.after) or self.after[pos:] == "\\":
            return self.final or None
        if not self.frames:
            return not self.body.unpaired
        comment = self.after[pos] in "/#" and self._is_at(COMMENT, pos)
        if comment is not False:
            return None if comment is None else not self.body.inner
        return self._decide_later(pos) if self.body.inner else self._decide_first(pos)

    # With no quote inside so far

    def _decide_first(self, pos: int) -> bool | None:
        char = self.after[pos]
        if char in ",:\uff0c":  # sample full-width-marks
            return char != "\uff0c" or self._is_at(rf"\uff0c\s*{_KEY}", pos)
        if char in "}])":
            return any(frame.closer == char for frame in self.frames)
        if self.frames[0].kind == "call" and (expression := self._is_at(_EXPRESSION)) is not False:
            return expression
        if (computed := self._is_at(_COMPUTED)) is not False:
            self.body.doubtful |= bool(computed)  # sample computed-string
            return None if computed is None else False
        if "&lt;".startswith(self.after[pos : pos + 4]):
            return self._marker_at(pos)
        if char in _NEXT_QUOTES:
            return self._comma_is_missing(pos)
        if self.frames[-1].keyed and "\n" in self.after[:pos]:
            return True  # sample missing-closers-then-a-call
        return self._marker_at(pos)

    def _comma_is_missing(self, pos: int) -> bool | None:
        if not self.frames[-1].keyed:
            fresh = "\n" in self.after[:pos]  # sample missing-comma-in-list
            self.body.doubtful |= not fresh
            return fresh
        key = self._is_at(_KEY, pos)
        if key is False:
            self.body.doubtful |= pos > 0  # sample strings-side-by-side
        return key

    # With quotes inside

    def _decide_later(self, pos: int) -> bool | None:
        char, level = self.after[pos], len(self.frames) - 1
        if char == ",":
            return self._after_comma(pos + 1, level)
        if char in "}])":
            return self._after_closer(pos, level)
        if "&lt;".startswith(self.after[pos : pos + 4]):
            return self._marker_at(pos)
        if self.frames[level].keyed and (char in _NEXT_QUOTES or "\n" in self.after[:pos]):
            return self._key_at(pos, level, or_value=False)
        return self._marker_at(pos)

    def _after_comma(self, pos: int, level: int, *, closed: bool = False) -> bool | None:
        pos = self._skip(pos)
        if pos == len(self.after):
            return self.final or None
        if self.after[pos] in "}])":
            return self._after_closer(pos, level)
        if self.frames[level].keyed:
            return self._key_at(pos, level)
        if closed and self.after[pos] == "{" and self.body.nesting <= 0:
            return True  # the next object of a list
        return self._value_at(pos)

    def _key_at(self, pos: int, level: int, *, or_value: bool = True) -> bool | None:
        frame = self.frames[level]
        quoted, bare = self._is_at(_KEY, pos), self._is_at(_BARE_KEY, pos)
        if quoted or bare:
            found = _compiled(_KEY if quoted else _BARE_KEY).match(self.after, pos)
            key = found[1] if found else ""
            if quoted:
                key = key[6:-6] if key.startswith("&quot;") else key[1:-1]
            plain = quoted or frame.bare_keys or frame.kind == "call"
            known = key.replace("\\", "") in self.keys
            return known and self.body.nesting <= 0 if self.body.unpaired else plain or known
        if any(_compiled(k).match(self.after, pos, partial=True) for k in (_KEY, _BARE_KEY)):
            return False if self.final else None  # one that is not whole
        return self._value_at(pos) if or_value and frame.kind == "call" else False

    def _value_at(self, pos: int) -> bool | None:
        value = self._is_at(_VALUE, pos)
        if not value or not self.body.unpaired:
            return value
        if not self.final:
            return None
        others = any(quote in self.after[pos:] for quote in QUOTES[self.body.quote])
        if len(self.after) < LOOKAHEAD and not others:  # sample the-last-quote
            return True
        self.body.doubtful = True  # two readings of `["a "b", "c"]`, and nothing to choose by
        return False

    def _after_closer(self, pos: int, level: int) -> bool | None:
        extra = self.frames[level].extra
        while level >= 0 and pos < len(self.after) and self.after[pos] in "}])":
            if self.after[pos] != self.frames[level].closer:
                return False
            level -= not extra
            extra = extra - 1 if extra else self.frames[level].extra
            pos = self._skip(pos + 1)
        if pos == len(self.after):
            return self.final or None
        if level < 0:
            return self._after_value(pos)
        if self.after[pos] == ",":
            return self._after_comma(pos + 1, level, closed=True)
        return self._marker_at(pos)

    def _after_value(self, pos: int) -> bool | None:
        if self.after.startswith((self.body.quote, *QUOTES[self.body.quote]), pos):
            return False
        if not self.body.unpaired:
            return True
        if self.body.nesting > 0:
            return False
        if "\n" in self.after[:pos] or self.after[pos] in "<`[{];,":
            return True
        return not _compiled(_LATER_END).search(self.after, pos) if self.final else None

    # With or without

    def _skip(self, pos: int) -> int:
        twice = self.body.quote == '\\"'
        found = (SPACES if twice else SPACE).match(self.after, pos)
        end = found.end() if found else pos
        # Half an escaped line break: what follows is not known yet.
        return end + (twice and not self.final and self.after[end:] == "\\")

    def _is_at(self, pattern: str | regex.Pattern[str], pos: int = 0) -> bool | None:
        return _is_at(pattern, self.after, pos, final=self.final)

    def _marker_at(self, pos: int) -> bool | None:
        return self._is_at(ENVELOPE_END, pos) and not self.body.unpaired


def member_follows(text: str, *, final: bool) -> bool | None:
    """Whether a key and a colon come next; `None` if more text is needed to tell."""
    after = text.lstrip()
    if not after:
        return False if final else None
    answers = [_is_at(pattern, after, 0, final=final) for pattern in (_KEY, _BARE_KEY)]
    return True if True in answers else None if None in answers else False


@cache
def _compiled(pattern: str) -> regex.Pattern[str]:
    return regex.compile(pattern, regex.DOTALL)


def _is_at(pattern: str | regex.Pattern[str], text: str, pos: int, *, final: bool) -> bool | None:
    """Whether a pattern matches here; `None` if it may, with more text."""
    compiled = _compiled(pattern) if isinstance(pattern, str) else pattern
    found = compiled.match(text, pos, partial=not final)
    if found is None:
        return False
    return None if not final and found.end() == len(text) else True


def skip_comment(window: Window) -> Waiting[bool]:
    """Consume a comment: `// ...`, `# ...` or `/* ... */`; `False` if none starts here.

    Sample comments.
    """
    if window.text.startswith("#", window.pos):
        yield from window.run(REST_OF_LINE)
        return True
    opening = yield from window.skip(COMMENT)
    if opening == "/*":
        yield from window.pass_to("*/")
    elif opening:
        yield from window.run(REST_OF_LINE)
    return bool(opening)
