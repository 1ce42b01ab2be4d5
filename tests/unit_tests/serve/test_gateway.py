"""What requests share: a store where the settings say so, and what was made of equal tools."""

import json
from contextlib import ExitStack

import pytest
from langchain_core.stores import InMemoryByteStore

from langchain_toolemu.serve.faults import RequestError
from langchain_toolemu.serve.gateway import Gateway, open_store
from langchain_toolemu.serve.openai_chat.answer import OPENAI_CHAT
from langchain_toolemu.serve.prepared_turn import read_turn
from langchain_toolemu.serve.protocol import RawRequest
from langchain_toolemu.serve.settings import ModelSettings, ServerSettings
from tests.benchmarks.serve.load import CALL, TOOL


@pytest.mark.parametrize("where", ["memory", "off"])
def test_nothing_is_shared_unless_told(where):
    """By its words, no store is meant."""
    assert open_store(where) is None


def test_a_store_is_named_or_given():
    """By the function that makes it, as uvicorn names apps, or as it is."""
    assert isinstance(open_store("langchain_core.stores:InMemoryByteStore"), InMemoryByteStore)
    store = InMemoryByteStore()
    assert open_store(store) is store


def test_equal_tools_are_bound_once():
    """The next request gets the same tools, and its own choice; an invalid schema is refused each time."""
    model = ModelSettings(name="m", model="openai:m", base_url="http://127.0.0.1:1/v1")
    with ExitStack() as stack:
        [served] = Gateway(ServerSettings(models=(model,)), {}, stack).models

    def kwargs_of(**fields):
        body = json.loads(json.dumps({**CALL, **fields}))
        return read_turn(OPENAI_CHAT, RawRequest(body), served)[1].kwargs

    first, again = kwargs_of(), kwargs_of()
    assert first == again
    assert first["tools"] is again["tools"]
    assert "tool_choice" in kwargs_of(tool_choice="required").keys() - first.keys()
    assert kwargs_of() == first
    bad = {**TOOL, "function": {"name": "f", "parameters": {"type": 1}}}
    for _ in range(2):
        with pytest.raises(RequestError, match="Invalid type"):
            kwargs_of(tools=[bad])
