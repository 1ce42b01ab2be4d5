"""What the reader makes of a reply, held against the truth.

The rule here: a call that is not of the truth is wrong, however close it came, and whatever
the fault destroyed; a fault that destroys information is passed by refusing, never by guessing. A
call whose arguments do not fit the schema, and are noted as not fitting, is no wrong call: nobody
runs it unaware. It is not a right one either.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, get_args

from langchain_toolemu.reader import Reader
from langchain_toolemu.reader.events import BadCall, Call, Event, Text
from langchain_toolemu.validation import fit
from tests.benchmarks.bfcl import prose
from tests.benchmarks.bfcl.cases import Called, Case

Outcome: TypeAlias = Literal["correct", "refused", "missed", "noted", "wrong"]
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)
PASSED: frozenset[Outcome] = frozenset({"correct", "refused"})


@dataclass(frozen=True)
class Reply:
    """A reply to read, and how it came to be.

    Attributes:
        forced: The tool that was demanded, if one was.
        cut: Whether it ended by the length limit.
        may_refuse: Whether the fault destroyed what is needed to tell the calls.
    """

    text: str
    case: Case
    forced: str | None = None
    cut: bool = False
    may_refuse: bool = False


@dataclass(frozen=True)
class Reading:
    """What was read: the calls, those that do not fit their schema, and the rest."""

    calls: tuple[Called, ...]
    noted: tuple[Called, ...]
    bad: tuple[BadCall, ...]
    shown: str


def read(reply: Reply, piece: int = 0) -> Reading:
    """Read a reply, whole or in pieces of so many characters."""
    reader = Reader(reply.case.tools, forced=reply.forced)
    events: list[Event] = []
    size = piece or len(reply.text) or 1
    for start in range(0, len(reply.text), size):
        events += reader.feed(reply.text[start : start + size])
    events += reader.close(cut=reply.cut)
    calls, noted = _fitted(events, reply.case)
    bad = tuple(event for event in events if isinstance(event, BadCall))
    return Reading(calls, noted, bad, "".join(one.text for one in events if isinstance(one, Text)))


def _fitted(events: Sequence[Event], case: Case) -> tuple[tuple[Called, ...], tuple[Called, ...]]:
    calls, noted = [], []
    for event in events:
        if isinstance(event, Call):
            fitted = fit(event.args, case.spec(Called(event.name, {})).parameters)
            call = Called(event.name, fitted.args)
            fits = not fitted.errors or any(same_call(call, one) for one in case.calls)
            (calls if fits else noted).append(call)
    return tuple(calls), tuple(noted)


def judge(reply: Reply, reading: Reading) -> Outcome:
    """How a reading did."""
    truth = reply.case.calls
    if not _in_order(reading.calls, truth):
        return "wrong"
    if reading.noted:
        return "refused" if reply.may_refuse else "noted"
    if len(reading.calls) == len(truth):
        return "correct"
    return "refused" if reply.may_refuse else "missed"


def _in_order(calls: Sequence[Called], truth: Sequence[Called]) -> bool:
    """Whether every call is one of the truth's, in its order."""
    rest = iter(truth)
    return all(any(same_call(call, one) for one in rest) for call in calls)


def same_call(one: Called, other: Called) -> bool:
    """Whether two calls say the same."""
    return one.name == other.name and same(one.args, other.args)


def same(one: Any, other: Any) -> bool:
    """Whether two values are the same JSON: 1 is 1.0, and neither is true."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, (list, tuple)) and isinstance(other, (list, tuple)):
        return len(one) == len(other) and all(map(same, one, other))
    return one == other and isinstance(one, bool) == isinstance(other, bool)


def off_text(reply: Reply, reading: Reading) -> str:
    """What is wrong with the words shown beside the calls; nothing if all is well."""
    said = [sentence for sentence in prose.EVERY if sentence in reply.text]
    if lost := [sentence for sentence in said if sentence not in reading.shown]:
        return f"lost: {lost[0]}"
    left = reading.shown
    for sentence in said:
        left = left.replace(sentence, "")
    left = left.replace("Thought:", "").strip()
    return f"leaked: {left}" if left else ""
