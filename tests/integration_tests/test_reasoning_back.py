"""Reasoning of past messages goes back where a server wants it: over HTTP, behind each client."""

import warnings

import httpx
import pytest
from langchain.agents import create_agent
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langchain_deepseek import ChatDeepSeek
from langchain_openai import ChatOpenAI
from openai import DefaultAsyncHttpxClient, DefaultHttpxClient

from langchain_toolemu import ChatToolEmu, Recipe, ToolEmuChatOpenAI, ToolEmuWarning
from langchain_toolemu.capability import forget
from langchain_toolemu.chat_models.forwarding_chat_openai import ForwardingChatOpenAI
from tests.gateway import gateway
from tests.scripted_ollama import ScriptedOllama
from tests.scripted_server import Reply, ScriptedServer
from tests.ways import WAYS, ask, pieces
from tests.weather import get_weather

THOUGHT = ["The user ", "means Paris."]
WANTED = "The `reasoning_content` in the thinking mode must be passed back to the API."
REFUSED = "'messages.1' : for 'role:assistant' the following must be satisfied[('messages.1' : property 'reasoning_content' is unsupported)]"


def history(**additional):
    called = {"name": "get_weather", "args": {"city": "Paris"}, "id": "c1"}
    return [
        HumanMessage("Weather in Paris?"),
        AIMessage("", tool_calls=[called], additional_kwargs=additional),
        ToolMessage("22 degrees", tool_call_id="c1"),
    ]


THINKING = history(reasoning_content="Hm.")


def clients(server):
    options = {"verify": False, "trust_env": False}
    return {
        "base_url": server.base_url,
        "api_key": "k",
        "max_retries": 0,
        "http_client": DefaultHttpxClient(**options),
        "http_async_client": DefaultAsyncHttpxClient(**options),
    }


def ours(server, model="m", **options):
    return ToolEmuChatOpenAI(
        **{"model": model, "tool_support": "native", **clients(server), **options}
    )


def sent(request):
    """The reasoning of the assistant messages of a request; `None` for each that has no such field."""
    said = [one for one in request["messages"] if one["role"] == "assistant"]
    return [one.get("reasoning_content") for one in said]


def strict(request):
    """A server that insists on reasoning with tools, as DeepSeek and Kimi do."""
    if "tools" in request and None in sent(request):
        return Reply(status=400, body={"error": {"message": WANTED}})
    if request["messages"][-1]["role"] == "tool":
        return Reply("22 degrees.", reasoning="Now I know.")
    return Reply(tool_calls=[("get_weather", {"city": "Paris"})], reasoning=THOUGHT)


def strict_about_unknown_fields(request):
    """A server that refuses the field, as Groq does."""
    if any(one is not None for one in sent(request)):
        return Reply(status=400, body={"error": {"message": REFUSED}})
    return "22 degrees."


@pytest.mark.parametrize("way", WAYS)
def test_a_reply_keeps_its_reasoning(way):
    """ToolEmuChatOpenAI keeps what ChatOpenAI drops, whole and streamed."""
    with ScriptedServer([Reply("Hi.", reasoning=THOUGHT)]) as server:
        message = ask(ours(server), "Hi", way)
    assert (message.content, message.additional_kwargs["reasoning_content"]) == (
        "Hi.",
        "".join(THOUGHT),
    )


@pytest.mark.in_turn
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("model", ["kimi-k2.5", "m"])
def test_an_agent_gets_through_on_a_strict_server(model, way):
    """By the name it is sent at once; else the error is understood, the request sent again, and that remembered."""
    with ScriptedServer(strict) as server:
        agent = create_agent(ours(server, model), [get_weather])
        for _ in range(2):
            said = ask_agent(agent, way)
            assert said[-1].content == "22 degrees."
            assert said[1].additional_kwargs["reasoning_content"] == "".join(THOUGHT)
        assert sent(server.requests[-1]) == ["".join(THOUGHT)]
        # Two turns for each question; one request more for what had to be learned.
        assert len(server.requests) == (4 if model == "kimi-k2.5" else 5)


def ask_agent(agent, way):
    asked = {"messages": [("user", "Weather in Paris?")]}
    if way.endswith("invoke"):
        return ask(agent, asked, way)["messages"]
    said = [("user", "Weather in Paris?")]
    for update in pieces(agent, asked, way, stream_mode="updates"):
        said += [one for part in update.values() for one in part["messages"]]
    return said


