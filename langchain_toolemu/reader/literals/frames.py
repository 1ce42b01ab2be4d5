"""The open containers of a value being read, and who is told of their members.

An explicit stack of frames replaces recursion.
"""

from collections.abc import Sequence
from typing import Any, Literal, Protocol, TypeAlias

Kind: TypeAlias = Literal["object", "array", "tuple", "call"]

_CLOSERS: dict[Kind, str] = {"object": "}", "array": "]", "tuple": ")", "call": ")"}


class Frame:
    """One container: what it holds so far, and the key whose value is awaited.

    Attributes:
        keyed: Whether its members have names.
        positional: A call's arguments without names.
        extra: How many closers more than one it takes: an object that opened as `{{` has one.
        bare_keys: Whether a key without quotes was seen in it.
        repeated: The key that was given twice.
    """

    __slots__ = (
        "bare_keys",
        "closer",
        "extra",
        "items",
        "key",
        "keyed",
        "kind",
        "positional",
        "repeated",
    )

    def __init__(self, kind: Kind) -> None:
        self.kind = kind
        self.closer = _CLOSERS[kind]
        self.keyed = kind in ("object", "call")
        self.items: Any = {} if self.keyed else []
        self.key: str | None = None
        self.positional: list[Any] = []
        self.extra = 0
        self.bare_keys = False
        self.repeated = ""

    @property
    def keys(self) -> set[str]:
        """The names of its members, with the one that is awaited."""
        return {*self.items, *([self.key] if self.key else [])} if self.keyed else set()

    def add(self, value: Any) -> None:
        """Put a value where it belongs: under the awaited key, or at the end."""
        if not self.keyed:
            self.items.append(value)
        elif self.key is None:
            self.positional.append(value)
        else:
            if self.key in self.items:
                self.repeated = self.key
            self.items[self.key] = value

    def replace(self, value: Any) -> None:
        """Put a value in the place of the one that was added last."""
        if not self.keyed:
            self.items[-1] = value
        elif self.key is None:
            self.positional[-1] = value
        else:
            self.items[self.key] = value


class Follower(Protocol):
    """Who is told of a long string while it is still being read."""

    @property
    def begun(self) -> bool:
        """Whether anything of it was passed on already."""

    def take(self, raw: str, *, plain: bool) -> None:
        """A further piece, never ending inside an escape of two characters; whether all so far needs no fixing."""

    def text(self) -> str:
        """The whole string."""

    def keep_ends(self) -> None:
        """Line breaks at its ends are part of it."""


class Listener:
    """Who is told the members of the outermost object as they come. This one ignores them.

    An answer of `False` to `key` or `member` says that this is not a call: the text is let go, and
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

    def long_text(self, _frames: Sequence[Frame], _quote: str) -> Follower | None:
        """Who follows the string that begins with a quote, if it may become long enough to be passed on early."""
        return None

    def takes_raw(self, _frames: Sequence[Frame]) -> bool:
        """Whether the value that comes next is a text, were it without quotes."""
        return False

    def element(self, _value: Any) -> None:
        """An object of an outer list was read."""
