"""Agents of three makes, in two flows, run three ways, through what goes wrong in agent loops."""

import asyncio
import json

import pytest
from langchain.agents import create_agent
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode, create_react_agent, tools_condition

from langchain_toolemu import ChatToolEmu
from langchain_toolemu.contract.example_values import PLACEHOLDERS
from tests import ways
from tests.scripted_server import Reply, ScriptedServer, without_tools
from tests.tables import every_row
from tests.weather import find_city, get_weather

pytestmark = pytest.mark.filterwarnings("ignore:create_react_agent has been moved")
ANSWER = "Ann lives in Paris, where it is 22 degrees."


def explode(fuse: int) -> str:
    """Explode."""
    raise ValueError("boom")


TOOLS = [find_city, get_weather]


def state_graph(llm, tools):
    """A graph as people write it by hand."""
    bound = llm.bind_tools(tools)
    graph = StateGraph(MessagesState)
    graph.add_node("model", lambda state: {"messages": [bound.invoke(state["messages"])]})
    graph.add_node("tools", ToolNode(tools, handle_tool_errors=True))
    graph.add_edge(START, "model")
    graph.add_conditional_edges("model", tools_condition)
    graph.add_edge("tools", "model")
    return graph.compile()


def reacting(llm, tools, **kwargs):
    return create_react_agent(llm, ToolNode(tools, handle_tool_errors=True), **kwargs)


def agent(llm, tools, **kwargs):
    from langchain.agents.middleware import ToolRetryMiddleware

    return create_agent(llm, tools, middleware=[ToolRetryMiddleware(max_retries=0)], **kwargs)


MAKERS = {"create_agent": agent, "create_react_agent": reacting, "state_graph": state_graph}
LIMIT = {"recursion_limit": 250}


def sync(graph, question):
    return graph.invoke({"messages": question}, LIMIT)["messages"]


def asynchronous(graph, question):
    return asyncio.run(graph.ainvoke({"messages": question}, LIMIT))["messages"]


def streamed(graph, question):
    return list(graph.stream({"messages": question}, LIMIT, stream_mode="values"))[-1]["messages"]


WAYS = {"sync": sync, "async": asynchronous, "stream": streamed}


def call(name, /, **args):
    return json.dumps({"name": name, "arguments": args})


FIND, LOOK = call("find_city", person="Ann"), call("get_weather", city="Paris")

# What the model does in each round: attempts, the second of which answers a correction of the first.
SCENARIOS = {
    "two steps": [[FIND], [LOOK], [ANSWER]],
    "parallel calls": [[f"{FIND}\n{call('find_city', person='Bob')}"], [LOOK], [ANSWER]],
    "a failing tool": [[call("find_city", person="Eve")], [FIND], [LOOK], [ANSWER]],
    "an unknown tool": [
        [f"<tool_call>{call('find_town', person='Ann')}</tool_call>", FIND],
        [LOOK],
        [ANSWER],
    ],
    "wrong arguments": [[call("find_city", name="Ann"), FIND], [LOOK], [ANSWER]],
    "a refusal, then recovery": [
        ["I'm sorry, I don't have access to tools.", FIND],
        [LOOK],
        [ANSWER],
    ],
    "a cut call, then recovery": [
        [Reply(text=FIND[:-8], finish_reason="length"), FIND],
        [LOOK],
        [ANSWER],
    ],
    "an empty reply, then recovery": [["", FIND], [LOOK], [ANSWER]],
    "a loop broken by the repeat rule": [[FIND], [FIND, LOOK], [ANSWER]],
}


def text_of(reply):
    return "".join(reply.text) if isinstance(reply, Reply) else reply


def is_example(content):
    return any(word in content for word in ("example", *PLACEHOLDERS))


