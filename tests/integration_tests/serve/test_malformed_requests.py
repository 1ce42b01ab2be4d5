"""Requests of which one value is wrong: answered, or refused with the name of the field; never an error of our own."""

import copy
import json

import httpx
import pytest

from langchain_toolemu import ChatToolEmu
from langchain_toolemu.serve import create_app
from tests.gateway import gateway
from tests.integration_tests.serve.conftest import upstream_model
from tests.integration_tests.serve.test_safety import client_of
from tests.integration_tests.serve.wires import CHAT, MESSAGES, OLLAMA, RESPONSES, WIRES, error_of
from tests.scripted_server import Reply, ScriptedServer
from tests.spoken_model import SpokenModel

SCHEMA = {
    "type": "object",
    "properties": {
        "a": {"type": "string", "enum": ["x"], "description": "d", "pattern": "x"},
        "b": {"type": ["integer", "null"], "anyOf": [{"type": "string"}], "default": 1},
        "c": {"type": "array", "items": {"$ref": "#/$defs/D"}},
    },
    "required": ["a"],
    "$defs": {"D": {"type": "object", "properties": {"x": {"type": "string"}}}},
}
FUNCTION = {"name": "w", "description": "d", "parameters": SCHEMA}
IMAGE = {"type": "base64", "media_type": "image/png", "data": "aaaa"}
BODIES = {
    "chat": (CHAT.path, {
        "messages": [
            {"role": "system", "content": "s"},
            {"role": "user", "content": [{"type": "text", "text": "hi"}, {"type": "image_url", "image_url": {"url": "data:,"}}]},
            {"role": "assistant", "content": "x", "tool_calls": [{"id": "1", "type": "function", "function": {"name": "w", "arguments": "{}"}}]},
            {"role": "tool", "tool_call_id": "1", "content": "r"},
        ],
        "tools": [{"type": "function", "function": FUNCTION}],
        "tool_choice": "auto", "stop": ["a"], "max_tokens": 5, "temperature": 1, "stream_options": {"include_usage": True},
        "toolemu": {"max_reasks": 0},
    }),
    "functions": (CHAT.path, {
        "messages": [
            {"role": "user", "content": "go"},
            {"role": "assistant", "function_call": {"name": "w", "arguments": "{}"}},
            {"role": "function", "name": "w", "content": "r"},
        ],
        "functions": [{"name": "w", "parameters": {"type": "object"}}],
        "function_call": "auto",
    }),
    "form": (CHAT.path, {
        "messages": [{"role": "user", "content": "go"}],
        "response_format": {"type": "json_schema", "json_schema": {"name": "n", "schema": {"type": "object", "required": ["a"]}}},
    }),
    "messages": (MESSAGES.path, {
        "max_tokens": 10,
        "system": [{"type": "text", "text": "s"}],
        "messages": [
            {"role": "user", "content": [
                {"type": "image", "source": IMAGE},
                {"type": "document", "title": "t", "source": {"type": "content", "content": [{"type": "text", "text": "x"}]}},
                {"type": "search_result", "title": "t", "source": "s", "content": [{"type": "text", "text": "x"}]},
            ]},
            {"role": "assistant", "content": [{"type": "thinking", "thinking": "t"}, {"type": "tool_use", "id": "1", "name": "w", "input": {"a": "x"}}]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "1", "content": [{"type": "text", "text": "x"}]}]},
        ],
        "tools": [{"name": "w", "input_schema": {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}}],
        "tool_choice": {"type": "auto"}, "stop_sequences": ["x"], "thinking": {"type": "enabled"},
    }),
    "responses": (RESPONSES.path, {
        "instructions": "i",
        "input": [
            {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "hi"}, {"type": "input_image", "image_url": "data:,"}]},
            {"type": "reasoning", "summary": [{"type": "summary_text", "text": "x"}]},
            {"type": "function_call", "call_id": "1", "name": "w", "arguments": "{}"},
            {"type": "function_call_output", "call_id": "1", "output": "r"},
        ],
        "tools": [
            {"type": "function", "name": "w", "parameters": {"type": "object", "required": ["a"]}},
            {"type": "custom", "name": "c", "format": {"type": "grammar", "syntax": "lark", "definition": "x"}},
        ],
        "text": {"format": {"type": "text"}}, "reasoning": {"effort": "low"}, "max_output_tokens": 5,
    }),
    "ollama": (OLLAMA.path, {
        "messages": [
            {"role": "system", "content": "s"},
            {"role": "user", "content": "hi", "images": ["aaaa"]},
            {"role": "assistant", "thinking": "t", "tool_calls": [{"id": "1", "function": {"name": "w", "arguments": {"a": "x"}}}]},
            {"role": "tool", "tool_name": "w", "tool_call_id": "1", "content": "r"},
        ],
        "tools": [{"type": "function", "function": FUNCTION}],
        "format": {"type": "object", "required": ["a"]}, "think": True, "keep_alive": "5m",
        "options": {"num_predict": 5, "temperature": 1, "stop": ["a"], "num_ctx": 4096},
    }),
    "generate": ("/api/generate", {"prompt": "p", "system": "s", "images": ["aaaa"], "suffix": ""}),
}  # fmt: skip


