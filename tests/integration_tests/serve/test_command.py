"""`toolemu serve`, from the command line to the answer: what it prints, what it refuses, how it starts and how it ends."""

import os
import re
import signal
import socket
import subprocess
import sys
from contextlib import contextmanager, suppress

import httpx
import pytest

from langchain_toolemu import ChatToolEmu
from langchain_toolemu.commands.main import main
from langchain_toolemu.commands.serve import local_address
from langchain_toolemu.serve import create_app
from langchain_toolemu.serve.settings import (
    ModelSettings,
    ServerSettings,
)
from tests.integration_tests.serve.test_safety import client_of
from tests.integration_tests.serve.wires import CHAT, WIRES
from tests.obedient_model import obey
from tests.scripted_server import Reply, ScriptedServer, slowly, without_tools
from tests.tables import every_row


@pytest.fixture(autouse=True)
def _environment(monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "TOOLEMU_API_KEY", "TOOLEMU_CONFIG"):
        monkeypatch.delenv(name, raising=False)


@contextmanager
def command(*options, **environment):
    """The command in a process of its own; gives the process, its address and what it printed."""
    line = [sys.executable, "-m", "langchain_toolemu", "serve", "--port", "0", *options]
    running = subprocess.Popen(
        line,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **environment},
    )
    try:
        printed = ""
        while "OLLAMA_HOST" not in printed:
            printed += running.stdout.readline()
            assert running.poll() is None, running.stderr.read()
        url = re.search(r"serves on (http://\S+)", printed)[1]
        yield running, url, printed
    finally:
        running.kill()
        running.wait()
        running.stdout.close()
        running.stderr.close()


def at(upstream):
    return ["--model", "openai:scripted", "--base-url", upstream.base_url]


def ask(url, **more):
    return httpx.post(f"{url}/v1/chat/completions", json={**CHAT.ask, **more}, trust_env=False, timeout=60)  # fmt: skip


def test_it_says_where_it_listens_and_drains_when_stopped():
    """Address, model, what is known of it, lines to paste; on SIGTERM a stream is finished, and the process ends with 0.

    All addresses of a machine are none that a client can be told, so the lines name loopback.
    """
    words = ["word "] * 30
    script = without_tools(lambda _: Reply(slowly(words, 0.05)))
    options = ("--mode", "force", "--host", "0.0.0.0", "--api-key", "k", "--inspect")
    with (
        ScriptedServer(script) as upstream,
        command(*at(upstream), *options) as (running, url, printed),
    ):
        assert url.startswith("http://127.0.0.1:")
        assert "every other address of this machine" in printed
        assert "scripted: ChatOpenAI scripted at http://127.0.0.1" in printed
        assert "mode force; native tool calling: unknown (nothing is known yet)" in printed
        assert f"export OPENAI_BASE_URL={url}/v1" in printed
        assert f"export ANTHROPIC_BASE_URL={url}\n" in printed
        assert f"export OLLAMA_HOST={url}\n" in printed
        assert running.stdout.readline() == "\n"
        assert running.stdout.readline() == f"The inspector: {url}/\n"
        assert httpx.get(f"{url}/", trust_env=False).status_code == 200
        assert ask(url).status_code == 401
        with httpx.stream("POST", f"{url}/v1/chat/completions", json={**CHAT.ask, "stream": True}, headers={"authorization": "Bearer k"}, trust_env=False) as response:  # fmt: skip
            pieces = response.iter_text()
            body = next(pieces)
            running.send_signal(signal.SIGTERM)
            body += "".join(pieces)
        assert running.wait(20) == 0
        assert body.endswith("data: [DONE]\n\n")
        assert body.count("word ") == 30
        with pytest.raises(httpx.ConnectError):
            ask(url)
        assert "path=emulated requests=1" in running.stderr.read()


KEYS = {"upstream": "sk-operators-secret", "gateway": "clients-secret", "other": "sk-wrong-secret"}


