"""What a turn's replies say about themselves, and their tokens."""

import pytest
from langchain_core.messages import AIMessage, AIMessageChunk, HumanMessage
from langchain_core.outputs import ChatGenerationChunk

from langchain_toolemu.messages.metadata import TurnMetadata, add_usage, format_of, usage_of
from tests.tables import every_row


def piece(info=None, usage=None, **metadata):
    message = AIMessageChunk("", response_metadata=metadata, usage_metadata=usage)
    return ChatGenerationChunk(message=message, generation_info=info)


def usage(tokens):
    return {"input_tokens": tokens, "output_tokens": 1, "total_tokens": tokens + 1}


def test_usage_is_added_and_metadata_replaced():
    """Each request adds its tokens; of what replies say about themselves, the last one's counts."""
    metadata = TurnMetadata()
    for tokens, reason in ((10, "stop"), (20, "length")):
        metadata = metadata.open_reply()
        metadata = metadata.note(
            piece(usage=usage(tokens), finish_reason=reason, token_usage={"total_tokens": 1}),
            native=False,
        )
    assert metadata.usage["total_tokens"] == 32
    assert metadata.requests == 2
    closing = metadata.closing(called=False)[0]
    assert closing["finish_reason"] == "length"
    assert closing["token_usage"] == {
        "prompt_tokens": 30,
        "completion_tokens": 2,
        "total_tokens": 32,
    }


CUT = [
    ({"finish_reason": "length"}, True),
    ({"stop_reason": "max_tokens"}, True),
    ({"done_reason": "length"}, True),
    ({"finish_reason": "MAX_TOKENS"}, True),
    ({"incomplete_details": {"reason": "max_output_tokens"}}, True),
    ({"finish_reason": "stop"}, False),
    ({"incomplete_details": None}, False),
    ({}, False),
]


@every_row(("said", "cut"), CUT)
def test_a_cut_is_recognised_in_every_providers_words(said, cut):
    """OpenAI, Anthropic, Ollama, Google and the Responses API each say it their own way."""
    metadata = TurnMetadata().open_reply()
    metadata = metadata.note(piece(**said), native=True)
    assert metadata.cut is cut


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ({"finish_reason": "stop"}, {"finish_reason": "tool_calls"}),
        ({"stop_reason": "end_turn"}, {"stop_reason": "tool_use"}),
        ({}, {"finish_reason": "tool_calls"}),
    ],
)
def test_a_turn_with_calls_ends_as_a_native_one(said, expected):
    """The ending is told in the words of the provider."""
    metadata = TurnMetadata().open_reply()
    metadata = metadata.note(piece(**said), native=False)
    assert metadata.closing(called=True)[0] == expected
    assert metadata.closing(called=False)[0] == said


def test_the_wrapped_models_block_format_is_not_ours():
    """Blocks that lack the calls are not passed off as LangChain's standard ones."""
    for native in (True, False):
        metadata = TurnMetadata().open_reply()
        metadata = metadata.note(piece(model_provider="openai", output_version="v1"), native=native)
        assert set(format_of(metadata.response_metadata)) == (
            {"model_provider", "output_version"} if native else {"model_provider"}
        )


@pytest.mark.parametrize(
    "said", [{"finish_reason": "length"}, {"finish_reason": "stop"}, {"stop_reason": "x"}, {}]
)
def test_a_native_call_ends_as_its_provider_says(said):
    """An ending that tells of a cut is not covered up, and none is made up."""
    metadata = TurnMetadata().open_reply()
    made = piece(info=dict(said), **said)
    made.message.tool_call_chunks = [{"name": "f", "args": "{}", "id": "1", "index": 0}]
    metadata = metadata.note(made, native=True)
    assert metadata.closing(called=True) == (said, said)


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


@every_row("case", SUMS)
def test_usages_add_up(case):
    """Counts and details are added; a cost stays if both know theirs; what is no number does not fail a turn."""
    first, second, expected = SUMS[case]
    assert add_usage(first, second) == expected


@pytest.mark.parametrize(
    ("usage", "expected"), [(TEN, TEN), (None, None), ({"total_cost": 0}, None), ({}, None)]
)
def test_a_usage_has_all_three_counts(usage, expected):
    """What LangChain puts on a message out of a cache that had no usage is none."""
    message = AIMessage("Hi").model_copy(update={"usage_metadata": usage})
    assert usage_of(message) == expected
    assert usage_of(HumanMessage("Hi")) is None
