"""The websocket of Responses: with OpenAI's client, and with frames of every kind on a bare socket."""

import asyncio
import base64
import hashlib
import json
import logging
import os
import signal
import socket
import struct
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from random import Random

import httpx
import openai
import pytest
import websockets.sync.client
from openai.lib.responses_websocket import (
    AsyncResponsesWebSocketSession,
    ResponsesWebSocketError,
    ResponsesWebSocketLimits,
    ResponsesWebSocketSession,
)
from websockets.exceptions import ConnectionClosed

from langchain_toolemu.serve import create_app
from langchain_toolemu.serve.openai_responses import websocket
from tests.gateway import gateway, running
from tests.integration_tests.serve.conftest import upstream_model
from tests.integration_tests.serve.test_command import at, command
from tests.integration_tests.serve.test_faults import comes_true, endless, served
from tests.integration_tests.serve.wires import RESPONSES, events_of
from tests.scripted_server import Reply, ScriptedServer, slowly
from tests.spoken_model import SpokenModel
from tests.tables import every_row
from tests.thoroughness import examples

CREATE = {"type": "response.create", "model": "m", "input": "Hi.", "store": False}
ASKED = {**CREATE, **{name: RESPONSES.ask[name] for name in ("input", "tools")}}
LIMITS = ResponsesWebSocketLimits(8, 10_000, 10_000, 10**8, 10**8)


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


@pytest.fixture
def connection(text_only):
    with client_of(text_only.gateway).responses.connect() as connected:
        yield connected


def client_of(server, **more):
    return openai.OpenAI(base_url=server.v1, api_key="none", **more)


def answer(connection, **request):
    """Send a request, and read events up to the last one."""
    connection.send({**CREATE, **request})
    events = [connection.recv()]
    while events[-1].type not in ("response.completed", "response.failed", "error"):
        events.append(connection.recv())
    return events


# --- OpenAI's client ---


def test_the_events_are_those_of_a_stream(text_only, connection):
    """Each in a frame, in the same order, with the same fields."""
    kinds = [event.type for event in answer(connection, **ASKED)]
    body = {**{name: ASKED[name] for name in ASKED if name != "type"}, "stream": True}
    streamed = httpx.post(f"{text_only.gateway.v1}/responses", json=body, trust_env=False).text
    assert kinds == [kind for kind, _ in events_of(streamed)]
    assert kinds[-1] == "response.completed"


def test_a_response_that_is_not_stored_is_known_on_its_connection(text_only, connection):
    """A call and its result, each request with what is new only; nobody else knows the response."""
    first = answer(connection, **ASKED)[-1].response
    (call,) = first.output
    result = {
        "type": "function_call_output",
        "call_id": call.call_id,
        "output": "sunny, 21 degrees",
    }
    asked = {"tools": ASKED["tools"], "previous_response_id": first.id, "input": [result]}
    assert "21" in answer(connection, **asked)[-1].response.output_text
    with client_of(text_only.gateway).responses.connect() as other:
        error = answer(other, **asked)[-1]
    assert (error.status, error.error.code) == (400, "previous_response_not_found")
    with pytest.raises(openai.NotFoundError):
        client_of(text_only.gateway).responses.retrieve(first.id)


def test_what_a_connection_knows_ends_with_it(text_only):
    """Nothing of it is kept, and the answer was not to be stored."""
    with client_of(text_only.gateway).responses.connect() as connection:
        answer(connection)
    assert comes_true(lambda: text_only.gateway.app.state.gateway.socket_items._count == 0)


def test_a_stored_response_is_known_to_all(text_only, connection):
    """As over HTTP."""
    first = answer(connection, store=True)[-1].response
    client = client_of(text_only.gateway)
    assert client.responses.retrieve(first.id).output_text == first.output_text
    assert client.responses.create(model="m", input="Again.", previous_response_id=first.id).output


