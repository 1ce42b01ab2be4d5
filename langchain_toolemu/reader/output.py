"""The events, in the order of the reply.

The rules of this module: neighbouring text is one event; white space is dropped only next to calls; a call that the
reply states again in another envelope is one call, while identical calls side by side stay as many as they are; calls
come in the order in which they were stated first, or not at all. A call after words waits until it is judged, and so
does what follows it. A call that stands in a tool result is never made.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any

from langchain_toolemu.reader.events import (
    BadCall,
    Call,
    CallDelta,
    CallsDisowned,
    CallStarted,
    DeclinedCall,
    Event,
    HalfThought,
    Kind,
    MadeUpTurn,
    PossibleCall,
    ResultTexts,
    Text,
)
from langchain_toolemu.reader.intent import (
    Case,
    Intent,
    ThoughtCase,
    read_preamble,
    without_tokens,
)
from langchain_toolemu.reader.said import Said

MAX_CALLS = 128
_TOO_MANY = f"a reply may hold {MAX_CALLS} calls at most; what follows is not read"
_BETWEEN_CALLS = " \t\r\n,;"
IN_CODE = "code"
"""The label of what is between back-ticks in a line."""

_MOST_JUDGED = 64  # groups of calls in one reply; the others are what the last one was
_DOUBT = "the words around it leave open whether it is meant"
_DECLINED = "the reply declines it"
_HELD = "it stands in a tool result"
_MOST_DECLINED = 8  # events of one reply


@dataclass(slots=True)
class Group:
    """Calls in a row, with what is between them, and the words after the last.

    Attributes:
        case: What is judged of them; nothing where they are what the calls before them were.
        parts: Calls, and the separators before each, to the letter.
        kind: What they are if they are text.
    """

    case: Case | ThoughtCase | None
    parts: list[str | Call | BadCall] = field(default_factory=list)
    after: list[Text] = field(default_factory=list)
    kind: Kind = "answer"

    @property
    def calls(self) -> list[Call | BadCall]:
        """The calls alone."""
        return [part for part in self.parts if not isinstance(part, str)]

    @property
    def text(self) -> str:
        """All of it as it was written."""
        return "".join(part if isinstance(part, str) else part.raw for part in self.parts)

    @property
    def as_text(self) -> list[Text]:
        """All of it, and the words after it."""
        return [Text(self.text, self.kind), *self.after]


class Output:
    """Collects events until they are drained.

    Attributes:
        said: The prose so far.
        full: Whether the reply holds more calls than are ever read from one.
        is_broken: Whether the call that came last could not be read.
        in_thought: Whether what comes now is a thought.
        kind: What the text that comes now is, if thoughts are told from the answer.
        cut: Whether the reply ended by the length limit.
    """

    def __init__(
        self,
        *,
        native: bool = False,
        demanded: bool = False,
        results: ResultTexts | None = None,
    ) -> None:
        self.said = Said()
        self.full = False
        self.is_broken = False
        self.in_thought = False
        self.kind: Kind = "answer"
        self.cut = False
        self._native = native
        self._demanded = demanded
        self._results = results
        self._events: list[Event] = []
        self._text: list[Text] = []
        self._more: list[str] = []
        self._gap: list[Text] | None = []  # what separates: after a call, or at the start
        self._separators: str | None = None  # which characters do: at the start, white space
        self._open: list[Call | BadCall] = []  # of the last value, whose envelope may still grow
        self._open_gap = ""
        self._open_case: Case | ThoughtCase | None = None
        self._group: Group | None = None
        self._seen: list[tuple[str, Mapping[str, Any], str]] = []
        self._unread: list[tuple[BadCall, int]] = []  # and how many calls came before
        self._count = 0
        self._judged = 0
        self._last_intent: Intent = "made"
        self._started = False  # whether the call that comes next was begun to be let out
        self._others: list[str] | None = None  # what the model says in somebody else's name
        self._possible = False  # whether a call is to be asked about: once is enough
        self._declined = 0

    @property
    def acted(self) -> bool:
        """Whether a call was read that is meant, good or bad, or may be."""
        opened = self._open and not _is_spoken_of(self._open_case)
        waits = self._group and not _is_spoken_of(self._group.case)
        return bool(self._seen or self._unread or opened or waits)

    @property
    def speaks_of_calls(self) -> bool:
        """Whether the call that came last is only spoken of."""
        if self._group:
            return _is_spoken_of(self._group.case)
        return self._last_intent != "made"

    def text(self, text: str) -> None:
        """Words, or what is between calls."""
        if not text:
            return
        if self._others is not None:
            self._others.append(text)
            return
        self.said.text(text)
        if self._gap is None and self._group is None:  # mostly, and once for every piece
            self._text.append(Text(text, self.kind))
            return
        texts = [Text(text, self.kind)]
        if self._gap is not None:
            self._gap += texts
            if not text.strip(self._separators):
                return
            self.settle()
            texts, self._gap = self._gap, None
        if self._group:
            self._group.after += texts
            self._judge(self._group, final=False)
        else:
            self._text += texts

    def calls(self, *calls: Call | BadCall, token: bool = False) -> None:
        """The calls of one value, each read whole or refused; whether a model's own token marks them."""
        self.settle()
        if self._group and not self._continues(self._group):
            self._end_group()
        self._open_gap = self._take_gap()
        self._separators = _BETWEEN_CALLS
        self._open_case = self._case(calls, token=token)
        self.said.call()
        self._open = [event for call in calls if (event := self._counted(call))]
        self.is_broken = isinstance(calls[-1], BadCall) and calls[-1].reason == "unreadable"

    def _take_gap(self) -> str:
        """What separates the next call from the last; after one that became text it is text, too."""
        gap, self._gap = self._gap or [], []
        if self._group or self._last_intent == "made":
            return _joined(gap)
        self._text += gap
        return ""

    def _case(self, calls: tuple[Call | BadCall, ...], *, token: bool) -> Case | ThoughtCase | None:
        """What is to be judged of a call: nothing if it begins the answer, or follows another."""
        if self.in_thought:
            return ThoughtCase()
        said = self.said
        in_code = calls[0].envelope == IN_CODE
        begins = not without_tokens(said.lead).strip(_BETWEEN_CALLS) and not in_code
        if begins or self._judged >= _MOST_JUDGED:
            return None
        last = self._last_intent if said.called else None
        preamble = read_preamble(said.lead, last)
        alone = not said.called and len(said.lead.strip()) < 2
        explicit = all(call.explicit for call in calls)
        return Case(
            preamble,
            explicit,
            token=token,
            in_code=in_code,
            native=self._native,
            alone=alone,
            demanded=self._demanded,
            bound=all(getattr(call, "reason", "") != "unknown_tool" for call in calls),
        )

    def _counted(self, call: Call | BadCall) -> Call | BadCall | None:
        """A call, if the reply may hold another; the first that it may not is refused."""
        if self._count < MAX_CALLS:
            self._count += 1
            return call
        if self.full:
            return None
        self.full = True
        return BadCall(call.name, call.raw, call.envelope, call.explicit, "unreadable", _TOO_MANY)

    def extend(self, raw: str) -> None:
        """Add to the text of the call that was read last, as long as its envelope is open; after no call it is text."""
        if self._open:
            gap = _joined(self._gap or ())
            self._open[-1] = replace(self._open[-1], raw=self._open[-1].raw + gap + raw)
            self._gap = []
        elif self._group or not (self._seen or self._unread):
            self.text(raw)

    def retract(self) -> None:
        """Make text of the calls of the value that was read last, if its envelope is still open.

        Sample unopened-think-forgotten.
        """
        if self._open and not self._started:
            calls, self._open = self._open, []
            self._forget(calls)
            after = _joined(self._gap or ())
            self._gap = None
            self._say(self._open_gap + "".join(call.raw for call in calls) + after)

    def _say(self, text: str) -> None:
        """Let text out that is not prose to learn from."""
        into = self._group.after if self._group else self._text
        into.append(Text(text, self.kind))

    def _forget(self, calls: list[Call | BadCall]) -> None:
        self._count -= len(calls) - self.full
        self.full = False

    # A long call, passed on while it is still being written

    def may_start(self, started: CallStarted, label: str, *, explicit: bool) -> bool:
        """Whether a call that is being written may be let out: not if it may be text, stated before, or too many."""
        if self._group or self._unread or self._count >= MAX_CALLS or self._is_stated(started):
            return False
        if self._results and self._results.may_hold(started.name):
            return False
        case = self._case((BadCall(None, "", label, explicit, "cut", ""),), token=False)
        return case.is_sure if case else self._last_intent == "made"

    def _is_stated(self, started: CallStarted) -> bool:
        given = started.args.items()
        return any(
            name == started.name and all(args.get(key) == value for key, value in given)
            for name, args, _ in self._seen
        )

    def start(self, started: CallStarted) -> None:
        """A call that is long, and not whole yet."""
        self.settle()
        self._merge()
        self._events.append(started)
        self._started = True

    def more(self, text: str) -> None:
        """A further piece of it."""
        if text:
            self._more.append(text)

    # Judging

    def settle(self) -> None:
        """The envelope of the last value is closed."""
        if not self._open:
            return
        calls, self._open = self._open, []
        gap, case = self._open_gap, self._open_case
        if self._started:
            self._started = False
            self._let_out([gap, *calls])
        elif self._group and self._continues(self._group):
            self._group.parts += [_joined(self._group.after), gap, *calls]
            self._group.after = []
        else:
            self._end_group()
            self._begin_group(case, [gap, *calls])

    def _continues(self, group: Group) -> bool:
        """Whether a call that comes now follows those of the group with nothing between them."""
        return not _joined(group.after).strip(_BETWEEN_CALLS)

    def _begin_group(
        self, case: Case | ThoughtCase | None, parts: list[str | Call | BadCall]
    ) -> None:
        if case is None and self._last_intent == "made":
            self._let_out(parts)
            return
        self._group = Group(case, parts, kind=self.kind)
        self._judge(self._group, final=False)

    def _end_group(self) -> None:
        if self._group:
            self._judge(self._group, final=True)

    def _judge(self, group: Group, *, final: bool) -> None:
        """Let the group out, if it is known what it is."""
        group.after = list(_merged(group.after))
        after = _joined(group.after)
        case, last = group.case, self._last_intent
        intent = case.judge(after, final=final) if case else last
        if isinstance(case, ThoughtCase) and final and self.cut:
            intent = "quoted"  # the thought was not over
        if intent is None:
            return
        self._group = None
        self._judged += 1
        self._last_intent = intent
        if intent == "made":
            self._let_out(group.parts)
        else:
            self._speak_of(group, intent)
        self._text += group.after

    def _speak_of(self, group: Group, intent: Intent) -> None:
        """Make text of a group of calls, and say what is known of them."""
        self._forget(group.calls)
        self._text.append(Text(group.text, group.kind))
        held = [call for call in group.calls if self._is_held(call)]
        if intent == "declined":
            self._decline(group.calls, _DECLINED)
        elif held:
            self._decline(held, _HELD)
        elif intent == "asked" and not self._possible:
            self._ask_about(group.calls[0])

    def _ask_about(self, call: Call | BadCall) -> None:
        """Say of a call whose text came before that it may be meant; no question makes one of a tool that is not bound."""
        args: Mapping[str, Any] = call.args if isinstance(call, Call) else {}
        if not (isinstance(call, BadCall) and call.reason == "unknown_tool"):
            self._merge()
            self._possible = True
            self._events.append(PossibleCall(call.name, args, call.raw, call.envelope, _DOUBT))

    def _decline(self, calls: Iterable[Call | BadCall], detail: str) -> None:
        """Say of calls whose text came before that they are not made."""
        self._merge()
        for one in calls:
            if isinstance(one, Call) and self._declined < _MOST_DECLINED:
                self._declined += 1
                self._events.append(DeclinedCall(one.name, one.args, one.raw, one.envelope, detail))

    def _is_held(self, call: Call | BadCall) -> bool:
        """Whether a call stands in a tool result, and nobody else gave it."""
        return bool(self._results and isinstance(call, Call) and self._results.holds(call))

    def _let_out(self, parts: list[str | Call | BadCall]) -> None:
        """Let calls out, without the white space around them."""
        self._merge()
        gap = ""
        for part in parts:
            if isinstance(part, str):
                gap += part
                continue
            if self._is_held(part):
                self._forget([part])
                self._add_text(gap + part.raw)
                self._decline([part], _HELD)
            else:
                self._call(replace(part, raw=gap + part.raw) if gap.strip() else part)
            gap = ""

    def _call(self, event: Call | BadCall) -> None:
        if isinstance(event, BadCall):
            self._unread.append((event, len(self._seen)))
        elif self._is_restated(event) or self._is_late(event):
            return
        else:
            self._seen.append((event.name, event.args, event.envelope))
        self._events.append(event)

    def _add_text(self, text: str) -> None:
        if text:
            self._text.append(Text(text, self.kind))

    def disown(self) -> None:
        """All that came so far was a thought: no call in it is meant."""
        self.settle()
        if self._group:
            self._forget(self._group.calls)
            self._text += self._group.as_text
            self._group = None
        if self._seen or self._unread or self._possible or self._declined:
            self._merge()
            self._events.append(CallsDisowned())
        self._possible, self._declined = False, 0
        self._last_intent = "made"
        self._seen.clear()
        self._unread.clear()

    def note(self, half: HalfThought) -> None:
        """A thought has one end only."""
        self._merge()
        self._events.append(half)

    def begin_answer(self) -> None:
        """The end of a thought: what comes next begins the answer."""
        self.settle()
        self._end_group()
        self.said.begin_answer()
        self._last_intent = "made"

    def make_up(self) -> None:
        """All that follows is said in somebody else's name."""
        self.settle()
        self._end_group()
        self._add_text(self._take_gap() if not self._count else "")
        self._merge()
        self._others = []

    def drain(self) -> list[Event]:
        """The events since the last drain, without calls that may still change."""
        if self._text or self._more or self._others:
            self._merge()
        if not self._events:
            return []
        events, self._events = self._events, []
        return events

    def end(self) -> None:
        """The reply is over: white space of a reply without calls is its text."""
        self.settle()
        self._end_group()
        gap = self._take_gap()
        if not self._count or gap.strip():
            self._add_text(gap)

    def _merge(self) -> None:
        if self._text:
            # Mostly there is one: what a piece brought.
            one = len(self._text) == 1 and self._text[0].text
            self._events += self._text if one else _merged(self._text)
            self._text.clear()
        if self._more:
            self._events.append(CallDelta("".join(self._more)))
            self._more.clear()
        if self._others:
            self._events.append(MadeUpTurn("".join(self._others)))
            self._others.clear()

    def _is_restated(self, call: Call) -> bool:
        """Whether the reply has stated the same call before, in another envelope."""
        for name, args, envelope in self._seen:
            if name == call.name and args == call.args:
                return envelope != call.envelope
        return False

    def _is_late(self, call: Call) -> bool:
        """Whether this says again what could not be read the first time, and others came since.

        Sample restated-out-of-order: the refusal is kept, since the order would not be the reply's.
        """
        return any(
            bad.envelope != call.envelope and _may_mean(bad, call.name) and came < len(self._seen)
            for bad, came in self._unread
        )


def _is_spoken_of(case: Case | ThoughtCase | None) -> bool:
    """Whether the words before a call make it one that is only spoken of, whatever follows."""
    return isinstance(case, Case) and case.preamble.cue not in ("commitment", "neutral")


def _joined(texts: Iterable[Text]) -> str:
    return "".join(text.text for text in texts)


def _merged(texts: Iterable[Text]) -> Iterator[Text]:
    """Neighbours of one kind as one text."""
    for kind, run in groupby(texts, lambda text: text.kind):
        if words := _joined(run):
            yield Text(words, kind)


def _may_mean(bad: BadCall, name: str) -> bool:
    """Whether a call that could not be read may be one of this tool."""
    return bad.name == name or (bad.name is None and name in bad.raw)
