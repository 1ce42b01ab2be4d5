"""Accept, re-ask, or give up: one pure function over what was read and what was asked.

The order of the rules is the order of harm: a call nobody can read first, a demanded call that is missing
next, everything else is accepted.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from langchain_toolemu.dialects import Dialect
from langchain_toolemu.tools import ToolChoice, ToolSet
from langchain_toolemu.values import BadCall

Reason: TypeAlias = Literal["missing_call", "unreadable_call", "cut_call", "unknown_tool"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one emulated reply amounted to."""

    calls: int
    bad_calls: Sequence[BadCall]


@dataclass(frozen=True, slots=True)
class Reask:
    """A further request: why, and what the model is told."""

    reason: Reason
    correction: str


@dataclass(frozen=True, slots=True)
class Terms:
    """What was asked of the model."""

    tools: ToolSet
    choice: ToolChoice
    dialect: Dialect


def judge(outcome: Outcome, terms: Terms) -> Reask | None:
    """What is wrong with a reply, as the correction to send; `None` if it is to be accepted."""
    if outcome.bad_calls and not outcome.calls:
        return _correct_bad_call(outcome.bad_calls[0], terms)
    if terms.choice.forced and not outcome.calls:
        return _demand_call(terms)
    return None


def _correct_bad_call(bad: BadCall, terms: Terms) -> Reask:
    form = (
        f"Write it again, in full and in this form, with nothing after it:\n{terms.dialect.form()}"
    )
    match bad.reason:
        case "cut":
            return Reask("cut_call", f"Your call was cut off before its end. {form}")
        case "unknown_tool":
            names = ", ".join(terms.tools.names)
            return Reask(
                "unknown_tool",
                f"There is no tool named {bad.name!r}. The tools are: {names}. "
                f"Call one of them in this form, or answer in plain words:\n{terms.dialect.form()}",
            )
    return Reask("unreadable_call", f"Your call could not be read: {bad.detail}. {form}")


def _demand_call(terms: Terms) -> Reask:
    wanted = terms.choice.name or f"one of {', '.join(terms.tools.names)}"
    return Reask(
        "missing_call",
        f"Your reply held no call, and one is required. Call {wanted} now. "
        f"Reply with only this, filled in:\n{terms.dialect.form()}",
    )
