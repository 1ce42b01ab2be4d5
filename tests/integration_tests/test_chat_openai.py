"""A program written for ChatOpenAI, run with ChatOpenAI and with ToolEmuChatOpenAI in its place."""

import asyncio

import pytest
from langchain_core.callbacks import BaseCallbackHandler, UsageMetadataCallbackHandler
from langchain_core.messages import HumanMessage, ToolMessage
from langchain_core.runnables import ConfigurableField
from langchain_core.utils.function_calling import convert_to_openai_tool
from langchain_openai import ChatOpenAI
from pydantic import BaseModel

from langchain_toolemu import ToolEmuChatOpenAI
from tests.essence import essence, four_ways
from tests.scripted_server import Reply, ScriptedServer
from tests.ways import WAYS, ask
from tests.weather import find_city, get_weather

QUESTION = [HumanMessage("What is the weather in Paris?")]


class Weather(BaseModel):
    """The weather of a city."""

    city: str
    degrees: int


def native(request):
    """A server with tools and structured output, as OpenAI's."""
    answered = any(message["role"] == "tool" for message in request["messages"])
    if answered and "response_format" not in request:
        return "It is sunny."
    if "response_format" in request:
        return '{"city": "Paris", "degrees": 22}'
    named = [tool["function"]["name"] for tool in request.get("tools", [])]
    if "Weather" in named:
        return Reply(tool_calls=[("Weather", {"city": "Paris", "degrees": 22})])
    return Reply(tool_calls=[("get_weather", {"city": "Paris"})]) if named else "Hello."


@pytest.mark.parametrize("quirk", ["objects", "null function"])
def test_calls_in_other_forms_are_read(quirk):
    """At which ChatOpenAI fails: one request, whole and streamed, sync and async."""
    reply = Reply(tool_calls=[("get_weather", {"city": "Paris"})], quirk=quirk)
    with ScriptedServer(lambda _: reply) as server:
        llm = ToolEmuChatOpenAI(model="scripted", base_url=server.base_url, api_key="test")
        for way in WAYS:
            message = ask(llm.bind_tools([get_weather]), QUESTION, way)
            assert [call["args"] for call in message.tool_calls] == [{"city": "Paris"}], way
        assert len(server.requests) == 4


class Names(BaseCallbackHandler):
    """Which events came, in order."""

    def __init__(self):
        self.events = []

    def on_chat_model_start(self, *args, **kwargs):
        self.events.append(kwargs["metadata"]["ls_model_name"])

    def on_llm_end(self, *args, **kwargs):
        self.events.append("end")


def attributes(llm):
    return (
        llm.model_name,
        llm.model,
        llm.temperature,
        llm.max_tokens,
        llm.extra_body,
        llm.streaming,
    )


def two_steps(llm):
    bound = llm.bind_tools([get_weather], strict=True, parallel_tool_calls=False)
    called = bound.invoke(QUESTION)
    result = ToolMessage("sunny", tool_call_id=called.tool_calls[0]["id"])
    return essence_of(called), essence_of(bound.invoke([*QUESTION, called, result]))


def essence_of(message):
    said = essence(message)
    said.pop("toolemu")
    return said


def streamed_usage(llm):
    *_, last = llm.stream("Hi", stream_usage=True)
    whole = [chunk.usage_metadata for chunk in llm.stream("Hi") if chunk.usage_metadata]
    return bool(last), whole


def watched(llm):
    names, usage = Names(), UsageMetadataCallbackHandler()
    llm.invoke("Hi", config={"callbacks": [names, usage]})
    return names.events, usage.usage_metadata


def structured(**kwargs):
    def run(llm):
        said = llm.with_structured_output(Weather, **kwargs).invoke(QUESTION)
        return {**said, "raw": said["raw"].tool_calls == []} if "include_raw" in kwargs else said

    return run


def four(llm):
    ways = four_ways(llm.bind_tools([get_weather], tool_choice="any"), QUESTION)
    return {way: {**said, "toolemu": None} for way, said in ways.items()}


OTHER = convert_to_openai_tool(find_city)
CHOICE = {"type": "function", "function": {"name": "get_weather"}}


