"""Turns that end with what the model does next: asked to do it, once, where the model is one that may stop short."""

import pytest
from langchain.agents import create_agent
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage

from langchain_toolemu import ChatToolEmu
from tests.scripted_server import Reply, ScriptedServer
from tests.tables import every_row
from tests.ways import WAYS, ask
from tests.weather import get_weather

ASKED = [HumanMessage("What is the weather in Paris?")]
CALLED = AIMessage("", tool_calls=[{"name": "get_weather", "args": {"city": "Oslo"}, "id": "c"}])
SHORT = "Let me check the forecast first:"
PARIS = {"city": "Paris"}


def turn(messages, said, then=None, way="invoke", **options):
    """The message of a turn, and how many requests it took."""
    then = then or Reply(tool_calls=[("get_weather", PARIS)])
    with ScriptedServer([said, then]) as server:
        model = ChatToolEmu(server.chat_model(), **options).bind_tools([get_weather])
        return ask(model, messages, way), len(server.requests)


@pytest.mark.parametrize("way", WAYS)
def test_the_call_follows_the_words(way):
    """What was said stands, and the call comes with it."""
    message, requests = turn(ASKED, SHORT, way=way, tool_support="native")
    assert (message.content, requests) == (SHORT, 2)
    assert [call["args"] for call in message.tool_calls] == [PARIS]
    assert message.response_metadata["toolemu"]["reasks"] == ["contract: announced_call"]


@every_row(
    ("options", "history", "asked"),
    [
        ({"model_size": 7}, False, True),
        ({"model_size": 70}, False, False),
        ({}, False, False),
        ({"model_size": 70, "tool_support": "native"}, False, True),
        ({}, True, True),
        ({"model_size": 7, "max_reasks": 0}, False, False),
    ],
)
def test_who_is_asked(options, history, asked):
    """A model below 30B, or one that was seen to call; of any other the words are the answer."""
    past = [*ASKED, CALLED, ToolMessage("Rain.", tool_call_id="c")] if history else ASKED
    message, _ = turn(past, SHORT, "It is sunny.", **options)
    assert ("contract: announced_call" in message.response_metadata["toolemu"]["reasks"]) == asked


def test_it_is_asked_once_a_turn():
    """Words that only announce it again are not shown."""
    message, requests = turn(ASKED, SHORT, "Let me check the weather.", tool_support="native")
    assert (message.content, requests) == (SHORT, 2)


def test_an_agent_goes_on_in_mid_run():
    """After a result the next step is taken; the answer that tells the result ends the run."""
    calls = iter([
        Reply(tool_calls=[("get_weather", {"city": "Oslo"})]),
        "One down. Now let me look at the other city:",
        Reply(tool_calls=[("get_weather", PARIS)]),
        "Oslo and Paris both have 22 degrees. I'll check the details.",
    ])  # fmt: skip
    with ScriptedServer(lambda _: next(calls)) as server:
        model = ChatToolEmu(server.chat_model(), tool_support="native")
        said = create_agent(model, [get_weather]).invoke({"messages": ASKED})["messages"]
        assert len(server.requests) == 4
    assert [len(one.tool_calls) for one in said if isinstance(one, AIMessage)] == [1, 1, 0]
