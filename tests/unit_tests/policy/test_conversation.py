"""What the messages of a request tell a turn."""

import pytest
from langchain_core.messages import AIMessage, FunctionMessage, HumanMessage, ToolMessage

from langchain_toolemu.policy import Conversation
from tests.unit_tests.policy.talks import call, each, rounds
from tests.unit_tests.turn.playing import Said, order, play
from tests.weather import CALL

ASKED = HumanMessage("What is the weather in Paris?")
MADE = {"name": "get_weather", "args": {"city": "Paris"}, "id": "c1"}
BLOCK = {"type": "tool_use", "id": "c1", "name": "get_weather", "input": {"city": "Paris"}}
LEGACY = {"function_call": {"name": "get_weather", "arguments": '{"city": "Paris"}'}}
RESULT = {"type": "tool_result", "tool_use_id": "c1", "content": "22 degrees"}
TOLD = ToolMessage("22 degrees", tool_call_id="c1")
ROUNDS = {
    "LangChain": [AIMessage("", tool_calls=[MADE]), TOLD],
    "Anthropic": [AIMessage([BLOCK]), HumanMessage([RESULT])],
    "Anthropic's call, LangChain's result": [AIMessage([BLOCK]), TOLD],
    "standard blocks": [AIMessage([{"type": "tool_call", **MADE}]), TOLD],
    "before tools": [AIMessage("", additional_kwargs=LEGACY), FunctionMessage("22 degrees",
        name="get_weather")],
}  # fmt: skip


@pytest.mark.parametrize("made", ROUNDS.values(), ids=ROUNDS)
def test_a_round_counts_however_it_is_written(made):
    """Calls, results and rounds are the same in every provider's way of writing."""
    talk = Conversation([ASKED, *made, *made])
    assert (talk.rounds, talk.has_result) == (2, True)
    assert talk.has_answered(call("get_weather", city="Paris"))
    assert not talk.has_answered(call("get_weather", city="Rome"))
    history = order([ASKED, *made])
    assert play(CALL, "22 degrees.", order=history).report["reasks"] == ["policy: doubted_call"]
    last = play(Said("22 degrees."), order=history, max_tool_rounds=1)
    assert [stage.phase for stage in last.stages] == ["answer"]


@pytest.mark.parametrize("made", ROUNDS.values(), ids=ROUNDS)
def test_who_speaks_after_a_result_starts_anew(made):
    """Rounds and results are those since the user last spoke."""
    spoken = HumanMessage([RESULT, {"type": "text", "text": "And Rome?"}])
    for words in (HumanMessage("And Rome?"), spoken):
        talk = Conversation([ASKED, *made, words])
        assert (talk.rounds, talk.has_result, talk.users_words) == (0, False, "And Rome?")
        assert not talk.has_answered(call("get_weather", city="Paris"))


def test_without_a_user_nothing_was_said():
    """And nothing fails."""
    talk = Conversation([AIMessage("Hello!")])
    assert (talk.users_words, talk.rounds) == ("", 0)
    assert not talk.users_given.has("Hello")


LOOK = call("find_mail", name="anna", day="no")
GIVEN = [
    ("the user said it", ["Mail anna@b.org"], "anna@b.org", True, True),
    ("another user's message said it", ["Mail anna@b.org", AIMessage("Why?"), "Just do"],
        "anna@b.org", True, True),
    ("the model said it", ["Mail Ana", AIMessage("To anna@b.org?")], "anna@b.org", True, False),
    ("a result said it", ["Mail her", *rounds((LOOK, "anna@b.org"))], "anna@b.org", True, False),
    ("only a call said it", ["Mail her", *rounds((LOOK, "none"))], "anna", False, False),
    ("a result repeats what it was searched for", ["Mail her", *rounds((LOOK,
        "no such one: anna"))], "anna", False, False),
    ("a result has it as a part of a word", ["Mail her", *rounds((LOOK, "annamaria"))], "annamaria",
        True, False),
    ("a short value is repeated by chance", ["Mail her", *rounds((LOOK, "no mail"))], "no", True,
        False),
]  # fmt: skip


@each("said value given by_user", GIVEN)
def test_where_a_value_was_given(said, value, given, by_user):
    """In any message or result, but no result tells what it was searched for with."""
    talk = Conversation([HumanMessage(one) if isinstance(one, str) else one for one in said])
    assert (talk.given.has(value), talk.users_given.has(value)) == (given, by_user)
