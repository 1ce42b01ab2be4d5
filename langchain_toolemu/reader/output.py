"""The events, in the order of the reply.

The rules of this module: neighbouring text is one event; white space is dropped only beside calls; a
call that the reply states again in another envelope is one call, while identical calls side by side
stay as many as they are; calls come in the order in which they were stated first, or not at all.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from langchain_toolemu.reader.events import (
    BadCall,
    Call,
    CallDelta,
    CallsDisowned,
    CallStarted,
    Event,
    PossibleCall,
    Text,
)

MAX_CALLS = 128
_TOO_MANY = f"a reply may hold {MAX_CALLS} calls at most; what follows is not read"
_BETWEEN_CALLS = " \t\r\n,;"
_LINE = 160  # of a line, what is remembered


class Output:
    """Collects events until they are drained.

    Attributes:
        full: Whether the reply holds more calls than are ever read from one.
        is_broken: Whether the call that came last could not be read.
        line_before: How the last full line of prose begins; nothing behind a call.
        last_mark: The character of prose that came last, white space apart.
    """

    def __init__(self) -> None:
        self._events: list[Event] = []
        self._text: list[str] = []
        self._held: list[str] = []
        self._after_call = True  # or at the start
        self._separators: str | None = None  # what is held there: at the start, white space
        self._last = ""
        self._seen: list[tuple[str, Mapping[str, Any], str]] = []
        self._unread: list[tuple[BadCall, int]] = []  # and how many calls came before
        self._calls = 0
        self.full = False
        self.line_before = ""
        self.last_mark = ""
        self._line = ""
        self._before = ("", "", "")  # a call: white space, `line_before` and `_line`
        self.is_broken = False
        self._open: list[Call | BadCall] = []  # of the last value, whose envelope may still grow
        self._more: list[str] = []
        self._told = False  # whether the call that comes next, or came last, was told of before
        self._quoted = False  # whether a call was to be asked about: once is enough

    @property
    def last_char(self) -> str:
        """The character of prose that came last, if nothing came after it."""
        return "" if self._after_call else self._last

    @property
    def acted(self) -> bool:
        """Whether a call was read that is meant, good or bad."""
        return bool(self._seen or self._unread)

    @property
    def at_start(self) -> bool:
        """Whether nothing but white space came so far."""
        return self._after_call and self._separators is None

    @property
    def line(self) -> str:
        """How the line of prose begins in which something is read; nothing behind a call."""
        return self._line

    def text(self, text: str) -> None:
        """Words, or what stands between calls."""
        if not text:
            return
        if self._after_call:
            self._held.append(text)
            if not text.strip(self._separators):
                return
            self.settle()
            self._after_call = False
            text = "".join(self._held)
            self._held.clear()
        self._follow_lines(text)
        self._text.append(text)
        self._last = text[-1]
        self.last_mark = text.rstrip()[-1:] or self.last_mark

    def begin(self, begun: CallStarted) -> None:
        """A call that is long, and not whole yet."""
        self.settle()
        self._merge()
        self._events.append(begun)
        self._told = True

    def more(self, text: str) -> None:
        """A further piece of it."""
        if text:
            self._more.append(text)

    def may_drop(self, begun: CallStarted) -> bool:
        """Whether a call that is being written may not be let out: stated before, out of its order, or too many."""
        given = begun.args.items()
        return (
            bool(self._unread)
            or self._calls >= MAX_CALLS
            or any(
                name == begun.name and all(args.get(key) == value for key, value in given)
                for name, args, _ in self._seen
            )
        )

    def _follow_lines(self, text: str) -> None:
        line = self._line + text
        if "\n" in text:
            lines, _, line = line.rpartition("\n")
            self.line_before = lines.rstrip().rpartition("\n")[2][:_LINE] or self.line_before
        self._line = line[:_LINE] + line[_LINE:].strip()[:1]  # blank only if all of it is

    def calls(self, first: Call | BadCall, *others: Call | BadCall) -> None:
        """The calls of one value, each read whole or refused."""
        before = self._break()
        for event in (replace(first, raw=before + first.raw), *others):
            if isinstance(event, Call):
                self._call(event)
            else:
                self._bad(event)

    def _call(self, call: Call) -> None:
        self.is_broken = False
        if self._is_restated(call) or self._is_late(call):
            return
        if self._has_room(call):
            self._seen.append((call.name, call.args, call.envelope))
            self._append(call)

    def _bad(self, bad: BadCall) -> None:
        self.is_broken = bad.reason == "unreadable"
        if self._has_room(bad):
            self._unread.append((bad, len(self._seen)))
            self._append(bad)

    def extend(self, raw: str) -> None:
        """Add to the text of the call that was read last, as long as its envelope is open."""
        if self._open:
            self._open[-1] = replace(self._open[-1], raw=self._open[-1].raw + raw)
            self._held.clear()

    def retract(self) -> None:
        """Make text of the calls of the value that was read last, if its envelope is still open.

        Everything is as if it had been text from the start. Sample unopened-think-forgotten.
        """
        if self._open and not self._told:
            calls, self._open = self._open, []
            for call in reversed(calls):
                self._forget(call)
            space, self.line_before, self._line = self._before
            behind = "".join(self._held)
            self._held.clear()
            self.text(space + "".join(call.raw for call in calls) + behind)

    def disown(self) -> None:
        """All that came so far was a thought: no call in it is meant."""
        if self.acted or self._quoted:
            self.settle()
            self._merge()
            self._events.append(CallsDisowned())
            self._quoted = False
            self._seen.clear()
            self._unread.clear()

    def end_line(self) -> None:
        """What comes next counts as a line of its own."""
        self.line_before, self._line = self._line[:_LINE] or self.line_before, ""

    def quote(self, detail: str) -> None:
        """Make text of the calls of the value that was read last, unless they can only be meant, to be asked about."""
        calls = self._open
        if self._told or not calls or any(call.explicit for call in calls):
            return
        self.retract()
        self._merge()
        if not self._quoted:
            one, self._quoted = calls[0], True
            self._events.append(PossibleCall(one.name, one.raw, one.envelope, detail))

    def _forget(self, last: Call | BadCall) -> None:
        self._calls -= 1
        if isinstance(last, Call):
            self._seen.pop()
        elif self.full:  # it was the one too many, which is not among the unread
            self.full = False
        else:
            self._unread.pop()

    def settle(self) -> None:
        """The envelope of the last value is closed."""
        if self._open:
            self._told = False
            self._events += self._open
            self._open = []

    def drain(self) -> list[Event]:
        """The events since the last drain, without calls whose envelope is open."""
        self._merge()
        events, self._events = self._events, []
        return events

    def end(self) -> None:
        """The reply is over: white space of a reply without calls is its text."""
        self.settle()
        if not self._calls or "".join(self._held).strip():
            self._text.extend(self._held)
        self._held.clear()

    def _append(self, event: Call | BadCall) -> None:
        self._calls += 1
        self._open.append(event)

    def _break(self) -> str:
        """End the text before a call; the separators in front of it."""
        self.settle()
        self._merge()
        before = "".join(self._held)
        separators, space = (before, "") if before.strip() else ("", before)
        self._before = space, self.line_before, self._line
        self._held.clear()
        self._after_call = True
        self.line_before = self._line = ""
        self._separators = _BETWEEN_CALLS
        return separators

    def _merge(self) -> None:
        if self._text:
            self._events.append(Text("".join(self._text)))
            self._text.clear()
        if self._more:
            self._events.append(CallDelta("".join(self._more)))
            self._more.clear()

    def _is_restated(self, call: Call) -> bool:
        """Whether the reply has stated the same call before, in another envelope."""
        for name, args, envelope in self._seen:
            if name == call.name and args == call.args:
                return envelope != call.envelope
        return False

    def _is_late(self, call: Call) -> bool:
        """Whether this says again what could not be read the first time, and others came since.

        Sample restated-out-of-order: the refusal stands, since the order would not be the reply's.
        """
        return any(
            bad.envelope != call.envelope and _may_mean(bad, call.name) and came < len(self._seen)
            for bad, came in self._unread
        )

    def _has_room(self, last: Call | BadCall) -> bool:
        """Whether one more is let out; the first that is not is said to be refused."""
        if self._calls < MAX_CALLS:
            return True
        if not self.full:
            self.full = True
            bad = BadCall(
                last.name, last.raw, last.envelope, last.explicit, "unreadable", _TOO_MANY
            )
            self._append(bad)
        return False


def _may_mean(bad: BadCall, name: str) -> bool:
    """Whether a call that could not be read may be one of this tool."""
    return bad.name == name or (bad.name is None and name in bad.raw)
