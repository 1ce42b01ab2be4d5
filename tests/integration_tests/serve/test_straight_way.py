"""Requests that need nothing of us go straight to the upstream; every other one, and every error, takes the usual way."""

import json
import re
import time

import httpx
import pytest
from langchain_core.callbacks import BaseCallbackHandler

from langchain_toolemu import ChatToolEmu
from tests.gateway import gateway
from tests.integration_tests.serve.conftest import upstream_model
from tests.integration_tests.serve.wires import CHAT, events_of, in_order
from tests.refusing_servers import template_without_system
from tests.scripted_server import Reply, ScriptedServer

ASK = {"model": "mine", "messages": [{"role": "user", "content": "Why is the sky blue?"}]}
TALK = [{"role": "system", "content": "Be brief."}, *ASK["messages"], {"role": "assistant", "content": "Air.", "name": "Al"}]  # fmt: skip
TOOL = CHAT.ask["tools"][0]
CALL = {"id": "c", "type": "function", "function": {"name": "get_weather", "arguments": "{}"}}
LOOP = [
    *ASK["messages"],
    {"role": "assistant", "content": None, "tool_calls": [CALL]},
    {"role": "tool", "tool_call_id": "c", "content": "Sunny."},
]
USUAL = {"toolemu": {}}  # a request with it is read


def post(running, stream=False, **body):
    asked = {**ASK, "stream": stream, **body}
    url = f"{running.v1}/chat/completions"
    return httpx.post(url, json=asked, trust_env=False, timeout=30)


def first_of(response, stream):
    return events_of(response.text)[0][1] if stream else response.json()


def went_straight(response, stream=False):
    """The scripted server's own time is 1970; the usual way tells its own."""
    return first_of(response, stream)["created"] == 0


def behind(server, options=None, settings=None, **more):
    """A gateway in front of a server, with settings of `ChatToolEmu` and of its own."""
    return gateway(ChatToolEmu(upstream_model(server, **(options or {})), **more), **settings or {})


STRAIGHT = {
    "words": {},
    "a talk": {"messages": TALK},
    "sampling, and what nobody knows": {"temperature": 0.5, "stop": "x", "max_tokens": 9, "seed": 7, "min_p": 0.1},
    "options of a stream": {"stream_options": {"include_usage": True}},
    "null": {"tools": None, "temperature": None, "toolemu": None},
}  # fmt: skip
READ = {
    "settings": USUAL,
    "tools": {"tools": [TOOL]},
    "a form": {"response_format": {"type": "json_object"}},
    "parts": {"messages": [{"role": "user", "content": [{"type": "text", "text": "Hi"}]}]},
    "past calls": {"messages": LOOP},
    "past reasoning": {"messages": [*TALK, {"role": "assistant", "content": "a", "reasoning_content": "b"}]},
    "a list of stops": {"stop": ["x"]},
}  # fmt: skip


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
def test_what_needs_nothing_goes_straight(stream):
    """The body arrives as it is but for the model, the reply comes back as it is but for the model, and it is counted."""
    usage = {"prompt_tokens": 11, "completion_tokens": 5, "total_tokens": 16}
    script = lambda _: Reply(["Light ", "scatters."], usage=usage, reasoning="Hm.")  # noqa: E731
    with ScriptedServer(script) as server, behind(server) as running:
        for asked in STRAIGHT.values():
            response = post(running, stream, **asked)
            assert went_straight(response, stream)
            own = {name: value for name, value in {**ASK, **asked}.items() if value is not None}
            own = own if stream else {name: own[name] for name in own if name != "stream_options"}
            assert server.requests[-1].items() >= {**own, "model": "scripted"}.items()
            assert ("stream_options" in server.requests[-1]) is stream
            assert first_of(response, stream)["model"] == "mine"
            assert response.headers["x-toolemu-mode"] == "fallback"
            assert response.headers["x-toolemu-model"] == "scripted"
        assert len(server.requests) == len(STRAIGHT)
        told = httpx.get(f"{running.url}/metrics", trust_env=False).text
        for asked in READ.values():
            assert not went_straight(post(running, stream, **asked), stream)
    turns = len(STRAIGHT)
    assert f'toolemu_turns_total{{model="scripted",path="native"}} {turns}' in told
    assert f'toolemu_input_tokens_total{{model="scripted"}} {11 * turns}' in told
    assert f'toolemu_upstream_requests_total{{model="scripted"}} {turns}' in told


