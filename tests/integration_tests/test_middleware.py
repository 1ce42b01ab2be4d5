"""Agents of `create_agent` with the middleware: emulated loops, LangChain's strategies, and other middleware around it."""

import json
import re

import pytest
from langchain.agents import create_agent
from langchain.agents.middleware import (
    LLMToolSelectorMiddleware,
    ModelFallbackMiddleware,
    ProviderToolSearchMiddleware,
    SummarizationMiddleware,
    TodoListMiddleware,
)
from langchain.agents.structured_output import ProviderStrategy, ToolStrategy
from langchain_core.messages import ToolMessage
from pydantic import BaseModel

from langchain_toolemu import ChatToolEmu, ToolEmuChatOpenAI, ToolEmuMiddleware
from tests.integration_tests.test_agents import ANSWER, QUESTION, WAYS, two_steps
from tests.scripted_ollama import ScriptedOllama
from tests.scripted_server import Reply, ScriptedServer, without_tools
from tests.tables import every_row
from tests.weather import CALL, PARIS, find_city, get_weather


class Weather(BaseModel):
    """The weather of a city."""

    city: str
    degrees: int


def reports(messages):
    """What the messages say of their turns."""
    return [one.response_metadata["toolemu"] for one in messages if one.type == "ai"]


@every_row("way", WAYS)
@pytest.mark.parametrize("mode", ["force", "fallback"])
def test_a_model_without_tools_runs_to_its_answer(mode, way):
    """Two calls, two results, one answer, and the same metadata as with the wrapper."""
    script = two_steps if mode == "force" else without_tools(two_steps)
    with ScriptedServer(script) as server:
        ours = ToolEmuMiddleware(mode=mode)
        agent = create_agent(server.chat_model(), [find_city, get_weather], middleware=[ours])
        messages = way(agent)
    assert messages[-1].text == ANSWER
    results = [one.text for one in messages if isinstance(one, ToolMessage)]
    assert results == ["Paris", "22 degrees in Paris"]
    assert [(one["mode"], one["path"]) for one in reports(messages)] == [(mode, "emulated")] * 3


STRATEGIES = [None, Weather, ToolStrategy(Weather), ProviderStrategy(Weather)]
_ID = re.compile(r"call_[0-9a-f]+")
PARIS_WEATHER = {"city": "Paris", "degrees": 22}


def native_steps(request):
    """A model with tools: it asks for the weather, then answers as it is told to."""
    tools = [tool["function"]["name"] for tool in request.get("tools", ())]
    if request["messages"][-1]["role"] != "tool":
        return Reply(tool_calls=PARIS)
    if "Weather" in tools:
        return Reply(tool_calls=[("Weather", PARIS_WEATHER)])
    return json.dumps(PARIS_WEATHER)


ALIKE = [
    *((form, "scripted", mode, WAYS[0]) for form in STRATEGIES for mode in ("off", "fallback")),
    *((Weather, "gpt-4o", mode, WAYS[0]) for mode in ("off", "fallback")),  # has a strategy by its name
    *((ToolStrategy(Weather), "scripted", "fallback", way) for way in WAYS[1:4]),
]  # fmt: skip


@every_row(("form", "model", "mode", "way"), ALIKE)
def test_a_native_model_is_sent_what_it_would_be_sent_without(form, model, mode, way):
    """Each strategy makes the same requests and the same answer as on the model alone."""
    said = {}
    for name, middleware in {"alone": [], "ours": [ToolEmuMiddleware(mode=mode)]}.items():
        with ScriptedServer(native_steps) as server:
            agent = create_agent(
                server.chat_model(model=model),
                [get_weather],
                middleware=middleware,
                response_format=form,
            )
            messages = way(agent)
            sent = [_ID.sub("id", json.dumps(request)) for request in server.requests]
            said[name] = sent, [(one.type, one.text) for one in messages]
    assert said["ours"] == said["alone"]


@every_row("form", [Weather, ToolStrategy(Weather), ProviderStrategy(Weather)])
@every_row("mode", ["force", "fallback"])
def test_a_model_without_tools_answers_in_every_strategy(form, mode):
    """The answer's form is emulated like a call."""

    def steps(request):
        known = "22 degrees" in str(request["messages"][-1])
        return json.dumps({"name": "Weather", "arguments": PARIS_WEATHER}) if known else CALL

    with ScriptedServer(without_tools(steps)) as server:
        agent = create_agent(
            server.chat_model(),
            [get_weather],
            middleware=[ToolEmuMiddleware(mode=mode)],
            response_format=form,
        )
        state = agent.invoke(QUESTION)
    assert state["structured_response"] == Weather(**PARIS_WEATHER)


