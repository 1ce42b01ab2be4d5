"""What the reader is told of a dialect of one's own: its marks, its keys, and who reads it."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, TypeAlias

import regex

ReadCalls: TypeAlias = Callable[[str], Iterable[tuple[str, Mapping[str, Any]]]]
"""Text to calls, each a name and its arguments."""


@dataclass(frozen=True, slots=True)
class CallFormat:
    """How calls are written, as `Dialect` has it."""

    name: str
    opening: str = ""
    closing: str = ""
    name_key: str = "name"
    args_key: str = "arguments"
    read: ReadCalls | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class OwnMarks:
    """What shows a call in a dialect of one's own."""

    opening: regex.Pattern[str] | None  # its opening mark, and what must follow it
    closing: regex.Pattern[str] | None
    named: regex.Pattern[str]  # an object, or a list of them, that begins with the name of a tool
    keys: Mapping[str, str]  # its keys, and what they are called otherwise


@lru_cache(maxsize=16)
def own_marks(dialect: CallFormat) -> OwnMarks:
    """What shows a call in this dialect."""
    opening, closing = dialect.opening.strip(), dialect.closing.strip()
    begun = "" if dialect.read else r"\s*[\[{`~]"
    key = regex.escape(json.dumps(dialect.name_key, ensure_ascii=False))
    return OwnMarks(
        regex.compile(rf"\s*{regex.escape(opening)}{begun}") if opening else None,
        regex.compile(rf"\s*{regex.escape(closing)}") if closing else None,
        regex.compile(rf"\[?\s*\{{\s*{key}\s*:\s*\"([^\"\\]{{1,128}})\""),
        {dialect.name_key: "name", dialect.args_key: "arguments"},
    )
