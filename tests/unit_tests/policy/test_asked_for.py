"""What a small model goes on with after its task is done, and nobody asked for."""

import pytest
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage

from langchain_toolemu.policy import CAREFUL, DEFAULT, AskedFor, CallContext, Conversation
from langchain_toolemu.policy.checks import resolve_policy
from langchain_toolemu.reader.events import Call
from langchain_toolemu.tools import ToolSpec
from tests.tables import every_row

NAMES = ("book_flight", "book_hotel", "send_email", "find_flights", "get_weather", "run_script")
TOOLS = [ToolSpec(name, "", {}) for name in NAMES]
FLIGHT = "Book the flight to Rome."


def step(name, result="done", **told):
    call = {"name": name, "args": {"city": "Rome"}, "id": name}
    return [AIMessage("", tool_calls=[call]), ToolMessage(result, tool_call_id=name, **told)]


def review(name, asked, *messages, tools=TOOLS, **facts):
    [tool] = [one for one in TOOLS if one.name == name]
    said = [HumanMessage(asked)] if isinstance(asked, str) else asked
    context = CallContext(tool, tools, Conversation([*said, *messages]), **{"is_small": True, **facts})  # fmt: skip
    return AskedFor().review(Call(name, {"city": "Bari"}, "", "json", explicit=False), context)


BOOKED = step("book_flight")
TABLE = [
    ("nothing was done yet", "send_email", FLIGHT, [], "accept"),
    ("only a look-up was made", "send_email", FLIGHT, step("find_flights"), "accept"),
    ("nothing was done yet, and it is ruled out", "send_email", "Rome, but don't send anything.", [], "ask"),
    ("only a script was run", "send_email", FLIGHT, step("run_script"), "accept"),
    ("an act was done", "send_email", FLIGHT, BOOKED, "ask"),
    ("an act was done, and a look-up follows", "get_weather", FLIGHT, BOOKED, "ask"),
    ("a look-up came since", "send_email", FLIGHT, [*BOOKED, *step("find_flights")], "ask"),
    ("the act failed", "send_email", FLIGHT, step("book_flight", "no", status="error"), "accept"),
    ("it failed in words", "send_email", FLIGHT, step("book_flight", "Error: no"), "accept"),
    ("it has no result yet", "send_email", FLIGHT, BOOKED[:1], "accept"),
    ("the tool is spoken of", "send_email", "Book a flight and send an email.", BOOKED, "accept"),
    ("by one of its words", "send_email", "Book a flight. I need an email.", BOOKED, "accept"),
    ("in another form of the word", "send_email", "Book a flight. Emails to all.", BOOKED, "accept"),
    ("only by what other tools do, too", "book_hotel", "Reserve the flight.", BOOKED, "ask"),
    ("only by a word that other tools have, too", "book_flight", "Search the flights.", BOOKED, "ask"),
    ("it is ruled out", "send_email", "Book the flight, no emails please.", BOOKED, "ask"),
    ("it is ruled out, and something else is asked for", "send_email", "Don't book a hotel but send an email.", BOOKED, "accept"),
    ("it must not be forgotten", "send_email", "Book it. Don't forget the email.", BOOKED, "accept"),
    ("it must not be forgotten, in Italian", "send_email", "Prenota. Non dimenticare la email.", BOOKED, "accept"),
    ("it is ruled out in German", "send_email", "Buche den Flug, aber keine Email.", BOOKED, "ask"),
    ("its verb is ruled out, and another of its words is said", "send_email", "Book it. Don't send it, the email is known.", BOOKED, "ask"),
    ("it is wanted if something else is not", "send_email", "Book it; if not send an email.", BOOKED, "accept"),
    ("by its verb", "book_hotel", "Book all that I need for Rome.", BOOKED, "accept"),
    ("the user spoke since", "send_email", [HumanMessage(FLIGHT), *BOOKED, HumanMessage("And now?")], [], "accept"),
]  # fmt: skip


