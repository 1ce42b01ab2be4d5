"""What a JSON value is: its kind, its identity, and how a message shows it.

Python and JSON disagree on a few values (`True == 1`, NaN, sets, numbers of 5,000 digits that
cannot be printed). Only this module knows about it.
"""

import json
import math
from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import Any, TypeAlias

Kind: TypeAlias = str

_KINDS: dict[type, Kind] = {
    str: "string",
    bool: "boolean",
    int: "integer",
    dict: "object",
    list: "array",
    tuple: "array",
    type(None): "null",
}
_LONGEST_SHOWN = 60
_MOST_SHOWN = 3


class Spelled:
    """A number whose writer chose a spelling that its value alone does not tell: `3.10`, `0x1F`."""

    spelling: str


class SpelledInteger(int, Spelled):
    """An integer with its spelling."""


class SpelledFloat(float, Spelled):
    """A float with its spelling."""


def spelled(number: float, text: str) -> float:
    """A number that remembers how it was written, unless it would be written so again."""
    if repr(number) == text:
        return number
    kept = SpelledInteger(number) if isinstance(number, int) else SpelledFloat(number)
    kept.spelling = text
    return kept


def plain(value: dict[str, Any]) -> dict[str, Any]:
    """The value with no number but Python's own: a copy, if there are others in it."""
    if not any(isinstance(part, Spelled) for holder in _containers(value) for part in _of(holder)):
        return value
    copies: dict[int, Any] = {id(holder): holder.copy() for holder in _containers(value)}
    for copy in copies.values():
        for key in list(copy) if isinstance(copy, dict) else range(len(copy)):
            copy[key] = copies.get(id(copy[key]), _number(copy[key]))
    return dict(copies[id(value)])


def _containers(value: Any) -> Iterator[Any]:
    """Each object and list in a value, once; without recursion."""
    seen, pending = {id(value)}, [value]
    while pending:
        holder = pending.pop()
        yield holder
        for part in _of(holder):
            if type(part) in (dict, list) and id(part) not in seen:
                seen.add(id(part))
                pending.append(part)


def _of(holder: dict[Any, Any] | list[Any]) -> Iterable[Any]:
    return holder.values() if isinstance(holder, dict) else holder


def _number(value: Any) -> Any:
    if isinstance(value, SpelledInteger):
        return int(value)
    return float(value) if isinstance(value, SpelledFloat) else value


def kind_of(value: Any) -> Kind | None:
    """The JSON type of a value; `None` for what JSON cannot carry, such as NaN or a set."""
    if kind := _KINDS.get(type(value)):
        return kind
    if isinstance(value, float):
        return "number" if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return "object"
    # Subclasses: an `IntEnum` member, a named tuple.
    return next((kind for known, kind in _KINDS.items() if isinstance(value, known)), None)


def admits(type_: Kind | None, kind: Kind | None) -> bool:
    """Whether a value of this kind is of this type, where no type at all admits everything."""
    return type_ in (None, kind) or (type_ == "number" and kind == "integer")


def is_number(kind: Kind | None) -> bool:
    """Whether it is one of JSON's two kinds of number."""
    return kind is not None and admits("number", kind)


def identity(value: Any) -> Hashable:
    """What two values share exactly if JSON calls them equal: `1` and `1.0`, never `1` and `true`."""
    kind = kind_of(value)
    if kind is None:
        return kind, id(value)
    if kind in ("array", "object"):
        try:
            return kind, json.dumps(value, sort_keys=True, default=repr)
        except (TypeError, ValueError, RecursionError):
            return kind, id(value)
    return "number" if is_number(kind) else kind, value


def show(value: Any) -> str:
    """The value as JSON, if that is short; else what it is.

    Never looks further than a few items in, so that a message about a large value costs nothing.
    """
    if isinstance(value, list | tuple):
        if len(value) <= _MOST_SHOWN and not any(map(_is_container, value)):
            return f"[{', '.join(map(show, value))}]"
        return f"an array of {len(value)}"
    if isinstance(value, Mapping):
        if len(value) <= _MOST_SHOWN and not any(map(_is_container, value.values())):
            return f"{{{', '.join(f'{show(key)}: {show(one)}' for key, one in value.items())}}}"
        return f"an object of {len(value)}"
    if isinstance(value, Spelled) and len(value.spelling) <= _LONGEST_SHOWN:
        return value.spelling
    if isinstance(value, str) and len(value) > _LONGEST_SHOWN:
        value = value[:_LONGEST_SHOWN] + "..."
    try:
        return json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError):  # not JSON at all, or more digits than Python prints
        return f"a value of type {type(value).__name__}"


def _is_container(value: Any) -> bool:
    return kind_of(value) in ("array", "object")
