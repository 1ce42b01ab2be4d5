"""What the messages of an order tell a turn."""

import pytest
from langchain_core.messages import AIMessage, FunctionMessage, HumanMessage, ToolMessage

from langchain_toolemu.messages.past_calls import PastCall
from langchain_toolemu.policy.conversation import Conversation
from langchain_toolemu.tools import ToolSpec
from tests.tables import every_row
from tests.unit_tests.turn.playing import Said, order, play
from tests.weather import CALL, PARIS

ASKED = HumanMessage("What is the weather in Paris?")
MADE = {"name": "get_weather", "args": {"city": "Paris"}, "id": "c1"}
BLOCK = {"type": "tool_use", "id": "c1", "name": "get_weather", "input": {"city": "Paris"}}
LEGACY = {"function_call": {"name": "get_weather", "arguments": '{"city": "Paris"}'}}
RESULT = {"type": "tool_result", "tool_use_id": "c1", "content": "22 degrees"}
ROUNDS = {
    "LangChain": [
        AIMessage("", tool_calls=[MADE]),
        ToolMessage("22 degrees", tool_call_id="c1"),
    ],
    "Anthropic": [AIMessage([BLOCK]), HumanMessage([RESULT])],
    "Anthropic's call, LangChain's result": [
        AIMessage([BLOCK]),
        ToolMessage("22 degrees", tool_call_id="c1"),
    ],
    "standard blocks": [
        AIMessage([{"type": "tool_call", **MADE}]),
        ToolMessage("22 degrees", tool_call_id="c1"),
    ],
    "before tools": [
        AIMessage("", additional_kwargs=LEGACY),
        FunctionMessage("22 degrees", name="get_weather"),
    ],
}


@pytest.mark.parametrize("case", ROUNDS)
def test_a_round_counts_however_it_is_written(case):
    """Calls, results, rounds, and what was just answered are the same in every provider's way of writing."""
    conversation = Conversation([ASKED, *ROUNDS[case], *ROUNDS[case]])
    assert conversation.has_tool_history
    assert conversation.called_names == ("get_weather", "get_weather")
    assert conversation.rounds == 2
    assert conversation.has_result
    assert [
        [one.is_of(PastCall(*PARIS[0])) for one in outcomes]
        for outcomes in conversation.rounds_since_user
    ] == [[True], [True]]
    assert all(one.result for outcomes in conversation.rounds_since_user for one in outcomes)
    assert conversation.question is None


@pytest.mark.parametrize("case", ROUNDS)
def test_who_speaks_after_a_result_starts_anew(case):
    """Rounds, results and what was just answered are those since the user last spoke."""
    spoken = HumanMessage([RESULT, {"type": "text", "text": "And Rome?"}])
    for words in (HumanMessage("And Rome?"), spoken):
        conversation = Conversation([ASKED, *ROUNDS[case], words])
        assert (conversation.rounds, conversation.has_result) == (0, False)
        assert conversation.rounds_since_user == []
        assert conversation.question == "And Rome?"


def test_a_failed_result_answers_nothing():
    """The call may be made again."""
    failed = HumanMessage([{**RESULT, "is_error": True}])
    [[outcome]] = Conversation([ASKED, AIMessage([BLOCK]), failed]).rounds_since_user
    assert outcome.result is None


@pytest.mark.parametrize("case", ROUNDS)
def test_the_rules_on_rounds_hold_however_they_are_written(case):
    """A repeated call is pointed out once, and after the last round the answer is asked for without tools."""
    history = [ASKED, *ROUNDS[case]]
    repeated = play(CALL, "22 degrees.", order=order(history))
    assert repeated.report["reasks"] == ["policy: doubted_call"]
    last = play(Said("22 degrees."), order=order(history), max_tool_rounds=1)
    assert [stage.phase for stage in last.stages] == ["answer"]
    assert "get_weather" in str(last.requests[0].messages)


BOOKS = HumanMessage("Find a flight to Rome and book it, no hotel.")


def tool_named(name):
    """A tool of which nothing but its name is known."""
    return ToolSpec(name, "", {})


def made(name, number, result="done", status="success"):
    call = {"name": name, "args": {}, "id": number}
    return [
        AIMessage("", tool_calls=[call]),
        ToolMessage(result, tool_call_id=number, status=status),
    ]