def test_a_warm_up_asks_no_model(text_only, connection):
    """`generate: false` gives an id, and what was sent with it belongs to the next request."""
    warm = answer(connection, input="Remember the word blue.", generate=False)[-1].response
    assert (warm.output, text_only.upstream.requests) == ([], [])
    answer(connection, input="Which?", previous_response_id=warm.id)
    (request,) = text_only.upstream.requests
    assert [said["content"] for said in request["messages"]] == [
        "Remember the word blue.",
        "Which?",
    ]
    empty = answer(connection, input=[], generate=False)[-1].response
    assert answer(connection, input="Hi.", previous_response_id=empty.id)[-1].response.output


async def test_lanes_run_side_by_side():
    """Two answers come at the same time, each with its lane's name; in a lane one comes after the other."""
    script = [Reply(slowly(["a "] * 20, 0.05)), Reply(slowly(["b "] * 20, 0.05)), "c"]
    with ScriptedServer(script) as upstream, gateway(upstream_model(upstream)) as server:
        client = openai.AsyncOpenAI(base_url=server.v1, api_key="none")
        async with client.responses.connect() as connection:
            for lane in ("one", "two.-_"):
                await connection.send({**CREATE, "stream_id": lane})
                await asyncio.sleep(0.1)
            await connection.send({**CREATE, "stream_id": "one"})
            events = []
            while sum(event.type == "response.completed" for event in events) < 3:
                events.append(await connection.recv())
    ends = [event for event in events if event.type == "response.completed"]
    said = {(end.stream_id, end.response.output_text[0]) for end in ends}
    assert said == {("one", "a"), ("two.-_", "b"), ("one", "c")}
    begun = [event.stream_id for event in events if event.type == "response.created"]
    assert begun == ["one", "two.-_", "one"]
    lanes = [event.stream_id for event in events if event.type == "response.output_text.delta"]
    assert lanes != sorted(lanes)


async def test_openais_session_collects_each_lane(text_only):
    """Its own helper reads what is sent, lane by lane."""
    client = openai.AsyncOpenAI(base_url=text_only.gateway.v1, api_key="none")
    async with (
        client.responses.connect() as connection,
        AsyncResponsesWebSocketSession(connection, limits=LIMITS) as session,
    ):
        lanes = [session.lane(name) for name in ("a", "b", "c")]
        for lane in lanes:
            await lane.send(ASKED)
        responses = await asyncio.gather(*(lane.get_final_response() for lane in lanes))
    assert [response.output[0].name for response in responses] == ["get_weather"] * 3


def test_more_requests_than_are_read_at_once_are_all_answered(connection):
    """One after the other: the rest waits in the socket."""
    for number in range(40):
        connection.send({**CREATE, "input": f"Number {number}."})
    ends = []
    while len(ends) < 40:
        if (event := connection.recv()).type == "response.completed":
            ends.append(event.response.id)
    assert len({*ends}) == 40


def test_a_response_that_fails_ends_once():
    """An upstream that breaks off: the next request on the connection gets its own answer."""
    broken = Reply(["one ", "two"], breaks_after=1)
    script = [broken, "Well.", broken]
    with (
        ScriptedServer(script) as upstream,
        gateway(upstream_model(upstream)) as server,
        client_of(server).responses.connect() as connection,
        ResponsesWebSocketSession(connection, limits=LIMITS) as session,
    ):
        lane = session.lane("a")
        for status in ("failed", "completed", "failed"):
            lane.send(CREATE)
            response = lane.get_final_response(timeout=20)
            assert response.status == status
        assert response.error.code == "server_error"


def test_an_upstream_that_refuses_is_an_error_with_its_status():
    """So that clients can tell what to do, as over HTTP; the connection goes on."""
    limit = Reply(
        status=429, body={"error": {"message": "Slow down."}}, headers={"retry-after": "7"}
    )
    with (
        ScriptedServer([limit, "Well."]) as upstream,
        gateway(upstream_model(upstream)) as server,
        client_of(server).responses.connect() as connection,
        ResponsesWebSocketSession(connection, limits=LIMITS) as session,
    ):
        session.default.send(CREATE)
        with pytest.raises(ResponsesWebSocketError) as caught:
            session.default.get_final_response(timeout=20)
        event = caught.value.event
        assert (event.status, event.error.message, event.headers["retry-after"]) == (429, "Slow down.", "7")  # fmt: skip
        session.default.send(CREATE)
        assert session.default.get_final_response(timeout=20).output_text == "Well."