@pytest.mark.parametrize(("case", "name", "asked", "messages", "expected"), TABLE, ids=[case for case, *_ in TABLE])  # fmt: skip
def test_a_further_call_after_an_act_is_asked_about(case, name, asked, messages, expected):
    """If an act was done since the user spoke, and the user said nothing of the call's tool."""
    found = review(name, asked, *messages)
    assert found.outcome == expected
    if expected == "ask":
        assert (found.code, found.final, found.yields, found.must_insist) == ("not_asked_for", False, True, True)  # fmt: skip
        acts = {"book_flight", "book_hotel"} if "book" in asked.lower() else set()
        spoken_of = {"find_flights", "get_weather", *acts} - {name}
        assert (found.correction, set(found.offers)) == ("", spoken_of)


def test_who_is_to_be_told_something_asks_for_the_tool_that_sends():
    """Though no word of its name is said; and it is offered in place of another call."""
    sends = ToolSpec("send_sms", "", {"required": ["phone", "text"]})
    tools = {tool.name: tool for tool in (*TOOLS[:2], sends)}
    talk = Conversation([HumanMessage("Book the flight and text her the reference."), *BOOKED])

    def found(name):
        context = CallContext(tools[name], [*tools.values()], talk, is_small=True)
        return AskedFor().review(Call(name, {}, "", "json", explicit=False), context)

    assert found("send_sms").outcome == "accept"
    rules = ToolSpec("print_ticket", "", {})
    context = CallContext(rules, [*tools.values(), rules], talk, is_small=True)
    other = AskedFor().review(Call("print_ticket", {}, "", "json", explicit=False), context)
    assert (other.outcome, "send_sms" in other.offers) == ("ask", True)


TWO = "Two things: seat 14C for Ann Lee, and X-77 onto the list of room 9."
SEAT = {"seat": "14C", "name": "Ann Lee"}
LEFT = [
    ("an id that no call had", TWO, {"code": "X-77", "note": "as you said"}, "accept"),
    ("all its values, one of which no call had", TWO, {"room": 9}, "accept"),
    ("a channel, and what is told there", "Seat 14C. And #travel: lunch is late.", {"channel": "#travel", "text": "Lunch is late!"}, "accept"),
    ("an address that says whose seat it is", "Seat 14C for a@b.org.", {"address": "a@b.org", "text": "It is reserved."}, "ask"),
    ("a message that is the whole request", "ooo for seat 14C till 5 Oct", {"channel": "#general", "text": "ooo for seat 14C till 5 Oct"}, "ask"),
    ("only values that a call had", TWO, {"seat": "14C"}, "ask"),
    ("one of its values was not given", TWO, {"room": 9, "nights": 5}, "ask"),
    ("an id that the user did not give", TWO, {"code": "X-78"}, "ask"),
    ("a time as the user wrote it", "Seat 14C, and wake me at 06:30.", {"time": "06:30"}, "accept"),
    ("a time that nobody wrote", "Seat 14C, and wake me at 06:30.", {"time": "07:30"}, "ask"),
    ("the same thing for each", "Seat 14C, one for each.", SEAT, "accept"),
    ("the same thing twice", "Seat 14C twice.", SEAT, "accept"),
    ("the same thing, once", TWO, SEAT, "ask"),
    ("in another language, a part of a value", "Asiento 14C, y una habitación en Madrid para dos noches.", {"city": "Madrid, ES", "nights": 2}, "accept"),
    ("in another script", "Место 14C и номер в Мадриде на две ночи.", {"city": "Мадрид", "nights": 2}, "accept"),
    ("in another language, nothing of it", "Asiento 14C, por favor, y gracias por la ayuda.", {"city": "Lima", "guest": "Ann"}, "ask"),
]  # fmt: skip


