"""`toolemu check`: on scripted servers, and once on the embedded model."""

import _thread
import os
import re
import signal
import subprocess
import sys
from dataclasses import replace

import pytest

from langchain_toolemu.capability import Capability
from langchain_toolemu.capability.knowledge import ModelSize
from langchain_toolemu.check.trial_runs import Check
from langchain_toolemu.check.trials import TRIALS
from langchain_toolemu.commands.main import main
from tests.obedient_model import obey
from tests.scripted_ollama import ScriptedOllama
from tests.scripted_server import Reply, ScriptedServer, without_tools
from tests.tables import every_row
from tests.weather import CALL

RAMBLE = "Once upon a time."


def check(server, *options):
    """Run the command on a scripted server's model."""
    return main(["check", "--model", "openai:scripted", "--base-url", server.base_url, *options])


def weatherman(request):
    """Calls the weather tool where the contract asks for JSON or a code block, else rambles."""
    said = str(request["messages"])
    if "json action" in said or "<tool_call>" in said or "Decide whether" in said:
        return RAMBLE
    return CALL if "Paris" in request["messages"][-1]["content"] else "Hello!"


def only_tagged(request):
    """A model that can do one thing: calls in tags."""
    return obey(request) if "<tool_call>" in str(request["messages"]) else "I would rather not."


def plain(request):
    """Ollama's client always sends a list of tools, were it empty."""
    return "".join(obey({key: value for key, value in request.items() if key != "tools"}).text)


def pasted_from(printed):
    """The lines to paste, without their indentation."""
    return "\n".join(line[4:] for line in printed.splitlines() if line.startswith("    "))


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)


def test_the_best_way_is_found_and_its_line_printed(capsys):
    """Native support, a row for each way of asking, and the constructor to paste."""
    with ScriptedServer(without_tools(weatherman)) as server:
        assert check(server, "--cases", "1") == 0
    printed = capsys.readouterr().out
    assert "Native tool calling: none (the provider said" in printed
    assert re.search(r"mode='force', contract={'dialect': 'fenced'} +0 of 1", printed)
    assert f'ChatToolEmu(llm=ChatOpenAI(model="scripted", base_url="{server.base_url}"' in printed
    assert "mode='force')" in printed


CHOICES = [
    (obey, "nothing set", ""),
    (without_tools(obey), "mode='force'", ", mode='force'"),
    (
        without_tools(only_tagged),
        "mode='force', contract={'dialect': 'tagged'}",
        ", mode='force', contract={'dialect': 'tagged'}",
    ),
]


@every_row(("script", "name", "settings"), CHOICES)
def test_the_chosen_row_is_marked_and_its_own_settings_are_pasted(script, name, settings, capsys):  # fmt: skip
    """One model can do everything natively, one can do so in text, and one can do one thing."""
    with ScriptedServer(script) as server:
        assert check(server, "--cases", "3") == 0
    printed = capsys.readouterr().out
    (marked,) = (line for line in printed.splitlines() if re.match(r"\* .*\d of \d", line))
    assert re.match(rf"\* {re.escape(name)}  +2 of 2 ", marked)
    assert f"\nRecommended: {name}\n" in printed
    assert f'api_key="none"){settings})' in pasted_from(printed)


def test_no_row_has_the_settings_of_another(monkeypatch):
    """The dialect that is the default has no row of its own, and one row has nothing set."""
    known = Capability.known.fget

    def say_size(billions):
        told = {"size": ModelSize(billions, "as a test says"), "knows_grammar": True}
        monkeypatch.setattr(
            Capability, "known", property(lambda self: replace(known(self), **told))
        )

    with ScriptedServer(obey) as server:
        say_size(0.135)
        small = Check(server.chat_model(), "small", TRIALS)
        say_size(7)
        large = Check(server.chat_model(), "large", TRIALS)
    for ways in (small.ways, large.ways):
        settings = [str(sorted(one.items())) for one in ways.values()]
        assert len(set(settings)) == len(ways)
        assert [name for name, one in ways.items() if not one] == ["nothing set"]
    assert {"mode='force', contract={'dialect': 'markdown'}"} == {*small.ways} - {*large.ways}
    only_large = {
        "mode='force', contract={'dialect': 'json'}",
        "mode='force', contract={'constraint': 'quotes'}",
    }
    assert only_large == {*large.ways} - {*small.ways}


