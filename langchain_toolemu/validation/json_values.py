"""JSON values: their types, how errors show them, and lossless conversions such as `"5"` to `5`.

Only this module knows where Python and JSON differ (`True == 1`, NaN, sets, numbers of 5,000 digits). A conversion that
would lose something gives `NOTHING`. A date is rewritten only if it can mean just one day.
"""

import json
import math
import re
from collections.abc import Callable, Hashable, Iterable, Mapping
from datetime import date
from decimal import Decimal
from enum import Enum
from typing import Any, Final, Literal, TypeAlias

JsonType: TypeAlias = str
JSON_TYPES = ("object", "array", "string", "number", "integer", "boolean", "null")
Members: TypeAlias = Mapping[Hashable, Any]
"""The values that a schema enumerates, by their identity."""

_TYPES: dict[type, JsonType] = {
    str: "string", bool: "boolean", int: "integer", dict: "object", list: "array", tuple: "array", type(None): "null",
}  # fmt: skip
_LONGEST_SHOWN = 60
_MOST_SHOWN = 3


# --- numbers that remember their spelling ---


class Spelled:
    """A number that keeps its spelling: `3.10`, `0x1F`."""

    spelling: str


class SpelledInteger(int, Spelled):
    """An integer with its spelling."""


class SpelledFloat(float, Spelled):
    """A float with its spelling."""


def with_spelling(number: float, text: str) -> float:
    """A number that keeps its spelling, unless that is Python's own."""
    if repr(number) == text:
        return number
    kept = SpelledInteger(number) if isinstance(number, int) else SpelledFloat(number)
    kept.spelling = text
    return kept


def without_spellings(value: dict[str, Any]) -> dict[str, Any]:
    """The value with plain numbers; a copy if any number kept its spelling."""
    containers, has_spellings = _containers(value)
    if not has_spellings:
        return value
    copies: dict[int, Any] = {id(holder): holder.copy() for holder in containers}
    for copy in copies.values():
        for key in list(copy) if isinstance(copy, dict) else range(len(copy)):
            part: Any = copies.get(id(copy[key]), copy[key])
            plain, is_spelled = int if isinstance(part, int) else float, isinstance(part, Spelled)
            copy[key] = plain(part) if is_spelled else part
    return dict(copies[id(value)])


def _containers(value: Any) -> tuple[list[Any], bool]:
    """All objects and lists in a value, once each, and whether any number in them kept its spelling. No recursion."""
    seen, found, has_spellings = {id(value)}, [value], False
    for holder in found:  # it grows as it is read
        for part in holder.values() if isinstance(holder, dict) else holder:
            if type(part) in (dict, list) and id(part) not in seen:
                seen.add(id(part))
                found.append(part)
            has_spellings = has_spellings or isinstance(part, Spelled)
    return found, has_spellings


def read_json(text: str | bytes, **options: Any) -> Any:
    """The value that a text is, by these options of `json.loads`; `NOTHING` if it is no JSON, or nested too deeply."""
    try:
        return json.loads(text, **options)
    except (ValueError, RecursionError):
        return NOTHING


# --- what a value is ---


def json_type(value: Any) -> JsonType | None:
    """The JSON type of a value; `None` if JSON has none, as for NaN or a set."""
    if found := _TYPES.get(type(value)):
        return found
    if isinstance(value, float):
        return "number" if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return "object"
    # Subclasses: an `IntEnum` member, a named tuple.
    return next((found for known, found in _TYPES.items() if isinstance(value, known)), None)


def admits(wanted: JsonType | None, found: JsonType | None) -> bool:
    """Whether a value of the second type is of the first; `None` as the first admits every type."""
    return wanted in (None, found) or (wanted == "number" and found == "integer")


def is_number(found: JsonType | None) -> bool:
    """Whether it is one of JSON's two types of number."""
    return found in ("number", "integer")


def json_identity(value: Any) -> Hashable:
    """A key that is equal for equal JSON values: `1` and `1.0`, but not `1` and `true`."""
    found = json_type(value)
    if found is None:
        return found, id(value)
    if found in ("array", "object"):
        try:
            return found, json.dumps(value, sort_keys=True, default=repr)
        except (TypeError, ValueError, RecursionError):
            return found, id(value)
    return "number" if is_number(found) else found, value


def show(value: Any) -> str:
    """The value as short JSON, else a description. Looks at a few items only."""
    if isinstance(value, list | tuple):
        if len(value) <= _MOST_SHOWN and not _nests(value):
            return f"[{', '.join(map(show, value))}]"
        return f"an array of {len(value)}"
    if isinstance(value, Mapping):
        if len(value) <= _MOST_SHOWN and not _nests(value.values()):
            return f"{{{', '.join(f'{show(key)}: {show(item)}' for key, item in value.items())}}}"
        return f"an object of {len(value)}"
    if isinstance(value, Spelled) and len(value.spelling) <= _LONGEST_SHOWN:
        return value.spelling
    if isinstance(value, str) and len(value) > _LONGEST_SHOWN:
        value = value[:_LONGEST_SHOWN] + "..."
    try:
        return json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError):  # not JSON at all, or more digits than Python prints
        return f"a value of type {type(value).__name__}"


def _nests(values: Iterable[Any]) -> bool:
    return not {"array", "object"}.isdisjoint(map(json_type, values))


# --- the same value in another type ---


class _Nothing(Enum):
    NOTHING = 0


NOTHING: Final = _Nothing.NOTHING
Nothing = Literal[_Nothing.NOTHING]

