"""The single values in a call's arguments, and what kind of value each is."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

# One word with a digit or an @ in it: an id, a code, an address. A formula is none.
_IDENTIFIER = re.compile(r"(?=\S*[\d@])[^\s*^()=]{1,80}")
_DATE_OR_TIME = re.compile(
    r"(\d{1,4}([-/.]\d{1,2}){1,2}|\d{1,2}([-/.])\d{1,2}\3\d{4})([T ]\d.{0,30})?|\d{1,2}:\d{2}(:\d{2})?(\s?[ap]m)?|\d{1,2}\s?[ap]m|\d{4}",
    re.IGNORECASE,
)

NEUTRAL = (0, 1)
"""Numbers that nobody says: "from rest" is a velocity of 0, and who orders a pizza orders one."""


def scalars(args: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Every single value with the argument that it belongs to."""
    return ((name, value) for name in args for _, value in keyed_scalars(args[name], name))


def keyed_scalars(value: Any, key: str) -> Iterator[tuple[str, Any]]:
    """Every single value with the key that it stands under."""
    if isinstance(value, Mapping):
        for inner, one in value.items():
            yield from keyed_scalars(one, str(inner))
    elif isinstance(value, list):
        for one in value:
            yield from keyed_scalars(one, key)
    else:
        yield key, value


def is_date_or_time(value: Any) -> bool:
    """Whether a text is a date or a time, which people say in words and models write in figures."""
    return isinstance(value, str) and bool(_DATE_OR_TIME.fullmatch(value.strip()))


def is_looked_up(value: Any) -> bool:
    """Whether a value is one that is looked up rather than written: a number, an id, an address."""
    if isinstance(value, bool) or value is None:
        return False
    if isinstance(value, int | float):
        return True
    return bool(_IDENTIFIER.fullmatch(str(value).strip())) and not is_date_or_time(value)