def test_a_model_that_never_calls_fails_the_check(capsys):
    """Exit code 1 for a pipeline to see, and another model is recommended instead of settings."""
    with ScriptedServer(without_tools(lambda _: "I would rather not.")) as server:
        assert check(server, "--cases", "2") == 1
    printed = capsys.readouterr().out
    assert "\nNot usable for tools: no way of asking passed 50 % of the trials.\n" in printed
    assert "0 of 2 right (95 % interval: 0-66 %)" in printed
    assert "Recommended" not in printed
    assert "ChatToolEmu(llm=" not in printed
    assert "Use a larger model that was trained to call tools: Qwen2.5-Coder 1.5B" in printed
    assert "right calls: a tool was needed" in printed


def test_a_reader_that_leaves_ends_the_check_in_silence(monkeypatch, capsys):
    """As in `toolemu check | head`: no traceback, and a shell's exit code for a closed pipe."""
    reader, writer = os.pipe()
    os.close(reader)
    with ScriptedServer(obey) as server, os.fdopen(writer, "w") as out:
        monkeypatch.setattr(sys, "stdout", out)
        arguments = ["check", "--cases", "1", "--model", "openai:m", "--base-url", server.base_url]
        assert main(arguments) == 141
    assert "Traceback" not in capsys.readouterr().err


def test_the_lines_to_paste_import_what_they_use(capsys):
    """They run as they are printed."""
    with ScriptedServer(without_tools(weatherman)) as server:
        check(server, "--cases", "1")
    namespace = {}
    exec(pasted_from(capsys.readouterr().out), namespace)
    assert namespace["llm"].mode == "force"


def test_the_steps_are_counted_and_a_small_sample_is_called_one(capsys):
    """A user knows before what it will take, then how far it is, and after what it is worth."""
    with ScriptedServer(without_tools(weatherman)) as server:
        check(server, "--cases", "1")
    said = capsys.readouterr()
    first, *steps = said.err.splitlines()
    assert first == "Up to 10 questions. Ctrl-C ends it and keeps what was measured."
    assert steps[:2] == ["1/10 native tool calling", f"2/9 mode='force': {TRIALS[0].question}"]
    assert "Caution: the sample is small. 1 of 1 right (95 % interval: 21-100 %)" in said.out


@pytest.fixture
def interruptible():
    """Ctrl-C raises: a process that was started in the background ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


NOTHING = "Stopped before any way of asking was measured."
STOPS = [
    (1, NOTHING, 0),  # in the greeting
    (2, f"Stopping ...\n\n{NOTHING}", 0),  # in the probe
    (3, f"Stopping ...\n\n{NOTHING}", 0),
    (5, "Stopping ...", 1),
    (7, "Stopping ...", 2),
]


@every_row(("number", "said", "rows"), STOPS)
@pytest.mark.usefixtures("interruptible")
def test_ctrl_c_keeps_what_was_measured(number, said, rows, capsys):
    """The table and the verdict so far; exit code 130, and it is said at once that it stops."""
    asked = []

    def interrupted(request):
        asked.append(request)
        if len(asked) == number:
            _thread.interrupt_main()
        return without_tools(weatherman)(request)

    with ScriptedServer(interrupted) as server:
        assert check(server, "--cases", "3") == 130
    printed = capsys.readouterr()
    assert said in printed.err
    assert len(re.findall(r"^[* ] mode='force'.* of \d ", printed.out, re.MULTILINE)) == rows
    if rows:
        assert "The check was stopped: this is what was measured until then." in printed.out
        assert re.search(r"\* mode='force' .*[12] of 2 ", printed.out)


@every_row(
    ("script", "colour", "verdict"),
    [(obey, 32, "Recommended"), (lambda _: "No.", 31, "Not usable")],
)
def test_a_terminal_shows_the_verdict_in_colour(script, colour, verdict, capsys, monkeypatch):
    """Green for a model that can be used, red for one that cannot."""
    with ScriptedServer(without_tools(script)) as server:
        monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
        check(server, "--cases", "1")
    assert f"\x1b[{colour}m{verdict}" in capsys.readouterr().out


def test_a_way_that_cannot_win_is_ended_early(capsys):
    """Where another did better already, its other trials are left out."""

    def only_json(request):
        return RAMBLE if weatherman(request) == RAMBLE else obey(request)

    with ScriptedServer(without_tools(only_json)) as server:
        check(server, "--cases", "3")
    row = r"{'dialect': 'fenced'} \(ended early\) +0 of 1 +not tried"
    assert re.search(row, capsys.readouterr().out)


ERRORS = [
    (401, "refuses the API key"),
    (404, "does not know the model"),
    (500, "failed with a server error"),
    (400, "answered with an error"),
]


@pytest.mark.parametrize(("status", "words"), ERRORS)
def test_errors_say_what_to_do(status, words, capsys):
    """A wrong key, an unknown model and a broken server are told apart, without a traceback."""
    with ScriptedServer(
        lambda _: Reply(status=status, body={"error": {"message": "no"}})
    ) as server:
        assert check(server) == 3
    told = capsys.readouterr().err
    assert words in told
    assert "Traceback" not in told


def test_a_missing_key_is_said_to_be_so(capsys):
    """Without a key and without an address nothing can be asked, which is no verdict on a model."""
    assert main(["check", "--model", "openai:x"]) == 3
    assert "Set OPENAI_API_KEY, or pass --base-url" in capsys.readouterr().err


@pytest.mark.parametrize("cases", ["0", "11"])
def test_trials_that_there_are_not_are_refused(cases, capsys):
    """A check of nothing would pass."""
    with pytest.raises(SystemExit, match="2"):
        main(["check", "--cases", cases])
    assert "--cases" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["check", "chat", "serve"])
def test_an_address_without_http_is_refused(command, capsys):
    """Otherwise it would look like a server that is not running."""
    with pytest.raises(SystemExit, match="2"):
        main([command, "--model", "openai:x", "--base-url", "localhost:11434/v1"])
    assert "must begin with http:// or https://" in capsys.readouterr().err


def test_the_address_that_was_tried_is_named(monkeypatch, capsys):
    """Also where it was not typed, but comes from a variable or the client's own default."""
    monkeypatch.setenv("OLLAMA_HOST", "http://127.0.0.1:9")
    assert main(["check", "--model", "ollama:gemma2"]) == 3
    assert "http://127.0.0.1:9 cannot be reached" in capsys.readouterr().err


