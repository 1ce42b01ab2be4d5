"""What is remembered of an endpoint: what overwrites what, what is shared through a store, and what is forgotten."""

import json
import threading
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from langchain_toolemu.capability import memory
from langchain_toolemu.capability.endpoints import Endpoint
from langchain_toolemu.capability.memory import (
    DAY,
    MAX_ENDPOINTS,
    Finding,
    Record,
    forget,
    is_first_notice,
    load_record,
    recall,
)
from langchain_toolemu.capability.support import UNKNOWN, ModelDescription, Support

HERE = Endpoint("ChatOpenAI", "m", "http://127.0.0.1:1/v1")
THERE = Endpoint("ChatOpenAI", "n", "http://127.0.0.1:1/v1")
NATIVE = Support("native", "a call came")
NONE = Support("none", "the provider said so")


def learn(endpoint, support, axis="tools", **how):
    memory.update(endpoint, lambda record: record.learn(support, axis, **how))


def learned(endpoint, axis):
    found = recall(endpoint).findings.get(axis)
    return found.support if found else UNKNOWN


def hear(endpoint, description):
    memory.update(endpoint, lambda record: record.hear(description))


def count(endpoint, counter):
    return memory.update(endpoint, lambda record: record.count(counter))[1].number(counter)


def mention(endpoint):
    return is_first_notice(endpoint, "emulated")


def description_of(endpoint):
    return recall(endpoint).description


def test_what_was_learned_holds_until_forgotten():
    """One endpoint's verdict is its own, with its reason, and is forgotten alone or with all others."""
    learn(HERE, NONE)
    learn(THERE, NATIVE)
    assert (learned(HERE, "tools"), learned(THERE, "tools")) == (NONE, NATIVE)
    forget(HERE)
    assert (learned(HERE, "tools"), learned(THERE, "tools")) == (UNKNOWN, NATIVE)
    forget()
    assert learned(THERE, "tools") == UNKNOWN


def test_axes_are_learned_one_by_one():
    """A refused choice says nothing of the tools."""
    learn(HERE, NONE, "tool_choice")
    assert (learned(HERE, "tools"), learned(HERE, "tool_choice")) == (UNKNOWN, NONE)


def test_unknown_teaches_nothing():
    """A turn that found nothing out does not overwrite what another did."""
    learn(HERE, NONE)
    learn(HERE, UNKNOWN)
    assert learned(HERE, "tools") == NONE


def test_what_was_seen_overwrites_and_what_was_concluded_does_not():
    """A call or a refusal is believed at once; a conclusion only where nothing is known."""
    learn(HERE, NATIVE)
    learn(HERE, NONE, concluded=True)
    assert learned(HERE, "tools") == NATIVE
    learn(HERE, NONE)
    assert learned(HERE, "tools") == NONE
    learn(THERE, NONE, concluded=True)
    learn(THERE, NATIVE)
    assert learned(THERE, "tools") == NATIVE


def test_a_counter_counts_until_it_begins_again():
    """Each counter for itself, and each endpoint."""
    assert [count(HERE, "rescues") for _ in range(3)] == [1, 2, 3]
    assert (count(HERE, "calls_found"), count(THERE, "rescues")) == (1, 1)
    memory.update(HERE, lambda record: record.reset("rescues"))
    assert (count(HERE, "rescues"), count(HERE, "calls_found")) == (1, 2)


def test_each_notice_is_given_once():
    """That calls are emulated says nothing of a prompt that is cut."""
    assert [is_first_notice(HERE, "cut"), mention(HERE), is_first_notice(HERE, "cut")] == [
        True,
        True,
        False,
    ]


def test_a_server_s_silence_is_remembered_too():
    """That a server said nothing is known, too, so it is not asked again; what another turn was told stays."""
    assert description_of(HERE) is None
    hear(HERE, ModelDescription())
    assert description_of(HERE) == ModelDescription()
    hear(HERE, ModelDescription({"tools": NONE}))
    hear(HERE, ModelDescription())
    assert description_of(HERE) == ModelDescription({"tools": NONE})
    forget(HERE)
    assert description_of(HERE) is None


def test_the_user_is_told_once_an_endpoint():
    """Each endpoint is mentioned once, until it is forgotten."""
    assert [mention(HERE), mention(HERE), mention(THERE)] == [True, False, True]
    forget()
    assert mention(HERE)


def test_64_threads_learn_one_verdict():
    """Threads that learn, count and forget at once end in a state that one of them left."""

    def run(number):
        for _ in range(100):
            learn(HERE, NONE if number % 2 else NATIVE)
            count(HERE, "calls_found" if number % 3 else "checks_agreed")
            mention(HERE)
            learned(HERE, "tools")
            if number == 7:
                forget()

    threads = [threading.Thread(target=run, args=(number,)) for number in range(64)]
    [thread.start() for thread in threads]
    [thread.join(timeout=60) for thread in threads]
    assert not any(thread.is_alive() for thread in threads)
    assert learned(HERE, "tools") in (NONE, NATIVE, UNKNOWN)


