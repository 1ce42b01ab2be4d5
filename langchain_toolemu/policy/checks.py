"""`InOrder` and `NotRepeated`, which look at the calls before a call; and `Checks`, a policy made of checks.

`NotRepeated` asks about an exact repeat of the last call, five identical calls with identical results, and a third equal round.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any

from typing_extensions import Self

from langchain_toolemu.contract import corrections
from langchain_toolemu.options import PolicyName, auto_policy, identity_of
from langchain_toolemu.policy.conversation import CallOutcome
from langchain_toolemu.policy.grounding import Grounded, KnownIds, unknown_id
from langchain_toolemu.policy.made_up_values import NotCopied, NotPlaceholder, find_placeholder
from langchain_toolemu.policy.review import ACCEPT, CallContext, CallPolicy, Review, run_review
from langchain_toolemu.reader.events import Call

_MOST_IDENTICAL = 5
"""So many identical calls with identical results are polling, or a loop: the model is asked once more."""

_LONGEST_CYCLE = 4  # so many calls at most make a cycle


@dataclass(frozen=True, slots=True)
class InOrder:
    """Holds a further call of a reply back that needs the result of an earlier one."""

    def review(self, call: Call, context: CallContext) -> Review:
        """Says nothing of the first call, nor where the caller wants several calls at once."""
        if not context.earlier or context.parallel is True:
            return ACCEPT
        names = {past.name for past in context.earlier}
        sources = [tool for tool in context.tools if tool.name in names]
        found = find_placeholder(call, context) or unknown_id(call.args, sources, context)
        if found is None:
            return ACCEPT
        reason = f"{found.argument} needs the result of an earlier call"
        return Review.hold_back(reason, code="out_of_order")


@dataclass(frozen=True, slots=True)
class NotRepeated:
    """Asks about a call that was just answered, and about a cycle of calls."""

    def review(self, call: Call, context: CallContext) -> Review:
        """Says nothing of a call that was demanded, has no arguments, or stands next to another one."""
        if context.is_demanded or context.earlier or not call.args:
            return ACCEPT
        rounds = context.conversation.rounds_since_user
        if not rounds or not (_is_needless(call, rounds) or _is_cycle(call, rounds)):
            return ACCEPT
        correction = corrections.repeated_call(call.name)
        return Review.ask("it was just answered", correction, code="repeated_call")


def _is_needless(call: Call, rounds: Sequence[Sequence[CallOutcome]]) -> bool:
    """Whether the last rounds since the user spoke have this very call, and told all that it can tell.

    Others may stand beside it: a model that goes round makes all of them again.
    """
    same = (
        [one for one in outcomes if one.is_of(call.name, call.args)]
        for outcomes in reversed(rounds)
    )
    run = [one[0] for one in takewhile(bool, same)]
    if not run or run[0].result is None:
        return False
    results = {one.result for one in run[:_MOST_IDENTICAL]}
    return len(run) == 1 or (len(run) % _MOST_IDENTICAL == 0 and len(results) == 1)


def _is_cycle(call: Call, rounds: Sequence[Sequence[CallOutcome]]) -> bool:
    """Whether a call begins a sequence of calls that came twice before, with the same results."""
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


_BUILT_IN = (NotCopied, NotPlaceholder, InOrder, NotRepeated, KnownIds, Grounded)


@dataclass(frozen=True, init=False)
class Checks:
    """A policy made of checks: the first that does not accept a call decides.

    Attributes:
        checks: Policies, in order.
        is_final: Whether a call that is doubted twice is not made.

    Example:
        ```python
        policy = DEFAULT + Checks(NoDeletes())
        ```
    """

    checks: tuple[CallPolicy, ...]
    is_final: bool

    def __init__(self, *checks: CallPolicy, is_final: bool = False) -> None:
        object.__setattr__(self, "checks", checks)
        object.__setattr__(self, "is_final", is_final)

    def __add__(self, other: "Checks") -> Self:
        """The checks of both, these first."""
        return type(self)(*self.checks, *other.checks, is_final=self.is_final or other.is_final)

    def final(self) -> Self:
        """The same checks, whose doubts a model cannot overrule by insisting."""
        return type(self)(*self.checks, is_final=True)

    def review(self, call: Call, context: CallContext) -> Review:
        """What the first check says that does not accept the call."""
        for check in self.checks:
            found = run_review(check, call, context)
            if found.outcome != "accept":
                final = found.final or (self.is_final and found.outcome == "ask")
                return replace(found, final=final)
        return ACCEPT

    @property
    def ignores_long_texts(self) -> bool:
        """Whether no check looks at a text longer than `LONG_TEXT`, so that one can stream while it comes."""
        # A class derived from one of them may look at anything.
        return type(self) is Checks and all(type(check) in _BUILT_IN for check in self.checks)

    @property
    def identity(self) -> tuple[Any, ...]:
        """What tells it from others in a cache's key."""
        return (type(self).__name__, self.is_final, *map(identity_of, self.checks))


TRUST = Checks()
"""Every valid call is made."""

DEFAULT = Checks(NotCopied(), NotPlaceholder(), InOrder(), NotRepeated())
"""No value of the package's own examples, no placeholder; an exact repeat is asked about."""

_KNOWING_IDS = DEFAULT + Checks(KnownIds())

CAREFUL = _KNOWING_IDS + Checks(Grounded())
"""Asks about ids and values that nobody gave as well. The model may insist."""

STRICT = CAREFUL.final()
"""What is doubted twice is not made."""

_NAMED = {
    "trust": TRUST,
    "default": DEFAULT,
    "default with KnownIds": _KNOWING_IDS,
    "careful": CAREFUL,
    "strict": STRICT,
}


def resolve_policy(
    policy: PolicyName | CallPolicy, billions: float | None
) -> tuple[str, CallPolicy]:
    """What a policy is called, and the policy; `"auto"` follows the model's size in billions of parameters."""
    if not isinstance(policy, str):
        known = (name for name, one in _NAMED.items() if one == policy)
        return next(known, type(policy).__name__), policy
    name = auto_policy(billions) if policy == "auto" else policy
    return name, _NAMED[name]
