"""What the messages of a request tell a turn."""

import pytest
from langchain_core.messages import AIMessage, FunctionMessage, HumanMessage, ToolMessage

from langchain_toolemu.policy import Conversation
from tests.unit_tests.policy.talks import call, rounds, spec
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
    "before tools": [AIMessage("", additional_kwargs=LEGACY), FunctionMessage("22 degrees", name="get_weather")],
}  # fmt: skip


@pytest.mark.parametrize("made", ROUNDS.values(), ids=ROUNDS)
def test_a_round_counts_however_it_is_written(made):
    """Calls, results and rounds are the same in every provider's way of writing, and a repeat is pointed out once."""
    talk = Conversation([ASKED, *made, *made])
    assert (talk.rounds, talk.has_result, talk.has_tool_history, talk.question) == (2, True, True, None)  # fmt: skip
    assert talk.called_names == ("get_weather", "get_weather")
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
        assert (talk.rounds, talk.has_result, talk.question) == (0, False, "And Rome?")
        assert (talk.users_words, talk.first_question) == ("And Rome?", ASKED.text)
        assert not talk.has_answered(call("get_weather", city="Paris"))


def test_without_a_user_nothing_was_said():
    """And nothing fails."""
    talk = Conversation([AIMessage("Hello!")])
    assert (talk.users_words, talk.first_question, talk.rounds) == ("", "", 0)
    assert not talk.users_given.has("Hello")


LOOK = call("find_mail", name="anna", day="no")
GIVEN = [
    ("the user said it", ["Mail anna@b.org"], "anna@b.org", True, True),
    ("another user's message said it", ["Mail anna@b.org", AIMessage("Why?"), "Just do"], "anna@b.org", True, True),
    ("the model said it", ["Mail Ana", AIMessage("To anna@b.org?")], "anna@b.org", True, False),
    ("a result said it", ["Mail her", *rounds((LOOK, "anna@b.org"))], "anna@b.org", True, False),
    ("only a call said it", ["Mail her", *rounds((LOOK, "none"))], "anna", False, False),
    ("a result repeats what it was searched for", ["Mail her", *rounds((LOOK, "no such one: anna"))], "anna", False, False),
    ("a result has it as a part of a word", ["Mail her", *rounds((LOOK, "annamaria"))], "annamaria", True, False),
    ("a short value is repeated by chance", ["Mail her", *rounds((LOOK, "no mail"))], "no", True, False),
]  # fmt: skip


@pytest.mark.parametrize(("case", "said", "value", "given", "by_user"), GIVEN, ids=[row[0] for row in GIVEN])  # fmt: skip
def test_where_a_value_was_given(case, said, value, given, by_user):
    """In any message or result, but no result tells what it was searched for with; the user's words are told apart."""
    talk = Conversation([HumanMessage(one) if isinstance(one, str) else one for one in said])
    assert (talk.given.has(value), talk.users_given.has(value)) == (given, by_user)


TOOLS = [spec(name) for name in ("find_flights", "book_flight", "reserve_hotel")]
FIND, BOOK, STAY = (call(tool.name) for tool in TOOLS)
LACKING = {"name": "book_flight", "reason": "value_not_given: 'F-1' was not given", "made": False}
ORDERED = {**LACKING, "reason": "out_of_order: flight needs a result"}
ROME = HumanMessage("Get me to Rome.")


def begun(*doubted):
    """A reply of which these calls were doubted, and a look-up's result."""
    reply, result = rounds((FIND, "LH 7"))
    report = {"toolemu": {"doubted": [*doubted]}}
    return [reply.model_copy(update={"response_metadata": report}), result]


PROGRESS = [
    ("a look-up was made", [ROME, *begun()], ("", "")),
    ("an act lacked a value", [ROME, *begun(LACKING)], ("book_flight", "")),
    ("an act was to wait", [ROME, *begun(ORDERED)], ("book_flight", "")),
    ("it was made", [ROME, *begun({**LACKING, "made": True})], ("", "")),
    ("it was wrong otherwise", [ROME, *begun({**LACKING, "reason": "from_result: it stands"})], ("", "")),
    ("two acts lacked one", [ROME, *begun(LACKING, {**LACKING, "name": "reserve_hotel"})], ("", "")),
    ("only a look-up lacked one", [ROME, *begun({**LACKING, "name": "find_flights"})], ("", "")),
    ("of a tool that is not bound", [ROME, *begun({**LACKING, "name": "book_train"})], ("", "")),
    ("it was done since", [ROME, *begun(LACKING), *rounds((BOOK, "ok"))], ("", "book_flight")),
    ("it failed since", [ROME, *begun(LACKING), *rounds((BOOK, ValueError("no")))], ("book_flight", "")),
    ("another was done since", [ROME, *begun(LACKING), *rounds((STAY, "ok"))], ("book_flight", "reserve_hotel")),
    ("two were done, one twice", [ROME, *rounds((BOOK, "ok"), (STAY, "ok"), (BOOK, "ok"))], ("", "book_flight and reserve_hotel")),
    ("the user spoke since", [ROME, *begun(LACKING), HumanMessage("Flights?"), *rounds((FIND, "LH"))], ("", "")),
    ("the report is another's", [ROME, AIMessage("", response_metadata={"toolemu": "x"}), *begun()], ("", "")),
]  # fmt: skip


@pytest.mark.parametrize(("case", "messages", "expected"), PROGRESS, ids=[row[0] for row in PROGRESS])  # fmt: skip
def test_which_act_is_left_and_which_are_done(case, messages, expected):
    """By the report of the replies and the results; what was said after older results stays the same."""
    progress = Conversation(messages).progress_at(TOOLS)
    assert progress[len(messages) - 1] == expected
    for place in progress:
        assert Conversation(messages[: place + 1]).progress_at(TOOLS)[place] == progress[place]
