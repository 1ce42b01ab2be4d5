"""Each fault of the soak, four ways: the right message, or the wrapped model's own error."""

import time
from functools import reduce
from operator import add

import pytest

from langchain_toolemu import ChatToolEmu
from langchain_toolemu.turn import reply
from tests.benchmarks.soak import loads
from tests.benchmarks.soak.faults import FAULTS, endless, suffer, verdict, write_file
from tests.scripted_server import Reply, ScriptedServer
from tests.thoroughness import FULL_PRODUCTS, share
from tests.ways import WAYS


def ways_of(number, fault):
    """All ways where there is time, else one of them in turn; megabytes in the first."""
    is_large = any(word in fault.name for word in (" MB", "million"))
    return WAYS[:1] if is_large and not FULL_PRODUCTS else share(WAYS, number, len(WAYS))


CASES = [
    pytest.param(fault, way, id=f"{fault.name}-{way}")
    for number, fault in enumerate(FAULTS)
    for way in ways_of(number, fault)
]


@pytest.mark.parametrize(("fault", "way"), CASES)
def test_a_fault_gives_the_right_message_or_the_providers_error(fault, way):
    """Never half a call, never a swallowed error, never a hang."""
    assert not verdict(fault, *suffer(fault, way)).startswith("wrong")


def test_a_stream_without_end_is_left(monkeypatch):
    """At the limit the stream is closed, what came is the message, and its metadata says so."""
    monkeypatch.setattr(reply, "MAX_CHARS", 100_000)
    with ScriptedServer(lambda _: Reply(endless())) as server:
        llm = ChatToolEmu(llm=server.chat_model(), mode="force").bind_tools([write_file])
        message = reduce(add, llm.stream("Write a."))
        for _ in range(200):
            time.sleep(0.01 if not server.disconnects else 0)
        assert server.disconnects == 1
    assert 100_000 < len(message.content) < 110_000
    assert "longer than" in message.response_metadata["toolemu"]["warnings"][0]


@pytest.mark.parametrize(
    "load",
    [
        lambda: loads.tasks_at_once(50),
        lambda: loads.threads_at_once(16, 48),
        lambda: loads.turns_in_a_row(60),
        pytest.param(
            lambda: loads.streams_given_up(4),
            marks=pytest.mark.more("time: it waits for connections to end"),
        ),
    ],
    ids=["tasks", "threads", "turns", "given up"],
)
def test_loads_leave_nothing_behind(load):
    """A small measure of each load of the soak: calls whole, ids unique, nothing left open."""
    assert load()
