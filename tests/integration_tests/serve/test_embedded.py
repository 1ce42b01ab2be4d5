"""Agents of two steps on the embedded model, through the gateway: a call, its result, and an answer from it."""

import pytest
from langchain.agents import create_agent
from langchain_anthropic import ChatAnthropic
from langchain_openai import ChatOpenAI

from langchain_toolemu import ChatToolEmu
from tests.gateway import gateway

SUM = "What is 1234 plus 4321?"
OPTIONS = {"model": "embedded", "api_key": "none", "max_retries": 0, "max_tokens": 64}


def get_weather(city: str) -> str:
    """Get the current weather in a city."""
    return f"22 degrees and sunny in {city}"


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def chat_openai(server):
    return ChatOpenAI(base_url=server.v1, **OPTIONS)


def chat_anthropic(server):
    return ChatAnthropic(base_url=server.url, **OPTIONS)


@pytest.mark.more("time: the same agent runs in process")
@pytest.mark.parametrize("client", [chat_openai, chat_anthropic])
def test_an_agent_adds_with_its_tool(embedded_server, monkeypatch, client):
    """In each protocol: a sum that the model alone gets wrong."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    # With the prompt cache on, a reply depends on the requests before.
    llm = embedded_server.chat_model(extra_body={"cache_prompt": False})
    with gateway(ChatToolEmu(llm=llm, mode="force")) as server:
        agent = create_agent(client(server), [get_weather, add])
        state = agent.invoke({"messages": [("user", SUM)]}, {"recursion_limit": 10})
    _, call, result, answer = state["messages"]
    assert [one["args"] for one in call.tool_calls] == [{"a": 1234, "b": 4321}]
    assert result.content == "5555"
    assert "5555" in answer.text
