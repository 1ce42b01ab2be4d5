"""Gemini's thought signatures over routes in OpenAI's protocol: they come next to calls, and go back with them."""

import pytest
from langchain.agents import create_agent
from langchain_core.messages import (
    AIMessage,
    HumanMessage,
    ToolMessage,
    messages_from_dict,
    messages_to_dict,
)
from langgraph.checkpoint.memory import InMemorySaver

from langchain_toolemu import ChatToolEmu, ToolEmuChatOpenAI
from langchain_toolemu.chat_models.forwarding_chat_openai import ForwardingChatOpenAI
from langchain_toolemu.chat_models.reasoning_chat_openai import ReasoningChatOpenAI
from tests.gateway import gateway
from tests.scripted_server import Reply, ScriptedServer, signature
from tests.ways import WAYS, ask, pieces
from tests.weather import get_weather

MISSING = "Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly. Function call `get_weather`, position 2."
UNKNOWN = "Unknown parameter: 'messages[1].tool_calls[0].extra_content'."
SKIPPED = {"google": {"thought_signature": "skip_thought_signature_validator"}}
CITIES = [("get_weather", {"city": "Paris"}), ("get_weather", {"city": "Rome"})]


def refused(message):
    return Reply(status=400, body={"error": {"message": message, "status": "INVALID_ARGUMENT"}})


def past_calls(request):
    return [call for one in request["messages"] for call in one.get("tool_calls") or ()]


def gemini(request, **quirks):
    """A server that wants each signature back, as it came or as Google documents it for calls of others."""
    for call in past_calls(request):
        if call.get("extra_content") not in (signature(call["id"]), SKIPPED):
            return refused(MISSING)
    if request["messages"][-1]["role"] == "tool":
        return Reply("22 degrees.")
    return Reply(tool_calls=CITIES, signed=True, **quirks)


def openai(request):
    """A server that does not know the field."""
    return refused(UNKNOWN) if "extra_content" in str(past_calls(request)) else "22 degrees."


def ours(server, **options):
    plain = server.chat_model()
    given = {name: getattr(plain, name) for name in ("http_client", "http_async_client")}
    return ToolEmuChatOpenAI(
        model="m",
        base_url=server.base_url,
        api_key="k",
        max_retries=0,
        tool_support="native",
        **given,
        **options,
    )


def results(message):
    return [ToolMessage("22 degrees", tool_call_id=call["id"]) for call in message.tool_calls]


@pytest.mark.in_turn
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("same_index", [False, True])
def test_signatures_go_back_with_their_calls(way, same_index):
    """The second request takes what came with the first reply, also where a stream numbers each call 0."""
    with ScriptedServer(lambda request: gemini(request, same_index=same_index)) as server:
        model = ours(server).bind_tools([get_weather])
        asked = HumanMessage("Weather in Paris and Rome?")
        called = ask(model, [asked], way)
        assert [call["args"]["city"] for call in called.tool_calls] == ["Paris", "Rome"]
        said = ask(model, [asked, called, *results(called)], way)
        assert said.content == "22 degrees."
        assert len(server.requests) == 2
        assert [call["extra_content"] for call in past_calls(server.requests[-1])] == [
            signature(call["id"]) for call in called.tool_calls
        ]


@pytest.mark.parametrize("way", WAYS)
def test_an_agent_with_a_checkpointer_gets_through(way):
    """Over several questions of one thread, one request for each turn."""
    with ScriptedServer(gemini) as server:
        agent = create_agent(ours(server), [get_weather], checkpointer=InMemorySaver())
        thread = {"configurable": {"thread_id": "t"}}
        for _ in range(2):
            pieces(agent, {"messages": [("user", "Weather in Paris and Rome?")]}, way, thread)
        assert agent.get_state(thread).values["messages"][-1].content == "22 degrees."
        assert len(server.requests) == 4


def test_stored_messages_keep_them():
    """What was written as JSON and read again goes back whole."""
    with ScriptedServer(gemini) as server:
        model = ours(server).bind_tools([get_weather])
        called = model.invoke("Weather?")
        (stored,) = messages_from_dict(messages_to_dict([called]))
        model.invoke([HumanMessage("Weather?"), stored, *results(stored)])
        assert len(server.requests) == 2


