"""`toolemu chat` and `toolemu demo`: on scripted servers, and once on the embedded model."""

import io
import signal
import subprocess
import sys
import time

import pytest

from langchain_toolemu import __version__
from langchain_toolemu.commands.demo import own_name
from langchain_toolemu.commands.main import main
from langchain_toolemu.commands.wait_notice import wait_notice
from langchain_toolemu.local import LocalModelError
from tests.obedient_model import obey
from tests.scripted_server import Reply, ScriptedServer, slowly, without_tools
from tests.weather import CALL

TOOLS = '''
def get_weather(city: str) -> str:
    """Get the weather of a city."""
    return f"22 degrees in {city}"

def fail(city: str) -> str:
    """Get the weather of a city."""
    raise OSError("no network")

def bare(city):
    return city

nothing = 3
'''


@pytest.fixture(autouse=True)
def _environment(monkeypatch, tmp_path):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    (tmp_path / "own_tools.py").write_text(TOOLS)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", [*sys.path])
    monkeypatch.delitem(sys.modules, "own_tools", raising=False)


def chat(server, said, *options, monkeypatch):
    """Say something to a scripted server's model."""
    monkeypatch.setattr("sys.stdin", io.StringIO(said))
    return main(["chat", "--model", "openai:scripted", "--base-url", server.base_url, *options])


class Terminal(io.StringIO):
    """A person's terminal."""

    def isatty(self):
        return True


def test_calls_results_and_words_are_shown(monkeypatch, capsys):
    """A conversation of two questions: what was called, what came of it, and what the model said."""
    said = "What is the weather in Paris?\n\nHello!\n"
    with ScriptedServer(without_tools(obey)) as server:
        assert chat(server, said, "--tools", "own_tools:get_weather", monkeypatch=monkeypatch) == 0
        assert "22 degrees in Paris" in str(server.requests[-1]["messages"])
    shown = capsys.readouterr().out
    assert "call:   get_weather(city='Paris')" in shown
    assert "result: 22 degrees in Paris" in shown
    assert "you: Hello!" in shown
    assert "answer: The tool says: 22 degrees in Paris" in shown
    assert "answer: Hello there." in shown
    assert shown.count("does not support tools") == 1  # one line for one fact


def test_a_re_ask_is_shown_when_it_happens(monkeypatch, capsys):
    """Between what was wrong and what is right."""
    script = ['{"name": "get_weather", "arguments": {}}', CALL, "Fine."]
    with ScriptedServer(script) as server:
        options = ("--mode", "force", "--tools", "own_tools:get_weather")
        assert chat(server, "Weather in Paris?\n", *options, monkeypatch=monkeypatch) == 0
    shown = capsys.readouterr().out
    assert shown.index("asked again: ") < shown.index("call:   get_weather") < shown.index("Fine.")


def test_a_turn_without_call_and_answer_says_so(monkeypatch, capsys):
    """A call of a tool that there is not is told, and so is that no answer came."""
    with ScriptedServer(lambda _: CALL) as server:
        options = ("--mode", "force", "--tools", "own_tools:fail")
        assert chat(server, "Weather in Paris?\n", *options, monkeypatch=monkeypatch) == 0
    shown = capsys.readouterr().out
    assert "(not made: a call of get_weather: no bound tool is named 'get_weather')" in shown
    assert shown.endswith("(the model gave no answer)\n")


def test_a_tool_without_docstring_is_offered_with_the_librarys_warning(monkeypatch, capsys):
    """The same words as in a program, once."""
    with ScriptedServer(without_tools(obey)) as server:
        assert chat(server, "Hello!\nHello!\n", "--tools", "own_tools:bare", monkeypatch=monkeypatch) == 0  # fmt: skip
    shown = capsys.readouterr().out
    assert shown.count("The tool 'bare' has no description and no type for 'city', so a model has to guess") == 1  # fmt: skip


