"""Mode off is the wrapped model: one program on the bare model and on the wrapper gives the same to the letter.

The models are toys without a server, one for each convention that integrations and other projects' tests follow.
"""

import asyncio
import re
from functools import reduce
from operator import add

import pytest
from langchain.agents import create_agent
from langchain_core.caches import InMemoryCache
from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.chat_history import InMemoryChatMessageHistory
from langchain_core.load import dumps, loads
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langchain_core.runnables import ConfigurableField
from langchain_core.runnables.history import RunnableWithMessageHistory
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import create_react_agent

from langchain_toolemu import ChatToolEmu, ToolSpecError
from tests.essence import calls, report
from tests.toy_models import (
    TOYS,
    AsyncStreaming,
    Binding,
    BindsCopy,
    Configured,
    ReturnsChain,
    ReturnsCopy,
    ReturnsFunction,
    ReturnsItself,
    Streaming,
    Toy,
    WholeReturnsItself,
)
from tests.weather import PARIS, get_weather

pytestmark = [
    pytest.mark.filterwarnings("ignore:create_react_agent has been moved"),
    pytest.mark.filterwarnings("ignore::langchain_toolemu.ToolEmuWarning"),
    pytest.mark.filterwarnings("ignore:.*beta"),
    pytest.mark.filterwarnings("ignore:.*deprecated"),
]
QUESTION = "What is the weather in Paris?"
CALL = AIMessage(
    "Let me look.",
    tool_calls=[{"name": name, "args": args, "id": "c1"} for name, args in PARIS],
    response_metadata={"finish_reason": "tool_calls"},
)
ANSWER = "It is 22 degrees in Paris."


SCHEMA = {"title": "get_weather", "type": "object", "properties": {"city": {"type": "string"}}}


def plain(value):
    """A value that can be compared: messages as what they hold, and no id of a run."""
    if isinstance(value, BaseMessage):
        return type(value).__name__, plain(value.model_dump())
    if isinstance(value, dict):
        return {key: plain(inner) for key, inner in value.items() if key not in _NEW}
    if isinstance(value, list | tuple):
        return [plain(inner) for inner in value]
    return re.sub(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "ID", str(value))


_NEW = ("run_id", "parent_ids", "start_time", "end_time", "metadata", "id_")


async def _all(stream):
    return [item async for item in stream]


class Told(BaseCallbackHandler):
    """What callbacks hear of a call."""

    def __init__(self):
        self.told = []

    def on_llm_new_token(self, token, *, chunk=None, **kwargs):
        self.told.append(("token", token, chunk and chunk.message))

    def on_llm_end(self, response, **kwargs):
        self.told.append(("end", [one.message for row in response.generations for one in row]))

    def on_llm_error(self, error, **kwargs):
        self.told.append(("error", repr(error)))


def callbacks(llm):
    heard = Told()
    llm.invoke(QUESTION, {"callbacks": [heard]})
    list(llm.stream(QUESTION, {"callbacks": [heard]}))
    return heard.told


def events_v2(llm):
    events = asyncio.run(_all(llm.astream_events(QUESTION, version="v2")))
    return [(event["event"], event["data"]) for event in events]


def events_v3(llm):
    stream = llm.stream_events(QUESTION, version="v3")
    return list(stream), stream.output


def aevents_v3(llm):
    async def run():
        stream = await llm.astream_events(QUESTION, version="v3")
        return [event async for event in stream], await stream.output

    return asyncio.run(run())


def log(llm):
    patches = asyncio.run(_all(llm.astream_log(QUESTION)))
    return len(patches), reduce(add, patches).state["final_output"]


def graph(llm):
    def node(state):
        return {"messages": [llm.invoke(state["messages"])]}

    return StateGraph(MessagesState).add_node("model", node).add_edge(START, "model").compile()


def graph_messages(llm):
    stream = graph(llm).stream({"messages": QUESTION}, stream_mode="messages")
    return [chunk for chunk, _ in stream]


def graph_events_v3(llm):
    run = graph(llm).stream_events({"messages": QUESTION}, version="v3")
    list(run)
    return [message for message in run.output["messages"] if message.type == "ai"]


