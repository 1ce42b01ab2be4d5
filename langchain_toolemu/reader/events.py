"""The values that pass between rooms. Frozen, without behaviour, without I/O.

The reader speaks in events: `Text` for words meant for the user, `Call` for a call it read whole,
`BadCall` for text that was meant as a call and cannot be run as one. A long call is told of before it is whole:
`Begun`, then `More` of it, and the `Call` or `BadCall` that comes next is what became of it. `Unmeant` says of all calls
before it that they stood in a thought.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

BadCallReason: TypeAlias = Literal["cut", "unreadable", "unknown_tool"]


@dataclass(frozen=True, slots=True)
class Text:
    """Words of the reply that are no part of any call."""

    text: str


@dataclass(frozen=True, slots=True)
class Call:
    """A complete call of a bound tool.

    Attributes:
        name: The bound tool's own name, whatever the model's spelling was.
        args: The arguments; as read, until validation has mended what it can without loss.
        raw: The text the call was read from, envelope included.
        envelope: How it was written, e.g. `"json"`, `"fence"`, `"tool_call"`, `"python"`.
        explicit: Whether the envelope can only mean a call (a tag, a `json action` fence), so that
            it counts even in a reply that was not asked for calls in text.
        notes: What was mended on the way, in words a user understands.
        errors: What does not fit the tool's schema, in words for the model and the user.
    """

    name: str
    args: Mapping[str, Any]
    raw: str
    envelope: str
    explicit: bool
    notes: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class BadCall:
    """Text that was meant as a call and cannot be run: cut off, unreadable, or of no bound tool.

    Where it is `quoted`, it is whole, but words around it speak of it: its text came among them, and is to be asked about.
    """

    name: str | None
    raw: str
    envelope: str
    explicit: bool
    reason: BadCallReason
    detail: str
    quoted: bool = False


@dataclass(frozen=True, slots=True)
class Begun:
    """A call of which a long string argument is still being written.

    Attributes:
        name: The bound tool's own name.
        args: The arguments before that one, as read.
        key: The argument that is being written.
    """

    name: str
    args: Mapping[str, Any]
    key: str


@dataclass(frozen=True, slots=True)
class More:
    """A further piece of the argument that is being written."""

    text: str


@dataclass(frozen=True, slots=True)
class Unmeant:
    """The end of a thought that nobody saw begin: no call before it is meant, whatever was told of it."""


Event: TypeAlias = Text | Call | BadCall | Begun | More | Unmeant
