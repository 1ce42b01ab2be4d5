"""`NotRepeated`: a call whose result is there already, and nothing came in between that could change it.

Asked about are the first exact repeat of the last call; five identical calls with identical results; and a third round of
calls that came twice in the same order with the same results. Whoever insists polls.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from langchain_toolemu.contract import corrections
from langchain_toolemu.policy.conversation import CallOutcome
from langchain_toolemu.policy.review import ACCEPT, CallContext, Review
from langchain_toolemu.reader.events import Call

_MOST_IDENTICAL = 5
"""So many identical calls with identical results are polling, or a loop: the model is asked once more."""

_LONGEST_CYCLE = 4
"""So many calls at most make a cycle."""


@dataclass(frozen=True, slots=True)
class NotRepeated:
    """Asks about a call that was just answered, and about a cycle of calls."""

    def review(self, call: Call, context: CallContext) -> Review:
        """Says nothing of a call that was demanded, has no arguments, or stands next to another one."""
        if context.is_demanded or context.earlier or not call.args:
            return ACCEPT
        rounds = context.conversation.rounds_since_user
        if not rounds or not (
            _is_needless(_identical_at_end(call, rounds)) or _is_cycle(call, rounds)
        ):
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


def _is_cycle(call: Call, rounds: Sequence[Sequence[CallOutcome]]) -> bool:
    """Whether a call begins a row of calls that came twice before, with the same results."""
    if rounds[-1][0].is_of(call.name, call.args):
        return False
    for size in range(2, _LONGEST_CYCLE + 1):
        last, before = rounds[-size:], rounds[-2 * size : -size]
        if len(before) == size and _agree(last, before) and last[0][0].is_of(call.name, call.args):
            return True
    return False


def _agree(last: Sequence[Sequence[CallOutcome]], before: Sequence[Sequence[CallOutcome]]) -> bool:
    """Whether two rows are the same single calls with the same results, none of which failed."""
    return all(
        len(one) == len(other) == 1
        and one[0].result == other[0].result is not None
        and one[0].is_of(other[0].call.name, other[0].call.args)
        for one, other in zip(last, before, strict=True)
    )
