"""`Checks`: a policy made of checks; and the policies that have names."""

from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from typing_extensions import Self

from langchain_toolemu.options import PolicyName, auto_policy, identity_of
from langchain_toolemu.policy.looked_up import LookedUp
from langchain_toolemu.policy.not_quoted import NotQuoted
from langchain_toolemu.policy.order import InOrder
from langchain_toolemu.policy.placeholders import NotPlaceholder
from langchain_toolemu.policy.repeats import InTime, NotRepeated
from langchain_toolemu.policy.review import ACCEPT, CallContext, CallPolicy, Review, run_review
from langchain_toolemu.policy.values import NotCopied
from langchain_toolemu.reader.events import Call


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
            review = check.review if _is_built_in(check) else partial(run_review, check)
            found = review(call, context)
            if found.outcome != "accept":
                final = found.final or (self.is_final and found.outcome == "ask")
                return replace(found, final=final)
        return ACCEPT

    @property
    def ignores_long_texts(self) -> bool:
        """Whether no check looks at texts longer than `LONG_TEXT`, so that these can stream."""
        return type(self) is Checks and all(map(_is_built_in, self.checks))

    @property
    def identity(self) -> tuple[Any, ...]:
        """What tells it from others in a cache's key."""
        return (type(self).__name__, self.is_final, *map(identity_of, self.checks))


def _with_first_check(policy: CallPolicy) -> CallPolicy:
    """A policy of the user's, which only `trust` frees from asking about what is only quoted."""
    checks = policy.checks if isinstance(policy, Checks) else (policy,)
    if not checks or any(isinstance(check, NotQuoted) for check in checks):
        return policy
    first = Checks(NotQuoted())
    return first + policy if isinstance(policy, Checks) else Checks(NotQuoted(), policy)


def _is_built_in(check: CallPolicy) -> bool:
    """Whether a check is of this package; a class derived from one of its may look at anything."""
    kind = type(check)
    return kind is not Checks and kind.__module__.startswith("langchain_toolemu.")


TRUST = Checks()
"""Every valid call is made."""

DEFAULT = Checks(NotCopied(), NotQuoted(), InOrder(), NotPlaceholder(), NotRepeated())
"""What no model means."""

CAREFUL = Checks(
    NotCopied(),
    NotQuoted(),
    InOrder(careful=True),
    InTime(),
    NotRepeated(careful=True),
    NotPlaceholder(careful=True),
    LookedUp(),
)
"""For small models: also what a look-up could tell, and acts that were done."""

STRICT = CAREFUL.final()
"""What is doubted twice is not made."""

_NAMED = {"trust": TRUST, "default": DEFAULT, "careful": CAREFUL, "strict": STRICT}


def resolve_policy(
    policy: PolicyName | CallPolicy, billions: float | None
) -> tuple[str, CallPolicy]:
    """A policy's name, and the policy; `"auto"` follows the model's size in billions."""
    if not isinstance(policy, str):
        known = (name for name, known_policy in _NAMED.items() if known_policy == policy)
        return next(known, type(policy).__name__), _with_first_check(policy)
    name = auto_policy(billions) if policy == "auto" else policy
    return name, _NAMED[name]