REPLIES = {
    "words": Reply("Light scatters."),
    "thoughts": Reply("Light.", reasoning=["Hm. ", "Well."]),
    "cut": Reply("Light sca", finish_reason="length"),
    "nothing": Reply(""),
    "no usage": Reply("Light.", usage=None),
}


@pytest.mark.parametrize("asks_usage", [False, True])
@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
def test_both_ways_say_the_same(stream, asks_usage):
    """Whatever the reply is, a client that adds up the events cannot tell the way."""
    more = {"stream_options": {"include_usage": True}} if asks_usage and stream else {}
    for reply in REPLIES.values():
        with ScriptedServer(lambda _, said=reply: said) as server, behind(server) as running:
            straight, usual = (
                post(running, stream, **more, **way) for way in ({}, {**USUAL, "seed": 1})
            )
        assert (went_straight(straight, stream), went_straight(usual, stream)) == (True, False)
        if not stream:
            assert straight.json()["usage"] == usual.json()["usage"]
            assert said(CHAT.essence(straight.json())) == said(CHAT.essence(usual.json()))
            continue
        events, others = events_of(straight.text), events_of(usual.text)
        told = [data for _, data in events if data != "[DONE]" and data.get("usage")]
        assert len(told) == (asks_usage and reply.usage is not None)
        assert not told or in_order(CHAT, events)
        assert events[-1] == others[-1] == ("", "[DONE]")
        assert said(CHAT.add_up(events)) == said(CHAT.add_up(others))


def said(whole):
    return {name: value for name, value in whole["message"].items() if value is not None}


def test_tools_go_straight_where_nothing_is_repaired():
    """In mode off at once; with repair off once the endpoint was seen to call; in any other case never."""
    reply = Reply(tool_calls=[("get_weather", {"city": "Paris"})])
    ways = {
        (): [False, False],
        (("mode", "off"),): [True, True],
        (("repair_native", False),): [False, True],
        (("repair_native", False), ("policy", "strict")): [False, False],
    }
    for options, straight in ways.items():
        for stream in (False, True):
            with ScriptedServer(lambda _: reply) as server, behind(server, **dict(options)) as on:
                said = [post(on, stream, tools=[TOOL], messages=LOOP) for _ in straight]
            assert [went_straight(one, stream) for one in said] == straight
            assert all("get_weather" in one.text for one in said)


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
def test_arguments_that_python_cannot_read_pass_through(stream):
    """They are nested too deeply to be parsed, and are counted as a call that cannot be run."""
    deep = '{"a": ' + "[" * 50_000 + "]" * 50_000 + "}"
    reply = Reply(tool_calls=[("get_weather", deep)])
    with ScriptedServer(lambda _: reply) as server, behind(server, mode="off") as running:
        response = post(running, stream, tools=[TOOL])
        told = httpx.get(f"{running.url}/metrics", trust_env=False).text
    assert response.status_code == 200
    assert "[" * 50_000 in response.text
    assert 'toolemu_invalid_calls_total{model="scripted"} 1' in told


class _Listener(BaseCallbackHandler):
    """Somebody who wants to see each turn."""


@pytest.mark.parametrize(
    "given",
    [
        {"reasoning": "drop"},
        {"callbacks": [_Listener()]},
        {"settings": {"inspect": True}},
        {"llm_kwargs": {"seed": 1}},
    ],
    ids=["reasoning", "callbacks", "inspector", "arguments"],
)
def test_what_the_operator_set_is_not_passed_by(given):
    """Who wants replies changed, watched or recorded gets that."""
    with ScriptedServer(["<think>Hm.</think>Blue."]) as server, behind(server, **given) as running:
        assert not went_straight(post(running))