def later(**terms):
    """What is set in a call, over what was bound."""

    def run(llm):
        bound = llm.bind_tools([get_weather, find_city], strict=True)
        return essence_of(bound.invoke(QUESTION, **terms))

    return run


PROGRAM = {
    "attributes": attributes,
    "invoke": lambda llm: essence_of(llm.invoke("Hi")),
    "two steps": two_steps,
    "four ways": four,
    "batch": lambda llm: [said.content for said in llm.batch(["a", "b", "c"])],
    "abatch": lambda llm: [said.content for said in asyncio.run(llm.abatch(["a", "b"]))],
    "generate": lambda llm: llm.generate([QUESTION, QUESTION]).llm_output,
    "streamed usage": streamed_usage,
    "callbacks": watched,
    "stop": lambda llm: essence_of(llm.invoke("Hi", stop=["x"])),
    "call-time settings": lambda llm: essence_of(llm.invoke("Hi", temperature=0.9, seed=3)),
    "function_calling": structured(method="function_calling", strict=True),
    "json_schema": structured(method="json_schema", strict=True),
    "json_mode": structured(method="json_mode"),
    "the default method": structured(),
    "include_raw": structured(include_raw=True),
    "bound response_format": lambda llm: essence_of(
        llm.bind_tools([get_weather], response_format=Weather).invoke(
            [*QUESTION, ToolMessage("x", tool_call_id="1")]
        )
    ),
    "extra fields with tools": lambda llm: llm.with_structured_output(
        Weather, method="json_schema", strict=True, tools=[get_weather], include_raw=True
    ).invoke(QUESTION)["parsed"],
    "ls params": lambda llm: llm._get_ls_params(),
    "a later choice": later(tool_choice="auto"),
    "a later choice of the other tool": later(tool_choice=CHOICE),
    "one call at a time, later": later(parallel_tool_calls=False),
    "other tools, later": later(tools=[OTHER, convert_to_openai_tool(get_weather)]),
    "a later form": later(response_format={"type": "json_object"}),
    "bound anew": lambda llm: essence_of(
        llm.bind_tools([get_weather], tool_choice="any").bind(tool_choice="auto").invoke(QUESTION)
    ),
}
SETTINGS = {"temperature": 0.3, "max_tokens": 99, "extra_body": {"top_k": 3}}


def played(make, step, script):
    with ScriptedServer(script) as server:
        plain = server.chat_model(**SETTINGS)
        given = {name: getattr(plain, name) for name in plain.model_fields_set}
        for built in ("client", "async_client", "root_client", "root_async_client", "profile"):
            given.pop(built, None)
        return PROGRAM[step](make(**given)), [dict(request) for request in server.requests]


@pytest.mark.parametrize("step", PROGRAM)
def test_changing_the_name_changes_nothing_else(step):
    """Against a server with tools, every step of the program gives the same and sends the same."""
    plain, sent = played(ChatOpenAI, step, native)
    ours, sent_by_us = played(ToolEmuChatOpenAI, step, native)
    assert ours == plain
    assert without_ids(sent_by_us) == without_ids(sent)


@pytest.mark.parametrize("name", ["tool_support", "native_tools"])
def test_what_is_known_of_the_tools_is_ours_by_either_name(name):
    """The field's name and the argument's mean the same, and ChatOpenAI hears of neither."""
    with ScriptedServer(native) as server:
        theirs = server.chat_model()
        llm = ToolEmuChatOpenAI(
            **{name: "none"}, model=theirs.model_name, base_url=server.base_url, api_key="none"
        )
        copied = llm.configurable_fields(temperature=ConfigurableField("heat")).with_config(heat=1)
        for one in (llm, copied):
            one.bind_tools([get_weather]).invoke("Hi")
        assert not any("tools" in request for request in server.requests)
    assert llm.tool_support.verdict == "none"


def without_ids(requests):
    """The requests, with call ids that a server makes up as they come."""
    for request in requests:
        for message in request["messages"]:
            message.pop("tool_call_id", None)
            for call in message.get("tool_calls", []):
                call.pop("id")
    return sorted(map(str, requests))
