"""The bench of the contract: what it counts as right, its intervals, its halves, its meter."""

import json

import pytest
from langchain_core.language_models.fake_chat_models import FakeMessagesListChatModel
from langchain_core.messages import AIMessage

from tests.benchmarks.contract import indirect, near
from tests.benchmarks.contract.indirect import Needed, are_needed
from tests.benchmarks.contract.interval import wilson
from tests.benchmarks.contract.meter import Meter
from tests.benchmarks.contract.report import cells, markdown
from tests.benchmarks.contract.running import Row, dump, run
from tests.benchmarks.contract.suites import SUITES
from tests.benchmarks.contract.truth import Truth, is_right
from tests.benchmarks.contract.variants import VARIANTS

FOREIGN = ("native", "tool-calling-llm")
TRUTH = Truth("area", {"base": [10], "unit": ["units", ""], "of": [{"shape": ["tri-angle"]}]})
OF = {"shape": "Triangle"}

CALLS = [
    ([("area", {"base": 10, "of": OF})], True),
    ([("area", {"base": 10.0, "unit": "Units.", "of": OF})], True),
    ([("area", {"base": "10", "of": OF})], False),
    ([("area", {"base": True, "of": OF})], False),
    ([("area", {"of": OF})], False),
    ([("area", {"base": 10, "of": OF, "height": 5})], False),
    ([("volume", {"base": 10, "of": OF})], False),
    ([("area", {"base": 10, "of": OF})] * 2, False),
    ([], False),
]


@pytest.mark.parametrize(("made", "right"), CALLS)
def test_a_call_is_right_as_the_leaderboard_has_it(made, right):
    """One call, of the right tool, each argument one of the right values, none missing, none made up."""
    assert is_right([{"name": name, "args": args} for name, args in made], TRUTH) is right


NEEDED = [
    Needed("set_light", {"room": ["hall", "hallway"], "state": ["off"]}),
    Needed("start_timer", {"minutes": [7]}),
]
HALL = ("set_light", {"room": "the Hall", "state": "off"})
SEVEN = ("start_timer", {"minutes": 7, "label": "eggs"})

NEEDED_CALLS = [
    ([HALL, SEVEN], True),
    ([SEVEN, HALL], True),
    ([HALL], False),
    ([HALL, SEVEN, SEVEN], False),
    ([("set_light", {"room": "hallways", "state": "off"}), SEVEN], False),
    ([("set_light", {"room": "hall"}), SEVEN], False),
    ([HALL, ("start_timer", {"minutes": 70})], False),
    ([HALL, ("set_alarm", {"minutes": 7})], False),
]


@pytest.mark.parametrize(("made", "right"), NEEDED_CALLS)
def test_needed_calls_are_judged_by_tool_and_listed_arguments(made, right):
    """The needed calls in any order, each listed argument with one of its values, others not judged."""
    assert are_needed([{"name": name, "args": args} for name, args in made], NEEDED) is right


def test_every_indirect_request_is_answerable():
    """Thirty requests with one to four tools; each needed call is of a bound tool and judges arguments it has."""
    assert len({request.text for request in indirect.REQUESTS}) == 30
    for request in indirect.REQUESTS:
        bound = {one["function"]["name"]: one["function"] for one in request.tools}
        assert 1 <= len(bound) <= 4
        for name, args in request.needed:
            assert set(args) <= set(bound[name]["parameters"]["properties"])


def test_near_messages_have_tools_beside_them():
    """Twenty-five messages, none of them an indirect request, each with one to four tools."""
    texts = {text for text, _ in near.MESSAGES}
    assert len(texts) == 25
    assert texts.isdisjoint(request.text for request in indirect.REQUESTS)
    assert all(1 <= len(tools) <= 4 for _, tools in near.MESSAGES)


def test_the_interval_is_wilsons():
    """Known values, and the ends of the scale."""
    assert [round(end, 3) for end in wilson(8, 10)] == [0.49, 0.943]
    assert wilson(0, 10)[0] == 0
    assert wilson(10, 10)[1] == 1
    assert wilson(0, 0) == (0.0, 1.0)


def test_the_halves_are_the_whole():
    """Every case is in one half and in one only."""
    suite = SUITES["plain"]
    tune, held = suite.cases("tune"), suite.cases("held")
    names = [case.id for case in suite.cases()]
    assert sorted(case.id for case in tune + held) == sorted(names)
    assert len(tune) == len(held) == 18


def test_a_row_counts_cases_and_costs():
    """A right call, a wrong answer and a crash, each counted for what it is."""
    call = '{"name": "get_weather", "arguments": {"city": "Paris"}}'
    meter = Meter()
    llm = FakeMessagesListChatModel(responses=[AIMessage(call), AIMessage("No.")], cache=meter)
    model = VARIANTS["force"](llm)
    row = Row("force", "plain", "tune", wanted=True)
    for case in SUITES["plain"].cases("tune", 2):
        run(case, model, row, meter)
    run(SUITES["plain"].cases("tune", 1)[0], None, row, meter)
    assert row.good == [True, False, False]
    assert row.called == 1
    assert row.cost.requests == 2
    assert "AttributeError" in row.crashed[0]
    assert cells(row)[3] == "1/3"
    assert "| force | plain |" in markdown([row])
    assert json.loads(dump([row]))[0]["turns"][0]["log"][0]["reply"] == call


def test_a_kept_reply_is_not_asked_for_again(tmp_path):
    """A run that was broken off goes on from the replies it has, and counts them all the same."""
    replies = [AIMessage("one"), AIMessage("two")]
    for _ in range(2):
        meter = Meter(tmp_path / "replies.db")
        llm = FakeMessagesListChatModel(responses=replies, cache=meter)
        assert llm.invoke("Hi").text == "one"
        assert meter.cost.requests == 1
        replies.pop(0) if len(replies) > 1 else None


@pytest.mark.parametrize("name", [name for name in VARIANTS if name not in FOREIGN])
def test_every_variant_can_be_asked(name):
    """A contestant takes tools, and an answer comes back."""
    llm = FakeMessagesListChatModel(responses=[AIMessage("Hello!")])
    row = Row(name, "plain", "tune", wanted=True)
    run(SUITES["plain"].cases("tune", 1)[0], VARIANTS[name](llm), row, Meter())
    assert row.crashed == []
    assert row.turns[0]["did"] == "Hello!"
