"""One reply of the wrapped model, piece by piece: what may be shown now, and what is held back.

Streamed text cannot be retracted, so anything undecided is buffered: prose while a call is forced, an opening that may become a
refusal, everything after the first call in the text of a native reply, and a call after words, which may turn out to be a thought.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from langchain_toolemu.messages import content
from langchain_toolemu.messages.content import ContentBlock, Delta, Part, PartialCall, Words
from langchain_toolemu.messages.past_reasoning import reasoning_reader
from langchain_toolemu.reader import Reader, events
from langchain_toolemu.reader.events import BadCall, Call
from langchain_toolemu.turn.reasoning_text import cut_by_kind
from langchain_toolemu.turn.reply_setup import ACCEPTED, HIDDEN, Judge, ReplyCall, ReplySetup
from langchain_toolemu.turn.reviewed_reply import SUMMARY_FIELDS, Remark, ReplySummary
from langchain_toolemu.turn.suspicion import MAX_OPENING, Suspicion

_FREE_REPEATS = 2  # identical calls in a row are made at once; those after them wait for the end
_MOST_REPEATS = 5  # identical calls; who makes more does not stop
MAX_CHARS = 10_000_000  # after them a stream counts as one without end, and is left

ReplyPart: TypeAlias = Part | events.CallStarted | events.CallDelta | Remark


class Reply:
    """Reads a reply and decides what is shown. Without a reader, all of it is text."""

    def __init__(self, judge: Judge, setup: ReplySetup) -> None:
        self._judge = judge
        self._setup = setup
        self._reader = setup.reader
        self._records: list[ReplyCall] = []  # all calls so far
        self._accepted: list[Call] = []  # of them, in the form in which the judge is told of them
        self._waiting: list[ReplyCall] = []
        self._ordered: list[Part] = []  # they and what follows them, where order counts
        self._disowned: list[Call] = []
        self._doubting = False  # whether a call is doubted
        self._repeating = False  # whether a repeat waits
        self._partial: PartialCall | None = None
        self.remarks: list[Remark] = []  # what was read besides calls and words
        self.held: list[Part] = []  # what is left of it at the end is the turn's to decide
        self._suspicion: Suspicion = "none"
        self._hold = setup.hold
        self._suspecting = setup.opening_check is not None
        self._holding = self._suspecting or setup.hold in ("prose", "everything")
        self._pieces: list[Words | ContentBlock] = []
        self._texts: list[str] = []  # of the pieces
        self._block: dict[str, Any] | None = None  # of the text that is being read
        self._in_blocks = False
        self._size = 0
        self._kinds: list[tuple[int, events.TextKind]] = []  # told by an earlier reader
        self._read_from = 0  # where the reader began
        self._inside = False  # whether that was inside a thought
        self._opening = ""
        self._shown = 0  # characters
        self._spoke = False

    @property
    def too_long(self) -> bool:
        """Exceeds MAX_CHARS; stop reading."""
        return self._size > MAX_CHARS

    @property
    def shows_call(self) -> bool:
        """Whether a call was accepted, or is shown while it is being written."""
        return self._partial is not None or any(one.status in ACCEPTED for one in self._records)

    @property
    def raw(self) -> str:
        """Its text as it came."""
        return "".join(self._texts)

    def feed(self, said: content.Content) -> list[Part]:
        """Take the next piece; returns what may be shown now."""
        pieces = content.parts_of(said)
        return self._sort_all([part for piece in pieces for part in self._read(piece)])

    def close(self, *, cut: bool) -> list[Part]:
        """The reply has ended; returns what may be shown now. What is in `held` is the turn's to decide."""
        if self._reader is None and not (self._records or self._suspecting):
            return []
        is_blank = not self.raw.strip()
        # A reply of nothing but white space may be re-asked like an empty one.
        self._holding |= is_blank
        # Of a reply without text there is nothing to read, unless it began inside a thought.
        reads = self._reader and (self._size or self._judge.settings.starts_in_thought)
        events = self._reader.close(cut=cut) if self._reader and reads else ()
        shown = self._sort_all([self._part(event) for event in events])
        if self._repeating:
            shown += self._take_repeats(cut=cut)
        shown += self._take_waiting()
        if self._doubting:
            shown += self._settle_doubts()
        if is_blank:
            return shown
        # Thoughts without words go with the calls: they are not shown before those are judged.
        cleared = self._check_opening(ended=True) if self._opening.strip() else []
        self._shown += _length(cleared)
        return [*shown, *cleared]

    def summary(self) -> ReplySummary:
        """What was read, once the reply has ended."""
        raw = self.raw
        found: defaultdict[str, list[Any]] = defaultdict(list)
        for one in self._records:
            if one.review.outcome != "accept":
                found["reviewed"].append(one)
            if field := SUMMARY_FIELDS.get(one.status):
                is_question = one.status in ("doubted", "held_back")
                found[field].append(one if is_question else one.call)
        unremarkable = found.keys() <= {"calls"} and not (self.remarks or self._disowned)
        words = any(isinstance(part, Words) and part.text.strip() for part in self.held)
        return ReplySummary(
            raw=raw,
            disowned=tuple(self._disowned),
            remarks=tuple(self.remarks),
            held=tuple(self.held),
            unshown=tuple(self._unshown()),
            suspicion=self._suspicion,
            unremarkable=unremarkable,
            only_calls=not (words or found["bad_calls"] or raw[: self._shown].strip()),
            **{name: tuple(calls) for name, calls in found.items()},
        )

    def release_words(self) -> list[Part]:
        """The provider made a call: words need not wait any more, but for those after a call that is written as text."""
        self._hold = "calls" if self._hold == "everything" else self._hold
        self._suspecting = False
        if self._records or not self._holding:
            return []
        released = self._release()
        self._shown += _length(released)
        return released

    def as_text(self) -> list[Part]:
        """Nothing in this reply is a call: read no further, and return what was not shown, to the letter."""
        rest = self._unshown()
        self._shown = self._size
        self._hold, self._holding, self.held = "nothing", False, []
        for record in self._records:
            if record.status in ("doubted", "queued"):
                record.status = "text"
        self._doubting = False
        self._reader = self._next_reader()
        return rest

    # --- reading ---

    def _next_reader(self) -> Reader | None:
        """What goes on to tell thoughts from the answer, if that is done."""
        if self._reader is None or not self._setup.tells_thoughts:
            return None
        idle = self._read_from == self._size > 0  # it was made for a piece that has not come yet
        self._inside = self._inside if idle else self._reader.kind == "thought"
        self._kinds, self._read_from, self._suspecting = self._all_kinds(), self._size, False
        return reasoning_reader(starts_in_thought=self._inside)

    def _all_kinds(self) -> list[tuple[int, events.TextKind]]:
        """Where in the reply a text of another kind begins."""
        if self._reader is None or not self._reader.kinds:
            return self._kinds
        found = [(self._read_from + start, kind) for start, kind in self._reader.kinds]
        return self._kinds + found

    def _read(self, piece: Words | ContentBlock) -> Iterable[ReplyPart]:
        self._pieces.append(piece)
        if isinstance(piece, ContentBlock):
            return [piece]
        self._texts.append(piece.text)
        self._size += len(piece.text)
        if self._reader is None:
            return [piece]
        self._block = piece.block
        self._in_blocks |= piece.block is not None
        parts = [self._part(event) for event in self._reader.feed(piece.text)]
        if self._block and "text" in self._block and content.says_more(self._block):
            # No words yet, but it may carry an id that the thoughts before it go with.
            parts.append(ContentBlock({**(self._block_once() or {}), "text": ""}))
        return parts

    def _part(self, event: events.Event) -> ReplyPart:
        """Text in its block; a call repaired, also one that is spoken of: the report compares it with those that are made."""
        match event:
            case events.Text():
                return Words(event.text, self._block_once(), event.kind)
            case Call():
                return self._judge.repair(event)
            case events.PossibleCall(name=str(name)) | events.DeclinedCall(name=name):
                call = Call(name, event.args, event.raw, event.envelope, explicit=False)
                return replace(event, args=self._judge.repair(call).args)
        return event

    def _block_once(self) -> dict[str, Any] | None:
        """The block of the text that is being read; what comes next of it only says which block it is of."""
        block, self._block = self._block, self._block and content.place_of(self._block)
        return block

    def _unshown(self) -> list[Part]:
        """What came and was not shown, in the blocks it came in."""
        if not self.held and self._shown == self._size:
            return []
        held, shown = set(map(id, self.held)), self._shown
        rest: list[Part] = []
        kinds, start = self._all_kinds(), 0
        for part in self._pieces:
            if isinstance(part, ContentBlock):
                rest += [part] if id(part) in held else []
                continue
            text = part.text[max(shown - start, 0) :]
            start += len(part.text)
            if kinds:
                cut = cut_by_kind(text, start - len(text), kinds)
                rest += (Words(piece, part.block, kind) for piece, kind in cut)
            elif text:
                rest.append(Words(text, part.block))
        return content.join_parts(rest)

    # --- what may be shown ---

    def _sort_all(self, parts: Sequence[ReplyPart]) -> list[Part]:
        shown: list[Part] = []
        for part in parts:
            if self._setup.may_be_documentation and self._is_documentation(part):
                self._shown += _length(shown)
                return [*shown, *self.as_text()]
            shown += self.take(part)
        self._shown += _length(shown)
        return content.join_parts(shown) if len(shown) > 1 else shown

    def _is_documentation(self, part: ReplyPart) -> bool:
        """Whether these words show that the call before them is an example in a text."""
        if not isinstance(part, Words) or not part.text.strip():
            return False
        statuses = (*ACCEPTED, "doubted", "queued", "bad")
        calls = [one.call for one in self._records if one.status in statuses]
        return bool(calls) and not any(one.explicit for one in calls)

    def take(self, part: ReplyPart) -> list[Part]:
        """Take what was read, or a call that the server made of the text itself; returns what may be shown now."""
        match part:
            case events.CallStarted():
                return self._begin(part)
            case events.CallDelta():
                return [self._partial.more(part.text)] if self._partial else []
            case Call() | BadCall() if self._partial:
                return [self._end_partial(self._partial, part)]
            case Call():
                return self._sort_call(part)
            case events.CallsDisowned():
                return self._disown_calls()
            case BadCall():
                return self._keep_back(ReplyCall(part, "bad"))
            case events.PossibleCall() | events.DeclinedCall() | events.MadeUpTurn() | events.HalfThought():  # fmt: skip
                self.remarks.append(part)
                return []
        return self._sort_content(part)

    def _sort_content(self, part: Part) -> list[Part]:
        self._spoke |= isinstance(part, Words) and bool(part.text.strip())
        if self._ordered and not self._doubting:
            self._ordered.append(part)
            return []
        if not self._holding:
            return [part]
        self.held.append(part)
        if isinstance(part, Words) and self._suspecting:
            self._opening += part.text[: MAX_OPENING - len(self._opening)]
            return self._check_opening(ended=False)
        return []

    def _sort_call(self, call: Call) -> list[Part]:
        record = self._judge.classify(call, self._accepted, self._records)
        if record.status in ACCEPTED:
            return self._take_accepted(record, call)
        return self._question(record) if record.status == "doubted" else self._keep_back(record)

    def _keep_back(self, record: ReplyCall) -> list[Part]:
        """Keep a call for the end, and all that follows it where calls are held: words are shown in their order."""
        self._records.append(record)
        if self._hold == "calls":
            self._holding, self._suspecting = True, False
        return []

    def _take_accepted(self, record: ReplyCall, call: Call) -> list[Part]:
        """Show a call, unless others before it wait for the end of the reply."""
        self._records.append(record)
        check = self._setup.opening_check
        if self._suspecting and self._opening and check and check.is_echo(self._opening):
            self.held = []  # our own question, which is not the model's
        if self._doubting:
            record.status = "queued"
            self._accepted.append(call)
            self.held.append(call)
            return []
        last = self._accepted[-_FREE_REPEATS:]
        self._repeating |= len(last) == _FREE_REPEATS and all(_same(call, past) for past in last)
        if self._repeating:
            record.status = "repeat"
            return []
        return self._accept(record, call)

    def _accept(self, record: ReplyCall, call: Call) -> list[Part]:
        """Show a call, or keep it for the end where calls are held."""
        self._accepted.append(call)
        self._suspecting = False
        if self._hold in ("calls", "everything"):
            record.status, self._holding = "held", True
            self.held.append(call)
            return []
        record.status = "waiting"
        self._waiting.append(record)
        if self._in_blocks:
            self._ordered.append(call)
        # They come in their order, so one that waits makes the next one wait, and words that wait for a call.
        if not self._spoke:
            return self._take_waiting()
        return [] if self._hold == "prose" else self._release()

    def _question(self, doubted: ReplyCall) -> list[Part]:
        """Hold a doubted call, and all that follows it, to the end; the words before it stand."""
        self._records.append(doubted)
        may_be_refusal = self._suspecting and self._hold in ("nothing", "calls")
        shown = self._release() if may_be_refusal else []
        self._holding, self._suspecting, self._doubting = True, False, True
        self.held.append(doubted.call)
        return shown

    def _begin(self, started: events.CallStarted) -> list[Part]:
        """Show the beginning of a call that can no longer be rejected."""
        if self._doubting or self._hold in ("calls", "everything"):
            return []
        args = self._judge.settled_args(started, self._accepted, self._records)
        if args is None:
            return []
        self._suspecting = False
        self._partial = PartialCall(started, args)
        return [*self._take_waiting(), *self._release(), self._partial.opening()]

    def _end_partial(self, partial: PartialCall, became: Call | BadCall) -> Delta:
        self._partial = None
        last = partial.end(became)
        if isinstance(last.ends, Call):
            self._accepted.append(last.ends)
        if last.ends:
            is_call = isinstance(last.ends, Call)
            self._records.append(ReplyCall(last.ends, "shown" if is_call else "broken"))
        return last

    def _disown_calls(self) -> list[Part]:
        """Make text of the calls that were not shown, and break those that were: they stood in a thought."""
        shown = [one.call for one in self._records if one.status == "shown"]
        ordered, self._ordered = self._ordered, []
        words = [Words(part.raw) if isinstance(part, Call) else part for part in ordered]
        hidden = [one for one in self._records if one.status in HIDDEN]
        words += [Words(one.call.raw) for one in hidden if one.call not in ordered]
        self._disowned += (call for call in shown if isinstance(call, Call))
        self.held = [Words(part.raw) if isinstance(part, Call) else part for part in self.held]
        self._records = [one for one in self._records if one.status == "broken"]
        self.remarks = [
            one for one in self.remarks if isinstance(one, events.MadeUpTurn | events.HalfThought)
        ]
        self._accepted, self._waiting = [], []
        self._doubting = self._repeating = False
        if self._holding:
            self.held += words
            words = []
        return [*words, *([events.CallsDisowned()] if shown else [])]

    # --- at the end ---

    def _take_repeats(self, *, cut: bool) -> list[Part]:
        """Make the calls that waited for the end, unless the reply repeats one without end."""
        waiting = [(one, one.call) for one in self._records if one.status == "repeat"]
        first = waiting[0][1]
        alike = sum(_same(call, first) for _, call in waiting)
        endless = cut or alike + _FREE_REPEATS > _MOST_REPEATS
        shown: list[Part] = []
        for record, call in waiting:
            if endless and _same(call, first):
                record.status = "endless"
            elif isinstance(call, Call):
                shown += self._accept(record, call)
        return shown

    def _take_waiting(self) -> list[Part]:
        waiting, self._waiting = self._waiting, []
        if not waiting:
            return []
        for record in waiting:
            record.status = "shown"
        ordered, self._ordered = self._ordered, []
        return [*self._release(), *(ordered or (record.call for record in waiting))]

    def _settle_doubts(self) -> list[Part]:
        """Make the doubted calls next to which another one stands, but for those that are never made, or not beside others."""
        if not any(one.status == "queued" for one in self._records):
            return []
        never_made = set()
        for record in self._records:
            if record.status == "doubted" and (record.review.final or record.review.yields):
                record.status = "held_back"
                never_made.add(id(record.call))
            elif record.status in ("doubted", "queued"):
                record.status = "held"
        self.held = [part for part in self.held if id(part) not in never_made]
        return [] if self._hold in ("calls", "everything") else self._release()

    def _check_opening(self, *, ended: bool) -> list[Part]:
        """Release the opening as soon as it can be neither a refusal nor the answer of an example."""
        check = self._setup.opening_check
        if not self._suspecting or check is None:
            return []
        suspicion = check.suspect(self._opening, ended=ended)
        self._suspicion = suspicion if suspicion != "possible" else "none"
        if suspicion != "none":
            return []
        self._suspecting = False
        return self._release() if self._hold in ("nothing", "calls") else []

    def _release(self) -> list[Part]:
        held, self.held, self._holding = self.held, [], False
        return held


def _length(parts: Sequence[Part]) -> int:
    return sum(len(part.text) for part in parts if isinstance(part, Words))


def _same(one: Call | BadCall, other: Call | BadCall) -> bool:
    if isinstance(one, BadCall) or isinstance(other, BadCall):
        return False
    return (one.name, one.args) == (other.name, other.args)
