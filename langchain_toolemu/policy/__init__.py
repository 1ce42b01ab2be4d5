"""What may doubt a call: one replaceable policy."""

from langchain_toolemu.policy.checks import (
    CAREFUL,
    DEFAULT,
    STRICT,
    TRUST,
    Checks,
    InOrder,
    NotRepeated,
    resolve_policy,
)
from langchain_toolemu.policy.conversation import Conversation
from langchain_toolemu.policy.grounding import Grounded, KnownIds
from langchain_toolemu.policy.made_up_values import NotCopied, NotPlaceholder
from langchain_toolemu.policy.review import CallContext, CallPolicy, Review

__all__ = [
    "CAREFUL", "DEFAULT", "STRICT", "TRUST", "CallContext", "CallPolicy", "Checks", "Conversation", "Grounded",
    "InOrder", "KnownIds", "NotCopied", "NotPlaceholder", "NotRepeated", "Review", "resolve_policy",
]  # fmt: skip
