"""A provider's own tools, bound with nothing else, and a search for tools that is not sent."""

import json
import re

import pytest
from langchain.agents import create_agent
from langchain.agents.middleware import ProviderToolSearchMiddleware
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langchain_core.tools import StructuredTool
from pydantic import BaseModel

from langchain_toolemu import ChatToolEmu, ToolEmuChatOpenAI, ToolSpecError
from langchain_toolemu.capability import forget
from tests.essence import calls, essence, report
from tests.own_tools import OwnTools, Said
from tests.scripted_server import Reply, ScriptedServer, without_tools
from tests.scripted_turns import Doubts, Review
from tests.tables import every_row
from tests.ways import WAYS, ask
from tests.weather import CALL, PARIS, find_city, get_weather

MCP = {"type": "mcp", "server_label": "docs", "server_url": "https://docs.example"}
OPENAI = [
    {"type": "web_search"},
    {"type": "web_search_preview"},
    {"type": "code_interpreter", "container": {"type": "auto"}},
    {"type": "file_search", "vector_store_ids": ["vs_1"]},
    {"type": "image_generation"},
    {"type": "custom", "name": "grammar"},
    MCP,
]
ANTHROPIC = [
    {"type": "web_search_20250305", "name": "web_search"},
    {"type": "web_fetch_20250910", "name": "web_fetch"},
    {"type": "code_execution_20250825", "name": "code_execution"},
    {"type": "bash_20250124", "name": "bash"},
    {"type": "tool_search_tool_bm25_20251119", "name": "tool_search_tool_bm25"},
]
OF_PROTOCOL = {"completions": OPENAI, "responses": OPENAI, "anthropic": ANTHROPIC}
PROTOCOLS = [*OF_PROTOCOL, "ours completions", "ours responses"]
RAIN = Said("It rains.", searches=True)
# An emulated call, whose result would be answered in text if text could ask for anything.
LOOK = {"name": "look", "args": {}, "id": "c1"}
EMULATED = {"toolemu": {"mode": "fallback", "path": "emulated"}}
LOOKED = [
    HumanMessage("Weather?"),
    AIMessage("", tool_calls=[LOOK], response_metadata=EMULATED),
    ToolMessage("wet", tool_call_id="c1"),
]  # fmt: skip


class Rain(BaseModel):
    """Whether it rains."""

    rains: bool


def own_tools(protocol):
    return OF_PROTOCOL[protocol.removeprefix("ours ")]


def wrapped(server, protocol, **options):
    """Our model of a server in a protocol."""
    if protocol.startswith("ours"):
        return server.chat_model(protocol, **options)
    return ChatToolEmu(server.chat_model(protocol), **options)


def without_ids(value):
    """A reply's content without its ids, which no two have in common."""
    if isinstance(value, list):
        return [*map(without_ids, value)]
    if isinstance(value, dict):
        return {key: without_ids(one) for key, one in value.items() if "id" not in key.split("_")}
    return value


@pytest.mark.in_turn
@pytest.mark.filterwarnings("ignore:Received unexpected tool content block")
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("asked", ["Weather?", LOOKED], ids=["a question", "a history"])
@every_row("protocol", PROTOCOLS)
def test_nothing_but_a_providers_own_tools_passes(protocol, asked, way):
    """One or several: the request that the wrapped model would send, and its reply as it came."""
    tools = own_tools(protocol)
    for bound in [*([one] for one in tools), tools[:3]]:
        with OwnTools([RAIN]) as server:
            message = ask(wrapped(server, protocol).bind_tools(bound), asked, way)
            bare = server.chat_model(protocol.removeprefix("ours "))
            same = ask(bare.bind_tools(bound), asked, way)
            ours, theirs = server.requests
        assert ours == theirs
        assert message.text == "It rains."
        assert without_ids(message.content) == without_ids(same.content)
        assert (report(message)["path"], report(message)["warnings"]) == ("native", [])


