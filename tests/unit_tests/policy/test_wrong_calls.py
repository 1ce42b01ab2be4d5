"""A wrong call is asked about: an id that nobody gave, a placeholder, or a repeat.

Each row of tests/benchmarks/trust/wrong.json says which check asks, at which sizes, and whether the
call is made if it comes again. An act that was done is never done again by a small model.
"""

from collections import Counter

import pytest

from tests.benchmarks.trust.insisting import SIZES, InsistingAgent, report_of
from tests.benchmarks.trust.turns import load_turns
from tests.thoroughness import share

pytestmark = pytest.mark.filterwarnings("ignore::langchain_toolemu.ToolEmuWarning")

WRONG = load_turns("wrong")
CODES = {"looked_up": "value_not_given", "placeholder": "placeholder", "repeated": "repeated_call"}
SMALL = ("0.5B", "1.5B")


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("check", CODES)
def test_a_wrong_call_is_asked_about_once(check, size):
    """By its check, once, at its sizes; if it is not made, the answer is asked for."""
    agent, faults = InsistingAgent(size), {}
    for turn in (turn for turn in WRONG if turn.notes["check"] == check):
        outcome = agent.play(turn)
        doubts = [
            (one["reason"].split(":")[0], one["made"])
            for one in report_of(outcome.message)["doubted"]
        ]
        is_asked = size in turn.notes["sizes"]
        made = turn.notes["made"] and not (turn.notes.get("act") and size in SMALL)
        expected = ([(CODES[check], made)] if is_asked else [], made or not is_asked)
        requests = is_asked + (is_asked and not made)
        if (doubts, outcome.made, outcome.extra) != (*expected, requests):
            faults[turn.id] = (doubts, outcome.made, outcome.extra)
    assert faults == {}


@pytest.mark.parametrize("size", SIZES)
def test_trust_makes_each_call_and_strict_none(size):
    """With `trust` in one request; with `strict` a doubted call is invalid, or closes the run."""
    asked = [turn for turn in WRONG if turn.notes["check"] != "looked_up"]
    turns = share(asked, [*SIZES].index(size), len(SIZES))
    trusting, strict = (InsistingAgent(size, policy=name) for name in ("trust", "strict"))
    for one in map(trusting.play, turns):
        assert one.made, one.in_words
        assert (one.extra, report_of(one.message)["doubted"]) == (0, [])
    for one in map(strict.play, turns):
        assert len(one.missing) == 1, one.in_words
        codes = set(report_of(one.message)["warning_codes"])
        assert one.message.invalid_tool_calls or codes & {
            "closed_without_answer",
        }


def test_the_table_is_large_enough():
    """There are at least 40 wrong calls, ten or more for each check."""
    counts = Counter(turn.notes["check"] for turn in WRONG)
    assert sum(counts.values()) >= 40
    assert min(counts[check] for check in CODES) >= 10
