"""Who may use the gateway, and how much: addresses, origins, keys, sizes, numbers, time; and what its log says."""

import asyncio
import json
import logging

import httpx
import pytest

from langchain_toolemu import ChatToolEmu
from langchain_toolemu.serve import create_app
from tests.integration_tests.serve.wires import CHAT, MESSAGES, OLLAMA, WIRES, error_of, events_of
from tests.spoken_model import SpokenModel
from tests.weather import CALL

HELLO = SpokenModel(pieces=["Hello."])


def client_of(app, address="127.0.0.1", base_url="http://localhost"):
    transport = httpx.ASGITransport(app, client=(address, 1234), raise_app_exceptions=True)
    return httpx.AsyncClient(transport=transport, base_url=base_url)


async def post(app, path=CHAT.path, body=CHAT.ask, headers=None, **where):
    async with client_of(app, **where) as client:
        return await client.post(path, json=body, headers=headers)


# --- addresses ---


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost", 200),
        ("localhost:8787", 200),
        ("127.0.0.1:8787", 200),
        ("[::1]:8787", 200),
        ("192.168.1.7:8787", 200),
        ("[127.0.0.1]evil.example", 403),
        ("[::1]evil.example", 403),
        ("127.0.0.1:80:evil.example", 403),
        ("evil.example", 403),
        ("localhost.evil.example", 403),
        ("127.0.0.1.evil.example:80", 403),
        ("", 403),
    ],
)
async def test_only_names_of_this_machine_are_answered(host, status):
    """A name that somebody made point here is refused; a number cannot be made to."""
    response = await post(create_app({"m": HELLO}), headers={"host": host})
    assert response.status_code == status


async def test_another_name_can_be_allowed():
    """`--allow-host` lets a name in, and only that one."""
    app = create_app({"m": HELLO}, allow_hosts=("models.example",))
    assert (await post(app, headers={"host": "models.example:8787"})).status_code == 200
    assert (await post(app, headers={"host": "other.example"})).status_code == 403


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://localhost:3000"])
async def test_web_pages_are_refused(origin):
    """Whatever a browser sends on behalf of a page goes no further, and no header invites it."""
    app = create_app({"m": HELLO})
    response = await post(app, headers={"origin": origin})
    assert response.status_code == 403
    assert not [name for name in response.headers if name.startswith("access-control")]
    async with client_of(app) as client:
        preflight = await client.options(CHAT.path, headers={"origin": origin})
    assert preflight.status_code == 403


async def test_a_page_can_be_allowed():
    """An allowed origin gets its preflight answered, and its response marked."""
    app = create_app({"m": HELLO}, allow_origins=("https://app.example",))
    origin = {"origin": "https://app.example"}
    async with client_of(app) as client:
        wanted = {"access-control-request-method": "POST"}
        preflight = await client.options(CHAT.path, headers={**origin, **wanted})
        response = await client.post(CHAT.path, json=CHAT.ask, headers=origin)
    assert preflight.status_code == 200
    assert response.headers["access-control-allow-origin"] == "https://app.example"
    assert (await post(app, headers={"origin": "https://evil.example"})).status_code == 403


# --- keys ---


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 401),
        ({"authorization": "Bearer wrong"}, 401),
        ({"x-api-key": "wrong"}, 401),
        ({"authorization": "Basic secret"}, 401),
        ({"authorization": "Bearer secret"}, 200),
        ({"authorization": "bearer second"}, 200),
        ({"x-api-key": "secret"}, 200),
    ],
)
async def test_a_key_is_demanded(headers, status):
    """Both protocols' headers count, and each of the keys."""
    app = create_app({"m": HELLO}, api_keys=("secret", "second"))
    assert (await post(app, headers=headers)).status_code == status


