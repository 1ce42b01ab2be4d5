"""What a notation returns: calls, a call that cannot be run, or text.

`conclude` turns it into events.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from langchain_toolemu.reader import vocabulary
from langchain_toolemu.reader.call_arguments import FoundCall
from langchain_toolemu.reader.context import Context
from langchain_toolemu.reader.events import BadCall, BadCallReason, Call, CallStarted
from langchain_toolemu.reader.tags import Tag, TagSet
from langchain_toolemu.reader.window import Waiting
from langchain_toolemu.tools import ToolSpec

# Why a call cannot be read, in words for the model and the user: those that several notations say.
COMPUTED = "its arguments are no plain values"
CUT = "the reply ends inside it"
INCOMPLETE = "it ends before every required argument is there"
NAMELESS = "it names no tool"
NO_SUCH_TOOL = "no bound tool is named {!r}"
TWO_BRACKETINGS = "a bracket is missing, and it can be read in two ways"
TWO_QUOTINGS = "its quotes can be read in two ways"

BARE = "json"
"""The label of what is in no envelope."""


@dataclass(frozen=True, slots=True)
class Envelope:
    """What a call is written in."""

    label: str
    explicit: bool  # whether it can mean nothing but a call
    prints: bool = False  # whether a call is printed there
    token: bool = False  # whether it is a special token of a model
    is_own: bool = False  # whether it is that of a user's own dialect


@dataclass(frozen=True, slots=True)
class Bad:
    """A call that was meant and cannot be run."""

    reason: BadCallReason
    detail: str
    name: str | None = None
    text: str = ""  # what was taken of it already; the consumed text ends it
    label: str = ""  # how it is written, where there is no envelope that says so

    def event(self, label: str, explicit: bool, rest: str) -> BadCall:
        """The event of it, with the rest of its text."""
        return BadCall(self.name, self.text + rest, label, explicit, self.reason, self.detail)


@dataclass(frozen=True, slots=True)
class Calls:
    """Calls, in order."""

    found: Sequence[FoundCall]
    notes: Sequence[str] = ()  # what was fixed in all of them
    slices: Sequence[str] = ()
    bad: Bad | None = None  # what follows them and cannot be run: then the consumed text is its own
    label: str = ""  # how they are written, where there is no envelope that says so
    before: str = ""  # words before them that were taken already


@dataclass(frozen=True, slots=True)
class NotACall:
    """Text, as far as it was taken already."""

    text: str = ""


Outcome: TypeAlias = Calls | Bad | NotACall
NOT_A_CALL = NotACall()


@dataclass(eq=False)
class Notation:
    """Reads what is written in one way, from where the window is."""

    _context: Context
    _envelope: Envelope

    def __post_init__(self) -> None:
        self._window = self._context.window


@dataclass(slots=True)
class Row:
    """Calls in a row, emitted together: as calls, or as text."""

    label: str = ""
    found: list[FoundCall] = field(default_factory=list)
    slices: list[str] = field(default_factory=list)
    notes: dict[str, None] = field(default_factory=dict)

    def add(self, found: FoundCall, text: str) -> None:
        """One more call, and its text."""
        self.found.append(found)
        self.slices.append(text)

    def calls(self, bad: Bad | None = None) -> Outcome:
        """All of them as calls, with a bad one after them."""
        if not self.found:
            return bad or NOT_A_CALL
        return Calls(self.found, tuple(self.notes), self.slices, bad, self.label)

    def text(self) -> NotACall:
        """All of them as text."""
        return NotACall("".join(self.slices))


def conclude(context: Context, envelope: Envelope, outcome: Outcome) -> bool:
    """Emit what was read; whether it was a call, good or bad."""
    output, take, explicit = context.output, context.window.take, envelope.explicit
    if isinstance(outcome, NotACall):
        output.add_text(outcome.text)
        context.release()
        return False
    label = (envelope.label == BARE and outcome.label) or envelope.label
    if isinstance(outcome, Bad):
        output.add_calls(outcome.event(label, explicit, take()), token=envelope.token)
        return True
    output.add_text(outcome.before)
    raws = list(outcome.slices)
    if not outcome.bad:
        raws = [*raws[:-1], "".join(raws[-1:]) + take()]
    if len(raws) != len(outcome.found):
        raws = ["".join(raws), *[""] * (len(outcome.found) - 1)]
    pairs = zip(outcome.found, raws, strict=True)
    events = [_event(call, raw, label, explicit, outcome.notes) for call, raw in pairs]
    output.add_calls(*events, token=envelope.token)
    if outcome.bad:
        output.add_calls(outcome.bad.event(label, explicit, take()))
    return True


def _event(
    call: FoundCall, raw: str, label: str, explicit: bool, notes: Sequence[str]
) -> Call | BadCall:
    name = call.spec.name if call.spec else call.written or None
    if call.fault or call.spec is None:
        reason: BadCallReason = "unreadable" if call.fault else "unknown_tool"
        return BadCall(
            name, raw, label, explicit, reason, call.fault or NO_SUCH_TOOL.format(call.written)
        )
    return Call(call.spec.name, call.args, raw, label, explicit, (*call.notes, *notes))


def beginning(
    context: Context, envelope: Envelope, spec: ToolSpec, args: Mapping[str, Any], key: str
) -> CallStarted | None:
    """The start of a call, if its text argument may be streamed."""
    if spec.kinds_of(key) != {"string"}:
        return None
    started = CallStarted(spec.name, args, key)
    may = context.output.may_start_call(started, envelope.label, explicit=envelope.explicit)
    return started if may else None


_LEFT_CLOSERS = TagSet(
    vocabulary.OPEN | vocabulary.WEAK | vocabulary.CLOSE | vocabulary.REGION | vocabulary.LEFT
)
_STRAY = re.compile(r"(?:`{3,}\s*\Z|JSON_END\b)")
_MAY_BE_STRAY = re.compile(r"(?:`+\s*|J(?:S(?:O(?:N(?:_(?:E(?:N(?:D)?)?)?)?)?)?)?)\Z")
_LONGEST_STRAY = 64


def ends_region(tag: Tag) -> bool:
    """Whether a tag of a thought or a result is its last."""
    return tag.closing or tag.word in vocabulary.THOUGHT_END | vocabulary.RESULT_END


def read_tail(context: Context) -> Waiting[None]:
    """Consume closing tags and marks after a call: they belong to it."""
    window = context.window
    window.flowing = False
    while True:
        char = yield from window.past_space()
        if char and char in "`J":
            yield from _take_closing_mark(context)
        if not char or char not in "<[&]" or not (yield from _take_closing_tag(context)):
            return


def _take_closing_tag(context: Context) -> Waiting[bool]:
    tag = yield from _LEFT_CLOSERS.peek(context.window)
    if tag is None:
        return False
    if not (ends_region(tag) or tag.word in vocabulary.CLOSE or vocabulary.ENDING.match(tag.raw)):
        return False
    if tag.word in vocabulary.REGION:  # sample unopened-think
        context.output.retract()
        return False
    context.window.pos += len(tag.raw)
    context.output.extend(context.window.take())
    return True


def _take_closing_mark(context: Context) -> Waiting[None]:
    """A fence that ends the reply, or `JSON_END`."""
    window = context.window

    def length(ahead: str, final: bool) -> int | None:
        found = _STRAY.match(ahead)
        if found and (window.ended or found.end() < len(ahead)):
            return len(found.group().rstrip())
        return None if not final and (found or _MAY_BE_STRAY.match(ahead)) else 0

    if size := (yield from window.ask(_LONGEST_STRAY, length)):
        window.pos += size
        context.output.extend(window.take())
