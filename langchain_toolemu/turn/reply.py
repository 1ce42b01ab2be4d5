"""One reply of the wrapped model, piece by piece: what is read goes into its log, and what may be shown comes out.

Streamed text cannot be retracted, so anything undecided is held: prose while a call is forced, an opening that may become a
refusal, and everything after the first call in the text of a native reply.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TypeAlias

from langchain_toolemu.messages import content
from langchain_toolemu.messages.content import Delta, Part, PartialCall, Words
from langchain_toolemu.policy.not_quoted import MOST_BEFORE
from langchain_toolemu.reader import events
from langchain_toolemu.reader.events import BadCall, Call
from langchain_toolemu.turn import reply_log
from langchain_toolemu.turn.reply_log import (
    HOLDS_CALLS,
    Cursor,
    Remark,
    ReplyLog,
    ReplySummary,
)
from langchain_toolemu.turn.reply_setup import ReplyCall, ReplySetup
from langchain_toolemu.turn.reply_text import ReplyText

_CODE = re.compile(r"(?<!\w)(?=[\w#-]{0,40}\d)(?=[\w#-]{0,40}[^\W\d])[\w#-]{3,40}(?!\w)")
_FEWEST_LISTED = 2  # different tools in a catalogue
_MOST_WORDS = 2_000  # characters before a call that is declined
_OTHER_DECLINED = "the words before it decline something else"
MAX_CHARS = 10_000_000  # after them a stream counts as one without end, and is left

ReplyPart: TypeAlias = Part | events.Event | Remark


class Reply:
    """Reads a reply and decides what is shown."""

    def __init__(self, setup: ReplySetup) -> None:
        self._setup = setup
        self._text = ReplyText(setup.make_reader)
        suspects = setup.opening_check is not None
        holds = suspects or setup.hold in ("prose", "everything")
        self._log = ReplyLog(Cursor(setup.hold, suspects=suspects, holds=holds))
        self._partial: PartialCall | None = None  # a call that is shown while it is being written
        # An answer that may wait, or a call that may be listed only; and all that came behind it.
        self._behind: list[ReplyPart] = []
        self._listed: list[Call] = []  # those that are introduced by their tools' names
        self._before = ""  # the words since the last call
        self._shown = 0  # characters

    @property
    def too_long(self) -> bool:
        """Exceeds MAX_CHARS; stop reading."""
        return self._text.size > MAX_CHARS

    @property
    def shows_call(self) -> bool:
        """Whether a call was accepted, or is shown while it is being written."""
        return bool(self._partial or self._behind) or self._log.shows_call

    @property
    def raw(self) -> str:
        """Its text as it came."""
        return self._text.raw

    def feed(self, received: content.Content) -> list[Part]:
        """Take the next piece; returns what may be shown now."""
        parts: list[ReplyPart] = []
        for piece in content.parts_of(received):
            parts += self._text.read(piece)
        return self._take_all(parts)

    def close(self, *, cut: bool) -> list[Part]:
        """The reply has ended; returns what may be shown now. What is left is the turn's to decide: see `summary`."""
        cursor = self._log.cursor
        # Of a reply without text there is nothing to read, unless it began inside a thought.
        reads = self._text.size or self._setup.judge.settings.starts_in_thought
        is_read = self._text.make_reader or cursor.suspects or self._log.records()
        is_plain = not (is_read or self._behind)
        if is_plain or not (reads or self._log.entries or self._behind):
            return []
        # A reply of nothing but white space may be re-asked like an empty one.
        self._log.set(holds=cursor.holds or not self._text.raw.strip())
        shown = self._take_all(self._text.close(cut=cut) if reads else ())
        shown += self._count(self._end_waiting())
        if self._log.cursor.doubts:
            self._log.settle_doubts()
            if self._log.cursor.settled and self._log.cursor.hold not in HOLDS_CALLS:
                shown += self._log.release()
        # Thoughts without words go with the calls: they are not shown before those are judged.
        cleared = self._check_opening(ended=True)
        return [*shown, *self._count(cleared)]

    def summary(self, native: Callable[[], Sequence[ReplyCall]]) -> ReplySummary:
        """What was read, once the reply has ended; calls in the text of a native one are judged beside the `native` calls."""
        if not (self._text.size or self._log.entries):
            return reply_log.NOTHING
        records: Sequence[ReplyCall] = [record for record, _ in self._log.calls()]
        if records:
            records = self._setup.judge.beside(native(), records)
        return reply_log.summarize(self._log, records, self._text, self._shown)

    def release_words(self) -> list[Part]:
        """The provider made a call: words need not wait any more, but for those after a call that is written as text."""
        cursor = self._log.cursor
        if self._setup.judge.stage.asked_if_quoted:
            return []  # nothing of this reply is shown but a call
        if cursor.suspects or cursor.hold == "everything":
            hold = "calls" if cursor.hold == "everything" else cursor.hold
            self._log.set(hold=hold, suspects=False)
        if not cursor.holds or self._log.records():
            return []
        return self._count(self._log.release())

    # --- what is read ---

    def _take_all(self, parts: Iterable[ReplyPart]) -> list[Part]:
        shown: list[Part] = []
        for part in parts:
            shown += self.take(self._repaired(part))
        self._count(shown)
        return content.join_parts(shown) if len(shown) > 1 else shown

    def _repaired(self, part: ReplyPart) -> ReplyPart:
        """A call repaired, also one that is spoken of: the report compares it with those that are made."""
        match part:
            case Call():
                return self._setup.judge.repair(part)
            case events.PossibleCall(name=str(name)) | events.DeclinedCall(name=name):
                call = Call(name, part.args, part.raw, part.envelope, explicit=False)
                args = self._setup.judge.repair(call).args
                if isinstance(part, events.DeclinedCall) and self._declines_another(call):
                    return events.PossibleCall(name, args, part.raw, part.envelope, _OTHER_DECLINED)
                return replace(part, args=args)
        return part

    def _declines_another(self, call: Call) -> bool:
        """Whether the words before a call name another object than the call's, and then the call's: "I can't cancel B-1. Cancelling B-2:"."""
        if self._setup.judge.turn_input.conversation.quotations.is_copy(call):
            return False
        own = _CODE.findall(content.write_json(call.args))
        named = _CODE.findall(self._text.raw.partition(call.raw)[0][-_MOST_WORDS:])
        return bool(named) and named[-1] in own and not {*named} <= {*own}

    def take(self, part: ReplyPart) -> list[Part]:
        """Take what was read, or a call that the server made of the text itself; returns what may be shown now."""
        if self._behind and isinstance(part, events.CallsDisowned):
            return [*self._end_waiting(), *self._log.disown()]
        begins = isinstance(part, Call) and self._setup.judge.may_wait(part.name)
        if self._notes_listed(part) or self._behind or begins:
            self._behind.append(part)
            return []
        return self._take(part)

    def _notes_listed(self, part: ReplyPart) -> bool:
        """Whether a part is a call under its tool's name: the reply's end tells what it is."""
        if isinstance(part, Words):
            self._before = (self._before + part.text)[-MOST_BEFORE:]
        elif isinstance(part, Call):
            before, self._before = self._before, ""
            if not self._partial and self._setup.judge.is_listed(part, before):
                self._listed.append(part)
                return True
        return False

    def _end_waiting(self) -> list[Part]:
        """Take what waited: an answer after what came behind it, if it needs a look-up there."""
        first, parts, judge = next(iter(self._behind), None), self._behind, self._setup.judge
        if isinstance(first, Call) and judge.may_wait(first.name):
            later = [part for part in parts[1:] if isinstance(part, Call)]
            waits = judge.waits_for(first, later, self._log.earlier_calls())
            parts = [*parts[1:], first] if waits else parts
        self._behind = []
        if len({call.name for call in self._listed}) < _FEWEST_LISTED:
            self._listed = []
        return [shown for part in parts for shown in self._take(part)]

    def _take(self, part: ReplyPart) -> list[Part]:
        match part:
            case events.CallStarted():
                return self._begin(part)
            case events.CallDelta():
                return [self._partial.more(part.text)] if self._partial else []
            case Call() | BadCall() if self._partial:
                return [self._end_partial(self._partial, part)]
            case Call():
                return self._take_call(part)
            case events.CallsDisowned():
                return self._log.disown()
            case BadCall():
                record = self._setup.judge.classify_bad(part, self._log.earlier_calls())
                return self._log.add(record)
        return self._take_content(part)  # type: ignore[arg-type]

    def _take_content(self, part: Part | Remark) -> list[Part]:
        shown = self._log.add(part)
        is_checked = self._log.cursor.suspects and isinstance(part, Words)
        return self._check_opening(ended=False) if is_checked and not shown else shown

    def _take_call(self, call: Call) -> list[Part]:
        log = self._log
        judge, earlier = self._setup.judge, log.earlier_calls()
        names = [listed.name for listed in self._listed]
        is_listed = any(listed is call for listed in self._listed)
        record = (
            judge.classify_listed(call, earlier, names)
            if is_listed
            else judge.classify(call, earlier)
        )
        if record.verdict == "accepted":
            if self._opened_with_an_echo():
                log.set(held_from=len(log.entries))  # our own question, which is not the model's
            if not log.cursor.doubts and log.repeats(call):
                record = ReplyCall(call, "surplus")
        return log.add(record)

    def _opened_with_an_echo(self) -> bool:
        check = self._setup.opening_check
        opening = self._log.opening() if self._log.cursor.suspects else ""
        return bool(opening and check and check.is_echo(opening))

    def _begin(self, started: events.CallStarted) -> list[Part]:
        """Show the beginning of a call that can no longer be rejected."""
        log, cursor = self._log, self._log.cursor
        judge = self._setup.judge
        if cursor.doubts or cursor.hold in HOLDS_CALLS or judge.may_wait(started.name):
            return []
        args = judge.settled_args(started, log.earlier_calls())
        if args is None:
            return []
        self._partial = PartialCall(started, args)
        return [*self._log.release(), self._partial.opening()]

    def _end_partial(self, partial: PartialCall, became: Call | BadCall) -> Delta:
        self._partial = None
        last = partial.end(became)
        if last.ends:
            is_call = isinstance(last.ends, Call)
            self._log.add(ReplyCall(last.ends, "accepted" if is_call else "broken"))
        return last

    # --- what may be shown ---

    def _count(self, parts: list[Part]) -> list[Part]:
        """Parts that are shown now, and counted."""
        for part in parts:
            if isinstance(part, Words):
                self._shown += len(part.text)
        return parts

    def _check_opening(self, *, ended: bool) -> list[Part]:
        """Release the opening as soon as it can be neither a refusal nor the answer of an example."""
        check, cursor = self._setup.opening_check, self._log.cursor
        if not cursor.suspects or check is None:
            return []
        opening = self._log.opening()
        if ended and not opening.strip():
            return []
        found = check.suspect(opening, ended=ended)
        self._log.set(suspicion=found if found != "possible" else "none")
        if found != "none":
            return []
        if cursor.hold in ("nothing", "calls"):
            return self._log.release()
        self._log.set(suspects=False)
        return []