async def test_a_refused_key_is_told_in_the_protocols_form():
    """OpenAI's clients and Anthropic's get their own errors."""
    app = create_app({"m": HELLO}, api_keys=("secret",))
    openai = (await post(app)).json()["error"]
    assert (openai["type"], openai["code"]) == ("invalid_request_error", "invalid_api_key")
    anthropic = (await post(app, MESSAGES.path, MESSAGES.ask)).json()
    assert anthropic["type"] == "error"
    assert anthropic["error"]["type"] == "authentication_error"


@pytest.mark.parametrize(
    ("address", "status"), [("127.0.0.1", 200), ("::1", 200), ("10.0.0.9", 403)]
)
async def test_without_a_key_only_this_machine_is_served(address, status):
    """An app that somebody put on an open address by hand serves no one else."""
    assert (await post(create_app({"m": HELLO}), address=address)).status_code == status


# --- proxies ---

BY_PROXIES = {
    "x-forwarded-for": "8.8.8.8",
    "X-Forwarded-Proto": "https",
    "x-forwarded-host": "localhost",
    "x-forwarded-anything": "127.0.0.1",
    "Forwarded": "for=127.0.0.1",
    "X-Real-IP": "127.0.0.1",
    "Via": "1.1 proxy",
    **dict.fromkeys(
        [
            "X-Client-IP",
            "CF-Connecting-IP",
            "CF-Ray",
            "True-Client-IP",
            "Forwarded-For",
            "X_Forwarded_For",
            "X_Real_IP",
            "Fastly-Client-IP",
            "X-Cluster-Client-IP",
            "Client-IP",
            "X-Azure-ClientIP",
            "Fly-Client-IP",
            "X-AppEngine-User-IP",
            "X-Remote-Addr",
            "CDN-Loop",
            "X-Envoy-External-Address",
            "X-Original-Forwarded-For",
            "X-Originating-IP",
            "X-ProxyUser-IP",
            "X-Original-Host",
        ],
        "127.0.0.1",
    ),
}
PATHS = {
    "/v1/models": "GET", "/metrics": "GET", "/": "GET", "/inspector/turns": "GET", "/inspector/turns/x": "GET",
    "/v1/chat/completions": "POST", "/v1/messages": "POST", "/v1/responses": "POST",
    "/api/chat": "POST", "/v1/embeddings": "POST", "/api/show": "POST", "/api/tags": "GET", "/no/such/path": "GET",
}  # fmt: skip


@pytest.mark.parametrize("inspect", [False, True], ids=["", "inspector"])
@pytest.mark.parametrize("name", BY_PROXIES)
async def test_what_a_proxy_forwarded_is_never_local(name, inspect):
    """Whatever such a header says, every path but /health needs a key, also where none is set."""
    headers = {name: BY_PROXIES[name]}
    for keys in ((), ("secret",)):
        async with client_of(create_app({"m": HELLO}, inspect=inspect, api_keys=keys)) as client:
            for path, method in PATHS.items():
                for more in ({}, {"authorization": "Bearer wrong"}):
                    refused = await client.request(method, path, headers={**headers, **more})
                    assert (refused.status_code, path) == (401, path)
            assert (await client.get("/health", headers=headers)).status_code == 200
            if keys:
                headers = {**headers, "authorization": "Bearer secret"}
                assert (await client.post(CHAT.path, json=CHAT.ask, headers=headers)).is_success
                assert (await client.get("/", headers=headers)).is_success


async def test_what_clients_send_of_themselves_is_local():
    """Ordinary headers of programs are no proxy's."""
    own = ("user-agent", "x-stainless-os", "x-api-key", "anthropic-beta", "x-request-id", "traceparent", "x-tip", "accept")  # fmt: skip
    response = await post(create_app({"m": HELLO}), headers=dict.fromkeys(own, "x"))
    assert response.status_code == 200


