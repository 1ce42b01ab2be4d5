"""The bench of the contract: what it counts as right, its intervals, its halves, its meter, its many tools, its loops."""

import itertools
import json

import pytest
from langchain_core.language_models.fake_chat_models import FakeMessagesListChatModel
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage

from tests.benchmarks.contract import errands, indirect, languages, near
from tests.benchmarks.contract.case import Case, Outcome
from tests.benchmarks.contract.first_token import ratios, time_answer
from tests.benchmarks.contract.indirect import Needed, are_needed
from tests.benchmarks.contract.interval import wilson
from tests.benchmarks.contract.loops import looping
from tests.benchmarks.contract.meter import Meter
from tests.benchmarks.contract.padding import COUNTS, padded_tools
from tests.benchmarks.contract.public_cases import PublicCase
from tests.benchmarks.contract.public_packages import is_told
from tests.benchmarks.contract.report import cells, markdown, requests, sums
from tests.benchmarks.contract.rivals import FewShot
from tests.benchmarks.contract.running import Row, dump, load, run_case, run_suite
from tests.benchmarks.contract.suites import HALVES, SUITES, Suite
from tests.benchmarks.contract.truth import Truth, are_among, is_right
from tests.benchmarks.contract.variants import VARIANTS
from tests.benchmarks.trust.turns import Called
from tests.tables import every_row

FOREIGN = ("native", "tool-calling-llm", "first token")  # no fake model has tools or logprobs
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


@every_row(("made", "right"), CALLS)
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


@every_row(("made", "right"), NEEDED_CALLS)
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
    """Thirty messages, none of them an indirect request, each with one to four tools."""
    texts = {text for text, _ in near.MESSAGES}
    assert len(texts) == 30
    assert texts.isdisjoint(request.text for request in indirect.REQUESTS)
    assert all(1 <= len(tools) <= 4 for _, tools in near.MESSAGES)


def test_the_interval_is_wilsons():
    """Known values, and the ends of the scale."""
    assert [round(end, 3) for end in wilson(8, 10)] == [0.49, 0.943]
    assert wilson(0, 10)[0] == 0
    assert wilson(10, 10)[1] == 1
    assert wilson(0, 0) == (0.0, 1.0)


def test_language_requests_name_arguments_that_their_tool_has():
    """At least twenty requests and ten idle messages, for the errands' tools."""
    tools = {tool.__name__: tool.__annotations__ for tool in errands.TOOLS}
    assert len({text for text, *_ in languages.REQUESTS}) >= 20
    assert len(set(languages.IDLE)) >= 10
    assert all(set(args) <= set(tools[name]) for _, name, args in languages.REQUESTS)


def test_the_halves_are_apart_by_source():
    """Every source is of one half, and either half has needed calls, restraint, agents and several calls."""
    assert {suite.source for suite in SUITES.values()} == set(HALVES)
    for half in ("tune", "held"):
        kinds = {suite.kind for suite in SUITES.values() if suite.half == half}
        assert {"needed", "restraint", "agents", "parallel", "parallel loop"} <= kinds


def test_a_row_counts_cases_and_costs():
    """A right call, a wrong answer and a crash, each counted for what it is."""
    call = '{"name": "get_weather", "arguments": {"city": "Paris"}}'
    meter = Meter()
    llm = FakeMessagesListChatModel(responses=[AIMessage(call), AIMessage("No.")], cache=meter)
    model = VARIANTS["force"](llm)
    row = _row()
    cases = SUITES["plain"].cases(2)
    for case, asked in ((cases[0], model), (cases[1], model), (cases[0], None)):
        row.add(case, *run_case(case, asked, meter))
    assert row.good == [True, False, False]
    assert row.called == 1
    assert row.cost.requests == 2
    assert "AttributeError" in row.crashed[0]
    assert cells(row)[3] == "1/3"
    assert sums([row])[0][:3] == ("force", "tune", "1/3 (6% to 79%)")
    assert requests([row]) == [("force", "single turns", "1", "2", "0", "0")]
    assert "| force | plain |" in markdown([row])
    assert json.loads(dump([row], prompts=True))[0]["turns"][0]["log"][0]["reply"] == call
    assert load(dump([row], prompts=True)) == [row]


def _row(name="force"):
    return Row(name, "plain", "tune", "needed", wanted=True)


def test_cases_that_run_at_once_are_counted_apart():
    """Each case gets the requests that it made itself, and the rows stay in order."""
    meter = Meter()
    llm = FakeMessagesListChatModel(responses=[AIMessage("Yes.")], cache=meter)

    def asking(number):
        texts = [f"{number}, {again}" for again in range(number)]
        return lambda model: Outcome(True, False, str([model.invoke(text) for text in texts]))

    cases = [Case(str(number), asking(number)) for number in range(8)]
    suite = Suite("counted", "ours", "needed", lambda: cases)
    row = run_suite(_row(), suite, llm, meter, cases=None, workers=4)
    assert [len(turn["log"]) for turn in row.turns] == list(range(8))
    assert [turn["case"] for turn in row.turns] == [case.id for case in cases]
    assert row.cost.requests == sum(range(8))


def _tool(name, description="Does something else."):
    return {"type": "function", "function": {"name": name, "description": description}}


