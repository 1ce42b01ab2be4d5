"""ChatToolEmu on a real model that knows nothing of tools: SmolLM2-135M, whose server ignores them.

What a model of this size says is not ours to answer for; what becomes of it is. The prompt cache is off, because
with it a reply depends on the requests before.
"""

from functools import reduce
from operator import add as plus

import pytest
from langchain.agents import create_agent
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langchain_core.tools import tool
from pydantic import ValidationError

from langchain_toolemu import ChatToolEmu, forget_tool_support
from langchain_toolemu.errors import ToolChoiceError

SUM = "What is 1234 plus 4321?"
_ANOTHER = pytest.mark.more("time: the other case shows as much")


@tool
def get_weather(city: str) -> str:
    """Get the current weather in a city."""
    return f"22 degrees and sunny in {city}"


@tool
def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


TOOLS = {"get_weather": get_weather, "add": add}


@pytest.fixture
def llm(embedded_server):
    """The embedded model as it is, repeatable."""
    return embedded_server.chat_model(max_tokens=64, extra_body={"cache_prompt": False})


def fits(call):
    """Whether the arguments are of the types that the called tool asks for."""
    try:
        TOOLS[call["name"]].args_schema.model_validate(call["args"], strict=True)
    except ValidationError:
        return False
    return True


def calls_of(message):
    """What a message calls, without ids."""
    return [(call["name"], call["args"]) for call in message.tool_calls]


def said(message):
    """What a message says and calls."""
    return message.content, calls_of(message), message.response_metadata["finish_reason"]


@pytest.mark.more("time: scripted servers and the demo show as much")
def test_natively_it_calls_nothing(llm):
    """The wrapped model alone ignores tools, demanded or not."""
    for choice in ("auto", "any"):
        message = llm.bind_tools(list(TOOLS.values()), tool_choice=choice).invoke(SUM)
        assert not message.tool_calls
        assert not message.invalid_tool_calls
        assert message.text


def test_an_agent_adds_with_its_tool(llm):
    """A call, its result and an answer from it: a sum that the model alone gets wrong.

    The server says of itself that it drops tools, so they are offered in text in the first request already.
    """
    forget_tool_support(llm)
    model = ChatToolEmu(llm=llm)
    agent = create_agent(model, list(TOOLS.values()))
    messages = agent.invoke({"messages": [("user", SUM)]}, {"recursion_limit": 10})["messages"]
    kinds = [message.type for message in messages]
    assert kinds == ["human", "ai", "tool", "ai"]
    assert calls_of(messages[1]) == [("add", {"a": 1234, "b": 4321})]
    assert messages[2].content == "5555"
    assert "5555" in messages[3].text
    report = messages[1].response_metadata["toolemu"]
    assert report["path"] == "emulated"
    assert report["requests"] == 1 + len(report["reasks"])
    assert report["recipe"] == "smallest: 0.135 billion parameters, as its name says"
    assert model.tool_support.reason.endswith("/props")


@pytest.mark.parametrize(
    ("mode", "choice", "question"),
    [
        ("force", "add", SUM),
        pytest.param("force", "any", "Hello!", marks=_ANOTHER),
        pytest.param("fallback", "any", SUM, marks=_ANOTHER),
    ],
)
def test_a_demanded_call_comes_or_an_error_says_so(llm, mode, choice, question):
    """A demanded call is of a bound tool and fits it, or a ToolChoiceError tells that none came."""
    bound = ChatToolEmu(llm=llm, mode=mode, max_reasks=1).bind_tools(
        list(TOOLS.values()), tool_choice=choice
    )
    try:
        message = bound.invoke(question)
    except ToolChoiceError:
        return
    assert message.tool_calls
    assert {call["name"] for call in message.tool_calls} <= set(TOOLS)
    assert choice in ("any", message.tool_calls[0]["name"])
    assert all(map(fits, message.tool_calls))
    assert message.response_metadata["toolemu"]["path"] == "emulated"


@pytest.mark.more("time: what streams is shown on scripted servers")
@pytest.mark.parametrize("mode", ["force", "fallback"])
def test_streaming_says_the_same(llm, mode):
    """The sum of a stream is what invoking gives."""
    asked = ChatToolEmu(llm=llm, mode=mode).bind_tools([get_weather, add], tool_choice="add")
    assert said(reduce(plus, asked.stream(SUM))) == said(asked.invoke(SUM))


@pytest.mark.more("time: scripted servers and the demo show as much")
def test_without_tools_nothing_changes(llm):
    """Where no tool is bound, the wrapped model is asked and answers as it would by itself."""
    alone, wrapped = llm.invoke(SUM), ChatToolEmu(llm=llm, mode="force").invoke(SUM)
    assert wrapped.content == alone.content
    assert wrapped.usage_metadata == alone.usage_metadata


def test_a_history_of_calls_is_taken(llm):
    """A conversation with a past call and its result goes on where no tool is bound."""
    call = {"name": "add", "args": {"a": 1234, "b": 4321}, "id": "1"}
    history = [
        HumanMessage(SUM),
        AIMessage("", tool_calls=[call]),
        ToolMessage("5555", tool_call_id="1"),
    ]
    answer = ChatToolEmu(llm=llm, mode="force").invoke(history, max_tokens=8)
    assert answer.text
    assert not answer.tool_calls