def test_no_key_is_in_the_debug_log(monkeypatch):
    """Of requests over HTTP and of a websocket's handshake, in every header that may hold one, right and wrong."""
    monkeypatch.setenv("OPENAI_API_KEY", KEYS["upstream"])
    options = ("--log-level", "debug", "--api-key", KEYS["gateway"])
    loud = {"OPENAI_LOG": "debug", "ANTHROPIC_LOG": "debug", "PYTHONASYNCIODEBUG": "1"}
    with (
        ScriptedServer(lambda _: "Hello.") as upstream,
        command(*at(upstream), *options, **loud) as (running, url, _),
    ):
        for key in (KEYS["gateway"], KEYS["other"]):
            for headers in (
                {"authorization": f"Bearer {key}"},
                {"x-api-key": key},
                {"api-key": key},
            ):
                for more in ({"stream": True}, {"tools": []}, {"tools": [], "stream": True}):
                    body = {**CHAT.ask, **more, "extra_headers": {"x-api-key": key}}
                    where = f"{url}/v1/chat/completions?api-key={key}"
                    httpx.post(where, json=body, headers=headers, trust_env=False, timeout=30)
                upgrade = {**headers, "connection": "Upgrade", "upgrade": "websocket"}
                where = f"{url}/v1/responses?key={key}"
                refused = httpx.get(where, headers=upgrade, trust_env=False)
                assert refused.status_code in (401, 426)
        assert len(upstream.requests) >= 9
        running.send_signal(signal.SIGTERM)
        assert running.wait(20) == 0
        log = running.stderr.read()
    assert "DEBUG" in log
    assert not [key for key in KEYS.values() if key in log]


def test_a_key_in_the_address_is_never_shown(capsys):
    """Neither in what is said at the start nor in what is wrong."""
    for start in ("http://me:hidden@127.0.0.1:1", "127.0.0.1:1"):
        with suppress(SystemExit):
            main(["serve", "--check-config", "--model", "openai:x", "--base-url", f"{start}/v1?key=hidden"])  # fmt: skip
        said = "".join(capsys.readouterr())
        assert "127.0.0.1:1/v1" in said or "must be" in said
        assert "hidden" not in said


def test_the_address_of_all_is_loopback_here():
    """A server that listens everywhere is asked on this machine."""
    assert local_address("::") == "::1"
    assert local_address("0.0.0.0") == "127.0.0.1"


CONFIG = """
[server]
default = "small"
api_keys = ["secret"]

[models.small]
model = "openai:scripted"
base_url = "{url}"
aliases = ["gpt-4o*"]
mode = "force"
max_reasks = 1
options = {{ temperature = 0.25 }}

[models.other]
model = "openai:another"
base_url = "{url}"
api_key_env = "OTHER_KEY"
"""


async def test_a_file_routes_several_models_by_name(tmp_path, monkeypatch):
    """Each with its settings, by name, alias or default."""
    monkeypatch.setenv("OTHER_KEY", "k")
    with ScriptedServer(without_tools(obey)) as upstream:
        path = tmp_path / "toolemu.toml"
        path.write_text(CONFIG.format(url=upstream.base_url))
        monkeypatch.setenv("TOOLEMU_CONFIG", str(path))
        key = {"authorization": "Bearer secret"}
        for name, (model, mode) in {
            "small": ("scripted", "force"),
            "gpt-4o-mini": ("scripted", "force"),
            "whatever": ("scripted", "force"),
            "other": ("another", "fallback"),
        }.items():
            async with client_of(create_app()) as client:
                body = {**CHAT.ask, "model": name}
                response = await client.post(CHAT.path, json=body, headers=key)
                listed = (await client.get("/v1/models", headers=key)).json()
            assert response.json()["model"] == name
            assert response.headers["x-toolemu-model"] == model
            assert response.headers["x-toolemu-mode"] == mode
            assert upstream.requests[-1]["model"] == model
            assert upstream.requests[-1].get("temperature") == (0.25 if mode == "force" else None)
        assert [one["id"] for one in listed["data"]] == ["small", "other"]


async def test_any_name_can_be_passed_on():
    """`openai:*`: the upstream is asked for the model that the client names."""
    with ScriptedServer(without_tools(obey)) as upstream:
        settings = ModelSettings("all", "openai:*", upstream.base_url)
        async with client_of(create_app(ServerSettings(models=(settings,)))) as client:
            await client.post(CHAT.path, json={**CHAT.ask, "model": "llama3:8b"})
    assert {request["model"] for request in upstream.requests} == {"llama3:8b"}


