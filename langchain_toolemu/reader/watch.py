"""Whether an object that is still being written can be a call.

The rule of this room: an object is let go as soon as a key or a name says that it is none, so that
a JSON answer streams like any other.
"""

from typing import Any

from langchain_toolemu.reader.context import Context
from langchain_toolemu.reader.vocabulary import (
    ARGUMENT_KEYS,
    LIST_KEYS,
    MESSAGE_KEYS,
    NAME_KEYS,
    SHAPE_KEYS,
    fold,
)
from langchain_toolemu.tools import ToolSpec  # noqa: TC001


class CallWatch:
    """Follows the members of an object outside any explicit envelope."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._spec: ToolSpec | None = None
        self._message = False
        self._stated = False
        self.released = False

    def names_tool(self, key: str) -> bool:
        """Whether a key's value is a tool's name, and no argument."""
        return fold(key) in NAME_KEYS and key not in self._context.parameters

    def key(self, key: str) -> bool:
        """Whether an object with this key can still be a call."""
        word = fold(key)
        self._message |= word == "role"
        self._stated |= self._spec is not None and word in ARGUMENT_KEYS
        possible = (
            self._stated
            or word in SHAPE_KEYS
            or key.replace("\\", "") in self._context.parameters
            or self._context.tools.resolve(key) is not None
            or (self._message and word in MESSAGE_KEYS)
        )
        self.released = not possible
        return possible

    def member(self, key: str, value: Any) -> bool:
        """Whether an object with this member can still be a call."""
        word = fold(key)
        if word in LIST_KEYS or not isinstance(value, str) or word not in NAME_KEYS:
            return True
        self._spec = self._context.tools.resolve(value) or self._spec
        possible = self._spec is not None or key in self._context.parameters
        self.released = not possible
        return possible

    @property
    def name(self) -> str | None:
        """The bound tool that was named, if one was."""
        return self._spec.name if self._spec else None