def test_a_model_that_ollama_lacks_is_looked_for_there(capsys):
    """The advice is Ollama's, whose own address has no /v1."""
    with ScriptedOllama() as server:
        address = f"{server.url}/v1"
        assert main(["check", "--model", "ollama:gemma2", "--base-url", address]) == 3
    told = capsys.readouterr().err
    assert "`ollama list`" in told
    assert "leave out /v1" in told


def test_an_address_without_a_model_is_refused(capsys):
    """Otherwise the embedded model would be checked, and nobody would notice."""
    with pytest.raises(SystemExit, match="2"):
        main(["check", "--base-url", "http://127.0.0.1:9/v1"])
    assert "--model" in capsys.readouterr().err


def test_no_grammar_is_tried_where_none_can_be_handed_over(capsys):
    """Ollama's client takes none; its address is part of the line to paste."""
    with ScriptedOllama(plain, capabilities=["completion"]) as server:
        named = ["--model", f"ollama:{server.model}", "--base-url", server.url]
        main(["check", *named, "--cases", "1"])
    printed = capsys.readouterr().out
    assert "grammar" not in printed
    assert "quotes" not in printed
    assert f'init_chat_model("ollama:{server.model}", base_url="{server.url}")' in printed


def test_an_unreachable_server_is_said_to_be_so(capsys):
    """Nobody listens at that address."""
    assert main(["check", "--model", "openai:x", "--base-url", "http://127.0.0.1:9/v1"]) == 3
    assert "cannot be reached" in capsys.readouterr().err


@pytest.mark.parametrize("model", ["nobody:knows", "nonsense"])
def test_an_unknown_provider_is_said_to_be_so(model, capsys):
    """In words of the command line, and not as a list of all providers."""
    assert main(["check", "--model", model]) == 3
    told = capsys.readouterr().err
    assert "Write PROVIDER:NAME" in told
    assert len(told.splitlines()) == 1


def test_a_provider_that_cannot_be_made_is_said_to_be_so(monkeypatch, capsys):
    """Whatever its client raises for a missing key, there is no traceback."""

    def no_key(*_, **__):
        raise RuntimeError("set THEIR_API_KEY")

    monkeypatch.setattr("langchain.chat_models.init_chat_model", no_key)
    assert main(["check", "--model", "theirs:x"]) == 3
    assert "'theirs:x' could not be created: set THEIR_API_KEY" in capsys.readouterr().err


def test_missing_weights_are_said_to_be_so(tmp_path, capsys):
    """A file that is not there is named."""
    assert main(["check", "--gguf", str(tmp_path / "none.gguf")]) == 3
    assert "There is no GGUF file" in capsys.readouterr().err


@pytest.mark.model
@pytest.mark.more("time: a model put through every way of asking")
def test_the_embedded_model_is_checked_by_default():
    """As a command of its own, on the real model: a table and a line to paste."""
    command = [sys.executable, "-m", "langchain_toolemu", "check", "--cases", "1"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode in (0, 1), done.stderr
    assert "Native tool calling: none" in done.stdout
    assert "LocalServer().chat_model()" in done.stdout
