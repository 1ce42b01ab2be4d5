"""The parts of a value being read: open containers, and tokens without quotes.

A token is a literal of JSON, Python or JavaScript, a number in one of their grammars, or a bare word, which never counts
as a string: it may be a variable. A number keeps its spelling, since it may be meant for a string.
"""

import re
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from langchain_toolemu.validation.json_values import with_spelling

ContainerKind: TypeAlias = Literal["object", "array", "tuple", "call"]

_CLOSERS: dict[ContainerKind, str] = {"object": "}", "array": "]", "tuple": ")", "call": ")"}


def given_twice(name: str) -> str:
    """A name with two values, of which one would be lost."""
    return f"{name!r} is given twice"


@dataclass(slots=True, eq=False)
class Frame:
    """One container: what it holds so far, and the key whose value is awaited."""

    kind: ContainerKind
    closer: str = field(init=False)
    keyed: bool = field(init=False)  # whether its members have names
    items: Any = field(init=False)
    key: str | None = None
    positional: list[Any] = field(default_factory=list)  # a call's arguments without names
    extra: int = 0  # how many closers more than one it takes: an object that opened as `{{` has one
    bare_keys: bool = False  # whether a key without quotes was seen in it
    repeated: str = ""  # the key that was given twice

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
