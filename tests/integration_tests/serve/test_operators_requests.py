"""What an upstream is sent is the operator's: headers, address, query, time limit and model; a client's body is only a body."""

import copy
import itertools
import json
import random
from collections import defaultdict

import httpx
import pytest
from starlette.applications import Starlette
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from langchain_toolemu.serve import create_app
from langchain_toolemu.serve.forwarding import _FIELDS, PASSED_ON
from langchain_toolemu.serve.settings import ModelSettings, ServerSettings
from tests.gateway import running
from tests.gateway_requests import BODIES, places_in
from tests.thoroughness import examples

EVIL = "evil"
NAMES = (
    "extra_headers", "extra_body", "extra_query", "timeout", "self", "model", "headers", "http_client", "base_url", "api_key",
    "default_headers", "default_query", "query", "params", "stream_options", "config", "callbacks", "tags", "metadata", "run_id",
    "__proto__", "__class__", "__init__", "stop", "run_manager", "messages_", "kwargs", "model_kwargs", "options", "betas",
    "organization", "cast_to", "stream_cls", "path", "url", "host", "Authorization", "api_base", "fallbacks", "models", "user",
    "previous_response_id_", "max_retries", "idempotency_key", "llm", "bound", "method", "input_", "async_client", "reasoning",
    "provider", "extra_json", "security", "proxies", "verify", "name", "cls", "request", "seed", "thinking", "mcp_servers",
    "input_examples", "output_config", "context_management", "container", "tools", "cache_control", "defer_loading",
)  # fmt: skip
VALUES = (
    EVIL, 1, 0.0001, True, [], [EVIL], {}, {"model": EVIL}, {"Authorization": f"Bearer {EVIL}", "Host": EVIL}, {"a b:c": EVIL},
    {"extra_headers": {"Authorization": EVIL}, "extra_body": {"model": EVIL}, "timeout": 0.0001}, "http://127.0.0.1:1/evil",
    {"display": "updates"}, {"task_budget": {"type": "tokens", "total": 9}}, [{"type": "advisor_20260301", "name": "a", "model": EVIL}],
    {"headers": {"x-evil": EVIL}, "params": {"q": EVIL}}, [{"model": EVIL}], f"x\r\nAuthorization: {EVIL}",
)  # fmt: skip
WORDS = {"messages": [{"role": "user", "content": "Hi"}]}
MORE = {
    "plain chat": ("/v1/chat/completions", {**WORDS, "temperature": 0.5, "seed": 1, "stream_options": {"include_usage": True}}),
    "plain message": ("/v1/messages", {**WORDS, "max_tokens": 10, "metadata": {"user_id": "u"}}),
    "plain response": ("/v1/responses", {"input": "Hi", "metadata": {"a": "b"}, "reasoning": {"effort": "low"}}),
    "count": ("/v1/messages/count_tokens", {**WORDS, "max_tokens": 10}),
    "plain ollama": ("/api/chat", {**WORDS, "options": {"num_ctx": 4096}}),
    "completion": ("/v1/completions", {"prompt": "p", "max_tokens": 5, "stream_options": {"include_usage": True}}),
    "embedding": ("/v1/embeddings", {"input": ["a", "b"], "encoding_format": "float"}),
    "embed": ("/api/embed", {"input": ["a"], "options": {"num_ctx": 4096}}),
    "embeddings": ("/api/embeddings", {"prompt": "a"}),
}  # fmt: skip
ASKS = {**BODIES, **MORE}
del ASKS["functions"]  # from before tools: refused, so that nothing is sent
NOT_SENT = {
    "extra_headers", "extra_body", "extra_query", "timeout", "self", "headers", "base_url", "api_key", "models", "fallbacks",
    "provider", "api_base", "config", "callbacks", "run_id", "__proto__", "__class__", "betas", "path", "url", "options_",
}  # fmt: skip
UPSTREAMS = ("openai", "responses", "anthropic", "ollama")
USAGE = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
COUNTED = {"input_tokens": 1, "output_tokens": 1}


