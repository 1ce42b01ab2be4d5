"""A large request is refused by a bound that it names, or answered; and nobody else waits for it."""

import json
import time

import pytest

from langchain_toolemu import ChatToolEmu
from langchain_toolemu.serve import create_app
from tests.benchmarks.serve.loop_lag import ask, bodies, probed
from tests.gateway_requests import FUNCTION
from tests.integration_tests.serve.test_safety import HELLO, client_of, post
from tests.scripted_server import Reply, ScriptedServer
from tests.spoken_model import SpokenModel

SAID = {"role": "user", "content": "x"}
RESULT = {"type": "tool_result", "tool_use_id": "1", "content": "x"}
TOOL = {"type": "function", "function": FUNCTION}
FLAT = {"type": "function", "name": "w", "parameters": {"type": "object"}}
OWN = {"name": "w", "input_schema": {"type": "object"}}


def tools(tool, count):
    """So many tools with names of their own."""
    inner = tool.get("function", tool)
    named = [{**inner, "name": f"w{number}"} for number in range(count)]
    return [{**tool, "function": one} if "function" in tool else one for one in named]


# Where each protocol has its messages and tools, and where a request may hide more of them.
ROWS = {
    "chat": ("/v1/chat/completions", "messages", lambda n: {"messages": [SAID] * n}),
    "chat, tools": ("/v1/chat/completions", "tools", lambda n: {"messages": [SAID], "tools": tools(TOOL, n)}),
    "messages": ("/v1/messages", "messages", lambda n: {"max_tokens": 9, "messages": [SAID] * n}),
    "results in a message": ("/v1/messages", "messages", lambda n: {"max_tokens": 9, "messages": [{"role": "user", "content": [RESULT] * n}]}),
    "messages, tools": ("/v1/messages", "tools", lambda n: {"max_tokens": 9, "messages": [SAID], "tools": tools(OWN, n)}),
    "count": ("/v1/messages/count_tokens", "messages", lambda n: {"messages": [SAID] * n}),
    "responses": ("/v1/responses", "messages", lambda n: {"input": [SAID] * n}),
    "responses, tools": ("/v1/responses", "tools", lambda n: {"input": "x", "tools": tools(FLAT, n)}),
    "tools of a namespace": ("/v1/responses", "tools", lambda n: {"input": "x", "tools": [{"type": "namespace", "name": "s", "description": "d", "tools": tools(FLAT, n)}]}),
    "ollama": ("/api/chat", "messages", lambda n: {"messages": [SAID] * n}),
    "ollama, tools": ("/api/chat", "tools", lambda n: {"messages": [SAID], "tools": tools(TOOL, n)}),
}  # fmt: skip


@pytest.mark.parametrize(("path", "what", "body"), ROWS.values(), ids=ROWS)
async def test_more_than_the_server_takes_is_refused(path, what, body):
    """A 400 that names the bound and its setting; as many as are allowed are answered."""
    app = create_app({"m": HELLO}, max_messages=30, max_tools=20)
    most = {"messages": 30, "tools": 20}[what]
    assert (await post(app, path, {"model": "m", **body(most)})).status_code == 200
    refused = await post(app, path, {"model": "m", **body(most + 1)})
    assert refused.status_code == 400
    assert f"more than {most} {what}" in refused.text
    assert f"--max-{what}" in refused.text


async def test_what_a_request_refers_to_counts():
    """A conversation that the server has stored is as long as all of it."""
    app = create_app({"m": HELLO}, max_messages=5)
    body, statuses = {"model": "m", "input": "x"}, []
    for _ in range(5):
        response = await post(app, "/v1/responses", body)
        statuses.append(response.status_code)
        body = {**body, "previous_response_id": response.json().get("id", "")}
    assert statuses[:3] == [200, 200, 200]
    assert statuses[3] == 400


VALUES = {
    "/v1/embeddings": {"input": [[1] * 4_000]},
    "/v1/completions": {"prompt": [[1]] * 2_000},
    "/v1/chat/completions": {"messages": [{"role": "user", "content": [{"type": "text", "text": "x"}] * 2_000}]},
    "/v1/responses": {"input": "x", "metadata": {f"k{number}": 1 for number in range(3_000)}},
    "/api/show": {"own": [{}] * 3_000},
}  # fmt: skip


