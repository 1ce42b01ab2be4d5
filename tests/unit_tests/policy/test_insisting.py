"""A valid call that the model insists on is made, with at most one extra request.

The data is in tests/benchmarks/trust: everyday requests and steps of agents that loop for a
reason, with the right call of each.
"""

from itertools import product

import pytest

from tests.benchmarks.trust.insisting import SIZES, WAYS, InsistingAgent, report_of
from tests.benchmarks.trust.turns import load_turns
from tests.thoroughness import share

pytestmark = pytest.mark.filterwarnings("ignore::langchain_toolemu.ToolEmuWarning")

EVERYDAY, LOOPS = load_turns("everyday"), load_turns("loops")
SOURCES = {"everyday": EVERYDAY, "loops": LOOPS}


def failures(outcomes):
    """A line for each turn without its calls, or with more than one extra request."""
    wrong = [outcome for outcome in outcomes if not outcome.made or outcome.extra > 1]
    return "\n".join([f"{len(wrong)} of {len(outcomes)}", *(one.in_words for one in wrong)])


@pytest.mark.pairwise
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("source", SOURCES)
def test_a_call_that_the_model_insists_on_is_made(source, size, way):
    """At any size and however it is asked, it is made after one question at most."""
    agent = InsistingAgent(size, way)
    place = [*product(SIZES, WAYS)].index((size, way))
    turns = share(SOURCES[source], place, 2 * len(SIZES) * len(WAYS))
    outcomes = [agent.play(turn) for turn in turns]
    assert all(one.made and one.extra <= 1 for one in outcomes), failures(outcomes)


def test_what_the_user_gives_in_figures_is_not_asked_about():
    """Nor what a result tells; a number in words may be, of a small model only."""
    turns = [turn for turn in EVERYDAY if turn.category in ("given", "conditional", "after")]
    asked = [one for one in map(InsistingAgent("1.5B").play, turns) if one.extra or one.waits]
    assert all("not given" in str(one.reasons) for one in asked), failures(asked)
    assert len(asked) <= 0.12 * len(turns)
    large = [InsistingAgent("3B").play(turn) for turn in share(turns, 0, 4)]
    assert [one.in_words for one in large if one.extra or one.waits] == []


@pytest.mark.parametrize("size", SIZES)
def test_the_calls_come_by_the_way_that_is_played(size):
    """A model without `bind_tools` is emulated, and the text of a native reply is rescued."""
    turn = next(one for one in EVERYDAY if one.id == "languages-05")
    paths = {way: report_of(InsistingAgent(size, way).play(turn).message)["path"] for way in WAYS}
    assert paths == {"force": "emulated", "fallback": "emulated", "rescued": "rescued"}
