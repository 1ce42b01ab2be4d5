"""Fixed before a reply arrives: what a call is worth, the reader, and what is held back.

Nothing here depends on the reply, so a call is worth the same in any pieces. The policy is asked once for each call, here.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal, NamedTuple, TypeAlias

from typing_extensions import Self

from langchain_toolemu.contract.dialects import DIALECTS
from langchain_toolemu.contract.examples import copied_answers, copied_words
from langchain_toolemu.contract.history import has_tool_history
from langchain_toolemu.messages.past_calls import calls_of
from langchain_toolemu.messages.past_reasoning import reasoning_reader
from langchain_toolemu.policy.not_quoted import is_listed, question_about, question_about_list
from langchain_toolemu.policy.order import (
    ANSWER_WAITS,
    OUT_OF_ORDER,
    could_be_awaited,
    is_answer_form,
)
from langchain_toolemu.policy.quoted_calls import QuotedCall
from langchain_toolemu.policy.review import ACCEPT, CallContext, Review, run_review
from langchain_toolemu.reader import Reader
from langchain_toolemu.reader.events import BadCall, Call, CallStarted
from langchain_toolemu.tools import ToolSet, ToolSpec
from langchain_toolemu.turn.requests import closing_contract
from langchain_toolemu.turn.stages import Stage
from langchain_toolemu.turn.suspicion import OpeningCheck
from langchain_toolemu.turn.turn_input import Settings, TurnInput
from langchain_toolemu.turn.turn_output import Doubt, TurnWarning, warning
from langchain_toolemu.validation import date_format, fit

Hold: TypeAlias = Literal["nothing", "prose", "calls", "everything"]
"""What is held back: nothing; words until a call is accepted; all from the first call on; all until the end."""

CallVerdict: TypeAlias = Literal[
    "accepted", "doubted", "held_back", "quoted", "misfit", "unwanted", "surplus", "bad", "broken",
    "disowned",
]  # fmt: skip
"""What a call is worth: accepted; doubted or held back by the policy; only quoted, so it is text;
with arguments that do not fit; of another tool than was asked for; one too many; unreadable; shown
and never ended; shown, and in a thought. What became of the call, the log of the reply tells."""

_JUDGED = ("accepted", "doubted", "held_back")
_IGNORED = ("unwanted", "surplus", "quoted")  # calls that nothing can wait for

_FREE_TEXT = frozenset({"type", "title", "description", "default", "examples"})
"""A string's schema that says no more than these takes any text."""


@dataclass(frozen=True, slots=True)
class ReplyCall:
    """A call of the reply, what it is worth, and what the policy says of it."""

    call: Call | BadCall
    verdict: CallVerdict
    review: Review = ACCEPT

    @property
    def as_invalid(self) -> BadCall:
        """The call as one that cannot be run."""
        call = self.call
        if isinstance(call, BadCall):
            return call
        why = "; ".join(call.errors) if self.verdict == "misfit" else str(self.review)
        return BadCall(call.name, call.raw, call.envelope, call.explicit, "rejected", why, call.id)

    @property
    def is_left_out(self) -> bool:
        """Whether the policy leaves the call out next to others that stand."""
        never = self.review.final or self.review.yields
        return self.verdict == "held_back" or (self.verdict == "doubted" and never)

    def doubt(self, accepted: Sequence[Call]) -> Doubt:
        """The entry of the report, given the calls of the reply that were accepted."""
        args = {} if isinstance(self.call, BadCall) else self.call.args
        equal = [call for call in accepted if (call.name, call.args) == (self.call.name, args)]
        # What is asked about may be accepted later, and is one of them then.
        beside = sum(call is not self.call for call in equal)
        return Doubt(self.call.name, args, str(self.review), beside)

    @property
    def warning(self) -> TurnWarning:
        """What the user is told where the policy leaves the call out."""
        return warning("call_rejected", name=self.call.name, why=self.review)

    @property
    def as_it_came(self) -> Call | BadCall:
        """The call as if nobody had looked at it, but for what the policy does not let through."""
        is_barred = self.verdict == "held_back" or self.review.final
        return self.as_invalid if isinstance(self.call, Call) and is_barred else self.call


