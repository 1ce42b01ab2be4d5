"""What is learned, kept in a store: read before a turn, written after it, and never in a turn's way."""

import asyncio
import logging
import threading
import time

import pytest
from langchain_core.stores import InMemoryByteStore

from langchain_toolemu import ChatToolEmu, ToolSpecError, forget_tool_support, set_verdict_store
from langchain_toolemu.capability import Capability, memory
from langchain_toolemu.capability import store as sharing
from langchain_toolemu.capability.endpoints import Endpoint, is_this_machine
from tests.essence import four_ways
from tests.toy_models import Binding

CALL = '<tool_call>{"name": "get_weather", "arguments": {"city": "Paris"}}</tool_call>'


class Remote(Binding):
    """A model with a name and an address, which writes its calls as text."""

    model_name: str = "wordy-7b"
    base_url: str = "https://models.example.com/v1"


def get_weather(city: str) -> str:
    """The weather of a city."""
    return city


@pytest.fixture(autouse=True)
def _no_store():
    yield
    set_verdict_store(None)


class Watched(InMemoryByteStore):
    """A store that tells what it was asked."""

    def __init__(self):
        super().__init__()
        self.asked = []

    def mget(self, keys):
        self.asked.append("get")
        return super().mget(keys)

    def mset(self, key_value_pairs):
        self.asked.append("set")
        super().mset(key_value_pairs)


NAMED = Watched()


def named_store():
    """What `TOOLEMU_VERDICTS` names in a test."""
    return NAMED


def test_the_environment_names_a_function_that_returns_a_store(monkeypatch):
    """It is called once, and a name of anything else is an error that says how to write one."""
    monkeypatch.setattr(sharing, "_chosen", sharing._Choice())
    monkeypatch.setenv("TOOLEMU_VERDICTS", f"{__name__}:named_store")
    turn(wrapped())
    assert NAMED.asked[0] == "get"
    monkeypatch.setenv("TOOLEMU_VERDICTS", "/tmp/verdicts")
    with pytest.raises(ToolSpecError, match="names no function MODULE:FUNCTION"):
        turn(wrapped())


def wrapped(**kwargs):
    return ChatToolEmu(llm=Remote(said=[CALL]), **kwargs)


def turn(llm):
    return llm.bind_tools([get_weather]).invoke("The weather in Paris?")


def in_another_process():
    """All that this process knows is gone, as in one that has just started."""
    memory.forget()


def test_what_one_process_learned_another_knows():
    """Each counts its own rescues; after two of them a verdict is shared, and another process knows it from its first turn on."""
    set_verdict_store(InMemoryByteStore())
    turn(wrapped())
    in_another_process()
    turn(second := wrapped())
    assert second.tool_support.verdict == "unknown"
    turn(second)
    assert second.tool_support.evidence == "text"
    in_another_process()
    message = turn(third := wrapped())
    assert message.response_metadata["toolemu"]["path"] == "emulated"
    assert "verdict store" in third.tool_support.reason


@pytest.mark.parametrize("mode", ["invoke", "stream"])
def test_the_store_is_read_once_and_written_once_a_turn(mode):
    """Once before a turn, and after it only if there is news: reading again then, so that no other's is overwritten."""
    set_verdict_store(store := Watched())
    bound = wrapped().bind_tools([get_weather])
    for asked in (["get"], ["get", "get", "set"]):  # of one rescue nothing is concluded
        store.asked.clear()
        list(bound.stream("Paris?")) if mode == "stream" else bound.invoke("Paris?")
        assert store.asked == asked
    store.asked.clear()
    wrapped(mode="force").bind_tools([get_weather]).invoke("Paris?")
    assert store.asked == ["get"]
    store.asked.clear()
    wrapped(mode="off").bind_tools([get_weather]).invoke("Paris?")
    assert store.asked == []


def test_nothing_that_was_said_is_kept():
    """Keys are hashes, and values hold no prompt, no key, no address and no word of a provider."""
    set_verdict_store(store := InMemoryByteStore())
    for _ in range(2):
        turn(wrapped())
    ((key, value),) = store.store.items()
    assert key.removeprefix("toolemu-").isalnum()
    assert len(key) == len("toolemu-") + 64
    for word in (b"wordy", b"example", b"Paris", b"weather", b"Remote", b"https"):
        assert word not in key.encode() + value


def test_forgetting_deletes_for_all():
    """What one process forgets is deleted, and another that still knows it forgets it at its next turn."""
    set_verdict_store(store := InMemoryByteStore())
    turn(wrapped())
    turn(llm := wrapped())
    assert llm.tool_support.verdict == "none"
    store.mset([("somebody-else", b"1")])
    known = dict(memory._records)
    forget_tool_support(llm)
    assert list(store.yield_keys()) == ["somebody-else"]
    memory._records.update(known)  # another process, which was not told
    assert turn(llm).response_metadata["toolemu"]["path"] == "rescued"
    forget_tool_support()
    assert list(store.yield_keys()) == ["somebody-else"]


