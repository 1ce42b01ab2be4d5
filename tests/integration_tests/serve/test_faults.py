"""The faults of docs/internals/reliability.md through the gateway: the right answer, or the protocol's own error with its status."""

import itertools
import json
import time

import httpx
import openai
import pytest

from langchain_toolemu import ChatToolEmu
from langchain_toolemu.chat_models.forwarding_chat_openai import ReplyStream
from langchain_toolemu.options import in_own_options
from tests.benchmarks.soak.faults import FAULTS, endless
from tests.gateway import gateway
from tests.integration_tests.serve.conftest import MODELS, in_modes, upstream_model
from tests.integration_tests.serve.wires import CHAT, MESSAGES, OLLAMA, WIRES, error_of, events_of
from tests.scripted_ollama import ScriptedOllama
from tests.scripted_server import Reply, ScriptedServer, slowly
from tests.tables import every_row
from tests.thoroughness import share

STATUSES = {
    "connection refused": 502,
    "reset before the reply": 502,
    "reset amid words": 502,
    "reset amid a call": 502,
    "stall, and a timeout": 504,
    "429": 429,
    "a body that is no JSON": 502,
    "an empty body": 502,
}
TOOL = {
    "type": "function",
    "function": {
        "name": "write_file",
        "parameters": {
            "type": "object",
            "properties": {"path": {"type": "string"}, "content": {"type": "string"}},
            "required": ["path", "content"],
        },
    },
}
ASK = {"model": "m", "messages": [{"role": "user", "content": "Write a."}], "tools": [TOOL]}
LARGE = (" MB", "million")


def served(upstream, **settings):
    return {"m": ChatToolEmu(llm=upstream_model(upstream, **settings), mode="force")}


def marked(fault):
    marks = [pytest.mark.more("time: megabytes")] if any(one in fault.name for one in LARGE) else []
    return pytest.param(fault, id=fault.name, marks=marks)


@pytest.mark.in_turn
@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize("fault", [marked(fault) for fault in FAULTS])
def test_a_fault_gives_the_right_answer_or_an_error(fault, stream):
    """Never half a call, never a swallowed error, never a hang."""
    with ScriptedServer(fault.script()) as upstream:
        with (
            gateway(served(upstream, **fault.settings)) as server,
            openai.OpenAI(base_url=server.v1, api_key="x", max_retries=0, timeout=60) as client,
        ):
            if fault.says is None:
                assert refused(client, stream) in (STATUSES[fault.name], None)
            else:
                content, calls = answered(client, stream)
                assert (content or "") == fault.says
                assert [one["content"] for one in calls] == (
                    [] if fault.calls is None else [fault.calls]
                )
        upstream.errors.clear()


def refused(client, stream):
    """The status of the error; none for an error event, which comes after status 200."""
    with pytest.raises(openai.APIError) as caught:
        answered(client, stream)
    return getattr(caught.value, "status_code", None)


def answered(client, stream):
    if not stream:
        message = client.chat.completions.create(**ASK).choices[0].message
        calls = [one.function.arguments for one in message.tool_calls or ()]
        return message.content, [json.loads(one) for one in calls]
    content, calls = "", {}
    for chunk in client.chat.completions.create(**ASK, stream=True):
        delta = chunk.choices[0].delta
        content += delta.content or ""
        for piece in delta.tool_calls or ():
            calls[piece.index] = calls.get(piece.index, "") + piece.function.arguments
    return content, [json.loads(one) for one in calls.values()]


@pytest.mark.parametrize("wire", WIRES.values(), ids=WIRES)
def test_an_error_after_the_first_byte_is_an_event(wire):
    """Words, then the protocol's own error, then the end of the stream."""
    broken = {"error": {"message": "the GPU fell off the bus", "code": 500}}
    words = "The sky is blue, and has been so for a long while now. " * 5
    reply = Reply(
        [words[at : at + 9] for at in range(0, len(words), 9)], breaks_after=28, body=broken
    )
    with ScriptedServer(lambda _: reply) as upstream, gateway(served(upstream)) as server:
        response = httpx.post(
            server.url + wire.path, json={**wire.ask, "stream": True}, trust_env=False
        )
    assert response.status_code == 200
    events = events_of(response.text)
    assert "blue" in response.text
    (error,) = [
        error_of(data) for _, data in events if isinstance(data, dict) and data.get("error")
    ]
    assert error["message"] == "the GPU fell off the bus"
    last = {"chat": "[DONE]", "messages": "error", "responses": "response.failed"}
    name, data = events[-1]
    if wire is OLLAMA:
        assert data == {"error": "the GPU fell off the bus"}
        return
    assert (name or data) == last[{id(one): key for key, one in WIRES.items()}[id(wire)]]


