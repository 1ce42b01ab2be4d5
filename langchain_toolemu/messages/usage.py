"""The tokens of a reply, and of a whole turn.

A usage counts if it has all three counts: of a message out of a cache that had none, LangChain makes one that says no
more than `total_cost: 0`, and no chunk can be built of that.
"""

from collections.abc import Mapping
from typing import Any, cast

from langchain_core.messages import BaseMessage
from langchain_core.messages.ai import UsageMetadata

_COUNTS = ("input_tokens", "output_tokens", "total_tokens")
_COST = "total_cost"


def usage_of(message: BaseMessage) -> UsageMetadata | None:
    """The usage that a message reports; `None` if that is none or not all of it."""
    usage: UsageMetadata | None = getattr(message, "usage_metadata", None)
    return usage if usage and all(count in usage for count in _COUNTS) else None


def summed(first: UsageMetadata | None, second: UsageMetadata | None) -> UsageMetadata | None:
    """Two usages as one. A cost that only one of them knows is not the cost of both."""
    if first is None or second is None:
        return first or second
    known = first.keys() & second.keys()
    both = _sum(first, second)
    return cast("UsageMetadata", {key: both[key] for key in both if key != _COST or key in known})


def _sum(first: Any, second: Any) -> Any:
    """Counts added up, also those of a detail; of what cannot be added, such as a provider's word, the later."""
    match first, second:
        case Mapping(), Mapping():
            return {
                key: _sum(first.get(key), second.get(key))
                for key in dict.fromkeys((*first, *second))
            }
        case None, _:
            return second
        case _, None:
            return first
        case int() | float(), int() | float():
            return first + second
    return second