def nested(levels):
    return {"items": nested(levels - 1)} if levels else {}


WRONG = [5, "", True, [], [{}], [[]], {}, {"type": 5}, nested(150)]


def places_in(value, place=()):
    """Every place of a body."""
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    for key, one in inner:
        yield (*place, key)
        if isinstance(one, dict | list):
            yield from places_in(one, (*place, key))


def put(body, place, value):
    changed = copy.deepcopy(body)
    *outer, last = place
    inner = changed
    for key in outer:
        inner = inner[key]
    inner[last] = value
    return changed


@pytest.mark.parametrize(("path", "body"), BODIES.values(), ids=BODIES)
async def test_a_wrong_value_is_answered_or_refused_by_name(path, body):
    """No value at any place of a request makes an error of our own, and none breaks the inspector."""
    llm = ChatToolEmu(llm=SpokenModel(pieces=["Hello."]), mode="force")
    async with client_of(create_app({"m": llm}, inspect=True)) as client:
        cases = [(place, value) for place in places_in(body) for value in WRONG]
        for place, value in cases[::2]:
            asked = put({"model": "m", "stream": False, **body}, place, value)
            response = await client.post(path, json=asked)
            assert response.status_code in (200, 400), (place, value)
            error = error_of({"error": {}, **response.json()}) or {}
            assert response.status_code == 200 or names_field(error, place), (place, value, error)
        assert (await client.get("/inspector/turns")).status_code == 200


def names_field(error, place):
    """Whether an error names what is wrong, or at least what it is a part of."""
    said = f"{error['message']} {error.get('param')}"
    words = {"messages", "input", "tools", "tool_choice", "response_format", *map(str, place)}
    return any(word in said for word in words if not word.isdecimal())


SCHEMAS = {
    "required": ({"required": [{}]}, "required"),
    "type": ({"properties": {"a": {"type": [[]]}}}, "properties.a.type"),
    "nesting": ({"properties": {"a": nested(400)}}, "nested deeper"),
    "enum": ({"properties": {"a": {"enum": 5}}}, "properties.a.enum"),
}


@pytest.mark.parametrize(("schema", "named"), SCHEMAS.values(), ids=SCHEMAS)
@pytest.mark.parametrize("wire", WIRES.values(), ids=WIRES)
async def test_a_schema_that_is_none_is_refused_by_keyword(wire, schema, named):
    """The keyword that is wrong is named, whatever the protocol."""
    tools = json.loads(json.dumps(wire.ask["tools"]))
    function = tools[0].get("function", tools[0])
    function["input_schema" if wire is MESSAGES else "parameters"] = {"type": "object", **schema}
    llm = ChatToolEmu(llm=SpokenModel(pieces=["Hello."]), mode="force")
    async with client_of(create_app({"m": llm})) as client:
        response = await client.post(wire.path, json={**wire.ask, "tools": tools})
    assert response.status_code == 400
    assert named in error_of(response.json())["message"]


@pytest.mark.parametrize(("field", "value"), [("tool_choice", "x"), ("tools", [{"type": "function", "function": {"name": "w", "parameters": {"properties": 5}}}])])  # fmt: skip
async def test_tools_that_cannot_be_bound_are_named(field, value):
    """The field is `tools`, or the choice among them."""
    llm = ChatToolEmu(llm=SpokenModel(pieces=["Hello."]), mode="force")
    async with client_of(create_app({"m": llm})) as client:
        response = await client.post(CHAT.path, json={**CHAT.ask, field: value})
    assert response.status_code == 400
    assert response.json()["error"]["param"].startswith(field)


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
def test_a_document_that_the_upstream_cannot_be_sent_is_refused(stream):
    """OpenAI's protocol has no place for a file by its address: 400, and nothing is sent."""
    document = {"type": "document", "source": {"type": "url", "url": "http://localhost/a.pdf"}}
    ask = {**MESSAGES.ask, "messages": [{"role": "user", "content": [document]}], "stream": stream}
    with (
        ScriptedServer() as upstream,
        gateway(upstream_model(upstream)) as server,
    ):
        response = httpx.post(server.url + MESSAGES.path, json=ask, trust_env=False)
        assert upstream.requests == []
    assert response.status_code == 400
    assert "file URLs" in response.json()["error"]["message"]


@pytest.mark.parametrize("wire", WIRES.values(), ids=WIRES)
def test_a_reply_without_choices_is_the_upstreams_fault(wire):
    """502, in words of our own."""
    empty = Reply(body={"id": "1", "object": "chat.completion", "model": "m", "choices": []})
    llm = lambda upstream: ChatToolEmu(llm=upstream_model(upstream), mode="force")  # noqa: E731
    with (
        ScriptedServer(lambda _: empty) as upstream,
        gateway({"m": llm(upstream)}) as server,
    ):
        response = httpx.post(server.url + wire.path, json=wire.ask, trust_env=False)
    assert response.status_code == 502
    assert "index" not in response.text.replace('"index"', "")