@every_row("protocol", PROTOCOLS)
@pytest.mark.parametrize("way", ["invoke", "stream"])
def test_a_form_beside_them_passes_as_without_us(protocol, way):
    """What the wrapped model makes of it, were it an error of its client's."""

    def outcome(model):
        tools = own_tools(protocol)[:1]
        chain = model.with_structured_output(Rain, method="json_schema", tools=tools)
        try:
            return chain.invoke("Hi") if way == "invoke" else list(chain.stream("Hi"))[-1]
        except ValueError as error:
            return type(error)

    with OwnTools([Said('{"rains": true}')]) as server:
        bare = server.chat_model(protocol.removeprefix("ours "))
        assert outcome(wrapped(server, protocol)) == outcome(bare)
        assert all(request == server.requests[-1] for request in server.requests)


@every_row("protocol", ["completions", "responses", "anthropic"])
@pytest.mark.parametrize("way", WAYS)
def test_words_that_look_like_a_call_stay_words(protocol, way):
    """There is nothing that they could call."""
    with OwnTools([Said(f"So: <tool_call>{CALL}</tool_call>")]) as server:
        message = ask(wrapped(server, protocol).bind_tools(own_tools(protocol)[:1]), "Hi", way)
        assert len(server.requests) == 1
    assert (message.text, message.tool_calls) == (f"So: <tool_call>{CALL}</tool_call>", [])


OPEN = {"type": "function", "name": "open", "parameters": {"type": "object"}}
FILES = {"type": "namespace", "name": "files", "description": "Files.", "tools": [OPEN]}
NAMED = [("anthropic", ANTHROPIC[3], "bash"), ("responses", FILES, "open")]


@every_row(("protocol", "tool", "name"), NAMED)
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("beside", [[], [get_weather]], ids=["alone", "beside a function"])
def test_a_call_that_such_a_tool_makes_of_the_program_is_handed_on(
    protocol, tool, name, beside, way
):
    """Its name stands in the tool's dict; any other name is nobody's."""
    with OwnTools([Said(calls=[(name, {"a": 1})])]) as server:
        message = ask(wrapped(server, protocol).bind_tools([tool, *beside]), "Hi", way)
        assert (calls(message), len(server.requests)) == ([(name, {"a": 1})], 1)
    wrong = [Said(calls=[("rm", {"n": number})]) for number in range(3 if beside else 2)]
    with OwnTools([*wrong, RAIN]) as server:
        message = ask(wrapped(server, protocol).bind_tools([tool, *beside]), "Hi", way)
    assert (message.text, message.tool_calls) == ("It rains.", [])


@every_row("protocol", PROTOCOLS)
def test_in_force_they_are_refused_as_ever(protocol):
    """When they are bound, and when they are passed to the call; the message says what to do."""
    with OwnTools([RAIN]) as server:
        llm = wrapped(server, protocol, mode="force")
        for tool in own_tools(protocol):
            with pytest.raises(ToolSpecError, match="cannot be emulated in text"):
                llm.bind_tools([tool])
            with pytest.raises(ToolSpecError, match="cannot be emulated in text"):
                llm.invoke("Hi", tools=[tool])
        assert server.requests == []


def test_they_pass_where_the_model_is_known_to_call_no_functions():
    """That says nothing of what its provider does by itself."""
    with OwnTools([RAIN]) as server:
        llm = ChatToolEmu(server.chat_model("responses"), tool_support="none")
        assert llm.bind_tools([{"type": "web_search"}]).invoke("Hi").text == "It rains."
        assert server.requests[0]["tools"] == [{"type": "web_search"}]


REFUSALS = [
    "Unknown tool type: web_search",
    "tools[0].type: Input should be 'function'",
    "bad search_context_size",
]


@every_row("words", REFUSALS)
@pytest.mark.parametrize("way", WAYS)
def test_what_the_provider_refuses_is_told_in_its_words(words, way):
    """No request in text could make up for it, and functions are not given up for it."""
    with OwnTools([Said(refused=words)]) as server:
        llm = ChatToolEmu(server.chat_model("responses"))
        with pytest.raises(Exception, match="400") as caught:
            ask(llm.bind_tools([{"type": "web_search"}]), "Hi", way)
        assert words in str(caught.value)
        assert llm.tool_support.verdict == "unknown"


def test_a_call_that_the_server_could_not_read_is_asked_for_once_more():
    """And then the reply is what it is: there is nothing to ask for in text."""
    broken = Reply(finish_reason="MALFORMED_FUNCTION_CALL")
    with ScriptedServer([broken, broken]) as server:
        llm = ChatToolEmu(server.chat_model(use_responses_api=False))
        message = llm.bind_tools([{"type": "web_search"}]).invoke("Hi")
    assert (message.text, report(message)["requests"]) == ("", 2)


