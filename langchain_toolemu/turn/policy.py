"""Accept, re-ask with a correction, or give up: one pure function over what was read and what was asked.

The rules stand in the order of harm: a call nobody can run, a call that does not fit, a demanded call that is
missing, and only then what merely could be better. Each correction is stricter than the one before it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from langchain_toolemu.contract.dialects import Dialect
from langchain_toolemu.reader.events import BadCall, Call
from langchain_toolemu.tools import ToolChoice, ToolSet

Stage: TypeAlias = Literal["contract", "reader", "validation", "policy"]
Reason: TypeAlias = Literal[
    "cut_call",
    "unreadable_call",
    "unknown_tool",
    "bad_arguments",
    "wrong_tool",
    "missing_call",
    "repeated_call",
    "imitated_call",
    "refusal",
    "empty_reply",
]

# Where to look when a rule fires: at what the reader could not read, at the arguments, at what the model was
# told, or at what it chose to do.
_STAGES: dict[Reason, Stage] = {
    "cut_call": "reader",
    "unreadable_call": "reader",
    "unknown_tool": "validation",
    "bad_arguments": "validation",
    "refusal": "contract",
    "missing_call": "contract",
    "empty_reply": "contract",
    "imitated_call": "contract",
    "wrong_tool": "policy",
    "repeated_call": "policy",
}

# Worth one correction and no more: a refusal that stands is an answer, and polling is legitimate.
_ONCE: frozenset[Reason] = frozenset({"refusal", "repeated_call", "imitated_call"})


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one emulated reply amounted to.

    Attributes:
        calls: Those that were accepted.
        doubtful: Those held back: their arguments do not fit, or they repeat what was just answered.
        unwanted: Those that nobody asked for: of another tool than the one demanded, or where no tool is offered.
        bad_calls: Those that cannot be run.
        repeats: Whether a doubtful call repeats one whose result is the last thing the model was told.
        refused: Whether the reply denies that there are tools.
        empty: Whether it holds nothing at all.
    """

    calls: Sequence[Call] = ()
    doubtful: Sequence[Call] = ()
    unwanted: Sequence[Call] = ()
    bad_calls: Sequence[BadCall] = ()
    repeats: bool = False
    refused: bool = False
    empty: bool = False


@dataclass(frozen=True, slots=True)
class Terms:
    """What was asked of the model; `offered` is false where it was to answer without tools."""

    tools: ToolSet
    choice: ToolChoice
    dialect: Dialect
    max_reasks: int
    offered: bool = True


@dataclass(frozen=True, slots=True)
class Accept:
    """The reply is as good as it gets, or good enough."""


@dataclass(frozen=True, slots=True)
class Reask:
    """A further request: why, and what the model is told."""

    reason: Reason
    correction: str

    @property
    def label(self) -> str:
        """The reason with the stage it concerns, so that a user knows what to change."""
        return f"{_STAGES[self.reason]}: {self.reason}"


@dataclass(frozen=True, slots=True)
class GiveUp:
    """Something is wrong and no re-ask is left."""

    fault: Reask


Judgement: TypeAlias = Accept | Reask | GiveUp


def judge(outcome: Outcome, terms: Terms, past: Sequence[Reask]) -> Judgement:
    """What to do about a reply, given the re-asks this turn has already sent."""
    fault = _fault(outcome, terms)
    if fault is None:
        return Accept()
    tried = [reask.reason for reask in past]
    if fault.reason in _ONCE and fault.reason in tried:
        return Accept()
    if len(past) >= terms.max_reasks:
        return GiveUp(fault)
    return Reask(fault.reason, f"{fault.correction}{_strictness(len(past))}")


def _strictness(earlier: int) -> str:
    return " Write nothing else: no explanation, no other words." if earlier else ""


def _fault(outcome: Outcome, terms: Terms) -> Reask | None:
    if not terms.offered:
        return _no_answer(outcome) if outcome.empty else None
    return next((fault for rule in _RULES if (fault := rule(outcome, terms))), None)


def _bad_call(outcome: Outcome, terms: Terms) -> Reask | None:
    if not outcome.bad_calls or outcome.calls:
        return None
    bad = outcome.bad_calls[0]
    match bad.reason:
        case "cut":
            return Reask(
                # No form here: a model that ran on in a value knows it, and a small one would copy it out.
                "cut_call",
                "Your call was cut off before its end. Write it again, with shorter values.",
            )
        case "unknown_tool":
            return Reask(
                "unknown_tool",
                f"There is no tool named {bad.name!r}. The tools are: {', '.join(terms.tools.names)}. "
                f"Call one of them {_form(terms)}\nOr answer in plain words.",
            )
    return Reask(
        "unreadable_call",
        f"Your call could not be read: {bad.detail}. Write it again {_form(terms)}",
    )


def _bad_arguments(outcome: Outcome, terms: Terms) -> Reask | None:
    wrong = next((call for call in outcome.doubtful if call.errors), None)
    if wrong is None:
        return None
    return Reask(
        "bad_arguments",
        f"Your call of {wrong.name} does not fit: {'; '.join(wrong.errors)}. "
        f"Write it again with the arguments mended, {_form(terms)}",
    )


def _missing_call(outcome: Outcome, terms: Terms) -> Reask | None:
    if not terms.choice.forced or outcome.calls or outcome.doubtful:
        return None
    wanted = terms.choice.name or f"one of {', '.join(terms.tools.names)}"
    if outcome.unwanted:
        return Reask(
            "wrong_tool",
            f"You called {outcome.unwanted[0].name}. Call {wanted} instead, {_form(terms)}",
        )
    return Reask(
        "missing_call",
        f"Your reply held no call, and one is required. Call {wanted} now, {_form(terms)}",
    )


def _repeated_call(outcome: Outcome, _: Terms) -> Reask | None:
    if not outcome.repeats or outcome.calls:
        return None
    name = outcome.doubtful[0].name
    return Reask(
        "repeated_call",
        f"You have just called {name} with these arguments, and its result is above. "
        "Answer from it in plain words, or call with other arguments if something is still missing.",
    )


def _refusal(outcome: Outcome, terms: Terms) -> Reask | None:
    if not outcome.refused or outcome.calls:
        return None
    return Reask(
        "refusal",
        f"You do have tools: {', '.join(terms.tools.names)}. A call is run for you and its result comes in the next "
        f"message. If one of them helps, call it now, {_form(terms)}\nOtherwise answer in plain words.",
    )


def _empty_reply(outcome: Outcome, terms: Terms) -> Reask | None:
    if not outcome.empty or outcome.calls or outcome.doubtful:
        return None
    return Reask(
        "empty_reply", f"Your reply was empty. Answer in plain words, or call a tool {_form(terms)}"
    )


def _no_answer(outcome: Outcome) -> Reask:
    if outcome.unwanted:
        return Reask(
            "imitated_call",
            "No tools can be called now. Answer the user in plain words, from what is above.",
        )
    return Reask("empty_reply", "Your reply was empty. Answer the user in plain words.")


_RULES: tuple[Callable[[Outcome, Terms], Reask | None], ...] = (
    _bad_call,
    _bad_arguments,
    _missing_call,
    _repeated_call,
    _refusal,
    _empty_reply,
)


def _form(terms: Terms) -> str:
    return f"in this form, with nothing after it:\n{terms.dialect.form()}"
