"""Requests of which one value is wrong: answered, or refused with the name of the field; never an error of our own."""

import json

import httpx
import pytest
from langchain_anthropic import ChatAnthropic

from langchain_toolemu import ChatToolEmu
from langchain_toolemu.serve import create_app
from tests.gateway import gateway
from tests.gateway_requests import BODIES, WRONG, nested, places_in, put
from tests.integration_tests.serve.conftest import upstream_model
from tests.integration_tests.serve.test_safety import client_of
from tests.integration_tests.serve.wires import CHAT, MESSAGES, WIRES, error_of
from tests.scripted_ollama import ScriptedOllama
from tests.scripted_server import Reply, ScriptedServer
from tests.spoken_model import SpokenModel
from tests.thoroughness import share


@pytest.mark.parametrize(("path", "body"), BODIES.values(), ids=BODIES)
async def test_a_wrong_value_is_answered_or_refused_by_name(path, body):
    """No value at any place of a request makes an error of our own, and none breaks the inspector."""
    llm = ChatToolEmu(llm=SpokenModel(pieces=["Hello."]), mode="force")
    async with client_of(create_app({"m": llm}, inspect=True)) as client:
        cases = [(place, value) for place in places_in(body) for value in WRONG]
        # Every place with one of the nine values, which take turns.
        for place, value in share(cases, 0, len(WRONG) + 1):
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


@pytest.mark.in_turn
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


SOURCES = [
    ({"type": "base64", "media_type": "image/png", "data": 5}, "source.data"),
    ({"type": "base64", "media_type": [], "data": "aaaa"}, "source.media_type"),
    ({"type": "url", "url": {}}, "source.url"),
    ({"type": "file"}, "source.file_id"),
]


@pytest.mark.parametrize(("source", "named"), SOURCES)
@pytest.mark.parametrize("kind", ["image", "document"])
async def test_a_source_that_is_none_is_refused_by_field(kind, source, named):
    """Whatever the upstream, which would be sent an image that is none."""
    message = {"role": "user", "content": [{"type": kind, "source": source}]}
    llm = ChatToolEmu(llm=SpokenModel(pieces=["Hello."]), mode="force")
    async with client_of(create_app({"m": llm})) as client:
        response = await client.post(MESSAGES.path, json={**MESSAGES.ask, "messages": [message]})
    assert response.status_code == 400
    assert f"messages.content.{named}" in response.json()["error"]["message"]


def image(url):
    return {"messages": [{"role": "user", "content": [{"type": "image_url", "image_url": url}]}]}


# What a chat model raises while it writes a request, for an upstream of its kind.
UNWRITABLE = {
    "ollama, a part": ("ollama", image({"url": 5}), "Only string image_url"),
    "ollama, an image that is none": (
        "ollama",
        image({"url": "data:image/png;base64,ä"}),
        "images must be",
    ),
    "anthropic, a part": ("anthropic", image({}), "KeyError: 'url'"),
}


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize(("kind", "body", "words"), UNWRITABLE.values(), ids=UNWRITABLE)
async def test_what_cannot_be_written_for_an_upstream_is_the_requests_fault(
    kind, body, words, stream
):
    """400, before anything is sent, with what the chat model says of it."""
    with ScriptedOllama() as ollama:
        models = {
            "ollama": ollama.chat_model(),
            "anthropic": ChatAnthropic(model="m", base_url=ollama.url, api_key="none"),
        }
        async with client_of(create_app({"m": ChatToolEmu(llm=models[kind])})) as client:
            asked = {"model": "m", **body, "stream": stream}
            response = await client.post(CHAT.path, json=asked)
        assert ollama.requests == []
    assert response.status_code == 400
    error = response.json()["error"]
    assert words in error["message"]
    assert error["param"] == "messages"


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
