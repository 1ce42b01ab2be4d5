"""`toolemu check`, from the command line to the page: on scripted servers, and once on the embedded model."""

import _thread
import os
import re
import shutil
import signal
import subprocess
import sys
from dataclasses import replace
from html import escape

import pytest

from langchain_toolemu import __version__
from langchain_toolemu.capability import Capability, Support
from langchain_toolemu.capability.knowledge import ModelSize
from langchain_toolemu.chat_models.recording import SentRequest
from langchain_toolemu.check.check_report import Advice, write_page
from langchain_toolemu.check.check_run import estimate, format_seconds
from langchain_toolemu.check.command import main
from langchain_toolemu.check.trial_runs import Attempt, Check, Findings, Result
from langchain_toolemu.check.trials import TRIALS, Trial
from langchain_toolemu.commands.main import main as toolemu
from tests.obedient_model import obey
from tests.scripted_ollama import ScriptedOllama
from tests.scripted_server import Reply, ScriptedServer, without_tools
from tests.tables import every_row
from tests.weather import CALL

SCRIPT = "<script>alert('x')</script>"


def check(server, *options):
    """Run the command on a scripted server's model."""
    return main(["check", "--model", "openai:scripted", "--base-url", server.base_url, *options])


def weatherman(request):
    """Calls the weather tool where the contract asks for JSON or a plain code block, and rambles elsewhere."""
    said = str(request["messages"])
    if "json action" in said or "<tool_call>" in said or "Decide whether" in said:
        return SCRIPT
    return CALL if "Paris" in request["messages"][-1]["content"] else "Hello!"


def only_tagged(request):
    """A model that can do one thing: calls in tags."""
    return obey(request) if "<tool_call>" in str(request["messages"]) else "I would rather not."


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
    assert re.search(r"force \+ fenced +0 of 1", printed)
    assert f'ChatToolEmu(llm=ChatOpenAI(model="scripted", base_url="{server.base_url}"' in printed
    assert 'mode="force")' in printed


CHOICES = [
    (obey, "default", "", "of 7 ways that did equally well with as few requests, it changes the least"),
    (without_tools(obey), "force", ', mode="force"', "of 6 ways that did equally well with as few requests, it changes the least"),
    (without_tools(only_tagged), "force + tagged", ', mode="force", dialect="tagged"', "more trials passed than in any other way"),
]  # fmt: skip


@every_row(("script", "name", "settings", "why"), CHOICES)
def test_the_chosen_row_is_marked_and_its_own_settings_are_pasted(script, name, settings, why, capsys, tmp_path):  # fmt: skip
    """A model that can do everything natively, one that can do so in text, and one that can do one thing."""
    report = tmp_path / "out.html"
    with ScriptedServer(script) as server:
        assert check(server, "--cases", "3", "--full", "--report", str(report)) == 0
    printed, page = capsys.readouterr().out, report.read_text(encoding="utf-8")
    (marked,) = (line for line in printed.splitlines() if re.match(r"\* .*\d of \d", line))
    assert re.match(rf"\* {re.escape(name)}  +2 of 2 ", marked)
    assert f"Recommended: {name}\n* marks {name}: {why}." in printed
    assert f'api_key="none"){settings})' in pasted_from(printed)
    assert f"<h2>Recommended: {name}</h2>" in page
    assert f"<td>* {name}</td>" in page


def test_no_row_has_the_settings_of_another(monkeypatch):
    """Each row is what it is called: the dialect that is the default has no row of its own, and none has nothing set."""
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
        settings = [tuple(sorted(one.items())) for one in ways.values()]
        assert len(set(settings)) == len(ways)
        assert [name for name, one in ways.items() if not one] == ["default"]
    assert {"force + markdown"} == {*small.ways} - {*large.ways}
    assert {"force + json", "force + quotes"} == {*large.ways} - {*small.ways}


def test_a_model_that_never_calls_fails_the_check(capsys, tmp_path):
    """Exit code 1 for a pipeline to see, and nothing is recommended, neither here nor on the page."""
    report = tmp_path / "out.html"
    with ScriptedServer(without_tools(lambda _: "I would rather not.")) as server:
        assert check(server, "--cases", "2", "--report", str(report)) == 1
    printed, page = capsys.readouterr().out, report.read_text(encoding="utf-8")
    words = "No way of asking reached 50 %: not usable for tools; the least bad is force."
    assert f"\n{words}\n" in printed
    assert f"<h2>{words}</h2>" in page
    assert "0 of 2 right (95 % interval: 0-66 %)" in printed
    assert "Recommended" not in printed + page
    # No settings to paste, but a model that would do.
    assert "ChatToolEmu(llm=" not in printed + page.partition("<h2>Ways of asking")[0]
    assert "Use a larger model: Qwen2.5-Coder 1.5B" in printed
    assert "right calls: a tool was needed" in printed
    assert "did as well" not in printed
    for way in re.findall(r"^[* ] (force.*?)  +\d of", printed, re.MULTILINE):
        for part in way.split(" + "):
            assert re.search(rf"^(\w+, )*{part}(, \w+)*: ", printed, re.MULTILINE), part