def test_a_client_that_goes_away_closes_the_upstream():
    """All its turns end, those that wait, too."""
    with (
        ScriptedServer(lambda _: Reply(endless())) as upstream,
        gateway(served(upstream)) as server,
    ):
        # The client waits so long for the end of what still streams.
        options = {"close_timeout": 0.2}
        with client_of(server).responses.connect(
            websocket_connection_options=options
        ) as connection:
            for lane in ("a", "b", "a"):
                connection.send({**CREATE, "stream_id": lane})
            while connection.recv().type != "response.output_text.delta":
                pass
        assert comes_true(lambda: server.app.state.gateway.gate.under_way == 0)
        assert comes_true(lambda: upstream.disconnects == 2)
        assert len(upstream.requests) == 2
        figures = httpx.get(f"{server.url}/metrics", trust_env=False).text
        assert 'endpoint="/responses",stream="true",status="disconnected"} 2' in figures


def left_in(connection):
    """What comes until the connection is closed."""
    messages = []
    with suppress(websockets.exceptions.ConnectionClosed):
        messages += iter(connection.recv, None)
    return messages


def test_a_server_that_stops_lets_a_turn_end():
    """And closes its sockets with 1012, those without a turn at once."""
    script = [Reply(slowly(["word "] * 30, 0.05))]
    with ScriptedServer(script) as upstream, command(*at(upstream)) as (process, url, _):
        address = url.replace("http", "ws") + "/v1/responses"
        with websockets.sync.client.connect(address, proxy=None) as idle, websockets.sync.client.connect(address, proxy=None) as busy:  # fmt: skip
            busy.send(json.dumps(CREATE))
            while "output_text.delta" not in busy.recv(20):
                pass
            process.send_signal(signal.SIGTERM)
            (last,), () = (left_in(one)[-1:] for one in (busy, idle))
        assert process.wait(20) == 0
    assert json.loads(last)["response"]["output"][0]["content"][0]["text"].count("word ") == 30
    for closed in (idle, busy):
        assert closed.protocol.close_rcvd.code == 1012


# --- requests that are wrong: an error, and the connection goes on ---

WRONG = [
    ("no JSON", "invalid_json", None),
    ("", "invalid_json", None),
    (b"\xff\xfe", "invalid_json", None),
    ("[]", "invalid_json", None),
    ("[" * 100_000, "invalid_json", None),
    ({}, "invalid_value", "type"),
    ({**CREATE, "type": 5}, "invalid_value", "type"),
    ({**CREATE, "type": ["response.create"]}, "invalid_value", "type"),
    ({**CREATE, "type": "response.steer"}, "invalid_value", "type"),
    ({**CREATE, "stream_id": ""}, "invalid_stream_id", "stream_id"),
    ({**CREATE, "stream_id": "a b"}, "invalid_stream_id", "stream_id"),
    ({**CREATE, "stream_id": 'a"'}, "invalid_stream_id", "stream_id"),
    ({**CREATE, "stream_id": "ü"}, "invalid_stream_id", "stream_id"),
    ({**CREATE, "stream_id": "a\n"}, "invalid_stream_id", "stream_id"),
    ({**CREATE, "stream_id": "a" * 257}, "invalid_stream_id", "stream_id"),
    ({**CREATE, "stream_id": 5}, "invalid_stream_id", "stream_id"),
    ({**CREATE, "model": None}, "invalid_value", "model"),
    ({**CREATE, "input": []}, "invalid_value", "input"),
    ({**CREATE, "input": 5}, "invalid_value", "input"),
    ({**CREATE, "generate": "no"}, "invalid_value", "generate"),
    ({**CREATE, "background": True}, "unsupported_parameter", "background"),
    ({**CREATE, "previous_response_id": "resp_0"}, "previous_response_not_found", "previous_response_id"),
    ({**CREATE, "tools": [{"type": "function"}]}, "invalid_value", "tools[0].name"),
]  # fmt: skip


