"""Values for the arguments of example calls, and which of them come back in a model's own calls.

They cannot be mistaken for the user's, so one that comes back was copied. They have the form that an argument's description asks
for: examples that repeat the user's words teach to ignore it, which cost a 1.5B model nine of 80 live questions of BFCL.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import cycle
from typing import Any

from langchain_toolemu.contract.described_forms import MADE_UP_NAMES, YEAR, described_form
from langchain_toolemu.contract.dialects import json_text
from langchain_toolemu.tools import ToolSpec
from langchain_toolemu.validation import fit
from langchain_toolemu.validation.schema import CompiledSchema, Shape

PLACEHOLDERS = ("Zorbel", "Quimfa", "Drunvik", "Fleppo", "Marrowin", "Tibbock", "Vasquil", "Krendo", "Pluvane", "Snarlet")  # fmt: skip
NUMBERS = (4173, 6281, 9357, 7483, 5914, 8526, 3871, 6342, 9165, YEAR)
"""What examples are filled with: words and numbers that nobody says."""

_SHOWN = re.compile(
    rf"(?<![^\W_])(?:{'|'.join(map(re.escape, (*PLACEHOLDERS, *MADE_UP_NAMES)))})(?![^\W_])"
)
_SHOWN_NUMBERS = frozenset(map(str, NUMBERS))
_DIGITS = re.compile(r"\d+")
_MAX_DEPTH = 4
_MOST_VALUES = 256  # of one tool: definitions may refer to each other
# For patterns that no placeholder matches: codes, dates, times, addresses.
_SPELLINGS = (
    "A1", "AB", "ab", "A", "1", "12", "123", "1234", "12345", "AB12", "AB-12", "AB-1234", "2024-01-31", "12:30", "12:30:00",
    "2024-01-31T12:30:00Z", "a@example.com", "https://example.com", "+15550123", "555-0123", "#a1b2c3", "1.0", "1.0.0",
    "127.0.0.1", "a-b", "a_b", "a.b", "/a", "00000000-0000-0000-0000-000000000000",
)  # fmt: skip


class Values:
    """Values for arguments, one after the other: a value seen twice is one worth copying."""

    def __init__(self) -> None:
        self._left = iter(range(_MOST_VALUES))
        self._words = cycle(PLACEHOLDERS)
        self._numbers = cycle(NUMBERS)
        self._spoken: dict[
            str, str
        ] = {}  # how a user says a value that a description wants in a form of its own

    def arguments(self, tool: ToolSpec) -> dict[str, Any]:
        """The required arguments of a tool, or its first one if none is."""
        wanted = tool.required or tuple(tool.properties)[:1]
        self._left = iter(range(max(_MOST_VALUES, len(wanted))))
        return {name: self._value(tool.schema, tool.properties.get(name), 0) for name in wanted}

    def say(self, args: Mapping[str, Any]) -> str:
        """Arguments as a user would say them: not yet in the form that the tool wants."""
        spoken = ((name, as_spoken(value)) for name, value in args.items())
        return ", ".join(f"{name} {self._spoken.get(value, value)}" for name, value in spoken)

    def _value(self, schemas: CompiledSchema, schema: Any, depth: int) -> Any:
        """A value that the schema offers, an example or a default, if it fits; else one by its type."""
        if next(self._left, None) is None:
            return None
        shapes, examples = schemas.shapes(schema), schemas.annotation(schema, "examples")
        first = examples[0] if isinstance(examples, list) and examples else None
        members = (value for shape in shapes for value in (shape.members or {}).values())
        for offered in (first, next(members, None), schemas.annotation(schema, "default")):
            if offered is not None and _fits(offered, schemas, schema):
                return offered
        shape = next((candidate for candidate in shapes if candidate.type != "null"), None)
        if shape is None:
            return None if shapes else next(self._words)
        if shape.type == "string":
            return self._text(str(schemas.annotation(schema, "description") or ""), shape)
        return self._of_shape(schemas, shape, depth)

    def _text(self, description: str, shape: Shape) -> str:
        """A word, in the form that a description asks for if the schema admits that."""
        word = next(self._words)
        form = described_form(description, word)
        if form is None or not _is_admitted(form.written, shape):
            return _spell(word, shape)
        self._spoken[form.written] = form.spoken
        return form.written

    def _of_shape(self, schemas: CompiledSchema, shape: Shape, depth: int) -> Any:
        match shape.type:
            case "integer":
                return _within(next(self._numbers), shape)
            case "number":
                return _within(next(self._numbers) + 0.5, shape)
            case "boolean":
                return True
            case "array":
                return [] if depth > _MAX_DEPTH else self._array(schemas, shape, depth)
            case "object":
                names = shape.required if depth <= _MAX_DEPTH else ()
                inner = {name: shape.of_name(name) for name in names}
                return {name: self._value(schemas, inner[name], depth + 1) for name in names}
        return _spell(next(self._words), shape)

    def _array(self, schemas: CompiledSchema, shape: Shape, depth: int) -> list[Any]:
        least, most = _bounds(shape, "minItems", "maxItems")
        size = max(len(shape.prefix), 0 if shape.items is False else 2)
        size = max(int(least or 0), min(size, int(most) if most is not None else size))
        return [self._value(schemas, shape.of_index(index), depth + 1) for index in range(size)]


def fits(tool: ToolSpec, args: Mapping[str, Any]) -> bool:
    """Whether an example call is one that would be accepted."""
    fitted = fit(args, tool.schema)
    return not fitted.errors and not fitted.notes


def _fits(value: Any, schemas: CompiledSchema, schema: Any) -> bool:
    root = schemas.root if isinstance(schemas.root, Mapping) else {}
    known = {key: root[key] for key in ("$defs", "definitions") if key in root}
    return fits(ToolSpec("", "", {**known, "properties": {"x": schema}}), {"x": value})


def _bounds(shape: Shape, low: str, high: str) -> tuple[float | None, float | None]:
    bounds = {limit.keyword: limit.bound for limit in shape.limits}
    return bounds.get(low), bounds.get(high)


def _within(number: float, shape: Shape) -> float:
    """A number that a schema's limits admit: an example must not teach what would be refused."""
    low, high = _bounds(shape, "minimum", "maximum")
    above, below = _bounds(shape, "exclusiveMinimum", "exclusiveMaximum")
    low, high = above if low is None else low, below if high is None else high
    inside = _between(number, low, high)
    step = next((limit.bound for limit in shape.limits if limit.keyword == "multipleOf"), None)
    return inside // step * step if step and step > 0 else inside