class EarlierCalls(NamedTuple):
    """The calls of a reply before one."""

    records: Sequence[ReplyCall] = ()  # whatever became of them
    accepted: Sequence[Call] = ()  # those that stand

    @classmethod
    def of(cls, records: Sequence[ReplyCall]) -> Self:
        """These, with those of them that stand."""
        made = [
            record.call
            for record in records
            if record.verdict == "accepted" and isinstance(record.call, Call)
        ]
        return cls(records, made)


def _misfits(call: Call | BadCall) -> bool:
    return isinstance(call, Call) and bool(call.errors)


def _may_be_made(record: ReplyCall) -> bool:
    """Whether a model may insist on a doubted call."""
    return record.verdict == "doubted" and not record.review.final


@dataclass(frozen=True, slots=True)
class Judge:
    """Judges the calls of one reply."""

    turn_input: TurnInput  # what the caller asks for, in the form in which it was sent
    settings: Settings  # how the wrapper was set up
    stage: Stage  # what was asked
    before: Sequence[Call]  # the calls that earlier replies of this turn made

    @property
    def shows_examples(self) -> bool:
        """Whether the model was shown examples that we made up."""
        return self.stage.phase == "call" and self.settings.examples is True

    def repair(self, call: Call, *, respells_dates: bool = True) -> Call:
        """A call with its arguments repaired where that loses nothing, and with what does not fit noted."""
        tool = self.turn_input.functions.exact(call.name)
        if tool is None:
            return call
        fitted = fit(call.args, tool.schema, respells_dates=respells_dates)
        if fitted.args is call.args and not (fitted.notes or fitted.errors or call.errors):
            return call
        notes = call.notes + fitted.notes
        return replace(call, args=fitted.args, notes=notes, errors=fitted.errors)

    def classify(self, call: Call, earlier: EarlierCalls, *, native: bool = False) -> ReplyCall:
        """Accept, question, postpone or reject a call; of a `native` one only a policy is asked that the caller set."""
        if unwanted := self.find_unwanted(call, earlier.accepted, native=native):
            if unwanted == "surplus" and self._is_answer(call.name):
                return ReplyCall(call, "held_back", ANSWER_WAITS)
            return self._quoted_in_answer(call) or ReplyCall(call, unwanted)
        stands = bool(earlier.accepted or self.before)
        skips = native and not self.settings.reviews_native
        can_ask = len(self.stage.reasks) < self.settings.max_reasks
        asks_again = native or (can_ask and self.stage.phase != "native")
        review = ACCEPT if skips else self._review(call, earlier)
        if review.is_text and (self.stage.asked_if_quoted or not stands):
            return ReplyCall(call, self._verdict_on_quoted(call, review), review)
        match review.outcome:
            case "hold_back":
                return ReplyCall(call, "held_back", review)
            case "ask" if self.turn_input.parallel is False and any(
                map(_may_be_made, earlier.records)
            ):
                return ReplyCall(call, "surplus")
            case "ask" if review.final:
                return ReplyCall(call, "held_back" if stands else "doubted", review)
            case "ask" if not self.stage.has_asked_about(call, review):
                if review.yields and stands:
                    return ReplyCall(call, "held_back", review)
                if can_ask and not stands:
                    return ReplyCall(call, "doubted", review)
        return ReplyCall(call, "misfit" if call.errors and asks_again else "accepted", review)

    def is_listed(self, call: Call, before: str) -> bool:
        """Whether a call stands under its tool's name, as in a list of what tools can do."""
        tool = self.turn_input.functions.exact(call.name)
        asks = self.settings.policy_name != "trust" and self.stage.phase != "answer"
        if tool is None or not asks or self.turn_input.choice.forced or self._is_answer(call.name):
            return False
        return is_listed(tool, call.args, before, self.turn_input.conversation)

    def classify_listed(self, call: Call, earlier: EarlierCalls, names: Sequence[str]) -> ReplyCall:
        """A call of a catalogue of these tools."""
        record = self.classify(call, earlier)
        if record.verdict != "accepted":
            return record
        review = question_about_list(names)
        is_same = self.stage.asked_if_quoted
        return ReplyCall(
            call, "quoted" if is_same else self._verdict_on_quoted(call, review), review
        )

    def classify_bad(self, call: BadCall, earlier: EarlierCalls) -> ReplyCall:
        """A call that cannot be run; it may be only quoted, too."""
        tool = self.turn_input.functions.exact(call.name or "")
        is_settled = earlier.accepted or self.before or self.stage.asked_if_quoted
        if is_settled or not any(found.args is None for found in self._quoted_calls(tool)):
            return ReplyCall(call, "bad")
        review = question_about(call.name or "")
        return ReplyCall(call, self._verdict_on_quoted(call, review), review)

    def _verdict_on_quoted(self, call: Call | BadCall, review: Review) -> CallVerdict:
        """A call that may be quoted is asked about once; without a question it is text."""
        if review.outcome == "hold_back":
            return "quoted"
        if self.stage.asked_if_quoted:
            return "quoted" if review.final else "misfit" if _misfits(call) else "accepted"
        was_asked = self.stage.has_asked("doubted_call")
        is_left = len(self.stage.reasks) < self.settings.max_reasks
        can_ask = is_left and not (was_asked or self.turn_input.built_in_names)
        return "doubted" if can_ask else "quoted"

    def _quoted_in_answer(self, call: Call) -> ReplyCall | None:
        """A call in an answer that quotes it: it stays in the words."""
        if self.stage.phase != "answer":
            return None
        review = self._review(call, EarlierCalls())
        return ReplyCall(call, "quoted", review) if review.is_text else None

    def beside(
        self, native: Sequence[ReplyCall], records: Sequence[ReplyCall]
    ) -> Sequence[ReplyCall]:
        """The calls of a reply's text, judged as if they came after the provider's own, but for those that repeat one of these."""
        if not native:
            return records
        made = [known.call for known in native if isinstance(known.call, Call)]
        repeated = [(call.name, call.args) for call in made]
        known = [*native]
        for record in records:
            call = record.call
            if (
                record.verdict in _JUDGED
                and isinstance(call, Call)
                and (call.name, call.args) not in repeated
            ):
                record = self.classify(call, EarlierCalls.of(known))
            known.append(record)
        return known[len(native) :]

    def may_wait(self, name: str) -> bool:
        """Whether a call is the answer in a form, so that it waits for a look-up that may come behind it."""
        functions, forced = self.turn_input.functions, self.turn_input.choice.forced
        tool = functions.exact(name)
        if tool is None or not is_answer_form(tool, is_answer=self._is_answer(name), forced=forced):
            return False
        return any(other.name != name and could_be_awaited(other) for other in functions)

    def waits_for(self, answer: Call, later: Sequence[Call], earlier: EarlierCalls) -> bool:
        """Whether an answer would have waited, had the look-ups behind it come first."""
        awaited = [
            call
            for call in later
            if call.name != answer.name
            and (tool := self.turn_input.functions.exact(call.name))
            and could_be_awaited(tool)
            and not self.turn_input.conversation.has_answered(call)
            and not self.find_unwanted(call, earlier.accepted)
        ]
        if not awaited or self._is_answer(answer.name):
            return bool(awaited)
        known = [*earlier.records, *(ReplyCall(call, "accepted") for call in awaited)]
        return self._review(answer, EarlierCalls.of(known)).code == OUT_OF_ORDER

    def find_unwanted(
        self, call: Call, accepted: Sequence[Call], *, native: bool = False
    ) -> Literal["unwanted", "surplus"] | None:
        """Whether the caller's choice of tools rules a call out; `None` if it does not."""
        turn_input = self.turn_input
        demanded, none = turn_input.demanded_tool, native and turn_input.choice.kind == "none"
        if self.stage.phase == "answer" or none or call.name != (demanded or call.name):
            return "unwanted"
        if not (accepted or self.before):
            return None
        answers = turn_input.form and any(self._is_answer(made.name) for made in (call, *accepted))
        repeats = any((call.name, call.args) == (past.name, past.args) for past in self.before)
        is_surplus = turn_input.parallel is False or answers or repeats
        return "surplus" if is_surplus else None

    def _is_answer(self, name: str) -> bool:
        form = self.turn_input.form
        return form is not None and name == form.name and self.stage.phase != "native"

    def _review(self, call: Call, earlier: EarlierCalls) -> Review:
        turn_input = self.turn_input
        tool = turn_input.functions.exact(call.name)
        if tool is None:
            return ACCEPT
        beside = (record.call for record in earlier.records if record.verdict not in _IGNORED)
        context = CallContext(
            tool,
            turn_input.functions.specs,
            turn_input.conversation,
            earlier=(*self.before, *earlier.accepted),
            beside=(*self.before, *beside),
            follows_waiting=any(record.review.code == OUT_OF_ORDER for record in earlier.records),
            forced=turn_input.choice.forced,
            chosen=turn_input.choice.name == call.name,
            is_answer=self._is_answer(call.name),
            parallel=turn_input.parallel,
            shows_examples=self.shows_examples,
            is_last_step=turn_input.is_last_step,
        )
        return run_review(self.settings.policy, call, context)

    def settled_args(
        self, started: CallStarted, earlier: EarlierCalls, *, native: bool = False
    ) -> Mapping[str, Any] | None:
        """The arguments of a call so far, repaired, if nothing but its own end can reject it any more; else `None`."""
        # What is being written must be free text and the last argument that was missing, all before it must fit, and the
        # policy must not look at long texts.
        tool = self.turn_input.functions.exact(started.name)
        unseen = native and not self.settings.reviews_native
        ignores_text = unseen or getattr(self.settings.policy, "ignores_long_texts", False)
        schema = tool.properties.get(started.key) if tool else None
        takes_any = isinstance(schema, Mapping) and set(schema) <= _FREE_TEXT
        if tool is None or not ignores_text or not takes_any or date_format(schema):
            return None
        fitted = fit({**started.args, started.key: ""}, tool.schema)
        args = {key: fitted.args[key] for key in started.args if key in fitted.args}
        as_read = list(fitted.args) == [*started.args, started.key]
        repeats = not unseen and (
            self._may_repeat(started.name, args, earlier.accepted)
            or self._may_be_quoted(tool, started, args)
        )
        if fitted.errors or not as_read or repeats:
            return None
        call = Call(started.name, fitted.args, raw="", envelope="", explicit=False)
        # A call that is made although it is doubted is reported, so all of it is needed.
        record = self.classify(call, earlier, native=native)
        return args if record == ReplyCall(call, "accepted") else None

    def _may_repeat(self, name: str, args: Mapping[str, Any], accepted: Sequence[Call]) -> bool:
        """Whether a call with these arguments and more to come may be one of the past, or of the same reply."""
        outcomes = self.turn_input.conversation.outcomes_since_user
        calls: list[Any] = [*(outcome.call for outcome in outcomes), *self.before, *accepted]
        same = (call.args for call in calls if call.name == name)
        return any(all(given.get(key) == args[key] for key in args) for given in same)

    def _may_be_quoted(self, tool: ToolSpec, started: CallStarted, args: Mapping[str, Any]) -> bool:
        """Whether a call that is being written may be one that a text holds."""
        quotations = self.turn_input.conversation.quotations
        if self.settings.policy_name != "trust" and quotations.naming_results(tool.name):
            return True  # in any writing
        quoted = self._quoted_calls(tool, args)
        return any(found.may_become(args, started.key, started.begun) for found in quoted)

    def _quoted_calls(
        self, tool: ToolSpec | None, args: Mapping[str, Any] | None = None
    ) -> Iterable[QuotedCall]:
        """The calls of a tool that texts hold, as far as the policy asks about them."""
        asks = tool is not None and self.settings.policy_name != "trust"
        return self.turn_input.conversation.quotations.of(tool, args) if asks and tool else ()