def playing(moves):
    """A model that makes these moves, one a round, and corrects itself when it is told to."""

    def script(request):
        system = request["messages"][0]["content"]
        talk = [message for message in request["messages"] if not is_example(message["content"])]
        results = [message for message in talk if message["content"].startswith("<tool_response")]
        attempts = moves[len(results)]
        said = [message["content"] for message in talk[-2:] if message["role"] == "assistant"]
        corrected = [
            message
            for message in talk[-1:]
            if "again" in message["content"]
            or "You do have" in message["content"]
            or "cannot be called" in message["content"]
            or "was empty" in message["content"]
            or "was just called" in message["content"]
        ]
        reply = (
            attempts[min(len(corrected), len(attempts) - 1)] if said or corrected else attempts[0]
        )
        wants_answer = not text_of(attempts[-1]).startswith("{")
        if "Decide whether" in system and wants_answer:
            return call("none")
        return reply

    return script


def check_pairs(messages):
    """Every call has its result, and no id occurs twice."""
    made = [
        made["id"]
        for message in messages
        if isinstance(message, AIMessage)
        for made in message.tool_calls
    ]
    answered = [message.tool_call_id for message in messages if isinstance(message, ToolMessage)]
    assert made == answered
    assert len(set(made)) == len(made)


@pytest.mark.pairwise
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("flow", ["inline", "decision"])
@pytest.mark.parametrize("maker", MAKERS)
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_loop_runs_to_its_answer(scenario, maker, flow, way):
    """Whatever goes wrong on the way, the agent ends with the answer, and calls and results pair up."""
    if flow == "decision" and "refusal" in scenario:
        pytest.skip("a decision is held to JSON: a refusal there is a decision not to call")
    with ScriptedServer(playing(SCENARIOS[scenario])) as server:
        graph = MAKERS[maker](ChatToolEmu(llm=server.chat_model(), mode="force", flow=flow), TOOLS)
        messages = WAYS[way](graph, [HumanMessage("How warm is it where Ann lives?")])
    assert messages[-1].content == ANSWER
    check_pairs(messages)
    looked = [
        made["args"]
        for message in messages
        if isinstance(message, AIMessage)
        for made in message.tool_calls
        if made["name"] == "get_weather"
    ]
    assert looked == [{"city": "Paris"}]


_LOOPS = pytest.mark.more("time: fifty rounds, of which the other ways show as much")


@pytest.mark.in_turn
@pytest.mark.parametrize(
    "way", ["sync", *(pytest.param(way, marks=_LOOPS) for way in list(WAYS)[1:])]
)
@pytest.mark.parametrize(
    "maker",
    ["create_agent", *(pytest.param(one, marks=_LOOPS) for one in MAKERS if one != "create_agent")],
)
def test_fifty_rounds_end_in_an_answer(maker, way):
    """A model that never stops calling is asked for its answer after fifty rounds, and the agent ends."""

    def restless(request):
        last = request["messages"][-1]["content"]
        if "50 rounds" in last:
            return "I have seen enough."
        return call(
            "get_weather",
            city=f"City {sum('City' in message['content'] for message in request['messages'])}",
        )

    with ScriptedServer(restless) as server:
        graph = MAKERS[maker](ChatToolEmu(llm=server.chat_model(), mode="force"), TOOLS)
        messages = WAYS[way](graph, [HumanMessage("Look at every city.")])
    assert messages[-1].content == "I have seen enough."
    assert sum(isinstance(message, ToolMessage) for message in messages) == 50
    check_pairs(messages)


NATIVE_HISTORY = [
    HumanMessage("How warm is it where Ann lives?"),
    AIMessage(
        [
            {"type": "text", "text": "Let me see."},
            {"type": "tool_use", "id": "toolu_1", "name": "find_city", "input": {"person": "Ann"}},
        ],
        tool_calls=[{"name": "find_city", "args": {"person": "Ann"}, "id": "toolu_1"}],
    ),
    ToolMessage("Paris", tool_call_id="toolu_1"),
]


@pytest.mark.parametrize("maker", MAKERS)
def test_a_native_history_is_continued_emulated(maker):
    """A conversation begun by a native model goes on with an emulated one."""
    with ScriptedServer(playing([[FIND], [LOOK], [ANSWER]])) as server:
        messages = sync(
            MAKERS[maker](ChatToolEmu(llm=server.chat_model(), mode="force"), TOOLS), NATIVE_HISTORY
        )
    assert messages[-1].content == ANSWER
    check_pairs(messages)


