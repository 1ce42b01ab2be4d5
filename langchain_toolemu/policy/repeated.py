"""`NotRepeated`: a call whose result is the last thing that the model was told."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from langchain_toolemu.contract import corrections
from langchain_toolemu.policy.conversation import CallOutcome
from langchain_toolemu.policy.review import ACCEPT, CallContext, Review
from langchain_toolemu.reader.events import Call

_MOST_IDENTICAL = 5
"""So many identical calls with identical results are polling, or a loop: the model is asked once more."""


@dataclass(frozen=True, slots=True)
class NotRepeated:
    """Asks about an exact repeat of the last call, the first time; whoever insists polls."""

    def review(self, call: Call, context: CallContext) -> Review:
        """Asks if nothing else was called since, the call succeeded, and it has arguments."""
        if context.is_demanded or context.earlier or not call.args:
            return ACCEPT
        run = _identical_at_end(call, context.conversation.rounds_since_user)
        if not _is_needless(run):
            return ACCEPT
        correction = corrections.repeated_call(call.name)
        return Review.ask("it was just answered", correction, code="repeated_call")


def _identical_at_end(call: Call, rounds: Sequence[Sequence[CallOutcome]]) -> list[CallOutcome]:
    """The last outcomes since the user spoke that are of this very call and stand alone in their round, the last first."""
    alone = takewhile(lambda one: len(one) == 1, reversed(rounds))
    same = takewhile(lambda one: one[0].is_of(call.name, call.args), alone)
    return [outcomes[0] for outcomes in same]


def _is_needless(run: Sequence[CallOutcome]) -> bool:
    if not run or run[0].result is None:
        return False
    results = {one.result for one in run[:_MOST_IDENTICAL]}
    return len(run) == 1 or (len(run) % _MOST_IDENTICAL == 0 and len(results) == 1)
