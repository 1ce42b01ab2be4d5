"""LangChain's own clients through the gateway: agents of two steps on a model that is only text."""

import pytest
from langchain.agents import create_agent
from langchain.agents.structured_output import ProviderStrategy, ToolStrategy
from langchain_anthropic import ChatAnthropic
from langchain_openai import ChatOpenAI
from pydantic import BaseModel

from tests.weather import find_city, get_weather

QUESTION = "Find the city of 'Ann'."


class City(BaseModel):
    """A city."""

    name: str


# A connection kept for later is of no use to the next test's event loop.
OPTIONS = {
    "model": "scripted",
    "api_key": "none",
    "max_retries": 0,
    "default_headers": {"Connection": "close"},
}


def chat_openai(gateway, **options):
    return ChatOpenAI(base_url=gateway.v1, **OPTIONS, **options)


def chat_responses(gateway):
    return chat_openai(gateway, use_responses_api=True)


def chat_anthropic(gateway):
    return ChatAnthropic(base_url=gateway.url, **OPTIONS)


CLIENTS = [chat_openai, chat_responses, chat_anthropic]


@pytest.mark.parametrize("client", CLIENTS)
def test_an_agent_calls_and_answers(text_only, client):
    """`create_agent` runs a tool and gives its result, in every protocol."""
    agent = create_agent(client(text_only.gateway), [find_city, get_weather])
    *_, result, answer = agent.invoke({"messages": [("user", QUESTION)]})["messages"]
    assert result.content == "Paris"
    assert answer.text == "The tool says: Paris"


@pytest.mark.parametrize("client", CLIENTS)
async def test_an_agent_streams(text_only, client):
    """Streamed and async, the agent's steps are the same."""
    agent = create_agent(client(text_only.gateway), [find_city])
    steps = [
        step async for step in agent.astream({"messages": [("user", QUESTION)]}, stream_mode="updates")
    ]  # fmt: skip
    assert [list(step) for step in steps] == [["model"], ["tools"], ["model"]]


@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.parametrize("strategy", [ToolStrategy, ProviderStrategy])
def test_an_agent_answers_in_a_form(text_only, client, strategy):
    """Both strategies of structured output end in an object of the class."""
    agent = create_agent(client(text_only.gateway), [], response_format=strategy(City))
    state = agent.invoke({"messages": [("user", "City of 'Paris'.")]})
    assert state["structured_response"] == City(name="Paris")
