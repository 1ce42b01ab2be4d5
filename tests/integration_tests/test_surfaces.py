"""Every surface, on a native ChatOpenAI, on ChatToolEmu by force, and on ChatToolEmu where the server has no tools.

Each surface is a program that takes a way to make models and returns its final state. The three must agree.
"""

import asyncio
from contextlib import ExitStack
from functools import cache, reduce
from operator import add

import pytest
from langchain.agents import create_agent
from langchain.agents.middleware import (
    ClearToolUsesEdit,
    ContextEditingMiddleware,
    HumanInTheLoopMiddleware,
    ModelCallLimitMiddleware,
    ModelFallbackMiddleware,
    SummarizationMiddleware,
    TodoListMiddleware,
    ToolCallLimitMiddleware,
    ToolRetryMiddleware,
    wrap_model_call,
)
from langchain.agents.structured_output import AutoStrategy, ProviderStrategy, ToolStrategy
from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.tools import StructuredTool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode, create_react_agent, tools_condition
from langgraph.types import Command, interrupt
from pydantic import BaseModel

from langchain_toolemu import ChatToolEmu, ToolEmuChatOpenAI
from tests.scripted_server import Reply, ScriptedServer, without_tools
from tests.two_voices import Formed, playing
from tests.weather import find_city, get_weather

pytestmark = [
    pytest.mark.filterwarnings("ignore:create_react_agent has been moved"),
    pytest.mark.filterwarnings("ignore::langchain_toolemu.ToolEmuWarning"),
    pytest.mark.filterwarnings("ignore:.*beta"),
]
QUESTION = {"messages": [("user", "How warm is it where Ann lives?")]}
ANSWER = "It is 22 degrees in Paris."
FIND, LOOK = [("find_city", {"person": "Ann"})], [("get_weather", {"city": "Paris"})]
BOTH = [*FIND, *LOOK]
THREAD = {"configurable": {"thread_id": "1"}}
LIMIT = {"recursion_limit": 40}
WARM = Formed("Warmth", {"city": "Paris", "degrees": 22})


class Warmth(BaseModel):
    """How warm it is."""

    city: str
    degrees: int


TOOLS = [find_city, get_weather]


class Models:
    """Makes the models of one setup, each on a server of its own."""

    def __init__(self, setup, stack):
        self._setup = setup
        self._stack = stack

    def __call__(self, script, **kwargs):
        refusing = self._setup.startswith("fallback")
        played = without_tools(script) if refusing else script
        plain = self._stack.enter_context(ScriptedServer(played)).chat_model(**kwargs)
        if self._setup == "native":
            return plain
        if self._setup == "fallback by name":
            given = {name: getattr(plain, name) for name in plain.model_fields_set}
            built = ("client", "async_client", "root_client", "root_async_client", "profile")
            return ToolEmuChatOpenAI(**{k: v for k, v in given.items() if k not in built})
        mode = "force" if self._setup == "force" else "fallback"
        return ChatToolEmu(llm=plain, mode=mode)


SETUPS = ["force", "fallback", "fallback by name", "fallback natively"]


def played(program, setup):
    with ExitStack() as stack:
        if setup == "fallback natively":
            models = Models("native", stack)
            return program(lambda *args, **kwargs: ChatToolEmu(llm=models(*args, **kwargs)))
        return program(Models(setup, stack))


@cache
def natively(kind, *case):
    """What a program gives on a native ChatOpenAI; played once."""
    return played(PROGRAMS[kind](*case), "native")


def assert_same(found, expected):
    """Compare without pytest's rewriting, whose diff of two long states takes minutes."""
    if found != expected:
        pytest.fail(f"{found!r}\n\nis not\n\n{expected!r}")


def state_of(state):
    """A state without ids: what each message says, and all else there is."""
    messages = [said(message) for message in state["messages"]]
    return {"messages": messages, **{k: v for k, v in state.items() if k != "messages"}}


def said(message):
    calls = getattr(message, "tool_calls", [])
    return (
        message.type,
        message.text,
        [(call["name"], call["args"]) for call in calls],
        getattr(message, "status", None),
        message.name,
    )


# --- agents ---


def agent(*moves, tools=TOOLS, **kwargs):
    """A program: an agent over these moves."""

    def program(models):
        return state_of(
            create_agent(models(playing(*moves)), tools, **kwargs).invoke(QUESTION, LIMIT)
        )

    return program


def with_middleware(*moves, **kwargs):
    def program(models):
        made = {name: make(models) for name, make in kwargs.items()}
        llm = models(playing(*moves))
        return state_of(
            create_agent(llm, TOOLS, middleware=list(made.values())).invoke(QUESTION, LIMIT)
        )

    return program