@every_row(("case", "asked", "args", "expected"), LEFT)
def test_values_that_the_user_gave_ask_for_a_call(case, asked, args, expected):
    """Though its tool is called otherwise than the user speaks: they are there to be used."""
    call = {"name": "reserve_spot", "args": SEAT, "id": "1"}
    talk = [HumanMessage(asked), AIMessage("", tool_calls=[call]), ToolMessage("ok", tool_call_id="1")]  # fmt: skip
    name = "reserve_spot" if args is SEAT else "add_to_waitlist"
    tools = [
        ToolSpec(name, "", {"required": [*args], "properties": {key: {} for key in args}})
        for name in ("reserve_spot", "add_to_waitlist")
    ]
    [tool] = [tool for tool in tools if tool.name == name]
    context = CallContext(tool, tools, Conversation(talk), is_small=True)
    found = AskedFor().review(Call(name, args, "", "json", explicit=False), context)
    assert found.outcome == expected


def test_all_acts_that_were_done_are_named():
    """Each once, in their order, where no other tool can be offered."""
    acts = [one for one in TOOLS if one.name in ("book_flight", "book_hotel", "send_email")]
    done = [*BOOKED, *step("book_hotel"), *BOOKED]
    found = review("send_email", "Do what I need for Rome.", *done, tools=acts)
    assert found.offers == ()
    assert (
        "book_flight and book_hotel is done, and the user said nothing of send_email"
        in found.correction
    )


@pytest.mark.parametrize("facts", [{"is_small": False}, {"forced": True}, {"is_answer": True}])
def test_larger_models_and_demanded_calls_are_not_asked(facts):
    """Only small models go on with what nobody asked for, and a demand is a wish."""
    assert review("send_email", FLIGHT, *BOOKED, **facts).outcome == "accept"


REMINDER = HumanMessage("<system-reminder>The list is empty.</system-reminder>")
EARLIER = [
    HumanMessage("Book a flight and then send me an email."),
    AIMessage("Where to?"),
    HumanMessage("To Rome."),
]


@pytest.mark.parametrize(
    ("asked", "messages"),
    [
        pytest.param("Book a flight, then send an email.", [*BOOKED, REMINDER], id="before a reminder"),
        pytest.param(EARLIER, BOOKED, id="before the last words"),
    ],
)  # fmt: skip
def test_what_the_user_said_before_counts(asked, messages):
    """A reminder does not hide the user's words, nor does a question that the user answered."""
    assert review("send_email", asked, *messages).outcome == "accept"


@every_row(
    ("policy", "billions", "expected"),
    [
        ("auto", 0.5, True),
        ("auto", 3, True),
        ("auto", 7, False),
        ("auto", None, False),
        ("default", 0.5, False),
        ("careful", 7, True),
        ("strict", 7, True),
        ("trust", 0.5, False),
    ],
)
def test_which_policies_have_the_check(policy, billions, expected):
    """`auto` below four billion parameters, and the careful ones; of larger models it says nothing."""
    _, checks = resolve_policy(policy, billions)
    assert any(isinstance(one, AskedFor) for one in checks.checks) is expected


def test_a_repeated_act_is_told_as_such():
    """The act that was done comes first, and the user's words do speak of it."""
    assert review("book_flight", FLIGHT, *BOOKED).outcome == "accept"
    names = [type(one).__name__ for one in CAREFUL.checks]
    assert names.index("NotRepeated") < names.index("AskedFor")
    assert "AskedFor" not in repr(DEFAULT)


@pytest.mark.parametrize("name", ["f", "\u6253\u5f00"])
def test_a_name_without_a_verb_that_can_be_found_is_not_ruled_out(name):
    """Nothing in the user's words can rule it out."""
    spec = ToolSpec(name, "", {}, acts=True)
    facts = CallContext(spec, [spec], Conversation([HumanMessage("Do it, no emails.")]), is_small=True)  # fmt: skip
    assert AskedFor().review(Call(name, {}, "", "json", explicit=False), facts).outcome == "accept"