async def test_each_key_sees_its_own_turns():
    """In the list, by their ids, in the news and when all are forgotten; also through a proxy."""
    app = create_app({"m": HELLO}, inspect=True, api_keys=("one", "two"))
    via = {"x-forwarded-for": "8.8.8.8"}
    one, two = ({**via, "authorization": f"Bearer {key}"} for key in ("one", "two"))
    async with client_of(app) as client:
        ids = {}
        for headers in (one, two):
            made = await client.post(CHAT.path, json=CHAT.ask, headers=headers)
            ids[headers["authorization"]] = made.headers["x-request-id"]
        for headers, others in ((one, two), (two, one)):
            own, other = ids[headers["authorization"]], ids[others["authorization"]]
            listed = (await client.get("/inspector/turns", headers=headers)).json()
            assert [(turn["id"], turn["run"]) for turn in listed] == [(own, own)]
            assert (await client.get(f"/inspector/turns/{own}", headers=headers)).is_success
            missing = await client.get(f"/inspector/turns/{other}", headers=headers)
            assert missing.status_code == 404
        await client.delete("/inspector/turns", headers=one)
        assert (await client.get("/inspector/turns", headers=one)).json() == []
        assert len((await client.get("/inspector/turns", headers=two)).json()) == 1


async def test_health_needs_no_key():
    """Whoever watches the process can do so without a key."""
    async with client_of(create_app({"m": HELLO}, api_keys=("secret",))) as client:
        assert (await client.get("/health")).json() == {"status": "ok"}
        assert (await client.get("/v1/models")).status_code == 401


# --- sizes, numbers, time ---


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", ""])
async def test_only_json_is_taken(kind):
    """What a form of a web page could send is refused."""
    async with client_of(create_app({"m": HELLO})) as client:
        response = await client.post(
            CHAT.path, content=json.dumps(CHAT.ask), headers={"content-type": kind}
        )
    assert response.status_code == 415


@pytest.mark.parametrize(
    "kind", [{}, {"content-type": "application/x-www-form-urlencoded"}], ids=str
)
async def test_a_program_of_ollamas_need_not_name_the_content_type(kind):
    """LiteLLM names none, and curl a form's; a page must, even one that is allowed."""
    content = json.dumps(OLLAMA.ask)
    async with client_of(create_app({"m": HELLO}, allow_origins=("http://a.example",))) as client:
        program = await client.post(OLLAMA.path, content=content, headers=kind)
        page = await client.post(
            OLLAMA.path, content=content, headers={**kind, "origin": "http://a.example"}
        )
        other = {**kind, "origin": "http://b.example"}
        stranger = await client.post(OLLAMA.path, content=content, headers=other)
    assert (program.status_code, page.status_code, stranger.status_code) == (200, 415, 403)


@pytest.mark.parametrize(
    "content",
    [
        b"{",
        b"[]",
        b"\xff\xfe",
        b"1",
        b"[" * 100_000,
        b'{"temperature": NaN}',
        b'{"a": 1e400}',
        b'{"a": "\\ud800"}',
        b'{"a": "\xed\xa0\x80"}',
    ],
)
async def test_a_body_that_is_no_object_is_refused(content):
    """A clear error, whatever the bytes."""
    headers = {"content-type": "application/json"}
    async with client_of(create_app({"m": HELLO})) as client:
        response = await client.post(CHAT.path, content=content, headers=headers)
    assert response.status_code == 400
    assert response.json()["error"]["code"] == "invalid_json"


@pytest.mark.parametrize(("path", "body"), [(CHAT.path, CHAT.ask), (MESSAGES.path, MESSAGES.ask)])
async def test_a_body_that_is_too_large_is_refused(path, body):
    """413, in the protocol's form; its length need not be announced."""

    async def pieces():
        yield b'{"model": "m", "x": "'
        for _ in range(100):
            yield b"x" * 100

    app = create_app({"m": HELLO}, max_body_bytes=5_000)
    async with client_of(app) as client:
        large = {**body, "user": "x" * 5_000}
        announced = await client.post(path, json=large)
        headers = {"content-type": "application/json"}
        unannounced = await client.post(path, content=pieces(), headers=headers)
    assert announced.status_code == unannounced.status_code == 413


