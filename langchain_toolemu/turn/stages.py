"""What a turn is asking for, as one frozen value; and the decisions that may follow.

A request is a function of the input, the settings and the stage.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, Literal, NamedTuple, TypeAlias

from langchain_toolemu.messages.content import Part
from langchain_toolemu.model_facts import Axis, Knowledge, Lesson, PastReasoning
from langchain_toolemu.policy.review import Review
from langchain_toolemu.reader.events import Call
from langchain_toolemu.turn.forms import FORMS, fingerprint
from langchain_toolemu.turn.reasks import Reask, ReaskReason
from langchain_toolemu.turn.turn_input import Settings, TurnInput
from langchain_toolemu.turn.turn_output import Doubt, TurnWarning

MessagePath: TypeAlias = Literal["native", "emulated", "rescued"]
"""Who made the message: the provider, our contract, or our reader out of the text of a native reply."""

Phase: TypeAlias = Literal["native", "call", "decision", "answer"]
"""What a request asks for: natively, whatever the caller asks for; in text, an answer or calls; calls or nothing; an answer
only."""

Decoding: TypeAlias = Literal["free", "form", "schema", "grammar"]
"""What the server decodes under: nothing, the schema of the answer's form, that of a call, or a grammar of words and calls."""


@dataclass(frozen=True, slots=True)
class NativeReply:
    """A native reply that is the answer if a check finds no call either, or if the contract does not fit."""

    words: tuple[Part, ...] = ()  # what it said and was not shown
    response_metadata: Mapping[str, Any] = field(default_factory=dict)
    generation_info: Mapping[str, Any] = field(default_factory=dict)


class PlainRetry(NamedTuple):
    """A request that is sent once more in another form: the error of the first, and what success or failure teaches."""

    error: Exception
    lessons: tuple[Lesson, ...] = ()
    in_vain: tuple[Lesson, ...] = ()
    attempts: int = 1  # how many other forms were sent


