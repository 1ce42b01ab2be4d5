"""The log of one reply: everything that was read of it, in order, and what of it may be shown.

Entries are appended and never changed. Which of them were shown, a `Cursor` says. What comes next moves it by one pure function,
`advance`: a held text that comes out late, twice or never is a fault of that function.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile
from typing import Any, Literal, NamedTuple, TypeAlias

from langchain_toolemu.messages.content import Part, Words
from langchain_toolemu.reader import events
from langchain_toolemu.reader.events import BadCall, Call, DeclinedCall, PossibleCall
from langchain_toolemu.turn.reply_setup import EarlierCalls, Hold, ReplyCall
from langchain_toolemu.turn.reply_text import ReplyText
from langchain_toolemu.turn.suspicion import MAX_OPENING, Suspicion
from langchain_toolemu.turn.turn_output import Doubt, TurnWarning, warning

_MOST_REPEATS = 5  # identical calls in a row; who makes more does not stop
_SHOWN = ("disowned", "broken")  # calls that were shown, and must not run

Remark: TypeAlias = PossibleCall | DeclinedCall | events.MadeUpTurn | events.HalfThought
_OF_NO_CALL: TypeAlias = events.MadeUpTurn | events.HalfThought

Lane: TypeAlias = Literal["out", "held", "aside"]
"""Where an entry goes: shown at once; held, in its order, until it is released; not shown at all."""


class Entry(NamedTuple):
    """What was read, and where it goes."""

    item: Part | ReplyCall | Remark
    lane: Lane


HOLDS_CALLS = ("calls", "everything")


class Cursor(NamedTuple):
    """How far a reply was shown, and what holds the rest back."""

    hold: Hold  # what is held back by the way of asking
    suspects: bool  # whether the opening may still be something else than the answer
    holds: bool  # whether words are held now
    suspicion: Suspicion = "none"
    doubts: bool = False  # whether a call is doubted, with which all that follows waits
    held_from: int = 0  # of the lane "held", what stands before this was shown
    calls_from: int = 0  # calls before this were thoughts
    settled: bool = False  # whether doubted calls next to one that stands were decided on

    def after_release(self, end: int) -> "Cursor":
        """All that is held so far is shown."""
        return self._replace(held_from=end, holds=False, suspects=False)

    def with_hold(self) -> "Cursor":
        """All that follows is held."""
        return self._replace(holds=True, suspects=False)


def advance(cursor: Cursor, item: Part | ReplyCall | Remark, end: int) -> tuple[Cursor, Lane]:
    """Where the next item goes that was read, as entry number `end`, and how far the reply may be shown with it."""
    if not isinstance(item, ReplyCall):
        if isinstance(item, Remark):
            return cursor, "aside"
        return cursor, "held" if cursor.holds else "out"
    match item.verdict:
        case "accepted" if cursor.doubts:
            return cursor, "held"
        case "accepted" if cursor.hold in HOLDS_CALLS:
            return cursor.with_hold(), "held"
        case "accepted":
            return cursor.after_release(end), "out"
        case "doubted":
            # With all that follows it; the words before it stand.
            may_be_refusal = cursor.suspects and cursor.hold in ("nothing", "calls")
            before = cursor.after_release(end) if may_be_refusal else cursor
            return before.with_hold()._replace(doubts=True), "held"
        case "broken" | "disowned":
            return cursor, "aside"
        case "quoted":
            return cursor.with_hold(), "held"  # to the end, when it is shown to the letter
    # Where calls are held, words after one are shown in their order.
    return cursor.with_hold() if cursor.hold == "calls" else cursor, "aside"


@dataclass(slots=True, eq=False)
class ReplyLog:
    """The entries of one reply, in order, and how far they were shown."""

    cursor: Cursor
    entries: list[Entry] = field(default_factory=list)
    _calls: list[int] = field(default_factory=list)  # where in the entries

    def add(self, item: Part | ReplyCall | Remark) -> list[Part]:
        """Append what was read; returns what may be shown now."""
        end, before = len(self.entries), self.cursor
        self.cursor, lane = advance(before, item, end)
        shown = self._held(before.held_from) if self.cursor.held_from > before.held_from else []
        if isinstance(item, ReplyCall):
            self._calls.append(end)
        self.entries.append(Entry(item, lane))
        if lane == "out":
            shown.append(item.call if isinstance(item, ReplyCall) else item)
        return shown

    def set(self, **changed: Any) -> None:
        """Replace the cursor."""
        self.cursor = self.cursor._replace(**changed)

    def calls(self) -> list[tuple[ReplyCall, Lane]]:
        """The calls that stand in no thought, and where they go."""
        if not self._calls:
            return []
        start = self.cursor.calls_from
        return [self.entries[place] for place in self._calls if place >= start]  # type: ignore[misc]

    def records(self) -> list[ReplyCall]:
        """The calls so far, whatever became of them."""
        return [record for record, _ in self.calls() if record.verdict != "disowned"]

    def earlier_calls(self) -> EarlierCalls:
        """The same, and those that are made, as far as nothing speaks against them any more."""
        return EarlierCalls.of(self.records())

    def remarks(self) -> list[Remark]:
        """What was read besides calls and words; of calls in a thought nothing is said."""
        found: list[Remark] = []
        for place, (item, _) in enumerate(self.entries):
            kinds = Remark if place >= self.cursor.calls_from else _OF_NO_CALL
            if isinstance(item, kinds):
                found.append(item)
        return found

    def _held(self, start: int) -> list[Any]:
        """What was held from an entry on, in its order."""
        return [
            _part_of(item) if isinstance(item, ReplyCall) else item
            for item, lane in self.entries[start:]
            if lane == "held"
        ]

    # --- what may be shown ---

    def release(self) -> list[Part]:
        """Show what is held."""
        held = self.held_parts()
        self.cursor = self.cursor.after_release(len(self.entries))
        return held

    def held_parts(self) -> list[Part]:
        """What is held, without the calls that are never made beside others."""
        held = self._held(self.cursor.held_from)
        if not self.cursor.settled:
            return held
        never = {id(record.call) for record in self.records() if record.is_left_out}
        return [part for part in held if id(part) not in never]

    def opening(self) -> str:
        """The first words that are held, as many as their check looks at."""
        text = ""
        for part in self._held(self.cursor.held_from):
            text += part.text[: MAX_OPENING - len(text)] if isinstance(part, Words) else ""
            if len(text) >= MAX_OPENING:
                break
        return text

    def repeats(self, call: Call) -> bool:
        """Whether a call is one too many of identical ones in a row."""
        last = [(past.name, past.args) for past in self.earlier_calls().accepted[-_MOST_REPEATS:]]
        return last == [(call.name, call.args)] * _MOST_REPEATS

    def disown(self) -> list[Part]:
        """All so far was a thought: calls that were not shown are text, and those that were are broken."""
        calls, end = self.calls(), len(self.entries)
        shown = [call for call, lane in calls if call.verdict == "accepted" and lane == "out"]
        broken = [record for record, _ in calls if record.verdict == "broken"]
        held = [*map(_as_text, self._held(self.cursor.held_from))]
        aside = (call for call, lane in calls if lane == "aside" and call.verdict not in _SHOWN)
        text = [_as_text(record.call) for record in aside]
        self.set(held_from=end, calls_from=end, doubts=False)
        for record in (*(replace(record, verdict="disowned") for record in shown), *broken):
            self.add(record)
        out = [words for part in (*held, *text) for words in self.add(part)]
        return [*out, events.CallsDisowned()] if shown else out

    # --- at the end ---

    def settle_doubts(self) -> None:
        """Decide on the doubted calls next to which another one stands."""
        found = [record.verdict for record, _ in self.calls()]
        self.set(settled="accepted" in found[found.index("doubted") :])

    @property
    def shows_call(self) -> bool:
        """Whether a call was accepted that does not wait with a doubted one."""
        found = (record.verdict for record, _ in self.calls())
        return "accepted" in takewhile("doubted".__ne__, found)


def _part_of(record: ReplyCall) -> Part:
    return _as_text(record.call) if record.verdict == "quoted" else record.call


def _as_text(part: Part) -> Part:
    return Words(part.raw) if isinstance(part, Call | BadCall) else part


@dataclass(frozen=True, slots=True)
class ReplySummary:
    """What was read of a reply that has ended. Plain data, no logic."""

    raw: str = ""
    calls: tuple[Call, ...] = ()  # accepted
    misfits: tuple[Call, ...] = ()  # whose arguments do not fit
    doubted: tuple[ReplyCall, ...] = ()  # by the policy, and not decided on
    held_back: tuple[ReplyCall, ...] = ()  # by the policy, without a question
    reviewed: tuple[ReplyCall, ...] = ()  # all that the policy did not simply accept
    quoted: tuple[ReplyCall, ...] = ()  # text of the conversation, and not the model's calls
    unwanted: tuple[Call, ...] = ()  # of another tool than the demanded, or where none is offered
    surplus: tuple[Call, ...] = ()  # after those that were wanted
    bad_calls: tuple[BadCall, ...] = ()  # cannot be run
    broken: tuple[BadCall, ...] = ()  # whose arguments were shown and never ended
    disowned: tuple[Call, ...] = ()  # shown, and stood in a thought
    remarks: tuple[Remark, ...] = ()
    held: tuple[Part, ...] = ()  # what was not shown and is not text only
    rest: Callable[[], Sequence[Part]] = tuple  # what was not shown, to the letter
    suspicion: Suspicion = "none"  # what its opening is, if not the model's answer
    unremarkable: bool = False  # whether its calls were all accepted, and nothing else was found

    @property
    def unshown(self) -> tuple[Part, ...]:
        """What was not shown, to the letter; few rules want it."""
        return tuple(self.rest())

    @property
    def rejected(self) -> tuple[ReplyCall, ...]:
        """The doubted calls that are not made even if the model insists."""
        return tuple(record for record in self.doubted if record.review.final)

    @property
    def askable(self) -> tuple[Call, ...]:
        """The doubted calls that may be made."""
        found = (record.call for record in self.doubted if not record.review.final)
        return tuple(call for call in found if isinstance(call, Call))

    @property
    def without_rejected(self) -> tuple[Part, ...]:
        """What is held, with the calls that are never made as invalid ones."""
        invalid = {id(record.call): record.as_invalid for record in self.rejected}
        return tuple(invalid.get(id(part), part) for part in self.held)

    @property
    def possible_call(self) -> PossibleCall | None:
        """The first call of which the words around it leave open whether it is meant."""
        return next((remark for remark in self.remarks if isinstance(remark, PossibleCall)), None)

    @property
    def declines_call(self) -> bool:
        """Whether it declines a call, or only quotes one."""
        return bool(self.quoted) or any(isinstance(it, DeclinedCall) for it in self.remarks)

    @property
    def half_thoughts(self) -> set[str]:
        """Which ends of thoughts are lacking."""
        return {remark.lacks for remark in self.remarks if isinstance(remark, events.HalfThought)}

    @property
    def is_blank(self) -> bool:
        """Whether it has no words, or none but those of a turn that the model made up."""
        ends = (remark.text for remark in self.remarks if isinstance(remark, events.MadeUpTurn))
        return not self.raw.removesuffix("".join(ends)).strip()

    @property
    def thoughts(self) -> tuple[Part, ...]:
        """What was not shown of thoughts, where they are told from the answer."""
        words = (part for part in self.unshown if isinstance(part, Words))
        return tuple(part for part in words if part.kind != "answer")

    @property
    def doubts(self) -> Iterator[Doubt]:
        """What the policy, or the words around a call, says against its calls."""
        yield from (record.doubt(self.calls) for record in self.reviewed)
        for kind, label in ((PossibleCall, "unclear"), (DeclinedCall, "declined")):
            for remark in self.remarks:
                if isinstance(remark, kind):
                    yield Doubt(remark.name, remark.args, f"{label}: {remark.detail}")

    @property
    def quoted_call_warnings(self) -> tuple[TurnWarning, ...]:
        """Warnings for calls that are taken for text."""
        return tuple(
            warning("call_quoted", name=record.call.name, why=record.review)
            for record in self.quoted
        )

    @property
    def dropped_call_warnings(self) -> tuple[TurnWarning, ...]:
        """Warnings for dropped made-up turns and for calls that are not made."""
        made_up = any(isinstance(remark, events.MadeUpTurn) for remark in self.remarks)
        dropped = {
            "call_surplus": self.surplus, "call_in_thought": self.disowned,
            "call_not_asked_for": self.unwanted,
        }  # fmt: skip
        return (
            *((warning("made_up_turn"),) if made_up else ()),
            *(record.warning for record in self.held_back),
            *(warning(code, name=call.name) for code, calls in dropped.items() for call in calls),
        )


NOTHING = ReplySummary(unremarkable=True)
"""The summary of a reply without text."""

_KEPT_WITH_REVIEW = ("doubted", "held_back", "quoted")
_FIELDS = {"accepted": "calls", "misfit": "misfits", "bad": "bad_calls"}
"""Where the summary has the calls of a verdict, if not under its name."""


def summarize(
    log: ReplyLog, records: Sequence[ReplyCall], text: ReplyText, shown: int
) -> ReplySummary:
    """What was read, once the reply has ended, with what its calls are worth, and of which so many characters were shown."""
    found: defaultdict[str, list[Any]] = defaultdict(list)
    cursor = log.cursor
    left_out = {id(record.call) for record in records if record.verdict == "held_back"}
    held = [part for part in log.held_parts() if id(part) not in left_out]
    for record in records:
        if record.review.outcome != "accept":
            found["reviewed"].append(record)
        field = _field(record, cursor)
        found[field].append(record if field in _KEPT_WITH_REVIEW else record.call)
    remarks = tuple(log.remarks())
    if found.keys() <= {"reviewed", "quoted"} and "quoted" in found:
        held = text.after(shown, held)  # nothing but text, so not a letter is lost
    return ReplySummary(
        raw=text.raw,
        remarks=remarks,
        held=tuple(held),
        rest=lambda: text.after(shown, held),
        suspicion=cursor.suspicion,
        unremarkable=found.keys() <= {"calls"} and not remarks,
        **{name: tuple(calls) for name, calls in found.items()},
    )


def _field(record: ReplyCall, cursor: Cursor) -> str:
    """Where the summary has a call."""
    if record.verdict == "doubted" and cursor.settled:
        return "held_back" if record.is_left_out else "calls"
    return _FIELDS.get(record.verdict, record.verdict)
