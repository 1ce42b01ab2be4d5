"""Agents whose model calls tools that are not bound: none ends silent or runs a withheld one."""

import json
import warnings

import pytest
from langchain.agents import create_agent
from langchain.agents.middleware import wrap_model_call
from langchain_core.messages import ToolMessage

from langchain_toolemu import ChatToolEmu, ToolEmuMiddleware, ToolEmuWarning
from tests.integration_tests.test_agents import WAYS
from tests.own_tools import OwnTools, Said
from tests.scripted_server import Reply, ScriptedServer, without_tools
from tests.tables import every_row
from tests.weather import find_city, get_weather

ANSWER = "I cannot plan, but it is mild."
WRITTEN = json.dumps({"name": "write_todos", "arguments": {"todos": ["look"]}})


def planner(request, says=ANSWER):
    """A model that plans as long as tools are offered, natively or in text; then it answers."""
    if "tools" in request:
        return Reply(tool_calls=[("write_todos", {"todos": [str(len(request["messages"]))]})])
    return WRITTEN if "find_city" in str(request["messages"]) else says


def run(agent, way):
    """The messages of a run, and what Python warned of."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        messages = way(agent.with_config(recursion_limit=12))
    return messages, [str(one.message) for one in told if one.category is ToolEmuWarning]


MADE = {
    "fallback": lambda model: (ChatToolEmu(model), []),
    "force": lambda model: (ChatToolEmu(model, mode="force"), []),
    "the middleware": lambda model: (model, [ToolEmuMiddleware()]),
}


@pytest.mark.pairwise
@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
@pytest.mark.parametrize("refuses", [False, True])
@pytest.mark.parametrize("made", MADE)
def test_three_wrong_names_end_in_an_answer(made, refuses, way):
    """The model was told which tools there are, and asked for the answer without them at last."""
    with ScriptedServer(without_tools(planner) if refuses else planner) as server:
        model, middleware = MADE[made](server.chat_model())
        messages, _ = run(create_agent(model, [find_city, get_weather], middleware=middleware), way)
        requests = [str(request) for request in server.requests]
    assert messages[-1].text == ANSWER
    assert not [one for one in messages if one.type == "ai" and one.tool_calls]
    told = [one for one in requests if "cannot be called" in one]
    assert told
    assert all("find_city" in one and "get_weather" in one for one in told)
    assert "find_city" not in requests[-1]


@pytest.mark.pairwise
@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
@pytest.mark.parametrize("says", ["", WRITTEN], ids=["nothing", "the same"])
@pytest.mark.parametrize("made", MADE)
def test_an_agent_that_ends_without_an_answer_says_which_tool_was_called(made, says, way):
    """By a warning of Python's, and by a code in the last message's report."""
    with ScriptedServer(lambda request: planner(request, says)) as server:
        model, middleware = MADE[made](server.chat_model())
        messages, told = run(
            create_agent(model, [find_city, get_weather], middleware=middleware), way
        )
    assert (messages[-1].text, messages[-1].tool_calls) == ("", [])
    assert [one for one in told if "write_todos" in one and "find_city, get_weather" in one]
    report = messages[-1].response_metadata["toolemu"]
    assert "unknown_tool" in report["warning_codes"]
    assert any("write_todos" in one for one in report["warnings"])


PROTOCOLS = ["completions", "responses", "anthropic", "ours completions", "ours responses"]
RUN = []


def delete_all() -> str:
    """Delete everything."""
    RUN.append("delete_all")
    return "done"


@wrap_model_call
def withhold(request, handler):
    """The agent's tool node holds the tool, and this request does not offer it."""
    offered = [one for one in request.tools if one.name != "delete_all"]
    return handler(request.override(tools=offered))


@every_row("protocol", PROTOCOLS)
@pytest.mark.parametrize("way", ["invoke", "stream"])
@pytest.mark.parametrize("insists", [False, True])
def test_a_withheld_tool_is_not_run_through_any_provider(protocol, way, insists):
    """A tool node runs all that it holds, so no call of a tool that was not offered reaches it."""
    RUN.clear()
    numbers = range(3 if insists else 1)
    wrong = [Said(calls=[("delete_all", {"number": number})]) for number in numbers]
    right = [] if insists else [Said(calls=[("get_weather", {"city": "Paris"})])]
    with OwnTools([*wrong, *right, Said(ANSWER)]) as server:
        model = server.chat_model(protocol)
        model = model if protocol.startswith("ours") else ChatToolEmu(model)
        agent = create_agent(model, [get_weather, delete_all], middleware=[withhold])
        agent = agent.with_config(recursion_limit=12)
        asked = {"messages": [("user", "Tidy up.")]}
        if way == "invoke":
            messages = agent.invoke(asked)["messages"]
        else:
            messages = list(agent.stream(asked, stream_mode="values"))[-1]["messages"]
    assert messages[-1].text == ANSWER
    assert RUN == []
    results = [one.name for one in messages if isinstance(one, ToolMessage)]
    assert results == ([] if insists else ["get_weather"])


@pytest.mark.parametrize("mode", ["fallback", "force"])
def test_a_withheld_tool_is_not_run_where_it_is_written_as_text(mode):
    """Nor in text, rescued or emulated."""
    RUN.clear()
    written = '<tool_call>{"name": "delete_all", "arguments": {}}</tool_call>'
    with ScriptedServer([written] * 3 + [ANSWER]) as server:
        model = ChatToolEmu(server.chat_model(), mode=mode)
        agent = create_agent(model, [get_weather, delete_all], middleware=[withhold])
        agent = agent.with_config(recursion_limit=12)
        assert agent.invoke({"messages": [("user", "Tidy up.")]})["messages"][-1].text == ANSWER
    assert RUN == []