# `\d` would take Arabic and Devanagari digits too.
_INTEGER = re.compile(r"[+-]?[0-9]+")
_DECIMAL = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,9})?")
_LONGEST_NUMBER = 1_000  # Python refuses to read integers of more than 4,300 digits
_EXACT = 2**53  # from here on a float may stand for its neighbour
_BOOLEANS = {word: word.lower() == "true" for word in ("true", "True", "TRUE", "false", "False", "FALSE")}  # fmt: skip


def convert(value: Any, wanted: JsonType | None) -> Any:
    """The value as this type, or `NOTHING`. The items of a container are left as they are."""
    return value if admits(wanted, json_type(value)) else _TO[str(wanted)](value)


def respell(value: Any, members: Members | None) -> Any:
    """The only member that equals the value but for case and spaces."""
    if members is None or json_identity(value) in members:
        return value
    if not isinstance(value, str):
        return NOTHING
    folded = _fold(value)
    texts = (member for member in members.values() if isinstance(member, str))
    found = [text for text in texts if _fold(text) == folded]
    return found[0] if len(found) == 1 else NOTHING


def _fold(text: str) -> str:
    return " ".join(text.split()).casefold()


def to_integer(value: Any) -> int | Nothing:
    """Converts `3.0`, `"5"`, `"5.0"` and `"1e3"`. Beyond a float's precision, only digits count."""
    if isinstance(value, float):
        return int(value) if value.is_integer() and abs(value) < _EXACT else NOTHING
    text = _number_text(value)
    if _INTEGER.fullmatch(text):
        return int(text)
    if not _DECIMAL.fullmatch(text):
        return NOTHING
    exact = Decimal(text)
    # Size first: the integer of 1e999999999 would fill the memory.
    whole = exact.copy_abs() < _EXACT and exact == exact.to_integral_value()
    return int(exact) if whole else NOTHING


def to_number(value: Any) -> float | Nothing:
    """Converts `"3.5"` and integers, but no text that overflows or underflows as a float."""
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


def to_string(value: Any) -> str | Nothing:
    """A number or boolean as text: as it was written, if that is known, else as JSON."""
    if isinstance(value, Spelled):
        return value.spelling
    if json_type(value) not in ("boolean", "integer", "number"):
        return NOTHING
    try:
        return json.dumps(value)
    except ValueError:  # more digits than Python writes
        return NOTHING


def _from_word(value: Any, words: Mapping[str, Any]) -> Any:
    return words.get(value.strip(), NOTHING) if isinstance(value, str) else NOTHING


def _from_json(value: Any, opening: str) -> Any:
    if not isinstance(value, str) or not value.lstrip().startswith(opening):
        return NOTHING
    hooks: dict[str, Any] = {"parse_float": _finite, "parse_constant": _finite}
    try:
        return json.loads(value, object_pairs_hook=_without_twins, **hooks)
    except (ValueError, RecursionError):
        return NOTHING


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text} is no number in JSON")
    return with_spelling(number, text)


def _without_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name comes twice, so one of its values would be lost")
    return found


_TO: dict[JsonType, Callable[[Any], Any]] = {
    "integer": to_integer,
    "number": to_number,
    # As JSON, Python and R write them; never `1` or `"yes"`.
    "boolean": lambda value: _from_word(value, _BOOLEANS),
    "string": to_string,
    "null": lambda value: _from_word(value, {"null": None, "None": None}),
    "object": lambda value: _from_json(value, "{"),
    "array": lambda value: _from_json(value, "["),
}

# --- the same day in another spelling: small models copy a date as the user wrote it, whatever the schema says ---

_MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december",
)  # fmt: skip
_ISO = "YYYY-MM-DD"
# In a description: YYYY-MM-DD, dd/mm/yyyy, MM.DD.YYYY.
_ASKED = re.compile(
    r"(?<![a-z])(?:yyyy([-/.])mm\1dd|(?:mm([-/.])dd|dd([-/.])mm)[-/.]yyyy)(?![a-z])"
)
_MONTH = r"(?P<month>[A-Za-z]{3,9})\.?"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>\d{4})"
_WRITTEN = tuple(
    re.compile(form)
    for form in (
        rf"{_MONTH}\s+{_DAY},?\s+{_YEAR}",
        rf"{_DAY}\s+(?:of\s+)?{_MONTH},?\s+{_YEAR}",
        rf"{_YEAR}(?P<gap>[-/.])(?P<month>\d{{1,2}})(?P=gap)(?P<day>\d{{1,2}})",
    )
)
_LONGEST_DATE = 40


def date_format(schema: Any) -> str | None:
    """The date format that a schema asks for; `None` if it names none, or two."""
    if not isinstance(schema, Mapping):
        return None
    described = str(schema.get("description") or "").lower()
    formats = {found[0].upper() for found in _ASKED.finditer(described)}
    if not formats and schema.get("format") == "date":
        return _ISO
    return formats.pop() if len(formats) == 1 else None


def respell_date(value: str, spelling: str) -> str:
    """A date in the format that its schema asks for; any other text unchanged."""
    day = _day_of(value.strip()) if len(value) <= _LONGEST_DATE else None
    if day is None:
        return value
    in_year = spelling.replace("YYYY", f"{day.year:04}")
    return day.strftime(in_year.replace("MM", "%m").replace("DD", "%d"))


def _day_of(text: str) -> date | None:
    found = next((match for form in _WRITTEN if (match := form.fullmatch(text))), None)
    if found is None or not (month := _month_of(found["month"])):
        return None
    try:
        return date(int(found["year"]), month, int(found["day"]))
    except ValueError:
        return None


def _month_of(text: str) -> int | None:
    if text.isdecimal():
        return int(text)
    named = (n for n, name in enumerate(_MONTHS, 1) if name.startswith(text.lower()))
    return next(named, None)
