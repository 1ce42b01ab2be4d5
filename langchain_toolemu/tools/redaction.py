"""Settings without their secrets, for whatever shows settings: a log line, a repr, a trace.

A value is hidden by its name; of headers every value is. Names that a tool's author chose (a schema's properties, a
call's arguments) are no settings: a parameter called `password` is described, not given away.
"""

import re
from collections.abc import Mapping
from typing import Any

REDACTED = "***"

_SECRET = re.compile(
    r"^token$|(?:headers|(?:api|access|private)key|(?:authorization|access|api|auth|bearer|id|refresh|session)token"
    r"|authorization|secret|password|credentials|cookie)$"
)
"""What the name of a secret is or ends in, in lower case and without separators."""

_CHOSEN_BY_OTHERS = ("properties", "$defs", "definitions", "args")


def redact(value: Any) -> Any:
    """A copy without readable keys and headers."""
    match value:
        case {"type": "function", "function": Mapping()}:
            # A function's description goes to the model: it is no place for a key, and the longest thing there is.
            return value
        case Mapping():
            return _redacted_mapping(value)
        case list() | tuple():
            parts = [redact(part) if isinstance(part, _CONTAINERS) else part for part in value]
            return parts if isinstance(value, list) else tuple(parts)
    return value


_CONTAINERS = (Mapping, list, tuple)


def _redacted_mapping(settings: Mapping[Any, Any]) -> dict[Any, Any]:
    shown: dict[Any, Any] = {}
    for name, value in settings.items():
        word = str(name)
        if word in _CHOSEN_BY_OTHERS and isinstance(value, Mapping):
            shown[name] = {chosen: redact(inner) for chosen, inner in value.items()}
        elif value is not None and _SECRET.search(word.lower().replace("_", "").replace("-", "")):
            shown[name] = dict.fromkeys(value, REDACTED) if isinstance(value, Mapping) else REDACTED
        else:
            shown[name] = redact(value) if isinstance(value, _CONTAINERS) else value
    return shown
