"""Native calls that are broken, behind the gateway: valid streams in every protocol, and no client runs such a call."""

import json

import httpx
import pytest
from langchain_openai import ChatOpenAI

from langchain_toolemu import ChatToolEmu
from langchain_toolemu.contract.corrections import STRICTER
from tests.gateway import gateway
from tests.integration_tests.serve.wires import CHAT, WIRES, events_of, in_order
from tests.scripted_server import Reply, ScriptedServer
from tests.tables import every_row
from tests.weather import get_weather

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
            # Clients fail at arguments that are no JSON, so no such call is sent.
            assert calls_of(said) == [GOOD] * (GOOD in calls)


# What the model writes each time it is asked, and the name of the call in it that cannot be run.
NEVER_RIGHT = {
    "unknown tool": (Reply('{"name": "rocket", "arguments": {"x": 1}}'), "rocket"),
    "no JSON": (Reply('<tool_call>{"name": "get_weather", "arguments": {"city": Paris}</tool_call>'), "get_weather"),
    "native": (Reply("Look.", tool_calls=[("get_weather", "Paris, please")]), "get_weather"),
    "native, unknown": (Reply(tool_calls=[("rocket", '{"x": 1}')]), "rocket"),
}  # fmt: skip
ENDED = {"finish_reason": "stop", "stop_reason": "end_turn", "status": "completed", "done_reason": "stop"}  # fmt: skip


@pytest.mark.pairwise
@pytest.mark.parametrize("mode", ["force", "fallback"])
@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize("wire", WIRES.values(), ids=WIRES)
@pytest.mark.parametrize("case", NEVER_RIGHT)
def test_a_call_that_cannot_be_run_is_told_alike_in_every_protocol(case, wire, stream, mode):
    """It is the model's own text, the answer has ended, and the header names the call."""
    reply, name = NEVER_RIGHT[case]
    if mode == "force" and reply.tool_calls:
        pytest.skip("nothing is asked for natively")
    with (
        ScriptedServer(lambda _: reply) as server,
        gateway(ChatToolEmu(llm=server.chat_model(), mode=mode), inspect=True) as running,
    ):
        asked, url = {**wire.ask, "stream": stream}, running.url + wire.path
        response = httpx.post(url, json=asked, trust_env=False, timeout=30)
    events = events_of(response.text) if stream else []
    assert not stream or in_order(wire, events)
    said = wire.add_up(events) if stream else wire.essence(response.json())
    assert calls_of(said) == []
    assert [said[key] for key in ENDED if key in said] == [
        ENDED[key] for key in ENDED if key in said
    ]
    text = json.dumps(reply.text or reply.tool_calls[0][1])[1:-1]
    assert text.replace("<tool_call>", "").replace("</tool_call>", "") in json.dumps(said)
    assert "]]}" not in response.text
    recordings = running.app.state.gateway.recordings
    turn = recordings.find(recordings.summaries()[0]["id"])
    assert [call["name"] for call in turn.read["calls"] if not call["complete"]] == [name]
    if not (stream and reply.text == "Look."):  # those words were sent before the call was known
        assert response.headers["x-toolemu-invalid-calls"] == name
        assert response.headers["x-toolemu-warning-codes"]


@pytest.mark.parametrize("case", NEVER_RIGHT)
def test_no_correction_contradicts_itself(case):
    """One that leaves the model free to answer in words does not forbid all words."""
    reply, _ = NEVER_RIGHT[case]
    with ScriptedServer(lambda _: reply) as server, gateway(server.chat_model()) as running:
        httpx.post(running.url + CHAT.path, json={**CHAT.ask}, trust_env=False, timeout=30)
    said = [json.dumps(request["messages"][-1]) for request in server.requests[1:]]
    assert said
    assert [words for words in said if "plain words" in words and STRICTER in words] == []


@pytest.mark.in_turn
@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize("wire", WIRES.values(), ids=WIRES)
def test_output_that_groq_could_not_parse_is_no_answer(wire, stream):
    """It asks again, and what comes then is the answer."""
    message = "Parsing failed. The model generated output that could not be parsed."
    error = {"message": message, "type": "invalid_request_error", "code": "output_parse_failed"}
    failed = Reply(status=400, body={"error": {**error, "failed_generation": "We need to call"}})
    script = [failed, *["It is sunny."] * 3]
    with ScriptedServer(script) as server, gateway(server.chat_model()) as running:
        asked, url = {**wire.ask, "stream": stream}, running.url + wire.path
        response = httpx.post(url, json=asked, trust_env=False, timeout=30)
    assert response.status_code == 200
    assert "We need to call" not in response.text
    events = events_of(response.text) if stream else []
    said = wire.add_up(events) if stream else wire.essence(response.json())
    assert "It is sunny." in json.dumps(said)


def test_chat_openai_behind_the_gateway_sees_text():
    """LangChain's own client gets the words, and neither a call nor half a call."""
    with (
        ScriptedServer(lambda _: '{"name": "rocket"}') as server,
        gateway(server.chat_model()) as running,
    ):
        llm = ChatOpenAI(model="m", base_url=running.v1, api_key="none").bind_tools([get_weather])
        for message in (llm.invoke("Hi"), sum_of_stream(llm)):
            assert (message.tool_calls, message.invalid_tool_calls) == ([], [])
            assert message.content == '{"name": "rocket"}'


def sum_of_stream(llm):
    first, *rest = llm.stream("Hi")
    return sum(rest, first)


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