@pytest.mark.parametrize("wire", WIRES.values(), ids=WIRES)
async def test_a_body_that_never_arrives_is_given_up(wire):
    """408: a connection that sends nothing is not waited for."""

    async def pieces():
        yield b'{"model": "m",'
        await asyncio.sleep(5)
        yield b"}"

    app = create_app({"m": HELLO}, timeout=0.1)
    async with client_of(app) as client:
        headers = {"content-type": "application/json"}
        response = await client.post(wire.path, content=pieces(), headers=headers)
    assert response.status_code == 408
    assert error_of(response.json()).get("type", "invalid_request_error") == "invalid_request_error"


class SlowModel(SpokenModel):
    """Takes its time."""

    seconds: float = 0.3

    async def _agenerate(self, *_, **__):
        await asyncio.sleep(self.seconds)
        return self._generate()

    async def _astream(self, *_, **__):
        await asyncio.sleep(self.seconds)
        async for chunk in super()._astream():
            yield chunk


async def test_one_turn_too_many_is_told_when_to_come_back():
    """429 with Retry-After, in the protocol's form; those under way go on."""
    app = create_app({"m": SlowModel(pieces=["Hello."])}, max_concurrency=2)
    responses = await asyncio.gather(*(post(app) for _ in range(3)))
    assert sorted(response.status_code for response in responses) == [200, 200, 429]
    (refused,) = [one for one in responses if one.status_code == 429]
    assert int(refused.headers["retry-after"]) >= 1
    assert refused.json()["error"]["type"] == "rate_limit_error"
    assert (await post(app)).status_code == 200


@pytest.mark.parametrize("wire", WIRES.values(), ids=WIRES)
async def test_a_turn_that_takes_too_long_is_ended(wire):
    """504 before the first byte."""
    app = create_app({"m": SlowModel(pieces=["Hello."], seconds=9)}, timeout=0.1)
    for stream in (False, True):
        response = await post(app, wire.path, {**wire.ask, "stream": stream})
        assert response.status_code == 504
        assert response.headers["x-should-retry"] == "false"


async def test_a_silent_stream_gives_signs_of_life():
    """Pings before the first word, which open the stream; the answer is still whole."""
    app = create_app({"m": SlowModel(pieces=["Hello."], seconds=0.2)}, ping_seconds=0.03)
    chat = await post(app, body={**CHAT.ask, "stream": True})
    assert chat.text.startswith(": keep-alive\n\n")
    assert chat.text.endswith("data: [DONE]\n\n")
    messages = await post(app, MESSAGES.path, {**MESSAGES.ask, "stream": True})
    assert messages.text.count("event: ping") > 2
    assert messages.text.startswith("event: message_start")
    lines = events_of((await post(app, OLLAMA.path, {**OLLAMA.ask, "stream": True})).text)
    assert [data["message"]["content"] for _, data in lines[:2]] == ["", ""]
    assert OLLAMA.add_up(lines)["message"]["content"] == "Hello."


# --- paths ---


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/v1/nothing", 404),
        ("GET", "/v1/chat/completions", 405),
        ("POST", "/v1/audio/speech", 404),
        ("GET", "/v1/messages", 405),
        ("GET", "/inspector/turns", 404),
        ("GET", "/api/pull", 404),
        ("GET", "/api/chat", 405),
    ],
)
async def test_a_path_that_is_none_is_told_in_json(method, path, status):
    """Clients of each protocol can read it, and a person learns which paths there are."""
    async with client_of(create_app({"m": HELLO})) as client:
        response = await client.request(method, path)
    assert response.status_code == status
    assert ("type" in response.json()) == path.startswith("/v1/messages")
    said = error_of(response.json())["message"]
    assert ("/v1/chat/completions" in said) == (status == 404)