def _events(*events):
    return "".join(f"event: {one['type']}\ndata: {json.dumps(one)}\n\n" for one in events)


def _chat(streams):
    head = {"id": "c", "created": 0, "model": "up"}
    if not streams:
        choice = {"index": 0, "message": {"role": "assistant", "content": "Hi."}, "finish_reason": "stop"}  # fmt: skip
        return {**head, "object": "chat.completion", "choices": [choice], "usage": USAGE}
    choice = {"index": 0, "delta": {"content": "Hi."}, "finish_reason": "stop"}
    chunk = {**head, "object": "chat.completion.chunk", "choices": [choice]}
    return f"data: {json.dumps(chunk)}\n\ndata: [DONE]\n\n"


def _response(streams):
    content = [{"type": "output_text", "text": "Hi.", "annotations": []}]
    item = {"id": "m", "type": "message", "role": "assistant", "status": "completed", "content": content}  # fmt: skip
    made = {
        "id": "r", "object": "response", "created_at": 0, "status": "completed", "model": "up", "output": [item],
        "usage": {**COUNTED, "total_tokens": 2}, "parallel_tool_calls": True, "tool_choice": "auto", "tools": [],
    }  # fmt: skip
    if not streams:
        return made
    delta = {"type": "response.output_text.delta", "item_id": "m", "output_index": 0, "content_index": 0, "delta": "Hi."}  # fmt: skip
    created = {"type": "response.created", "response": {**made, "output": [], "usage": None}}
    return _events(created, {**delta, "sequence_number": 1, "logprobs": []}, {"type": "response.completed", "response": made})  # fmt: skip


def _message(streams):
    made = {
        "id": "m", "type": "message", "role": "assistant", "model": "up", "content": [{"type": "text", "text": "Hi."}],
        "stop_reason": "end_turn", "stop_sequence": None, "usage": COUNTED,
    }  # fmt: skip
    if not streams:
        return made
    return _events(
        {"type": "message_start", "message": {**made, "content": [], "stop_reason": None}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Hi."}},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": COUNTED},
        {"type": "message_stop"},
    )


def _ollama(_streams):
    said = {"role": "assistant", "content": "Hi."}
    ending = {"done": True, "done_reason": "stop", "eval_count": 1, "prompt_eval_count": 1}
    return json.dumps({"model": "up", "created_at": "2025-01-01T00:00:00Z", "message": said, **ending}) + "\n"  # fmt: skip


def _completion(streams):
    made = {"id": "c", "object": "text_completion", "created": 0, "model": "up"}
    made["choices"] = [{"index": 0, "text": "Hi.", "finish_reason": "stop", "logprobs": None}]
    return f"data: {json.dumps(made)}\n\ndata: [DONE]\n\n" if streams else made


def _vectors(_streams):
    return {"object": "list", "data": [{"index": 0, "embedding": [0.5]}], "usage": USAGE}


REPLIES = {
    "/v1/chat/completions": _chat, "/v1/responses": _response, "/v1/messages": _message, "/api/chat": _ollama,
    "/v1/messages/count_tokens": lambda _: {"input_tokens": 1}, "/v1/completions": _completion, "/v1/embeddings": _vectors,
}  # fmt: skip


class Recorder:
    """A server of every protocol, which keeps what it is sent."""

    def __init__(self):
        self.sent = []
        self.app = Starlette(routes=[Route("/{path:path}", self.answer, methods=["POST"])])

    async def answer(self, request):
        body = await request.json()
        self.sent.append((request.scope["path"], request.scope["query_string"], request.headers, body))  # fmt: skip
        streams = bool(body.get("stream"))
        made = REPLIES[request.scope["path"]](streams)
        kind = "text/event-stream" if request.scope["path"].startswith("/v1") else "application/x-ndjson"  # fmt: skip
        return JSONResponse(made) if isinstance(made, dict) else Response(made, media_type=kind)