@dataclass(frozen=True, slots=True)
class Stage:
    """What a turn is asking for."""

    phase: Phase
    decoding: Decoding = "free"
    reasks: tuple[Reask, ...] = ()  # the last one is part of the request
    steered_to: tuple[str, ...] = ()  # the tools, after the model copied an example
    checks: NativeReply | None = None  # which the request checks
    retry: PlainRetry | None = None  # why this request does without our additions
    native: NativeReply | None = None  # to fall back on if the contract does not fit
    reasoning: PastReasoning = "leave_out"  # of past messages
    reasoning_settled: bool = False  # whether an error of this turn has said so
    again: bool = False  # whether it is sent once more, since the server could not parse the reply
    whole: bool = False  # whether a native reply is not streamed: the server loses calls in streams
    # Whether later turns are streamed all the same: the model was seen to call natively.
    whole_once: bool = False
    in_pieces: bool = False  # whether it is streamed, since the client fails at a whole reply
    forms: tuple[Axis, ...] = ()  # what the request does without, since the server refused it
    closes: bool = False  # whether the answer is asked for because the model writes only calls that are not made

    @property
    def decoded_by(self) -> tuple[Axis, ...]:
        """What the server is handed to decode under."""
        if self.decoding == "free":
            return ()
        return ("grammar",) if self.decoding == "grammar" else ("response_format",)

    @property
    def additions(self) -> tuple[Axis, ...]:
        """What the request holds that the caller did not ask for: in text, the roles are ours in any case."""
        return () if self.phase == "native" else ("system_role", *self.decoded_by)

    @property
    def sends_reasoning(self) -> bool:
        """Whether the reasoning of past messages must reach the server."""
        return self.reasoning in ("send", "fill")

    @property
    def offers(self) -> tuple[str, ...]:
        """The only tools that the request offers, if it asks for what a doubted call needs."""
        return self.reasks[-1].review.offers if self.reasks and self.phase == "call" else ()

    @property
    def demanded(self) -> tuple[str, ...]:
        """The tools of which the request demands a call, though the caller does not."""
        demands = bool(self.reasks) and self.reasks[-1].review.demands
        return self.steered_to or (self.offers if demands else ())

    def has_asked(self, *reasons: ReaskReason) -> bool:
        """Whether the model was asked again for one of these reasons."""
        return any(reask.reason in reasons for reask in self.reasks)

    def has_asked_about(self, call: Call, review: Review) -> bool:
        """Whether the model was asked about a doubted call: once a turn, but a look-up is demanded once for each tool's call."""
        questions = [reask for reask in self.reasks if reask.reason == "doubted_call"]
        demanded = {reask.about for reask in questions if reask.review.demands}
        return call.name in demanded if review.demands else bool(questions)

    @property
    def asked_if_quoted(self) -> bool:
        """Whether the model was just asked if it means a call that a text holds."""
        last = self.current_reask
        return last is not None and (last.review.is_text or last.reason == "unclear_call")

    @property
    def current_reask(self) -> Reask | None:
        """The re-ask that the request is, if it is one that shows a correction."""
        return self.reasks[-1] if self.reasks and self.reasks[-1].correction else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What follows a reply or an error."""

    show: tuple[Part, ...] = ()  # what is shown of the reply now that it has ended
    warnings: tuple[TurnWarning, ...] = ()  # what the metadata tells the user
    log: str = ""  # what the log tells
    lessons: tuple[Lesson, ...] = ()  # what was found out about the model
    doubts: tuple[Doubt, ...] = ()  # calls that are asked for again, though they fit


@dataclass(frozen=True, slots=True, kw_only=True)
class AskAgain(Decision):
    """Another request follows."""

    stage: Stage

    @property
    def reason(self) -> str:
        """Why there is another request, for the log and the inspector."""
        warnings = "; ".join(notice.text for notice in self.warnings)
        return self.log or warnings or "sent again without what the server refused"


@dataclass(frozen=True, slots=True, kw_only=True)
class EndTurn(Decision):
    """The turn is done."""

    path: MessagePath  # who made the message
    resumes: bool = False  # whether it goes on with an earlier reply, the answer after all
    gave_up: ReaskReason | None = None  # why the last re-ask that was left did not help


@dataclass(frozen=True, slots=True, kw_only=True)
class Fail(Decision):
    """The turn is done, and what was demanded never came."""

    error: Exception


@dataclass(frozen=True, slots=True, kw_only=True)
class Reraise(Decision):
    """An error that is the caller's; the note is what the caller is told with it."""

    note: str = ""


def first_stage(turn_input: TurnInput, settings: Settings, knowledge: Knowledge) -> Stage:
    """How a turn asks first."""
    may_be_native = settings.mode == "fallback" and turn_input.native is not None
    goes_native = may_be_native and _goes_native(turn_input, knowledge)
    has_form = turn_input.constraint or turn_input.form
    if not goes_native and (has_form or turn_input.is_about_tools):
        return first_in_text(turn_input, settings, knowledge)
    whole = bool(turn_input.tools) and not knowledge.may_send("streamed_calls")
    return _native_stage(knowledge.past_reasoning, _known_forms(knowledge), whole)


@lru_cache(maxsize=64)
def _native_stage(reasoning: PastReasoning, forms: tuple[Axis, ...], whole: bool) -> Stage:
    return Stage("native", reasoning=reasoning, forms=forms, whole=whole)


def _known_forms(knowledge: Knowledge) -> tuple[Axis, ...]:
    return tuple(filter(knowledge.lacks.__contains__, FORMS)) if knowledge.lacks else ()


def _text_forms(settings: Settings, knowledge: Knowledge) -> tuple[Axis, ...]:
    """What a request in text does without; where the contract goes, the user may have set."""
    known = _known_forms(knowledge)
    if settings.place is None:
        return known
    others = tuple(axis for axis in known if axis != "system_role")
    return others if settings.place == "system" else (*others, "system_role")


