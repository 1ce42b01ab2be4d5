"""Clients with paths of their own: Groq's and Azure's SDKs, Ollama's, and unknown paths."""

import json
import logging
from contextlib import ExitStack

import groq
import httpx
import openai
import pytest
from langchain_ollama import ChatOllama, OllamaEmbeddings
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route

from langchain_toolemu.serve import create_app
from tests.gateway import gateway, running
from tests.integration_tests.serve.conftest import upstream_model
from tests.integration_tests.serve.wires import CHAT, ask, events_of
from tests.scripted_server import Reply, ScriptedServer
from tests.spoken_model import SpokenModel

QUESTION = [{"role": "user", "content": "What is the weather in Paris?"}]
ASKED = {"messages": QUESTION, "tools": CHAT.ask["tools"]}


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


@pytest.mark.parametrize("stream", [False, True])
def test_groqs_sdk_reaches_a_model(text_only, stream):
    """Its base URL has no path, and it adds `/openai/v1`."""
    client = groq.Groq(base_url=text_only.gateway.url, api_key="none")
    answer = client.chat.completions.create(model="m", stream=stream, **ASKED)
    if stream:
        said = [piece.choices[0].delta for piece in answer if piece.choices]
    else:
        said = [answer.choices[0].message]
    names = [call.function.name for one in said for call in one.tool_calls or ()]
    assert [*filter(None, names)] == ["get_weather"]


def test_azures_sdk_names_its_model_in_the_path():
    """The deployment is the model, whatever the body says; the key is in Azure's own header."""
    reply = Reply(tool_calls=[("get_weather", {"city": "Paris"})])
    with ScriptedServer(lambda _: reply) as upstream, ExitStack() as stack:
        models = {name: upstream_model(upstream) for name in ("small", "other")}
        server = stack.enter_context(gateway(models, api_keys=("secret",)))
        client = openai.AzureOpenAI(
            azure_endpoint=server.url, api_key="secret", api_version="2025-01-01", max_retries=0
        )
        answer = client.chat.completions.create(model="small", **ASKED)
        assert answer.choices[0].message.tool_calls[0].function.name == "get_weather"
        path = f"{server.url}/openai/deployments/none/chat/completions"
        body, own = {"model": "small", **ASKED}, {"headers": {"api-key": "secret"}}
        refused = httpx.post(path, json=body, **own, trust_env=False)
        assert refused.json()["error"]["code"] == "model_not_found"
        figures = httpx.get(f"{server.url}/metrics", **own, trust_env=False).text
        assert 'endpoint="/chat/completions"' in figures
        assert "deployments" not in figures


def test_mistrals_client_gets_whole_calls(text_only):
    """It takes each streamed piece for a call."""
    agent = {"user-agent": "mistral-client-python/1.9.1"}
    body = {**CHAT.ask, "stream": True}
    url = text_only.gateway.url + CHAT.path
    response = httpx.post(url, json=body, headers=agent, trust_env=False)
    chunks = [data for _, data in events_of(response.text) if data != "[DONE]"]
    choices = [one for chunk in chunks for one in chunk["choices"]]
    (call,) = [call for one in choices for call in one["delta"].get("tool_calls", ())]
    assert json.loads(call["function"]["arguments"]) == {"city": "Paris"}


# --- embeddings ---


class Upstream:
    """A server of embeddings, in Ollama's and OpenAI's protocol."""

    def __init__(self):
        self.asked = []
        paths = ("/api/embed", "/api/embeddings", "/v1/embeddings")
        self.app = Starlette(routes=[Route(path, self.answer, methods=["POST"]) for path in paths])

    async def answer(self, request):
        body = await request.json()
        self.asked.append((request.url.path, body))
        given = [*enumerate(body.get("input", ()))]
        if request.url.path.startswith("/v1"):
            found = [{"object": "embedding", "embedding": [0.5, at]} for at, _ in given]
            data = [{**one, "index": at} for at, one in enumerate(found)]
            return JSONResponse({"data": data, "usage": {"prompt_tokens": 3, "total_tokens": 3}})
        if request.url.path.endswith("/embed"):
            vectors = [[0.5, at] for at, _ in given]
            return JSONResponse({"model": body["model"], "embeddings": vectors})
        return JSONResponse({"embedding": [0.5, 0]})