@pytest.mark.parametrize("path", ["/chat/completions", "/v1/chat/completions"])
async def test_paths_stand_with_and_without_v1(path):
    """Clients disagree on who adds it."""
    assert (await post(create_app({"m": HELLO}), path)).status_code == 200


async def test_an_unknown_model_is_named():
    """Where several are served, a name must be one of theirs."""
    app = create_app({"a": HELLO, "b": HELLO})
    openai = await post(app)
    assert (openai.status_code, openai.json()["error"]["code"]) == (404, "model_not_found")
    anthropic = await post(app, MESSAGES.path, MESSAGES.ask)
    assert (anthropic.status_code, anthropic.json()["error"]["type"]) == (404, "not_found_error")
    ollama = await post(app, OLLAMA.path, OLLAMA.ask)
    assert (ollama.status_code, "'m'" in ollama.json()["error"]) == (404, True)


# --- what is not said ---


class FailingModel(SpokenModel):
    """Fails with an error that repeats what it was asked."""

    async def _agenerate(self, messages, *_, **__):
        raise ValueError(f"cannot answer {messages[-1].content!r} after {messages[0].content!r}")


SECRET = "The launch code is four seven one two, tell no one."


async def test_the_log_holds_no_word_of_a_prompt(caplog):
    """Above DEBUG neither prompts nor answers nor errors' own words are logged."""
    body = {**CHAT.ask, "messages": [{"role": "user", "content": SECRET}]}
    with caplog.at_level(logging.INFO):
        answered = create_app({"m": ChatToolEmu(llm=SpokenModel(pieces=[CALL]), mode="force")})
        assert (await post(answered, body=body)).status_code == 200
        failing = create_app({"m": ChatToolEmu(llm=FailingModel(), mode="force")})
        assert (await post(failing, body=body)).status_code == 502
        assert (await post(answered, body={**body, "n": 2})).status_code == 400
    assert "200 m path=emulated requests=1" in caplog.text
    assert "ValueError at m" in caplog.text
    for word in ("launch", "Paris", "get_weather", "cannot answer"):
        assert word not in caplog.text


async def test_an_error_keeps_what_the_upstream_said_and_not_what_it_was_asked():
    """The words of the error without the prompt and without the contract."""
    body = {**CHAT.ask, "messages": [{"role": "user", "content": SECRET}]}
    app = create_app({"m": ChatToolEmu(llm=FailingModel(), mode="force")})
    said = (await post(app, body=body)).json()["error"]["message"]
    assert "cannot answer" in said
    assert "launch code" not in said
    assert "You can call tools" not in said


async def test_two_clients_never_mix():
    """Forty turns at once, each with its own answer."""

    class Echo(SpokenModel):
        async def _agenerate(self, messages, *_, **__):
            await asyncio.sleep(0.01)
            return SpokenModel(pieces=[f"You said {messages[-1].content}"])._generate()

        async def _astream(self, messages, *_, **__):
            for piece in ("You said ", messages[-1].content):
                await asyncio.sleep(0.005)
                async for chunk in SpokenModel(pieces=[piece])._astream():
                    yield chunk

    app = create_app({"m": Echo()})

    async def one(number):
        body = {"model": "m", "messages": [{"role": "user", "content": f"number {number}."}]}
        response = await post(app, body={**body, "stream": bool(number % 2)})
        return response.text

    texts = await asyncio.gather(*(one(number) for number in range(40)))
    for number, text in enumerate(texts):
        assert f"number {number}." in text
        assert sum(f"number {other}." in text for other in range(40)) == 1


async def test_no_field_of_a_request_breaks_the_headers():
    """What a client makes up is named in a header without control characters, and only as far as headers go."""
    made_up = {f"field\r\n\x00{number}": 1 for number in range(2000)}
    response = await post(create_app({"m": HELLO}), body={**CHAT.ask, **made_up})
    dropped = response.headers["x-toolemu-dropped"]
    assert dropped.startswith("field 0, field 1, ")
    assert dropped.isprintable()
    assert len(dropped) <= 4096
