"""What may doubt a call: one replaceable policy."""

from langchain_toolemu.policy.asked_for import AskedFor
from langchain_toolemu.policy.checks import (
    CAREFUL,
    DEFAULT,
    STRICT,
    TRUST,
    Checks,
    resolve_policy,
)
from langchain_toolemu.policy.conversation import Conversation
from langchain_toolemu.policy.grounding import GivenValues, Grounded, KnownIds
from langchain_toolemu.policy.made_up_values import NotCopied, NotPlaceholder
from langchain_toolemu.policy.order import InOrder
from langchain_toolemu.policy.repeats import NotRepeated
from langchain_toolemu.policy.review import CallContext, CallPolicy, Review

__all__ = [
    "CAREFUL", "DEFAULT", "STRICT", "TRUST", "AskedFor", "CallContext", "CallPolicy", "Checks", "Conversation", "GivenValues",
    "Grounded", "InOrder", "KnownIds", "NotCopied", "NotPlaceholder", "NotRepeated", "Review", "resolve_policy",
]  # fmt: skip
