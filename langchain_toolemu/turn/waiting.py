"""Which call of a reply must wait for the result of an earlier one.

A model that writes several calls in one reply does not have their results yet. A further call waits if one of its values
is a placeholder for a result, or an identifier or number that stands nowhere in the conversation while an earlier call
could yield it. Free text never waits: it may be the model's own words.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from langchain_toolemu.tools import ToolSpec

# `<order_id>`, `{{result}}`, `[result of find_order]`, `$order_id`, `ORDER_ID_FROM_ABOVE`, `result of find_order`, `...`
_PLACEHOLDER = re.compile(
    r"""\s*(?:
        <[^<>\n]{1,60}> | \{\{?[a-z_][\w\s.-]{0,60}\}\}? | \[[a-z_][\w\s.-]{0,60}\] | \$\{?[a-z_][\w.\[\]]{0,60}\}? | \.{3} | …
        | (?:the\s)?(?:result|output|response|value|answer|return\svalue)s?\s(?:of|from|returned\sby)\s.{1,80}
        | (?:the\s)?(?:previous|above|earlier|first|last|example)\s(?:result|output|response|value|answer|step|call).{0,40}
        | .{0,40}(?:from|of)\s(?:the\s)?(?:previous|above|earlier|first|last)\s(?:result|output|response|step|call).{0,20}
        | (?:the\s)?result
        | (?:your|insert|actual)[_-][\w-]{1,40}
    )\s*""",
    re.VERBOSE | re.IGNORECASE,
)
_CAPITALS = re.compile(r"[A-Z]{2,}(?:_[A-Z0-9]+){1,8}")
# An id, a code, an address: one word with a digit or an @ in it, which is not a date, a time or a number with a unit.
_IDENTIFIER = re.compile(r"(?=\S*[\d@])[^\s]{1,80}")
_DATE_OR_TIME = re.compile(
    r"\d{1,4}([-/.]\d{1,2}){1,2}([T ]\d.*)?|\d{1,2}:\d{2}(:\d{2})?(\s?[ap]m)?|\d{4}", re.IGNORECASE
)
_WORD = re.compile(r"[^\W\d_]{3,}")
_STEM = 5
_MOST_VALUES = 100  # of one call that are looked at
_COMMON = frozenset(
    [
        "the",
        "and",
        "for",
        "with",
        "from",
        "get",
        "set",
        "all",
        "one",
        "use",
        "has",
        "its",
        "can",
        "you",
        "are",
        "not",
        "new",
        "this",
        "that",
        "into",
    ]
)
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")


def is_placeholder(value: Any) -> bool:
    """Whether a value only says where it should come from.

    Example:
        ```python
        is_placeholder("<order_id>")  # True
        ```
    """
    if not isinstance(value, str):
        return False
    return bool(_PLACEHOLDER.fullmatch(value) or _CAPITALS.fullmatch(value))


def awaited(
    args: Mapping[str, Any], tool: ToolSpec, earlier: Sequence[ToolSpec], heard: str
) -> str | None:
    """The argument whose value is not known before an earlier call has its result; `None` if there is none.

    Args:
        args: The arguments of a call.
        tool: The tool that is called.
        earlier: The tools that the same reply has called before.
        heard: What the conversation says, in lower case.
    """
    others = [one for one in earlier if one.name != tool.name]
    for name, value in islice(_scalars(args), _MOST_VALUES):
        if _is_said(value, heard):
            continue
        found_out = _is_found_out(value) and any(_may_yield(one, name, tool) for one in others)
        if found_out or is_placeholder(value):
            return name
    return None


def _scalars(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """Every single value with the argument that it belongs to."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _scalars(inner, name or str(key))
    elif isinstance(value, list):
        for inner in value:
            yield from _scalars(inner, name)
    else:
        yield name, value


def _is_found_out(value: Any) -> bool:
    """Whether a value is one that is looked up rather than written: a number, an id, an address."""
    if isinstance(value, bool) or value is None:
        return False
    if isinstance(value, int | float):
        return True
    text = str(value).strip()
    return bool(_IDENTIFIER.fullmatch(text)) and not _DATE_OR_TIME.fullmatch(text)


def _is_said(value: Any, heard: str) -> bool:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    spellings = [f"{value:g}", f"{value:,}"] if number else [str(value).strip().lower()]
    return any(spelling in heard for spelling in spellings)


def _may_yield(earlier: ToolSpec, name: str, tool: ToolSpec) -> bool:
    """Whether an earlier tool's name or description speaks of what an argument is."""
    schema = tool.properties.get(name)
    described = schema.get("description", "") if isinstance(schema, Mapping) else ""
    wanted = set(_stems(f"{name} {described}"))
    return not wanted.isdisjoint(_stems(f"{earlier.name} {earlier.description}"))


def _stems(text: str) -> Iterator[str]:
    words = _WORD.findall(_HUMP.sub(" ", text).replace("_", " ").lower())
    return (word.removesuffix("s")[:_STEM] for word in words if word not in _COMMON)
