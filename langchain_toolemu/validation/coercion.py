"""A value said in another way: `"5"` for `5`, and nothing that would lose or guess anything.

Every function here turns a value into one type, or into `NOTHING` if that takes more than another
spelling of the same value. None of them raises, and none looks at more than the value itself.
"""

import json
import math
import re
from collections.abc import Callable
from decimal import Decimal
from enum import Enum
from typing import Any, Final, Literal

from langchain_toolemu.validation.kinds import (
    Kind,
    Spelled,
    admits,
    identity,
    is_number,
    kind_of,
    spelled,
)
from langchain_toolemu.validation.schema import Members


class _Nothing(Enum):
    NOTHING = 0


NOTHING: Final = _Nothing.NOTHING
Nothing = Literal[_Nothing.NOTHING]

# `\d` would take Arabic and Devanagari digits too.
_INTEGER = re.compile(r"[+-]?[0-9]+")
_DECIMAL = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,9})?")
_LONGEST_NUMBER = 1_000  # Python refuses to read integers of more than 4,300 digits
_EXACT = 2**53  # from here on a float may stand for its neighbour
_BOOLEANS = {
    "true": True,
    "True": True,
    "TRUE": True,
    "false": False,
    "False": False,
    "FALSE": False,
}


def convert(value: Any, type_: Kind | None) -> Any:
    """The value as this type has it, or `NOTHING`; what a container contains is left as it is."""
    return value if type_ is None or admits(type_, kind_of(value)) else _TO[type_](value)


def respell(value: Any, members: Members | None) -> Any:
    """The one member that is the value but for case and spaces."""
    if members is None or identity(value) in members:
        return value
    if not isinstance(value, str):
        return NOTHING
    folded = _fold(value)
    found = [one for one in members.values() if isinstance(one, str) and _fold(one) == folded]
    return found[0] if len(found) == 1 else NOTHING


def _fold(text: str) -> str:
    return " ".join(text.split()).casefold()


def to_integer(value: Any) -> int | Nothing:
    """`3.0`, `"5"`, `"5.0"` and `"1e3"`; what is larger than a float tells apart only in digits."""
    if isinstance(value, float):
        return int(value) if value.is_integer() and abs(value) < _EXACT else NOTHING
    text = _number_text(value)
    if _INTEGER.fullmatch(text):
        return int(text)
    if not _DECIMAL.fullmatch(text):
        return NOTHING
    exact = Decimal(text)
    # Size first: the integer of 1e999999999 would fill the memory.
    return (
        int(exact) if exact.copy_abs() < _EXACT and exact == exact.to_integral_value() else NOTHING
    )


def to_number(value: Any) -> float | Nothing:
    """`"3.5"` and whatever is an integer, but no text that overflows or vanishes as a float."""
    text = _number_text(value)
    if _INTEGER.fullmatch(text):
        return int(text)
    if not _DECIMAL.fullmatch(text):
        return NOTHING
    number = float(text)
    vanished = number == 0 and Decimal(text) != 0
    return number if math.isfinite(number) and not vanished else NOTHING


def _number_text(value: Any) -> str:
    return value.strip() if isinstance(value, str) and len(value) <= _LONGEST_NUMBER else ""


def to_boolean(value: Any) -> bool | Nothing:
    """`"true"` and `"false"`, as JSON, Python and R write them; never `1` or `"yes"`."""
    return _BOOLEANS.get(value.strip(), NOTHING) if isinstance(value, str) else NOTHING


def to_string(value: Any) -> str | Nothing:
    """A number as it was written, if that is known; else a number or a boolean as JSON writes it."""
    if isinstance(value, Spelled):
        return value.spelling
    kind = kind_of(value)
    if kind != "boolean" and not is_number(kind):
        return NOTHING
    try:
        return json.dumps(value)
    except ValueError:  # more digits than Python writes
        return NOTHING


def to_null(value: Any) -> Nothing | None:
    """`"null"` and `"None"`."""
    return None if isinstance(value, str) and value.strip() in ("null", "None") else NOTHING


def to_object(value: Any) -> dict[str, Any] | Nothing:
    """A JSON text of an object."""
    found = _from_json(value, "{")
    return found if isinstance(found, dict) else NOTHING


def to_array(value: Any) -> list[Any] | Nothing:
    """A JSON text of an array."""
    found = _from_json(value, "[")
    return found if isinstance(found, list) else NOTHING


def _from_json(value: Any, opening: str) -> Any:
    if not isinstance(value, str) or not value.lstrip().startswith(opening):
        return NOTHING
    try:
        return json.loads(
            value, parse_float=_finite, parse_constant=_finite, object_pairs_hook=_without_twins
        )
    except (ValueError, RecursionError):
        return NOTHING


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text} is no number in JSON")
    return spelled(number, text)


def _without_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name comes twice, so one of its values would be lost")
    return found


_TO: dict[Kind, Callable[[Any], Any]] = {
    "integer": to_integer,
    "number": to_number,
    "boolean": to_boolean,
    "string": to_string,
    "null": to_null,
    "object": to_object,
    "array": to_array,
}
