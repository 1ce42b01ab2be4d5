"""A tool's mark is ours: bound with the tool, part of its key, and never sent."""

import pytest

from langchain_toolemu import ChatToolEmu
from langchain_toolemu.tools import read_tools, to_openai_tools
from langchain_toolemu.tools.specs import ToolSetCache
from tests.essence import calls
from tests.scripted_server import Reply, ScriptedServer
from tests.toy_models import Binding, TakesAnyTool
from tests.unit_tests.policy.test_tool_kinds import SCHEMA, dict_tool, langchain_tool
from tests.ways import WAYS, ask

MARKED = {
    "a LangChain tool": langchain_tool({"acts": True}),
    "a tool of an MCP server": langchain_tool({"readOnlyHint": False, "destructiveHint": True}),
    "a dict": dict_tool({"acts": True}),
    "a dict in Anthropic's form": {"name": "flowers", "description": "The flowers.",
        "input_schema": SCHEMA, "acts": True},
}  # fmt: skip


@pytest.mark.parametrize("tool", MARKED.values(), ids=MARKED)
def test_a_binding_keeps_the_mark_beside_the_tool(tool):
    """Not in the function, where a provider would read it."""
    bound = ChatToolEmu(Binding(said=["Hi."])).bind_tools([tool])
    [kept] = bound.kwargs["tools"]
    assert kept["acts"] is True
    assert "acts" not in kept["function"]


@pytest.mark.parametrize("form", [langchain_tool, dict_tool])
def test_the_mark_is_part_of_the_tool_set_s_key(form):
    """Marked, denied and not marked are three tool sets, in the cache too."""
    bound = [to_openai_tools([form(marks)]) for marks in ({"acts": True}, {"acts": False}, {})]
    assert len({read_tools(tools).content for tools in bound}) == 3
    cache = ToolSetCache()
    found = [cache.read_functions(tools).exact("flowers").acts for tools in bound * 2]
    assert found == [True, False, None] * 2


@pytest.mark.parametrize(
    ("tool", "mode"),
    [
        *((tool, mode) for tool in MARKED for mode in ("fallback", "force")),
        *((tool, "off") for tool in MARKED if tool != "a dict"),
        ("a dict", "off"),
    ],
)
def test_the_mark_is_not_sent(tool, mode):
    """Neither natively nor in text does a server hear of it, asked in any way."""
    reply = Reply(tool_calls=[("flowers", {"minutes": 5})])
    text = '{"name": "flowers", "arguments": {"minutes": 5}}'
    with ScriptedServer(lambda request: text if mode == "force" else reply) as server:
        llm = ChatToolEmu(server.chat_model(), mode=mode).bind_tools([MARKED[tool]])
        said = [ask(llm, "Flowers, 5 minutes.", way) for way in WAYS]
        assert all(b"flowers" in body for body in server.bodies)
        assert not any(b"acts" in body or b"Hint" in body for body in server.bodies)
    assert [calls(message) for message in said] == [[("flowers", {"minutes": 5})]] * 4


@pytest.mark.parametrize("model", [Binding, TakesAnyTool])
def test_a_model_s_own_binding_does_not_get_the_mark(model):
    """Nor does one that binds dicts as they come."""
    inner = model(said=["Hi."])
    ChatToolEmu(inner).bind_tools([dict_tool({"acts": True})]).invoke("Flowers?")
    natively = [kwargs["tools"] for *_, kwargs in inner.heard if "tools" in kwargs]
    assert [tool["function"]["name"] for [tool] in natively] == ["flowers"]
    assert "acts" not in str(natively)


@pytest.mark.parametrize("mode", ["fallback", "off"])
def test_tools_of_a_single_call_are_not_sent_with_the_mark(mode):
    """Tools that are given with the question, not bound, are no exception."""
    with ScriptedServer(lambda request: "Hi.") as server:
        llm = ChatToolEmu(server.chat_model(), mode=mode)
        llm.invoke("Flowers?", tools=[dict_tool({"acts": True})])
        assert any("tools" in request for request in server.requests)
        assert not any(b'"acts"' in body for body in server.bodies)