@pytest.mark.parametrize("path", VALUES)
async def test_more_values_than_messages_and_tools_need_are_refused(path):
    """Before they are made objects, wherever they stand."""
    app = create_app({"m": HELLO}, max_messages=50, max_tools=20)
    refused = await post(app, path, {"model": "m", **VALUES[path]})
    assert refused.status_code == 400
    assert "more than 2,000 JSON values" in refused.text
    assert "--max-messages, --max-tools" in refused.text


def row(name):
    is_slow = " MB" in name or name.startswith("10,000")
    marks = [pytest.mark.more("time: seconds for each")] if is_slow else []
    return pytest.param(name, id=name, marks=marks)


@pytest.fixture(scope="module")
def probe():
    with (
        ScriptedServer(lambda _: Reply("Done.")) as upstream,
        probed(upstream.base_url, "fallback") as client,
    ):
        yield client


@pytest.mark.parametrize("name", map(row, bodies()))
def test_nobody_waits_for_a_large_request(probe, name):
    """The event loop goes on: another request would wait for moments, not for seconds (a busy machine adds some)."""
    refused = name.startswith(("a million", "10 million", "3,000", "28 MB", "25 MB", "30 MB"))
    large, best = bodies()[name], 9.0
    for _ in range(3):
        status, _, lags = ask(probe, large)
        assert status == (400 if refused else 200)
        best = min(best, lags[-1])
        if best < 0.1:
            break
    assert best < 0.2


def test_nobody_waits_for_what_a_request_refers_to(probe):
    """A conversation that is stored counts as if it were sent again; so does a look at it."""
    said = [{"role": ("user", "assistant")[at % 2], "content": "x" * 300} for at in range(9_000)]
    first = probe.post("/v1/responses", json={"model": "m", "input": said}).json()["id"]
    best = 9.0
    for _ in range(3):
        probe.get("/lag")
        asked = {"model": "m", "input": "x", "previous_response_id": first}
        assert probe.post("/v1/responses", json=asked).status_code == 200
        assert probe.get(f"/v1/responses/{first}").status_code == 200
        best = min(best, probe.get("/lag").json()[-1])
    assert best < 0.2


BOUNDS = {
    "digits": (b"7" * 401, "400 digits"),
    "digits of a fraction": (b"0." + b"7" * 399, "400 digits"),
    "integers": (b"[" + b",".join([b"7" * 20] * 10_001) + b"]", "10,000 integers"),
}


@pytest.mark.parametrize(("value", "words"), BOUNDS.values(), ids=BOUNDS)
async def test_numbers_have_bounds(value, words):
    """A 400 that names the bound; what is within is read."""
    app, headers = create_app({"m": HELLO}), {"content-type": "application/json"}
    for cut, status in ((0, 400), (1, 200)):
        inside = value if not cut else value[:-23] + b"]" if value[:1] == b"[" else value[:-1]
        body = b'{"model": "m", "messages": [{"role": "user", "content": "x"}], "x": %b}' % inside
        async with client_of(app) as client:
            response = await client.post("/v1/chat/completions", content=body, headers=headers)
        assert (response.status_code, words in response.text) == (status, status == 400)


@pytest.mark.parametrize("field", ["tools", "response_format"])
async def test_the_bytes_of_tools_have_a_bound(field):
    """A 400 that names the bound and its setting, for one long description as for many."""
    app = create_app({"m": HELLO}, max_tools=5)
    for count, status in ((19_000, 200), (21_000, 400)):
        schema = {"type": "object", "properties": {}, "description": "x" * count}
        function = {"name": "w", "description": "x" * count}
        form = {"type": "json_schema", "json_schema": {"name": "n", "schema": schema}}
        given = {"tools": [{"type": "function", "function": function}], "response_format": form}
        asked = {"model": "m", "messages": [SAID], field: given[field]}
        response = await post(app, "/v1/chat/completions", asked)
        assert response.status_code == status
        assert ("20,480 bytes" in response.text and "--max-tools" in response.text) == (
            status == 400
        )


