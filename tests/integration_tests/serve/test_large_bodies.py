"""A large request is refused by a bound that it names, or answered; and nobody else waits for it."""

import pytest

from langchain_toolemu.serve import create_app
from tests.benchmarks.serve.loop_lag import ask, bodies, probed
from tests.gateway_requests import FUNCTION
from tests.integration_tests.serve.test_safety import HELLO, client_of, post
from tests.scripted_server import Reply, ScriptedServer

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
    "chat, functions": ("/v1/chat/completions", "tools", lambda n: {"messages": [SAID], "functions": tools(FUNCTION, n)}),
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
    is_slow = "31 MB" in name or name.startswith("10,000")
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
    refused = name.startswith(("a million", "10 million", "3,000"))
    large, best = bodies()[name], 9.0
    for _ in range(3):
        status, _, lags = ask(probe, large)
        assert status == (400 if refused else 200)
        best = min(best, lags[-1])
        if best < 0.1:
            break
    assert best < 0.2


async def test_the_bounds_that_nobody_set():
    """Of an app as of the command."""
    async with client_of(create_app({"m": HELLO})) as client:
        for body in ({"messages": [SAID] * 10_001}, {"messages": [SAID], "tools": [TOOL] * 1_001}):
            refused = await client.post("/v1/chat/completions", json={"model": "m", **body})
            assert refused.json()["error"]["code"] == "too_many_items"
