"""`toolemu check`, from the command line to the page: on scripted servers, and once on the embedded model."""

import re
import shutil
import subprocess
import sys
from html import escape

import pytest

from langchain_toolemu.capability import Capability, Support
from langchain_toolemu.check.checking import Attempt, Findings, Result
from langchain_toolemu.check.command import main
from langchain_toolemu.check.page import write_page
from langchain_toolemu.check.recorder import Exchange
from langchain_toolemu.check.trials import TRIALS, Trial
from tests.scripted_ollama import ScriptedOllama
from tests.scripted_server import Reply, ScriptedServer, without_tools
from tests.weather import CALL

SCRIPT = "<script>alert('x')</script>"


def check(server, *options):
    """Run the command on a scripted server's model."""
    return main(["check", "--model", "openai:scripted", "--base-url", server.base_url, *options])


def weatherman(request):
    """Calls the weather tool where the contract asks for bare JSON, and rambles elsewhere."""
    said = str(request["messages"])
    if "json action" in said or "<tool_call>" in said or "Decide whether" in said:
        return SCRIPT
    return CALL if "Paris" in request["messages"][-1]["content"] else "Hello!"


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
    assert "fenced          0 of 1" in printed
    assert f'ChatToolEmu(llm=ChatOpenAI(model="scripted", base_url="{server.base_url}"' in printed
    assert 'mode="force")' in printed


def test_a_model_with_tools_is_left_to_them(capsys):
    """A model that calls natively gets the plain constructor, and the check succeeds whatever the text ways did."""

    def native(request):
        return Reply(tool_calls=[("report_number", {"number": 1})]) if "tools" in request else "No."

    with ScriptedServer(native) as server:
        assert check(server, "--cases", "1") == 0
    printed = capsys.readouterr().out
    assert "Native tool calling: native" in printed
    assert printed.rstrip().endswith('api_key="none"))')


def test_a_model_that_never_calls_fails_the_check(capsys):
    """Exit code 1 for a pipeline to see."""
    with ScriptedServer(without_tools(lambda _: "I would rather not.")) as server:
        assert check(server, "--cases", "2") == 1
    assert "0 of 2" in capsys.readouterr().out


def test_the_page_holds_every_prompt_and_reply_and_runs_nothing(tmp_path):
    """The report is one file with charts, exact prompts and replies, all of it escaped."""
    report = tmp_path / "out.html"
    with ScriptedServer(without_tools(weatherman)) as server:
        check(server, "--cases", "1", "--report", str(report))
    page = report.read_text(encoding="utf-8")
    assert "<svg" in page
    assert "You can call tools." in page
    assert "&lt;script&gt;" in page
    assert "<script" not in page
    assert "http://www" not in page


def page_of(text):
    """A page in which a model, a server and a caller say nothing but this."""
    exchange = Exchange([(text, text)], text, (1, 1), 0.1)
    trials = [Trial(text), Trial(text, (text, {"a": text}))]
    attempts = [Attempt(trial, False, text, [exchange]) for trial in trials]
    return write_page(Findings(text, Support("none", text), [Result(text, {}, attempts)]), text)


def test_failures_are_counted_and_open(tmp_path):
    """A reader sees at once which ways failed, what was wanted and what came instead."""
    report = tmp_path / "report.html"
    with ScriptedServer(without_tools(weatherman)) as server:
        check(server, "--cases", "1", "--report", str(report))
    page = report.read_text()
    assert "<b>json</b> all passed" in page
    assert '<details open><summary><b>fenced</b> <span class="failed">1 of 1 failed' in page
    assert escape("get_weather({'city': 'Paris'})") in page


def test_a_way_that_is_the_default_is_not_tried_twice(monkeypatch, capsys):
    """Where the server is known to take a grammar, asking for it by name would be the same again."""
    monkeypatch.setattr(Capability, "knows_grammar", True)
    with ScriptedServer(without_tools(weatherman)) as server:
        check(server, "--cases", "1")
    printed = capsys.readouterr().out
    assert "json, quotes" in printed
    assert "json, grammar" not in printed


def test_no_word_of_a_model_or_a_server_is_markup():
    """Wherever a page shows what somebody else wrote, it shows it as text: its tags stay the same."""
    evil = f"{SCRIPT}<img src=x onerror=alert(1)>\"'&</pre></details>"
    assert escape(evil) in page_of(evil)
    assert re.findall("<[^>]*>", page_of(evil)) == re.findall("<[^>]*>", page_of("good"))


BROWSER = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)


@pytest.mark.skipif(BROWSER is None, reason="no Chromium here")
def test_a_browser_shows_the_page(tmp_path):
    """Headless Chromium renders the page with its charts, and finds nothing to run."""
    report, picture = tmp_path / "out.html", tmp_path / "out.png"
    with ScriptedServer(without_tools(weatherman)) as server:
        check(server, "--cases", "1", "--report", str(report))
    command = [
        BROWSER,
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        f"--user-data-dir={tmp_path}",
    ]
    shown = subprocess.run(
        [*command, "--dump-dom", f"--screenshot={picture}", report.as_uri()],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert "Turns left alone" in shown.stdout
    assert shown.stdout.count("<svg") == 2
    assert picture.stat().st_size > 10_000


ERRORS = [
    (401, "refuses the API key"),
    (404, "does not know the model"),
    (500, "has a fault of its own"),
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


def test_an_address_without_a_model_is_refused(capsys):
    """Otherwise the embedded model would be checked, and nobody would notice."""
    with pytest.raises(SystemExit, match="2"):
        main(["check", "--base-url", "http://127.0.0.1:9/v1"])
    assert "--model" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["", "nowhere/out.html"])
def test_a_report_that_cannot_be_written_is_said_before_anything_is_asked(name, tmp_path, capsys):
    """A folder, or a file in one that is not there."""
    with ScriptedServer(weatherman) as server:
        assert check(server, "--report", str(tmp_path / name)) == 3
        assert server.requests == []
    assert "cannot be written" in capsys.readouterr().err


def test_no_grammar_is_tried_where_none_can_be_handed_over(capsys):
    """Ollama's client takes none; its address is part of the line to paste."""
    with ScriptedOllama("Hello.", capabilities=["completion"]) as server:
        main(
            ["check", "--model", f"ollama:{server.model}", "--base-url", server.url, "--cases", "1"]
        )
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
    """The name of a provider that LangChain does not know."""
    assert main(["check", "--model", model]) == 3
    assert "cannot be made" in capsys.readouterr().err


def test_missing_weights_are_said_to_be_so(tmp_path, capsys):
    """A file that is not there is named."""
    assert main(["check", "--gguf", str(tmp_path / "none.gguf")]) == 3
    assert "There is no GGUF file" in capsys.readouterr().err


@pytest.mark.model
@pytest.mark.more("time: a model put through every way of asking")
def test_the_embedded_model_is_checked_by_default(tmp_path):
    """As a command of its own, on the real model: a table, a line and a page."""
    report = tmp_path / "out.html"
    command = [sys.executable, "-m", "langchain_toolemu", "check", "--cases", "1"]
    done = subprocess.run(
        [*command, "--report", str(report)],
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode in (0, 1), done.stderr
    assert "Native tool calling: none" in done.stdout
    assert "LocalServer().chat_model()" in done.stdout
    assert TRIALS[0].question in report.read_text(encoding="utf-8")
