"""The comparison of two trees, and the count of live attributes: what they promise."""

from tests.benchmarks.compare.__main__ import unlike_ways
from tests.benchmarks.compare.cases import random_case, reading_cases
from tests.benchmarks.compare.differences import Differences, listed
from tests.benchmarks.compare.playing import play
from tests.benchmarks.live_attributes import measure, total
from tests.thoroughness import FULL_PRODUCTS

NUMBERS = range(0, 40, 4 if FULL_PRODUCTS else 8)  # with the asynchronous ways, too


def test_a_case_is_made_of_its_seed_and_number():
    """Two processes that know nothing of each other play the same cases."""
    for number in NUMBERS:
        assert random_case(3, number) == random_case(3, number)
        assert random_case(3, number).turns != random_case(4, number).turns


def test_one_tree_behaves_as_itself():
    """No id and nothing that an earlier case taught tells two runs of a case apart, or its ways."""
    reading = [case for place, case in enumerate(reading_cases(3)) if place % 500 == 0]
    between, within = Differences(), Differences()
    for case in [*(random_case(3, number) for number in NUMBERS), *reading]:
        outcomes, again = play(case), play(case)
        between.compare(case.label, {way: (outcomes[way], again[way]) for way in outcomes})
        within.compare(case.label, unlike_ways(case, outcomes))
    assert list(listed(between, lambda _: case)) == []
    assert list(listed(within, lambda _: case)) == []
    assert between.compared > len(NUMBERS) * 4


def test_differences_are_grouped_by_what_differs():
    """One group for each kind of difference, with its count, the ways that have it, and both values."""
    found = Differences()
    same, other = {"content": "a", "requests": 1}, {"content": "b", "requests": 1}
    found.compare("turn 1", {"invoke": (same, other), "stream": (same, other)})
    found.compare("turn 2", {"invoke": (same, other), "stream": (same, other)})
    found.compare("turn 3", {"invoke": (same, same), "stream": (same, other)})
    assert found.cases == 3
    counts = {kind: group.count for kind, group in found.groups.items()}
    assert counts == {"content": 2, "content (stream only)": 1}
    assert "here:  a" in "\n".join(listed(found, lambda _: random_case(1, 1)))


def test_little_changes_in_place_while_a_reply_streams():
    """A fault in held text has few places: what is known of a reply is in values that are replaced, which do not count."""
    found = measure()
    assert "turn.turn.Turn" in found
    assert not {"turn.turn_input.Settings", "turn.stages.Stage"} & set(found)
    assert total(found) <= 89
