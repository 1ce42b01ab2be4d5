"""LangGraph's agents on ChatToolEmu: a two-step loop, in every mode that emulates, in every way to run it."""

import asyncio
import json

import pytest
from langchain.agents import create_agent
from langchain_core.messages import AIMessage, ToolMessage
from langgraph.prebuilt import create_react_agent

from langchain_toolemu import ChatToolEmu
from tests.scripted_server import Reply, ScriptedServer, without_tools
from tests.weather import find_city, get_weather

MAKERS = {"create_agent": create_agent, "create_react_agent": create_react_agent}
QUESTION = {"messages": [("user", "How warm is it where Ann lives?")]}
ANSWER = "It is 22 degrees in Paris, where Ann lives."


def two_steps(request):
    """A model that first finds the city, then the weather, then answers, as far as the conversation shows."""
    talk = "\n".join(message["content"] for message in request["messages"])
    if "22 degrees in Paris" in talk:
        return Reply(text=["It is 22 degrees ", "in Paris, where Ann lives."])
    known = '<tool_response name="find_city">\nParis\n' in talk
    step = ("get_weather", {"city": "Paris"}) if known else ("find_city", {"person": "Ann"})
    return Reply(text=["Let me look.\n", json.dumps({"name": step[0], "arguments": step[1]})])


def sync(agent):
    return agent.invoke(QUESTION)["messages"]


def asynchronous(agent):
    return asyncio.run(agent.ainvoke(QUESTION))["messages"]


def streamed(agent):
    return list(agent.stream(QUESTION, stream_mode="values"))[-1]["messages"]


def astreamed(agent):
    async def run():
        return [state async for state in agent.astream(QUESTION, stream_mode="values")]

    return asyncio.run(run())[-1]["messages"]


def token_streamed(agent):
    list(agent.stream(QUESTION, stream_mode="messages"))
    return streamed(agent)


WAYS = [sync, asynchronous, streamed, astreamed, token_streamed]


@pytest.mark.pairwise
@pytest.mark.filterwarnings("ignore:create_react_agent has been moved")
@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
@pytest.mark.parametrize("mode", ["force", "fallback"])
@pytest.mark.parametrize("maker", MAKERS)
def test_a_two_step_loop_runs_to_its_answer(maker, mode, way):
    """Two calls, two results, one answer: the agent cannot tell that the calls are emulated."""
    script = two_steps if mode == "force" else without_tools(two_steps)
    with ScriptedServer(script) as server:
        agent = MAKERS[maker](
            ChatToolEmu(llm=server.chat_model(), mode=mode), [find_city, get_weather]
        )
        messages = way(agent)
    calls = [
        call
        for message in messages
        if isinstance(message, AIMessage)
        for call in message.tool_calls
    ]
    assert [(call["name"], call["args"]) for call in calls] == [
        ("find_city", {"person": "Ann"}),
        ("get_weather", {"city": "Paris"}),
    ]
    assert [message.tool_call_id for message in messages if isinstance(message, ToolMessage)] == [
        call["id"] for call in calls
    ]
    assert len({call["id"] for call in calls}) == 2
    assert messages[-1].content == ANSWER


def test_the_token_stream_shows_no_contract():
    """LangGraph's stream of tokens holds what the model said to the user and nothing of the contract."""
    with ScriptedServer(two_steps) as server:
        agent = create_agent(
            ChatToolEmu(llm=server.chat_model(), mode="force"), [find_city, get_weather]
        )
        shown = [
            chunk.text
            for chunk, _ in agent.stream(QUESTION, stream_mode="messages")
            if chunk.type == "AIMessageChunk"
        ]
    assert "".join(shown) == f"Let me look.\nLet me look.\n{ANSWER}"


def test_each_round_of_a_forced_loop_is_one_request():
    """Two calls and an answer cost three requests, none of which carries native tools."""
    with ScriptedServer(two_steps) as server:
        create_agent(
            ChatToolEmu(llm=server.chat_model(), mode="force"), [find_city, get_weather]
        ).invoke(QUESTION)
        requests = server.requests
    assert len(requests) == 3
    assert not any("tools" in request for request in requests)


def test_a_refused_provider_is_asked_natively_once():
    """After the provider has said that it takes no tools, no later round asks it again."""
    with ScriptedServer(without_tools(two_steps)) as server:
        create_agent(ChatToolEmu(llm=server.chat_model()), [find_city, get_weather]).invoke(
            QUESTION
        )
        requests = server.requests
    assert ["tools" in request for request in requests] == [True, False, False, False]
