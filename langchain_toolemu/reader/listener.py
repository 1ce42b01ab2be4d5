"""Who is told of a value's members while the value is still being read."""

from collections.abc import Sequence
from typing import Any

from langchain_toolemu.reader.frames import Frame
from langchain_toolemu.reader.long_texts import LongText


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

    def long_text(self, _frames: Sequence[Frame]) -> LongText | None:
        """Who follows the string that begins now, if it may become long enough to be told of early."""
        return None

    def element(self, _value: Any) -> None:
        """An object of an outer list was read."""