WRONG_FILES = [
    ("[models]", "has no models"),
    ("[models.a]\nmodell = 'openai:x'", "models.a.modell is not known. Did you mean 'model'?"),
    ("models.a.modell = 'openai:x'", "models.a.modell is not known. Did you mean 'model'?"),
    ("# One.\n\n[modles.a]", "modles is not known. Did you mean 'models'?"),
    ("[server]\nprot = 1\n[models.a]", "server.prot is not known. Did you mean 'port'?"),
    ("[server]\nallow_hosts = [\n 'a',\n]\nprot = 1\n[models.a]", "server.prot"),
    ("not toml", "cannot be read: Expected '=' after a key in a key/value pair (at line 1, column 5)"),
    ("models = 5", "models should be"),
    ("[models]\na = 5", "models.a should be"),
    ("[server]\nport = 99999\n[models.a]", "server.port should be less than or equal to 65535"),
    ("[server]\nworkers = 2\n[models.a]", "server.workers is gone: run `uvicorn --factory"),
    ("[server]\nitems = 'off'\n[models.a]", "server.items is gone: --store"),
    ("[server]\nmax_tools = 0\n[models.a]", "server.max_tools should be greater than 0"),
    ("[server]\napi_keys = 'secret'\n[models.a]", "server.api_keys should be a valid array."),
    ("[server]\nlog_level = 'loud'\n[models.a]", "server.log_level should be 'debug', 'info'"),
    ("[models.a]\naliases = ['x', 5]", "models.a.aliases.1 should be a valid string"),
    ("[models.a]\nmodel = 'openai:x'\nbase_url = 'http://localhost/v1'\nmode = 'loud'", "models.a: mode='loud'"),
    ("[server]\ndefault = 'b'\n[models.a]\nmodel = 'openai:x'\nbase_url = 'http://localhost/v1'", "The default model 'b' is not among"),
    ("[models.a]\nmodel = 'openai:x'\napi_key_env = 'NOT_SET'", "models.a: the variable NOT_SET is not set"),
    ("[models.a]\nmodel = 'openai:x'", "OpenAI needs an API key. Set OPENAI_API_KEY"),
    ("[models.a]\nmodel = 'noprovider:x'", "models.a: "),
]  # fmt: skip


@pytest.mark.parametrize(("content", "words"), WRONG_FILES, ids=[words for _, words in WRONG_FILES])
def test_a_wrong_file_says_what_is_wrong(tmp_path, capsys, content, words):
    """The name that is wrong, and the one that was meant; checked or served alike."""
    path = tmp_path / "toolemu.toml"
    path.write_text(content)
    for options, code in {("--check-config",): 1, ("--port", "0"): 3}.items():
        assert main(["serve", "--config", str(path), *options]) == code
        assert words in capsys.readouterr().err


def test_a_file_that_is_right_is_described(tmp_path, capsys):
    """`--check-config` says what would be served, and starts nothing: neither a server nor the embedded model."""
    with socket.create_server(("127.0.0.1", 0)) as taken, ScriptedServer() as upstream:
        port = taken.getsockname()[1]
        path = tmp_path / "toolemu.toml"
        small = (
            f"[models.small]\nmodel = 'openai:x'\nbase_url = '{upstream.base_url}'\nmode = 'force'"
        )
        path.write_text(f"[server]\nport = {port}\ndefault = 'own'\n[models.own]\n{small}")
        assert main(["serve", "--config", str(path), "--check-config"]) == 0
    said = capsys.readouterr().out
    assert f"toolemu would serve on http://127.0.0.1:{port}" in said
    assert "own: the embedded model" in said
    assert f"small: ChatOpenAI x at {upstream.base_url}\n    mode force" in said
    assert "warning" not in said


def test_what_is_unsafe_is_wrong_when_checked(capsys):
    """Exit code 1, with the reason."""
    options = ["--host", "0.0.0.0", "--model", "openai:x", "--base-url", "http://localhost/v1"]
    assert main(["serve", "--check-config", *options]) == 1
    assert "set a key with --api-key" in capsys.readouterr().err


