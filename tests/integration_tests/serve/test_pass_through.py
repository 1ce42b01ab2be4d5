"""Embeddings and plain completions through the gateway, by OpenAI's SDK: what the upstream gets and says is left as it is."""

import json

import httpx
import openai
import pytest
from langchain_anthropic import ChatAnthropic
from langchain_ollama import ChatOllama
from starlette.applications import Starlette
from starlette.responses import JSONResponse, StreamingResponse
from starlette.routing import Route

from langchain_toolemu.chat_models.forwarding_chat_openai import ForwardingChatOpenAI
from tests.gateway import gateway, running

VECTOR = {"object": "embedding", "index": 0, "embedding": [0.5, -0.25]}
COMPLETION = {"id": "c", "object": "text_completion", "created": 0, "model": "up"}
PROMPT = "def fibonacci(number): # of the rabbits in the garden"


class Upstream:
    """A server of embeddings and completions that keeps what it was sent."""

    def __init__(self):
        self.bodies, self.keys = [], []
        self.error = None  # status and body
        routes = [Route(f"/v1/{name}", getattr(self, name), methods=["POST"]) for name in ("embeddings", "completions")]  # fmt: skip
        self.app = Starlette(routes=routes)

    async def _take(self, request):
        self.bodies.append(await request.json())
        self.keys.append(request.headers.get("authorization"))
        return JSONResponse(self.error[1], self.error[0]) if self.error else None

    async def embeddings(self, request):
        usage = {"prompt_tokens": 3, "total_tokens": 3}
        vectors = {"object": "list", "data": [VECTOR], "model": "up", "usage": usage, "own": True}
        return await self._take(request) or JSONResponse(vectors)

    async def completions(self, request):
        refused = await self._take(request)
        pieces = [{**COMPLETION, "choices": [_choice(text)]} for text in ("retur", "n 1")]
        if refused or not self.bodies[-1].get("stream"):
            return refused or JSONResponse({**COMPLETION, "choices": [_choice("return 1")]})
        events = [f"data: {json.dumps(one)}\n\n" for one in pieces]
        return StreamingResponse(self._sent([*events, "data: [DONE]\n\n"]), 200, {}, "text/event-stream")  # fmt: skip

    async def _sent(self, events):
        for event in events:
            yield event
            if self.bodies[-1].get("user") == "breaks off":
                raise RuntimeError("the stream breaks off")


def _choice(text):
    return {"index": 0, "text": text, "finish_reason": "stop", "logprobs": None}


@pytest.fixture
def upstream():
    made = Upstream()
    with running(made.app) as server:
        made.v1 = server.v1
        yield made


def chat_model(upstream, **more):
    address = {"base_url": upstream.v1, "max_retries": 0}
    return ForwardingChatOpenAI(**{"model": "up", "api_key": "operators-own", **address, **more})


def client_of(server, key="clients-own"):
    return openai.OpenAI(base_url=server.v1, api_key=key, max_retries=0)


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


def test_embeddings_are_passed_on(upstream):
    """With every known field, and nothing added but the upstream's name of the model."""
    with gateway({"m": chat_model(upstream)}) as server, client_of(server) as client:
        found = client.embeddings.create(model="m", input=["a", "b"], encoding_format="float")
        url = f"{server.v1}/embeddings"
        body = {"model": "m", "input": "a", "models": ["gpt-5-pro"], "extra_body": {"model": "x"}}
        plain = httpx.post(url, json=body, trust_env=False).json()
    assert found.data[0].embedding == [0.5, -0.25]
    assert plain["own"] is True
    asked = {"model": "up", "input": ["a", "b"], "encoding_format": "float"}
    assert upstream.bodies == [asked, {"model": "up", "input": "a"}]
    assert upstream.keys == ["Bearer operators-own"] * 2


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
def test_completions_are_passed_on(upstream, stream):
    """Whole, and as events while they come."""
    with gateway({"m": chat_model(upstream)}) as server, client_of(server) as client:
        made = client.completions.create(model="m", prompt=PROMPT, suffix="x", stream=stream)
        pieces = list(made) if stream else [made]
    assert "".join(one.choices[0].text for one in pieces) == "return 1"
    sent = {"model": "up", "prompt": PROMPT, "suffix": "x"}
    assert [{**one, "stream": stream} for one in upstream.bodies] == [{**sent, "stream": stream}]