@every_row(("frame", "code", "param"), WRONG)
def test_a_wrong_request_is_told_what_is_wrong(frame, code, param, text_only):
    """With its status; a right one after it is answered."""
    client = client_of(text_only.gateway)
    with client.responses.connect() as connection:
        connection.send_raw(frame if isinstance(frame, str | bytes) else json.dumps(frame))
        event = connection.recv()
        assert (event.type, event.status, event.error.code, event.error.param) == ("error", 400, code, param)  # fmt: skip
        assert answer(connection)[-1].type == "response.completed"


def test_a_notice_is_not_answered(connection):
    """Codex tells which responses it has processed."""
    connection.send_raw(json.dumps({"type": "response.processed", "response_id": "resp_0"}))
    assert answer(connection)[0].type == "response.created"


def test_a_request_in_bytes_is_one(connection):
    """What a frame holds is JSON, whatever it is called."""
    connection.send_raw(json.dumps(CREATE).encode())
    assert answer(connection)[0].type == "response.created"


def test_one_turn_too_many_is_told():
    """The limit of turns holds for sockets, too."""
    script = lambda _: Reply(slowly(["a "] * 10, 0.05))  # noqa: E731
    with (
        ScriptedServer(script) as upstream,
        gateway(upstream_model(upstream), max_concurrency=1) as server,
        client_of(server).responses.connect() as connection,
    ):
        for lane in ("a", "b"):
            connection.send({**CREATE, "stream_id": lane})
        events = [connection.recv()]
        while events[-1].type != "response.completed":
            events.append(connection.recv())
    (error,) = (event for event in events if event.type == "error")
    assert (error.status, error.stream_id, error.error.code) == (429, "b", "too_many_turns")


def test_a_socket_that_is_idle_is_closed(monkeypatch):
    """Without a frame and without a turn; what clients do then is reconnect."""
    monkeypatch.setattr(websocket, "_IDLE_SECONDS", 0.2)
    script = [Reply(slowly(["a "] * 10, 0.1))]
    with (
        ScriptedServer(script) as upstream,
        gateway(upstream_model(upstream)) as server,
        client_of(server).responses.connect() as connection,
    ):
        assert answer(connection)[-1].type == "response.completed"  # a second later
        with pytest.raises(ConnectionClosed) as closed:
            connection.recv()
        assert closed.value.rcvd.code == 1001
        assert comes_true(lambda: server.app.state.gateway.open_sockets.under_way == 0)


def test_one_socket_too_many_is_refused():
    """With the status of a turn too many, until another socket is closed; requests over HTTP are served."""
    with gateway(SpokenModel(pieces=["Hi."]), max_concurrency=2) as server:
        (first, *_), (second, *_) = shake_hands(server), shake_hands(server)
        third, status, headers, said = shake_hands(server)
        assert (status, headers["retry-after"]) == (429, "1")
        assert "2 concurrent websockets" in json.loads(said)["error"]["message"]
        assert client_of(server).responses.create(model="m", input="Hi.").output_text == "Hi."
        first.close()
        assert comes_true(lambda: server.app.state.gateway.open_sockets.under_way == 1)
        fourth, status, *_ = shake_hands(server)
        assert status == 101
        for bare in (second, third, fourth):
            bare.close()


def test_a_server_with_a_larger_limit_is_none_of_ours():
    """The app itself keeps to its limit."""
    app = create_app(SpokenModel(pieces=["Hi."]), max_body_bytes=1000)
    with running(app) as server, client_of(server).responses.connect() as connection:
        event = answer(connection, input="x" * 1000)[-1]
        assert (event.status, event.error.code) == (413, "too_large")
        assert answer(connection)[-1].type == "response.completed"


# --- the handshake ---

