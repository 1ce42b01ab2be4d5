"""A wrong call is asked about: an id that nobody gave, a placeholder, or an exact repeat after a success.

Each row of tests/benchmarks/trust/wrong.json says which check ought to ask, at which sizes, about which value, and whether
the call is made if it comes again (`null`: either will do). An act that was done is never done again by a small model.
"""

from collections import Counter

import pytest

from langchain_toolemu import ChatToolEmu
from tests.benchmarks.trust.insisting import SIZES, InsistingAgent, report_of
from tests.benchmarks.trust.turns import load_turns
from tests.thoroughness import share

pytestmark = pytest.mark.filterwarnings("ignore::langchain_toolemu.ToolEmuWarning")
needs_policy = pytest.mark.skipif(
    "policy" not in ChatToolEmu.model_fields, reason="this version has no policies"
)

WRONG = load_turns("wrong")
CHECKS = ("known_ids", "placeholder", "repeated")
# A word of each check's reason, as `doubted` gives it.
REASONS = {"known_ids": "id", "placeholder": "placeholder", "repeated": "repeat"}


SMALL = ("0.5B", "1.5B", "3B")


def fault(turn, outcome, size):
    """What is wrong with the report of a wrong call; nothing if it was doubted once, for the right reason."""
    if outcome.message is None:
        return repr(outcome.error)
    doubted = report_of(outcome.message).get("doubted", [])
    if [doubt["name"] for doubt in doubted] != [turn.calls[0].name]:
        return f"doubted {doubted}"
    reason, made = doubted[0]["reason"], doubted[0]["made"]
    if REASONS[turn.notes["check"]] not in reason.lower():
        return f"reason {reason!r}"
    done_once = turn.notes.get("act") and size in SMALL
    if made != outcome.made or (False if done_once else turn.notes["made"]) not in (None, made):
        return f"said to be made: {made}, was made: {outcome.made}"
    # Where only the same act comes again, the answer is asked for.
    return None if outcome.extra == (2 if done_once else 1) else f"{outcome.extra} extra requests"


@needs_policy
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("check", CHECKS)
def test_a_wrong_call_is_asked_about_once(check, size):
    """The check that ought to ask does, once, and the report says what became of the call."""
    agent = InsistingAgent(size)
    asked = [turn for turn in WRONG if turn.notes["check"] == check and size in turn.notes["sizes"]]
    faults = {turn.id: found for turn in asked if (found := fault(turn, agent.play(turn), size))}
    assert faults == {}


@needs_policy
@pytest.mark.parametrize("size", SIZES)
def test_trust_asks_about_nothing(size):
    """With `policy="trust"` every wrong call is made in one request, and nothing is doubted."""
    agent = InsistingAgent(size, policy="trust")
    outcomes = [agent.play(turn) for turn in share(WRONG, [*SIZES].index(size), len(SIZES))]
    assert [one.in_words for one in outcomes if not one.made or one.extra] == []
    assert [one.turn.id for one in outcomes if report_of(one.message).get("doubted")] == []


@needs_policy
@pytest.mark.parametrize("size", SIZES)
def test_strict_makes_no_doubted_call(size):
    """With `policy="strict"` no wrong call is made, however often it comes, and each is in `invalid_tool_calls`, or closes the run."""
    agent = InsistingAgent(size, policy="strict")
    outcomes = [agent.play(turn) for turn in share(WRONG, [*SIZES].index(size), len(SIZES))]
    assert [one.turn.id for one in outcomes if one.made] == []
    closed = ("closed_by_result", "closed_without_answer") if size in SMALL else ()
    codes = [report_of(one.message)["warning_codes"] for one in outcomes]
    silent = [
        one.turn.id
        for one, told in zip(outcomes, codes, strict=True)
        if not one.message.invalid_tool_calls and not set(told) & set(closed)
    ]
    assert silent == []


def test_the_table_is_large_enough():
    """There are at least 40 wrong calls, some for each check."""
    counts = Counter(turn.notes["check"] for turn in WRONG)
    assert sum(counts.values()) >= 40
    assert min(counts[check] for check in CHECKS) >= 10