# What the served model is called upstream, what a client asks for, and what the upstream gets.
NAMES = [("up", "m", "up"), ("up", "gpt-5-pro", "up"), ("*", "gpt-5-pro", "gpt-5-pro")]
PATHS = {"/v1/embeddings": "input", "/v1/completions": "prompt", "/api/embed": "input", "/api/embeddings": "prompt"}  # fmt: skip


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(("served", "asked", "sent"), NAMES)
def test_only_the_served_model_is_asked_for(upstream, served, asked, sent, path):
    """Whatever name the client sends, unless the operator serves all models of the server."""
    model = chat_model(upstream, model=served)
    with gateway({"m": model}) as server:
        for more in ({"model": asked}, {"name": asked}, {"model": asked, "name": "other"}):
            body = {PATHS[path]: "a", **more}
            httpx.post(f"{server.url}{path}", json=body, trust_env=False, timeout=30)
    assert {body["model"] for body in upstream.bodies} == {sent}


ERRORS = [
    (404, {"error": {"message": "model not found"}}, "model not found"),
    (400, {"error": {"message": f"bad prompt: {PROMPT}"}}, "bad prompt: …"),
    (401, {"error": {"message": "no such key: operators-own"}}, "no such key: …"),
    (422, {"detail": [{"loc": ["body", "suffix"], "msg": "Field required"}]}, "body.suffix: Field required"),
]  # fmt: skip


@pytest.mark.in_turn
@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize(("status", "body", "words"), ERRORS)
def test_an_upstreams_error_is_told_as_in_chat(upstream, status, body, words, stream):
    """In OpenAI's form, with its status and words, without what was asked, and without a key."""
    upstream.error = status, body
    with (
        gateway({"m": chat_model(upstream)}) as server,
        client_of(server) as client,
        pytest.raises(openai.APIStatusError) as caught,
    ):
        client.completions.create(model="m", prompt=PROMPT, stream=stream)
    assert (caught.value.status_code, caught.value.body["message"]) == (status, words)


def test_a_stream_that_breaks_off_ends_in_an_error(upstream):
    """Not as if it were complete."""
    with gateway({"m": chat_model(upstream)}) as server, client_of(server) as client:
        stream = client.completions.create(model="m", prompt="a", stream=True, user="breaks off")
        with pytest.raises(openai.APIError):
            list(stream)


def test_ollamas_server_speaks_openais_protocol_too(upstream):
    """ChatOllama has no client for it: the gateway makes one."""
    model = ChatOllama(model="up", base_url=upstream.v1.removesuffix("/v1"))
    with gateway({"m": model}) as server, client_of(server) as client:
        assert client.embeddings.create(model="m", input="a").data
        assert client.embeddings.create(model="nomic", input="a").data
    assert [one["model"] for one in upstream.bodies] == ["up", "up"]


BAD = [
    ({"input": "a"}, 400, "model"),
    ({"model": 5, "input": "a"}, 400, "model"),
    ({"model": "m", "input": "a"}, 404, "The server of 'm' has no such path. Use another model."),
]


def test_an_upstream_without_such_a_path_is_named():
    """A 404, as from a server that does not have it; a model must be named."""
    with gateway({"m": ChatAnthropic(model="claude", api_key="x")}) as server:
        for body, status, words in BAD:
            response = httpx.post(f"{server.v1}/embeddings", json=body, trust_env=False)
            assert response.status_code == status
            assert words in response.json()["error"]["message"]


def test_an_upstream_that_does_not_answer_is_named(upstream):
    """By its address, as in chat."""
    dead = "http://127.0.0.1:1/v1"
    with (
        gateway({"m": chat_model(upstream, base_url=dead)}) as server,
        client_of(server) as client,
        pytest.raises(openai.InternalServerError, match=f"upstream at {dead} cannot be reached"),
    ):
        client.embeddings.create(model="m", input="a")