def human_in_the_loop(models):
    asking = HumanInTheLoopMiddleware(interrupt_on={"get_weather": True})
    graph = create_agent(
        models(playing(FIND, LOOK, ANSWER)),
        TOOLS,
        middleware=[asking],
        checkpointer=InMemorySaver(),
    )
    asked = graph.invoke(QUESTION, THREAD)
    (paused,) = asked["__interrupt__"]
    decision = {"type": "edit", "edited_action": {"name": "get_weather", "args": {"city": "Paris"}}}
    state = graph.invoke(Command(resume={"decisions": [decision]}), THREAD)
    return [request["name"] for request in paused.value["action_requests"]], state_of(state)


def model_fallback(models):
    failing = models(lambda request: Reply(status=500, body={"error": {"message": "overloaded"}}))
    spare = ModelFallbackMiddleware(models(playing(FIND, LOOK, ANSWER)))
    return state_of(create_agent(failing, TOOLS, middleware=[spare]).invoke(QUESTION, LIMIT))


def summarized(models):
    summary = SummarizationMiddleware(
        models(playing("Ann lives in Paris.")), trigger=("messages", 5), keep=("messages", 2)
    )
    before, after = playing(FIND, LOOK), playing(ANSWER)
    llm = models(
        lambda request: (after if "Ann lives in Paris" in str(request) else before)(request)
    )
    return state_of(create_agent(llm, TOOLS, middleware=[summary]).invoke(QUESTION, LIMIT))


def tool_retry(models):
    tries = []

    def flaky(person: str) -> str:
        """Find the city a person lives in."""
        tries.append(person)
        if len(tries) < 3:
            raise ConnectionError("no network")
        return "Paris"

    tool = StructuredTool.from_function(flaky, name="find_city")
    retry = ToolRetryMiddleware(max_retries=3, initial_delay=0, jitter=False)
    llm = models(playing(FIND, LOOK, ANSWER))
    return tries, state_of(
        create_agent(llm, [tool, get_weather], middleware=[retry]).invoke(QUESTION)
    )


def dynamic_tools(models):
    offered = []

    @wrap_model_call
    def choose(request, handler):
        wanted = "get_weather" if len(request.messages) > 1 else "find_city"
        tools = [tool for tool in request.tools if tool.name == wanted]
        offered.append([tool.name for tool in tools])
        return handler(request.override(tools=tools))

    llm = models(playing(FIND, LOOK, ANSWER))
    return offered, state_of(create_agent(llm, TOOLS, middleware=[choose]).invoke(QUESTION, LIMIT))


def dynamic_models(models):
    first, second = models(playing(FIND)), models(playing(LOOK, LOOK, ANSWER))

    @wrap_model_call
    def choose(request, handler):
        return handler(request.override(model=second if len(request.messages) > 1 else first))

    return state_of(create_agent(first, TOOLS, middleware=[choose]).invoke(QUESTION, LIMIT))


def react(**kwargs):
    def program(models):
        graph = create_react_agent(
            models(playing(FIND, LOOK, kwargs.pop("end", ANSWER))), TOOLS, **kwargs
        )
        return state_of(graph.invoke(QUESTION, LIMIT))

    return program


def react_with_form(models):
    llm = models(playing(FIND, LOOK, WARM))
    return state_of(create_react_agent(llm, TOOLS, response_format=Warmth).invoke(QUESTION, LIMIT))


def by_hand(llm, tools, **kwargs):
    bound = llm.bind_tools(tools)
    graph = StateGraph(MessagesState)
    graph.add_node("model", lambda state: {"messages": [bound.invoke(state["messages"])]})
    graph.add_node("tools", ToolNode(tools))
    graph.add_edge(START, "model")
    graph.add_conditional_edges("model", tools_condition)
    graph.add_edge("tools", "model")
    return graph.compile(**kwargs)


def hand_made(models):
    return state_of(by_hand(models(playing(BOTH, BOTH, ANSWER)), TOOLS).invoke(QUESTION, LIMIT))


def interrupted(models):
    def ask_user(question: str) -> str:
        """Ask the user."""
        return interrupt(question)

    moves = playing([("ask_user", {"question": "Which Ann?"})], ANSWER)
    graph = by_hand(models(moves), [ask_user], checkpointer=InMemorySaver())
    paused = graph.invoke(QUESTION, THREAD)["__interrupt__"][0].value
    return paused, state_of(graph.invoke(Command(resume="Ann Smith"), THREAD))


def subgraph(models):
    inner = create_agent(models(playing(FIND, LOOK, ANSWER)), TOOLS)
    outer = StateGraph(MessagesState).add_node("agent", inner).add_edge(START, "agent").compile()
    streamed = list(outer.stream(QUESTION, stream_mode="updates", subgraphs=True))
    nodes = [name for _, update in streamed for name in update]
    return nodes, state_of(outer.invoke(QUESTION, LIMIT))