@dataclass(frozen=True, slots=True)
class ReplySetup:
    """How a reply is read and buffered."""

    judge: Judge
    make_reader: Callable[[], Reader] | None  # without one, all of it is text
    hold: Hold = "nothing"
    opening_check: OpeningCheck | None = None  # where the opening matters


def reply_setup(judge: Judge, *, is_trusted: bool) -> ReplySetup:
    """Chooses reader and buffering before a reply arrives; `is_trusted`: of a model that was seen to call natively."""
    reader, settings = _reader_of(judge), judge.settings
    hold: Hold = "nothing" if reader is None else _hold(judge)
    turn_input, stage = judge.turn_input, judge.stage
    check: OpeningCheck | None = None
    if turn_input.form and stage.phase == "native":
        # An answer is held back until it is certain to have the demanded form.
        handed_over = turn_input.hands_over_form and not turn_input.client_checks_form
        shows_early = handed_over and settings.keeps_forms
        check = OpeningCheck(form=turn_input.form, shows_form_early=shows_early)
    elif reader and hold in ("nothing", "calls"):
        check = _opening_check(judge, is_trusted=is_trusted)
    if reader is None and settings.reasoning != "keep":
        reader = partial(
            reasoning_reader,
            starts_in_thought=settings.starts_in_thought,
            may_start_in_thought=settings.may_start_in_thought,
        )
    return ReplySetup(judge, reader, hold, check)