def with_history(llm):
    history = InMemoryChatMessageHistory()
    chain = RunnableWithMessageHistory(llm, lambda session_id: history)
    config = {"configurable": {"session_id": "1"}}
    return [chain.invoke(QUESTION, config) for _ in range(2)], history.messages


def configured(llm):
    chosen = llm.configurable_fields(tags=ConfigurableField(id="tags"))
    return chosen.invoke(QUESTION, {"configurable": {"tags": ["x"]}})


def bound(ask):
    def program(llm):
        return ask(llm.bind_tools([get_weather], tool_choice="any"))

    return program


def agent(llm):
    state = create_agent(llm, [get_weather]).invoke({"messages": QUESTION})
    return [(message.type, message.content) for message in state["messages"]]


def agent_tokens(llm):
    stream = create_agent(llm, [get_weather]).stream({"messages": QUESTION}, stream_mode="messages")
    return [(type(chunk).__name__, chunk.content) for chunk, _ in stream]


def react(llm):
    state = create_react_agent(llm, [get_weather]).invoke({"messages": QUESTION})
    return [(message.type, message.content) for message in state["messages"]]


CALLS = {
    "invoke": lambda llm: llm.invoke(QUESTION),
    "invoke, stop": lambda llm: llm.invoke(QUESTION, stop=["END"]),
    "ainvoke": lambda llm: asyncio.run(llm.ainvoke(QUESTION)),
    "stream": lambda llm: list(llm.stream(QUESTION)),
    "astream": lambda llm: asyncio.run(_all(llm.astream(QUESTION))),
    "stream=False": lambda llm: list(llm.stream(QUESTION, stream=False)),
    "batch": lambda llm: llm.batch([QUESTION] * 2, {"max_concurrency": 1}),
    "astream_events v2": events_v2,
    "stream_events v3": events_v3,
    "astream_events v3": aevents_v3,
    "astream_log": log,
    "callbacks": callbacks,
    "stream_mode messages": graph_messages,
    "a graph's stream_events v3": graph_events_v3,
    "with_retry": lambda llm: llm.with_retry().invoke(QUESTION),
    "with_fallbacks": lambda llm: llm.with_fallbacks([llm]).invoke(QUESTION),
    "configurable_fields": configured,
    "RunnableWithMessageHistory": with_history,
}
PROGRAMS = {
    **CALLS,
    **{
        f"bind_tools, {name}": bound(CALLS[name])
        for name in ("invoke", "ainvoke", "stream", "astream", "astream_events v2", "with_retry")
    },
    "create_agent": agent,
    "create_agent, stream_mode messages": agent_tokens,
    "create_react_agent": react,
    "with_structured_output": lambda llm: llm.with_structured_output(SCHEMA).invoke(QUESTION),
    "generate": lambda llm: [
        [one.message for one in row] for row in llm.generate([[HumanMessage(QUESTION)]]).generations
    ],
}


def outcome(program, llm, toy):
    """What a program gives, or the error it raises; and what the model was sent."""
    try:
        result = program(llm)
    except Exception as error:  # noqa: BLE001 - an error is an outcome too
        result = f"{type(error).__name__}: {error}"
    return plain(result), plain(toy.heard)


FORMATS = [{"output_version": "v1"}, {"disable_streaming": True}]
MODELS = [(kind, {}) for kind in TOYS]
MODELS += [(kind, given) for kind in (Toy, Streaming, Binding) for given in FORMATS]


def assert_same(program, bare, wrapped):
    """One program gives the same on the bare model and in mode off."""
    expected = outcome(program, bare, bare)
    found = outcome(program, ChatToolEmu(llm=wrapped, mode="off"), wrapped)
    if found != expected:  # pytest's own diff of long states takes minutes
        pytest.fail(f"{found!r}\n\nis not\n\n{expected!r}")


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("kind", "given"), MODELS, ids=lambda one: getattr(one, "__name__", str(one))
)
@pytest.mark.parametrize("program", PROGRAMS)
def test_off_is_the_bare_model(program, kind, given):
    """Messages, chunks, events, errors and what the model is sent are the same, whatever the model can do."""
    bare, wrapped = (kind(said=[CALL, ANSWER], **given) for _ in range(2))
    assert_same(PROGRAMS[program], bare, wrapped)


