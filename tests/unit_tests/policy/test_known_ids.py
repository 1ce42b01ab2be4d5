"""Ids that nobody gave: which calls are asked about. Which wait for the result of another one is in test_order.py."""

import pytest
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage

from langchain_toolemu.policy import CallContext, Conversation, KnownIds
from langchain_toolemu.policy.made_up_values import is_date_or_time, is_identifier
from langchain_toolemu.reader.events import Call
from langchain_toolemu.tools import read_tools, to_openai_tools
from tests.tables import every_row


def find_order(customer: str) -> str:
    """Find the id of a customer's latest order."""


def cancel_order(order_id: str) -> str:
    """Cancel an order by its id."""


def find_email(customer: str) -> str:
    """Find the email address of a customer."""


def send_email(address: str, text: str) -> str:
    """Send an email to an address."""


def set_timer(minutes: int) -> str:
    """Set a timer."""


def create_event(title: str, date: str, notes: str = "") -> str:
    """Create an event in the calendar."""


def add(a: int, b: int) -> int:
    """Add two numbers."""


def save_note(title: str, text: str) -> str:
    """Save a note under a title."""


TOOLS = read_tools(
    to_openai_tools(
        [
            find_order,
            cancel_order,
            find_email,
            send_email,
            set_timer,
            create_event,
            add,
            save_note,
        ]
    )
)


def made(name, args):
    return Call(name, args, "{call}", "json", explicit=False)


def context(asked, name, **facts):
    talk = Conversation([HumanMessage(asked)] if isinstance(asked, str) else asked)
    return CallContext(TOOLS.exact(name), TOOLS.specs, talk, **facts)


MAIL = {"address": "ana@example.com", "text": "Hi"}
UNKNOWN = [
    ("Cancel Ana's latest order.", "cancel_order", {"order_id": "12345"}, "find_order"),
    ("Cancel Ana's order.", "cancel_order", {"order_id": "newest"}, "find_order"),
    ("Cancel W506, not W507.", "cancel_order", {"order_id": "K506"}, "find_order"),
    ("Cancel order C-7731.", "cancel_order", {"order_id": "A-7731"}, "find_order"),
    ("Cancel order 7731E.", "cancel_order", {"order_id": "7731W"}, "find_order"),
    ("Write to Ana.", "send_email", MAIL, "find_email"),
    ("Write to Ana.", "send_email", {"address": "Bob's mail", "text": "Hi"}, "find_email"),
]
KNOWN = [
    ("Cancel order A-7731.", "cancel_order", {"order_id": "A-7731"}),
    ("Cancel order 7731.", "cancel_order", {"order_id": "A-7731"}),
    ("Cancel order W5061109.", "cancel_order", {"order_id": "#W5061109"}),
    ("Cancel order #W5061109.", "cancel_order", {"order_id": "W5061109"}),
    ("Cancel order W506.", "cancel_order", {"order_id": "W-506"}),
    ("Cancel order NL91 ABNA 0417 1643 00.", "cancel_order", {"order_id": "NL91ABNA0417164300"}),
    ("Cancel order C-7731.", "cancel_order", {"order_id": "7731"}),
    ("Cancel ord7731.", "cancel_order", {"order_id": "ORDER-7731"}),
    ("取消订单W5061109的配送", "cancel_order", {"order_id": "W5061109"}),
    ("Cancel the order called latest.", "cancel_order", {"order_id": "latest"}),
    ("Cancel Ana's latest order.", "cancel_order", {"order_id": "LATEST"}),
    ("Write to ana@example.com.", "send_email", MAIL),
    ("Set a timer for half an hour.", "set_timer", {"minutes": 30}),
    ("Dinner next Friday.", "create_event", {"title": "Dinner", "date": "2027-03-05"}),
    ("Lunch within 48 hours.", "create_event", {"title": "Lunch", "date": "48h"}),
    ("Note that the total is due.", "save_note", {"title": "Total", "text": "Due on day 7."}),
]


@pytest.mark.parametrize(("asked", "name", "args", "source"), UNKNOWN)
def test_an_id_that_nobody_gave_is_asked_about(asked, name, args, source):
    """The model is asked afresh, the tool that could tell it is offered and none that acts, and it may insist."""
    review = KnownIds().review(made(name, args), context(asked, name))
    assert (review.outcome, review.final, review.code) == ("ask", False, "unknown_id")
    assert (review.correction, source in review.offers) == ("", True)
    assert set(review.offers) <= {"find_order", "find_email"}


@every_row(("asked", "name", "args"), KNOWN)
def test_what_was_given_is_known(asked, name, args):
    """In whatever spelling; numbers, dates and texts are never looked up."""
    assert KnownIds().review(made(name, args), context(asked, name)).outcome == "accept"


def test_a_demanded_call_is_not_asked_about():
    """Neither under a forced choice, nor if it is the answer."""
    call = made("cancel_order", {"order_id": "12345"})
    for facts in ({"chosen": True}, {"is_answer": True}):
        assert KnownIds().review(call, context("Hi", call.name, **facts)).outcome == "accept"


def test_an_id_in_a_result_or_an_act_is_known():
    """All messages count, and so do the calls of tools that act; what was only searched for does not."""
    found = {"name": "find_order", "args": {"customer": "C-99"}, "id": "1"}
    done = {"name": "cancel_order", "args": {"order_id": "B-2"}, "id": "2"}
    talk = [
        HumanMessage("Hi"),
        AIMessage("", tool_calls=[found, done]),
        ToolMessage("A-1", tool_call_id="1"),
        ToolMessage("done", tool_call_id="2"),
    ]
    for id_, expected in (("A-1", "accept"), ("B-2", "accept"), ("C-99", "ask")):
        call = made("cancel_order", {"order_id": id_})
        assert KnownIds().review(call, context(talk, call.name)).outcome == expected


def test_the_last_numbers_and_words_of_a_long_conversation_are_known():
    """A table of thousands of numbers or a large file that was written before do not hide what the user says."""
    table = HumanMessage(" ".join(map(str, range(10_000, 13_000))))
    file = {"name": "write_file", "args": {"path": "a", "content": "x " * 110_000}, "id": "1"}
    written = [AIMessage("", tool_calls=[file]), ToolMessage("done", tool_call_id="1")]
    index = Conversation([table, *written, HumanMessage("Add 77 in Lisbon.")]).given()
    assert index.mentions(77)
    assert index.mentions("Lisbon")


@pytest.mark.parametrize("day", ["07-10-2022", "7/10/2022", "10.07.2022", "2022-07-10", "7.10.22"])
def test_a_date_is_no_identifier(day):
    """In any spelling, for it was respelt from the user's words."""
    assert is_date_or_time(day)
    assert not is_identifier(day)


@pytest.mark.parametrize("value", ["1.2.2", "0.7.3", "10.4", "4711", "0815", "1.12.345"])
def test_a_version_or_a_number_is_no_date(value):
    """Nobody respelt it: it was given, or made up."""
    assert is_identifier(value)
    assert not is_date_or_time(value)