def test_one_mention_in_a_crowd():
    """However many threads ask at once, one is told that it is the first."""
    firsts = []
    barrier = threading.Barrier(32)

    def run():
        barrier.wait()
        firsts.append(mention(HERE))

    threads = [threading.Thread(target=run) for _ in range(32)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert sum(firsts) == 1


def test_the_least_recently_used_is_forgotten():
    """Whoever invents names does not fill the memory, and what is in use stays."""
    learn(HERE, NONE)
    for number in range(2 * MAX_ENDPOINTS):
        learn(Endpoint("ChatOpenAI", f"invented-{number}", ""), NATIVE)
        recall(HERE)
        recall(Endpoint("ChatOpenAI", f"only-asked-for-{number}", ""))
    assert len(memory._records) == MAX_ENDPOINTS
    assert learned(HERE, "tools") == NONE
    assert learned(Endpoint("ChatOpenAI", "invented-0", ""), "tools") == UNKNOWN


# --- as processes share it: merged, expired, written and read again ---

NOW = round(time.time(), 3)
SECRET = "sk-123 at https://user:password@example.com said: Paris"


def finding(verdict, at=NOW, *, concluded=False, evidence="observed"):
    return Finding(Support(verdict, SECRET, evidence), concluded, at)


FULL = Record(
    findings={"tools": finding("none", evidence="text"), "tool_choice": finding("native")},
    counts={"rescues": 1},
    description=ModelDescription({"grammar": Support("native", SECRET, "claimed")}, 1.5, 4096),
)


def test_a_record_is_read_as_it_was_written():
    """Verdicts and evidence survive; their reasons, which may quote a provider, are never written."""
    written = FULL.dump()
    read = load_record(written)
    assert read.dump() == written
    assert read.findings["tools"].support.evidence == "text"
    assert read.description is None
    assert "verdict store" in read.findings["tools"].support.reason
    assert not any(word in written.decode() for word in ("sk-", "example", "Paris", "password"))


def test_what_was_seen_wins_then_what_is_later():
    """A conclusion never outweighs what another process saw."""
    seen, later = finding("native", NOW - 10), finding("none")
    concluded = finding("none", NOW, concluded=True)
    for one, other, winner in [(seen, later, later), (seen, concluded, seen)]:
        entries = [Record({"tools": one}), Record({"tools": other})]
        for first, second in (entries, entries[::-1]):
            assert first.merge(second).findings["tools"] == winner


@pytest.fixture
def clock(monkeypatch):
    now = [NOW]
    monkeypatch.setattr(memory.time, "time", lambda: now[0])
    return now


def test_what_was_learned_expires(clock):
    """After thirty days what was learned counts no more."""
    written = FULL.dump()
    clock[0] += 29 * DAY
    assert load_record(written).findings
    clock[0] += 2 * DAY
    assert load_record(written) == Record()
    assert json.loads(FULL.dump()) == {"version": 1, "axes": {}}


def test_a_clock_that_is_ahead_makes_nothing_last_longer(clock):
    """A time in the future is taken for now."""
    entry = load_record(Record({"tools": finding("none", NOW + 900 * DAY)}).dump())
    assert entry.findings["tools"].at == NOW


def test_the_same_found_again_is_news_once_a_day(clock):
    """A native call each turn is not a write each turn."""
    seen = Record().learn(NATIVE)
    clock[0] += 60
    assert seen.learn(NATIVE) is seen
    clock[0] += DAY
    assert seen.learn(NATIVE).findings["tools"].at == clock[0]


def test_counts_stay_in_the_process():
    """Each worker learns alone from what takes two sightings; what it concludes is shared."""
    assert b"rescues" not in FULL.dump()
    stored = Record(findings={"tools": finding("native")})
    merged = Record(counts={"rescues": 1}).merge(stored)
    assert merged.number("rescues") == 1
    assert merged.findings == stored.findings


def test_what_an_older_version_stored_is_read():
    """Its counts and what a server said of itself are left out, its verdicts are not."""
    said = {"axes": {"tools": "native"}, "billions": 7.0, "at": NOW}
    old = {**GOOD, "counts": {"process-7": {"rescues": [0, 1, NOW]}}, "said": said}
    assert load_record(json.dumps(old)) == load_record(json.dumps(GOOD))


GOOD = json.loads(FULL.dump())


@pytest.mark.parametrize(
    "value",
    [None, b"", b"\xff", b"{", "[]", b"null", b"7", 7, b"[" * 50_000, b" " * 200_000, json.dumps({**GOOD, "version": 2})],
)  # fmt: skip
def test_what_cannot_be_read_is_nothing(value):
    """Half a file, another version, or somebody else's bytes."""
    assert load_record(value) == Record()


JUNK = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.sampled_from(["native", "tools", "x"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["tools", "at", "rescues", "axes", "verdict", "a"]), inner, max_size=3),
    max_leaves=6,
)  # fmt: skip


@given(st.sampled_from(["axes", "counts", "said"]), JUNK)
def test_junk_in_a_record_is_left_out(name, junk):
    """Whatever stands in one part, the others are read, and what is read can be written."""
    read = load_record(json.dumps({**GOOD, name: junk}))
    assert load_record(read.dump()).dump() == read.dump()
    if name != "axes":
        assert read.findings.keys() == {"tools", "tool_choice"}
