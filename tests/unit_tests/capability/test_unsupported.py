"""Errors that say "no tools here", and those that only look alike."""

import httpx
import pytest

from langchain_toolemu.capability import says_unsupported


class ProviderError(Exception):
    """An error as provider clients raise them: what it says may be anywhere."""

    def __init__(self, message="Error code: 400", *, body=None, text=None, status=400):
        super().__init__(message)
        self.body = body
        self.status_code = status
        self.response = httpx.Response(status, text=text) if text else None


SAYS_SO = [
    ProviderError(
        "registry.ollama.ai/library/deepseek-r1:latest does not support tools (status code: 400)"
    ),
    ProviderError(body={"error": "hf.co/empower-dev/x does not support tools"}),
    ProviderError(
        body={
            "message": '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'
        }
    ),
    ProviderError(body={"error": {"message": "tools param requires --jinja flag"}}, status=500),
    ProviderError(text='{"error": {"message": "Unsupported param: tools"}}', status=500),
    ValueError({"message": "stablelm2:latest does not support tools"}),
    NotImplementedError(),
]
SAYS_SOMETHING_ELSE = [
    ProviderError("Rate limit reached; the free tier does not support tools", status=429),
    ProviderError("Invalid key for a model that does not support tools", status=401),
    ProviderError(body={"error": {"message": "Invalid schema for function 'get_weather'"}}),
    ProviderError(
        body={"error": {"code": "tool_use_failed", "message": "Failed to call a function."}}
    ),
    TimeoutError("timed out"),
    ValueError("bad value"),
]


@pytest.mark.parametrize("error", SAYS_SO, ids=repr)
def test_a_refusal_is_recognised_wherever_it_stands(error):
    """Message, body and response are all looked into: several clients leave the text in only one of them."""
    assert says_unsupported(error)


@pytest.mark.parametrize("error", SAYS_SOMETHING_ELSE, ids=repr)
def test_other_errors_are_no_evidence(error):
    """Rate limits, keys, timeouts and bad schemas say nothing about tools, whatever words they hold."""
    assert not says_unsupported(error)


def test_a_response_that_was_never_read_is_no_obstacle():
    """An unread streamed response raises when asked for its text, and that is not our error."""
    error = ProviderError("this model does not support tools")
    error.response = httpx.Response(400, stream=httpx.ByteStream(b""))
    assert says_unsupported(error)