def agent_as_tool(models):
    expert = create_agent(models(playing(LOOK, "22 degrees")), [get_weather])

    def ask_expert(question: str) -> str:
        """Ask an expert."""
        return expert.invoke({"messages": question})["messages"][-1].content

    boss = models(playing([("ask_expert", {"question": "Paris?"})], ANSWER))
    return state_of(create_agent(boss, [ask_expert]).invoke(QUESTION, LIMIT))


def mcp_style(models):
    schema = {
        "type": "object",
        "properties": {"city": {"type": "string"}, "days": {"type": "integer"}},
        "required": ["city"],
    }

    async def forecast(**args):
        return f"sunny: {sorted(args.items())}"

    tool = StructuredTool(
        name="forecast", description="The forecast.", args_schema=schema, coroutine=forecast
    )
    moves = playing([("forecast", {"city": "Paris", "days": 3})], ANSWER)
    return state_of(asyncio.run(create_agent(models(moves), [tool]).ainvoke(QUESTION)))


AGENTS = {
    "create_agent": agent(FIND, LOOK, ANSWER),
    "create_agent, parallel calls": agent(BOTH, BOTH, ANSWER),
    "create_agent, a system prompt": agent(FIND, LOOK, ANSWER, system_prompt="Be brief."),
    "create_agent, ToolStrategy": agent(FIND, LOOK, WARM, response_format=ToolStrategy(Warmth)),
    "create_agent, ProviderStrategy": agent(
        FIND, LOOK, WARM, response_format=ProviderStrategy(Warmth)
    ),
    "create_agent, AutoStrategy": agent(FIND, LOOK, WARM, response_format=AutoStrategy(Warmth)),
    "create_agent, a schema": agent(FIND, LOOK, WARM, response_format=Warmth),
    "SummarizationMiddleware": summarized,
    "ToolCallLimitMiddleware": with_middleware(
        FIND,
        LOOK,
        ANSWER,
        limit=lambda models: ToolCallLimitMiddleware(run_limit=1, exit_behavior="continue"),
    ),
    "ModelCallLimitMiddleware": with_middleware(
        FIND, LOOK, ANSWER, limit=lambda models: ModelCallLimitMiddleware(run_limit=2)
    ),
    "ContextEditingMiddleware": with_middleware(
        FIND,
        LOOK,
        ANSWER,
        edit=lambda models: ContextEditingMiddleware(edits=[ClearToolUsesEdit(trigger=1, keep=1)]),
    ),
    "TodoListMiddleware": with_middleware(
        [("write_todos", {"todos": [{"content": "look", "status": "completed"}]})],
        ANSWER,
        todo=lambda models: TodoListMiddleware(),
    ),
    "HumanInTheLoopMiddleware": human_in_the_loop,
    "ModelFallbackMiddleware": model_fallback,
    "ToolRetryMiddleware": tool_retry,
    "dynamic tools": dynamic_tools,
    "dynamic models": dynamic_models,
    "create_react_agent": react(),
    "create_react_agent, a prompt": react(prompt="Be brief."),
    "create_react_agent, response_format": react_with_form,
    "ToolNode and tools_condition": hand_made,
    "interrupt and resume": interrupted,
    "a subgraph": subgraph,
    "an agent as a tool": agent_as_tool,
    "MCP-style tools": mcp_style,
}


@pytest.mark.in_turn(1)
@pytest.mark.parametrize("setup", SETUPS)
@pytest.mark.parametrize("surface", AGENTS)
def test_agents(surface, setup):
    """The same agent program ends in the same state as on a native ChatOpenAI."""
    assert_same(played(AGENTS[surface], setup), natively("agent", surface))


# --- streaming ---

SCRIPTS = [playing(BOTH), playing(ANSWER)]


class Tokens(BaseCallbackHandler):
    """The tokens that callbacks hear."""

    def __init__(self):
        self.text = ""

    def on_llm_new_token(self, token, **kwargs):
        self.text += token if isinstance(token, str) else ""


def streamed(llm):
    return said(reduce(add, llm.stream(QUESTION["messages"])))


def astreamed(llm):
    async def run():
        return [chunk async for chunk in llm.astream(QUESTION["messages"])]

    return said(reduce(add, asyncio.run(run())))


def events_v2(llm):
    async def run():
        return [event async for event in llm.astream_events(QUESTION["messages"], version="v2")]

    events = asyncio.run(run())
    text = "".join(e["data"]["chunk"].text for e in events if e["event"] == "on_chat_model_stream")
    (end,) = [e for e in events if e["event"] == "on_chat_model_end"]
    return text, said(end["data"]["output"])


def _blocks(events, output):
    started = [e["content"]["type"] for e in events if e["event"] == "content-block-start"]
    return started, said(output)


