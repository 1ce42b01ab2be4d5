"""The single values in a call's arguments, and what kind of value each is."""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from langchain_toolemu.tools import ToolSpec
from langchain_toolemu.tools.stems import stems

MOST_VALUES = 100
"""So many values of one call are looked at."""

NEUTRAL = (0, 1)
"""Numbers that nobody says: "from rest" is a velocity of 0, and who orders a pizza orders one."""

# One word with a digit or an @ in it: an id, a code, an address. A formula is none.
_IDENTIFIER = re.compile(r"(?=\S*[\d@])[^\s*^()=]{1,80}")
_DATE_OR_TIME = re.compile(
    r"(\d{1,4}([-/.]\d{1,2}){1,2}|\d{1,2}([-/.])\d{1,2}\3\d{4})([T ]\d.{0,30})?|\d{1,2}:\d{2}(:\d{2})?(\s?[ap]m)?|\d{1,2}\s?[ap]m|\d{4}",
    re.IGNORECASE,
)
# What arguments are called whose values a model writes itself, knows, or takes from a page.
_WRITTEN = frozenset(
    stems("""
    query question search text message body content subject title prompt fact note reason input request description
    summary comment expression formula equation function code command sql script statement pattern regex thought task
    instruction goal plan answer keyword sentence phrase path file url table column selector ref key action status state
    method level unit interval locale timezone branch revision format mode sort latitude longitude lat lon lng coordinate
    """)
)


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


def is_identifier(value: Any) -> bool:
    """Whether a text is looked up rather than written: an id, a code, an address."""
    if not isinstance(value, str):
        return False
    return bool(_IDENTIFIER.fullmatch(value.strip())) and not is_date_or_time(value)


@lru_cache(1024)
def is_written_text(argument: str) -> bool:
    """Whether an argument holds what a model writes itself, knows, or takes from a page."""
    return not _WRITTEN.isdisjoint(stems(argument))


def is_offered(value: Any, tool: ToolSpec) -> bool:
    """Whether the tool's schema names a value itself: a member, a constant, a default, an example."""
    pending: list[Any] = [tool.parameters]
    while pending:
        part = pending.pop()
        if isinstance(part, Mapping):
            if any(value == one for key in _OFFERING for one in _as_list(part.get(key))):
                return True
            pending += part.values()
        elif isinstance(part, list):
            pending += part
    return False


_OFFERING = ("enum", "const", "default", "examples", "example")


def _as_list(value: Any) -> list[Any]:
    return [*value, value] if isinstance(value, list) else [value]
