"""What needs nothing of us goes straight: the upstream's own bytes come back."""

import asyncio
import json

import httpx
import pytest
from langchain_core.caches import InMemoryCache
from langchain_core.callbacks import BaseCallbackHandler
from starlette.applications import Starlette
from starlette.responses import RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from langchain_toolemu import ChatToolEmu
from langchain_toolemu.capability import endpoints
from langchain_toolemu.chat_models.forwarding_chat_openai import ForwardingChatOpenAI
from langchain_toolemu.serve import create_app
from langchain_toolemu.serve.settings import ModelSettings, ServerSettings
from tests.gateway import running
from tests.tables import every_row

OWN_ID = "upstreams-own"  # of the upstream's replies: the ordinary way writes another one
WORDS = [{"role": "user", "content": "Hi"}]
USAGE = {"prompt_tokens": 5, "completion_tokens": 7, "total_tokens": 12}
COUNTED = {"input_tokens": 5, "output_tokens": 7}
TOOL = {"type": "function", "function": {"name": "f", "parameters": {"type": "object"}}}
CALL = {"id": "1", "type": "function", "function": {"name": "f", "arguments": "{}"}}
LOOP = [
    *WORDS,
    {"role": "assistant", "content": None, "tool_calls": [CALL]},
    {"role": "tool", "tool_call_id": "1", "content": "r"},
]


def sse(*events, done=b""):
    return b"".join(b"data: %b\n\n" % json.dumps(event).encode() for event in events) + done


DONE = b"data: [DONE]\n\n"
HEAD = {"id": OWN_ID, "created": 1, "model": "up"}


def chunk(delta, finish=None, **more):
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return {**HEAD, "object": "chat.completion.chunk", "choices": [choice], **more}


CHUNKS = (chunk({"role": "assistant", "content": "Hi"}), chunk({"content": "."}, "stop"))
COUNT = {**HEAD, "choices": [], "usage": USAGE}
MESSAGE = {"id": OWN_ID, "type": "message", "role": "assistant", "model": "up", "usage": COUNTED}
LINE = {"model": "up", "created_at": OWN_ID, "done": False}
SAYS = {"role": "assistant", "content": "Hi."}
LAST = {"done": True, "prompt_eval_count": 5, "eval_count": 7}
SPOKEN = {"type": "text_delta", "text": "Hi."}
CHOICE = {"index": 0, "message": SAYS, "finish_reason": "stop"}


def lines(*values):
    return b"".join(json.dumps(value).encode() + b"\n" for value in values)


# By path: a body, a whole answer, the bytes of a streamed one, and their type.
PROTOCOLS = {
    "/v1/chat/completions": (
        {"messages": WORDS, "seed": 1},
        {**HEAD, "choices": [CHOICE], "usage": USAGE, "more": 1},
        sse(*CHUNKS, COUNT, done=DONE),
        "text/event-stream",
    ),
    "/v1/messages": (
        {"messages": WORDS, "max_tokens": 9, "top_k": 3},
        {**MESSAGE, "content": [{"type": "text", "text": "Hi."}], "more": 1},
        sse(
            {"type": "message_start", "message": {**MESSAGE, "content": []}},
            {"type": "content_block_delta", "index": 0, "delta": SPOKEN},
            {"type": "message_stop"},
        ),
        "text/event-stream",
    ),
    "/api/chat": (
        {"messages": WORDS, "options": {"num_ctx": 64}},
        {**LINE, "message": SAYS, **LAST, "more": 1},
        lines({**LINE, "message": SAYS}, {**LINE, **LAST}),
        "application/x-ndjson",
    ),
}


class Upstream:
    """A server of every protocol that keeps what it is sent; `says` answers instead."""

    def __init__(self):
        self.sent, self.says, self.closed = [], None, 0
        self.app = Starlette(routes=[Route("/{path:path}", self.answer, methods=["POST"])])

    async def answer(self, request):
        body = await request.json()
        self.sent.append((request.headers, body))
        if self.says is not None:
            return self.says(body)
        _, whole, streamed, kind = PROTOCOLS[request.scope["path"]]
        if body.get("stream", request.scope["path"] == "/api/chat"):
            return StreamingResponse(self.cut(streamed), media_type=kind)
        return Response(json.dumps(whole), media_type="application/json")

    async def cut(self, content):
        """In pieces that respect no event."""
        for at in range(0, len(content), 50):
            yield content[at : at + 50]