def test_padding_is_nested_distinct_and_the_same_every_time():
    """So many tools, the right one among them and its own neighbours first, no name twice, none that does the same."""
    own = [_tool("find_lake", "Find a lake in a country."), _tool("find_hill"), _tool("others_7")]
    others = [_tool(f"others_{number}", f"Word{number} of{number}") for number in range(300)]
    same = _tool("lake_find", "Find a lake in any country.")
    case = PublicCase("one", own, [], "calls", [Truth("find_lake", {})])
    padded = [padded_tools(case, [same, *others], count) for count in COUNTS]
    names = [{tool["function"]["name"] for tool in tools} for tools in padded]
    assert [len(tools) for tools in padded] == [len(some) for some in names] == list(COUNTS)
    assert names[0] == {"find_lake", "find_hill", "others_7"}
    assert all(few < many for few, many in itertools.pairwise(names))
    assert "lake_find" not in names[-1]
    assert padded[-1] == padded_tools(case, [same, *others], COUNTS[-1])


ONE, TWO = Truth("light", {"room": ["hall"]}), Truth("light", {"room": ["bath"]})
HALL_CALL, BATH_CALL = (
    {"name": "light", "args": {"room": room}, "id": room} for room in ("hall", "bath")
)
WRONG_CALL = {"name": "light", "args": {"room": "attic"}, "id": "attic"}

LOOPS = [
    ([[HALL_CALL, BATH_CALL], []], True),
    ([[BATH_CALL], [HALL_CALL], []], True),
    ([[HALL_CALL], []], False),
    ([[HALL_CALL], [BATH_CALL], [WRONG_CALL], []], False),
    ([[HALL_CALL], [BATH_CALL], [HALL_CALL], []], True),
    ([[]], False),
]


@every_row(("replies", "right"), LOOPS)
def test_a_loop_is_right_if_all_right_calls_and_no_others_were_made_by_its_end(replies, right):
    """In one reply or one after the other; none lost, none wrong; one that is made twice counts once."""
    model = _Replies(replies)
    outcome = looping([HumanMessage("Both lights.")], [], [ONE, TWO])(model)
    assert outcome.good is right
    assert len(model.asked) == len(replies)
    assert all(isinstance(message, ToolMessage) for message in model.asked[-1][2::3][:1])


class _Replies:
    """A model that makes given calls, one reply after the other."""

    def __init__(self, replies):
        self._replies, self.asked = iter(replies), []

    def bind_tools(self, _):
        return self

    def invoke(self, messages):
        self.asked.append(list(messages))
        return AIMessage("", tool_calls=next(self._replies))


AMONG = [([HALL_CALL], True), ([BATH_CALL, HALL_CALL], True), ([], False)]
AMONG += [([HALL_CALL, WRONG_CALL], False), ([HALL_CALL, HALL_CALL], False)]


@pytest.mark.parametrize(("calls", "right"), AMONG)
def test_a_step_is_right_with_any_of_the_calls_that_may_come_next(calls, right):
    """One or more of them, each at most once, and no other."""
    assert are_among(calls, [ONE, TWO]) is right


def test_only_values_that_were_told_make_a_step_known():
    """A value of the user or of a result counts, a system message does not."""
    messages = [
        SystemMessage("Rooms: attic."),
        HumanMessage("Light in the Hall, 2 lamps!"),
        ToolMessage("id: A-77", tool_call_id="1"),
    ]
    assert is_told(Called("light", {"room": "hall", "lamps": [2], "id": "a-77"}), messages)
    assert not is_told(Called("light", {"room": "attic"}), messages)


def test_answers_are_timed_and_compared_with_the_baseline():
    """An answer has two times, and each variant's medians are a ratio of the baseline's."""
    first, whole = time_answer(FakeMessagesListChatModel(responses=[AIMessage("Yes.")]), [])
    assert 0 < first <= whole
    timed = [
        {"variant": "inline", "first": [1.0, 2.0, 9.0], "whole": [4.0]},
        {"variant": "auto", "first": [3.0], "whole": [6.0]},
    ]
    assert list(ratios(timed))[-1] == "| auto | 1 | 3.000 | 6.000 | 1.50 | 1.50 |"


def test_few_shot_examples_are_made_from_the_bound_tools():
    """Two answers around calls of the first tools, with values for what they require."""
    llm = FakeMessagesListChatModel(responses=[AIMessage("Hello!")])
    tools = [one.tools[0]["function"] for one in indirect.REQUESTS[:3]]
    said = [message.text for message in FewShot(llm=llm)._examples(tools)]
    assert len(said) == 8
    assert json.loads(said[3]) == {"name": "get_weather", "arguments": {"city": "sample"}}


def test_a_kept_reply_is_not_asked_for_again(tmp_path):
    """A run that was broken off goes on from the replies it has, and counts them all the same."""
    replies = [AIMessage("one"), AIMessage("two")]
    for _ in range(2):
        meter = Meter(tmp_path / "replies.db")
        llm = FakeMessagesListChatModel(responses=replies, cache=meter)
        with meter.counting() as tally:
            assert llm.invoke("Hi").text == "one"
        assert tally.cost.requests == 1
        replies.pop(0) if len(replies) > 1 else None


@every_row("name", [name for name in VARIANTS if not name.startswith(FOREIGN)])
def test_every_variant_can_be_asked(name):
    """A contestant takes tools, and an answer comes back."""
    llm = FakeMessagesListChatModel(responses=[AIMessage("Hello!")])
    outcome, _, error = run_case(SUITES["plain"].cases(1)[0], VARIANTS[name](llm), Meter())
    assert error == ""
    assert outcome.did == "Hello!"