@every_row(
    ("case", "messages", "expected"),
    [
        ("only a look-up was made", [BOOKS, *made("find_flights", "1")], {2: ("book_flight",)}),
        ("the act was done", [BOOKS, *made("find_flights", "1"), *made("book_flight", "2")], {2: ("book_flight",)}),
        ("the act failed", [BOOKS, *made("book_flight", "1", "no", "error")], {2: ("book_flight",)}),
        ("another user asks for nothing", [BOOKS, *made("book_flight", "1"), HumanMessage("Thanks. Flights?"), *made("find_flights", "2")], {}),
        ("an act is not asked for by its name", [HumanMessage("Get me to Rome."), *made("find_flights", "1")], {}),
        ("nobody asked", made("find_flights", "1"), {}),
    ],
)  # fmt: skip
def test_after_which_results_an_act_was_left_to_do(case, messages, expected):
    """Those of the acts that the user's last words name and do not rule out; what was said after older results stays the same."""
    tools = ["find_flights", "book_flight", "reserve_hotel"]
    assert Conversation(messages).unfinished_at([tool_named(name) for name in tools]) == expected


ROME = HumanMessage("Get me to Rome.")
LACKING = {
    "name": "book_flight",
    "reason": "unknown_id: 'F-1' for flight was not given",
    "made": False,
}


def begun(*doubted, name="find_flights"):
    """A first reply of which these calls were doubted, and a result."""
    reply, result = made(name, "1")
    return [
        reply.model_copy(update={"response_metadata": {"toolemu": {"doubted": [*doubted]}}}),
        result,
    ]


@every_row(
    ("case", "messages", "expected"),
    [
        ("the model called it, but for a value", [ROME, *begun(LACKING)], ("book_flight",)),
        ("whatever value it lacked", [ROME, *begun({**LACKING, "reason": "out_of_order: flight needs a result"})], ("book_flight",)),
        ("it was done since", [ROME, *begun(LACKING), *made("book_flight", "2")], ()),
        ("it failed since", [ROME, *begun(LACKING), *made("book_flight", "2", "no", "error")], ("book_flight",)),
        ("it was made", [ROME, *begun({**LACKING, "made": True})], ()),
        ("it was wrong otherwise", [ROME, *begun({**LACKING, "reason": "from_result: it stands in a tool result"})], ()),
        ("a policy of the user's did not let it pass", [ROME, *begun({**LACKING, "reason": "no bookings at night"})], ()),
        ("a second act was called, too", [ROME, *begun(LACKING, {**LACKING, "name": "reserve_hotel"})], ()),
        ("and a look-up", [ROME, *begun(LACKING, {**LACKING, "name": "find_flights"})], ("book_flight",)),
        ("only a look-up", [ROME, *begun({**LACKING, "name": "find_flights"})], ()),
        ("of a tool that is not bound", [ROME, *begun({**LACKING, "name": "book_train"})], ()),
        ("in a later reply", [ROME, *begun(), *begun(LACKING)], ()),
        ("before the user spoke again", [ROME, *begun(LACKING), HumanMessage("Thanks."), *made("find_flights", "2")], ()),
        ("it is ruled out", [HumanMessage("Get me to Rome, but don't book."), *begun(LACKING)], ()),
        ("the report is another's", [ROME, AIMessage("", response_metadata={"toolemu": "x"}), *begun()], ()),
    ],
)  # fmt: skip
def test_the_act_that_the_model_began_with_is_left_to_do(case, messages, expected):
    """Whatever the user's words: the report of the first reply says which one lacked a value; of several acts, none is certain."""
    tools = [tool_named(name) for name in ("find_flights", "book_flight", "reserve_hotel")]
    conversation = Conversation(messages)
    assert conversation.left_to_do(tools) == expected
    assert conversation.unfinished_at(tools).get(len(messages) - 1, ()) == expected


HOTEL = [
    "find_booking",
    "cancel_booking",
    "charge_guest",
    "mail_send",
    "invoice_send",
    "mail_reply",
]


