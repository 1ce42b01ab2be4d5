"""Anthropic's tools that the client runs itself, by its own SDK, on models that do not know their types."""

import json

import anthropic
import pytest
from anthropic.lib.tools import BetaAbstractMemoryTool

from tests.gateway import gateway
from tests.integration_tests.serve.conftest import MODELS, NAME, in_modes, upstream_model
from tests.scripted_server import Reply, ScriptedServer

ASK = {"model": NAME, "max_tokens": 100, "messages": [{"role": "user", "content": "List a.txt."}]}
EDITOR = "str_replace_based_edit_tool"
TOOLS = {
    "bash": ({"type": "bash_20250124", "name": "bash"}, {"command": "ls"}),
    "old editor": (
        {"type": "text_editor_20250124", "name": "str_replace_editor"},
        {"command": "undo_edit", "path": "/a.txt"},
    ),
    "editor": (
        {"type": "text_editor_20250728", "name": EDITOR, "max_characters": 1000},
        {"command": "insert", "path": "/a.txt", "insert_line": 0, "insert_text": "b"},
    ),
    "memory": (
        {"type": "memory_20250818", "name": "memory"},
        {"command": "rename", "old_path": "/memories/a", "new_path": "/memories/b"},
    ),
}


def in_text(name, args):
    return f"<tool_call>{json.dumps({'name': name, 'arguments': args})}</tool_call>"


@pytest.fixture
def served(monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with (
        ScriptedServer() as upstream,
        gateway(in_modes(upstream_model(upstream)), default=NAME) as server,
        anthropic.Anthropic(base_url=server.url, api_key="x", max_retries=0) as client,
    ):
        yield client, upstream


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize("mode", ["fallback", "force"])
def test_they_are_offered_and_called_by_their_names(served, mode, stream):
    """With what they take: natively as functions, and in text; nothing is named as left out."""
    client, upstream = served
    for tool, args in TOOLS.values():
        said = Reply(tool_calls=[(tool["name"], args)])
        upstream.play([said if mode == "fallback" else in_text(tool["name"], args)])
        ask = {**ASK, "tools": [tool], "model": MODELS[mode]}
        if stream:
            with client.messages.stream(**ask) as events:
                message = events.get_final_message()
        else:
            raw = client.messages.with_raw_response.create(**ask)
            message = raw.parse()
            assert "x-toolemu-dropped" not in raw.headers
        (call,) = [block for block in message.content if block.type == "tool_use"]
        assert (call.name, call.input, message.stop_reason) == (tool["name"], args, "tool_use")
        (sent,) = upstream.requests
        assert all(name in json.dumps(sent) for name in args)
        assert ("tools" in sent) == (mode == "fallback")


def test_one_can_be_demanded_next_to_functions_and_server_tools(served):
    """Only what the provider would run is left out."""
    client, upstream = served
    upstream.play([Reply(tool_calls=[("bash", {"command": "ls"})])])
    own = {"name": "add", "input_schema": {"type": "object", "properties": {}}}
    search = {"type": "web_search_20250305", "name": "web_search"}
    raw = client.messages.with_raw_response.create(
        **ASK,
        tools=[own, search, TOOLS["bash"][0]],
        tool_choice={"type": "tool", "name": "bash"},
    )
    assert raw.headers["x-toolemu-dropped"] == "tools.web_search"
    (sent,) = upstream.requests
    assert [one["function"]["name"] for one in sent["tools"]] == ["add", "bash"]
    assert raw.parse().content[0].name == "bash"


class Memory(BetaAbstractMemoryTool):
    """A memory that only says what it was told."""

    def view(self, command):
        return f"viewed {command.path}"

    create = str_replace = insert = delete = rename = view


def test_the_sdk_runs_its_memory_tool(served):
    """The tool runner calls it, and the model is told the result."""
    client, upstream = served
    view = {"command": "view", "path": "/memories"}
    upstream.play([Reply(tool_calls=[("memory", view)]), "Nothing there."])
    runner = client.beta.messages.tool_runner(**ASK, tools=[Memory()])
    assert runner.until_done().content[0].text == "Nothing there."
    assert "viewed /memories" in json.dumps(upstream.requests[-1]["messages"])
