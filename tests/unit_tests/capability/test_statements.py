"""What an error says, by whatever client it was raised."""

import json

import httpx
import ollama
import openai
import pytest

from langchain_toolemu.capability.error_text import codes, links, statements, statuses

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


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (CarrierError(status_code=429), {429}),
        (CarrierError(code=429), {429}),
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