@pytest.mark.parametrize("wire", WIRES.values(), ids=WIRES)
def test_an_upstream_that_breaks_off_was_reached(wire):
    """The error says that it broke off, since whoever reads that it cannot be reached looks in the wrong place."""
    words = "The sky is blue, and has been so for a long while now. " * 5
    reply = Reply([words[at : at + 9] for at in range(0, len(words), 9)], breaks_after=28)
    with ScriptedServer(lambda _: reply) as upstream, gateway(served(upstream)) as server:
        asked = {**wire.ask, "stream": True}
        response = httpx.post(server.url + wire.path, json=asked, trust_env=False)
    assert "blue" in response.text
    assert " broke off " in response.text
    assert "cannot be reached" not in response.text


CALL_PIECE = {"index": 0, "id": "1", "function": {"name": "add", "arguments": '{"a": 1, "b": 2}'}}
DELTAS = {
    "words": {"content": "The sky is"},
    "a native call": {"tool_calls": [CALL_PIECE]},
    "a call as text": {"content": '{"name": "add", "arguments": {"a": 1, "b": 2}}'},
}
# What comes after the words or the call, and whether that is an end.
ENDS = {
    "nothing": (None, "", False),
    "the last event": (None, "data: [DONE]\n\n", True),
    "the last event, without a space": (None, "data:[DONE]\r\n\r\n", True),
    "a finish reason": ("stop", "", True),
    "both": ("stop", "data: [DONE]\n\n", True),
}


def ending_stream(delta, finish, end):
    """A stream of one chunk, closed in order."""
    choice = {"index": 0, "delta": {"role": "assistant", **delta}, "finish_reason": finish}
    chunk = {"id": "1", "object": "chat.completion.chunk", "model": "m", "choices": [choice]}
    return Reply(body=f"data: {json.dumps(chunk)}\n\n{end}")


@pytest.mark.parametrize("wire", WIRES.values(), ids=WIRES)
def test_a_stream_that_breaks_off_is_no_answer(wire):
    """In every mode, for words and calls alike: nothing says that the answer is complete unless the upstream said so."""
    rows = list(itertools.product(("off", "fallback", "force"), DELTAS, ENDS))
    with (
        ScriptedServer() as upstream,
        gateway(in_modes(upstream_model(upstream))) as server,
        httpx.Client(trust_env=False, verify=False) as client,
    ):
        for mode, delta, end in share(rows, list(WIRES.values()).index(wire), 4):
            *told, is_end = ENDS[end]
            reply = ending_stream(DELTAS[delta], *told)
            upstream.play(lambda _, reply=reply: reply)
            ask = {**wire.ask, "stream": True, "model": MODELS[mode]}
            said = client.post(server.url + wire.path, json=ask).text
            complete = ('"finish_reason":"', '"stop_reason":"', "response.completed", '"done":true')
            assert any(word in said for word in complete) is is_end, (mode, delta, end)
            assert ("finish reason" in said) is not is_end, (mode, delta, end)


class Bytes:
    """A response whose body arrives in these pieces."""

    request, headers = None, {}

    def __init__(self, pieces):
        self.pieces = pieces

    async def aiter_raw(self):
        for piece in self.pieces:
            yield piece

    async def aclose(self):
        pass


async def chunks_of(*pieces):
    async with ReplyStream(Bytes(pieces)) as reply:
        return [chunk async for chunk in reply]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
async def test_events_are_read_however_they_are_cut(end):
    """Whatever ends a line; the characters of the last event in a text do not end a stream."""
    said = {"a": "data: [DONE]", "b": "\u2028"}
    lines = [": ping", f"data:{json.dumps(said)}", "", "event: x", 'data: {"c":', "data: 1}", ""]
    body = end.join([*lines, "data: [DONE]"]).encode()
    for at in range(len(body)):
        *chunks, last = await chunks_of(body[:at], body[at:])
        assert chunks == [said, {"c": 1}]
        assert last["choices"][0]["finish_reason"] == "stop"
    whole = [body[at : at + 1] for at in range(len(body))]
    assert len(await chunks_of(*whole)) == 3
    assert await chunks_of(body[: -len("[DONE]")] + b" {}") == [said, {"c": 1}, {}]


OLLAMA_ENDS = {
    "a reason": ({"done": True, "done_reason": "stop"}, True),
    "an old server": ({"done": True}, True),
    "broken off": ({"done": False}, False),
}


@pytest.mark.parametrize(("last", "is_end"), OLLAMA_ENDS.values(), ids=OLLAMA_ENDS)
def test_a_stream_of_ollama_ends_with_its_own_word(last, is_end):
    """Older servers give no reason, and still say that they are done."""
    piece = {"model": "m", "message": {"role": "assistant", "content": ""}, **last}
    reply = Reply("Oh", breaks_after=1, body=piece)
    with (
        ScriptedOllama(lambda _: reply) as upstream,
        gateway({"m": ChatToolEmu(llm=upstream.chat_model(), mode="force")}) as server,
    ):
        ask = {**CHAT.ask, "stream": True}
        said = httpx.post(server.url + CHAT.path, json=ask, trust_env=False).text
    assert ('"finish_reason":"stop"' in said) is is_end
    assert ("finish reason" in said) is not is_end