KEY = base64.b64encode(b"0123456789abcdef").decode()
ACCEPT = base64.b64encode(hashlib.sha1(f"{KEY}258EAFA5-E914-47DA-95CA-C5AB0DC85B11".encode()).digest()).decode()  # fmt: skip
UPGRADE = {
    "host": "127.0.0.1", "upgrade": "websocket", "connection": "Upgrade", "sec-websocket-key": KEY, "sec-websocket-version": "13",
    "authorization": "Bearer secret",
}  # fmt: skip


@pytest.fixture(scope="module")
def spoken():
    model = SpokenModel(pieces=["Hi."])
    with gateway(model, api_keys=("secret",), max_body_bytes=10_000) as server:
        yield server


def shake_hands(server, *, path="/v1/responses", method="GET", body=b"", **changed):
    """Send a handshake; returns the bare socket, and the response's status, headers and body."""
    given = {**UPGRADE, **{name.replace("_", "-"): value for name, value in changed.items()}}
    lines = [f"{name}: {value}" for name, value in given.items() if value is not None]
    bare = socket.create_connection(("127.0.0.1", httpx.URL(server.url).port), 10)
    bare.sendall("\r\n".join([f"{method} {path} HTTP/1.1", *lines, "", ""]).encode() + body)
    raw = b""
    while b"\r\n\r\n" not in raw:
        raw += bare.recv(1)
    first, *rest = raw.decode().strip().split("\r\n")
    headers = {name.lower(): value for name, value in (line.split(": ", 1) for line in rest)}
    said = bare.recv(int(headers.get("content-length", 0))) if first.split()[1] != "101" else b""
    return bare, int(first.split()[1]), headers, said


HANDSHAKES = [
    (101, {}),
    (101, {"path": "/responses"}),
    (101, {"path": "/openai/v1/responses?api-version=1"}),
    (101, {"connection": "keep-alive, Upgrade"}),
    (101, {"upgrade": "WebSocket"}),
    (101, {"host": "localhost:8787", "origin": "http://localhost:8787"}),
    (101, {"sec_websocket_protocol": "openai-responses"}),
    (101, {"sec_websocket_extensions": "permessage-deflate; client_max_window_bits"}),
    (401, {"authorization": None}),
    (401, {"authorization": "Bearer wrong"}),
    (403, {"host": "evil.com"}),
    (403, {"host": "[127.0.0.1]evil.com"}),
    (403, {"origin": "https://evil.com"}),
    (403, {"origin": "null"}),
    (426, {"path": "/v1/realtime"}),
    (426, {"path": "/v1/chat/completions"}),
    (426, {"sec_websocket_version": "8"}),
    (400, {"sec_websocket_key": None}),
    (400, {"sec_websocket_key": "short"}),
    (426, {"sec_websocket_version": None}),
    (405, {"upgrade": None}),
    (426, {"connection": "keep-alive"}),
    (404, {"upgrade": "h2c", "path": "/v2"}),
    (200, {"method": "POST", "content_type": "application/json", "content_length": "26", "body": b'{"model":"m","input":"Hi"}'}),
    (415, {"method": "POST", "content_length": "2", "body": b"{}"}),
]  # fmt: skip


@every_row(("status", "changed"), HANDSHAKES)
def test_a_handshake_has_its_status(status, changed, spoken):
    """Who may not use the server is refused before there is a socket; other methods are answered as ever."""
    bare, found, headers, said = shake_hands(spoken, **changed)
    bare.close()
    assert found == status
    if status == 101:
        assert headers["sec-websocket-accept"] == ACCEPT
        assert not {"sec-websocket-extensions", "sec-websocket-protocol"} & headers.keys()
    if status in (101, 401, 403):
        assert headers["x-request-id"].startswith("req_")
    if status in (401, 403):
        assert json.loads(said)["error"]["message"]
    if status == 426:
        assert headers["sec-websocket-version"] == "13"
        assert "over HTTP" in json.loads(said)["error"]["message"]


# --- frames, as RFC 6455 has them ---

TEXT, BYTES, CLOSE, PING, PONG = 1, 2, 8, 9, 10
REQUEST = json.dumps(CREATE).encode()


