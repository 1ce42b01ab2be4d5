"""Deep Agents takes a wrapped model, from a program and from the config of its command."""

import re
import sys
from importlib import import_module
from pathlib import Path

import pytest
from langchain_core.language_models import BaseChatModel

from tests.scripted_server import ScriptedServer

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

PAGE = Path(__file__).parents[2] / "docs" / "agents.md"
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
