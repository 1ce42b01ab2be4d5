"""Settings without their secrets, for whatever shows settings: a log line, a repr, a trace.

The rules here:

- A value is hidden by the name it goes by. Of headers every value is, since any of them may be a key.
- Names that a tool's author chose (the properties of a schema, a call's arguments) are no settings: a parameter called
  `password` is described, not given away.
"""

from collections.abc import Mapping
from typing import Any

REDACTED = "***"

_SECRETS = (
    "apikey",
    "accesskey",
    "privatekey",
    "authorization",
    "authorizationtoken",
    "accesstoken",
    "apitoken",
    "authtoken",
    "bearertoken",
    "idtoken",
    "refreshtoken",
    "sessiontoken",
    "secret",
    "password",
    "credentials",
    "cookie",
)
_CHOSEN_BY_OTHERS = ("properties", "$defs", "definitions", "args")


def redacted(value: Any) -> Any:
    """A copy without readable keys and headers.

    Example:
        ```python
        redacted({"temperature": 0, "extra_headers": {"Authorization": "Bearer sk-1"}})
        # {'temperature': 0, 'extra_headers': {'Authorization': '***'}}
        ```
    """
    match value:
        case {"type": "function", "function": Mapping()}:
            # A function's description goes to the model: it is no place for a key, and the longest thing there is.
            return value
        case Mapping():
            return {name: _shown(str(name), inner) for name, inner in value.items()}
        case list():
            return [redacted(inner) for inner in value]
        case tuple():
            return tuple(redacted(inner) for inner in value)
    return value


def _shown(name: str, value: Any) -> Any:
    if name in _CHOSEN_BY_OTHERS and isinstance(value, Mapping):
        return {chosen: redacted(inner) for chosen, inner in value.items()}
    word = name.lower().replace("_", "").replace("-", "")
    if value is None or not (word == "token" or word.endswith(("headers", *_SECRETS))):
        return redacted(value)
    return dict.fromkeys(value, REDACTED) if isinstance(value, Mapping) else REDACTED