@pytest.fixture
def upstream(monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("UPSTREAM_KEY", "operators-own")
    made = Recorder()
    with running(made.app) as server:
        made.url = server.url
        yield made


def gateway_to(upstream, mode="fallback"):
    own = {"base_url": f"{upstream.url}/v1", "api_key_env": "UPSTREAM_KEY"}
    more = {"default_headers": {"x-operator": "own"}, "max_retries": 0}
    own["toolemu"] = {"mode": mode}
    models = (
        ModelSettings("openai", "openai:up", **own, options=more),
        ModelSettings("responses", "openai:up", **own, options={**more, "use_responses_api": True}),
        ModelSettings("anthropic", "anthropic:up", **{**own, "base_url": upstream.url}, options=more),
        ModelSettings("ollama", "ollama:up", upstream.url, options={"client_kwargs": {"headers": {"x-operator": "own"}}}, toolemu={"mode": mode}),
    )  # fmt: skip
    return create_app(ServerSettings(models=models, default="openai"))


def odd_body(dice, body):
    """A body with odd fields at any level."""
    odd = copy.deepcopy(body)
    objects = [odd, odd]  # half of them at the top
    for place in places_in(odd):
        value = odd
        for key in place:
            value = value[key]
        objects += [value] if isinstance(value, dict) else []
    for _ in range(dice.choice((1, 1, 2, 5))):
        dice.choice(objects)[dice.choice(NAMES)] = copy.deepcopy(dice.choice(VALUES))
    return odd


async def send(app, path, body):
    transport = httpx.ASGITransport(app, client=("127.0.0.1", 1))
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
        return await client.post(path, json=body, headers={"anthropic-version": "2023-06-01"})


# Ollama's client sends none, and the one that asks its server for embeddings a made-up one.
OWN_KEYS = {None, "operators-own", "Bearer operators-own", "Bearer none"}
# What a client library adds by itself, for the length of a body.
_BY_LIBRARY = ("content-length", "accept", "x-stainless-async", "x-stainless-raw-response")


def head_of(headers):
    return {name: value for name, value in headers.items() if name not in _BY_LIBRARY}


async def test_nothing_of_a_body_is_more_than_a_body(upstream):
    """Of 2,040 bodies with odd fields at every level, in each protocol, whole and streamed, to every kind of upstream."""
    apps = [gateway_to(upstream), gateway_to(upstream, "off")]
    known, reached = defaultdict(list), set()
    for model, (path, body) in itertools.product(UPSTREAMS, ASKS.values()):
        await send(apps[0], path, {**body, "model": model})
    for path, _, headers, _ in upstream.sent:
        known[path].append(head_of(headers))
        assert headers["host"] == upstream.url.removeprefix("http://")
        assert headers.get("x-operator", "own") == "own"
        assert {headers.get("x-api-key"), headers.get("authorization")} <= OWN_KEYS
    rows = [*itertools.product(UPSTREAMS, ASKS, (False, True))]
    for number in range(examples(2_040)):
        model, name, stream = rows[number % len(rows)]
        path, body = ASKS[name]
        dice = random.Random(number)
        upstream.sent.clear()
        asked = odd_body(dice, {**body, "model": model, "stream": stream})
        response = await send(apps[number // len(rows) % 2], path, asked)
        assert response.status_code in (200, 400, 404, 502), (number, response.text)
        for where, query, headers, sent in upstream.sent:
            reached.add((model, name))
            about = (number, where, dict(headers), sent)
            assert where in REPLIES, about
            assert query == b"", about
            assert sent["model"] == "up", about
            assert head_of(headers) in known[where], about
            assert EVIL not in str(headers.raw).lower(), about
            assert NOT_SENT.isdisjoint(sent), about
    counted = {(model, "count") for model in UPSTREAMS if model != "anthropic"}  # nobody is asked
    no_vectors = {("anthropic", name) for name in ("completion", "embedding", "embed", "embeddings")}  # fmt: skip
    assert {*itertools.product(UPSTREAMS, ASKS)} - reached == counted | no_vectors


WRONG = (True, "text", 5, ["list"], {"an": "object"})
TABLES = {
    "/v1/chat/completions": ("openai_chat", WORDS),
    "/v1/messages": ("anthropic_messages", {**WORDS, "max_tokens": 9}),
    "/v1/responses": ("openai_responses", {"input": "Hi"}),
    "/api/chat": ("ollama_chat", WORDS),
    "/v1/embeddings": ("/embeddings", {"input": "a"}),
    "/v1/completions": ("/completions", {"prompt": "a"}),
}


@pytest.mark.parametrize("path", TABLES)
async def test_a_value_of_another_type_is_refused_by_name(upstream, path):
    """A 400 that names the field, for each known field, whatever upstream is asked."""
    name, body = TABLES[path]
    app = gateway_to(upstream)
    for field, kinds in {**_FIELDS, **PASSED_ON}[name].items():
        kinds = (*kinds, int) if float in kinds else kinds
        kinds = (*kinds, str) if field == "modalities" else kinds  # one or several
        for value in (value for value in WRONG if type(value) not in kinds):
            outer, _, inner = field.rpartition(".")
            given = {outer: {inner: value}} if outer else {inner: value}
            response = await send(app, path, {**body, "model": "openai", **given})
            assert (response.status_code, inner in response.text) == (400, True), (field, value)
    assert upstream.sent == []


async def test_a_field_that_is_not_known_is_named_and_not_sent(upstream):
    """An upstream may have fields that choose a model or an address: OpenRouter's `models`, LiteLLM's `api_base`."""
    app = gateway_to(upstream)
    given = {"models": ["gpt-5-pro"], "api_base": "http://evil", "fallbacks": ["x"], "seed": 1}
    response = await send(app, "/v1/chat/completions", {**WORDS, "model": "openai", **given})
    assert response.headers["x-toolemu-dropped"] == "models, api_base, fallbacks"
    assert upstream.sent[0][3] == {**WORDS, "model": "up", "seed": 1, "stream": False}


# A provider's own tools, and what else has its server ask somebody.
OWN_TOOLS = {
    "/v1/messages": [
        {"type": "advisor_20260301", "name": "advisor", "model": EVIL},
        {"type": "mcp_toolset", "mcp_server_name": EVIL},
        {"type": "web_fetch_20250910", "name": "web_fetch", "allowed_domains": [EVIL]},
        {"type": "code_execution_20250522", "name": "code_execution"},
        {"type": "computer_20250124", "name": "computer", "display_width_px": 1, "display_height_px": 1},
        {"type": "web_search_20250305", "name": "web_search"},
    ],
    "/v1/responses": [
        {"type": "mcp", "server_label": "m", "server_url": f"http://{EVIL}", "headers": {"x": EVIL}},
        {"type": "image_generation", "model": EVIL},
        {"type": "web_search"},
    ],
    "/v1/chat/completions": [{"type": "mcp", "server_url": f"http://{EVIL}"}],
}  # fmt: skip
FUNCTIONS = {
    "/v1/messages": {"name": "f", "input_schema": {"type": "object"}, "input_examples": [{"a": EVIL}]},
    "/v1/responses": {"type": "function", "name": "f", "parameters": {"type": "object"}},
    "/v1/chat/completions": {"type": "function", "function": {"name": "f", "parameters": {"type": "object"}}},
}  # fmt: skip


@pytest.mark.parametrize("mode", ["off", "fallback", "force"])
@pytest.mark.parametrize(("path", "tools"), OWN_TOOLS.items(), ids=OWN_TOOLS)
async def test_a_providers_own_tools_stay_here(upstream, path, tools, mode):
    """They are named; no model, address or header of a client's goes with them, whatever the upstream."""
    app, (_, body) = gateway_to(upstream, mode), TABLES[path]
    for model, tool in itertools.product(UPSTREAMS, tools):
        upstream.sent.clear()
        more = {"mcp_servers": [{"type": "url", "url": f"http://{EVIL}", "name": EVIL}]}
        asked = {**body, **more, "model": model, "tools": [FUNCTIONS[path], tool]}
        response = await send(app, path, asked)
        dropped = response.headers["x-toolemu-dropped"]
        assert f"tools.{tool.get('name', tool['type'])}" in dropped, (model, tool)
        assert "mcp_servers" in dropped
        for _, _, headers, sent in upstream.sent:
            assert "anthropic-beta" not in headers, (model, tool)
            assert EVIL not in json.dumps(sent), (model, tool)


BETAS = {
    "thinking.display": {"thinking": {"type": "adaptive", "display": "updates"}},
    "output_config.task_budget": {"output_config": {"effort": "low", "task_budget": {"total": 9}}},
}


@pytest.mark.parametrize("name", BETAS)
async def test_what_needs_a_header_is_not_sent(upstream, name):
    """ChatAnthropic would add one; the rest of the field is sent."""
    for mode in ("off", "fallback"):
        asked = {**TABLES["/v1/messages"][1], **BETAS[name], "model": "anthropic"}
        response = await send(gateway_to(upstream, mode), "/v1/messages", asked)
        assert response.headers["x-toolemu-dropped"] == name
        _, _, headers, sent = upstream.sent[-1]
        field, _, inner = name.partition(".")
        assert "anthropic-beta" not in headers
        assert sent[field] == {
            key: value for key, value in BETAS[name][field].items() if key != inner
        }


async def test_a_block_of_the_system_that_defines_a_tool_is_refused(upstream):
    """Anthropic takes tools there, which would bring a header."""
    tool = {
        "type": "tool_addition",
        "tool": {"type": "tool_definition", "name": "a", "model": EVIL},
    }
    asked = {**WORDS, "max_tokens": 9, "model": "anthropic"}
    asked["messages"] = [*WORDS["messages"], {"role": "system", "content": [tool]}]
    response = await send(gateway_to(upstream, "off"), "/v1/messages", asked)
    assert (response.status_code, "tool_addition" in response.text) == (400, True)


def one_model(upstream, mode="fallback", **options):
    own = {"base_url": f"{upstream.url}/v1", "api_key_env": "UPSTREAM_KEY", "options": options}
    model = ModelSettings("openai", "openai:up", **own, toolemu={"mode": mode})
    return create_app(ServerSettings(models=(model,)))


# What the operator's chat model is made with, and what a client asks for instead.
SET = {
    "openai": ({"store": False, "service_tier": "flex", "extra_body": {"seed": 1, "user": "op"}}, {"store": True, "service_tier": "priority", "seed": 2, "user": "me"}),
    "responses": ({"store": False, "service_tier": "flex", "reasoning_effort": "low", "use_responses_api": True}, {"service_tier": "priority", "reasoning": {"effort": "high"}}),
}  # fmt: skip
SENT = {
    "openai": {"store": False, "service_tier": "flex", "seed": 1, "user": "op"},
    "responses": {"store": False, "service_tier": "flex", "reasoning": {"effort": "low"}},
}


@pytest.mark.parametrize("mode", ["off", "fallback"])
@pytest.mark.parametrize("model", SET)
async def test_what_the_operator_has_set_wins(upstream, model, mode):
    """What is not sent of the client's is named."""
    given, asked = SET[model]
    path = "/v1/responses" if model == "responses" else "/v1/chat/completions"
    response = await send(one_model(upstream, mode, **given), path, {**TABLES[path][1], **asked, "model": model})  # fmt: skip
    sent = upstream.sent[-1][3]
    assert {name: sent[name] for name in SENT[model]} == SENT[model]
    assert {*response.headers["x-toolemu-dropped"].split(", ")} == {*asked}


async def test_a_plain_completion_has_the_operators_fields(upstream):
    """Those that are set win; sampling and the limit are defaults."""
    given = {"temperature": 0.5, "max_tokens": 7, "service_tier": "flex", "extra_body": {"seed": 1, "own": [1]}}  # fmt: skip
    app = one_model(upstream, **given)
    asked = {"prompt": "a", "model": "openai", "max_tokens": 5, "seed": 2, "service_tier": "auto", "models": ["x"]}  # fmt: skip
    response = await send(app, "/v1/completions", asked)
    assert upstream.sent[-1][3] == {
        "model": "up", "prompt": "a", "temperature": 0.5, "max_tokens": 5, "service_tier": "flex", "seed": 1, "own": [1],
    }  # fmt: skip
    assert response.headers["x-toolemu-dropped"] == "seed, service_tier, models"
    await send(app, "/v1/embeddings", {"input": "a", "model": "openai"})
    assert upstream.sent[-1][3] == {"model": "up", "input": "a"}


@pytest.mark.parametrize("path", ["/v1/completions", "/v1/embeddings", "/api/embed", "/api/embeddings"])  # fmt: skip
async def test_what_is_passed_on_says_what_is_not(upstream, path):
    """Whole and streamed, as in chat."""
    asked = {"prompt" if path.endswith(("ions", "dings")) and "v1/emb" not in path else "input": "a", "fallbacks": ["x"], "api_base": EVIL}  # fmt: skip
    for more in ({}, {"stream": True})[: 2 if path == "/v1/completions" else 1]:
        response = await send(gateway_to(upstream), path, {**asked, **more, "model": "openai"})
        assert response.status_code == 200, response.text
        assert response.headers["x-toolemu-dropped"] == "fallbacks, api_base"


async def test_the_form_and_the_verbosity_of_an_answer_go_together(upstream):
    """Both are of `text` in Responses."""
    form = {"type": "json_schema", "name": "n", "schema": {"type": "object", "properties": {"a": {"type": "string"}}}}  # fmt: skip
    asked = {"input": "Hi", "model": "responses", "text": {"verbosity": "low", "format": form, "x": 1}}  # fmt: skip
    response = await send(gateway_to(upstream, "off"), "/v1/responses", asked)
    text = upstream.sent[-1][3]["text"]
    assert (text["verbosity"], text["format"]["type"]) == ("low", "json_schema")
    assert response.headers["x-toolemu-dropped"] == "text.x"


TAKEN = {
    "continue_final_message": True, "add_generation_prompt": False, "logit_bias": [[15043, 1.0]], "user": 7, "samplers": "top_k;top_p",
    "reasoning_format": "none", "n_probs": 3, "t_max_predict_ms": 9, "regex": "a+", "ebnf": "root ::= a", "separate_reasoning": True,
    "safe_prompt": True, "random_seed": 1, "prompt_mode": "reasoning", "transforms": ["middle-out"], "top_a": 0.1, "usage": {"include": True},
    "allowed_token_ids": [1], "prompt_logprobs": 1, "truncate_prompt_tokens": 9, "cache_salt": "s", "stop_regex": ["a"], "timings_per_token": True,
}  # fmt: skip


async def test_what_real_servers_take_is_sent(upstream):
    """vLLM's, llama.cpp's, SGLang's, Mistral's and OpenRouter's own fields, in the types that they take."""
    for path in ("/v1/chat/completions", "/v1/completions"):
        await send(gateway_to(upstream), path, {**TABLES[path][1], **TAKEN, "model": "openai"})
        assert {name: upstream.sent[-1][3].get(name) for name in TAKEN} == TAKEN


LONG = "n" * 257


@pytest.mark.parametrize("path", TABLES)
async def test_a_long_name_is_refused(upstream, path):
    """Of a model and of a tool: both are repeated in every chunk, and in recordings."""
    app, (_, body) = gateway_to(upstream), TABLES[path]
    bodies = [{**body, "model": LONG}]
    if path in FUNCTIONS:
        function = json.loads(json.dumps(FUNCTIONS[path]).replace('"f"', f'"{LONG}"'))
        bodies += [{**body, "model": "openai", "tools": [function]}]
        bodies += [
            {**body, "model": "openai", "tools": [FUNCTIONS[path], {"type": LONG, "name": LONG}]}
        ]
    for asked in bodies:
        refused = await send(app, path, asked)
        assert (refused.status_code, "more than 256 characters" in refused.text) == (400, True)
    assert upstream.sent == []