def test_the_page_holds_every_prompt_and_reply_and_runs_nothing(tmp_path):
    """The report is one file with charts, exact prompts and replies, all of it escaped."""
    report = tmp_path / "out.html"
    with ScriptedServer(without_tools(weatherman)) as server:
        check(server, "--cases", "1", "--report", str(report))
    page = report.read_text(encoding="utf-8")
    assert "<meter" in page
    assert "You can call tools." in page
    assert "&lt;script&gt;" in page
    assert "<script" not in page
    assert "http://www" not in page


def page_of(text):
    """A page in which a model, a server and a caller say nothing but this."""
    exchange = SentRequest([{"role": text, "content": text}], {}, "", reply=[text], seconds=0.1)
    trials = [Trial(text), Trial(text, (text, {"a": text}))]
    attempts = [Attempt(trial, False, text, [exchange]) for trial in trials]
    findings = Findings(text, Support("none", text), [Result(text, {}, attempts)], text, text)
    return write_page(findings, Advice(text, text, text))


def test_a_reader_that_leaves_ends_the_check_in_silence(monkeypatch, capsys):
    """As in `toolemu check | head`: no traceback, and the exit code that shells give for a closed pipe."""
    reader, writer = os.pipe()
    os.close(reader)
    with ScriptedServer(obey) as server, os.fdopen(writer, "w") as out:
        monkeypatch.setattr(sys, "stdout", out)
        arguments = ["check", "--cases", "1", "--model", "openai:m", "--base-url", server.base_url]
        assert toolemu(arguments) == 141
    assert "Traceback" not in capsys.readouterr().err


def test_failures_are_counted_and_open(tmp_path):
    """A reader sees at once which ways failed, what was wanted and what came instead."""
    report = tmp_path / "check_report.html"
    with ScriptedServer(without_tools(weatherman)) as server:
        check(server, "--cases", "1", "--report", str(report))
    page = report.read_text()
    assert "<b>force + json</b> all passed" in page
    assert '<details open><summary><b>force + fenced</b> <span class="failed">1 of 1 failed' in page
    assert escape("get_weather({'city': 'Paris'})") in page


def test_no_word_of_a_model_or_a_server_is_markup():
    """Wherever a page shows what somebody else wrote, it shows it as text: its tags stay the same."""
    evil = f"{SCRIPT}<img src=x onerror=alert(1)>\"'&</pre></details>"
    assert escape(evil) in page_of(evil)
    assert re.findall("<[^>]*>", page_of(evil)) == re.findall("<[^>]*>", page_of("good"))


def test_the_lines_to_paste_import_what_they_use(capsys):
    """They run as they are printed."""
    with ScriptedServer(without_tools(weatherman)) as server:
        check(server, "--cases", "1")
    namespace = {}
    exec(pasted_from(capsys.readouterr().out), namespace)
    assert namespace["llm"].mode == "force"


def test_time_is_estimated_and_a_small_sample_is_called_one(capsys):
    """A user knows before what it will take, and after what it is worth."""
    with ScriptedServer(without_tools(weatherman)) as server:
        check(server, "--cases", "1")
    said = capsys.readouterr()
    assert re.search(r"Up to 10 questions, about 1 s.*Ctrl-C ends it", said.err)
    assert "Caution: the sample is small. 1 of 1 right (95 % interval: 21-100 %)" in said.out


@pytest.mark.parametrize(("seconds", "words"), [(0.1, "1 s"), (89, "89 s"), (200, "3 min")])
def test_a_time_is_as_exact_as_it_is_worth(seconds, words):
    """Seconds, or minutes."""
    assert format_seconds(seconds) == words
    assert words in estimate(1, seconds)