def test_a_tool_that_fails_is_told_to_the_model(monkeypatch, capsys):
    """A failure is a result like any other."""
    call = CALL.replace("get_weather", "fail")
    with ScriptedServer([call, "It does not work."]) as server:
        options = ("--mode", "force", "--tools", "own_tools:fail")
        assert chat(server, "Weather in Paris?\n", *options, monkeypatch=monkeypatch) == 0
        assert "no network" in str(server.requests[-1]["messages"])
    assert "failed: OSError: no network" in capsys.readouterr().out


def test_a_model_that_only_calls_is_stopped(monkeypatch, capsys):
    """Rather than let it go on for ever."""
    with ScriptedServer(lambda _: Reply(tool_calls=[("add", {"a": 1, "b": time.time_ns()})])) as server:  # fmt: skip
        assert chat(server, "Hi\n", "--mode", "off", monkeypatch=monkeypatch) == 0
        assert len(server.requests) == 10
    assert "10 times in a row" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("tools", "words"),
    [
        ("own_tools", "write module:function"),
        ("own_tools:gone", "has no attribute 'gone'. Name a function"),
        ("own_tools:get_wether", "has no attribute 'get_wether'. Name a function"),
        ("gone:gone", "No module named 'gone'. Name a function of a module"),
        ("own_tools:nothing", "cannot be a tool"),
    ],
)
def test_a_tool_that_cannot_be_had_is_said(tools, words, monkeypatch, capsys):
    """Exit code 3, and no traceback."""
    with ScriptedServer([]) as server:
        assert chat(server, "", "--tools", tools, monkeypatch=monkeypatch) == 3
    assert words in capsys.readouterr().err


