"""What processes share of an endpoint: merged, expired, written and read again."""

import json
from functools import reduce

import pytest
from hypothesis import given
from hypothesis import strategies as st

from langchain_toolemu.capability.entries import (
    DAY,
    MAX_PROCESSES,
    Count,
    Entry,
    Finding,
    load_entry,
)
from langchain_toolemu.capability.support import ModelDescription, Support

NOW = 2_000_000_000.0
SECRET = "sk-123 at https://user:password@example.com said: Paris"


def finding(verdict, at=NOW, *, concluded=False, evidence="observed"):
    return Finding(Support(verdict, SECRET, evidence), concluded, at)


FULL = Entry(
    findings={"tools": finding("none", evidence="text"), "tool_choice": finding("native")},
    counts={"a": {"rescues": Count(1, 2, NOW)}},
    said=ModelDescription({"grammar": Support("native", SECRET, "claimed")}, 1.5, 4096),
    said_at=NOW,
)


def test_an_entry_is_read_as_it_was_written():
    """Verdicts, evidence, counts and sizes survive; their reasons, which may quote a provider, are never written."""
    written = FULL.dump(NOW)
    read = load_entry(written, NOW)
    assert read.dump(NOW) == written
    assert read.findings["tools"].support.evidence == "text"
    assert (read.said.billions, read.said.window) == (1.5, 4096)
    assert "verdict store" in read.findings["tools"].support.reason
    assert not any(word in written.decode() for word in ("sk-", "example", "Paris", "password"))


def test_what_was_seen_wins_then_what_is_later():
    """A conclusion never outweighs what another process saw."""
    seen, later = finding("native", NOW - 10), finding("none", NOW)
    concluded = finding("none", NOW, concluded=True)
    for one, other, winner in [(seen, later, later), (seen, concluded, seen)]:
        entries = [Entry({"tools": one}), Entry({"tools": other})]
        for first, second in (entries, entries[::-1]):
            assert first.merge(second).findings["tools"] == winner


def test_entries_expire():
    """After thirty days what was learned counts no more, and after a day what a server said of itself."""
    written = FULL.dump(NOW)
    assert load_entry(written, NOW + 2 * DAY).said is None
    assert load_entry(written, NOW + 2 * DAY).findings
    assert load_entry(written, NOW + 31 * DAY) == Entry()
    assert json.loads(FULL.dump(NOW + 31 * DAY)) == {"version": 1, "axes": {}, "counts": {}}


def test_a_clock_that_is_ahead_makes_nothing_last_longer():
    """A time in the future is taken for now."""
    entry = load_entry(Entry({"tools": finding("none", NOW + 900 * DAY)}).dump(NOW), NOW)
    assert entry.findings["tools"].at == NOW


def test_the_same_found_again_is_news_once_a_day():
    """A native call each turn is not a write each turn."""
    seen = finding("native")
    assert seen.again(NOW + 60) is seen
    assert seen.again(NOW + DAY).at == NOW + DAY


def test_only_so_many_processes_are_kept():
    """The counts of those that counted last."""
    counts = {f"p{number}": {"rescues": Count(0, 1, NOW - number)} for number in range(99)}
    kept = load_entry(Entry(counts=counts).dump(NOW), NOW).counts
    assert kept.keys() == {f"p{number}" for number in range(MAX_PROCESSES)}


GOOD = json.loads(FULL.dump(NOW))


@pytest.mark.parametrize(
    "value",
    [None, b"", b"\xff", b"{", "[]", b"null", b"7", 7, b"[" * 50_000, b" " * 200_000, json.dumps({**GOOD, "version": 2})],
)  # fmt: skip
def test_what_cannot_be_read_is_nothing(value):
    """Half a file, another version, or somebody else's bytes."""
    assert load_entry(value, NOW) == Entry()


JUNK = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.sampled_from(["native", "tools", "x"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["tools", "at", "rescues", "axes", "verdict", "a"]), inner, max_size=3),
    max_leaves=6,
)  # fmt: skip


@given(st.sampled_from(["axes", "counts", "said"]), JUNK)
def test_junk_in_an_entry_is_left_out(name, junk):
    """Whatever stands in one part, the others are read, and what is read can be written."""
    read = load_entry(json.dumps({**GOOD, name: junk}), NOW)
    assert load_entry(read.dump(NOW), NOW).dump(NOW) == read.dump(NOW)
    if name != "axes":
        assert read.findings.keys() == {"tools", "tool_choice"}


def test_what_was_written_as_shown_is_read_as_observed():
    """Stores that hold the evidence by its first name keep their worth."""
    old = Entry(findings={"tools": finding("native")}).dump(NOW).replace(b"observed", b"shown")
    assert load_entry(old, NOW).findings["tools"].support.evidence == "observed"


# --- counts of several processes: what they add up to, and how they merge ---


def counted(entry, process, at):
    return entry.with_count("rescues", process, at)


def begun_again(entry, process, at):
    return entry.with_reset("rescues", process, at)


def merged(entries):
    return reduce(Entry.merge, entries)


def number(entry):
    return entry.number("rescues")


def test_processes_count_together():
    """What two processes counted adds up, however often their states are merged."""
    first = counted(Entry(), "a", 1.0)
    second = counted(counted(Entry(), "b", 2.0), "b", 3.0)
    both = merged([first, second])
    assert number(both) == 3
    assert merged([both, first, second, both]) == both


def test_a_counter_that_begins_again_begins_for_all():
    """What a process counted before another one began again counts no more, even if it is merged late."""
    late = counted(Entry(), "a", 1.0)
    again = begun_again(merged([late, counted(Entry(), "b", 2.0)]), "b", 3.0)
    assert number(merged([again, late])) == 0
    assert number(counted(merged([late, again]), "a", 4.0)) == 1


def test_nothing_counted_needs_no_new_beginning():
    """A native call each turn is not news each turn."""
    assert begun_again(Entry(), "a", 1.0) == Entry()


STEPS = st.lists(st.tuples(st.sampled_from("abc"), st.booleans()), max_size=12)


@given(STEPS)
def test_no_count_is_lost_or_counted_twice(steps):
    """Processes that each see only their own state, and merge at the end, count as one that sees everything."""
    states = {process: Entry() for process in "abc"}
    for at, (process, _) in enumerate(steps):
        states[process] = counted(states[process], process, float(at))
    assert number(merged(states.values())) == len(steps)


@given(STEPS, STEPS)
def test_the_order_of_merging_does_not_matter(some, others):
    """Two states merge to the same counts either way round."""
    states = []
    for steps in (some, others):
        state = Entry()
        for at, (process, begins) in enumerate(steps):
            change = begun_again if begins else counted
            state = change(state, process, float(at))
        states.append(state)
    assert merged(states) == merged(reversed(states))
