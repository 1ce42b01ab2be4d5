"""Deep Agents takes a wrapped model, from a program and from the config of its command."""

import json
import re
import sys
from importlib import import_module
from importlib.util import find_spec, module_from_spec
from pathlib import Path
from types import SimpleNamespace

import pytest
from langchain_core.language_models import BaseChatModel
from langchain_openai import ChatOpenAI

from langchain_toolemu import ChatToolEmu
from langchain_toolemu.chat_models.deep_agents import DeepAgentMiddleware, register
from tests.scripted_ollama import ScriptedOllama
from tests.scripted_server import Reply, ScriptedServer

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

PAGE = Path(__file__).parents[2] / "docs" / "deep-agents.md"
OFFERS = ("entry-points", "gui-scripts", "scripts")
CALL = '```json\n{"name": "write_file", "arguments": {"file_path": "/hello.txt", "content": "hello"}}\n```'


def model_of_the_config(base_url):
    """The model of the page's config, created as Deep Agents Code does: imported, and called with `model` and the rest."""
    (text,) = re.findall(r"```toml\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    models = tomllib.loads(text)["models"]
    provider, _, name = models["default"].partition(":")
    module, _, class_name = models["providers"][provider]["class_path"].partition(":")
    made = getattr(import_module(module), class_name, None)
    assert issubclass(made, BaseChatModel)
    assert name in models["providers"][provider]["models"]
    return made(model=name, base_url=base_url)


def write_file(file_path: str, content: str) -> str:
    """Write a file."""
    return f"{len(content)} characters in {file_path}"


def test_the_class_of_the_config_is_created_as_deep_agents_code_does():
    """The class path leads to a chat model that takes a name and an address, and needs no key on one's own machine."""
    with ScriptedServer([CALL]) as server:
        message = model_of_the_config(server.base_url).bind_tools([write_file]).invoke("Write.")
    assert [call["name"] for call in message.tool_calls] == ["write_file"]


def test_a_deep_agent_runs_a_call_that_the_model_wrote_as_text():
    """The call runs, and the answer after its result ends the agent."""
    deepagents = pytest.importorskip("deepagents", reason="deepagents is not installed: pip install deepagents")  # fmt: skip
    with ScriptedServer([CALL, "The file is written."]) as server:
        agent = deepagents.create_deep_agent(model=model_of_the_config(server.base_url))
        messages = agent.invoke({"messages": [("user", "Write hello into hello.txt")]})["messages"]
    assert [message.type for message in messages] == ["human", "ai", "tool", "ai"]
    assert messages[-1].text == "The file is written."


def get_weather(city: str) -> str:
    """Get the weather of a city."""
    return f"22 degrees in {city}"


def weatherman(request):
    """A model that writes its call as text, and answers after the result."""
    if "22 degrees in" in str(request["messages"]):
        return "It is 22 degrees."
    return '{"name": "get_weather", "arguments": {"city": "Paris"}}'


WINDOW = 12_000  # tokens of four characters


def reader_of_pages(log, *, has_tools):
    """llama.cpp with a small window, whose model reads eight pages and is done."""
    numbers = iter(range(1, 9))

    def answer(request):
        count = len(json.dumps([request["messages"], request.get("tools")])) // 4
        if count > WINDOW:
            log.append("overflow")
            words = f"request ({count} tokens) exceeds the available context size ({WINDOW} tokens), try increasing it"
            sizes = {"n_prompt_tokens": count, "n_ctx": WINDOW}
            error = {"code": 400, "message": words, "type": "exceed_context_size_error", **sizes}
            return Reply(status=400, body={"error": error})
        if "tools" in request and not has_tools:
            words = "tools param requires --jinja flag"
            return Reply(status=500, body={"error": {"code": 500, "message": words}})
        if "Context Extraction Assistant" in str(request["messages"]):
            log.append("summary")
            return "A summary."
        if not (number := next(numbers, None)):
            return "All pages are read."
        call = {"name": "read_page", "arguments": {"number": number}}
        return Reply(tool_calls=[tuple(call.values())]) if "tools" in request else json.dumps(call)

    return answer


@pytest.mark.parametrize("mode", ["fallback", "force"])
@pytest.mark.parametrize("has_tools", [True, False])
@pytest.mark.parametrize("tells_window", [True, False])
def test_a_run_that_outgrows_the_window_is_compacted(tells_window, has_tools, mode):
    """Before the server refuses it where the window is known, else after its error; the run comes to its end."""
    deepagents = pytest.importorskip("deepagents", reason="deepagents is not installed: pip install deepagents")  # fmt: skip

    def read_page(number: int) -> str:
        """Read a page."""
        return f"Page {number}: " + "word " * 4_000

    log = []
    pages = {"/props": {"default_generation_settings": {"n_ctx": WINDOW}}} if tells_window else {}
    with ScriptedServer(reader_of_pages(log, has_tools=has_tools), pages=pages) as server:
        llm = ChatToolEmu(server.chat_model(max_retries=0), mode=mode)
        agent = deepagents.create_deep_agent(model=llm, tools=[read_page])
        asked = {"messages": [("user", "Read the pages from 1 to 8.")]}
        result = agent.invoke(asked, {"recursion_limit": 200})
    assert result["messages"][-1].text == "All pages are read."
    assert "summary" in log
    assert ("overflow" in log) is not tells_window


@pytest.fixture
def registered(monkeypatch):
    """Deep Agents with our profile, as a program registers it that calls the function."""
    deepagents = pytest.importorskip("deepagents", reason="deepagents is not installed: pip install deepagents")  # fmt: skip
    profiles = import_module("deepagents.profiles.harness.harness_profiles")
    profiles.get_harness_profile("ollama") if hasattr(profiles, "get_harness_profile") else None
    monkeypatch.setattr(profiles, "_HARNESS_PROFILES", {})
    register()
    return deepagents


def test_a_deep_agent_on_ollama_calls_tools_once_the_profile_is_registered(registered, monkeypatch):
    """The program names a model and a tool, and no class of ours."""
    with ScriptedOllama(weatherman, capabilities=["completion"]) as server:
        monkeypatch.setenv("OLLAMA_HOST", server.url)
        agent = registered.create_deep_agent(model=f"ollama:{server.model}", tools=[get_weather])
        asked = {"messages": [("user", "What is the weather in Paris?")]}
        messages = agent.invoke(asked)["messages"]
    assert [one.type for one in messages] == ["human", "ai", "tool", "ai"]


@pytest.mark.parametrize(("address", "wrapped"), [("http://127.0.0.1:9/v1", True), (None, False)])
def test_only_local_models_of_openais_client_are_wrapped(address, wrapped):
    """A model on its vendor's host stays as it is."""
    model = ChatOpenAI(model="m", base_url=address, api_key="none")
    assert isinstance(DeepAgentMiddleware()._wrap(model), ChatToolEmu) is wrapped


def test_an_installation_offers_a_command_and_nothing_else():
    """No entry point but the command's, under any name."""
    project = tomllib.loads((PAGE.parents[1] / "pyproject.toml").read_text(encoding="utf-8"))
    offered = {key for key in project["project"] if key in OFFERS}
    assert offered == {"scripts"}
    assert list(project["project"]["scripts"]) == ["toolemu"]
    assert not {"entry-points", "gui-scripts", "scripts"} & {*project["project"].get("dynamic", ())}


def test_both_providers_of_local_models_get_the_middleware(monkeypatch):
    """A profile has a provider's name, and a function that makes the middleware."""
    profiles = {}
    stand_in = SimpleNamespace(HarnessProfile=dict, register_harness_profile=profiles.__setitem__)
    monkeypatch.setitem(sys.modules, "deepagents", stand_in)
    register()
    assert sorted(profiles) == ["ollama", "openai"]
    made = [profile["extra_middleware"]() for profile in profiles.values()]
    assert [[type(one) for one in more] for more in made] == [[DeepAgentMiddleware]] * 2


def test_no_import_registers_anything(monkeypatch):
    """Only the function itself needs Deep Agents, and reaches it."""
    monkeypatch.setitem(sys.modules, "deepagents", None)
    spec = find_spec("langchain_toolemu.chat_models.deep_agents")
    anew = module_from_spec(spec)
    spec.loader.exec_module(anew)
    with pytest.raises(ImportError):
        anew.register()