def test_a_server_that_is_not_there_is_said(monkeypatch, capsys):
    """For a script that is the end; a person is told, and may try again."""
    address = ["--model", "openai:x", "--base-url", "http://127.0.0.1:9/v1"]
    monkeypatch.setattr("sys.stdin", io.StringIO("Hi\n"))
    assert main(["chat", *address]) == 3
    assert "cannot be reached" in capsys.readouterr().err
    monkeypatch.setattr("sys.stdin", Terminal("Hi\n"))
    assert main(["chat", *address]) == 0
    assert "Your question was removed" in capsys.readouterr().out


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent otherwise there")
def test_ctrl_c_ends_it_in_the_middle_of_an_answer():
    """Where nobody sits at a prompt: exit code 0, the words so far, and no traceback."""
    words = slowly(["word "] * 400, 0.05)
    with ScriptedServer(lambda _: Reply(words)) as server:
        line = [sys.executable, "-m", "langchain_toolemu", "chat", "--mode", "off"]
        running = subprocess.Popen(
            [*line, "--model", "openai:scripted", "--base-url", server.base_url],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        running.stdin.write("Hi\n")
        running.stdin.flush()
        assert running.stdout.readline().startswith("Tools: current_time, add")
        assert running.stdout.readline() == "Try: What time is it?\n"
        assert [running.stdout.readline() for _ in range(2)] == ["\n", "you: Hi\n"]
        assert "answer: word" in running.stdout.read(20)
        running.send_signal(signal.SIGINT)
        _, told = running.communicate(timeout=30)
    assert running.returncode == 0
    assert told == ""


def test_a_line_now_and_then(monkeypatch, capsys):
    """At once what is waited for, and then that it still is, ever more seldom."""
    monkeypatch.setattr("langchain_toolemu.commands.wait_notice.SECONDS", 0.01)
    with wait_notice("loading"):
        time.sleep(0.2)
    told = capsys.readouterr().err
    assert told.startswith("Loading ...\n... still loading (0 s)\n")
    assert told.count("still") <= 4


def test_without_a_command_the_help_is_shown(capsys):
    """It names the commands; an unknown option is an error all the same."""
    assert main([]) == 0
    assert "doctor" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        main(["--nonsense"])
    assert "--nonsense is not known" in capsys.readouterr().err


def test_the_version_is_said(capsys):
    """As other commands do."""
    with pytest.raises(SystemExit, match="0"):
        main(["--version"])
    assert capsys.readouterr().out == f"toolemu {__version__}\n"


def test_help_loads_nothing_heavy():
    """Whoever asks for help, or misspells a command, does not wait for LangChain."""
    code = (
        "import sys\n"
        "from langchain_toolemu.commands.main import main\n"
        "try: main(['check', '--help'])\n"
        "except SystemExit: pass\n"
        "print([name for name in ('langchain_core', 'pydantic', 'httpx') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.endswith("[]\n")


def test_a_demo_without_its_model_says_what_to_install(monkeypatch, capsys):
    """Exit code 3, and the line to run."""

    def missing():
        raise LocalModelError("run `pip install ...`")

    monkeypatch.setattr("langchain_toolemu.local.LocalServer", missing)
    assert main(["demo"]) == 3
    assert "pip install" in capsys.readouterr().err


def test_the_demo_names_itself_as_it_can_be_called(monkeypatch, tmp_path):
    """`make demo` runs it from an environment that the shell does not know."""
    here = tmp_path / ".venv" / "bin"
    here.mkdir(parents=True)
    script = here / "toolemu"
    script.touch(0o755)
    monkeypatch.setattr(sys, "executable", str(here / "python"))
    monkeypatch.setenv("PATH", "")
    assert own_name() == str(script.relative_to(tmp_path))
    monkeypatch.setenv("PATH", str(here))
    assert own_name() == "toolemu"


class _Embedded:
    """In place of the embedded model's server, a scripted one."""

    def __init__(self, server):
        self.chat_model = server.chat_model

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass


def test_the_demo_shows_a_model_without_and_with_tools(monkeypatch, capsys):
    """Alone it answers in words; wrapped it calls, and answers with the result; at last it changes something."""

    def ignores_tools(request):
        last = str(request["messages"][-1]["content"])
        if "Your reply was empty" in last:
            return "Milk is on the list."
        if "Add milk" in last:
            call = '{"name": "add_to_shopping_list", "arguments": {"item": "milk"}}'
            return "" if "tool_response" in last else call
        return "It is a lot." if "tools" in request else obey(request)

    with ScriptedServer(ignores_tools) as server:
        monkeypatch.setattr("langchain_toolemu.local.LocalServer", lambda: _Embedded(server))
        assert main(["demo"]) == 0
    alone, rest = capsys.readouterr().out.split("2. ChatToolEmu")
    wrapped, agent = rest.split("3. An agent")
    assert "answer: It is a lot." in alone
    assert "(1 request, " in alone
    assert 'model wrote: {"name": "add", "arguments": {"a": 1234, "b": 4321}}' in wrapped.replace("```json ", "").replace(" ```", "")  # fmt: skip
    assert wrapped.index("model wrote:") < wrapped.index("call:   add(a=1234, b=4321)")
    assert wrapped.count("model wrote:") == 2  # the answer, too, is the model's own
    assert "result: 5555" in wrapped
    assert "'path': 'emulated'" in wrapped
    assert "call:   add_to_shopping_list(item='milk')" in agent
    assert "model wrote: (nothing)\n  (asked again: re-ask 1 (contract: empty_reply))\n" in agent
    assert agent.index("(asked again") < agent.index("answer: Milk is on the list.")
    assert "The shopping list now: ['bread', 'milk']" in agent


@pytest.mark.model
@pytest.mark.more("time: the demo on the model, as a process of its own")
def test_the_demo_on_the_embedded_model():
    """What a new user sees first."""
    line = [sys.executable, "-m", "langchain_toolemu", "demo"]
    done = subprocess.run(line, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr
    assert "result: 5555" in done.stdout
    assert "The shopping list now: ['bread', 'Milk']" in done.stdout


@pytest.mark.model
@pytest.mark.more("time: the chat on the model, as a process of its own")
def test_the_first_question_on_the_embedded_model():
    """What `toolemu chat` proposes leads to a call."""
    line = [sys.executable, "-m", "langchain_toolemu", "chat"]
    said = "What time is it?\n/quit\n"
    done = subprocess.run(
        line, input=said, capture_output=True, text=True, timeout=600, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "Try: What time is it?" in done.stdout
    assert "call:   current_time()" in done.stdout