PAST = {
    "/v1/chat/completions": lambda text: {"messages": [SAID, {"role": "assistant", "tool_calls": [{"id": "1", "type": "function", "function": {"name": "w", "arguments": json.dumps({"a": text})}}]}]},
    "/v1/messages": lambda text: {"max_tokens": 9, "messages": [SAID, {"role": "assistant", "content": [{"type": "tool_use", "id": "1", "name": "w", "input": {"a": text}}]}]},
    "/v1/responses": lambda text: {"input": [SAID, {"type": "function_call", "call_id": "1", "name": "w", "arguments": json.dumps({"a": text})}]},
    "/api/chat": lambda text: {"messages": [SAID, {"role": "assistant", "tool_calls": [{"function": {"name": "w", "arguments": {"a": text}}}]}]},
}  # fmt: skip


@pytest.mark.parametrize("path", PAST)
async def test_the_arguments_of_a_call_have_a_bound(path):
    """A 400 that names the bound: to read or write one long text holds up everybody."""
    for count, status in ((3_900_000, 200), (4_100_000, 400)):
        asked = {"model": "m", **PAST[path]("x" * count)}
        response = await post(create_app({"m": HELLO}), path, asked)
        assert (response.status_code, "4,000,000 bytes" in response.text) == (status, status == 400)


# --- schemas whose parts refer to each other: what they describe has 2 to the power of n parts ---


def chain(count, link):
    """Definitions, each of which refers to the next one."""
    made = {f"a{at}": link({"$ref": f"#/$defs/a{at + 1}"}) for at in range(count)}
    return {**made, f"a{count}": {"type": "object", "properties": {"x": {"type": "string"}}}}


def web(count, link):
    """Definitions, each of which refers to all."""
    all_ = [{"$ref": f"#/$defs/a{at}"} for at in range(count)]
    return {f"a{at}": link(all_) for at in range(count)}


def fields(*schemas):
    named = {f"q{at}": schema for at, schema in enumerate(schemas)}
    return {"type": "object", "properties": named, "required": [*named]}


LINKS = {
    **{word: lambda next_, word=word: {word: [next_, next_]} for word in ("allOf", "anyOf", "oneOf")},
    "fields": lambda next_: fields(next_, next_),
    "items": lambda next_: {"type": "array", "prefixItems": [next_, next_], "items": next_, "minItems": 2},
    "reference": lambda next_: next_,
}  # fmt: skip
DEFINITIONS = {
    **{f"{count} {name}": chain(count, link) for count in (22, 30, 1_000) for name, link in LINKS.items()},
    **{f"{count} of all in {word}": web(count, lambda all_, word=word: {word: all_}) for count in (8, 30) for word in ("allOf", "anyOf")},
    **{f"{count} of all in fields": web(count, lambda all_: fields(*all_)) for count in (8, 30)},
}  # fmt: skip
_MOST_SECONDS = 5.0  # of the processor; most take a few hundredths, and without a bound minutes


@pytest.mark.parametrize("mode", ["force", "fallback", "off"])
@pytest.mark.parametrize("name", DEFINITIONS)
async def test_every_walk_through_a_schema_is_bounded(name, mode):
    """Of a tool, strict or not, of a response format, and of both."""
    defs = DEFINITIONS[name]
    schema = {"type": "object", "properties": {"p": {"$ref": "#/$defs/a0"}}, "required": ["p"], "$defs": defs}  # fmt: skip
    function = {"name": "t", "description": "d", "parameters": schema}
    form = {"response_format": {"type": "json_schema", "json_schema": {"name": "n", "schema": schema}}}  # fmt: skip
    asks = [{"tools": [{"type": "function", "function": {**function, "strict": strict}}]} for strict in (False, True)]  # fmt: skip
    call = json.dumps({"name": "t", "arguments": {"p": {"q0": {"q1": {}}}}})
    app = create_app({"m": ChatToolEmu(llm=SpokenModel(pieces=[call]), mode=mode)})
    for asked in (*asks, form, {**asks[0], **form}):
        begun = time.process_time()
        await post(app, "/v1/chat/completions", {"model": "m", "messages": [SAID], **asked})
        assert time.process_time() - begun < _MOST_SECONDS


async def test_the_bounds_that_nobody_set():
    """Of an app as of the command."""
    async with client_of(create_app({"m": HELLO})) as client:
        for body in ({"messages": [SAID] * 10_001}, {"messages": [SAID], "tools": [TOOL] * 1_001}):
            refused = await client.post("/v1/chat/completions", json={"model": "m", **body})
            assert refused.json()["error"]["code"] == "too_many_items"
