"""`get_toolemu_callback`: what a block of turns amounts to."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest
from langchain.agents import create_agent

from langchain_toolemu import ChatToolEmu, ToolEmuCallbackHandler, get_toolemu_callback
from tests.scripted_server import Reply, ScriptedServer, without_tools
from tests.weather import CALL

BAD = '{"name": "get_weather", "arguments": {"town": 1}}'
USAGE = {"prompt_tokens": 10, "completion_tokens": 2, "total_tokens": 12}


def get_weather(city: str) -> str:
    """Get the weather of a city."""
    return f"sun in {city}"


def test_an_agents_turns_are_counted():
    """Paths, modes, re-asks, requests, calls and tokens of every turn, by model."""
    said = iter([BAD, CALL, "It is sunny."])
    script = without_tools(lambda _: Reply(next(said), usage=USAGE))
    with ScriptedServer(script) as server, get_toolemu_callback() as counted:
        agent = create_agent(ChatToolEmu(llm=server.chat_model()), [get_weather])
        agent.invoke({"messages": [("user", "Weather in Paris?")]})
    (name, counts) = next(iter(counted.models.items()))
    assert (name, len(counted.models)) == ("scripted", 1)
    assert (counts.turns, counts.requests, counts.calls) == (2, 4, 1)
    assert counts.paths == {"emulated": 2}
    assert counts.modes == {"fallback": 2}
    assert counts.reasks == {"validation: bad_arguments": 1}
    assert (counts.input_tokens, counts.output_tokens) == (30, 6)
    assert counts.warnings["tool calls emulated"] == 1


def test_repairs_and_broken_calls_are_counted():
    """A name that was resolved is a repair; a cut-off call is invalid."""
    said = iter([CALL.replace("get_weather", "GetWeather"), Reply(CALL[:-12], finish_reason="length")])  # fmt: skip
    with ScriptedServer(lambda _: next(said)) as server, get_toolemu_callback() as counted:
        llm = ChatToolEmu(llm=server.chat_model(), mode="force", max_reasks=0)
        for _ in range(2):
            llm.bind_tools([get_weather]).invoke("Weather in Paris?")
    assert (counted.total.calls, counted.total.repaired, counted.total.invalid) == (1, 1, 1)


def test_blocks_count_their_own():
    """A block inside another counts for itself; what is outside is not counted."""
    with ScriptedServer(lambda _: "Hello.") as server:
        llm = ChatToolEmu(llm=server.chat_model(), mode="force")
        with get_toolemu_callback() as outer:
            llm.invoke("Hi")
            with get_toolemu_callback() as inner:
                llm.invoke("Hi")
        llm.invoke("Hi")
    assert (outer.total.turns, inner.total.turns) == (1, 1)


def test_mode_off_and_other_models_are_not_counted():
    """What carries no metadata of ours is none of our business."""
    with ScriptedServer(lambda _: "Hello.") as server, get_toolemu_callback() as counted:
        ChatToolEmu(llm=server.chat_model(), mode="off").invoke("Hi")
        server.chat_model().invoke("Hi")
    assert counted.models == {}
    assert counted.total.turns == 0


def test_errors_are_counted_by_their_class():
    """A demanded call that never came is an error of ours, counted and raised."""
    with ScriptedServer(lambda _: "No.") as server, get_toolemu_callback() as counted:
        llm = ChatToolEmu(llm=server.chat_model(), mode="force")
        with pytest.raises(Exception, match="had to call"):
            llm.bind_tools([get_weather], tool_choice="any").invoke("Hi")
    assert counted.errors == {"ToolChoiceError": 1}
    counts = counted.models["scripted"]
    assert (counts.turns, counts.failed, counts.requests) == (1, 1, 3)
    assert counts.reasks == {"contract: missing_call": 2}
    assert "ToolChoiceError" in repr(counted)


def test_threads_tasks_and_streams_are_counted():
    """A handler passed by hand counts turns of any kind, from anywhere."""
    handler = ToolEmuCallbackHandler()
    config = {"callbacks": [handler]}

    async def together(llm):
        await asyncio.gather(*(llm.ainvoke("Hi", config) for _ in range(8)))

    with ScriptedServer(lambda _: "Hello.") as server:
        llm = ChatToolEmu(llm=server.chat_model(), mode="force")
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(lambda _: llm.invoke("Hi", config), range(8)))
        asyncio.run(together(llm))
        list(llm.stream("Hi", config))
    assert handler.total.turns == handler.total.requests == 17
