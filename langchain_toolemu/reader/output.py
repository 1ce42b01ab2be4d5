"""Collects the events of a reply in order, and holds back what is not decided yet.

Three things are held back: separators after a call (`_separators_after`), dropped if another call
follows; the calls of the last value (`_open`) while their envelope may grow; and calls after words
(`_undecided`), with the text after them, until their intent is known. Repeats of a call in another
envelope are dropped. A call in a tool result is never made.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from langchain_toolemu.reader import events, intent
from langchain_toolemu.reader.window import ProseHistory

MAX_CALLS = 128
IN_CODE = "code"  # the label of what is between back-ticks in a line
_TOO_MANY = f"a reply may hold {MAX_CALLS} calls at most; what follows is not read"
_SEPARATORS = " \t\r\n,;"
_MOST_JUDGED = 64  # groups of calls in one reply; the others are what the last one was
_MOST_REMARKS = {events.PossibleCall: 1, events.DeclinedCall: 8}  # in one reply
_DOUBT = "the words around it leave open whether it is meant"
_DECLINED = "the reply declines it"

CallEvent: TypeAlias = events.Call | events.BadCall
CallRemark: TypeAlias = events.PossibleCall | events.DeclinedCall


@dataclass(slots=True)
class PendingCalls:
    """Calls in a row that may still become text, and the text after the last."""

    setting: intent.CallSetting | None  # none where they are what the calls before them were
    parts: list[tuple[str, CallEvent]]  # each with the separators before it
    kind: events.TextKind  # what they are if they are text
    is_over: bool = False  # whether their envelope is closed
    after: list[events.Text] = field(default_factory=list)

    @property
    def text(self) -> str:
        """All of it as it was written."""
        return "".join(gap + call.raw for gap, call in self.parts)

    @property
    def may_be_made(self) -> bool:
        """Whether the words before the calls allow them."""
        return not self.setting or self.setting.preamble.may_act


@dataclass(slots=True, eq=False)
class Output:
    """Collects events until they are drained."""

    # Of a call, with what holds for the whole reply; none where every call counts.
    setting: Callable[..., intent.CallSetting] | None
    prose: ProseHistory = field(default_factory=ProseHistory)  # the prose so far
    kind: events.TextKind = "answer"  # of the text that comes now
    in_reasoning: bool = False  # whether a call that comes now is in a thought
    cut: bool = False  # whether the reply ended by the length limit
    _events: list[events.Event] = field(default_factory=list)
    _separators_after: list[events.Text] | None = field(default_factory=list)  # at the start, too
    _separators: str | None = None  # which characters: at the start, white space
    _open: PendingCalls | None = None
    _undecided: PendingCalls | None = None
    _calls: list[CallEvent] = field(default_factory=list)  # that were made, good or bad
    _remarks: list[CallRemark] = field(default_factory=list)
    _count: int = 0  # of calls that are not text
    _judged: int = 0
    _last_intent: intent.Intent = "made"
    _has_started: bool = False  # whether the call that comes next was begun to be emitted
    _is_made_up: bool = False  # whether the model writes a made-up turn

    @property
    def has_acted(self) -> bool:
        """Whether a call was or may be made, good or bad."""
        pending = self._open, self._undecided
        return bool(self._calls) or any(calls.may_be_made for calls in pending if calls)

    @property
    def full(self) -> bool:
        """Whether the reply holds more calls than are ever read from one."""
        return self._count > MAX_CALLS

    @property
    def is_broken(self) -> bool:
        """Whether the call that has just come could not be read."""
        last = self._open.parts[-1][1] if self._open else None
        return isinstance(last, events.BadCall) and last.reason == "unreadable"

    @property
    def speaks_of_calls(self) -> bool:
        """Whether the last call is only mentioned."""
        if self._undecided:
            return not self._undecided.may_be_made
        return self._last_intent != "made"

    def add_text(self, text: str) -> None:
        """Add words, or the text between calls."""
        if not text:
            return
        if self._is_made_up:
            self._events.append(events.MadeUpTurn(text))
            return
        self.prose.add(text)
        texts = [events.Text(text, self.kind)]
        if self._separators_after is not None:
            self._separators_after += texts
            if not text.strip(self._separators):
                return
            self.settle(words_follow=True)
            texts, self._separators_after = self._separators_after, None
        if self._undecided:
            self._undecided.after += texts
            self._decide(self._undecided, final=False)
        else:
            self._events += texts

    def add_mark(self, text: str) -> None:
        """Add a mark of a family's sections: no words, and never shown."""
        mark = events.Text(text, "mark")
        texts = self._undecided.after if self._undecided else self._events
        (texts if self._separators_after is None else self._separators_after).append(mark)

    def _emit_text(self, text: str, kind: events.TextKind | None = None) -> None:
        if text:
            self._events.append(events.Text(text, kind or self.kind))

    def add_calls(self, *calls: CallEvent, token: bool = False) -> None:
        """Add the calls of one value; `token`: in a model's special tokens."""
        self.settle()
        if self._undecided and self._undecided.after:
            self._decide(self._undecided, final=True)
        gap = self._take_separators()
        self._separators = _SEPARATORS
        setting = self._setting(calls[0].envelope, calls[0].explicit, calls, token=token)
        self.prose.restart(has_call=True)
        parts = []
        for call in calls:
            if self.full:
                break
            self._count += 1
            if self.full:
                source = call.raw, call.envelope, call.explicit
                call = events.BadCall(call.name, *source, "unreadable", _TOO_MANY)
            parts.append((gap, call))
            gap = ""
        self._open = PendingCalls(setting, parts, self.kind) if parts else None

    def _take_separators(self) -> str:
        """The separators before the next call; after a call that became text they are text, too."""
        gap, self._separators_after = self._separators_after, []
        if gap and (self._undecided or self._last_intent == "made"):
            return _joined(gap)
        self._events += gap or ()
        return ""

    def _setting(
        self, label: str, explicit: bool, calls: Sequence[CallEvent] = (), *, token: bool = False
    ) -> intent.CallSetting | None:
        """What decides on a call's intent; `None` if it follows another call."""
        if self.setting is None:
            return None
        if self.in_reasoning:
            return self.setting(intent.Preamble("neutral"), explicit, in_reasoning=True)
        before, in_code = self.prose.recent, label == IN_CODE
        begins = not in_code and not (before and intent.without_tokens(before).strip(_SEPARATORS))
        if begins and not self.prose.has_call:
            return self.setting(intent.Preamble("neutral"), explicit, begins=True, token=token)
        if begins or self._judged >= _MOST_JUDGED:
            return None
        last = self._last_intent if self.prose.has_call else None
        return self.setting(
            intent.read_preamble(before, last),
            explicit,
            token=token,
            in_code=in_code,
            alone=not self.prose.has_call and len(before.strip()) < 2,
            bound=not any(map(_is_of_unknown_tool, calls)),
        )

    def extend(self, raw: str) -> None:
        """Add text to the last call while its envelope is open; without a call it is text."""
        if self._open:
            gap, call = self._open.parts[-1]
            raw = call.raw + _joined(self._separators_after or ()) + raw
            self._open.parts[-1] = (gap, replace(call, raw=raw))
            self._separators_after = []
        elif self._undecided or not self._calls:
            self.add_text(raw)

    def retract(self) -> None:
        """Turn the last value's calls into text, if its envelope is still open.

        Sample unopened-think-forgotten.
        """
        if not self._open or self._has_started:
            return
        calls, self._open = self._open, None
        self._count -= len(calls.parts)
        text = calls.text + _joined(self._separators_after or ())
        self._separators_after = None
        if self._undecided:
            self._undecided.after.append(events.Text(text, self.kind))
        else:
            self._emit_text(text)

    def may_start_call(self, started: events.CallStarted, label: str, *, explicit: bool) -> bool:
        """Whether a long call may be streamed: not if it may be text, a repeat, or one too many."""
        if self._open and self._open.is_over:
            self.settle()
        good = _good(self._calls)
        if self._undecided or len(good) < len(self._calls) or self._count >= MAX_CALLS:
            return False
        named, given = [call.args for call in good if call.name == started.name], started.args
        if any(all(args.get(key) == given[key] for key in given) for args in named):
            return False
        setting = self._setting(label, explicit)
        return setting.is_sure if setting else self._last_intent == "made"

    def add(self, event: events.CallDelta | events.HalfThought) -> None:
        """Emit an event at once."""
        self._events.append(event)

    def start_call(self, started: events.CallStarted) -> None:
        """Start to stream a long call."""
        self.settle()
        self._events.append(started)
        self._has_started = True

    def settle(self, *, value_ends: bool = False, words_follow: bool = False) -> None:
        """Close the envelope of the last value; at the start, once something follows."""
        if not self._open:
            return
        calls, setting = self._open, self._open.setting
        calls.is_over |= value_ends
        if setting and setting.begins and not self._has_started:
            if value_ends:
                return
            setting = setting if words_follow and calls.is_over else None
        self._open = None
        if self._has_started:
            self._has_started = False
            self._emit_calls(calls.parts)
        elif self._undecided:
            self._undecided.parts += calls.parts
        elif setting is None and self._last_intent == "made":
            self._emit_calls(calls.parts)
        else:
            self._undecided = calls
            self._decide(calls, final=False)

    def _decide(self, calls: PendingCalls, *, final: bool) -> None:
        """Emit undecided calls and the text after them, once their intent is known."""
        meaning: intent.Intent | None = self._last_intent
        if calls.setting:
            meaning = calls.setting.judge(_joined(calls.after), final=final)
            if calls.setting.in_reasoning and final and self.cut:
                meaning = "quoted"  # the thought was not over
        if meaning is None:
            return
        self._undecided = None
        self._judged += 1
        self._last_intent = meaning
        if meaning == "made":
            self._emit_calls(calls.parts)
        else:
            self._emit_as_text(calls, meaning)
        self._events += calls.after

    def _emit_as_text(self, pending: PendingCalls, meaning: intent.Intent) -> None:
        calls = [call for _, call in pending.parts]
        self._count -= len(calls)
        self._emit_text(pending.text, pending.kind)
        good = _good(calls)
        if meaning == "declined":
            self._remark(events.DeclinedCall, good, _DECLINED)
        elif meaning == "asked" and not _is_of_unknown_tool(calls[0]):
            self._remark(events.PossibleCall, calls[:1], _DOUBT)

    def _remark(self, kind: type[CallRemark], calls: Iterable[CallEvent], detail: str) -> None:
        """Emit remarks about calls, until there are enough of their kind."""
        for call in calls:
            if sum(isinstance(remark, kind) for remark in self._remarks) < _MOST_REMARKS[kind]:
                args = call.args if isinstance(call, events.Call) else {}
                source = call.raw, call.envelope
                remark = kind(call.name, args, *source, detail)  # type: ignore[arg-type]
                self._remarks.append(remark)
                self._events.append(remark)

    def _emit_calls(self, parts: Iterable[tuple[str, CallEvent]]) -> None:
        for gap, call in parts:
            if isinstance(call, events.Call) and self._calls and self._is_restated(call):
                continue
            self._calls.append(call)
            self._events.append(replace(call, raw=gap + call.raw) if gap.strip() else call)

    def _is_restated(self, call: events.Call) -> bool:
        """Whether the reply has stated a call before, in another envelope.

        Sample restated-out-of-order.
        """
        good = _good(self._calls)
        equal = (made for made in good if (made.name, made.args) == (call.name, call.args))
        if (first := next(equal, None)) and first.envelope != call.envelope:
            return True
        indices = [i for i, made in enumerate(self._calls) if isinstance(made, events.Call)]
        before_good = self._calls[: max(indices, default=0)]
        bad_calls = [made for made in before_good if isinstance(made, events.BadCall)]
        other = [bad for bad in bad_calls if bad.envelope != call.envelope]
        return any(call.name == bad.name if bad.name else call.name in bad.raw for bad in other)

    def disown(self) -> None:
        """Everything so far was a thought: its calls are not made."""
        self.settle()
        if calls := self._undecided:
            self._undecided = None
            self._count -= len(calls.parts)
            self._emit_text(calls.text, calls.kind)
            self._events += calls.after
        if self._calls or self._remarks:
            self._events.append(events.CallsDisowned())
        self._last_intent = "made"
        self._calls.clear()
        self._remarks.clear()

    def begin_answer(self) -> None:
        """The end of a thought: what comes next begins the answer."""
        self._settle_all()
        self.prose.restart()
        self._last_intent = "made"

    def make_up(self) -> None:
        """Everything from here on is a made-up turn."""
        self._settle_all()
        if not self._count:
            self._emit_text(self._take_separators())
        self._is_made_up = True

    def end(self) -> None:
        """The reply is over: white space of a reply without calls is its text."""
        self._settle_all()
        gap, self._separators_after = self._separators_after or [], []
        if gap and (self._last_intent != "made" or not self._count or _joined(gap).strip()):
            self._events += gap

    def _settle_all(self) -> None:
        self.settle()
        if self._undecided:
            self._decide(self._undecided, final=True)

    def drain(self) -> list[events.Event]:
        """The events since the last drain."""
        drained, self._events = self._events, []
        return list(events.merge_neighbours(drained)) if len(drained) > 1 else drained


def _joined(texts: Iterable[events.Text]) -> str:
    return "".join(text.text for text in texts)


def _good(calls: Iterable[CallEvent]) -> list[events.Call]:
    return [call for call in calls if isinstance(call, events.Call)]


def _is_of_unknown_tool(call: CallEvent) -> bool:
    return isinstance(call, events.BadCall) and call.reason == "unknown_tool"
