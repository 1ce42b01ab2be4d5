"""`toolemu doctor`: on scripted servers of every kind, and once on the embedded model."""

import json
import sys
import threading

import pytest

from langchain_toolemu.check.diagnosis import call_within
from langchain_toolemu.commands.main import main
from tests.obedient_model import obey
from tests.scripted_ollama import ScriptedOllama
from tests.scripted_server import Reply, ScriptedServer, without_tools
from tests.tables import every_row
from tests.thoroughness import FULL_PRODUCTS

VLLM = {"object": "list", "data": [{"id": "qwen-7b", "owned_by": "vllm", "max_model_len": 32768}]}
NO_PARSER = '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'


@pytest.fixture(autouse=True)
def _environment(monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)


def doctor(capsys, model, address, *options):
    """The exit code, and each fact by its name; what is to be changed is one text."""
    code = main(["doctor", "--model", model, "--base-url", address, *options])
    shown = capsys.readouterr()
    assert shown.err == ""
    facts = {}
    for line in shown.out.splitlines():
        name, _, words = line.partition(":")
        facts[name] = f"{facts[name]} {words.strip()}" if name in facts else words.strip()
    assert facts["usable"] == ("no" if code else "yes")
    return code, facts


def refuse_tools(request):
    """As vLLM does that was started without a parser."""
    error = {"object": "error", "message": NO_PARSER, "type": "BadRequestError", "code": 400}
    return Reply(status=400, body=error) if "tools" in request else obey(request)


def test_a_model_with_tools_is_asked_natively(capsys):
    """What a native call gives, what a text call gives, and that nothing is to be changed."""
    with ScriptedServer(obey) as server:
        code, facts = doctor(capsys, "openai:some-7b", server.base_url)
        assert server.requests[0]["max_completion_tokens"] == 16
    assert code == 0
    assert facts["address"] == server.base_url
    assert facts["reachable"].startswith("yes, a short reply took")
    assert facts["size"] == "7 billion parameters, as its name says"
    assert facts["native call"].startswith(
        "yes, it made the call that a probe asked for; it called report_number"
    )
    assert facts["text call"] == "yes; it called get_weather({'city': 'Paris'})"
    assert (
        facts["by default"]
        == "asked natively, and in text if that fails (it made the call that a probe asked for)"
    )
    assert facts["to change"] == "nothing"


@pytest.mark.parametrize(("no_color", "marks"), [("", 1), ("1", 0)])
def test_a_terminal_shows_colours(no_color, marks, capsys, monkeypatch):
    """The verdict is green there, unless NO_COLOR asks for none."""
    monkeypatch.setenv("NO_COLOR", no_color)
    with ScriptedServer(obey) as server:
        monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
        main(["doctor", "--model", "openai:some-7b", "--base-url", server.base_url])
    assert capsys.readouterr().out.count("\x1b[32musable:") == marks


def test_a_vllm_without_a_parser_is_asked_in_text(capsys):
    """Server, version and window, its own words, that the turn goes on in text, and what to set."""
    pages = {
        "/v1/models": VLLM,
        "/2/version": {"version": "0.11.0"},
        "/version": {"version": "0.11.0"},
    }
    with ScriptedServer(refuse_tools, pages=pages) as server:
        code, facts = doctor(capsys, "openai:qwen-7b", server.base_url)
    assert code == 0
    assert facts["server"] == "vLLM 0.11.0"
    assert facts["listed"] == "yes"
    assert facts["window"] == "32768 tokens"
    assert facts["claims"] == "native tools: unknown, nothing is known yet"
    assert facts["native call"] == f"no, the provider said: {NO_PARSER}"
    assert facts["text call"].startswith("yes")
    assert facts["by default"] == f"asked in text (the provider said: {NO_PARSER})"
    assert (
        facts["in text"] == "recipe capable: 7 billion parameters, as its name says; policy default"
    )
    assert "mode='force' saves the native request" in facts["to change"]
    assert "start it with --enable-auto-tool-choice" in facts["to change"]


def ollama(**settings):
    tags = {"models": [{"name": "gemma2:latest"}]}
    pages = {"/api/version": {"version": "0.12.3"}, "/api/tags": tags}
    return ScriptedOllama(pages=pages, **settings)


def plain(request):
    """Ollama's client always sends a list of tools, were it empty."""
    return "".join(obey({key: value for key, value in request.items() if key != "tools"}).text)


