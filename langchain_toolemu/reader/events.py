"""What the reader reports about a reply: frozen values, in the order of the text.

`PossibleCall` and `DeclinedCall` follow the text of a call that is not made. A long call comes as
`CallStarted` and `CallDelta`s; the `Call` or `BadCall` after them says how it ended.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any, Literal, TypeAlias

BadCallReason: TypeAlias = Literal["cut", "unreadable", "unknown_tool", "rejected"]
TextKind: TypeAlias = Literal["answer", "thought", "mark"]
"""What a text is: the answer, a thought, or a mark that begins or ends one or a section."""


@dataclass(frozen=True, slots=True)
class Text:
    """Words of the reply that are not part of any call."""

    text: str
    kind: TextKind = "answer"  # which all are where thoughts are not distinguished


@dataclass(frozen=True, slots=True)
class Call:
    """A complete call of a bound tool."""

    name: str  # the tool's own, however the model spelled it
    args: Mapping[str, Any]  # as read, until validation has repaired what it can without loss
    raw: str  # the text it was read from, envelope included
    envelope: str  # how it was written, e.g. `"json"`, `"fence"`, `"tool_call"`, `"python"`
    # Whether the envelope can only mean a call (a tag, a `json action` fence), so that it counts
    # even in a reply that was not asked for calls in text.
    explicit: bool
    notes: tuple[str, ...] = ()  # what was repaired, in words a user understands
    errors: tuple[str, ...] = ()  # what does not fit its schema, for the model and the user
    id: str | None = None  # the provider's, of a call that it made itself


@dataclass(frozen=True, slots=True)
class BadCall:
    """A call that cannot be run: cut off, unreadable, or of a tool that is not bound."""

    name: str | None
    raw: str
    envelope: str
    explicit: bool
    reason: BadCallReason
    detail: str
    id: str | None = None


@dataclass(frozen=True, slots=True)
class PossibleCall:
    """A complete call that may only be mentioned.

    Its text was sent as `Text`. It is not run, but the model may be asked.
    """

    name: str | None
    args: Mapping[str, Any]  # none if they could not be read
    raw: str
    envelope: str
    detail: str  # what puts it in doubt, in words for the model and the user


@dataclass(frozen=True, slots=True)
class DeclinedCall:
    """A complete call that is declined: not run, never asked about. Its text was sent as `Text`."""

    name: str
    args: Mapping[str, Any]
    raw: str
    envelope: str
    detail: str  # why it is not run, in words for the user


@dataclass(frozen=True, slots=True)
class CallStarted:
    """A call with a long string argument that is still being written."""

    name: str
    args: Mapping[str, Any]  # before that one, as read
    key: str  # of the argument that is being written
    begun: str = field(default="", compare=False)  # its first letters


@dataclass(frozen=True, slots=True)
class CallDelta:
    """A further piece of the argument that is being written."""

    text: str


@dataclass(frozen=True, slots=True)
class CallsDisowned:
    """A thought ended that was never opened: the calls before it were only thoughts."""


@dataclass(frozen=True, slots=True)
class HalfThought:
    """A thought that was not opened, not closed, or that the prompt may have begun."""

    lacks: Literal["beginning", "end", "both"]


@dataclass(frozen=True, slots=True)
class MadeUpTurn:
    """A made-up tool result or turn of another speaker, with everything after it."""

    text: str


Event: TypeAlias = (
    Text
    | Call
    | BadCall
    | PossibleCall
    | DeclinedCall
    | CallStarted
    | CallDelta
    | CallsDisowned
    | HalfThought
    | MadeUpTurn
)  # fmt: skip


def merge_neighbours(events: Iterable[Event]) -> Iterator[Event]:
    """The events, with neighbouring text of one kind as one event."""
    for _, run in groupby(events, lambda event: (type(event), getattr(event, "kind", None))):
        first, *others = run
        if not isinstance(first, Text | CallDelta | MadeUpTurn):
            yield from (first, *others)
        else:
            more = "".join(getattr(event, "text", "") for event in others)
            yield replace(first, text=first.text + more) if more else first