def test_an_emulated_history_is_continued_natively():
    """And the reverse: a native model takes over what an emulated one began, ids and all."""
    with ScriptedServer(playing([[FIND], [LOOK]])) as server:
        first = (
            ChatToolEmu(llm=server.chat_model(), mode="force")
            .bind_tools(TOOLS)
            .invoke("How warm is it where Ann lives?")
        )
    history = [
        HumanMessage("?"),
        first,
        ToolMessage("Paris", tool_call_id=first.tool_calls[0]["id"]),
    ]
    billed = {"prompt_tokens": 500, "completion_tokens": 5, "total_tokens": 505}
    with ScriptedServer([Reply(ANSWER, usage=billed)]) as server:
        message = ChatToolEmu(llm=server.chat_model()).bind_tools(TOOLS).invoke(history)
        (request,) = server.requests
    assert message.content == ANSWER
    assert request["messages"][1]["tool_calls"][0]["id"] == first.tool_calls[0]["id"]


@every_row("way", ways.WAYS)
def test_a_run_that_was_found_to_need_text_goes_on_in_text(way):
    """A server that drops tools drops results as well, and a native request would get words in vain, once a turn."""

    def play(request):
        asked = str(request["messages"])
        if "tool_response" in asked:
            return ANSWER
        if "find_person" in asked:
            return '{"name": "find_person", "arguments": {"name": "Ann"}}'
        return "Sorry, I cannot look that up."

    def find_person(name: str) -> str:
        """Find where a person lives."""
        return "Paris"

    with ScriptedServer(lambda request: Reply(play(request), usage=None)) as server:
        llm = ChatToolEmu(llm=server.chat_model()).bind_tools([find_person])
        history = [HumanMessage("Where does Ann live?")]
        called = ways.ask(llm, history, way)
        asked = len(server.requests)
        result = ToolMessage("Paris", tool_call_id=called.tool_calls[0]["id"])
        message = ways.ask(llm, [*history, called, result], way)
    assert (message.content, message.response_metadata["toolemu"]["path"]) == (ANSWER, "emulated")
    assert len(server.requests) == asked + 1
    assert [one["name"] for one in called.tool_calls] == ["find_person"]


@pytest.mark.parametrize("maker", ["create_agent", "create_react_agent"])
def test_a_thread_resumes_from_sqlite(maker, tmp_path):
    """A conversation kept in SQLite goes on in a new process's objects, with ids that never repeat."""
    thread = {"configurable": {"thread_id": "1"}, "recursion_limit": 50}

    def turn(question, moves):
        with (
            SqliteSaver.from_conn_string(str(tmp_path / "threads.db")) as saver,
            ScriptedServer(playing(moves)) as server,
        ):
            graph = MAKERS[maker](
                ChatToolEmu(llm=server.chat_model(), mode="force"), TOOLS, checkpointer=saver
            )
            return graph.invoke({"messages": [HumanMessage(question)]}, thread)["messages"]

    turn("How warm is it where Ann lives?", [[FIND], [LOOK], [ANSWER]])
    messages = turn("And in Rome?", [[], [], [call("get_weather", city="Rome")], [ANSWER]])
    assert messages[-1].content == ANSWER
    assert sum(isinstance(message, ToolMessage) for message in messages) == 3
    check_pairs(messages)


def test_a_fallback_agent_learns_once():
    """On a provider without tools, an agent's rounds pay for the discovery once."""
    with ScriptedServer(without_tools(playing(SCENARIOS["two steps"]))) as server:
        messages = sync(
            create_agent(ChatToolEmu(llm=server.chat_model()), TOOLS), [HumanMessage("?")]
        )
        natively = ["tools" in request for request in server.requests]
    assert messages[-1].content == ANSWER
    assert natively == [True, False, False, False]