def test_an_ollama_that_lists_no_tools(capsys):
    """Its claim is believed from the first request; a window that is not told is to be set."""
    with ollama(text=plain, capabilities=["completion"]) as server:
        server.model = "gemma2"
        code, facts = doctor(capsys, "ollama:gemma2", server.url)
    assert code == 0
    assert facts["server"] == "Ollama 0.12.3"
    assert facts["listed"] == "yes"
    assert facts["claims"] == f"native tools: none, the server says so at {server.url}/api/show"
    assert "gemma2:latest does not support tools" in facts["native call"]
    assert facts["by default"].startswith("asked in text (")
    assert "num_ctx" in facts["to change"]


def test_a_model_that_the_server_does_not_list(capsys):
    """The names that it lists, and the nearest."""
    with ollama(
        text=lambda _: Reply(status=404, body={"error": "model 'gema2' not found"})
    ) as server:
        code, facts = doctor(capsys, "ollama:gema2", server.url)
    assert code == 1
    assert facts["listed"] == "no: gema2 is not one of gemma2"
    assert facts["reachable"].startswith(f"yes, but {server.url} does not know the model 'gema2'")
    assert facts["to change"] == "Name a model that the server lists. Did you mean gemma2?"


def test_a_server_that_takes_any_name(capsys):
    """llama.cpp serves its one model by whatever name: told, and nothing is to be changed."""
    listing = {"data": [{"id": "other-7b", "owned_by": "llamacpp"}]}
    with ScriptedServer(obey, pages={"/v1/models": listing}) as server:
        code, facts = doctor(capsys, "openai:mine", server.base_url)
    assert code == 0
    assert facts["server"] == "llama.cpp"
    assert facts["listed"] == "no: mine is not one of other-7b"
    assert facts["to change"] == "nothing"


@every_row(
    ("model", "ending", "right"), [("openai:qwen-7b", "", "/v1"), ("ollama:qwen-7b", "/v1", "")]
)
def test_a_wrong_path_is_told_from_a_wrong_model(model, ending, right, capsys):
    """The address where the server has its models, with `/v1` or without."""
    with ScriptedOllama(capabilities=None, pages={"/v1/models": VLLM}) as server:
        code, facts = doctor(capsys, model, f"{server.url}{ending}")
    assert code == 1
    assert facts["listed"] == "yes"
    assert (
        facts["to change"] == f"Pass --base-url {server.url}{right}: the server's models are there."
    )


def test_nobody_is_there(capsys):
    """A dead address: said at once, without a probe."""
    code, facts = doctor(capsys, "openai:x", "http://127.0.0.1:9/v1")
    assert code == 1
    assert facts["server"] == "unknown"
    assert facts["reachable"] == "no: http://127.0.0.1:9/v1 cannot be reached."
    assert facts["to change"] == "Start the server, or correct the address."
    assert "native call" not in facts


def test_a_wrong_key(capsys, monkeypatch):
    """As hosted providers refuse it: the provider is told by its host; the key is nowhere."""
    monkeypatch.setattr("langchain_toolemu.capability.endpoints.vendor_at", lambda _: "groq")
    error = {"message": "Incorrect API key provided: sk-12345", "code": "invalid_api_key"}
    with ScriptedServer(lambda _: Reply(status=401, body={"error": error})) as server:
        code, facts = doctor(capsys, "openai:gpt-4o", server.base_url)
    assert code == 1
    assert facts["server"] == "groq"
    assert facts["reachable"] == f"yes, but {server.base_url} refuses the API key (401)."
    assert "OPENAI_API_KEY" in facts["to change"]
    assert "sk-12345" not in str(facts)


def test_a_fact_is_one_line_whatever_a_server_says(capsys):
    """Line ends and escape sequences of a terminal are left out, and a page of HTML is cut."""
    words = "\x1b[2Jfirst\nsecond. " + "<p>" * 1000
    with ScriptedServer(lambda _: Reply(status=500, body={"error": {"message": words}})) as server:
        code, facts = doctor(capsys, "openai:x", server.base_url)
    assert code == 1
    assert "[2Jfirst second. <p>" in facts["reachable"].replace("\\n", " ")
    assert len(facts["reachable"]) <= 600
    assert "to change" not in facts
    assert "\x1b" not in str(facts)