def _between(number: float, low: float | None, high: float | None) -> float:
    if low is not None and high is not None and not low < number < high:
        middle = (low + high) / 2
        return int(middle) if isinstance(number, int) else middle
    if low is not None and number <= low:
        return low + 1
    return high - 1 if high is not None and number >= high else number


def _spell(word: str, shape: Shape) -> str:
    """A word of an allowed length that matches the pattern, if one is known that does."""
    least, most = _bounds(shape, "minLength", "maxLength")
    long_enough = word * (1 + int(least or 0) // len(word)) if len(word) < (least or 0) else word
    sized = long_enough[: int(most)] if most is not None else long_enough
    return next((text for text in (sized, *_SPELLINGS) if _is_admitted(text, shape)), sized)


def _is_admitted(text: str, shape: Shape) -> bool:
    return not any(limit.miss(text, "string") for limit in shape.limits)


# --- values that come back ---


def copied_values(args: Mapping[str, Any], texts: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The arguments with a value of the examples that nobody mentioned, each with that value."""
    for name, value in args.items():
        written = as_spoken(value)
        shown = _SHOWN.findall(written)
        shown += [number for number in _DIGITS.findall(written) if number in _SHOWN_NUMBERS]
        yield from ((name, copied) for copied in shown if not any(copied in text for text in texts))


def as_spoken(value: Any) -> str:
    """A value as a user would say it."""
    return value if isinstance(value, str) else json_text(value)
