"""Native calls that are broken, behind the gateway: valid streams in every protocol, and no client runs such a call."""

import json

import httpx
import pytest

from tests.gateway import gateway
from tests.integration_tests.serve.wires import WIRES, events_of, in_order
from tests.scripted_server import Reply, ScriptedServer
from tests.tables import every_row

GOOD = ("get_weather", {"city": "Paris"})
BROKEN = [
    [("rocket", {"x": 1}), GOOD],
    [("get_weather", "Paris, please"), GOOD],
    [GOOD, ("add", {"a": "one", "b": 2})],
    [("rocket", {"x": 1})],
    [("get_weather", '{"city": "Par')],
    [("get_weather", "[1]")],
]


@pytest.mark.parametrize("wire", WIRES.values(), ids=WIRES)
@every_row("calls", BROKEN)
def test_a_broken_call_is_never_one_that_can_be_run(wire, calls):
    """The stream is in order and adds up to calls that fit, and to none that does not."""
    reply = Reply("Look.", tool_calls=calls)
    with ScriptedServer(lambda _: reply) as server, gateway(server.chat_model()) as running:
        for stream in (False, True):
            asked, url = {**wire.ask, "stream": stream}, running.url + wire.path
            response = httpx.post(url, json=asked, trust_env=False, timeout=30)
            assert response.status_code == 200, response.text
            events = events_of(response.text) if stream else []
            assert not stream or in_order(wire, events)
            said = wire.add_up(events) if stream else wire.essence(response.json())
            sent = calls_of(said)
            assert [call for call in sent if call[1] is not None] == [GOOD] * (GOOD in calls)
            # Clients fail at arguments that are no JSON, so next to a good call none is sent.
            assert GOOD not in calls or len(sent) == 1


def calls_of(said):
    """The calls of an answer; without arguments those that a client cannot read."""
    if "calls" in said:  # Ollama's: arguments are objects
        return [(one["name"], one["arguments"]) for one in said["calls"]]
    made = said["message"]["tool_calls"] if "message" in said else said.get("output", ())
    made = [(one["name"], read_object(one["arguments"])) for one in made if "arguments" in one]
    blocks = [one for one in said.get("content", ()) if one["type"] == "tool_use"]
    return made + [(one["name"], one["input"]) for one in blocks]


def read_object(text):
    try:
        return json.loads(text)
    except ValueError:
        return None