@every_row("protocol", PROTOCOLS)
def test_an_agent_with_nothing_else_answers(protocol):
    """As LangChain's agent runs without us."""
    with OwnTools([RAIN]) as server:
        agent = create_agent(wrapped(server, protocol), own_tools(protocol)[:1])
        messages = agent.invoke({"messages": [("user", "Weather?")]})["messages"]
        assert messages[-1].text == "It rains."


# --- a search for tools, which a middleware of LangChain's binds ---

SEARCHES = [{"type": "tool_search"}, ANTHROPIC[4]]
DOUBTING = Doubts(Review.ask("it is odd", "Is it right?"))
LOOKS = Reply(tool_calls=[("look", {})])
FEW = {"prompt_tokens": 9, "completion_tokens": 1, "total_tokens": 10}
# Replies that lead to a further request, or to a repair, if the functions are looked after.
TURNS = {
    "an answer that is checked": ([Reply("Hi.", usage=None), CALL], {}),
    "a doubted call": ([f"<tool_call>{CALL}</tool_call>", CALL], {"policy": DOUBTING}),
    "a call of no tool": ([LOOKS, Reply(tool_calls=PARIS)], {}),
    "a call of no tool in text": (['<tool_call>{"name": "look"}</tool_call>', CALL], {}),
    "arguments that do not fit": (['<tool_call>{"name": "get_weather"}</tool_call>', CALL], {}),
    "a dropped tool list": ([Reply("Hi.", usage=FEW), CALL], {}),
    "a server without tools": ("refuses", {}),
    "force": ([CALL], {"mode": "force"}),
}  # fmt: skip


def script(replies):
    return without_tools(lambda request: CALL) if replies == "refuses" else replies


@pytest.mark.in_turn
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("search", SEARCHES, ids=["OpenAI's", "Anthropic's"])
@every_row(("replies", "options"), TURNS.values())
def test_a_search_that_is_not_sent_changes_nothing(replies, options, search, way):
    """The same requests, message and report as without it, and the call is made."""
    seen = []
    for tools in ([get_weather, find_city], [get_weather, find_city, search]):
        forget()
        with ScriptedServer(script(replies)) as server:
            model = server.chat_model(use_responses_api=False)
            message = ask(ChatToolEmu(model, **options).bind_tools(tools), "Weather in Paris?", way)
            sent = re.sub("call_[0-9a-f]+", "call", json.dumps(server.requests))
            seen.append((essence(message), sent))
    assert seen[0] == seen[1]
    assert calls(message) == PARIS


def test_langchains_middleware_leaves_emulation_on():
    """A wrong name and an unknown model are looked after as without it."""
    script = [
        Reply(tool_calls=[("look", {})]),
        Reply("No.", usage=None),
        CALL,
        Reply("It is mild."),
    ]
    seen = []
    for middleware in ([], [ProviderToolSearchMiddleware(searchable_tools=["find_city"])]):
        forget()
        with ScriptedServer([*script]) as server:
            model = ToolEmuChatOpenAI(
                model="m", base_url=server.base_url, api_key="k", max_retries=0
            )
            agent = create_agent(model, [get_weather, find_city], middleware=middleware)
            messages = agent.invoke({"messages": [("user", "Weather?")]})["messages"]
            seen.append(([one.text for one in messages], len(server.requests)))
    assert seen[0] == seen[1]
    assert "dropped" not in json.dumps([one.response_metadata for one in messages], default=str)


def test_a_search_that_is_sent_counts_as_the_providers_own():
    """On a vendor's own host it goes natively, and in force it does not."""
    deferred = StructuredTool.from_function(find_city, extras={"defer_loading": True})
    for options, searched in ({}, True), ({"mode": "force"}, False):
        llm = ToolEmuChatOpenAI(model="gpt-5", api_key="k", **options)
        bound = llm.bind_tools([get_weather, deferred, {"type": "tool_search"}])
        turn = llm._turn([HumanMessage("Hi")], None, bound.kwargs, llm._capability({}))
        assert ("tool_search" in turn._turn_input.built_in_names) is searched
        assert ("tool_search" in str(turn.ask().kwargs.get("tools"))) is searched
