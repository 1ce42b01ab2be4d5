"""The tokens of a reply and of a turn."""

import pytest
from langchain_core.messages import AIMessage, HumanMessage

from langchain_toolemu.messages.usage import summed, usage_of

TEN = {"input_tokens": 10, "output_tokens": 2, "total_tokens": 12}
SUMS = {
    "counts": (TEN, TEN, {"input_tokens": 20, "output_tokens": 4, "total_tokens": 24}),
    "none and one": (None, TEN, TEN),
    "one and none": (TEN, None, TEN),
    "details": (
        {**TEN, "input_token_details": {"cache_read": 3}},
        {**TEN, "input_token_details": {"cache_read": 4, "audio": 1}},
        {"input_tokens": 20, "output_tokens": 4, "total_tokens": 24, "input_token_details": {"cache_read": 7, "audio": 1}},
    ),
    "details of one": (
        TEN,
        {**TEN, "output_token_details": {"reasoning": 1}},
        {"input_tokens": 20, "output_tokens": 4, "total_tokens": 24, "output_token_details": {"reasoning": 1}},
    ),
    "costs": (
        {**TEN, "total_cost": 0.5},
        {**TEN, "total_cost": 0},
        {"input_tokens": 20, "output_tokens": 4, "total_tokens": 24, "total_cost": 0.5},
    ),
    "the cost of one": (
        {**TEN, "total_cost": 0},
        TEN,
        {"input_tokens": 20, "output_tokens": 4, "total_tokens": 24},
    ),
    "words": (
        {**TEN, "tier": "a"},
        {**TEN, "tier": "b"},
        {"input_tokens": 20, "output_tokens": 4, "total_tokens": 24, "tier": "b"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", SUMS)
def test_usages_add_up(case):
    """Counts and details are added; a cost stays if both know theirs; what is no number does not fail a turn."""
    first, second, expected = SUMS[case]
    assert summed(first, second) == expected


@pytest.mark.parametrize(
    ("usage", "expected"), [(TEN, TEN), (None, None), ({"total_cost": 0}, None), ({}, None)]
)
def test_a_usage_has_all_three_counts(usage, expected):
    """What LangChain puts on a message out of a cache that had no usage is none."""
    message = AIMessage("Hi").model_copy(update={"usage_metadata": usage})
    assert usage_of(message) == expected
    assert usage_of(HumanMessage("Hi")) is None
