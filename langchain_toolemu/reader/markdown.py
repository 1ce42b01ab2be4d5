r"""Markdown escapes in a call that was written as if it were prose. Sample markdown-escapes.

The rule of this room: a call whose name or argument names carry `\_` was escaped as a whole, so its
values were too. Otherwise a backslash in a value is the value's own.
"""

from typing import Any


def without_markdown(args: dict[str, Any]) -> dict[str, Any]:
    """The arguments with the escapes taken out of names and strings."""
    root: dict[str, Any] = {}
    pending: list[tuple[Any, Any]] = [(args, root)]
    while pending:
        source, target = pending.pop()
        for key, value in source.items() if isinstance(source, dict) else enumerate(source):
            plain = _plain(value)
            if isinstance(value, (dict, list)):
                plain = {} if isinstance(value, dict) else []
                pending.append((value, plain))
            if isinstance(target, dict):
                target[_plain(key)] = plain
            else:
                target.append(plain)
    return root


def _plain(value: Any) -> Any:
    return value.replace("\\_", "_") if isinstance(value, str) else value