@pytest.mark.parametrize("kind", ["ollama", "openai"])
def test_ollamas_clients_get_embeddings(kind):
    """From Ollama and any other upstream, of several texts and, as older clients ask, of one."""
    upstream = Upstream()
    with running(upstream.app) as behind:
        made = ChatOllama(model="up", base_url=behind.url)
        if kind == "openai":
            with ScriptedServer() as unused:
                made = upstream_model(unused, base_url=behind.v1, model="up")
        with gateway(made) as server:
            client = OllamaEmbeddings(model="nomic", base_url=server.url)
            assert client.embed_documents(["a", "b"]) == [[0.5, 0], [0.5, 1]]
            old = {"model": "nomic", "prompt": "a"}
            said = httpx.post(f"{server.url}/api/embeddings", json=old, trust_env=False).json()
            assert said == {"embedding": [0.5, 0]}
            wrong = {"model": "nomic", "input": 5}
            refused = httpx.post(f"{server.url}/api/embed", json=wrong, trust_env=False)
            assert kind == "ollama" or refused.status_code == 400
            for path, name in (("embed", "input"), ("embeddings", "prompt")):
                left_out = {"model": "nomic"} | ({"prompt": None} if name == "prompt" else {})
                refused = httpx.post(f"{server.url}/api/{path}", json=left_out, trust_env=False)
                assert (refused.status_code, name in refused.text) == (400, True)
    assert {body["model"] for _, body in upstream.asked} == {"up"}


# --- what there is not ---


@pytest.mark.parametrize("path", ["/v1/v1/chat/completions", "/v2/x", "/api/nothing"])
async def test_an_unknown_path_is_named_and_logged(path, caplog):
    """So that a wrong base URL is found, on either side."""
    transport = httpx.ASGITransport(create_app(SpokenModel(pieces=["Hi."])))
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
        with caplog.at_level(logging.INFO, "langchain_toolemu.serve"):
            response = await client.post(path, json={})
    assert (response.status_code, path in response.text, path in caplog.text) == (404, True, True)


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [("GET", "/v1/messages", "POST"), ("POST", "/v1/models", "GET")],
)
async def test_a_wrong_method_is_told_the_right_one(method, path, allowed):
    """And not both."""
    transport = httpx.ASGITransport(create_app(SpokenModel(pieces=["Hi."])))
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
        response = await client.request(method, path)
    assert response.status_code == 405
    assert f"Use {allowed}" in response.text
    assert f"Use {method}" not in response.text


# --- words ---


@pytest.mark.parametrize("encoding", ["gzip", "br"])
async def test_a_compressed_body_is_refused_as_such(encoding):
    """A 415, and not a word about JSON."""
    transport = httpx.ASGITransport(create_app(SpokenModel(pieces=["Hi."])))
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
        headers = {"content-type": "application/json", "content-encoding": encoding}
        response = await client.post(CHAT.path, content=b"\x1f\x8b", headers=headers)
    assert response.status_code == 415
    assert "Content-Encoding" in response.text


async def test_a_stream_begins_with_a_count_of_its_input():
    """Messages: clients show it until the upstream has counted."""
    app = create_app(SpokenModel(pieces=["Hi."]))
    from tests.integration_tests.serve.wires import MESSAGES

    events = events_of((await ask(app, MESSAGES, stream=True)).text)
    assert events[0][1]["message"]["usage"]["input_tokens"] > 10


EMPTY = {
    "audio": {"type": "input_audio", "input_audio": {"data": "", "format": "wav"}},
    "file": {"type": "file", "file": {"file_id": ""}},
}


@pytest.mark.parametrize("part", EMPTY.values(), ids=EMPTY)
@pytest.mark.parametrize("stream", [False, True])
async def test_a_part_that_cannot_be_written_is_the_clients(part, stream):
    """A 400: the upstream was not asked."""
    messages = [{"role": "user", "content": [part]}]
    with ScriptedServer() as upstream:
        app = create_app(upstream_model(upstream))
        response = await ask(app, CHAT, messages=messages, stream=stream)
        assert upstream.requests == []
    assert (response.status_code, response.json()["error"]["code"]) == (400, "invalid_value")


MISSING = {"/v1/embeddings": "input", "/api/embed": "input", "/v1/completions": "prompt"}


@pytest.mark.parametrize("path", MISSING)
def test_a_request_without_what_it_is_about_is_refused(path):
    """A 400 that names the field, instead of whatever the upstream makes of it."""
    with ScriptedServer() as upstream, gateway(upstream_model(upstream)) as server:
        response = httpx.post(f"{server.url}{path}", json={"model": "m"}, trust_env=False)
        assert (response.status_code, upstream.requests) == (400, [])
        assert f"Missing required parameter: '{MISSING[path]}'." in response.text


def test_a_slash_too_many_is_ignored(text_only):
    """Of base URLs that end in one."""
    for path in ("//v1/chat/completions", "/v1//chat/completions"):
        body = {"model": "m", "messages": QUESTION}
        assert httpx.post(text_only.gateway.url + path, json=body, trust_env=False).is_success
    refused = httpx.get(f"{text_only.gateway.url}//v1/chat/completions", trust_env=False)
    assert refused.status_code == 405
    assert "Use POST" in refused.json()["error"]["message"]