UPSTREAM_ERRORS = [
    (401, {"error": {"message": "bad key", "code": "invalid_api_key"}}, "bad key", "authentication_error"),
    (404, {"error": {"message": "no such model"}}, "no such model", "not_found_error"),
    (413, {"error": {"message": "too long"}}, "too long", "request_too_large"),
    (422, {"detail": [{"loc": ["body", "top_k"], "msg": "Extra inputs are not permitted", "input": "SECRET PROMPT TEXT"}]}, "body.top_k: Extra inputs are not permitted", "invalid_request_error"),
    (503, {"error": "model is loading"}, "model is loading", "api_error"),
    (529, {"error": {"message": "overloaded"}}, "overloaded", "overloaded_error"),
]  # fmt: skip


@pytest.mark.parametrize(("status", "body", "words", "kind"), UPSTREAM_ERRORS)
def test_an_upstreams_error_keeps_status_and_words(status, body, words, kind):
    """In both vendors' forms: what the upstream said, without what it was asked."""
    script = lambda _: Reply(status=status, body=body, headers={"Retry-After": "7"})  # noqa: E731
    with ScriptedServer(script) as upstream, gateway(served(upstream)) as server:
        for wire in (CHAT, MESSAGES):
            response = httpx.post(server.url + wire.path, json=wire.ask, trust_env=False)
            assert response.status_code == status
            assert response.headers["retry-after"] == "7"
            assert response.json()["error"]["message"] == words
    assert response.json()["error"]["type"] == kind


KEYS_SAID = [
    ("Incorrect API key provided: sk-proj-abcDEF123456. See your account.", "Incorrect API key provided: …. See your account."),
    ("Incorrect API key provided: ab3*********9xyz.", "Incorrect API key provided: …."),
    ("The key operators-own-words is not valid", "The key … is not valid"),
    ("Refused: Bearer abcd1234", "Refused: Bearer …"),
    ("The model asks for a task-specific key", "The model asks for a task-specific key"),
]  # fmt: skip


@pytest.mark.in_turn
@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize(("said", "told"), KEYS_SAID)
def test_no_key_is_in_an_error(said, told, stream):
    """A server may repeat the key that it refuses, which is the operator's: the rest of its words is kept."""
    script = lambda _: Reply(status=401, body={"error": {"message": said}})  # noqa: E731
    with (
        ScriptedServer(script) as upstream,
        gateway(served(upstream, api_key="operators-own-words")) as server,
    ):
        ask = {**CHAT.ask, "stream": stream}
        response = httpx.post(server.url + CHAT.path, json=ask, trust_env=False)
    assert response.status_code == 401
    assert response.json()["error"]["message"] == told


def test_a_demanded_call_that_never_came_is_an_error():
    """502, and no client is told to try the same again."""
    ask = {**ASK, "tool_choice": "required"}
    with (
        ScriptedServer(lambda _: "I would rather not.") as upstream,
        gateway(served(upstream)) as server,
    ):
        response = httpx.post(server.url + CHAT.path, json=ask, trust_env=False)
    assert response.status_code == 502
    error = response.json()["error"]
    assert error["code"] == "tool_call_missing"
    assert 'pass on_failure = "continue" to get the reply as it is' in error["message"]
    assert response.headers["x-should-retry"] == "false"


OWN_OPTIONS = {
    "Use mode='off', or max_reasks=0.": 'Use mode = "off", or max_reasks = 0.',
    "Pass model_size=7 (billions).": "Pass model_size = 7 (billions).",
    "The path a=b and raise max_tokens=5 stay.": "The path a=b and raise max_tokens=5 stay.",
}


@every_row(("said", "told"), OWN_OPTIONS.items())
def test_messages_speak_of_the_gateways_own_options(said, told):
    """As its file has them."""
    assert in_own_options(said) == told


# --- clients that go away ---


@pytest.mark.in_turn
@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize("wire", WIRES.values(), ids=WIRES)
def test_a_client_that_goes_away_closes_the_upstream(wire, stream):
    """The upstream's stream is closed at once, and nothing is left under way."""
    replies = {True: Reply(endless()), False: Reply(slowly(["word "] * 1000, 0.02))}
    with (
        ScriptedServer(lambda request: replies[bool(request.get("stream"))]) as upstream,
        gateway(served(upstream)) as server,
    ):
        leave(server, wire, stream)
        assert comes_true(lambda: server.app.state.gateway.gate.under_way == 0)
        assert not stream or comes_true(lambda: upstream.disconnects == 1)


def leave(server, wire, stream):
    """Ask, and hang up after the first words, or while nothing has come yet."""
    body = {**wire.ask, "stream": stream}
    with httpx.Client(trust_env=False, timeout=20) as client:
        if not stream:
            with pytest.raises(httpx.ReadTimeout):
                client.post(server.url + wire.path, json=body, timeout=0.5)
            return
        with client.stream("POST", server.url + wire.path, json=body) as response:
            next(response.iter_bytes())


def comes_true(holds):
    """Whether it holds within ten seconds."""
    for _ in range(1000):
        if holds():
            return True
        time.sleep(0.01)
    return False
