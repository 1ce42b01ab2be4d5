"""Made-up arguments for example calls: each fits its schema, and none can be mistaken for the user's.

Values are taken from the schema where it offers some. All others are words that no language has and numbers that
no one means, so one that comes back in a call was copied.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import cycle
from typing import Any

from langchain_toolemu.tools import ToolSpec
from langchain_toolemu.validation import fit
from langchain_toolemu.validation.schema import CompiledSchema, Shape

PLACEHOLDERS = ("Zorbel", "Quimfa", "Drunvik", "Fleppo", "Marrowin", "Tibbock", "Vasquil", "Krendo", "Pluvane", "Snarlet")  # fmt: skip
NUMBERS = (4173, 6281, 9357, 7483, 5914, 8526, 3871, 6342, 9165, 2613)

_SHOWN_NUMBERS = frozenset(map(str, NUMBERS))
_DIGITS = re.compile(r"\d+")
_MAX_DEPTH = 4
# For patterns that no placeholder matches: codes, dates, times, addresses.
_SPELLINGS = (
    "A1", "AB", "ab", "A", "1", "12", "123", "1234", "12345", "AB12", "AB-12", "AB-1234", "2024-01-31", "12:30", "12:30:00",
    "2024-01-31T12:30:00Z", "a@example.com", "https://example.com", "+15550123", "555-0123", "#a1b2c3", "1.0", "1.0.0",
    "127.0.0.1", "a-b", "a_b", "a.b", "/a", "00000000-0000-0000-0000-000000000000",
)  # fmt: skip


class Values:
    """Values for arguments, one after the other: a value seen twice is one worth copying."""

    def __init__(self) -> None:
        self._words = cycle(PLACEHOLDERS)
        self._numbers = cycle(NUMBERS)

    def arguments(self, tool: ToolSpec) -> dict[str, Any]:
        """The required arguments of a tool, or its first one if none is."""
        schemas = tool.schema
        wanted = tool.required or tuple(tool.properties)[:1]
        return {name: self._value(schemas, tool.properties.get(name), 0) for name in wanted}

    def value(self, schema: Any) -> Any:
        """One value under a schema that refers to nothing outside itself."""
        return self._value(CompiledSchema(schema), schema, 0)

    def _value(self, schemas: CompiledSchema, schema: Any, depth: int) -> Any:
        """A value that the schema offers, an example or a default, if it fits; else one by its type."""
        for offered in (_first(schemas.stated(schema, "examples")), _enumerated(schemas, schema)):
            if offered is not None and _fits(offered, schemas, schema):
                return offered
        default = schemas.stated(schema, "default")
        if default is not None and _fits(default, schemas, schema):
            return default
        shapes = schemas.shapes(schema)
        shape = next((one for one in shapes if one.type != "null"), None)
        if shape is None:
            return None if shapes else next(self._words)
        return self._of_shape(schemas, shape, depth)

    def _of_shape(self, schemas: CompiledSchema, shape: Shape, depth: int) -> Any:
        match shape.type:
            case "integer":
                return _within(next(self._numbers), shape)
            case "number":
                return _within(next(self._numbers) + 0.5, shape)
            case "boolean":
                return True
            case "array":
                return self._array(schemas, shape, depth)
            case "object":
                return self._object(schemas, shape, depth)
        return _spelled(next(self._words), shape)

    def _array(self, schemas: CompiledSchema, shape: Shape, depth: int) -> list[Any]:
        if depth > _MAX_DEPTH:
            return []
        least, most = _bounds(shape, "minItems", "maxItems")
        size = max(len(shape.prefix), 0 if shape.items is False else 2)
        size = max(int(least or 0), min(size, int(most) if most is not None else size))
        return [self._value(schemas, shape.of_index(index), depth + 1) for index in range(size)]

    def _object(self, schemas: CompiledSchema, shape: Shape, depth: int) -> dict[str, Any]:
        if depth > _MAX_DEPTH:
            return {}
        return {
            name: self._value(schemas, shape.of_name(name), depth + 1) for name in shape.required
        }


def fits(tool: ToolSpec, args: Mapping[str, Any]) -> bool:
    """Whether an example call is one that would be accepted."""
    fitted = fit(args, tool.schema)
    return not fitted.errors and not fitted.notes


def _fits(value: Any, schemas: CompiledSchema, schema: Any) -> bool:
    root = schemas.root if isinstance(schemas.root, Mapping) else {}
    known = {key: root[key] for key in ("$defs", "definitions") if key in root}
    return fits(ToolSpec("", "", {**known, "properties": {"x": schema}}), {"x": value})


def _first(offered: Any) -> Any:
    return offered[0] if isinstance(offered, list) and offered else None


def _enumerated(schemas: CompiledSchema, schema: Any) -> Any:
    members = (shape.members for shape in schemas.shapes(schema) if shape.members)
    return next((value for group in members for value in group.values()), None)


def _bounds(shape: Shape, low: str, high: str) -> tuple[float | None, float | None]:
    bounds = {limit.keyword: limit.bound for limit in shape.limits}
    return bounds.get(low), bounds.get(high)


def _within(number: float, shape: Shape) -> float:
    """A number that a schema's limits admit: an example must not teach what would be refused."""
    low, high = _bounds(shape, "minimum", "maximum")
    above, below = _bounds(shape, "exclusiveMinimum", "exclusiveMaximum")
    low, high = above if low is None else low, below if high is None else high
    return _stepped(_between(number, low, high), shape)


def _between(number: float, low: float | None, high: float | None) -> float:
    if low is not None and high is not None and not low < number < high:
        middle = (low + high) / 2
        return int(middle) if isinstance(number, int) else middle
    if low is not None and number <= low:
        return low + 1
    return high - 1 if high is not None and number >= high else number


def _stepped(number: float, shape: Shape) -> float:
    step = next((limit.bound for limit in shape.limits if limit.keyword == "multipleOf"), None)
    return number // step * step if step and step > 0 else number


def _spelled(word: str, shape: Shape) -> str:
    """A word of an allowed length that matches the pattern, if one is known that does."""
    least, most = _bounds(shape, "minLength", "maxLength")
    long_enough = word * (1 + int(least or 0) // len(word)) if len(word) < (least or 0) else word
    sized = long_enough[: int(most)] if most is not None else long_enough
    return next((one for one in (sized, *_SPELLINGS) if _is_allowed(one, shape)), sized)


def _is_allowed(word: str, shape: Shape) -> bool:
    return not any(limit.miss(word, "string") for limit in shape.limits)


# --- values that come back ---


def copied_values(args: Mapping[str, Any], said: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The arguments that hold a value of the examples which nobody said, each with that value."""
    return (
        (name, shown)
        for name, value in args.items()
        for shown in _shown_in(spoken(value))
        if not any(shown in text for text in said)
    )


def spoken(value: Any) -> str:
    """A value as a user would say it."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def _shown_in(written: str) -> Iterator[str]:
    """The examples' values in what an argument holds."""
    yield from (word for word in PLACEHOLDERS if word in written)
    yield from (number for number in _DIGITS.findall(written) if number in _SHOWN_NUMBERS)
