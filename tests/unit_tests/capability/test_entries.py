"""What processes share of an endpoint: merged, expired, written and read again."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from langchain_toolemu.capability.entries import DAY, MAX_PROCESSES, Count, Entry, Finding, loaded
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
    written = FULL.dumped(NOW)
    read = loaded(written, NOW)
    assert read.dumped(NOW) == written
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
            assert first.merged_with(second).findings["tools"] == winner


def test_entries_expire():
    """After thirty days what was learned counts no more, and after a day what a server said of itself."""
    written = FULL.dumped(NOW)
    assert loaded(written, NOW + 2 * DAY).said is None
    assert loaded(written, NOW + 2 * DAY).findings
    assert loaded(written, NOW + 31 * DAY) == Entry()
    assert json.loads(FULL.dumped(NOW + 31 * DAY)) == {"version": 1, "axes": {}, "counts": {}}


def test_a_clock_that_is_ahead_makes_nothing_last_longer():
    """A time in the future is taken for now."""
    entry = loaded(Entry({"tools": finding("none", NOW + 900 * DAY)}).dumped(NOW), NOW)
    assert entry.findings["tools"].at == NOW


def test_the_same_found_again_is_news_once_a_day():
    """A native call each turn is not a write each turn."""
    seen = finding("native")
    assert seen.again(NOW + 60) is seen
    assert seen.again(NOW + DAY).at == NOW + DAY


def test_only_so_many_processes_are_kept():
    """The counts of those that counted last."""
    counts = {f"p{number}": {"rescues": Count(0, 1, NOW - number)} for number in range(99)}
    kept = loaded(Entry(counts=counts).dumped(NOW), NOW).counts
    assert kept.keys() == {f"p{number}" for number in range(MAX_PROCESSES)}


GOOD = json.loads(FULL.dumped(NOW))


@pytest.mark.parametrize(
    "value",
    [None, b"", b"\xff", b"{", "[]", b"null", b"7", 7, b"[" * 50_000, b" " * 200_000, json.dumps({**GOOD, "version": 2})],
)  # fmt: skip
def test_what_cannot_be_read_is_nothing(value):
    """Half a file, another version, or somebody else's bytes."""
    assert loaded(value, NOW) == Entry()


JUNK = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.sampled_from(["native", "tools", "x"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["tools", "at", "rescues", "axes", "verdict", "a"]), inner, max_size=3),
    max_leaves=6,
)  # fmt: skip


@given(st.sampled_from(["axes", "counts", "said"]), JUNK)
def test_junk_in_an_entry_is_left_out(name, junk):
    """Whatever stands in one part, the others are read, and what is read can be written."""
    read = loaded(json.dumps({**GOOD, name: junk}), NOW)
    assert loaded(read.dumped(NOW), NOW).dumped(NOW) == read.dumped(NOW)
    if name != "axes":
        assert read.findings.keys() == {"tools", "tool_choice"}