def _reader_of(judge: Judge) -> Callable[[], Reader] | None:
    """What makes the reader; `None` where nothing in the reply can be a call."""
    turn_input, stage, settings = judge.turn_input, judge.stage, judge.settings
    reader = partial(
        Reader,
        tells_thoughts=settings.reasoning != "keep",
        starts_in_thought=settings.starts_in_thought,
        may_start_in_thought=settings.may_start_in_thought,
        dialect=None if settings.dialect in DIALECTS.values() else settings.dialect,
    )
    if stage.phase == "native":
        if not turn_input.offers_functions:
            return None
        return partial(
            reader,
            turn_input.functions,
            forced=turn_input.choice.name,
            native=True,
            explicit_only=settings.on_vendor_host,
        )
    if stage.phase == "answer":
        may_imitate = stage.closes or stage.has_asked("unknown_tool")
        if not (has_tool_history(turn_input.messages) or may_imitate):
            return None
        # None is on offer, but a model may imitate the calls that its history shows.
        made = (call for message in turn_input.messages for call in calls_of(message))
        past = (ToolSpec(call.name, "", {}) for call in made if call.could_run)
        imitable = ToolSet([*past, *turn_input.functions])
        return partial(reader, imitable) if imitable else None
    forced = _named_tool(turn_input)
    demands_any = forced is None and turn_input.choice.forced
    return partial(reader, turn_input.toolset, forced=forced, demands_any=demands_any)


