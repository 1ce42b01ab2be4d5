"""What an error says, by whatever client it was raised, and what that means."""

import json
from enum import Enum, IntEnum

import httpx
import ollama
import openai
import pytest

from langchain_toolemu.capability import Trouble, diagnose
from langchain_toolemu.model_facts.error_text import (
    codes,
    is_too_long,
    links,
    message_of,
    statements,
    statuses,
)
from tests.tables import every_row
from tests.unit_tests.model_facts.length_texts import OTHER_LENGTHS, TOO_LONG
from tests.unit_tests.model_facts.provider_errors import (
    FAILED_CALLS,
    LOOK_ALIKES,
    OURS,
    REFUSALS,
)

try:  # openai speaks it since version 3
    import httpx2
except ImportError:
    httpx2 = httpx

SAID = "gemma2 does not support tools"


class CarrierError(Exception):
    """An error with whatever attributes a test gives it."""

    def __init__(self, *args, **held):
        super().__init__(*args)
        self.__dict__.update(held)


class NamedStatus(IntEnum):
    """A status as `http.HTTPStatus` is in Python 3.10, where its text is its name; Google's errors hold such."""

    BAD_REQUEST = 400
    __str__ = Enum.__str__


def request(client):
    return client.Request("POST", "http://127.0.0.1/v1/chat/completions")


def answer(client, body):
    return client.Response(400, json=body, request=request(client))


def botocore_error():
    """As botocore's ClientError: a response that is a dict."""
    said = {"Error": {"Message": SAID, "Code": "ValidationException"}}
    return CarrierError(
        "An error occurred", response={**said, "ResponseMetadata": {"HTTPStatusCode": 400}}
    )


CARRIERS = {
    "openai": openai.BadRequestError(
        "Error code: 400", response=answer(httpx2, {"error": SAID}), body={"error": SAID}
    ),
    "openai, in a stream": openai.APIError(
        "An error occurred", request(httpx2), body={"message": SAID}
    ),
    "httpx": httpx.HTTPStatusError(
        "Client error", request=request(httpx), response=answer(httpx, {"error": SAID})
    ),
    "httpx2": httpx2.HTTPStatusError(
        "Client error", request=request(httpx2), response=answer(httpx2, {"error": SAID})
    ),
    "ollama": ollama.ResponseError(json.dumps({"error": SAID}), 400),
    "ollama, in a stream": ollama.ResponseError(SAID),
    "anthropic": CarrierError(
        "Error code: 400", body={"type": "error", "error": {"message": SAID}}
    ),
    "google": CarrierError("400", details={"error": {"message": SAID}}, code=400),
    "botocore": botocore_error(),
    "requests": CarrierError(
        "400 Client Error", response=CarrierError(text=f"Bad request: {SAID}")
    ),
    "bytes": CarrierError("Error code: 400", body=json.dumps({"error": SAID}).encode()),
    "a dict as the only argument": ValueError({"message": SAID, "code": 400}),
    "a plain message": ValueError(SAID),
    "a message with a dict in it": RuntimeError(f"Error code: 400 - {{'error': '{SAID}'}}"),
    "JSON in JSON": CarrierError(
        "", body={"error": {"metadata": {"raw": json.dumps({"message": SAID})}}}
    ),
}


@pytest.mark.parametrize("error", CARRIERS.values(), ids=CARRIERS)
def test_every_client_is_understood(error):
    """Body, response, details, arguments and message are all read, and a body inside a body too."""
    assert any(SAID in said for said in statements(error))


def test_the_causes_speak_too():
    """A wrapper's causes are read, but not an error that happened to be handled meanwhile."""
    wrapper = RuntimeError("failed")
    wrapper.__cause__ = ValueError(SAID)
    wrapper.__context__ = KeyError("unrelated")
    assert [str(link) for link in links(wrapper)] == ["failed", SAID]


def test_a_circle_of_causes_ends():
    """Causes that lead back to the error are followed only so far."""
    first, second = ValueError("a"), ValueError("b")
    first.__cause__, second.__cause__ = second, first
    assert len(links(first)) < 10


@every_row(
    ("error", "expected"),
    [
        (CarrierError(status_code=429), {429}),
        (CarrierError(code=429), {429}),
        (CarrierError(code=NamedStatus.BAD_REQUEST), {400}),
        (CarrierError(response=httpx.Response(503)), {503}),
        (CarrierError(body={"error": {"code": "429"}}), {429}),
        (botocore_error(), {400}),
        (ValueError("Error code: 429 - {'error': {'code': 429, 'message': 'slow down'}}"), {429}),
        (ValueError(SAID), set()),
    ],
)
def test_a_status_is_found_wherever_it_stands(error, expected):
    """On the error, on its response or in its body: several gateways send their errors with status 200."""
    assert statuses(error) == expected


def test_codes_come_from_the_body():
    """Codes and types are the provider's own labels of what went wrong."""
    body = {"error": {"code": "Tool_Use_Failed", "type": "invalid_request_error", "input": {"code": "x"}}}  # fmt: skip
    assert codes(CarrierError(body=body)) == {"tool_use_failed", "invalid_request_error"}