def frame(content=b"", opcode=TEXT, *, fin=True, masked=True, reserved=0, size=None):
    """A frame; `size` is what it claims to have."""
    length = len(content) if size is None else size
    short = length if length < 126 else 126 if length < 65536 else 127
    head = bytes([fin << 7 | reserved << 4 | opcode, masked << 7 | short])
    head += struct.pack(">H", length) if short == 126 else b""
    head += struct.pack(">Q", length) if short == 127 else b""
    mask = os.urandom(4) if masked else b""
    return head + mask + (bytes(byte ^ mask[at % 4] for at, byte in enumerate(content)) if masked else content)  # fmt: skip


def next_frame(bare):
    """The opcode and the content of the next frame; opcode 0 if the connection ends."""
    head = bare.recv(2)
    if len(head) < 2:
        return 0, b""
    assert head[1] < 128  # a server masks nothing
    size = head[1]
    if size == 126:
        (size,) = struct.unpack(">H", bare.recv(2))
    content = b""
    while len(content) < size:
        content += bare.recv(size - len(content))
    return head[0] & 15, content


def ended(code):
    return CLOSE, struct.pack(">H", code)


BROKEN = {
    "not masked": (1002, [frame(REQUEST, masked=False)]),
    "a reserved bit": (1002, [frame(REQUEST, reserved=4)]),
    "another reserved bit": (1002, [frame(REQUEST, reserved=1)]),
    "an opcode for data that does not exist": (1002, [frame(REQUEST, 3)]),
    "an opcode for control that does not exist": (1002, [frame(b"", 11)]),
    "a continuation of nothing": (1002, [frame(REQUEST, 0)]),
    "a message within a message": (1002, [frame(REQUEST[:9], fin=False), frame(REQUEST)]),
    "a ping in pieces": (1002, [frame(b"a", PING, fin=False)]),
    "a long ping": (1002, [frame(b"a" * 126, PING)]),
    "a long close": (1002, [frame(b"\x03\xe8" + b"a" * 124, CLOSE)]),
    "a close of one byte": (1002, [frame(b"\x03", CLOSE)]),
    "a close with a code that is none": (1002, [frame(struct.pack(">H", 999), CLOSE)]),
    "a close with a code for nobody": (1002, [frame(struct.pack(">H", 1005), CLOSE)]),
    "a close that is no UTF-8": (1007, [frame(b"\x03\xe8\xff\xff", CLOSE)]),
    "a text that is no UTF-8": (1007, [frame(b"\xff\xfe")]),
    "half a character": (1007, [frame("ü".encode()[:1])]),
    "half a character in a later piece": (1007, [frame(b"a", fin=False), frame(b"\xc3", 0)]),
    "a surrogate": (1007, [frame(b"\xed\xa0\x80")]),
    "too long": (1009, [frame(b"a" * 10_001)]),
    "said to be too long": (1009, [frame(b"", size=2**40)]),
    "said to be longer than can be": (1009, [frame(b"", size=2**63)]),
    "too long in pieces": (1009, [frame(b"a" * 6000, fin=False), frame(b"a" * 6000, 0)]),
    "bytes that are too long": (1009, [frame(b"a" * 10_001, BYTES)]),
    "plain HTTP": (1002, [b"GET /v1/models HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n"]),
}


@every_row("case", BROKEN)
def test_a_broken_frame_closes_the_socket(case, spoken):
    """With the code that says why; the turns of other sockets go on."""
    code, frames = BROKEN[case]
    bare, *_ = shake_hands(spoken)
    with bare:
        bare.sendall(b"".join(frames))
        opcode, content = next_frame(bare)
        assert (opcode, struct.unpack(">H", content[:2])) == (CLOSE, (code,))
        assert bare.recv(1) == b""