class TextCache(InMemoryCache):
    """Keeps what it is given as text, as caches in a database do."""

    def lookup(self, prompt, llm_string):
        found = super().lookup(prompt, llm_string)
        return None if found is None else loads(found, allowed_objects="all")

    def update(self, prompt, llm_string, return_val):
        super().update(prompt, llm_string, dumps(return_val))


@pytest.mark.pairwise
@pytest.mark.parametrize("cache", [InMemoryCache, TextCache])
@pytest.mark.parametrize("kind", [Toy, Streaming])
@pytest.mark.parametrize("name", CALLS)
def test_off_hits_the_cache_as_the_bare_model_does(name, kind, cache):
    """The second time costs a request where it does on the bare model, and nowhere else; both messages are the same."""
    bare, wrapped = (kind(said=["One.", "Two.", "Three."], cache=cache()) for _ in range(2))
    assert_same(lambda llm: [CALLS[name](llm) for _ in range(2)], bare, wrapped)


# --- the other modes ---

CONVENTIONS = [Binding, ReturnsItself, WholeReturnsItself, ReturnsCopy, BindsCopy, Configured]


@pytest.mark.in_turn
@pytest.mark.parametrize("way", ["invoke", "ainvoke", "stream", "astream"])
@pytest.mark.parametrize("kind", CONVENTIONS, ids=lambda kind: kind.__name__)
def test_fallback_follows_every_convention_of_bind_tools(kind, way):
    """A native request carries what the model's own `bind_tools` made, whatever it returned; the call is the model's."""
    bare, wrapped = kind(said=[CALL]), kind(said=[CALL])
    for llm in (bare, ChatToolEmu(llm=wrapped)):
        said = CALLS[way](llm.bind_tools([get_weather], tool_choice="any"))
        message = reduce(add, said) if isinstance(said, list) else said
    assert calls(message) == PARIS
    assert report(message)["path"] == "native"
    assert plain(wrapped.heard) == plain(bare.heard)


@pytest.mark.parametrize("kind", [ReturnsChain, ReturnsFunction])
def test_fallback_refuses_what_it_cannot_follow(kind):
    """No chat model can be seen in what `bind_tools` returned: it is named when tools are bound, with the fix."""
    with pytest.raises(ToolSpecError, match=f"{kind.__name__}.bind_tools returns a .*mode='force'"):
        ChatToolEmu(llm=kind(said=[CALL])).bind_tools([get_weather])


@pytest.mark.parametrize("kind", TOYS, ids=lambda kind: kind.__name__)
def test_force_never_asks_a_models_own_bind_tools(kind):
    """Emulated calls need nothing of the wrapped model but its words."""
    written = '{"name": "get_weather", "arguments": {"city": "Paris"}}'
    llm = ChatToolEmu(llm=kind(said=[written]), mode="force").bind_tools([get_weather])
    assert calls(llm.invoke(QUESTION)) == PARIS


SHAPES = {
    "stream": lambda llm: list(llm.stream(QUESTION)),
    "astream": lambda llm: asyncio.run(_all(llm.astream(QUESTION))),
    "stream_mode messages": graph_messages,
    "a graph's stream_events v3": graph_events_v3,
    "astream_events v2": lambda llm: [name for name, _ in events_v2(llm)],
}


def shape(shown):
    """What is shown, without the metadata that tells how it was made."""
    return [one if isinstance(one, str) else (type(one).__name__, one.content) for one in shown]


WHOLE = [(name, Toy) for name in SHAPES]
WHOLE += [(name, AsyncStreaming) for name in SHAPES if not name.startswith("astream")]


@pytest.mark.in_turn
@pytest.mark.parametrize("mode", ["off", "fallback", "force"])
@pytest.mark.parametrize(("name", "kind"), WHOLE)
def test_a_model_that_cannot_stream_does_not_look_as_if_it_could(name, mode, kind):
    """One message where the bare model shows one message, and its text is a string where the bare model's is."""
    bare, wrapped = kind(said=[ANSWER]), kind(said=[ANSWER])
    expected = shape(SHAPES[name](bare))
    assert shape(SHAPES[name](ChatToolEmu(llm=wrapped, mode=mode))) == expected