@pytest.mark.parametrize("way", WAYS)
def test_a_history_without_reasoning_gets_through_too(way):
    """A conversation from elsewhere has none: the field is sent empty, since the server insists on it."""
    with ScriptedServer(strict) as server:
        model = ours(server).bind_tools([get_weather])
        assert ask(model, history(), way).content == "22 degrees."
        assert [sent(one) for one in server.requests] == [[None], [""]]
        assert ask(model, history(), way).content == "22 degrees."
        assert len(server.requests) == 3


@pytest.mark.parametrize("way", WAYS)
def test_reasoning_is_left_out_where_it_is_refused(way):
    """A server that does not know the field is asked without it, and that is remembered."""
    with ScriptedServer(strict_about_unknown_fields) as server:
        model = ours(server, "kimi-k2.5").bind_tools([get_weather])
        for _ in range(2):
            assert ask(model, THINKING, way).content == "22 degrees."
        assert [sent(one) for one in server.requests] == [["Hm."], [None], [None]]


def test_a_server_that_wants_and_refuses_it_is_not_asked_for_ever():
    """One request more, then the error is the caller's."""

    def script(request):
        text = WANTED if None in sent(request) else REFUSED
        return Reply(status=400, body={"error": {"message": text}})

    with ScriptedServer(script) as server:
        with pytest.raises(Exception, match="reasoning_content"):
            ours(server).bind_tools([get_weather]).invoke(THINKING)
        assert len(server.requests) == 2


def test_reasoning_is_not_sent_where_nobody_asks_for_it():
    """It costs tokens: an endpoint of which nothing is known gets what ChatOpenAI sends, byte for byte."""
    with ScriptedServer(lambda request: "Hi.") as server:
        plain = ChatOpenAI(model="m", **clients(server))
        plain.invoke(THINKING)
        for mode in ("fallback", "off"):
            ours(server, mode=mode).invoke(THINKING)
        ours(server, "kimi-k2.5", mode="off").invoke(THINKING)
        bodies = [body.replace(b"kimi-k2.5", b"m") for body in server.bodies]
    assert set(bodies) == {bodies[0]}


def test_other_fields_of_the_body_stay():
    """What ChatOpenAI adds to each request, and what a call adds, is sent next to the reasoning."""
    with ScriptedServer(lambda request: "Hi.") as server:
        model = ours(server, "glm-4.6", extra_body={"top_k": 3})
        model.invoke(THINKING)
        model.invoke(THINKING, extra_body={"top_k": 4})
        told = [(one["top_k"], sent(one)) for one in server.requests]
    assert told == [(3, ["Hm."]), (4, ["Hm."])]


def test_reasoning_in_blocks_goes_back_as_text():
    """A thought that stands among the blocks of a message is the same thought."""
    blocks = [{"type": "reasoning", "reasoning": "Hm."}, {"type": "text", "text": "Hi."}]
    said = [
        HumanMessage("Hi"),
        AIMessage(blocks, response_metadata={"output_version": "v1"}),
        HumanMessage("And?"),
    ]
    with ScriptedServer(lambda request: "Hi.") as server:
        ours(server, "minimax-m2").invoke(said)
        assert sent(server.requests[0]) == ["Hm."]


@pytest.mark.parametrize("way", WAYS)
def test_chat_deepseek_sends_its_reasoning(way):
    """ChatDeepSeek keeps the reasoning of replies and drops it from requests, where it is added."""
    with ScriptedServer(strict) as server:
        model = ChatToolEmu(ChatDeepSeek(model="deepseek-v4-flash", **clients(server)))
        agent = create_agent(model, [get_weather])
        assert ask_agent(agent, way)[-1].content == "22 degrees."
        assert [sent(one) for one in server.requests] == [[], ["".join(THOUGHT)]]


@pytest.mark.in_turn
@pytest.mark.parametrize("way", WAYS)
def test_chat_ollama_sends_its_thinking(way):
    """ChatOllama carries thoughts by itself."""
    calling = Reply(tool_calls=[("get_weather", {"city": "Paris"})], reasoning="Hm.")
    with ScriptedOllama(lambda request: calling) as server:
        llm = ChatToolEmu(server.chat_model(reasoning=True))
        model = llm.bind_tools([get_weather])
        message = ask(model, "Weather?", way)
        assert message.additional_kwargs["reasoning_content"] == "Hm."
        called = AIMessage(
            "", tool_calls=message.tool_calls, additional_kwargs=message.additional_kwargs
        )
        result = ToolMessage("22 degrees", tool_call_id=message.tool_calls[0]["id"])
        ask(model, [HumanMessage("Weather?"), called, result], way)
        said = server.requests[-1]["messages"][1]
    assert said.get("thinking") == "Hm."


