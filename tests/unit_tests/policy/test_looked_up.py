"""What nobody gave and a look-up could tell is looked up before an act."""

import pytest

from langchain_toolemu.policy import LookedUp
from tests.unit_tests.policy.talks import call, each, review, rounds, spec

ORDERS = spec("find_order", "customer", about="The orders of a customer.")
PAST = spec("read_orders", "customer", about="Past orders.")
MORE = spec("list_orders", about="All orders.")
WEATHER = spec("get_weather", "city", about="The weather.")
PARCEL = spec("show_order", "parcel_id", about="Of a parcel.")
CANCEL, MAIL = spec("cancel_order", "order_id"), spec("send_mail", "receiver", "body")
PAY, PRESS = spec("pay", "amount"), spec("press_key", "order_id")
TOOLS = [ORDERS, WEATHER, CANCEL, MAIL, PAY, PRESS]
ASKED = "Cancel my last order."
ID = call("cancel_order", order_id="A-7731")
FOUND = rounds((call("find_order", customer="me"), "none open"))
FAILED = rounds((call("find_order", customer="me"), ValueError("offline")))
TABLE = [
    ("an id that stands nowhere", ID, TOOLS, [ASKED], ["find_order"]),
    ("an id that the user gave", ID, TOOLS, ["Cancel order a-7731."], None),
    ("an id that a result gave", ID, TOOLS, [ASKED, *rounds((call("find_order", customer="me"),
        "A-7731"))], None),
    ("an id that the model searched for", ID, TOOLS, [ASKED, *rounds((call("find_order",
        customer="A-7731"), "A-7731: none"))], ["get_weather"]),
    ("an id whose digits were given", ID, TOOLS, ["Cancel number 7731."], None),
    ("of a look-up", call("find_order", customer="Robert"), TOOLS, [ASKED], None),
    ("of what may be repeated", call("press_key", order_id="A-7731"), TOOLS, [ASKED], None),
    ("a free text", call("send_mail", receiver="Ana", body="Yes, of course."), TOOLS, ["Mail Ana."],
        None),
    ("a figure in a free text", call("send_mail", receiver="Ana", body="It is 85 euros."), TOOLS,
        ["Mail Ana."], ["find_order", "get_weather"]),
    ("a text that no look-up tells", call("send_mail", receiver="Robert", body="Yes."), TOOLS,
        ["Mail."], None),
    ("a number that no look-up names: any could tell it", call("pay", amount=85), TOOLS, [ASKED],
        ["find_order", "get_weather"]),
    ("two look-ups could tell it", ID, [*TOOLS, PAST], [ASKED], ["find_order", "read_orders"]),
    ("three could: two are offered", ID, [*TOOLS, PAST, MORE], [ASKED], ["find_order",
        "read_orders"]),
    ("one was called", ID, [*TOOLS, PAST], [ASKED, *FOUND], ["read_orders"]),
    ("one was called and failed", ID, [*TOOLS, PAST], [ASKED, *FAILED], ["read_orders"]),
    ("two were called: the number is asked about", ID, [ORDERS, PAST, CANCEL], [ASKED, *FOUND,
        *rounds((call("read_orders", customer="me"), "none"))], []),
    ("no look-up is left: it is asked about", ID, [CANCEL], [ASKED], []),
    ("what a look-up needs is not given, either", ID, [PARCEL, CANCEL], [ASKED], []),
    ("what a look-up needs may be given", ID, [PARCEL, CANCEL], [f"{ASKED} The parcel is P7."],
        ["show_order"]),
]  # fmt: skip


@each("made tools said offers", TABLE)
def test_what_is_looked_up_before_an_act(made, tools, said, offers):
    """The look-up is demanded first; what nothing is left to tell is made if it comes again."""
    found = review(LookedUp(), made, tools, *said)
    if offers is None:
        assert found.outcome == "accept"
    else:
        assert (found.outcome, found.code, found.final) == ("ask", "value_not_given", False)
        assert (list(found.offers), found.demands, found.yields) == (offers, *[bool(offers)] * 2)


@pytest.mark.parametrize("facts", [{"chosen": True}, {"is_answer": True}])
def test_a_demanded_call_is_made(facts):
    """Its caller waits for this very call; if any call is demanded, a look-up is one."""
    assert review(LookedUp(), ID, TOOLS, ASKED, **facts).outcome == "accept"
    assert review(LookedUp(), ID, TOOLS, ASKED, forced=True).offers == ("find_order",)


def test_the_reason_names_the_argument_and_the_value():
    """The report tells what was not given."""
    found = review(LookedUp(), ID, TOOLS, ASKED)
    assert str(found) == "value_not_given: 'A-7731' for order_id was not given"
