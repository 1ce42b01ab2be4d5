"""The log of a gateway: every line of a request has the id that its client is told."""

import json
import logging
import re

import pytest

from langchain_toolemu import ChatToolEmu
from langchain_toolemu.serve import create_app
from langchain_toolemu.serve.request_log import JsonFormatter
from tests.integration_tests.serve.conftest import upstream_model
from tests.integration_tests.serve.test_safety import client_of
from tests.integration_tests.serve.wires import WIRES, ask
from tests.scripted_server import Reply, ScriptedServer

BAD = '{"name": "get_weather", "arguments": {"town": 1}}'
FAILING = [*[f"<tool_call>{BAD}</tool_call>"] * 3, Reply(status=503)]


@pytest.mark.in_turn
@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("wire", WIRES.values(), ids=WIRES)
async def test_every_line_has_the_id_that_the_client_is_told(wire, stream, caplog):
    """Re-asks, errors and the line of the request: plain ones begin with it, in JSON it is a field."""
    with caplog.at_level(logging.INFO, "langchain_toolemu"), ScriptedServer(FAILING) as upstream:
        caplog.clear()
        app = create_app({"m": ChatToolEmu(llm=upstream_model(upstream), mode="force")})
        ids = [(await ask(app, wire, stream=stream)).headers["x-request-id"] for _ in range(2)]
    ours = [line for line in caplog.records if line.name.startswith("langchain_toolemu")]
    lines = [line.getMessage() for line in ours]
    assert [line[:28] for line in lines] == [ids[0]] * 3 + [ids[1]] * 2
    assert re.search(r": ChatOpenAI\('scripted'\) at \S+: re-ask 1 \(validation: ", lines[0])
    assert all("Forwarding" not in line for line in lines)
    told = [json.loads(JsonFormatter().format(line)) for line in ours]
    assert [line["request_id"] for line in told] == [ids[0]] * 3 + [ids[1]] * 2
    assert not [line["message"] for line in told if "req_" in line["message"]]
    assert told[2]["path"] == "emulated"
    assert (told[2]["status"], told[2]["requests"], told[2]["model"]) == (200, 3, "m")


async def test_refusals_have_ids_too():
    """A request that reaches no endpoint, or no model, is answered with an id."""
    app = create_app({"m": upstream_model(ScriptedServer([]))}, api_keys=["k"])
    refused = await ask(app, WIRES["chat"])
    assert (refused.status_code, refused.headers["x-request-id"][:4]) == (401, "req_")


@pytest.mark.parametrize("path", ["/v1/messages/count_tokens", "/api/show"])
async def test_requests_without_a_turn_are_logged(path, caplog):
    """Counting tokens and a model's page have a line each, and an error of our own is named there, and only there."""
    app = create_app({"m": upstream_model(ScriptedServer([]))})
    body = {"model": "m", "messages": [{"role": "user", "content": "Hi."}]}
    with caplog.at_level(logging.INFO, "langchain_toolemu"):
        async with client_of(app) as client:
            assert (await client.post(path, json=body)).status_code == 200
            app.state.gateway.gate.most = None  # as no setting makes it
            failed = await client.post(path, json=body)
    assert (failed.status_code, "TypeError" in failed.text) == (500, False)
    assert f"{path} 200 m" in caplog.text
    assert "internal error: TypeError" in caplog.text