@pytest.fixture
def upstream(monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("UPSTREAM_KEY", "operators-own")
    made = Upstream()
    with running(made.app) as server:
        made.url = server.url
        yield made


OWN = {"x-operator": "own"}


def app_for(upstream, path="/v1/chat/completions", mode="fallback", policy="auto"):
    toolemu = {"mode": mode, "policy": policy}
    own = {"api_key_env": "UPSTREAM_KEY", "toolemu": toolemu}
    own["options"] = {"default_headers": OWN, "max_retries": 0}
    to_ollama = {"toolemu": toolemu, "options": {"client_kwargs": {"headers": OWN}}}
    model = {
        "/v1/chat/completions": ModelSettings("m", "openai:up", f"{upstream.url}/v1", **own),
        "/v1/messages": ModelSettings("m", "anthropic:up", upstream.url, **own),
        "/api/chat": ModelSettings("m", "ollama:up", upstream.url, **to_ollama),
    }[path]
    return create_app(ServerSettings(models=(model,)))


def client_of(app):
    transport = httpx.ASGITransport(app, client=("127.0.0.1", 1))
    return httpx.AsyncClient(transport=transport, base_url="http://localhost", timeout=20)


async def ask(app, path="/v1/chat/completions", **more):
    body = {**PROTOCOLS[path][0], "model": "m", **more}
    async with client_of(app) as client:
        return await client.post(path, json=body, headers={"anthropic-version": "2023-06-01"})


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize("path", PROTOCOLS)
async def test_a_plain_request_goes_straight(upstream, path, stream):
    """With the operator's headers and the served model, and back in the client's name for it."""
    app = app_for(upstream, path)
    response = await ask(app, path, stream=stream)
    headers, sent = upstream.sent[-1]
    assert headers["x-operator"] == "own"
    assert sent["model"] == "up"
    assert OWN_ID in response.text
    assert ('"model":"up"' in response.text, '"model": "up"' in response.text) == (False, False)
    assert '"m"' in response.text
    assert stream or response.json()["more"] == 1
    assert response.headers["x-toolemu-model"] == "up"
    told = app.state.gateway.metrics.to_text().decode()
    assert 'toolemu_input_tokens_total{model="m"} 5.0' in told
    assert 'toolemu_output_tokens_total{model="m"} 7.0' in told


@pytest.mark.parametrize("asks", [False, True])
async def test_the_count_at_the_end_is_shown_to_who_asks(upstream, asks):
    """The upstream is always asked; clients that did not ask fail at a chunk without a choice."""
    more = {"stream_options": {"include_usage": True}} if asks else {}
    response = await ask(app_for(upstream), stream=True, **more)
    assert upstream.sent[-1][1]["stream_options"] == {"include_usage": True}
    assert ('"choices": []' in response.text or '"choices":[]' in response.text) is asks
    assert response.text.endswith("data: [DONE]\n\n")


ORDINARY = [
    {"tools": [TOOL]},
    {"messages": LOOP},
    {"response_format": {"type": "json_object"}},
    {"n": 1},
    {"toolemu": {"policy": "strict"}},
    {"unknown": 1},
    {"messages": [{"role": "user", "content": [{"type": "text", "text": "Hi"}]}]},
    {"messages": [{"role": "system", "content": "x-anthropic-billing-header: 1"}, *WORDS]},
    {"messages": [{**WORDS[0], "reasoning_content": "r"}]},
]


async def test_what_is_ours_to_read_goes_the_ordinary_way(upstream):
    """Tools, their results, forms, options of ours, unknown fields, parts of contents."""
    app = app_for(upstream)
    for more in ORDINARY:
        response = await ask(app, **more)
        assert response.status_code == 200, more
        assert OWN_ID not in response.text, more


class _Listener(BaseCallbackHandler):
    """Somebody who wants to see each turn."""


WATCHED = {
    "thoughts": {"reasoning": "drop"},
    "callbacks": {"callbacks": [_Listener()]},
    "cache": {"cache": InMemoryCache()},
}


@pytest.mark.parametrize("given", WATCHED.values(), ids=WATCHED)
async def test_who_wants_to_see_a_reply_sees_it(upstream, given):
    """A model with such a setting never goes straight; nor does any while the inspector records."""
    llm = ForwardingChatOpenAI(model="up", base_url=f"{upstream.url}/v1", api_key="k")
    assert OWN_ID in (await ask(create_app(llm))).text
    assert OWN_ID not in (await ask(create_app(ChatToolEmu(llm, **given)))).text
    assert OWN_ID not in (await ask(create_app(llm, inspect=True))).text


async def test_tools_go_straight_in_mode_off(upstream):
    """The client's functions; a provider's own tool goes the ordinary way, which refuses it."""
    app = app_for(upstream, mode="off")
    response = await ask(app, tools=[TOOL], messages=LOOP, tool_choice="required")
    assert OWN_ID in response.text
    assert upstream.sent[-1][1]["messages"] == LOOP
    assert (await ask(app, tools=[{"type": "web_search"}])).status_code == 400


async def test_tools_go_straight_where_calls_were_seen_at_the_vendor(upstream, monkeypatch):
    """Not on any other host, and not under a policy that reviews native calls."""
    monkeypatch.setitem(endpoints.HOSTS, "127.0.0.1", "openai")  # type: ignore[arg-type]
    endpoints.vendor_at.cache_clear()
    try:
        assert OWN_ID in (await ask(app_for(upstream), tools=[TOOL], messages=LOOP)).text
        strict = app_for(upstream, policy="strict")
        assert OWN_ID not in (await ask(strict, tools=[TOOL])).text
    finally:
        endpoints.vendor_at.cache_clear()
    assert OWN_ID not in (await ask(app_for(upstream), tools=[TOOL])).text


def page(status=200):
    return Response("<html>Welcome</html>", status, media_type="text/html")


def answer(status, body, **headers):
    return Response(json.dumps(body), status, headers, "application/json")


def events(*pieces):
    return Response(b"".join(pieces), media_type="text/event-stream")


def failing(words):
    return {"error": {"message": words}}


def to_dead_host(_body):
    return RedirectResponse("http://127.0.0.1:1/v1")


LATER = {"retry-after": "7"}
MOVED = "server at http://127.0.0.1:1, to which the upstream redirects, cannot be reached"
# What the upstream says; the status and the words of what the client is told.
SAID = {
    "a page": (lambda _: page(), 502, "cannot be read: text/html, status 200"),
    "no JSON": (lambda _: Response("{"), 502, "cannot be read"),
    "another JSON": (lambda _: answer(200, {"hello": 1}), 502, "cannot be read"),
    "an error under 200": (lambda _: answer(200, failing("no such model")), 502, "no such model"),
    "too many": (lambda _: answer(429, failing("Later."), **LATER), 429, "Later."),
    "a wrong key": (lambda _: answer(401, failing("operators-own is no key")), 401, "… is no key"),
    "a dead host": (to_dead_host, 502, MOVED),
}
STREAMED = {
    "a bad line": (lambda _: events(b"data: {oops\n\n"), 502, "cannot be read: text/event-stream"),
    "an error": (lambda _: events(sse(failing("out of memory"))), 502, "out of memory"),
    "nothing": (lambda _: events(), 502, "cannot be read: text/event-stream"),
}


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
async def test_what_an_upstream_says_is_told_as_what_it_is(upstream, stream):
    """Its own status and words, without the key; never Python's; and it is asked once."""
    for says, status, words in (*SAID.values(), *(STREAMED.values() if stream else ())):
        upstream.says, upstream.sent = says, []
        response = await ask(app_for(upstream), stream=stream)
        assert response.status_code == status, (words, response.text)
        assert words in response.json()["error"]["message"]
        assert len(upstream.sent) == 1
        assert "Expecting" not in response.text


async def test_a_refused_form_is_said_in_another_one(upstream):
    """What a server refuses goes the ordinary way, and later requests at once."""

    def no_system(body):
        if body["messages"][0]["role"] == "system":
            return answer(400, {"error": {"message": "System role not supported"}})
        return answer(200, PROTOCOLS["/v1/chat/completions"][1])

    upstream.says, app = no_system, app_for(upstream)
    messages = [{"role": "system", "content": "Be brief."}, *WORDS]
    for requests in (3, 4):
        assert (await ask(app, messages=messages)).status_code == 200
        assert len(upstream.sent) == requests
    off = await ask(app_for(upstream, mode="off"), messages=messages)
    assert (off.status_code, off.json()["error"]["message"]) == (400, "System role not supported")


ENDS = {
    "no end": (sse(chunk({"content": "Hi"})), False),
    "a reason": (sse(*CHUNKS), True),
    "the last event": (sse(chunk({"content": "Hi"}), done=DONE), True),
    "an error": (sse(chunk({"content": "Hi"}), {"error": {"message": "gone"}}), False),
}


@every_row(("said", "is_end"), ENDS.values())
async def test_a_stream_that_breaks_off_is_not_complete(upstream, said, is_end):
    """Its words are there, then an error; one with an end has a reason and the last event."""
    upstream.says = lambda _: events(said)
    text = (await ask(app_for(upstream), stream=True)).text
    assert "Hi" in text
    assert ('"error"' in text) is not is_end
    assert ('"stop"' in text) is is_end
    assert text.endswith("data: [DONE]\n\n")


async def test_a_client_that_leaves_closes_the_request(upstream):
    """The upstream sees it at once, and no turn is left under way."""

    async def endless():
        try:
            while True:
                yield sse(chunk({"content": "Hi"}))
                await asyncio.sleep(0.01)
        finally:
            upstream.closed += 1

    upstream.says = lambda _: StreamingResponse(endless(), media_type="text/event-stream")
    app = app_for(upstream)
    with running(app) as server:
        async with httpx.AsyncClient(trust_env=False) as client:
            body = {"model": "m", "messages": WORDS, "stream": True}
            async with client.stream(
                "POST", f"{server.v1}/chat/completions", json=body
            ) as response:
                await anext(response.aiter_bytes())
        for _ in range(500):
            await asyncio.sleep(0.01)
            if upstream.closed and not app.state.gateway.gate.under_way:
                break
    assert (upstream.closed, app.state.gateway.gate.under_way) == (1, 0)