def test_arguments_of_the_upstream_are_sent():
    """The operator's settings of the chat model are in the request, unless the client has its own."""
    options = {"temperature": 0.1, "max_tokens": 50, "extra_body": {"min_p": 0.2}, "seed": 3}
    with ScriptedServer(lambda _: "Hi.") as server, behind(server, options) as running:
        post(running)
        post(running, temperature=0.9, max_tokens=7, min_p=0.3)
    own, clients = server.requests
    assert own.items() >= {"temperature": 0.1, "min_p": 0.2, "seed": 3}.items()
    assert clients.items() >= {"temperature": 0.9, "max_tokens": 7, "min_p": 0.3, "seed": 3}.items()
    assert "max_completion_tokens" in own
    assert "max_completion_tokens" not in clients


ERRORS = {
    "status": Reply(status=429, body={"error": {"message": "slow down", "code": "rate"}}),
    "own fault": Reply(status=400, body={"error": {"message": "temperature must be below 2"}}),
    "no completion": Reply(body={"hello": 1}),
    "an error under 200": Reply(body={"error": {"message": "no such model"}}),
    "text": Reply(body="<html>", status=502),
}


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
def test_errors_are_those_of_the_usual_way(stream):
    """The same status, body and number of requests, whatever the upstream says before anything came."""
    for reply in ERRORS.values():
        told = []
        for way in ({}, USUAL):
            with ScriptedServer(lambda _, said=reply: said) as server, behind(server) as running:
                response = post(running, stream, **way)
                told.append((response.status_code, response.json(), len(server.requests)))
        assert told[0] == told[1]
        assert told[0][0] >= 400


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
def test_a_refused_form_is_said_in_another_one(stream):
    """The usual way goes on with the refusal: one further request, and none the next time."""
    script = lambda request: template_without_system(request) or Reply("Blue.")  # noqa: E731
    with ScriptedServer(script) as server, behind(server) as running:
        for requests in (2, 3):
            assert "Blue." in post(running, stream, messages=TALK[:2]).text
            assert len(server.requests) == requests


def test_a_stream_that_a_ping_has_begun_goes_on():
    """The refusal came late: what follows belongs to the same stream, and to no second one."""

    def refuse_late(request):
        time.sleep(0.3)
        return template_without_system(request) or Reply("Blue.")

    settings = {"ping_seconds": 0.05}
    with ScriptedServer(refuse_late) as server, behind(server, settings=settings) as running:
        response = post(running, stream=True, messages=TALK[:2])
        told = httpx.get(f"{running.url}/metrics", trust_env=False).text
    assert response.status_code == 200
    assert ": keep-alive" in response.text
    first = re.search(r"toolemu_first_output_seconds_sum\S* (\S+)", told)
    assert float(first[1]) > 0.5  # a ping is no output
    assert CHAT.add_up(events_of(response.text))["message"]["content"] == "Blue."
    assert len(server.requests) == 2


BREAKS = {
    "the connection": Reply(["Light ", "scatters."], breaks_after=1),
    "an error in the stream": Reply(["Light ", "x"], breaks_after=1, body={"error": {"message": "out of memory"}}),
}  # fmt: skip


@pytest.mark.parametrize("reply", BREAKS.values(), ids=BREAKS)
def test_a_stream_that_breaks_off_is_not_complete(reply):
    """Its words are there, then an error, and no finish reason; the log of a gateway counts it as failed."""
    with ScriptedServer(lambda _: reply) as server, behind(server) as running:
        response = post(running, stream=True)
        told = httpx.get(f"{running.url}/metrics", trust_env=False).text
    data = [json.loads(line[6:]) for line in response.text.split("\n") if line.startswith("data: {")]  # fmt: skip
    assert data[0]["created"] == 0
    assert "Light " in response.text
    assert "error" in data[-1]
    assert not any(choice["finish_reason"] for one in data[:-1] for choice in one["choices"])
    assert 'toolemu_failed_turns_total{model="scripted"} 1' in told
    assert len(server.requests) == 1


def test_a_clients_key_is_forwarded():
    """Where keys are forwarded, the upstream gets the client's own."""
    with (
        ScriptedServer(lambda _: "Hi.") as server,
        behind(server, settings={"forward_key": True}) as running,
    ):
        response = httpx.post(
            f"{running.v1}/chat/completions",
            json=ASK,
            headers={"authorization": "Bearer sk-own"},
            trust_env=False,
        )
        assert went_straight(response)
        assert post(running).status_code == 401