def test_a_plain_chat_openai_is_warned_of_once():
    """It drops the reasoning of replies: the warning names the class that keeps it, and the turn gets through."""
    with ScriptedServer(strict) as server:
        forget()
        model = ChatToolEmu(ChatOpenAI(model="kimi-k2.5", **clients(server))).bind_tools(
            [get_weather]
        )
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            for _ in range(2):
                assert model.invoke(history()).content == "22 degrees."
    named = [one for one in told if "ToolEmuChatOpenAI" in str(one.message)]
    assert [one.category for one in named] == [ToolEmuWarning]


def test_nothing_is_warned_of_where_nothing_is_lost():
    """Not in a first turn, not of a class that keeps reasoning, not of an endpoint that wants none."""
    with ScriptedServer(lambda request: "Hi.") as server, warnings.catch_warnings():
        warnings.simplefilter("error", ToolEmuWarning)
        plain = ChatOpenAI(model="kimi-k2.5", **clients(server))
        ChatToolEmu(plain).invoke("Hi")
        ChatToolEmu(plain, mode="off").invoke(history())
        ChatToolEmu(ChatOpenAI(model="m", **clients(server))).invoke(history())
        ours(server, "kimi-k2.5").invoke(history())
    assert len(server.requests) == 4


@pytest.mark.parametrize("way", WAYS)
def test_an_emulated_history_has_no_thoughts_in_its_text(way):
    """The calls of a thinking model are written into the history, what it thought before them is not."""
    called = AIMessage("<think>Rome? No.</think>\nI look.\n", tool_calls=THINKING[1].tool_calls)
    with ScriptedServer(lambda request: "22 degrees.") as server:
        model = ours(server, mode="force").bind_tools([get_weather])
        ask(model, [THINKING[0], called, THINKING[2]], way)
        said = [
            one["content"] for one in server.requests[0]["messages"] if one["role"] == "assistant"
        ]
    assert "Rome" not in said[-1]
    assert said[-1].startswith("I look.")


def test_an_emulated_turn_gives_what_is_insisted_on():
    """A server that wants the field even without tools gets it, next to the calls that are text."""

    def script(request):
        if None in sent(request):
            return Reply(status=400, body={"error": {"message": WANTED}})
        return "22 degrees."

    with ScriptedServer(script) as server:
        model = ours(server, mode="force", contract=Recipe(examples=False)).bind_tools(
            [get_weather]
        )
        assert model.invoke(THINKING).content == "22 degrees."
        assert [sent(one) for one in server.requests] == [[None], ["Hm."]]


def test_the_gateway_passes_reasoning_on():
    """A client's history keeps its reasoning on the way to the upstream, unless the upstream refuses it."""
    messages = [
        {"role": "user", "content": "Hi"},
        {"role": "assistant", "content": "Hello.", "reasoning_content": "Hm."},
        {"role": "user", "content": "And?"},
    ]
    with ScriptedServer(lambda request: Reply("Hi.", reasoning="So.")) as server:
        served = {"m": ChatToolEmu(ForwardingChatOpenAI(model="m", **clients(server)))}
        with gateway(served) as running, httpx.Client(trust_env=False) as client:
            body = {"model": "m", "messages": messages}
            reply = client.post(f"{running.v1}/chat/completions", json=body).json()
            assert sent(server.requests[-1]) == ["Hm."]
            server.play(strict_about_unknown_fields)
            client.post(f"{running.v1}/chat/completions", json=body)
            assert [sent(one) for one in server.requests] == [["Hm."], [None]]
    assert reply["choices"][0]["message"]["reasoning_content"] == "So."


@pytest.mark.parametrize("way", WAYS)
def test_a_native_call_that_is_asked_again_keeps_its_reasoning(way):
    """The reply that failed goes back with what the model thought, as the server insists."""

    def script(request):
        if None in sent(request):
            return Reply(status=400, body={"error": {"message": WANTED}})
        city = "Paris" if sent(request) else 7
        arguments = {"city": city} if sent(request) else {"town": city}
        return Reply(tool_calls=[("get_weather", arguments)], reasoning=THOUGHT)

    with ScriptedServer(script) as server:
        message = ask(ours(server, "kimi-k2.5").bind_tools([get_weather]), "Weather in Paris?", way)
        assert [call["args"] for call in message.tool_calls] == [{"city": "Paris"}]
        assert [sent(one) for one in server.requests] == [[], ["".join(THOUGHT)]]