RIGHT = {
    "one frame": [frame(REQUEST)],
    "bytes": [frame(REQUEST, BYTES)],
    "pieces": [frame(REQUEST[:9], fin=False), *(frame(bytes([one]), 0, fin=False) for one in REQUEST[9:]), frame(b"", 0)],
    "a character in two pieces": [frame(REQUEST[:-1] + ',"x":"ü"}'.encode()[:-3], fin=False), frame('ü"}'.encode()[1:], 0)],
    "a ping within a message": [frame(REQUEST[:9], fin=False), frame(b"here?", PING), frame(REQUEST[9:], 0)],
    "a pong that nobody asked for": [frame(b"here", PONG), frame(REQUEST)],
    "empty pieces": [frame(b"", fin=False), frame(REQUEST, 0, fin=False), frame(b"", 0)],
}  # fmt: skip


@pytest.mark.parametrize("at_once", [True, False], ids=["at once", "byte by byte"])
@every_row("case", RIGHT)
def test_a_message_may_come_in_pieces(case, at_once, spoken):
    """However it is cut; a ping is answered with what it holds, a close with its code."""
    bare, *_ = shake_hands(spoken)
    with bare:
        bare.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        content = b"".join(RIGHT[case])
        for piece in [content] if at_once else (bytes([one]) for one in content):
            bare.sendall(piece)
        pongs, kinds = [], []
        while "response.completed" not in kinds:
            opcode, said = next_frame(bare)
            assert opcode in (TEXT, PONG)
            if opcode == PONG:
                pongs.append(said)
            else:
                kinds.append(json.loads(said)["type"])
        assert pongs == ([b"here?"] if "ping" in case else [])
        bare.sendall(frame(struct.pack(">H", 3000) + b"bye", CLOSE))
        assert next_frame(bare) == (CLOSE, struct.pack(">H", 3000) + b"bye")
        assert bare.recv(1) == b""


def some_bytes(chance):
    """Frames, right and wrong, or anything else, whole or cut."""
    contents = (
        b"",
        REQUEST,
        REQUEST[:20],
        b"{}",
        b"[",
        b"\xff",
        "ü".encode()[:1],
        chance.randbytes(200),
        b"a" * 11_000,
    )
    made = b""
    for _ in range(chance.randrange(1, 6)):
        content, opcode = chance.choice(contents), chance.choice((0, 1, 1, 1, 2, 3, 8, 9, 10, 15))
        odd = {"size": chance.choice((None, None, None, 0, 125, 126, 65535, 2**62))}
        odd |= {
            "fin": chance.random() < 0.8,
            "masked": chance.random() < 0.95,
            "reserved": chance.choice((0, 0, 0, 0, 5)),
        }
        made += chance.randbytes(30) if chance.random() < 0.1 else frame(content, opcode, **odd)
    return made[: chance.randrange(len(made) + 1)] if chance.random() < 0.2 else made


def test_no_bytes_break_the_server(spoken, caplog):
    """Whatever is sent on a socket, it is answered or closed; nothing is left, and nothing is an error of the server's own."""

    def send(number):
        bare, *_ = shake_hands(spoken)
        with bare, suppress(ConnectionError, TimeoutError):
            bare.settimeout(0.3)
            bare.sendall(some_bytes(Random(number)))
            while (got := next_frame(bare))[0]:
                if got[0] == TEXT:
                    assert json.loads(got[1]).get("status", 0) < 500

    with caplog.at_level(logging.ERROR), ThreadPoolExecutor(8) as threads:
        list(threads.map(send, range(examples(600))))
    inner = spoken.app.state.gateway
    assert comes_true(lambda: (inner.gate.under_way, inner.socket_items._count) == (0, 0))
    assert [record.getMessage() for record in caplog.records] == []
    assert httpx.get(f"{spoken.url}/health", trust_env=False).status_code == 200


def test_a_connection_that_is_cut_leaves_nothing(spoken):
    """At any place of a handshake or a frame."""
    content = frame(REQUEST)

    def cut(at):
        bare, *_ = shake_hands(spoken)
        bare.sendall(content[:at])
        bare.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, at % 2 and 0))
        bare.close()

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(cut, range(len(content) + 1)))
    inner = spoken.app.state.gateway
    assert comes_true(lambda: (inner.gate.under_way, inner.socket_items._count) == (0, 0))
