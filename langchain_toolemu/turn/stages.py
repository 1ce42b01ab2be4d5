"""What a turn is doing, as one frozen value; what may follow, as moves.

A turn asks natively or in text. Asked in text, a stage says everything that the request depends on besides the order and
the settings, so a request is a pure function of the three. Stages that cannot be reached cannot be made.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias

from langchain_toolemu.messages.content import Part
from langchain_toolemu.model_facts import Lesson
from langchain_toolemu.reader.events import Call
from langchain_toolemu.turn.turn_input import Knowledge, Settings, TurnInput

Path: TypeAlias = Literal["native", "emulated", "rescued"]
"""Who made the message: the provider, our contract, or our reader out of the text of a native reply."""

Phase: TypeAlias = Literal["call", "decision", "answer"]
"""What a request in text asks for: an answer or calls; calls or nothing; an answer only."""

Decoding: TypeAlias = Literal["free", "form", "schema", "grammar"]
"""What the server is to decode under: nothing, the schema of the answer's form, that of a call, or a grammar of both words
and calls."""

Reason: TypeAlias = Literal[
    "cut_call",
    "unreadable_call",
    "unclear_call",
    "unknown_tool",
    "bad_arguments",
    "wrong_tool",
    "missing_call",
    "doubted_call",
    "imitated_call",
    "refusal",
    "empty_reply",
]

QUESTIONS: frozenset[Reason] = frozenset({"doubted_call", "unclear_call"})
"""What asks about a call, and leaves the model free to answer in words."""

# Where to look when a rule fires: at what the reader could not read, at the arguments, at what the model was
# told, or at what it chose to do.
_CONCERNS: Mapping[Reason, str] = {
    "cut_call": "reader",
    "unreadable_call": "reader",
    "unclear_call": "reader",
    "unknown_tool": "validation",
    "bad_arguments": "validation",
    "refusal": "contract",
    "missing_call": "contract",
    "empty_reply": "contract",
    "imitated_call": "contract",
    "wrong_tool": "policy",
    "doubted_call": "policy",
}


def label_of(reason: Reason) -> str:
    """A reason with the part of the package it concerns, so that a user knows what to change."""
    return f"{_CONCERNS[reason]}: {reason}"


# --- stages ---


@dataclass(frozen=True, slots=True)
class Reask:
    """A further request because of a reply that failed.

    Attributes:
        reason: Why.
        failed: The reply's text, which the model is shown again.
        correction: What the model is told; empty if it was asked afresh since.
        words: What the reply said and was not shown: a refusal, or what surrounds a doubted call, is the answer if no
            call follows.
        stands: Whether words of the reply were shown, so that it is the answer as it was written if no call follows.
        calls: Its doubted calls, which are made if the model says nothing to the question.
    """

    reason: Reason
    failed: str
    correction: str
    words: tuple[Part, ...] = ()
    stands: bool = False
    calls: tuple[Call, ...] = ()

    @property
    def is_afresh(self) -> bool:
        """Whether a question is asked without a word of ours: neither its call nor examples of calls are shown again."""
        return self.reason == "doubted_call" and not self.correction


@dataclass(frozen=True, slots=True)
class NativeReply:
    """A native reply that is the answer if a check finds no call either, or if the contract does not fit.

    Attributes:
        words: What it said and was not shown.
        metadata: What it says about itself.
        info: The same of the generation around it.
    """

    words: tuple[Part, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)
    info: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PlainRetry:
    """A request that is sent once more without our additions.

    Attributes:
        error: What came of the request with them.
        lessons: What is found out of the model if this one goes well.
    """

    error: Exception
    lessons: tuple[Lesson, ...] = ()


@dataclass(frozen=True, slots=True)
class AskedNatively:
    """The order was sent as the caller made it.

    Attributes:
        advised: Whether the model was also told when to call: it is known to write its calls as text.
    """

    advised: bool = False


@dataclass(frozen=True, slots=True)
class AskedInText:
    """The order was sent as a plain chat model understands it.

    Attributes:
        phase: What was asked for.
        decoding: What the server decodes under.
        system_role: Whether the contract is in a system message; else it opens the first user message.
        reasks: The re-asks so far. The last one's correction is part of the request.
        steered_to: The tools that a model was steered to after it copied an example.
        checks: The native reply that the request checks.
        plainly: Why this request does without our additions.
        native: The native reply that the turn falls back on if the contract does not fit.
    """

    phase: Phase
    decoding: Decoding = "free"
    system_role: bool = True
    reasks: tuple[Reask, ...] = ()
    steered_to: tuple[str, ...] = ()
    checks: NativeReply | None = None
    plainly: PlainRetry | None = None
    native: NativeReply | None = None

    def __post_init__(self) -> None:
        if self.plainly and self.decoding != "free":
            raise ValueError("a request without additions has neither a schema nor a grammar")
        if self.phase == "answer" and self.decoding in ("schema", "grammar"):
            raise ValueError("an answer has neither the schema nor the grammar of a call")
        if self.phase != "call" and self.steered_to:
            raise ValueError("only a model that is shown examples can copy one")
        if self.steered_to and not self.reasks and self.decoding != "grammar":
            raise ValueError("where no call is demanded, a model is steered only under a grammar")
        if self.checks and (self.reasks or self.steered_to):
            raise ValueError("a check is the first request in text")
        if self.checks and (self.phase == "answer" or self.decoding == "form"):
            raise ValueError("a check asks for calls")

    @property
    def added(self) -> tuple[str, ...]:
        """What the request holds that the caller did not ask for: the roles are ours in any case."""
        decoding = {"form": "response_format", "schema": "response_format", "grammar": "grammar"}
        return ("system_role", *(() if self.decoding == "free" else (decoding[self.decoding],)))

    @property
    def asked_again(self) -> Reask | None:
        """The re-ask that the request is, if it is one that shows a correction."""
        return self.reasks[-1] if self.reasks and self.reasks[-1].correction else None


Stage: TypeAlias = AskedNatively | AskedInText


# --- moves ---


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """What follows a reply or an error.

    Attributes:
        show: What is shown of the reply now that it has ended.
        warnings: What the metadata tells the user.
        log: What the log tells.
        lessons: What was found out of the model.
    """

    show: tuple[Part, ...] = ()
    warnings: tuple[str, ...] = ()
    log: tuple[str, ...] = ()
    lessons: tuple[Lesson, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Send(Move):
    """Another request follows."""

    stage: Stage


@dataclass(frozen=True, slots=True, kw_only=True)
class Finish(Move):
    """The turn is done.

    Attributes:
        path: Who made the message.
        resumes: Whether an earlier reply is the answer after all, so that what is shown goes on with it.
    """

    path: Path
    resumes: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class GiveUp(Move):
    """The turn is done, and what was demanded never came."""

    error: Exception


@dataclass(frozen=True, slots=True, kw_only=True)
class NotOurs(Move):
    """An error that is the caller's.

    Attributes:
        note: What the caller is told with it.
    """

    note: str = ""


# --- where a turn begins ---


def first_stage(order: TurnInput, settings: Settings, knowledge: Knowledge) -> Stage:
    """How a turn asks first."""
    if _goes_native(order, settings, knowledge):
        writes_text = bool(order.tools) and knowledge.evidence == "text"
        return AskedNatively(advised=writes_text and settings.contract.after_rescues == "advised")
    needs_text = order.tools or order.constraint or order.form
    if needs_text or order.conversation.has_tool_history:
        return first_in_text(order, settings, knowledge)
    return AskedNatively()


def _goes_native(order: TurnInput, settings: Settings, knowledge: Knowledge) -> bool:
    if settings.mode != "fallback" or order.native is None:
        return False
    if order.tools and order.choice.forced and not knowledge.may_send_tool_choice:
        return False
    if order.constraint and not knowledge.may_send_schema:
        return False
    if knowledge.evidence == "text":
        return settings.contract.after_rescues != "text"
    return knowledge.verdict != "none"


def first_in_text(
    order: TurnInput,
    settings: Settings,
    knowledge: Knowledge,
    *,
    checks: NativeReply | None = None,
    native: NativeReply | None = None,
) -> AskedInText:
    """How a turn asks first in text, be it from the start or after a native request.

    Raises:
        ToolSpecError: The choice demands what no text can do.
    """
    phase = _first_phase(order.in_text(settings.max_tool_rounds), settings)
    takes_system = settings.system_role == "system" or knowledge.may_send_system_message
    return AskedInText(
        phase,
        _decoding(order, settings, knowledge, phase),
        system_role=takes_system and settings.system_role != "user",
        checks=checks if phase != "answer" else None,
        native=native or checks,
    )


def _first_phase(order: TurnInput, settings: Settings) -> Phase:
    closing = order.is_out_of_rounds(settings.max_tool_rounds) and not order.choice.forced
    if not order.tools or order.choice.kind == "none" or closing:
        return "answer"
    return "decision" if settings.flow == "decision" else "call"


def _decoding(order: TurnInput, settings: Settings, knowledge: Knowledge, phase: Phase) -> Decoding:
    """What the server is to decode under, as far as it is not known to refuse that."""
    # A schema for the whole reply leaves no place for calls of other tools.
    whole = order.constraint and not order.tools and knowledge.may_send_schema
    if whole and settings.constrain in ("auto", "quotes"):
        return "form"
    if phase == "answer":
        return "free"
    match settings.constrain:
        case "schema" if knowledge.may_send_schema:
            return "schema"
        case "grammar" | "quotes" if knowledge.may_send_grammar:
            return "grammar"
        case "auto" if knowledge.knows_grammar and _wants_grammar(order, settings, phase):
            return "grammar"
    return "free"


def _wants_grammar(order: TurnInput, settings: Settings, phase: Phase) -> bool:
    """Whether a grammar helps: it keeps the smallest models to what was said, and any model to a demanded call."""
    quotes = settings.contract.quotes and not order.conversation.asks_for_json
    return quotes or order.choice.forced or phase == "decision"


# --- the same turn, asked afresh: no correction is shown again ---


def answer_stage(stage: AskedInText) -> AskedInText:
    """Asked for an answer without a call."""
    decoding: Decoding = "form" if stage.decoding == "form" else "free"
    return AskedInText(
        "answer", decoding, stage.system_role, _past(stage.reasks), native=stage.native
    )


def steered_stage(stage: AskedInText, names: tuple[str, ...]) -> AskedInText:
    """Asked for a call of these tools, in a way that cannot be copied from an example."""
    return replace(stage, reasks=_past(stage.reasks), steered_to=names, checks=None)


def _past(reasks: tuple[Reask, ...]) -> tuple[Reask, ...]:
    return tuple(replace(reask, correction="") for reask in reasks)
