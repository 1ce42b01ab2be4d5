"""Errors that say "not supported here", and those that only look alike."""

import json

import httpx
import pytest

from langchain_toolemu.capability import Trouble, diagnose
from tests.tables import every_row
from tests.unit_tests.capability.page import PAGE, write_page
from tests.unit_tests.capability.provider_errors import LOOK_ALIKES, OURS, REFUSALS


class ProviderError(Exception):
    """An error as provider clients raise them: what it says may be anywhere."""

    def __init__(self, message="Error code: 400", *, body=None, text=None, status=400):
        super().__init__(message)
        self.body = body
        self.status_code = status
        self.response = httpx.Response(status, text=text) if text else None


def carriers(answer):
    """An answer as clients pass it on: parsed, as text, or only as a message."""
    text = answer.body if isinstance(answer.body, str) else json.dumps(answer.body)
    yield ProviderError(f"Error code: {answer.status}", body=answer.body, status=answer.status)
    yield ProviderError(f"Error code: {answer.status}", text=text, status=answer.status)
    yield ProviderError(f"Error code: {answer.status} - {answer.body}", status=answer.status)
    wrapper = RuntimeError("the model failed")
    wrapper.__cause__ = ProviderError(body=answer.body, status=answer.status)
    yield wrapper


@every_row("answer", REFUSALS)
def test_a_refusal_is_recognised_wherever_it_stands(answer):
    """Body, response, message and cause are all looked into: several clients leave the text in only one of them."""
    for error in carriers(answer):
        trouble = diagnose(error)
        assert trouble is not None
        assert (trouble.axis, trouble.lasting) == (answer.axis, answer.lasting)


ADDED = ("response_format", "system_role", "grammar")


@every_row("answer", LOOK_ALIKES)
def test_a_look_alike_is_no_evidence(answer):
    """Rate limits, keys, timeouts, one field, bad schemas and echoes say nothing, whoever made the request."""
    for added in ((), ADDED):
        assert [diagnose(error, added=added) for error in carriers(answer)] == [None] * 4


@pytest.mark.parametrize("answer", OURS, ids=lambda answer: answer.name)
def test_what_we_added_is_refused_by_what_is_a_callers_error_otherwise(answer):
    """One schema, one grammar or one order of messages is refused this time, if it is ours; a caller's own is no refusal."""
    for error in carriers(answer):
        assert diagnose(error) is None
        others = [axis for axis in ADDED if axis != answer.axis]
        found = diagnose(error, added=[answer.axis])
        assert found is not None
        assert (found.axis, found.lasting) == (answer.axis, answer.lasting)
        apart = diagnose(error, added=others)
        assert apart is None or apart.axis in others


def test_what_was_added_outweighs_what_is_named_beside_it():
    """A server without guided decoding refuses schemas and grammars in one sentence: what was sent is what it refuses."""
    error = ValueError("guided decoding is disabled")
    assert diagnose(error).axis == "response_format"
    assert diagnose(error, added=["grammar"]).axis == "grammar"


@pytest.mark.parametrize(
    "error",
    [
        TimeoutError("tools are not supported"),
        ConnectionError("tools are not supported"),
        httpx.ConnectTimeout("tools are not supported"),
        httpx.ConnectError("tools are not supported"),
        ValueError("bad value"),
        ValueError(),
        Exception(None),
        KeyError("tools"),
    ],
    ids=repr,
)
def test_a_failure_of_the_way_is_no_evidence(error):
    """Who did not get through was told nothing."""
    assert diagnose(error) is None


def test_a_cause_that_is_no_evidence_spoils_the_rest():
    """A wrapper's own words do not make evidence of a rate limit."""
    wrapper = RuntimeError("the model does not support tools, or is busy")
    wrapper.__cause__ = ProviderError("slow down", status=429)
    assert diagnose(wrapper) is None


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (NotImplementedError(), Trouble("tools", "NotImplementedError")),
        (NotImplementedError("no tool calls here"), Trouble("tools", "no tool calls here")),
        (NotImplementedError("async is not implemented"), None),
    ],
)
def test_a_class_without_tools_raises_not_implemented(error, expected):
    """NotImplementedError is a refusal of tools, unless it says that something else is missing."""
    assert diagnose(error) == expected


def test_the_provider_is_quoted():
    """The words are the provider's own, cut to a length that a warning can show."""
    assert diagnose(ValueError("Gemma2 doesn't support tools")).words == "Gemma2 doesn't support tools"  # fmt: skip
    assert len(diagnose(ValueError("does not support tools " + "x" * 5_000)).words) == 300


def test_tools_outweigh_what_is_named_beside_them():
    """A text that refuses tools and their choice refuses tools."""
    text = "tool_choice is not supported because tools are not supported, nor is response_format"
    assert diagnose(ValueError(text)).axis == "tools"


def test_a_response_that_was_never_read_is_no_obstacle():
    """An unread streamed response raises when asked for its text, and that is not our error."""
    error = ProviderError("this model does not support tools")
    error.response = httpx.Response(400, stream=httpx.ByteStream(b""))
    assert diagnose(error).axis == "tools"


def test_the_page_shows_the_answers():
    """docs/capability.md has every answer of these tables."""
    page = PAGE.read_text(encoding="utf-8")
    assert write_page(page) == page
