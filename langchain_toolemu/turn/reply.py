"""One reply of the wrapped model, taken piece by piece: what may be shown now, and what is held back.

A shown word is never unsaid, so whatever may still be taken back is held: prose while a call is forced, and the
opening of a reply while it may become a refusal (either may be re-asked); in a native reply everything from the
first call written as text (the provider may yet send the call itself); and a call after words, to the end of the
reply (they may turn out to be a thought whose beginning was not seen). The words go on; a call that was shown all the same,
because it is long or the reply begins with it, is broken if it was thought only.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from langchain_toolemu.messages.content import (
    Content,
    ContentBlock,
    Delta,
    Part,
    PartialCall,
    Words,
    join_calls,
    join_words,
    parts_of,
    place_of,
    says_more,
)
from langchain_toolemu.reader import Reader
from langchain_toolemu.reader.events import (
    BadCall,
    Call,
    CallDelta,
    CallsDisowned,
    CallStarted,
    DeclinedCall,
    Event,
    HalfThought,
    MadeUpTurn,
    PossibleCall,
    Text,
    TextKind,
)
from langchain_toolemu.turn.kinds import KindCutter, reader_of_thoughts
from langchain_toolemu.turn.reading import Hold, Reading, ReviewedCall, Rules
from langchain_toolemu.turn.refusals import MAX_OPENING, Suspicion

_FREE_REPEATS = 2
"""So many identical calls in a row are made at once; those after them wait for the end of the reply."""

_MOST_REPEATS = 5
"""More identical calls than these are a model that does not stop."""

MAX_CHARS = 10_000_000
"""After so many characters a stream counts as one without end, and is left."""


Taken: TypeAlias = (
    Part | CallStarted | CallDelta | PossibleCall | DeclinedCall | HalfThought | MadeUpTurn
)


class Reply:
    """Reads a reply and decides what is shown. Without a reader, all of it is text."""

    def __init__(self, reader: Reader | None, rules: Rules) -> None:
        self.calls: list[Call] = []
        self.misfits: list[Call] = []
        self.doubted: list[ReviewedCall] = []
        self.held_back: list[ReviewedCall] = []
        self.reviewed: list[ReviewedCall] = []
        self.unwanted: list[Call] = []
        self.surplus: list[Call] = []
        self.bad_calls: list[BadCall] = []
        self.possible: list[PossibleCall] = []
        self.declined: list[DeclinedCall] = []
        self.made_up: list[MadeUpTurn] = []
        self.broken: list[BadCall] = []
        self.disowned: list[Call] = []
        self.halves: list[HalfThought] = []
        self.repeats: list[Call] = []
        # Calls that wait for the end, the first of them the third of its kind.
        self._row: list[Call] = []
        # Accepted calls after a doubted one, which wait for the end with it.
        self._queued: list[Call] = []
        self._partial: PartialCall | None = None
        self.held: list[Part] = []
        self.suspicion: Suspicion = "none"
        self._reader = reader
        self._rules = rules
        self._hold: Hold = rules.hold
        self._suspecting = rules.suspect is not None
        self._holding = self._suspecting or rules.hold in ("prose", "everything")
        self._heard: list[Words | ContentBlock] = []
        self._block: dict[str, Any] | None = None  # of the text that is being read
        self._size = 0
        self._kinds: list[tuple[int, TextKind]] = []  # told by an earlier reader
        self._read_from = 0  # where the reader began
        self._inside = False  # whether that was inside a thought
        self._opening = ""
        self._shown = 0
        self._spoke = False
        self._waiting: list[Call] = []
        self._kept_back: list[Call | BadCall] = []

    @property
    def raw(self) -> str:
        """The whole text of the reply."""
        return "".join(part.text for part in self._heard if isinstance(part, Words))

    @property
    def overlong(self) -> bool:
        """Whether this is more than any reply can be."""
        return self._size > MAX_CHARS

    @property
    def shows_call(self) -> bool:
        """Whether a call was accepted, or is shown while it is being written."""
        return bool(self.calls or self._partial)

    @property
    def only_calls(self) -> bool:
        """Whether the reply holds nothing but calls."""
        words = any(isinstance(part, Words) and part.text.strip() for part in self.held)
        return not (words or self.bad_calls or self.raw[: self._shown].strip())

    def feed(self, content: Content) -> list[Part]:
        """Take the next piece; returns what may be shown now."""
        return self._pass([part for piece in parts_of(content) for part in self._read(piece)])

    def close(self, *, cut: bool) -> list[Part]:
        """The reply has ended; returns what may be shown now. What is in `held` is the turn's to decide."""
        if self._reader is None:
            return []
        # A reply of nothing but white space may be re-asked like an empty one.
        self._holding |= not self.raw.strip()
        shown = self._pass(list(self._parts(self._reader.close(cut=cut))))
        shown += self._take_row(cut=cut)
        shown += self._take_waiting()
        shown += self._settle_doubts()
        # Thoughts without words go with the calls: they are not shown before those are judged.
        said = self._opening.strip() or not self._suspecting
        if not self.raw.strip():
            return []
        cleared = self._suspect(ended=True) if said else []
        self._shown += _length(cleared)
        return [*shown, *cleared]

    def reading(self) -> Reading:
        """What was read, once the reply has ended."""
        return Reading(
            raw=self.raw,
            calls=tuple(self.calls),
            misfits=tuple(self.misfits),
            doubted=tuple(self.doubted),
            held_back=tuple(self.held_back),
            reviewed=tuple(self.reviewed),
            unwanted=tuple(self.unwanted),
            surplus=tuple(self.surplus),
            bad_calls=tuple(self.bad_calls),
            possible=tuple(self.possible),
            declined=tuple(self.declined),
            broken=tuple(self.broken),
            disowned=tuple(self.disowned),
            repeats=tuple(self.repeats),
            made_up=tuple(self.made_up),
            held=tuple(self.held),
            unshown=tuple(self._unshown()),
            suspicion=self.suspicion,
            only_calls=self.only_calls,
            halves=tuple(self.halves),
        )

    def as_text(self) -> list[Part]:
        """Nothing in this reply is a call: read no further, and return what was not shown, to the letter."""
        rest = self._unshown()
        self._shown = self._size
        self._hold, self._holding, self.held = "nothing", False, []
        self.doubted, self._queued = [], []
        self._reader = self._lesser_reader()
        return rest

    def _lesser_reader(self) -> Reader | None:
        """What goes on to tell thoughts from the answer, if that is done."""
        if self._reader is None or not self._rules.tells_thoughts:
            return None
        idle = self._read_from == self._size > 0  # it was made for a piece that has not come yet
        self._inside = self._inside if idle else self._reader.kind == "thought"
        self._kinds, self._read_from, self._suspecting = self._all_kinds(), self._size, False
        return reader_of_thoughts(starts_in_thought=self._inside)

    def _all_kinds(self) -> list[tuple[int, TextKind]]:
        """Where in the reply a text of another kind begins."""
        kinds = self._reader.kinds if self._reader else ()
        return [*self._kinds, *((self._read_from + start, kind) for start, kind in kinds)]

    def _read(self, piece: Words | ContentBlock) -> list[Taken]:
        self._heard.append(piece)
        if isinstance(piece, ContentBlock):
            return [piece]
        self._size += len(piece.text)
        if self._reader is None:
            return [piece]
        self._block = piece.block
        return [*self._parts(self._reader.feed(piece.text)), *self._silent_block()]

    def _parts(self, events: Iterable[Event]) -> Iterator[Taken]:
        """What was read, text in the block it came in."""
        return map(self._part, events)

    def _part(self, event: Event) -> Taken:
        """Text in its block; a call repaired, also one that is spoken of: the report compares it with those that are made."""
        match event:
            case Text():
                return Words(event.text, self._said_once(), event.kind)
            case Call():
                return self._rules.check(event)
            case PossibleCall(name=str(name)) | DeclinedCall(name=name):
                call = Call(name, event.args, event.raw, event.envelope, explicit=False)
                return replace(event, args=self._rules.check(call).args)
        return event

    def _silent_block(self) -> list[ContentBlock]:
        """The block of a text that is no words yet: it may carry an id that the thoughts before it go with."""
        if self._block and "text" in self._block and says_more(self._block):
            return [ContentBlock({**(self._said_once() or {}), "text": ""})]
        return []

    def _said_once(self) -> dict[str, Any] | None:
        """The block of the text that is being read; what comes next of it only says which block it is of."""
        block, self._block = self._block, self._block and place_of(self._block)
        return block

    def _unshown(self) -> list[Part]:
        """What came and was not shown, in the blocks it came in."""
        held = {id(part) for part in self.held}
        rest: list[Part] = []
        cutter, shown = KindCutter(self._all_kinds()), self._shown
        for part in self._heard:
            if isinstance(part, ContentBlock):
                rest += [part] if id(part) in held else []
                continue
            text = part.text[shown:]
            skipped = len(part.text) - len(text)
            shown -= skipped
            cutter.skip(skipped)
            rest += [Words(piece, part.block, kind) for piece, kind in cutter.cut(text)]
        return list(join_words(rest))

    def _pass(self, parts: list[Taken]) -> list[Part]:
        shown: list[Part] = []
        for part in parts:
            if self._is_documentation(part):
                self._shown += _length(shown)
                return [*shown, *self.as_text()]
            shown += self._sort(part)
        self._shown += _length(shown)
        return list(join_calls(shown))

    def _is_documentation(self, part: Taken) -> bool:
        """Whether these words show that the call before them is an example in a text."""
        says = isinstance(part, Words) and bool(part.text.strip())
        doubted = (one.call for one in self.doubted)
        calls: list[Call | BadCall] = [*self.calls, *doubted, *self._queued, *self.bad_calls]
        return (
            self._rules.documents
            and says
            and bool(calls)
            and not any(one.explicit for one in calls)
        )

    def _sort(self, part: Taken) -> list[Part]:
        """What may be shown now that this part has come."""
        match part:
            case CallStarted():
                return self._begin(part)
            case CallDelta():
                return [self._partial.more(part.text)] if self._partial else []
            case Call() | BadCall() if self._partial:
                return [self._end_partial(self._partial, part)]
            case Call():
                return self._sort_call(part)
            case CallsDisowned():
                return self._disown_calls()
            case BadCall():
                return self._keep_bad(part)
            case PossibleCall() | DeclinedCall() | MadeUpTurn() | HalfThought():
                return self._remember(part)
        self._spoke |= isinstance(part, Words) and bool(part.text.strip())
        if not self._holding:
            return [part]
        self.held.append(part)
        if isinstance(part, Words) and self._suspecting:
            self._opening += part.text[: MAX_OPENING - len(self._opening)]
            return self._suspect(ended=False)
        return []

    def _remember(self, part: PossibleCall | DeclinedCall | MadeUpTurn | HalfThought) -> list[Part]:
        match part:
            case PossibleCall():
                self.possible.append(part)
            case DeclinedCall():
                self.declined.append(part)
            case MadeUpTurn():
                self.made_up.append(part)
            case HalfThought():
                self.halves.append(part)
        return []

    def _keep_bad(self, bad: BadCall) -> list[Part]:
        """The turn decides on it at the end, with the whole reply known."""
        self.bad_calls.append(bad)
        self._keep_back(bad)
        return []

    def _keep_back(self, call: Call | BadCall) -> None:
        """Keep a call for the end, and all that follows it where calls are held: words are shown in their order."""
        self._kept_back.append(call)
        if self._hold == "calls":
            self._holding, self._suspecting = True, False

    def _begin(self, begun: CallStarted) -> list[Part]:
        """Show the beginning of a call that can no longer be rejected."""
        if self._rules.early is None or self.doubted or self._hold in ("calls", "everything"):
            return []
        args = self._rules.early(begun, self.calls)
        if args is None:
            return []
        self._suspecting = False
        self._partial = PartialCall(begun, args)
        return [*self._take_waiting(), *self._release(), self._partial.opening()]

    def _end_partial(self, partial: PartialCall, became: Call | BadCall) -> Delta:
        self._partial = None
        last = partial.end(became)
        if isinstance(last.ends, Call):
            self.calls.append(last.ends)
        elif last.ends:
            self.broken.append(last.ends)
        return last

    def _take_row(self, *, cut: bool) -> list[Part]:
        """Make the calls that waited for the end, unless the reply repeats one without end."""
        row, self._row = self._row, []
        if not row:
            return []
        alike = [call for call in row if _same(call, row[0])]
        endless = cut or len(alike) + _FREE_REPEATS > _MOST_REPEATS
        self.repeats = alike if endless else []
        made = [call for call in row if not (endless and call in alike)]
        return [part for call in made for part in self._accept(call)]

    def _waits_in_row(self, call: Call) -> bool:
        last = self.calls[-_FREE_REPEATS:]
        third = len(last) == _FREE_REPEATS and all(_same(call, past) for past in last)
        return third or bool(self._row)

    def _sort_call(self, call: Call) -> list[Part]:
        ruling = self._rules.classify(call, [*self.calls, *self._queued])
        reviewed = ReviewedCall(call, ruling.review)
        if ruling.review.outcome != "accept":
            self.reviewed.append(reviewed)
        match ruling.kind:
            case "accepted":
                return self._take_accepted(call)
            case "doubted":
                return self._question(reviewed)
            case "held_back":
                self.held_back.append(reviewed)
            case "misfit":
                self.misfits.append(call)
            case "unwanted":
                self.unwanted.append(call)
            case "surplus":
                self.surplus.append(call)
        self._keep_back(call)
        return []

    def _take_accepted(self, call: Call) -> list[Part]:
        """Show a call, unless others before it wait for the end of the reply."""
        if self._suspecting and self._is_echo:
            self.held = []
        if self.doubted:
            self._queued.append(call)
            self.held.append(call)
            return []
        if self._waits_in_row(call):
            self._row.append(call)
            return []
        return self._accept(call)

    @property
    def _is_echo(self) -> bool:
        """Whether the words so far are our own question, which is not the model's."""
        suspect = self._rules.suspect
        return suspect is not None and suspect(self._opening, True) == "echo"

    def _question(self, doubted: ReviewedCall) -> list[Part]:
        """Hold a doubted call, and all that follows it, to the end; the words before it stand."""
        self.doubted.append(doubted)
        may_be_refusal = self._suspecting and self._hold in ("nothing", "calls")
        shown = self._release() if may_be_refusal else []
        self._holding, self._suspecting = True, False
        self.held.append(doubted.call)
        return shown

    def _settle_doubts(self) -> list[Part]:
        """Make the doubted calls next to which another one stands, but for those that are never made."""
        if not self._queued:
            return []
        final = [one for one in self.doubted if one.review.final]
        gone = [one.call for one in final]
        self.held = [part for part in self.held if not any(part is one for one in gone)]
        self.held_back += final
        self.calls += [part for part in self.held if isinstance(part, Call)]
        self.doubted, self._queued = [], []
        return [] if self._hold in ("calls", "everything") else self._release()

    def _accept(self, call: Call) -> list[Part]:
        """Show a call, or keep it for the end where calls are held."""
        self.calls.append(call)
        if self._hold in ("calls", "everything"):
            self._holding, self._suspecting = True, False
            self.held.append(call)
            return []
        self._suspecting = False
        self._waiting.append(call)
        # They come in their order, so one that waits makes the next one wait, and words that wait for a call.
        if not self._spoke:
            return self._take_waiting()
        return [] if self._hold == "prose" else self._release()

    def _take_waiting(self) -> list[Part]:
        waiting, self._waiting = self._waiting, []
        return [*self._release(), *waiting] if waiting else []

    def _disown_calls(self) -> list[Part]:
        """Make text of the calls that were not shown, and break those that were: they stood in a thought."""
        held = sum(any(part is call for call in self.calls) for part in self.held)
        shown = self.calls[: len(self.calls) - len(self._waiting) - held]
        hidden = [*self._kept_back, *self._waiting]
        self.disowned += shown
        self.held = [Words(part.raw) if isinstance(part, Call) else part for part in self.held]
        self.calls, self.misfits, self.unwanted, self.surplus = [], [], [], []
        self.doubted, self.held_back, self.reviewed, self._queued = [], [], [], []
        self.bad_calls, self.possible, self.declined = [], [], []
        hidden += self._row
        self._waiting, self._kept_back, self._row = [], [], []
        words = [Words(call.raw) for call in hidden]
        if self._holding:
            self.held += words
            words = []
        return [*words, *([CallsDisowned()] if shown else [])]

    def _suspect(self, *, ended: bool) -> list[Part]:
        """Release the opening as soon as it can be neither a refusal nor the answer of an example."""
        if not self._suspecting or self._rules.suspect is None:
            return []
        suspicion = self._rules.suspect(self._opening, ended)
        self.suspicion = suspicion if suspicion != "possible" else "none"
        if suspicion != "none":
            return []
        self._suspecting = False
        return self._release() if self._hold in ("nothing", "calls") else []

    def _release(self) -> list[Part]:
        held, self.held, self._holding = self.held, [], False
        return held


def _length(parts: Sequence[Part]) -> int:
    """How many characters of words are among the parts."""
    return sum(len(part.text) for part in parts if isinstance(part, Words))


def _same(one: Call, other: Call) -> bool:
    return (one.name, one.args) == (other.name, other.args)
