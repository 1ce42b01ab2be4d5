"""Which call must wait for the result of another one.

A model that writes several calls in one reply does not have their results yet. A further call waits if one of its values
is a placeholder for a result, or is looked up rather than written (an id, an address, a number), is nowhere in the
conversation, and an earlier call could yield it. Free text never waits: it may be the model's own words.

The same holds for a first call whose value only another bound tool could have told: that tool is to be called first.
"""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import islice
from typing import Any

from langchain_toolemu.tools import ToolSpec
from langchain_toolemu.tools.stems import stems
from langchain_toolemu.turn.grounding import is_explained
from langchain_toolemu.turn.heard import Heard
from langchain_toolemu.turn.values import NEUTRAL, is_looked_up, scalars

# `<order_id>`, `{{result}}`, `[result of find_order]`, `$order_id`, `result of find_order`, `...`
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
_CAPITALS = re.compile(r"[A-Z]{2,}(?:_[A-Z0-9]+){1,8}")  # ORDER_ID
# Arguments whose values are never ordinary words.
_KEY = re.compile(r"(?:^|_)(?:id|ids|uuid|email|address)$|[a-z](?:Id|Ids|Uuid|Email|Address)$")
# What the names of tools begin with that do something, rather than tell something.
_CHANGES = re.compile(
    r"(?i:set|create|add|delete|remove|send|post|turn|update|write|cancel|make|book|start|stop|play|modify|edit|move|upload|pay"
    r"|order|insert|put|switch|control|call)(?![a-z])"
)
_LONGEST = 200  # characters of a value
_MOST_VALUES = 100  # of one call that are looked at
_COMMON = frozenset(
    stems("the and for with from get set all one use has its can you are not new this that into")
)


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
    args: Mapping[str, Any], tool: ToolSpec, earlier: Sequence[ToolSpec], heard: Heard
) -> str | None:
    """The argument whose value is not known before an earlier call has its result; `None` if there is none.

    Args:
        args: The arguments of a call.
        tool: The tool that is called.
        earlier: The tools that the same reply has called before.
        heard: What the conversation says.
    """
    for name, value in islice(scalars(args), _MOST_VALUES):
        if is_placeholder(value) and not heard.holds_word(value):
            return name
        if source_of(name, value, tool, earlier, heard):
            return name
    return None


def untold(
    args: Mapping[str, Any], tool: ToolSpec, others: Sequence[ToolSpec], heard: Heard
) -> tuple[str, Any, ToolSpec] | None:
    """A value that was not given, its argument, and the bound tool that could tell it; `None` if there is none."""
    needed = {name: args[name] for name in tool.required if name in args}
    telling = [one for one in others if not _CHANGES.match(one.name)]
    for name, value in islice(scalars(needed), _MOST_VALUES):
        if source := source_of(name, value, tool, telling, heard):
            return name, value, source
    return None


def source_of(
    name: str, value: Any, tool: ToolSpec, others: Sequence[ToolSpec], heard: Heard
) -> ToolSpec | None:
    """The other tool that could tell a value which is looked up and was not said."""
    if value is None or isinstance(value, bool) or not _is_open(name, value, heard):
        return None
    if isinstance(value, int | float) and is_explained(tool.properties.get(name), value):
        return None
    # By its name: a description speaks of the whole subject, and so do the descriptions of tools that tell something else.
    wanted = _stems(name)
    others = [one for one in others if one.name != tool.name]
    return next((one for one in others if not wanted.isdisjoint(_told_by(one))), None)


def _is_open(name: str, value: Any, heard: Heard) -> bool:
    """Whether a value still has to be found out."""
    if isinstance(value, int | float):
        return value not in NEUTRAL and not heard.is_foreign and not heard.holds(value)
    if is_looked_up(value):
        return not heard.holds_word(value)
    # `latest` and `Ana's email` are neither an id nor an address, though they were said.
    text = str(value)
    is_word = not re.search(r"[\d@]", text[:_LONGEST]) and not text.isupper()
    return is_word and bool(_KEY.search(name)) and not heard.quotes(text)


def _told_by(tool: ToolSpec) -> frozenset[str]:
    """The stems of what a tool is for."""
    return _stems(f"{tool.name} {tool.description}")


@lru_cache(1024)
def _stems(text: str) -> frozenset[str]:
    return frozenset(stems(text)) - _COMMON