@pytest.fixture
def dead():
    """An address where nothing answers."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    return f"http://127.0.0.1:{port}/v1"


def test_a_dead_upstream_is_named_at_the_start(dead, capsys):
    """By its address, as a warning: it may come later."""
    assert main(["serve", "--check-config", "--model", "openai:x", "--base-url", dead]) == 0
    assert f"warning: nothing answers at {dead} (" in capsys.readouterr().out


@pytest.mark.in_turn
@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize("wire", WIRES.values(), ids=WIRES)
async def test_a_dead_upstream_is_named_in_error_and_log(wire, stream, dead, caplog):
    """By its address, without a password that is in it."""
    address = dead.replace("//", "//user:password@")
    settings = ServerSettings(models=(ModelSettings("m", "openai:x", address),))
    async with client_of(create_app(settings)) as client:
        response = await client.post(wire.path, json={**wire.ask, "stream": stream})
    assert response.status_code == 502
    assert f"The upstream at {dead} cannot be reached." in response.text
    assert f"at {dead}" in caplog.text
    assert "password" not in response.text + caplog.text


USAGE = [
    (["--port", "99999"], "argument --port: 99999 is not a number from 0 to 65535"),
    (["--port", "http"], "argument --port: http is not a number from 0 to 65535"),
    (["--max-tools", "0"], "argument --max-tools: 0 is not a number of at least 1"),
    (["--drain", "-1"], "argument --drain: -1 is not a number of at least 0"),
    (["--timeout", "nan"], "argument --timeout: nan is not a number of at least 0"),
]


@pytest.mark.parametrize(("options", "words"), USAGE, ids=[words for _, words in USAGE])
def test_a_number_out_of_its_limits_is_a_usage_error(options, words, capsys):
    """Exit code 2, with the option and its limits."""
    with pytest.raises(SystemExit, match="2"):
        main(["serve", *options])
    assert words in capsys.readouterr().err


def test_another_address_wants_a_key(capsys):
    """What can be reached from elsewhere is not started without one."""
    with pytest.raises(SystemExit, match="2"):
        main(["serve", "--host", "0.0.0.0", "--model", "openai:x", "--base-url", "http://localhost/v1"])  # fmt: skip
    assert "set a key with --api-key" in capsys.readouterr().err


def test_the_inspector_is_not_served_where_nobody_can_see_it(capsys):
    """From an address of the network this machine looks like any other."""
    with pytest.raises(SystemExit, match="2"):
        main(["serve", "--inspect", "--host", "192.0.2.1", "--api-key", "k", "--model", "openai:x", "--base-url", "http://localhost/v1"])  # fmt: skip
    assert "use --host 127.0.0.1 or 0.0.0.0" in capsys.readouterr().err


def test_a_port_that_is_taken_is_said(capsys):
    """Exit code 3, and no traceback."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert main(["serve", "--port", port, "--model", "openai:x", "--base-url", "http://localhost/v1"]) == 3  # fmt: skip
    said = capsys.readouterr().err
    assert f"Could not listen on 127.0.0.1:{port}: " in said
    assert "Choose another with --port." in said
    assert main(["serve", "--host", "192.0.2.1", "--api-key", "k", "--model", "openai:x", "--base-url", "http://localhost/v1"]) == 3  # fmt: skip
    assert "Choose another with --host." in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--model", "openai:x"], "Set OPENAI_API_KEY"),
        (["--model", "noprovider:x"], "Write PROVIDER:NAME"),
        (["--config", "missing.toml"], "cannot be read"),
        (["--api-key-file", "missing.txt"], "keys cannot be read"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_what_cannot_be_had_is_said(options, words, capsys):
    """Exit code 3, with what to do."""
    assert main(["serve", "--port", "0", *options]) == 3
    assert words in capsys.readouterr().err


def test_keys_come_from_the_environment_or_a_file(tmp_path, monkeypatch):
    """Where `ps` does not show them."""
    path = tmp_path / "keys"
    path.write_text("one\ntwo\n")
    kept = {}
    monkeypatch.setattr(
        "langchain_toolemu.serve.server_process.serve_forever",
        lambda running, *_: kept.update(keys=running.api_keys),
    )
    model = ["--model", "openai:x", "--base-url", "http://localhost/v1"]
    assert main(["serve", *model, "--api-key-file", str(path)]) == 0
    assert kept["keys"] == ("one", "two")
    monkeypatch.setenv("TOOLEMU_API_KEY", "three, four")
    assert main(["serve", *model]) == 0
    assert kept["keys"] == ("three", "four")


async def test_a_clients_key_stays_here(monkeypatch):
    """The upstream gets the operator's."""
    seen = []
    with ScriptedServer(lambda _: "Hi.") as upstream:
        llm = upstream.chat_model(api_key="upstream-key")
        send = llm.root_async_client._client.send

        async def spy(request, **options):
            seen.append(request.headers["authorization"])
            return await send(request, **options)

        monkeypatch.setattr(llm.root_async_client._client, "send", spy)
        app = create_app({"m": ChatToolEmu(llm=llm, mode="force")})
        async with client_of(app) as client:
            headers = {"authorization": "Bearer client-key"}
            await client.post(CHAT.path, json=CHAT.ask, headers=headers)
    assert seen == ["Bearer upstream-key"]


GONE = [
    ("--explain-request is gone: use --inspect", ["serve", "--explain-request", "body.json"]),
    ("--explain-request is gone: use --inspect", ["serve", "--explain-request=body.json"]),
    ("--forward-key is gone: a client's key stays here", ["serve", "--forward-key"]),
    ("--workers is gone: run `uvicorn --factory", ["serve", "--workers", "2"]),
    ("--items is gone: --store takes both", ["serve", "--items=off"]),
    ("inspect is gone: use `toolemu serve --inspect`", ["inspect", "turns.jsonl"]),
]


@every_row(("said", "arguments"), GONE)
def test_what_is_gone_says_what_takes_its_place(said, arguments, capsys):
    """A flag or a command; nothing is started."""
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    assert stopped.value.code == 2
    assert said in capsys.readouterr().err
