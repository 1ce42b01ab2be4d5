"""The parts of a value being read: open containers, tokens without quotes, and who is told of members.

The rules of this module: an explicit stack of frames replaces recursion. A token is a literal of JSON, Python or
JavaScript, a number in one of their grammars, or a bare word, which never counts as a string: it may be a variable. A
number keeps its spelling, since it may be meant for a string.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypeAlias

from langchain_toolemu.validation.json_values import with_spelling

ContainerKind: TypeAlias = Literal["object", "array", "tuple", "call"]

_CLOSERS: dict[ContainerKind, str] = {"object": "}", "array": "]", "tuple": ")", "call": ")"}


def given_twice(name: str) -> str:
    """A name with two values, of which one would be lost."""
    return f"{name!r} is given twice"


@dataclass(slots=True, eq=False)
class Frame:
    """One container: what it holds so far, and the key whose value is awaited.

    Attributes:
        keyed: Whether its members have names.
        positional: A call's arguments without names.
        extra: How many closers more than one it takes: an object that opened as `{{` has one.
        bare_keys: Whether a key without quotes was seen in it.
        repeated: The key that was given twice.
    """

    kind: ContainerKind
    closer: str = field(init=False)
    keyed: bool = field(init=False)
    items: Any = field(init=False)
    key: str | None = None
    positional: list[Any] = field(default_factory=list)
    extra: int = 0
    bare_keys: bool = False
    repeated: str = ""

    def __post_init__(self) -> None:
        self.closer = _CLOSERS[self.kind]
        self.keyed = self.kind in ("object", "call")
        self.items = {} if self.keyed else []

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

    def standard_key(self, key: str) -> str:
        """A key of the outermost object as it is called otherwise."""
        return key

    def takes_raw(self, _frames: Sequence[Frame]) -> bool:
        """Whether the value that comes next is a text, were it without quotes."""
        return False

    def element(self, _value: Any) -> None:
        """An object of an outer list was read."""


_LITERALS: dict[str, Any] = {
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
    **dict.fromkeys(("null", "None", "NULL", "undefined")),
    **{word: float(word) for word in ("NaN", "Infinity", "-Infinity", "+Infinity")},
}
_INTEGER = re.compile(r"[+-]?[0-9](?:_?[0-9])*\Z")  # sample leading-zero
_FLOAT = re.compile(r"[+-]?(?:(?:0|[1-9](?:_?[0-9])*)(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?\Z")
_RADIX = re.compile(r"[+-]?0(?:[xX][0-9a-fA-F]+|[oO][0-7]+|[bB][01]+)\Z")


class BareWord(str):
    """A token without quotes that is neither a literal nor a number."""

    __slots__ = ()


def read_scalar(token: str) -> Any:
    """The value of a token, or a `BareWord`."""
    if token in _LITERALS:
        return _LITERALS[token]
    try:
        if _INTEGER.match(token):
            return with_spelling(int(token, 10), token)
        if _FLOAT.match(token):
            return with_spelling(float(token), token)
        if _RADIX.match(token):
            return with_spelling(int(token, 0), token)
    except ValueError:  # more digits than Python converts
        pass
    return BareWord(token)


def is_number(value: object) -> bool:
    """Whether a value is one that more text could have prolonged."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)