@pytest.mark.parametrize("way", WAYS)
def test_a_call_that_is_asked_again_has_its_signature(way):
    """The reply that did not fit goes back signed, and the one that follows it is signed by its own."""

    def answer(request):
        reply = gemini(request)
        if reply.status == 200 and past_calls(request) and reply.text:
            last = [one for one in request["messages"] if one["role"] == "tool"]
            wrong = "town" in str(past_calls(request)[-1]) and len(last) == 1
            return Reply(tool_calls=CITIES[:1], signed=True) if wrong else reply
        return (
            reply
            if reply.status != 200
            else Reply(tool_calls=[("get_weather", {"town": 7})], signed=True)
        )

    with ScriptedServer(answer) as server:
        model = ours(server).bind_tools([get_weather])
        called = ask(model, [HumanMessage("Weather?")], way)
        assert [call["args"] for call in called.tool_calls] == [{"city": "Paris"}]
        assert ask(model, [HumanMessage("Weather?"), called, *results(called)], way).content
        assert len(server.requests) == 3


@pytest.mark.in_turn
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("plain", [False, True])
def test_calls_of_another_model_get_through(plain, way):
    """A call without a signature gets the one that Google documents, from the first error on; a plain ChatOpenAI's too."""
    called = AIMessage(
        "", tool_calls=[{"name": "get_weather", "args": {"city": "Oslo"}, "id": "c1"}]
    )
    with ScriptedServer(gemini) as server:
        llm = ChatToolEmu(server.chat_model(), tool_support="native") if plain else ours(server)
        model = llm.bind_tools([get_weather])
        for _ in range(2):
            assert (
                ask(model, [HumanMessage("Weather?"), called, *results(called)], way).content
                == "22 degrees."
            )
        assert len(server.requests) == 3


@pytest.mark.parametrize("way", WAYS)
def test_a_server_that_does_not_know_them(way):
    """A thread that goes on at another provider is sent without them."""
    with ScriptedServer(gemini) as server:
        called = ours(server).bind_tools([get_weather]).invoke("Weather?")
    with ScriptedServer(openai) as server:
        model = ours(server).bind_tools([get_weather])
        for _ in range(2):
            assert (
                ask(model, [HumanMessage("Weather?"), called, *results(called)], way).content
                == "22 degrees."
            )
        assert len(server.requests) == 3


def test_what_has_none_is_sent_as_it_is():
    """A thread without signatures goes out byte for byte as ChatOpenAI sends it."""
    called = AIMessage(
        "", tool_calls=[{"name": "get_weather", "args": {"city": "Oslo"}, "id": "c1"}]
    )
    thread = [HumanMessage("Weather?"), called, *results(called)]
    with ScriptedServer(lambda _: "22 degrees.") as server:
        ours(server).bind_tools([get_weather]).invoke(thread)
        plain = server.chat_model(model="m")
        plain.bind_tools([get_weather]).invoke(thread)
        assert server.bodies[0] == server.bodies[1]


@pytest.mark.parametrize("streams", [False, True])
def test_the_gateway_passes_them_on(streams):
    """A client of the gateway gets each signature with its call, and sends it back."""
    with ScriptedServer(gemini) as server:
        plain = server.chat_model()
        given = {name: getattr(plain, name) for name in ("http_client", "http_async_client")}
        upstream = ForwardingChatOpenAI(model="m", base_url=server.base_url, api_key="k", **given)
        served = {"m": ChatToolEmu(upstream, tool_support="native")}
        with gateway(served) as running:
            chat = ReasoningChatOpenAI(
                model="m", base_url=running.v1, api_key="k", http_client=plain.http_client
            )
            model = ChatToolEmu(chat, tool_support="native").bind_tools([get_weather])
            way = "stream" if streams else "invoke"
            called = ask(model, [HumanMessage("Weather?")], way)
            said = ask(model, [HumanMessage("Weather?"), called, *results(called)], way)
        assert said.content == "22 degrees."
        assert len(server.requests) == 2
        assert past_calls(server.requests[-1])[0]["extra_content"]["google"]["thought_signature"]
