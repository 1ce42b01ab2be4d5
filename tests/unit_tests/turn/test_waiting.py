"""Which call of a reply waits for the result of an earlier one: tables of both kinds."""

import pytest

from langchain_toolemu.tools import read_tools, to_openai_tools
from langchain_toolemu.turn.grounding import Heard
from langchain_toolemu.turn.waiting import awaited, is_placeholder, untold


def find_order(customer: str) -> str:
    """Find the id of a customer's latest order."""


def cancel_order(order_id: str) -> str:
    """Cancel an order by its id."""


def find_email(customer: str) -> str:
    """Find the email address of a customer."""


def send_email(address: str, text: str) -> str:
    """Send an email to an address."""


def find_price(product: str) -> float:
    """Find the price of a product in euros."""


def create_invoice(customer: str, euros: float) -> str:
    """Create an invoice for a customer over an amount in euros."""


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
            find_price,
            create_invoice,
            set_timer,
            create_event,
            add,
            save_note,
        ]
    )
)

PLACEHOLDERS = [
    "<order_id>", "<result of find_order>", "{{order_id}}", "{order_id}", "[order id]", "$order_id", "${result}", "...", "…",
    "result of find_order", "the result of the first call", "previous result", "the previous output", "ORDER_ID",
    "ORDER_ID_FROM_ABOVE", "the order id from the previous step", "example result", "your_order_id", "the result",
]  # fmt: skip
VALUES = [
    "A-7731", "Paris", "The result is fine.", "<b>bold</b> text", "max_size", "I will be late, see you at the result party",
    "{\"a\": 1, \"b\": 2}", "[1, 2, 3] are numbers", "$5 off", "resultant", 3, None, True, "", "first of May", "Total",
]  # fmt: skip


@pytest.mark.parametrize("value", PLACEHOLDERS)
def test_a_placeholder_is_known(value):
    """What stands where a value should be, and only says where it comes from."""
    assert is_placeholder(value)


@pytest.mark.parametrize("value", VALUES)
def test_a_value_is_not_a_placeholder(value):
    """Words, code, prices and constants are values."""
    assert not is_placeholder(value)


# What the user says, the calls before, the call, and the argument that waits.
CASES = [
    ("Cancel Ana's order.", ["find_order"], ("cancel_order", {"order_id": "12345"}), "order_id"),
    ("Cancel Ana's order.", ["find_order"], ("cancel_order", {"order_id": "<order_id>"}), "order_id"),
    ("Cancel Ana's order.", ["find_order"], ("cancel_order", {"order_id": "example result"}), "order_id"),
    ("Cancel order A-7731 of Ana.", ["find_order"], ("cancel_order", {"order_id": "A-7731"}), None),
    ("Write to Ana.", ["find_email"], ("send_email", {"address": "ana@example.com", "text": "Hi"}), "address"),
    ("Write to ana@example.com.", ["find_email"], ("send_email", {"address": "ana@example.com", "text": "Hi"}), None),
    ("Bill Ana for a lamp.", ["find_price"], ("create_invoice", {"customer": "Ana", "euros": 49.0}), "euros"),
    ("Bill Ana 49 euros for a lamp.", ["find_price"], ("create_invoice", {"customer": "Ana", "euros": 49.0}), None),
    ("Bill Ana 1,200 euros.", ["find_price"], ("create_invoice", {"customer": "Ana", "euros": 1200}), None),
    # Nothing before it could give the value: it is the model's own.
    ("Set timers for half an hour and for two hours.", ["set_timer"], ("set_timer", {"minutes": 120}), None),
    ("Timer for an hour, and dinner next Friday.", ["set_timer"], ("create_event", {"title": "dinner", "date": "2025-03-14"}), None),
    ("Add 1 and 2, then 3 to the result.", ["add"], ("add", {"a": 3, "b": 3}), None),
    ("Add 17 and 25 and note it.", ["add"], ("save_note", {"title": "Total", "text": "42"}), None),
    ("Add 17 and 25 and note it.", ["add"], ("save_note", {"title": "Total", "text": "<result>"}), "text"),
    # Free text never waits.
    ("Find Ana's order and write to her.", ["find_order"], ("send_email", {"address": "Ana", "text": "Your order 12345 is on its way."}), None),
    ("Cancel Ana's order.", [], ("cancel_order", {"order_id": "12345"}), None),
]  # fmt: skip


UNTOLD = [
    ("Cancel Ana's latest order.", ("cancel_order", {"order_id": "12345"}), "find_order"),
    ("Cancel Ana's latest order.", ("cancel_order", {"order_id": "latest"}), "find_order"),
    ("Cancel Ana's latest order.", ("cancel_order", {"order_id": "Ana's latest order"}), "find_order"),
    ("Cancel order A-7731.", ("cancel_order", {"order_id": "A-7731"}), None),
    ("Write to Ana.", ("send_email", {"address": "ana@example.com", "text": "Hi"}), "find_email"),
    ("Write to Ana.", ("send_email", {"address": "Ana's email", "text": "Hi"}), "find_email"),
    ("Write to ana@example.com.", ("send_email", {"address": "ana@example.com", "text": "Hi"}), None),
    ("Bill Ana for a lamp.", ("create_invoice", {"customer": "Ana", "euros": 15}), "find_price"),
    ("Bill Ana 15 euros.", ("create_invoice", {"customer": "Ana", "euros": 15}), None),
    ("Bill Ana fifteen euros.", ("create_invoice", {"customer": "Ana", "euros": 15}), None),
    ("Set a timer for half an hour.", ("set_timer", {"minutes": 30}), None),
    ("Note that the total is due.", ("save_note", {"title": "Total", "text": "The total is due on day 7."}), None),
]  # fmt: skip


@pytest.mark.parametrize(("asked", "call", "source"), UNTOLD)
def test_a_value_that_another_tool_could_tell(asked, call, source):
    """An id, an address or a number that nobody gave is to be looked up by the tool that tells it."""
    name, args = call
    found = untold(args, TOOLS.exact(name), TOOLS.specs, Heard(asked, asked))
    assert (found and found[2].name) == source


@pytest.mark.parametrize(("asked", "before", "call", "waits"), CASES)
def test_what_waits(asked, before, call, waits):
    """A value that only an earlier call's result could give makes a call wait; what was said or written does not."""
    name, args = call
    earlier = [TOOLS.exact(one) for one in before]
    assert awaited(args, TOOLS.exact(name), earlier, Heard(asked, asked)) == waits