def events_v3(llm):
    stream = llm.stream_events(QUESTION["messages"], version="v3")
    return _blocks(list(stream), stream.output)


def aevents_v3(llm):
    async def run():
        stream = await llm.astream_events(QUESTION["messages"], version="v3")
        return [event async for event in stream], await stream.output

    return _blocks(*asyncio.run(run()))


def log(llm):
    async def run():
        return [patch async for patch in llm.astream_log(QUESTION["messages"])]

    return said(reduce(add, asyncio.run(run())).state["final_output"])


def tokens(llm):
    heard = Tokens()
    list(llm.stream(QUESTION["messages"], config={"callbacks": [heard]}))
    return heard.text


def batched(llm):
    return [said(message) for message in llm.batch([QUESTION["messages"]] * 3)]


STREAMS = {
    "invoke": lambda llm: said(llm.invoke(QUESTION["messages"])),
    "ainvoke": lambda llm: said(asyncio.run(llm.ainvoke(QUESTION["messages"]))),
    "batch": batched,
    "stream": streamed,
    "astream": astreamed,
    "astream_events v2": events_v2,
    "stream_events v3": events_v3,
    "astream_events v3": aevents_v3,
    "astream_log": log,
    "callbacks": tokens,
}
FORMATS = {
    "v0": {},
    "v1": {"output_version": "v1"},
    "disable_streaming": {"disable_streaming": True},
    "disable_streaming for tools": {"disable_streaming": "tool_calling"},
}


def calling(surface, form):
    """A program: one way to call a model that calls, and one that answers."""

    def program(models):
        llms = [models(script, **FORMATS[form]) for script in SCRIPTS]
        return [STREAMS[surface](llm.bind_tools(TOOLS)) for llm in llms]

    return program


@pytest.mark.in_turn
@pytest.mark.parametrize("setup", ["force", "fallback"])
@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("surface", STREAMS)
def test_streams(surface, form, setup):
    """Every way to call or stream a model with tools gives what it gives on a native ChatOpenAI."""
    assert_same(played(calling(surface, form), setup), natively("stream", surface, form))


def _updates(graph):
    return [
        {node: state_of(update) for node, update in step.items()} for step in graph.stream(QUESTION)
    ]


def _values(graph):
    return [state_of(state) for state in graph.stream(QUESTION, stream_mode="values")]


def _tokens(graph):
    """What a user interface shows: the words of each message, and the calls by name."""
    shown = []
    for chunk, metadata in graph.stream(QUESTION, stream_mode="messages"):
        who = (metadata["langgraph_node"], chunk.type.removesuffix("MessageChunk").lower())
        if not shown or shown[-1][:2] != who or chunk.type == "tool":
            shown.append((*who, []))
        calls = getattr(chunk, "tool_call_chunks", [])
        shown[-1][2].extend(call["name"] for call in calls if call["name"])
        shown[-1][2].append(chunk.text)
    return [(*who, "".join(pieces)) for *who, pieces in shown]


def _graph_events_v3(graph):
    run = graph.stream_events(QUESTION, version="v3")
    list(run)
    return state_of(run.output)


GRAPHS = {
    "stream_mode updates": _updates,
    "stream_mode values": _values,
    "stream_mode messages": _tokens,
    "stream_events v3": _graph_events_v3,
}


def streaming(mode):
    """A program: an agent, streamed."""

    def program(models):
        return GRAPHS[mode](create_agent(models(playing(FIND, LOOK, ANSWER)), TOOLS))

    return program


@pytest.mark.in_turn
@pytest.mark.parametrize("setup", ["force", "fallback"])
@pytest.mark.parametrize("mode", GRAPHS)
def test_graph_streams(mode, setup):
    """A graph's streams show the same messages, updates and values, token by token."""
    assert_same(played(streaming(mode), setup), natively("graph", mode))


PROGRAMS = {"agent": AGENTS.get, "stream": calling, "graph": streaming}


@pytest.mark.parametrize(("form", "several"), [({}, True), ({"disable_streaming": True}, False)])
def test_words_really_stream(form, several):
    """An emulated answer comes token by token, and in one piece where streaming is disabled."""
    with ScriptedServer(playing(ANSWER)) as server:
        llm = ChatToolEmu(llm=server.chat_model(**form), mode="force").bind_tools(TOOLS)
        pieces = [chunk.text for chunk in llm.stream(QUESTION["messages"]) if chunk.text]
    assert (len(pieces) > 3) is several


def test_states_hold_messages():
    """What the matrix compares is not empty."""
    state = played(AGENTS["create_agent"], "native")
    assert [kind for kind, *_ in state["messages"]] == ["human", "ai", "tool", "ai", "tool", "ai"]
