"""The obedient model decides the same in both voices: it has to understand the contract for that."""

import json

import pytest
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage
from langchain_core.messages.utils import convert_to_openai_messages

from langchain_toolemu.contract import write_contract
from langchain_toolemu.contract.dialects import JSON
from langchain_toolemu.contract.history import Style, project
from langchain_toolemu.tools import read_choice, read_tools, to_openai_choice, to_openai_tools
from tests.obedient_model import obey

WEATHER = {
    "title": "get_weather",
    "description": "The weather.",
    "properties": {"city": {"type": "string"}, "unit": {"enum": ["celsius", "kelvin"]}},
    "required": ["city"],
}
ADDER = {
    "title": "my_adder",
    "description": "Adds.",
    "properties": {
        "a": {"type": "integer", "minimum": 0, "maximum": 9},
        "b": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
    },
    "required": ["a", "b"],
}
NOW = {"title": "now", "description": "The time."}
PARIS = ("get_weather", {"city": "Paris"})
ASKED = HumanMessage("How is the weather in Paris?")
CALLED = AIMessage("", tool_calls=[{"name": "get_weather", "args": {"city": "Paris"}, "id": "1"}])
RESULT = ToolMessage("It rains.", tool_call_id="1")
FAILURE = ToolMessage("Error: no network", tool_call_id="1", status="error")


def _native(messages, tools, choice):
    request = {"messages": convert_to_openai_messages(messages), "tools": to_openai_tools(tools)}
    request["tool_choice"] = to_openai_choice(_choice(tools, choice))
    reply = obey(request)
    return list(reply.tool_calls) or "".join(reply.text)


def _in_text(messages, tools, choice):
    contract = write_contract(_tool_set(tools), _choice(tools, choice), JSON)
    reply = obey({"messages": convert_to_openai_messages(project(messages, Style(JSON), contract))})
    text = "".join(reply.text)
    if not text.startswith("{"):
        return text
    return [(call["name"], call["arguments"]) for call in map(json.loads, text.splitlines())]


def _tool_set(tools):
    return read_tools(to_openai_tools(tools))


def _choice(tools, choice):
    return read_choice(choice, _tool_set(tools).names)


@pytest.mark.parametrize("voice", [_native, _in_text])
@pytest.mark.parametrize(
    ("messages", "tools", "choice", "calls"),
    [
        ([ASKED], [WEATHER], None, [PARIS]),
        ([ASKED], [NOW, WEATHER], "any", [PARIS]),
        ([ASKED], [NOW, WEATHER], "now", [("now", {})]),
        ([SystemMessage("Be brief."), ASKED], [ADDER, WEATHER], None, [PARIS]),
        (
            [HumanMessage("Is the weather in Paris and Rome fine?")],
            [WEATHER],
            None,
            [PARIS, ("get_weather", {"city": "Rome"})],
        ),
        (
            [HumanMessage("The weather in Paris, in kelvin.")],
            [WEATHER],
            None,
            [("get_weather", {"city": "Paris", "unit": "kelvin"})],
        ),
        ([HumanMessage("What is 3 + 4?")], [ADDER], None, [("my_adder", {"a": 3, "b": 4})]),
        ([HumanMessage("Add to 3, no b")], [ADDER], "any", [("my_adder", {"a": 3, "b": None})]),
        ([ASKED, CALLED, FAILURE], [WEATHER], None, [PARIS]),
        ([ASKED, CALLED, RESULT], [WEATHER], "any", [PARIS]),
        (
            [ASKED, CALLED, RESULT, HumanMessage("And the weather in Rome?")],
            [WEATHER],
            None,
            [("get_weather", {"city": "Rome"})],
        ),
    ],
)
def test_calls(voice, messages, tools, choice, calls):
    """A call is made when the prompt is about a tool or a call is demanded, with the prompt's values."""
    assert voice(messages, tools, choice) == calls


@pytest.mark.parametrize("voice", [_native, _in_text])
@pytest.mark.parametrize(
    ("messages", "answer"),
    [
        ([HumanMessage("Hello!")], "Hello there."),
        ([ASKED, CALLED, RESULT], "The tool says: It rains."),
    ],
)
def test_answers(voice, messages, answer):
    """An answer is given when no tool is wanted, or when its result is there."""
    assert voice(messages, [WEATHER, NOW], None).startswith(answer)


def test_json_answers():
    """A response format is filled in by the same rules."""
    schema = {"properties": {"city": {"type": "string"}, "degrees": {"type": "integer"}}}
    wanted = {"type": "json_schema", "json_schema": {"schema": {**schema, "required": ["city"]}}}
    messages = [{"role": "user", "content": "It has 20 degrees in Paris"}]
    reply = obey({"messages": messages, "response_format": wanted})
    assert json.loads("".join(reply.text)) == {"city": "Paris", "degrees": 20}


def test_stop():
    """Text ends before the first stop sequence."""
    messages = [{"role": "user", "content": "Hi"}]
    reply = obey({"messages": messages, "stop": ["pleasure", "there"]})
    assert "".join(reply.text) == "Hello "