def _goes_native(turn_input: TurnInput, knowledge: Knowledge) -> bool:
    if turn_input.is_providers_alone:
        return True
    # In every native form they just failed, and went well in text.
    refused = knowledge.refused_tools
    is_refused = refused and refused.get(fingerprint(turn_input.tools)) == "text"
    if is_refused and turn_input.is_about_tools:
        return False
    if turn_input.tools and turn_input.choice.forced and not knowledge.may_send("tool_choice"):
        return False
    if turn_input.constraint and not knowledge.may_send("response_format"):
        return False
    if turn_input.form and turn_input.constraint and not knowledge.may_send(turn_input.form_axis):
        return False
    if knowledge.verdict == "unknown" and turn_input.goes_on_in_text:
        return False  # a server that drops tools may drop results as well
    return knowledge.evidence != "text" and knowledge.verdict != "none"


def first_in_text(turn_input: TurnInput, settings: Settings, knowledge: Knowledge) -> Stage:
    """How a turn asks first in text, be it from the start or after a native request."""
    text_input = turn_input.in_text(settings.max_tool_rounds)
    is_over = text_input.conversation.rounds >= settings.max_tool_rounds
    closing = is_over and not text_input.choice.forced
    # After a result a decision would end the turn too early.
    decides = settings.flow == "decision" and not text_input.conversation.has_result
    phase: Phase = "decision" if decides and not text_input.choice.forced else "call"
    if not text_input.tools or text_input.choice.kind == "none" or closing:
        phase = "answer"
    return Stage(
        phase,
        _decoding(turn_input, settings, knowledge, phase),
        forms=_text_forms(settings, knowledge),
        # Without tools no server was seen to insist, unless it said so: thoughts cost tokens.
        reasoning="fill" if knowledge.past_reasoning == "fill" else "leave_out",
    )


def _decoding(
    turn_input: TurnInput, settings: Settings, knowledge: Knowledge, phase: Phase
) -> Decoding:
    """What the server decodes under, as far as it is not known to refuse that."""
    # A schema for the whole reply leaves no place for calls of other tools.
    whole = turn_input.constraint and not turn_input.tools and knowledge.may_send("response_format")
    if whole and settings.constraint in (None, "quotes"):
        return "form"
    if phase == "answer" or settings.dialect.read:  # calls that are no JSON
        return "free"
    match settings.constraint:
        case "schema" if knowledge.may_send("response_format"):
            return "schema"
        case "grammar" | "quotes" if knowledge.may_send("grammar"):
            return "grammar"
        case None if can_hold_to_call(settings, knowledge):
            # It keeps the smallest models to what was said, and any model to a demanded call.
            quotes = settings.contract.quotes and not turn_input.conversation.asks_for_json
            helps = quotes or turn_input.choice.forced or phase == "decision"
            return "grammar" if helps else "free"
    return "free"


def can_hold_to_call(settings: Settings, knowledge: Knowledge) -> bool:
    """Whether the server takes a grammar, under which a demanded call must come, and it is left to us to send one."""
    is_ours = settings.constraint is None and not settings.dialect.read
    return is_ours and knowledge.knows_grammar


# --- the same turn, asked afresh: no correction is shown again ---


def answer_stage(stage: Stage, *, closes: bool = False) -> Stage:
    """Asked for an answer without a call; it `closes` a turn whose model writes only calls that are not made."""
    decoding: Decoding = "form" if stage.decoding == "form" else "free"
    afresh = replace(stage, steered_to=(), checks=None, retry=None, again=False)
    reasks = forget_corrections(stage.reasks)
    return replace(afresh, phase="answer", decoding=decoding, reasks=reasks, closes=closes)


def steered_stage(stage: Stage, names: tuple[str, ...]) -> Stage:
    """Asked for a call of these tools, in a way that cannot be copied from an example."""
    reasks = forget_corrections(stage.reasks)
    return replace(stage, reasks=reasks, steered_to=names, checks=None)


def forget_corrections(reasks: tuple[Reask, ...]) -> tuple[Reask, ...]:
    """Re-asks that count, and of which the model is shown nothing any more."""
    return tuple(replace(reask, correction="") for reask in reasks)