def _named_tool(turn_input: TurnInput) -> str | None:
    """The one tool whose arguments a bare object is: it must be called, or its call is the answer."""
    names, choice, form = turn_input.toolset.names, turn_input.choice, turn_input.form
    if form and not choice.name:
        return form.name
    return choice.name or (names[0] if choice.forced and len(names) == 1 else None)


def _hold(judge: Judge) -> Hold:
    forced, stage = judge.turn_input.choice.forced, judge.stage
    if stage.phase == "native":
        return "everything" if forced else "calls"
    if stage.phase == "answer":
        return "nothing"
    if stage.asked_if_quoted:
        return "everything"
    silent = stage.phase == "decision" or stage.checks is not None
    return "prose" if silent or forced or stage.has_asked("refusal") else "nothing"


def _opening_check(judge: Judge, *, is_trusted: bool) -> OpeningCheck | None:
    """Holds an opening back that may be a refusal, an example's answer or our own words, as far as any matters."""
    talk, stage, settings = judge.turn_input.conversation, judge.stage, judge.settings
    may_call = stage.phase == "call" or (stage.phase == "native" and not is_trusted)
    is_answer, shows_examples = stage.phase == "answer", judge.shows_examples
    closing = closing_contract(judge.turn_input, settings, stage) if is_answer else None
    ours = [reask.correction for reask in stage.reasks] + ([closing.reminder] if closing else [])
    detects_refusals, corrections = may_call and not talk.has_result, " ".join(ours)
    answers = copied_answers(talk.texts) if shows_examples else ()
    # A larger model does not take the examples for what was said: its words come as it writes them.
    words = copied_words(talk.texts) if shows_examples and settings.is_small else ()
    if not (detects_refusals or answers or words or corrections):
        return None
    return OpeningCheck(detects_refusals, answers, words, corrections)
