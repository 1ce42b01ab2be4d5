"""Errors about calls that a server could not parse: which they are, and which words in them are the model's."""

import json
import re

import ollama
import openai
import pytest
from langchain_core.messages import AIMessage, AIMessageChunk
from langchain_openai.chat_models.base import (
    _convert_delta_to_message_chunk,
    _convert_dict_to_message,
)

from langchain_toolemu.model_facts.parser_failures import REMEDIES, WORDINGS, parser_failure
from tests.tables import every_row
from tests.unit_tests.model_facts.length_texts import OTHER_LENGTHS, TOO_LONG
from tests.unit_tests.model_facts.parser_errors import BASH, FAILURES, OTHERS, at, groq
from tests.unit_tests.model_facts.provider_errors import (
    FAILED_CALLS,
    LOOK_ALIKES,
    OURS,
    REFUSALS,
)
from tests.unit_tests.model_facts.test_error_text import CarrierError, httpx2, request


def raised(status, body):
    """The error that OpenAI's client raises for an answer; status 200 is one in a stream."""
    said = body.get("error", body) if isinstance(body, dict) else body
    if status == 200:
        return openai.APIError("An error occurred", request(httpx2), body=said)
    text = body if isinstance(body, str) else json.dumps(body)
    response = httpx2.Response(status, text=text, request=request(httpx2))
    return openai.APIStatusError(f"Error code: {status} - {said}", response=response, body=said)


@every_row("row", FAILURES)
def test_a_failed_parser_is_recognized_with_the_words_of_the_model(row):
    """Each real text is told by its class of wording, with exactly the words that are the model's."""
    found = parser_failure(raised(row.status, row.body))
    assert found is not None
    assert (found.server, found.words, found.is_call) == (row.server, row.words, row.is_call)


@every_row("row", OTHERS)
def test_another_error_is_none(row):
    """A caller's mistake, a server's trouble and a quoted prompt are no failed parser."""
    assert parser_failure(raised(row.status, row.body)) is None


@every_row("row", [*REFUSALS, *OURS, *TOO_LONG, *OTHER_LENGTHS, *LOOK_ALIKES])
def test_a_refusal_and_a_length_are_none(row):
    """No text that is told apart elsewhere is taken for a failed parser."""
    assert parser_failure(raised(row.status, row.body)) is None


@every_row("row", FAILED_CALLS)
def test_a_failed_call_is_one(row):
    """What is no refusal of tools may be a failed parser."""
    assert parser_failure(raised(row.status, row.body)).server == "Groq"


def test_there_are_enough_texts():
    """At least 60 texts that count, and 40 that do not."""
    made_up = ("made up", "after", "a code alone", "from memory")
    assert sum(not row.source.startswith(made_up) for row in FAILURES) >= 60
    assert len(OTHERS) >= 40


def strings(body):
    if isinstance(body, dict):
        return [text for value in body.values() for text in strings(value)]
    return [body] if isinstance(body, str) else []


def test_each_wording_is_seen():
    """No wording is there for nothing: each matches a text of the table."""
    said = [text for row in FAILURES for text in strings(row.body)]
    patterns = [re.compile(one.text, re.IGNORECASE | re.DOTALL) for one in WORDINGS]
    assert not [one.pattern for one in patterns if not any(map(one.search, said))]


CALL = '{"city":"Paris"}]'
TEXT = f"error parsing tool call: raw='{CALL}', err=invalid character ']'"


@every_row(
    "error",
    [
        ollama.ResponseError(json.dumps({"error": TEXT}), 500),
        ollama.ResponseError(TEXT),
        ValueError(TEXT),
        RuntimeError(f"Error code: 500 - {({'error': {'message': TEXT}})!r}"),
        CarrierError("", body=json.dumps({"error": {"metadata": {"raw": json.dumps({"message": TEXT})}}})),
        CarrierError("500 Server Error", response=CarrierError(text=json.dumps({"error": TEXT}))),
        CarrierError("", args=(), body=f"upstream said: error={json.dumps(TEXT)}"),
    ],
)  # fmt: skip
def test_the_words_are_the_same_from_every_client(error):
    """Wherever a client keeps the text, and however it is escaped there."""
    assert parser_failure(error).words == CALL


def test_a_cause_counts():
    """A client that wraps another one's error."""
    outer = RuntimeError("The model failed")
    outer.__cause__ = raised(500, at(0, BASH))
    assert parser_failure(outer).words == BASH


def test_the_user_is_told_what_to_change():
    """The notice names the server and what helps there."""
    told = parser_failure(raised(500, at(0, BASH))).notice
    assert told.startswith("llama.cpp could not parse")
    assert REMEDIES["llama.cpp"] in told
    assert (
        "update the server"
        in parser_failure(raised(500, {"error": "Failed to parse tool call: x"})).notice
    )


@every_row(
    "text",
    [
        ": " * 200_000,
        "error parsing tool call: raw='" * 20_000,
        "Invalid diff: '" * 20_000,
        "{" * 100_000,
        'error="' * 50_000,
    ],
)
def test_a_hostile_text_takes_no_time(text):
    """Work is linear in what an error holds, and no more words come out than went in."""
    for error in (raised(500, {"error": {"message": text}}), raised(400, groq(text, text))):
        found = parser_failure(error)
        assert found is None or len(found.words) <= len(text)


ODD = {"name": "f", "args": {"a": 1}, "id": "1"}
NO_FUNCTION = {"role": "assistant", "tool_calls": [{"index": 0, "function": None}]}


@every_row(("fails", "counts"), [
    (lambda: AIMessageChunk("", tool_call_chunks=[{**ODD, "index": 0}]), True),
    (lambda: AIMessage("", invalid_tool_calls=[{**ODD, "error": None}]), True),
    (lambda: _convert_delta_to_message_chunk(NO_FUNCTION, AIMessageChunk), True),
    (lambda: _convert_dict_to_message(NO_FUNCTION), True),
    (lambda: AIMessage({"a": 1}), False),
    (lambda: _convert_dict_to_message(None), False),
    (lambda: None.function, False),
])  # fmt: skip
def test_a_client_that_fails_at_calls_would_fail_again(fails, counts):
    """By what it was given, not by its words; any other error of a client is none."""
    with pytest.raises((ValueError, TypeError, AttributeError)) as raised:
        fails()
    found = parser_failure(raised.value)
    assert (found is not None) is counts
    assert not found or (found.repeats and "ToolEmuChatOpenAI" in found.notice)