@every_row(
    ("asked", "expected"),
    [
        ("If it is over 5 nights, cancel it.", set()),
        ("Find Ana. Cancel her booking unless it is paid.", set()),
        ("Wenn sie kommt, cancel it.", set()),
        ("Cancel it, if possible.", {"cancel_booking"}),
        ("Cancel it. If it is paid, tell me.", {"cancel_booking"}),
        ("When can I cancel?", set()),
        ("Can I cancel booking 7?", set()),
        ("Could you cancel booking 7?", {"cancel_booking"}),
        ("How much do you charge for it?", set()),
        ("Which room has the guest?", set()),
        ("Make a card for the guest.", set()),
        ("Ana will cancel it. Look it up.", set()),
        ("Find the mail of Ana and reply to it.", {"mail_reply"}),
        ("Send Ana an invoice.", {"invoice_send"}),
        ("Send Ana a mail and an invoice.", {"mail_send", "invoice_send"}),
        ("Send it to Ana, don't cancel the booking.", {"mail_send", "invoice_send"}),
        ("dont charge the guest, the guest has paid", set()),
    ],
)
def test_an_act_that_depends_on_something_is_not_named(asked, expected):
    """Nor one that a question speaks of, or that is somebody else's; of those with one verb, only the one that is named."""
    messages = [HumanMessage(asked), *made("find_booking", "1")]
    found = Conversation(messages).unfinished_at([tool_named(name) for name in HOTEL]).get(2, ())
    assert set(found) == expected


def test_where_one_word_names_two_acts_the_one_that_was_done_was_meant():
    """Nothing but another word leaves the other one to do."""
    tools = [tool_named(name) for name in ("create_booking", "book_garage", "send_sms")]
    asked = HumanMessage("Book the car for Priya, send an sms with the booking reference.")
    left = Conversation([asked, *made("create_booking", "1")]).unfinished_at(tools)
    assert left == {2: ("send_sms",)}


SENDS = ToolSpec("send_sms", "", {"required": ["phone", "text"]})
WRITES = ToolSpec("add_note", "", {"required": ["text"]})


@pytest.mark.parametrize(
    ("asked", "is_wanted"),
    [
        ("Look up the train and text Bo when it leaves.", True),
        ("text her the platform", True),
        ("Let Ana know which room it is.", True),
        ("Schreib Jana bitte, um wie viel Uhr die Bahn fährt.", True),
        ("Dile a Marta cuánto cuesta.", True),
        ("Find the code and write it to ruth@mail.example.", True),
        ("Find out the time and post it in #dock.", True),
        ("Tell me when the train leaves.", False),
        ("Sag mir, wann die Bahn fährt.", False),
        ("When does the train of Bo leave?", False),
        ("Look up the train, don't send anything to Bo.", False),
        ("If it is late, tell Bo.", False),
    ],
)
def test_who_is_to_be_told_something_names_the_one_tool_that_sends(asked, is_wanted):
    """By whom the user names, not by the tool's name; a tool that writes to nobody is not meant."""
    tools = [tool_named("find_train"), SENDS, WRITES]
    messages = [HumanMessage(asked), *made("find_train", "1")]
    left = Conversation(messages).unfinished_at(tools).get(2, ())
    assert ("send_sms" in left) == is_wanted


@pytest.mark.parametrize(
    ("result", "is_nothing"),
    [
        ("[]", True), ("", True), ("null", True), ("None", True), ("{}", True), ("No contact found.", True),
        ("no such client", True), ("0 patients match that name.", True), ("Nothing found under that name.", True),
        ("[] - no events match, try just the name", True), ("Unknown tracking code 7", True), ("Calendar not found: give an e-mail", True),
        ("none are free", False), ("No. 5 is free", False), ("No, it is closed", False), ("[1]", False), ("0.5", False), ("Notes: 3", False),
        ("Nothing but the truth\nis told here", False),
        ('{"customer": null}', True), ('{"orders": [], "next": null}', True), ('{"free": 0}', False), ('{"late": false}', False),
    ],
)  # fmt: skip
def test_when_a_look_up_found_nothing(result, is_nothing):
    """By the beginning of its one line, or because it is empty; whatever else it says is an answer."""
    talk = Conversation([HumanMessage("Find it."), *made("find_train", "1", result)])
    assert bool(talk.telling_outcomes) != is_nothing
