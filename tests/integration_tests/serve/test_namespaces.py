"""Tools in namespaces, as Codex sends those of MCP servers, and searches of tools: with OpenAI's own SDK."""

import json

import httpx
import openai
import pytest

from tests.gateway import gateway
from tests.integration_tests.serve.conftest import upstream_model
from tests.integration_tests.serve.test_item_store import WAYS, respond
from tests.integration_tests.serve.test_openai_sdk import FLAT_TOOL, QUESTION
from tests.scripted_server import Reply, ScriptedServer

SPACE = {
    "type": "namespace",
    "name": "mcp__sky",
    "description": "Tools of the sky.",
    "tools": [FLAT_TOOL],
}
RUN_CODE = {"type": "custom", "name": "run_code", "description": "Run code."}
FIND = {
    "type": "tool_search",
    "execution": "client",
    "description": "Find tools.",
    "parameters": {
        "type": "object",
        "properties": {"query": {"type": "string"}},
        "required": ["query"],
    },
}


def sent_last(text_only):
    return json.dumps(text_only.upstream.requests[-1]["messages"])


@pytest.mark.parametrize("way", WAYS)
def test_a_tool_of_a_namespace_is_called(text_only, way):
    """It is offered under one name, and the call has the two that the client knows; so has the history."""
    chosen = {"type": "function", "name": "get_weather"}
    first = respond(text_only.gateway, way, tools=[SPACE], tool_choice=chosen)
    (call,) = first.output
    assert (call.type, call.name, call.namespace) == ("function_call", "get_weather", "mcp__sky")
    assert json.loads(call.arguments) == {"city": "Paris"}
    result = {"type": "function_call_output", "call_id": call.call_id, "output": "22 degrees"}
    given = [{"role": "user", "content": QUESTION}, call.model_dump(exclude_none=True), result]
    second = respond(text_only.gateway, way, tools=[SPACE], input=given)
    assert second.output_text == "The tool says: 22 degrees"
    assert "mcp__sky__get_weather" in sent_last(text_only)


@pytest.mark.parametrize("way", WAYS)
def test_a_tool_for_texts_may_be_in_a_namespace(text_only, way):
    """Its call has a text, a name and a namespace."""
    space = {**SPACE, "name": "code", "tools": [RUN_CODE]}
    given = "Use the tool code__run_code on 'print(1)'."
    (call,) = respond(text_only.gateway, way, tools=[space], input=given).output
    assert (call.type, call.name, call.namespace) == ("custom_tool_call", "run_code", "code")
    assert call.input == "print(1)"


def test_equal_names_stay_apart(text_only):
    """The same tool in two namespaces, and a tool whose name is what another's becomes, and a long name."""
    twin = {**FLAT_TOOL, "name": "mcp__sky__get_weather"}
    spaces = [SPACE, {**SPACE, "name": "mcp__sky__"}, {**SPACE, "name": "x" * 90}]
    for space in spaces:
        chosen = {"type": "function", "name": "get_weather", "namespace": space["name"]}
        asked = {"tools": [*spaces, twin], "tool_choice": chosen}
        (call,) = respond(text_only.gateway, **asked).output
        assert (call.name, call.namespace) == ("get_weather", space["name"])
    chosen = {"type": "function", "name": twin["name"]}
    (call,) = respond(text_only.gateway, tools=[*spaces, twin], tool_choice=chosen).output
    assert (call.name, call.namespace) == (twin["name"], None)


@pytest.mark.parametrize("way", WAYS)
def test_a_search_of_tools_is_the_clients(text_only, way):
    """It is called like a function and answered as a search; what it found is offered from then on."""
    given = "Use the tool tool_search on 'weather'."
    first = respond(text_only.gateway, way, tools=[FIND], input=given)
    (search,) = first.output
    assert (search.type, search.execution) == ("tool_search_call", "client")
    assert search.arguments == {"query": "weather"}
    found = {"type": "tool_search_output", "call_id": search.call_id, "execution": "client", "tools": [SPACE]}  # fmt: skip
    asked = {"tools": [FIND], "input": [found, {"role": "user", "content": QUESTION}]}
    asked["tool_choice"] = {"type": "function", "name": "get_weather"}
    (call,) = respond(text_only.gateway, way, previous_response_id=first.id, **asked).output
    assert (call.name, call.namespace) == ("get_weather", "mcp__sky")
    assert "mcp__sky__get_weather" in sent_last(text_only)


@pytest.mark.parametrize("way", WAYS)
def test_tools_may_be_added_by_an_item(text_only, way):
    """As Codex sends all of them for newer models: they are offered, each once, and are no words of anybody."""
    own = {"type": "web_search"}
    added = {"type": "additional_tools", "role": "developer", "tools": [SPACE, own]}
    asked = [added, {"role": "user", "content": QUESTION}, added]
    (call,) = respond(text_only.gateway, way, tools=[], input=asked).output
    assert (call.type, call.name, call.namespace) == ("function_call", "get_weather", "mcp__sky")
    assert "additional_tools" not in sent_last(text_only)
    raw = {"model": "scripted", "input": asked}
    dropped = httpx.post(f"{text_only.gateway.v1}/responses", json=raw, trust_env=False).headers
    assert "tools.web_search" in dropped["x-toolemu-dropped"]


@pytest.mark.parametrize(
    ("tool", "param"),
    [
        ({**SPACE, "tools": [{"type": "function"}]}, "tools[0].tools[0].name"),
        ({**SPACE, "tools": [5]}, "tools[0].tools[0]"),
        ({**SPACE, "tools": None}, "tools[0].tools"),
        ({"type": "tool_search"}, "tools"),
    ],
    ids=str,
)
def test_what_cannot_be_offered_is_refused(text_only, tool, param):
    """A malformed namespace is named by its place; a search that OpenAI would run cannot be alone."""
    with pytest.raises(openai.BadRequestError) as caught:
        respond(text_only.gateway, tools=[tool])
    assert caught.value.body["param"] == param


BARE = {
    "text": '{"name": "get_weather", "arguments": {"city": "Paris"}}',
    "native": Reply(tool_calls=[("get_weather", {"city": "Paris"})]),
}


@pytest.mark.parametrize("reply", BARE.values(), ids=BARE)
def test_a_tool_of_a_namespace_may_be_called_by_its_bare_name(reply):
    """If no other tool has the name: the model is not asked again."""
    with ScriptedServer(lambda _: reply) as upstream, gateway(upstream_model(upstream)) as server:
        (call,) = respond(server, tools=[SPACE]).output
        assert (call.name, call.namespace) == ("get_weather", "mcp__sky")
        assert len(upstream.requests) == 1