@every_row("slow_from", [1, 2])
def test_a_slow_server_is_left_alone_after_the_time_limit(slow_from, capsys):
    """Each request has the limit for itself: the greeting, the probe, the turn in text."""
    released, asked = threading.Event(), []

    def script(request):
        asked.append(request)
        if len(asked) >= slow_from:
            released.wait(20)
        return obey(request)

    with ScriptedServer(script) as server:
        limit = "0.3" if slow_from == 1 else "1"
        code, facts = doctor(capsys, "openai:x", server.base_url, "--timeout", limit)
        released.set()
    late = f"no answer within {limit} s"
    assert code == 1
    assert ("reachable" in facts, facts["reachable"] == f"no: {late}") == (True, slow_from == 1)
    if slow_from == 2:
        assert facts["native call"] == "not clear, a probe failed with TimeoutError"
    if slow_from > 1:
        assert facts["text call"] == f"no: {late}"
    assert "--timeout" in facts["to change"]


def test_a_model_that_cannot_call_at_all(capsys):
    """Exit code 1, and what it said instead."""
    with ScriptedServer(without_tools(lambda _: "I would\nrather not")) as server:
        code, facts = doctor(capsys, "openai:x", server.base_url)
    assert code == 1
    assert facts["text call"] == "no, not the right one; it said 'I would rather not'"
    assert "mode='force'" not in facts["to change"]
    assert "toolemu check" in facts["to change"]


def test_the_settings_of_the_program_can_be_given(capsys):
    """What will be done is what the turn would do with them."""
    with ScriptedServer(obey) as server:
        forced = doctor(
            capsys, "openai:x", server.base_url, "--mode", "force", "--model-size", "0.1"
        )
        off = doctor(capsys, "openai:x", server.base_url, "--mode", "off")
    assert forced[1]["by default"] == "asked in text (mode force)"
    assert forced[1]["in text"].startswith("recipe smallest: 0.1 billion parameters")
    assert off[1]["by default"] == "passed through unchanged (mode off)"


@every_row(("options", "usable"), [(["--base-url", "http://127.0.0.1:9/v1"], False), ([], False)])
def test_json_holds_the_same(options, usable, capsys):
    """One object for a program, also where the model could not be created."""
    assert main(["doctor", "--model", "openai:x", "--json", *options]) == 1
    told = json.loads(capsys.readouterr().out)
    assert told["usable"] is usable
    assert isinstance(told["to_change"], list)
    assert ("reachable" in told) == bool(options)


@pytest.mark.parametrize("seconds", ["0", "-1", "soon", "inf", "nan"])
def test_a_limit_that_is_none_is_refused(seconds, capsys):
    """It would never end, or end at once."""
    with pytest.raises(SystemExit, match="2"):
        main(["doctor", "--timeout", seconds])
    assert "is not a number from 0.1 to 3600" in capsys.readouterr().err


def test_an_error_within_the_time_limit_is_raised_as_it_is():
    """Whoever waits for a request gets its own error."""
    with pytest.raises(ZeroDivisionError):
        call_within(5, lambda: 1 / 0)


@every_row("command", ["check", "chat", "doctor"])
def test_langchain_that_is_not_installed_is_named_with_the_command_that_installs_it(
    command, capsys, monkeypatch
):
    """For a model of any provider but OpenAI."""
    monkeypatch.setitem(sys.modules, "langchain", None)
    monkeypatch.setitem(sys.modules, "langchain.chat_models", None)
    assert main([command, "--model", "ollama:gemma2"]) in (1, 3)
    said = capsys.readouterr()
    assert "pip install langchain langchain-ollama" in said.out + said.err
    assert "No module named" not in said.out + said.err


@pytest.mark.model
@pytest.mark.skipif(not FULL_PRODUCTS, reason="time: CI runs it")
def test_the_embedded_model(capsys):
    """llama.cpp says what it is, its model's size and window; it has no tools."""
    assert main(["doctor", "--json", "--timeout", "300"]) in (0, 1)
    told = json.loads(capsys.readouterr().out)
    assert told["server"].startswith("llama.cpp")
    assert told["size"] == "0.135 billion parameters, as its name says"
    assert told["window"] == "8192 tokens"
    assert told["claims"].startswith("native tools: none, the server says so at ")
    assert told["by_default"].startswith("asked in text (")