def test_a_verdict_that_was_overwritten_is_written_again():
    """Two processes that write at the same moment: the one whose verdict is missing writes it after its next turn."""
    set_verdict_store(store := InMemoryByteStore())
    (capability := Capability(Remote(said=[""]))).learn("native", "a call came")
    sharing.keep(endpoint := capability.endpoint)
    key = sharing.key_of(endpoint)
    store.mset([(key, b'{"version": 1}')])  # what somebody wrote who had not read ours
    sharing.recall(endpoint)
    assert memory.has_changes(endpoint)
    sharing.keep(endpoint)
    assert b"native" in store.mget([key])[0]


class Failing(Watched):
    """A store whose server is gone."""

    def mget(self, keys):
        self.asked.append("get")
        raise ConnectionError("redis://:password@example.com refused")

    async def amget(self, keys):
        return self.mget(keys)


class Hanging(InMemoryByteStore):
    """A store that does not answer."""

    def mget(self, keys):
        time.sleep(30)

    async def amget(self, keys):
        await asyncio.sleep(30)


@pytest.mark.parametrize("kind", [Failing, Hanging])
def test_a_store_never_fails_a_turn(kind, caplog, monkeypatch):
    """All four ways give the same message, soon, and the log says once that nothing is shared, without the error's words."""
    monkeypatch.setattr(sharing, "SECONDS", 0.1)
    set_verdict_store(kind())
    started = time.monotonic()
    messages = four_ways(wrapped(mode="force").bind_tools([get_weather]), "Paris?")
    assert time.monotonic() - started < 5
    assert len({str(message) for message in messages.values()}) == 1
    (record,) = [one for one in caplog.records if "verdict store" in one.getMessage()]
    assert record.levelno == logging.WARNING
    assert "password" not in record.getMessage()


def test_a_store_that_failed_is_left_alone_for_a_minute(monkeypatch):
    """A store that is gone costs one wait, not one a turn; after a while it is tried again."""
    set_verdict_store(store := Failing())
    turn(wrapped())
    turn(wrapped())
    assert store.asked == ["get"]
    monkeypatch.setattr(sharing._chosen.client, "_resumes", 0.0)
    turn(wrapped())
    assert store.asked == ["get", "get"]


def test_what_could_not_be_deleted_is_always_said(caplog):
    """Whoever forgets something must know that it is still there."""

    class Stubborn(InMemoryByteStore):
        def mdelete(self, keys):
            raise OSError

    set_verdict_store(Stubborn())
    for _ in range(2):
        forget_tool_support(Remote(said=[""]))
    assert [record.getMessage() for record in caplog.records] == [
        "the verdict store failed (OSError): what was to be forgotten is still there"
    ] * 2


async def test_a_store_does_not_block_the_loop():
    """A store runs on a thread, and the loop goes on."""
    here = threading.get_ident()

    class Sync:
        threads: list = []  # noqa: RUF012

        def mget(self, keys):
            self.threads.append(threading.get_ident())
            return [None]

        def mset(self, pairs):
            self.threads.append(threading.get_ident())

        def mdelete(self, keys): ...

    set_verdict_store(Sync())
    for _ in range(2):
        await wrapped().bind_tools([get_weather]).ainvoke("Paris?")
    assert len(Sync.threads) == 4
    assert here not in Sync.threads


def test_what_is_no_store_is_refused():
    """The error names what is missing and what to pass."""
    with pytest.raises(ToolSpecError, match="has no mget: pass a langchain_core"):
        set_verdict_store({})


def test_an_address_on_this_machine_is_this_machines(monkeypatch):
    """The same port on another machine is another server; a host with a name is the same for all."""
    here = Endpoint("C", "m", "http://127.0.0.1:1/v1")
    there = Endpoint("C", "m", "https://example.com/v1")
    before = sharing.key_of(here), sharing.key_of(there)
    monkeypatch.setattr(sharing.platform, "node", lambda: "another-machine")
    assert sharing.key_of(here) != before[0]
    assert sharing.key_of(there) == before[1]
    addresses = ["http://localhost:1", "http://[::1]:1", "http://0.0.0.0:1", "http://a.localhost"]
    assert all(is_this_machine(address) for address in addresses)
    assert not any(is_this_machine(address) for address in ["", "http://10.0.0.7", "http://ollama"])


def test_a_model_without_name_and_address_is_not_shared():
    """It could be any model."""
    set_verdict_store(store := Watched())
    ChatToolEmu(llm=Binding(said=[CALL])).bind_tools([get_weather]).invoke("Paris?")
    assert store.asked == []
