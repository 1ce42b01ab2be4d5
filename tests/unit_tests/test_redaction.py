"""Settings without their secrets."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from langchain_toolemu.options import REDACTED, redact

SECRET = "sk-never-shown"

HIDDEN = [
    {"api_key": SECRET},
    {"openai_api_key": SECRET},
    {"apiKey": SECRET},
    {"aws_secret_access_key": SECRET},
    {"token": SECRET},
    {"access_token": SECRET},
    {"client_secret": SECRET},
    {"password": SECRET},
    {"credentials": {"private_key": SECRET}},
    {"extra_headers": {"X-Anything": SECRET}},
    {"default_headers": [("X-Anything", SECRET)]},
    {"extra_query": {"api-key": SECRET}},
    {"extra_body": {"backends": [{"authorization": SECRET}]}},
    {"tools": [{"type": "mcp", "server_label": "x", "headers": {"Authorization": SECRET}}]},
    {"tools": [{"type": "mcp", "server_label": "x", "authorization": SECRET}]},
]
SHOWN = [
    {"max_tokens": 5, "stop": ["</s>"], "temperature": 0.0, "seed": None},
    {"api_key": None},
    {"tools": [{"parameters": {"properties": {"password": {"type": "string"}}}}]},
    {"tools": [{"parameters": {"properties": {"headers": {"type": "object"}}}}]},
    {"schema": {"$defs": {"Headers": {"type": "object", "title": "Headers"}}}},
    {"tool_calls": [{"name": "log_in", "args": {"password": "as the model wrote it"}}]},
    {"ids": (1, 2), "text": "an api_key is asked for"},
]


@pytest.mark.parametrize("settings", HIDDEN, ids=str)
def test_keys_and_headers_are_hidden(settings):
    """Whatever goes by a secret's name is hidden, at any depth; the name itself is shown."""
    assert SECRET not in repr(redact(settings))
    assert REDACTED in repr(redact(settings))


@pytest.mark.parametrize("settings", SHOWN, ids=str)
def test_all_else_is_shown_as_it_is(settings):
    """Other settings, and names that a tool's author chose, are what they were."""
    assert redact(settings) == settings


_TREES = st.recursive(
    st.text(max_size=5) | st.integers() | st.none(),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(["a", "body", "x"]), inner),
)


@given(_TREES)
def test_nothing_that_was_given_is_changed(tree):
    """What is hidden is hidden in a copy, and what holds no secret comes back equal."""
    given_ = {"body": tree, "headers": {"x": SECRET}}
    shown = redact(given_)
    assert shown == {"body": tree, "headers": {"x": REDACTED}}
    assert given_["headers"] == {"x": SECRET}
