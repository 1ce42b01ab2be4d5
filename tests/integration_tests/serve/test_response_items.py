"""Items of built-in tools in a Responses client's history: what came of them reaches the model, or is named as left out."""

import json

import pytest

from langchain_toolemu.serve import create_app
from tests.integration_tests.serve.conftest import upstream_model
from tests.integration_tests.serve.wires import RESPONSES, ask
from tests.scripted_server import ScriptedServer

# An item, and the words of it that must not be lost.
ITEMS = {
    "mcp": ({"type": "mcp_call", "id": "mcp_1", "server_label": "notes", "name": "read", "arguments": '{"page": 7}', "output": "The mcp finding."}, ["read", '{"page": 7}', "The mcp finding."]),
    "mcp, failed": ({"type": "mcp_call", "id": "mcp_1", "name": "read", "arguments": "{}", "error": "No such page."}, ["No such page."]),
    "code": ({"type": "code_interpreter_call", "id": "ci_1", "code": "print(6*7)", "outputs": [{"type": "logs", "logs": "It is 42."}]}, ["print(6*7)", "It is 42."]),
    "file search": ({"type": "file_search_call", "id": "fs_1", "status": "completed", "queries": ["tides"], "results": [{"file_id": "file_1", "text": "High water at noon."}]}, ["tides", "High water at noon."]),
    "shell": ({"type": "shell_call", "call_id": "c1", "action": {"commands": ["ls -l"]}}, ["ls -l"]),
    "shell output": ({"type": "shell_call_output", "call_id": "c1", "output": [{"stdout": "notes.txt", "stderr": ""}]}, ["notes.txt"]),
    "local shell": ({"type": "local_shell_call", "call_id": "c2", "action": {"type": "exec", "command": ["cat", "notes.txt"]}}, ["notes.txt"]),
    "web search": ({"type": "web_search_call", "id": "ws_1", "action": {"type": "search", "query": "tides today"}}, ["tides today"]),
    "image": ({"type": "image_generation_call", "id": "ig_1", "result": "iVBORw0KGgo=", "revised_prompt": "A cat."}, ["A cat."]),
}  # fmt: skip
# Items without words.
NAMED = {
    "tools of a server": {"type": "mcp_list_tools", "id": "l_1", "server_label": "n", "tools": []},
    "an image alone": {"type": "image_generation_call", "id": "ig_1", "result": "iVBORw0KGgo="},
    "a search without an action": {"type": "web_search_call", "id": "ws_1", "status": "completed"},
}


async def sent_with(item):
    question = {"role": "user", "content": "Go on."}
    with ScriptedServer(["Yes."]) as upstream:
        app = create_app(upstream_model(upstream))
        response = await ask(app, RESPONSES, input=[item, question], tools=[])
        assert response.status_code == 200, response.text
        return response, json.dumps(upstream.requests[0]["messages"])


@pytest.mark.parametrize(("item", "words"), ITEMS.values(), ids=ITEMS)
async def test_what_a_built_in_tool_found_reaches_the_model(item, words):
    """Its call and its output are words of the conversation, and nothing is named as left out."""
    response, sent = await sent_with(item)
    assert [word for word in words if json.dumps(word)[1:-1] not in sent] == []
    assert "iVBORw0KGgo" not in sent
    assert "x-toolemu-dropped" not in response.headers


@pytest.mark.parametrize("item", NAMED.values(), ids=NAMED)
async def test_an_item_of_which_nothing_is_sent_is_named(item):
    """The header says which."""
    response, _ = await sent_with(item)
    assert response.headers["x-toolemu-dropped"] == f"input.{item['type']}"
