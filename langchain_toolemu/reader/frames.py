"""The open containers of a value being read. An explicit stack of these replaces recursion."""

from typing import Any, Literal, TypeAlias

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
