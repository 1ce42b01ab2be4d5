"""Counts of several processes: what they add up to, and how they merge."""

from hypothesis import given
from hypothesis import strategies as st

from langchain_toolemu.capability.entries import begun_again, counted, merged, total


def number(counts):
    return total(counts, "rescues").number


def test_processes_count_together():
    """What two processes counted adds up, however often their states are merged."""
    first = counted({}, "a", "rescues", 1.0)
    second = counted(counted({}, "b", "rescues", 2.0), "b", "rescues", 3.0)
    both = merged([first, second])
    assert number(both) == 3
    assert merged([both, first, second, both]) == both


def test_a_counter_that_begins_again_begins_for_all():
    """What a process counted before another one began again counts no more, even if it is merged late."""
    late = counted({}, "a", "rescues", 1.0)
    again = begun_again(merged([late, counted({}, "b", "rescues", 2.0)]), "b", "rescues", 3.0)
    assert number(merged([again, late])) == 0
    assert number(counted(merged([late, again]), "a", "rescues", 4.0)) == 1


def test_nothing_counted_needs_no_new_beginning():
    """A native call each turn is not news each turn."""
    assert begun_again({}, "a", "rescues", 1.0) == {}


STEPS = st.lists(st.tuples(st.sampled_from("abc"), st.booleans()), max_size=12)


@given(STEPS)
def test_no_count_is_lost_or_counted_twice(steps):
    """Processes that each see only their own state, and merge at the end, count as one that sees everything."""
    states = {process: {} for process in "abc"}
    for at, (process, _) in enumerate(steps):
        states[process] = counted(states[process], process, "rescues", float(at))
    assert number(merged(states.values())) == len(steps)


@given(STEPS, STEPS)
def test_the_order_of_merging_does_not_matter(some, others):
    """Two states merge to the same counts either way round."""
    states = []
    for steps in (some, others):
        state = {}
        for at, (process, begins) in enumerate(steps):
            change = begun_again if begins else counted
            state = change(state, process, "rescues", float(at))
        states.append(state)
    assert merged(states) == merged(reversed(states))
