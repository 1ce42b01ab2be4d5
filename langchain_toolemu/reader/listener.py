"""Who is told of a value's members while the value is still being read."""

from typing import Any


class Listener:
    """Who wants to know the members of the outermost object as they come. This one does not mind.

    An answer of `False` to `key` or `member` says that this is no call: the text is let go, and
    merely followed to the end of the value.
    """

    def key(self, _key: str) -> bool:
        """A key was read."""
        return True

    def member(self, _key: str, _value: Any) -> bool:
        """A key's value was read."""
        return True

    def names_tool(self, _key: str) -> bool:
        """Whether a key's value is a tool's name."""
        return False

    def element(self, _value: Any) -> None:
        """An object of an outer list was read."""
