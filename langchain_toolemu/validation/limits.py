"""Limits of values: lengths, ranges, patterns. Each is one row of a table; a malformed limit is ignored."""

import math
import operator
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

from langchain_toolemu.validation import json_values

_Test: TypeAlias = Callable[[Any, Any], bool]

_LONGEST_MATCHED = 1_000
_EFFORT = 1e6  # steps that a pattern may take at worst

_OPAQUE = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\(\?", re.DOTALL)
_QUANTIFIER = re.compile(r"[*+?]|\{\d*,\d*\}")
_REPEATED_GROUP = re.compile(r"\)[*+{]")


@dataclass(frozen=True, slots=True)
class Pattern:
    """A schema's regular expression. Matched only against short texts: `^(a+)+$` hangs on thirty letters."""

    regex: re.Pattern[str]
    longest: int

    @classmethod
    def read(cls, source: Any) -> "Pattern | None":
        """The pattern, or `None` if Python cannot compile it: schemas use JavaScript's dialect."""
        try:
            return cls(re.compile(source), _longest_safe(source))
        except (TypeError, re.error, RecursionError, OverflowError, Warning):
            return None

    def matches(self, text: str) -> bool:
        """Whether the text matches, or is too long to tell."""
        return len(text) > self.longest or self.regex.search(text) is not None


def _longest_safe(source: str) -> int:
    """The longest text to match: backtracking takes n^k steps for k quantifiers, k^n for a repeated group."""
    plain = _OPAQUE.sub("x", source)
    quantifiers = len(_QUANTIFIER.findall(plain))
    loops = quantifiers + (not source.startswith("^"))
    longest = min(_LONGEST_MATCHED, round(math.pow(_EFFORT, 1 / max(1, loops))))
    choices = quantifiers + plain.count("|")
    if choices > 1 and _REPEATED_GROUP.search(plain):
        return min(longest, int(math.log(_EFFORT, choices)))
    return longest


@dataclass(frozen=True, slots=True)
class Limit:
    """One limit on values of one type, and its error message."""

    keyword: str  # JSON Schema's
    type: json_values.JsonType
    holds: _Test
    bound: Any  # how far a value may go
    words: str  # what is wrong with one that goes too far

    def miss(self, value: Any, found: json_values.JsonType | None) -> str | None:
        """The error message for a value; `None` if it is within the limit, or of another type."""
        held = not json_values.admits(self.type, found) or self.holds(value, self.bound)
        return None if held else self.words


def read_limits(schema: Mapping[str, Any]) -> Iterator[Limit]:
    """The limits that one schema states itself."""
    for word, (type_, holds, words) in _LIMITS.items():
        if word in schema and (bound := _bound(word, schema)) is not None:
            shown = bound.regex.pattern if isinstance(bound, Pattern) else bound
            yield Limit(word, type_, holds, bound, words.format(json_values.show(shown)))


def _bound(word: str, schema: Mapping[str, Any]) -> Any:
    value = schema[word]
    if word == "pattern":
        return Pattern.read(value)
    if word == "uniqueItems":
        return value or None
    if value is True and word in _FLAGGED:
        value = schema.get(_FLAGGED[word])
    return value if json_values.is_number(json_values.json_type(value)) else None


def _is_multiple(value: float, step: float) -> bool:
    return step <= 0 or _exactly(value) % _exactly(step) == 0


def _exactly(number: float) -> Fraction:
    """The number as a fraction of its decimal spelling: in binary, 0.3 is no multiple of 0.1."""
    return Fraction(number) if isinstance(number, int) else Fraction(repr(float(number)))


def _all_differ(items: Sequence[Any], _: Any) -> bool:
    return len({json_values.json_identity(item) for item in items}) == len(items)


def _at_least(value: Sequence[Any], count: float) -> bool:
    return len(value) >= count


def _at_most(value: Sequence[Any], count: float) -> bool:
    return len(value) <= count


_LIMITS: dict[str, tuple[json_values.JsonType, _Test, str]] = {
    "minLength": ("string", _at_least, "must have at least {} characters"),
    "maxLength": ("string", _at_most, "must have at most {} characters"),
    "pattern": ("string", lambda text, pattern: pattern.matches(text), "must match the pattern {}"),
    "minimum": ("number", operator.ge, "must be at least {}"),
    "maximum": ("number", operator.le, "must be at most {}"),
    "exclusiveMinimum": ("number", operator.gt, "must be greater than {}"),
    "exclusiveMaximum": ("number", operator.lt, "must be less than {}"),
    "multipleOf": ("number", _is_multiple, "must be a multiple of {}"),
    "minItems": ("array", _at_least, "must have at least {} items"),
    "maxItems": ("array", _at_most, "must have at most {} items"),
    "uniqueItems": ("array", _all_differ, "must not repeat an item"),
    "minProperties": ("object", _at_least, "must have at least {} entries"),
    "maxProperties": ("object", _at_most, "must have at most {} entries"),
}
# In draft 4 these were flags next to the bound they sharpen.
_FLAGGED = {"exclusiveMinimum": "minimum", "exclusiveMaximum": "maximum"}
