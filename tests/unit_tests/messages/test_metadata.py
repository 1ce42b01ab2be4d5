"""Metadata, usage and endings, added up over a turn's requests."""

import pytest
from langchain_core.messages import AIMessageChunk
from langchain_core.outputs import ChatGenerationChunk

from langchain_toolemu.messages.metadata import TurnMetadata


def piece(info=None, usage=None, **metadata):
    message = AIMessageChunk("", response_metadata=metadata, usage_metadata=usage)
    return ChatGenerationChunk(message=message, generation_info=info)


def usage(tokens):
    return {"input_tokens": tokens, "output_tokens": 1, "total_tokens": tokens + 1}


def test_usage_is_added_and_metadata_replaced():
    """Each request adds its tokens; of what replies say about themselves, the last one's counts."""
    metadata = TurnMetadata()
    for tokens, reason in ((10, "stop"), (20, "length")):
        metadata.open_reply()
        metadata.note(
            piece(usage=usage(tokens), finish_reason=reason, token_usage={"total_tokens": 1}),
            native=False,
        )
    assert metadata.usage["total_tokens"] == 32
    assert metadata.requests == 2
    closing = metadata.closing_metadata(called=False)
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


@pytest.mark.parametrize(("said", "cut"), CUT)
def test_a_cut_is_recognised_in_every_providers_words(said, cut):
    """OpenAI, Anthropic, Ollama, Google and the Responses API each say it their own way."""
    metadata = TurnMetadata()
    metadata.open_reply()
    metadata.note(piece(**said), native=True)
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
    metadata = TurnMetadata()
    metadata.open_reply()
    metadata.note(piece(**said), native=False)
    assert metadata.closing_metadata(called=True) == expected
    assert metadata.closing_metadata(called=False) == said


def test_the_wrapped_models_block_format_is_not_ours():
    """Blocks that lack the calls are not passed off as LangChain's standard ones."""
    for native in (True, False):
        metadata = TurnMetadata()
        metadata.open_reply()
        metadata.note(piece(model_provider="openai", output_version="v1"), native=native)
        assert set(metadata.format()) == (
            {"model_provider", "output_version"} if native else {"model_provider"}
        )


@pytest.mark.parametrize(
    "said", [{"finish_reason": "length"}, {"finish_reason": "stop"}, {"stop_reason": "x"}, {}]
)
def test_a_native_call_ends_as_its_provider_says(said):
    """An ending that tells of a cut is not covered up, and none is made up."""
    metadata = TurnMetadata()
    metadata.open_reply()
    made = piece(info=dict(said), **said)
    made.message.tool_call_chunks = [{"name": "f", "args": "{}", "id": "1", "index": 0}]
    metadata.note(made, native=True)
    assert metadata.closing_metadata(called=True) == said
    assert metadata.closing_info(called=True) == said
