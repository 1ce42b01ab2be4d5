"""The events, in the order of the reply.

The rules of this room: neighbouring text is one event; white space is dropped only beside calls; a
call that the reply states again in another envelope is one call, while identical calls side by side
stay as many as they are.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from langchain_toolemu.values import BadCall, Call, Event, Text

MAX_CALLS = 128
_BETWEEN_CALLS = " \t\r\n,;"


class Output:
    """Collects events until they are drained.

    Attributes:
        is_broken: Whether the call that came last could not be read.
        restated: How many calls were left out because the reply had stated them before.
    """

    def __init__(self) -> None:
        self._events: list[Event] = []
        self._text: list[str] = []
        self._held: list[str] = []
        self._after_call = True  # or at the start
        self._separators: str | None = None  # what is held there: at the start, white space
        self._last = ""
        self._line = False  # whether anything stands on the line so far
        self._seen: list[tuple[str, Mapping[str, Any], str]] = []
        self._calls = 0
        self.restated = 0
        self.is_broken = False
        self._growing = False  # the last call's envelope is still open

    @property
    def at_line_start(self) -> bool:
        """Whether only white space stands before the next character on its line."""
        return not self._line

    @property
    def last_char(self) -> str:
        """The character of prose that came last, if nothing came after it."""
        return "" if self._after_call else self._last

    @property
    def full(self) -> bool:
        """Whether the reply holds as many calls as are ever read from one."""
        return self._calls >= MAX_CALLS

    def text(self, text: str) -> None:
        """Words, or what stands between calls."""
        if not text:
            return
        _, newline, last_line = text.rpartition("\n")
        self._line = (newline == "" and self._line) or bool(last_line.strip())
        if self._after_call:
            if not text.strip(self._separators):
                self._held.append(text)
                return
            self._after_call = self._growing = False
            self._text.extend(self._held)
            self._held.clear()
        self._text.append(text)
        self._last = text[-1]

    def call(self, call: Call) -> None:
        """A call that was read whole."""
        before = self._break()
        self.is_broken = False
        if self._is_restated(call):
            self.restated += 1
            return
        self._append(replace(call, raw=before + call.raw))

    def bad(self, bad: BadCall) -> None:
        """A call that cannot be run."""
        before = self._break()
        self.is_broken = bad.reason == "unreadable"
        self._append(replace(bad, raw=before + bad.raw))

    def extend(self, raw: str) -> bool:
        """Add to the raw text of the call that was read last; whether it is still here."""
        if not self._growing:
            return False
        last = self._events[-1]
        if not isinstance(last, Text):
            self._events[-1] = replace(last, raw=last.raw + raw)
        self._held.clear()
        return True

    def retract(self) -> None:
        """Make text of the call that was read last, if it did not go out yet."""
        last = self._events[-1] if self._growing else None
        if last is not None and not isinstance(last, Text):
            self._events.pop()
            held, self._held = self._held, []
            self._calls -= 1
            self._growing = False
            self.text(last.raw)
            for text in held:
                self.text(text)

    def settle(self) -> None:
        """The last call's envelope is closed."""
        self._growing = False

    def drain(self) -> list[Event]:
        """The events since the last drain, without a call that may still grow."""
        self._merge()
        kept = len(self._events) - self._growing
        events, self._events = self._events[:kept], self._events[kept:]
        return events

    def end(self) -> None:
        """The reply is over: white space of a reply without calls is its text."""
        if not self._calls or "".join(self._held).strip():
            self._text.extend(self._held)
        self._held.clear()

    def _append(self, event: Call | BadCall) -> None:
        self._calls += 1
        self._growing = True
        self._events.append(event)

    def _break(self) -> str:
        """End the text before a call; the separators in front of it."""
        self._merge()
        before = "".join(self._held)
        self._held.clear()
        self._after_call = True
        self._separators = _BETWEEN_CALLS
        return before if before.strip() else ""

    def _merge(self) -> None:
        if self._text:
            self._events.append(Text("".join(self._text)))
            self._text.clear()

    def _is_restated(self, call: Call) -> bool:
        """Whether the reply has stated the same call before, in another envelope."""
        for name, args, envelope in self._seen:
            if name == call.name and args == call.args:
                return envelope != call.envelope
        self._seen.append((call.name, call.args, call.envelope))
        return False