@pytest.mark.parametrize(
    "body",
    [
        {"detail": [{"loc": ["body", "messages", 0], "msg": "too long", "input": SAID}]},
        {"error": {"message": "Failed to call a function", "failed_generation": SAID}},
        {"error": {"message": f'The prompt "why do you say {SAID} to me" was flagged'}},
        {"error": {"message": f"content: “why do you say {SAID} to me” is too long"}},
        {"error": {"message": f"bad [type=x, input_value='{SAID}', input_type=str]"}},
    ],
)
def test_an_echo_of_the_request_is_not_what_the_provider_says(body):
    """What the caller or the model wrote is left out, in fields and in quotations."""
    said = statements(CarrierError(body=body))
    assert said
    assert not any("support" in text for text in said)


@pytest.mark.parametrize(
    "text",
    [
        '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
        "The parameter `response_format.type` specified in the request are not valid: `json_schema`",
        'Error rendering prompt with jinja template: "Only user and assistant roles are supported!".',
        "It's a model that doesn't do what you're asking it to do, isn't it?",
    ],
)
def test_short_quotations_and_quoted_errors_stay(text):
    """Names in quotation marks, apostrophes and an error quoted as such are the provider's own words."""
    assert text in statements(ValueError(text))


def test_a_place_in_a_schema_becomes_a_sentence():
    """A validation error's place and message are read together, and a word that was sent instead."""
    entry = {"loc": ["body", "messages", 1, "role"], "msg": "Input should be 'user'", "input": "tool"}  # fmt: skip
    said = statements(CarrierError(body={"detail": [entry]}))
    assert "body.messages.1.role: Input should be 'user', got tool" in said


@pytest.mark.parametrize(
    "body",
    [
        "[" * 50_000,
        "{" * 50_000 + "'" * 50_000,
        {"error": ["x"] * 100_000},
        '"' * 100_000,
        "a" * 1_000_000,
        ("input_value=" * 20_000),
        (" in source:" * 20_000),
    ],
    ids=["nested", "braces", "many", "quotes", "long", "values", "sources"],
)
def test_work_is_bounded(body):
    """However large or twisted a body is, few and short statements come of it."""
    said = statements(CarrierError(body=body, response=CarrierError(text=body)))
    assert sum(map(len, said)) < 200_000


def test_attributes_that_raise_are_no_obstacle():
    """An unread streamed response raises when asked for its text, and that is not our error."""
    error = CarrierError(SAID, response=httpx.Response(400, stream=httpx.ByteStream(b"")))
    assert SAID in statements(error)


# --- errors that say "not supported here", and those that only look alike ---


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


@every_row("answer", [*LOOK_ALIKES, *FAILED_CALLS])
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


# --- errors that say "too long for my window", and those about other lengths ---


@every_row("answer", TOO_LONG)
def test_a_window_that_is_too_small_is_recognised(answer):
    """In whatever way a client passes the answer on; and it refuses nothing else."""
    for error in carriers(answer):
        assert is_too_long(error)
        assert diagnose(error) is None


@pytest.mark.parametrize("answer", OTHER_LENGTHS, ids=lambda answer: answer.name)
def test_another_length_is_another_matter(answer):
    """Limits per minute, of the reply, of one string or of an array say nothing of the window."""
    assert [is_too_long(error) for error in carriers(answer)] == [False] * 4


@every_row("answer", REFUSALS)
def test_a_refusal_is_not_about_length(answer):
    """What refuses tools does not say that they are too many."""
    assert [is_too_long(error) for error in carriers(answer)] == [False] * 4


class ContextWindowExceededError(Exception):
    """LiteLLM's name for it."""


def test_the_class_says_it_too():
    """An error whose class is named so needs no words."""
    assert is_too_long(ContextWindowExceededError())
    assert not is_too_long(ValueError("prompt"))


def test_a_hostile_text_takes_no_time():
    """Patterns are bounded: a long text of the same words is looked through at once."""
    for words in ("prompt exceeds maximum ", "maximum context length is 9", "input token count ", "too many tokens "):  # fmt: skip
        assert is_too_long(ValueError(words * 10_000)) in (True, False)


def test_braces_that_hold_no_body_are_words():
    """A text whose braces Python reads as sets within sets is no body, and raises nothing."""
    assert diagnose(ValueError("unclosed template: {{{'a': 1}}}")) is None


def _words_in(body):
    """The longest text of an answer: what it says, without its codes."""
    texts = [body] if isinstance(body, str) else []
    inner = body.values() if isinstance(body, dict) else body if isinstance(body, list) else ()
    texts += [_words_in(part) for part in inner]
    return max(texts, key=len, default="")


@every_row("answer", TOO_LONG)
def test_the_words_are_enough(answer):
    """Gateways and clients lose codes and types: the sentence alone says it."""
    assert is_too_long(ValueError(_words_in(answer.body)))


@every_row(
    ("body", "words"),
    [
        ({"error": {"message": "temperature must be below 2", "param": "temperature"}}, "temperature must be below 2"),
        ({"object": "error", "message": "bad seed", "param": "seed", "code": 400}, "bad seed"),
        ({"error": {"message": "too long", "param": None}}, "too long"),
        ({"error": {"message": "slow down"}, "request_id": "req_6053"}, "slow down"),
        (["slow down", "slow down (status code: 429)"], "slow down"),
    ],
)  # fmt: skip
def test_what_a_body_names_beside_its_words_is_no_part_of_them(body, words):
    """As a user reads an error, its parameter and its object say nothing."""
    assert message_of(CarrierError(body=body)) == words