@pytest.fixture
def interruptible():
    """Ctrl-C raises: a process that was started in the background ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


NOTHING = "Stopped before any way of asking was measured."
STOPS = [
    (1, NOTHING, ""),  # in the greeting
    (2, f"Stopping ...\n\n{NOTHING}", ""),  # in the probe
    (3, f"Stopping ...\n\n{NOTHING}", "Native tool calling: none (the provider said"),
    (5, "Stopping ...", "\n* marks force: the only way that was measured.\n"),
    (7, "Stopping ...", "\n* marks force: more trials passed than in any other way.\n"),
]


@every_row(("number", "said", "kept"), STOPS)
@pytest.mark.usefixtures("interruptible")
def test_ctrl_c_keeps_what_was_measured(number, said, kept, tmp_path, capsys):
    """The table, the line and the report of what there is; exit code 130, and it is said at once that it stops."""
    asked = []

    def interrupted(request):
        asked.append(request)
        if len(asked) == number:
            _thread.interrupt_main()
        return without_tools(weatherman)(request)

    report = tmp_path / "out.html"
    with ScriptedServer(interrupted) as server:
        assert check(server, "--cases", "3", "--report", str(report)) == 130
    printed = capsys.readouterr()
    assert said in printed.err
    assert kept in printed.out
    assert report.exists() == (number > 3)
    if number > 3:
        assert "The check was stopped: this is what was measured until then." in printed.out
        assert re.search(r"\* force[^,].*[12] of 2 ", printed.out)


def test_progress_is_lines_where_there_is_no_terminal(capsys):
    """One for each question, with its number; on a terminal one line, which is written anew."""
    with ScriptedServer(without_tools(weatherman)) as server:
        check(server, "--cases", "1")
        said = capsys.readouterr().err.splitlines()
        assert said[1] == "1/10 native tool calling"
        assert said[2] == f"2/9 force: {TRIALS[0].question}"
        assert re.fullmatch(r"4/9 force \+ quotes: What is .*\?, at most \d+ s", said[4])
        sys.stderr.isatty = lambda: True
        check(server, "--cases", "1")
    assert re.search(r"\r\x1b\[K2/9 force: What.*\n$", capsys.readouterr().err)


@pytest.mark.parametrize(("least", "colour"), [("0", 32), ("1", 31)])
def test_a_terminal_shows_the_verdict_in_colour(least, colour, capsys, monkeypatch):
    """Green for a model that can be used, red for one that cannot."""
    with ScriptedServer(without_tools(lambda _: "No.")) as server:
        monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
        check(server, "--cases", "1", "--least", least)
    assert re.search(rf"\x1b\[{colour}m(Recommended|No way)", capsys.readouterr().out)


def test_a_way_that_cannot_win_is_ended_early(capsys):
    """Where another did better already; `--full` goes on."""

    def only_json(request):
        return SCRIPT if weatherman(request) == SCRIPT else obey(request)

    with ScriptedServer(without_tools(only_json)) as server:
        check(server, "--cases", "3")
        assert re.search(
            r"force \+ fenced \(ended early\) +0 of 1 +not tried", capsys.readouterr().out
        )
        check(server, "--cases", "3", "--full")
        assert re.search(r"force \+ fenced +0 of 2 +1 of 1", capsys.readouterr().out)


@pytest.mark.parametrize("least", ["1.5", "-0.1", "nan", "half"])
def test_a_share_out_of_range_is_refused(least, capsys):
    """Otherwise no model, or every one, would pass."""
    with pytest.raises(SystemExit, match="2"):
        main(["check", "--least", least])
    assert "is not a number from 0 to 1" in capsys.readouterr().err


def test_a_row_to_compare_models_by(capsys):
    """Alone on the standard output: the server, the model, the day, and how it did natively, by default, in text and at best."""
    listing = {
        "data": [
            {
                "id": "scripted",
                "owned_by": "llamacpp",
                "meta": {"n_params": 7_000_000_000, "ftype": "Q4_K_M"},
            }
        ]
    }
    props = {"default_generation_settings": {"n_ctx": 4096}, "build_info": "b6100-abc"}
    pages = {"/v1/models": listing, "/props": props}
    with ScriptedServer(without_tools(weatherman), pages=pages) as server:
        check(server, "--cases", "3", "--markdown")
    said = capsys.readouterr()
    heads, rule, row = said.out.splitlines()
    assert (
        heads
        == "| model | server | quantisation | size | date | native | default | force | best setting |"
    )
    assert rule == "| --- | --- | --- | --- | --- | --- | --- | --- | --- |"
    figures = row.strip("| ").split(" | ")
    assert figures[:4] == ["openai:scripted", "llama.cpp b6100-abc", "Q4_K_M", "7 B"]
    assert re.fullmatch(r"20\d\d-\d\d-\d\d", figures[4])
    assert figures[5:8] == ["0/2 calls, 0/1 left alone", *["1/2 calls, 1/1 left alone"] * 2]
    assert figures[8] == "1/2 calls, 1/1 left alone (force)"
    assert "Recommended: force" in said.err


def test_the_page_says_when_where_and_by_what(tmp_path):
    """Version, date and address; for a phone and for the dark; and no bar for what was not tried."""
    report = tmp_path / "out.html"
    with ScriptedServer(without_tools(weatherman)) as server:
        check(server, "--cases", "1", "--report", str(report))
    page = report.read_text(encoding="utf-8")
    assert f"langchain-toolemu {__version__}. The model is at {server.base_url} (unknown)" in page
    assert re.search(r"\d\d \w+ 20\d\d, \d\d:\d\d UTC", page)
    assert '<meta name="viewport"' in page
    assert "prefers-color-scheme: dark" in page
    assert "0 of 0" not in page
    assert page.count("<meter") == 7


BROWSER = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)


@pytest.mark.more("a browser")
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
    assert "Ways of asking" in shown.stdout
    assert shown.stdout.count("<meter") == 7
    assert picture.stat().st_size > 10_000


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
        toolemu([command, "--model", "openai:x", "--base-url", "localhost:11434/v1"])
    assert "it must begin with http:// or https://" in capsys.readouterr().err


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
        named = ["--model", f"ollama:{server.model}", "--base-url", server.url]
        main(["check", *named, "--cases", "1", "--least", "0"])
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
