"""What may doubt a call: one replaceable policy."""

from typing import Any

from langchain_toolemu.policy.checks import (
    CAREFUL,
    DEFAULT,
    STRICT,
    TRUST,
    Checks,
    resolve_policy,
)
from langchain_toolemu.policy.conversation import Conversation
from langchain_toolemu.policy.looked_up import LookedUp
from langchain_toolemu.policy.not_quoted import NotQuoted
from langchain_toolemu.policy.order import InOrder
from langchain_toolemu.policy.placeholders import NotPlaceholder
from langchain_toolemu.policy.repeats import InTime, NotRepeated
from langchain_toolemu.policy.review import MOVED, CallContext, CallPolicy, Review, sentence_about
from langchain_toolemu.policy.values import NotCopied

__all__ = [
    "CAREFUL", "DEFAULT", "STRICT", "TRUST", "CallContext", "CallPolicy", "Checks", "Conversation",
    "InOrder", "InTime", "LookedUp", "NotCopied", "NotPlaceholder", "NotQuoted", "NotRepeated",
    "Review", "resolve_policy",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    # Of an AttributeError the import statement would not show the sentence.
    error = ImportError if name in MOVED else AttributeError
    raise error(sentence_about(name, __name__))
