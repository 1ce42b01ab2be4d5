"""A model that insists: whatever it is asked, and however often, it writes the same call as text."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from langchain_core.messages import AIMessage

from langchain_toolemu import ChatToolEmu
from tests.benchmarks.trust.turns import Called, DataTurn, called_messages
from tests.toy_models import Binding, Toy

_QUOTED = re.compile(r"""'[^']*'|"[^"]*"|`[^`]*`""")
_LONGEST_REASON = 60

SIZES = {
    "0.5B": "qwen2.5-0.5b",
    "1.5B": "qwen2.5-1.5b",
    "3B": "llama-3.2-3b",
    "7B": "mistral-7b",
    "unnamed": "my-model",
}
"""Names of models, by the size that a wrapper finds in them."""


class Insisting(Toy):
    """Has no `bind_tools`: a wrapper asks it in text at once."""

    model_name: str = "my-model"


class InsistingInText(Binding):
    """Is asked natively, and writes its calls as text all the same."""

    model_name: str = "my-model"


WAYS: Mapping[str, tuple[type[Toy], dict[str, Any]]] = {
    "force": (Insisting, {"mode": "force"}),
    "fallback": (Insisting, {"mode": "fallback"}),
    "rescued": (InsistingInText, {"mode": "fallback"}),
}
"""The ways to the text: always emulated, emulated because nothing else is there, and read out of a native reply."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a turn.

    Attributes:
        turn: The turn.
        missing: The right calls that were not made.
        surplus: How many other calls were made.
        extra: How many requests were sent after the first one, in a step.
        reasons: Why: the reasons of the questions, of the doubts and of what was left out.
        waits: How many further steps it took, since a call waited for the result of another.
        message: The message; `None` if the turn ended in an error.
        error: The error.
    """

    turn: DataTurn
    missing: tuple[Called, ...]
    surplus: int
    extra: int
    reasons: tuple[str, ...]
    waits: int = 0
    message: AIMessage | None = None
    error: Exception | None = None

    @property
    def made(self) -> bool:
        """Whether every right call was made, and no other."""
        return not self.missing and not self.surplus

    @property
    def in_words(self) -> str:
        """What went wrong, in one line."""
        wrong = [f"not made: {call.written}" for call in self.missing]
        wrong += [f"{self.surplus} other calls"] if self.surplus else []
        wrong += [f"{self.extra} extra requests"] if self.extra > 1 else []
        wrong += [repr(self.error)] if self.error else []
        return f"{self.turn.id}: {'; '.join(wrong)} ({', '.join(self.reasons)})"


class InsistingAgent:
    """A wrapper around an insisting model of one size, which plays one turn after the other.

    Example:
        ```python
        InsistingAgent("1.5B").play(turn).made
        ```
    """

    def __init__(self, size: str, way: str = "force", **options: Any) -> None:
        kind, terms = WAYS[way]
        self.name = SIZES[size]
        self.model = kind(said=[""], model_name=self.name)
        self.wrapper = ChatToolEmu(llm=self.model, **{**terms, **options})

    def play(self, turn: DataTurn) -> Outcome:
        """Play a turn in which the model insists on the right calls; what waits comes again after the results."""
        left, messages = turn.calls, list(turn.messages)
        surplus = extra = waits = 0
        reasons: list[str] = []
        while True:
            self._start("\n".join(call.written for call in left))
            try:
                message = self.wrapper.bind_tools(turn.tools).invoke(messages)
            except Exception as error:  # noqa: BLE001 - an error is an outcome too
                return Outcome(turn, left, surplus, self._extra, tuple(reasons), waits, error=error)
            made = [Called(call["name"], call["args"]) for call in message.tool_calls]
            surplus += len(_without(made, left))
            extra = max(extra, self._extra)
            reasons += reasons_of(message)
            missing = _without(left, made)
            if not (missing and made and _has_waiting(message)) or waits == _MOST_WAITS:
                return Outcome(
                    turn, missing, surplus, extra, tuple(dict.fromkeys(reasons)), waits, message
                )
            waits += 1
            left = missing
            messages += called_messages(
                [(one, "ok", "success") for one in made], number=900 + waits
            )

    @property
    def _extra(self) -> int:
        """How many requests were sent after the first one."""
        return len(self.model.heard) - 1

    def _start(self, text: str) -> None:
        """Set what the model insists on, under a new tag: a wrapper learns that an endpoint writes its calls as text."""
        self.model.model_name = f"{self.name}:turn{uuid4().int}"
        self.model.said[:] = [text]
        self.model.heard.clear()


_MOST_WAITS = 5


def _has_waiting(message: AIMessage) -> bool:
    """Whether a call of the reply waits for the result of another one."""
    doubted = report_of(message).get("doubted", ())
    return any("out_of_order" in one["reason"] and not one["made"] for one in doubted)


def report_of(message: AIMessage) -> Mapping[str, Any]:
    """What the wrapper says of a turn."""
    return message.response_metadata.get("toolemu", {})


def reasons_of(message: AIMessage) -> tuple[str, ...]:
    """Why a call was asked about, doubted or left out; without the values, so that they can be counted."""
    report = report_of(message)
    doubts = [f"doubted: {_without_values(doubt['reason'])}" for doubt in report.get("doubted", ())]
    left_out = [
        "left out: made up" if "made up" in warning else "left out"
        for warning in report.get("warnings", ())
        if warning.startswith("left out")
    ]
    return tuple(dict.fromkeys([*doubts, *report.get("reasks", ()), *left_out]))


def _without_values(reason: str) -> str:
    return _QUOTED.sub("...", reason)[:_LONGEST_REASON]


def _without(calls: Sequence[Called], others: Sequence[Called]) -> tuple[Called, ...]:
    """The calls that have no equal among the others, each of which counts once."""
    left = list(others)
    missing = []
    for call in calls:
        if call in left:
            left.remove(call)
        else:
            missing.append(call)
    return tuple(missing)
