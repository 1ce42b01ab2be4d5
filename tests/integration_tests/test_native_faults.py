"""Each fault of native calls: the right call, the model's words or its server's error, in every way to ask."""

import asyncio
import itertools
from collections.abc import Sequence
from contextlib import contextmanager

import pytest
from langchain.agents import create_agent
from langchain_core.messages import AIMessage
from langchain_core.tools import tool

from langchain_toolemu import ChatToolEmu
from tests.essence import calls
from tests.native_faults import ANSWER, FAULTS, FUNCTIONS, PARIS, TOOLS, judge, script
from tests.scripted_ollama import ScriptedOllama
from tests.scripted_server import Reply, ScriptedServer
from tests.thoroughness import FULL_PRODUCTS, share
from tests.ways import WAYS, ask

pytestmark = pytest.mark.filterwarnings("ignore::langchain_toolemu.ToolEmuWarning")
AGENT_TOOLS = [tool(function) for function in FUNCTIONS]

SETTINGS = {
    "fallback": {},
    "fallback after a native call": {"seen": True},
    "force": {"mode": "force"},
}

EVERY = (*SETTINGS, "agent")
# Rows that do not hold yet, and in which settings.
NOT_YET: dict[str, Sequence[str]] = {}


@contextmanager
def serving(fault, variant, client):
    """A server that plays the fault, and the wrapped model for it."""
    play = script(fault, variant)
    if client == "ollama":
        with ScriptedOllama(lambda _: Reply(tool_calls=[PARIS])) as server:
            yield server, (lambda: setattr(server, "text", play)), server.chat_model()
        return
    with ScriptedServer(lambda _: Reply(tool_calls=[PARIS])) as server:
        yield server, (lambda: server.play(play)), server.chat_model()


def outcome(fault, way, variant, client, mode="fallback", seen=False):
    """What is wrong with one turn, or nothing."""
    with serving(fault, variant, client) as (server, begin, inner):
        llm = ChatToolEmu(llm=inner, mode=mode)
        if seen:
            llm.bind_tools(TOOLS).invoke("What is the weather in Paris?")
        begin()
        server.requests.clear()
        terms = {"tool_choice": fault.choice, "parallel_tool_calls": fault.parallel}
        bound = llm.bind_tools(TOOLS, **{key: one for key, one in terms.items() if one is not None})
        try:
            message = ask(bound, fault.asked, way)
        except Exception as error:  # noqa: BLE001 - an error is an outcome too
            return judge(fault, None, f"{type(error).__name__}: {error}")
        return judge_message(fault, message) or judge_requests(fault, len(server.requests))


def judge_message(fault, message):
    """What is wrong with a message."""
    report = message.response_metadata["toolemu"]
    if fault.unchanged and report["mode"] == "fallback" and report["path"] != "native":
        return f"path {report['path']}"
    ids = {call["id"] for call in message.tool_calls if call["id"]}
    if len(ids) < len(message.tool_calls):
        return "ids are missing or the same"
    return judge(fault, calls(message), str(message.content), len(message.invalid_tool_calls))


def judge_requests(fault, number):
    """What is wrong with the number of requests of one turn."""
    return f"{number} requests, at most {fault.requests} wanted" if number > fault.requests else ""


def applies(fault, setting):
    return SETTINGS[setting].get("mode", "fallback") in fault.modes


def rows(table):
    """The rows as parameters, marked where they do not hold yet."""
    not_yet = pytest.mark.xfail(reason="not yet", strict=False)
    return [
        pytest.param(
            number,
            fault,
            setting,
            id=f"{fault.name}-{setting}",
            marks=[not_yet] if setting in NOT_YET.get(fault.name, ()) else [],
        )
        for number, (fault, setting) in enumerate(table)
    ]


def some_settings(number, fault):
    """Those in which a fault is tried: all where there is time, else one, in turn."""
    known = [setting for setting in SETTINGS if applies(fault, setting)]
    return share(known, number, len(known) or 1)


TURNS = rows(
    (fault, setting)
    for number, fault in enumerate(FAULTS)
    for setting in some_settings(number, fault)
)


@pytest.mark.parametrize(("number", "fault", "setting"), TURNS)
def test_a_fault_gives_the_right_turn(number, fault, setting):
    """Whole and streamed, sync and async, however the model answers when it is asked again."""
    runs = list(itertools.product(fault.clients, fault.variants))
    if not FULL_PRODUCTS:  # every other variant, with the clients in turn
        clients = itertools.islice(itertools.cycle(fault.clients), number % 2, None)
        every_other = fault.variants[number // 4 % 2 :: 2] or fault.variants
        runs = list(zip(clients, every_other, strict=False))
    wrong = {}
    for at, (client, variant) in enumerate(runs, number):
        for way in WAYS if FULL_PRODUCTS else [WAYS[at % 4]]:
            if told := outcome(fault, way, variant, client, **SETTINGS[setting]):
                wrong[client, variant, way] = told
    assert not wrong, "\n".join(f"{run}: {told}" for run, told in wrong.items())


AGENTS = rows(
    (fault, "agent")
    for fault in share(FAULTS, 0, 3)
    if "fallback" in fault.modes and fault.choice is None and fault.parallel is None
    if isinstance(fault.asked, str) and not fault.or_nothing and fault.raises == "never"
)


@pytest.mark.parametrize(("number", "fault", "setting"), AGENTS)
def test_an_agent_ends_with_the_right_result(number, fault, setting):
    """The tools run with the right arguments, none twice, and the agent ends with words."""
    variants = fault.variants if FULL_PRODUCTS else [fault.variants[number % len(fault.variants)]]
    for variant in variants:
        for client in fault.clients if FULL_PRODUCTS else fault.clients[:1]:
            with serving(fault, variant, client) as (_, begin, inner):
                begin()
                agent = create_agent(ChatToolEmu(llm=inner), AGENT_TOOLS)
                asked = {"messages": [{"role": "user", "content": fault.asked}]}
                asynchronous = number % 2
                state = asyncio.run(agent.ainvoke(asked)) if asynchronous else agent.invoke(asked)
            replies = [one for one in state["messages"] if isinstance(one, AIMessage)]
            made = [call for reply in replies for call in calls(reply)]
            assert made == list(fault.calls), (client, variant)
            assert (ANSWER if fault.calls else fault.words) in replies[-1].content