def test_a_fallback_model_is_wrapped_too():
    """Last in the list, the middleware wraps whatever model the others have chosen."""
    with ScriptedServer(without_tools(two_steps)) as server:
        broken = ScriptedServer(lambda _: Reply(status=503, body={"error": {"message": "busy"}}))
        with broken:
            agent = create_agent(
                broken.chat_model(),
                [find_city, get_weather],
                middleware=[ModelFallbackMiddleware(server.chat_model()), ToolEmuMiddleware()],
            )
            assert agent.invoke(QUESTION)["messages"][-1].text == ANSWER


def test_a_selector_after_it_asks_the_wrapped_model():
    """First in the list, it also serves middleware that asks the agent's model by itself."""

    def steps(request):
        talk = "\n".join(one["content"] for one in request["messages"])
        if "tool selection" in talk.lower() or "most relevant" in talk.lower():
            return '{"name": "ToolSelectionResponse", "arguments": {"tools": ["get_weather"]}}'
        assert "find_city" not in talk
        return "It is 22 degrees." if "22 degrees" in talk else CALL

    with ScriptedServer(without_tools(steps)) as server:
        agent = create_agent(
            server.chat_model(),
            [find_city, get_weather],
            middleware=[ToolEmuMiddleware(mode="force"), LLMToolSelectorMiddleware(max_tools=1)],
        )
        assert agent.invoke(QUESTION)["messages"][-1].text == "It is 22 degrees."


@every_row(("first", "way"), [(True, WAYS[0]), (False, WAYS[0]), (False, WAYS[3])])
def test_other_middleware_stands_before_or_after_it(first, way):
    """Planning and summaries neither see nor lose anything."""
    with ScriptedServer(without_tools(two_steps)) as server:
        others = [
            TodoListMiddleware(),
            SummarizationMiddleware(server.chat_model(), trigger=("messages", 99)),
        ]
        ours = [ToolEmuMiddleware(mode="force")]
        stack = [*ours, *others] if first else [*others, *ours]
        agent = create_agent(server.chat_model(), [find_city, get_weather], middleware=stack)
        assert way(agent)[-1].text == ANSWER


def test_a_wrapped_model_keeps_its_own_options():
    """Nothing is wrapped twice."""
    with ScriptedServer(two_steps) as server:
        model = ChatToolEmu(server.chat_model(), mode="force")
        agent = create_agent(
            model, [find_city, get_weather], middleware=[ToolEmuMiddleware(mode="off")]
        )
        messages = agent.invoke(QUESTION)["messages"]
    assert {one["mode"] for one in reports(messages)} == {"force"}


def search_steps(request):
    """A model that looks up where Ann lives, by whatever way it is asked."""
    if "Paris" in str(request["messages"]):
        return "In Paris."
    if "tools" not in request:
        return '{"name": "find_city", "arguments": {"person": "Ann"}}'
    assert [tool["type"] for tool in request["tools"]] == ["function"] * 2
    return Reply(tool_calls=[("find_city", {"person": "Ann"})])


SEARCHING = {
    "ChatToolEmu": lambda model: (ChatToolEmu(model), []),
    "force": lambda model: (ChatToolEmu(model, mode="force"), []),
    "ToolEmuChatOpenAI": lambda model: (
        ToolEmuChatOpenAI(**{name: getattr(model, name) for name in model.model_fields_set}),
        [],
    ),
    "the middleware": lambda model: (model, [ToolEmuMiddleware()]),
}


@every_row("made", SEARCHING.values())
@pytest.mark.parametrize("refuses", [False, True])
def test_a_tool_search_that_the_server_lacks_is_left_out(made, refuses):
    """Every tool is offered at once, where LangChain's middleware would have the provider search for them."""
    with ScriptedServer(without_tools(search_steps) if refuses else search_steps) as server:
        model, middleware = made(server.chat_model())
        search = ProviderToolSearchMiddleware(searchable_tools=["find_city"])
        agent = create_agent(model, [find_city, get_weather], middleware=[*middleware, search])
        assert agent.invoke(QUESTION)["messages"][-1].text == "In Paris."
    assert not [body for body in server.bodies if b"tool_search" in body or b"defer" in body]


@every_row("mode", ["fallback", "force"])
def test_a_tool_search_on_another_provider_is_no_error(mode):
    """LangChain's middleware knows two providers, and refuses all others."""

    def steps(request):
        called = '{"name": "find_city", "arguments": {"person": "Ann"}}'
        return "In Paris." if "Paris" in request["heard"] else called

    with ScriptedOllama(steps) as server:
        search = ProviderToolSearchMiddleware(searchable_tools=["find_city"])
        model = ChatToolEmu(server.chat_model(), mode=mode)
        agent = create_agent(model, [find_city, get_weather], middleware=[search])
        assert agent.invoke(QUESTION)["messages"][-1].text == "In Paris."
