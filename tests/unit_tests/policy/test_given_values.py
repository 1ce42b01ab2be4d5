"""Values and ids that nobody gave: which acts are asked about, and with which tools the model is asked."""

from typing import Literal

import pytest
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage

from langchain_toolemu.policy import CallContext, Conversation, GivenValues, KnownIds
from langchain_toolemu.reader.events import Call
from langchain_toolemu.tools import ToolSpec, read_tools, to_openai_tools
from tests.tables import every_row


def get_order(order: str) -> str:
    """Get the amount and the date of an order."""


def find_order(customer: str) -> str:
    """Find the id of a customer's latest order."""


def find_email(customer: str) -> str:
    """Find the email address of a customer."""


def get_time() -> str:
    """Get the time."""


def refund(amount: float) -> str:
    """Refund an amount."""


def cancel_order(order_id: str) -> str:
    """Cancel an order by its id."""


def send_email(address: str, text: str) -> str:
    """Send an email to an address."""


def send_sms(phone: str, text: str) -> str:
    """Send a text message."""


def pay(recipient: str, amount: float = 0) -> str:
    """Pay somebody."""


def book_table(guests: int, size: Literal["small", "large"], date: str, inside: bool) -> str:
    """Book a table."""


def save_note(text: str) -> str:
    """Save a note."""


def run_report(amount: float) -> str:
    """Run the report."""


ACTS = [refund, cancel_order, send_email, send_sms, pay, book_table, save_note]
TELLS = [get_order, find_order, find_email, get_time]
TOOLS = read_tools(to_openai_tools([*TELLS, *ACTS, run_report]))


def made(name, /, **args):
    return Call(name, args, "{call}", "json", explicit=False)


def step(name, args, result, number="1", **told):
    call = {"name": name, "args": args, "id": number}
    return [AIMessage("", tool_calls=[call]), ToolMessage(result, tool_call_id=number, **told)]


def context(asked, call, tools=TOOLS, **facts):
    talk = Conversation([HumanMessage(asked)] if isinstance(asked, str) else asked)
    return CallContext(tools.exact(call.name), tools.specs, talk, **facts)


KETTLE = [HumanMessage("Refund the kettle.")]


def values(asked, call, **facts):
    return GivenValues().review(call, context(asked, call, **facts))


def ids(asked, call, **facts):
    return KnownIds().review(call, context(asked, call, **facts))


UNTOLD = ("get_order", "find_order", "find_email", "get_time")
ORDERS = ("get_order", "find_order")  # one tells an amount, the other the order that it needs
NOT_GIVEN = [
    ("a number", "Refund the broken kettle.", made("refund", amount=100), ORDERS),
    ("a hundred where one thing is spoken of", "She wants another one. Refund it as a single payment.", made("refund", amount=100), ORDERS),
    ("a number beside others", "Refund 2 of 3 kettles.", made("refund", amount=49.9), ORDERS),
    ("an id", "Cancel Ana's order.", made("cancel_order", order_id="A-1000"), ORDERS),
    ("a phone number", "Text Ana.", made("send_sms", phone="+491701234567", text="Hi"), UNTOLD),
    ("an address", "Write to Ana.", made("send_email", address="ana@mail.com", text="Hi"), ("find_email",)),
    ("an address of which a part was said", "Write to ana at mail.com.", made("send_email", address="ana@mail.com", text="Hi"), ("find_email",)),
    ("a number in a text", "Tell Ana the time.", made("send_sms", phone="Ana", text="It is 14:35."), UNTOLD),
    ("a sum of nothing", "Refund the shipping of it.", made("refund", amount=0), ORDERS),
    ("a short text, and a tool that is spoken of", "Pay who made the order.", made("pay", recipient="Roberta"), ORDERS),
]  # fmt: skip


@pytest.mark.parametrize(("case", "asked", "call", "offers"), NOT_GIVEN, ids=[case for case, *_ in NOT_GIVEN])  # fmt: skip
def test_an_act_on_a_value_that_nobody_gave_is_asked_about(case, asked, call, offers):
    """Afresh, with only those tools that could tell the value; the model may insist, and beside other calls it is not made."""
    found = values(asked, call)
    assert (found.outcome, found.code, found.final) == ("ask", "value_not_given", False)
    assert (found.correction, found.offers, found.yields) == ("", offers, True)
    shown = [repr(value) for value in call.args.values()]
    assert any(found.reason.startswith(f"{value} for ") for value in shown)


@pytest.mark.parametrize(
    ("asked", "call", "small", "offers"),
    [
        (
            "Text Ana Bell hi.",
            made("send_sms", phone="Ana Bell", text="hi"),
            "ask",
            ("find_order", "find_email"),
        ),
        ("Write to Ana.", made("send_email", address="Ana", text="hi"), "accept", ()),
        ("Cancel the red kettle.", made("cancel_order", order_id="red kettle"), "ask", ORDERS),
        ("Cancel main.", made("cancel_order", order_id="main"), "accept", ()),
        ('Cancel "red kettle".', made("cancel_order", order_id="red kettle"), "accept", ()),
        ("Cancel the red kettle.", made("cancel_order", order_id="RED_KETTLE"), "ask", ORDERS),
        ("Cancel the kettle.", made("cancel_order", order_id="KETTLE"), "ask", ORDERS),
        ("Cancel RED_KETTLE.", made("cancel_order", order_id="RED_KETTLE"), "accept", ()),
        ("Pay Ana Bell.", made("pay", recipient="Ana Bell"), "accept", ()),
    ],
)
def test_a_name_is_no_number_and_no_code(asked, call, small, offers):
    """A small model that writes a name where a phone number or a code belongs has not looked it up; one word may be an id."""
    found = values(asked, call, is_small=True)
    assert (found.outcome, found.offers) == (small, offers)
    assert values(asked, call).outcome == "accept"


GIVEN = [
    ("a number", "Refund 100 euros.", made("refund", amount=100)),
    ("a number in words", "Refund a hundred euros.", made("refund", amount=100)),
    ("an hour in minutes", "Refund one hour.", made("refund", amount=60)),
    ("a number of thousands", "Refund 1,250.50 euros.", made("refund", amount=1250.5)),
    ("one", "Refund the kettle.", made("refund", amount=1)),
    ("an id", "Cancel order A-1000.", made("cancel_order", order_id="A-1000")),
    ("an id in another spelling", "Cancel order #1000.", made("cancel_order", order_id="A-1000")),
    ("a phone number", "Text Hi to +491701234567.", made("send_sms", phone="+491701234567", text="Hi")),
    ("an address", "Write to ana@mail.com.", made("send_email", address="Ana@mail.com", text="Hi")),
    ("a name", "Pay Roberta.", made("pay", recipient="Roberta")),
    ("a text that no tool that is spoken of could tell", "Pay my landlady.", made("pay", recipient="Roberta")),
    ("what a model writes", "Make a note.", made("save_note", text="Buy eggs and milk")),
    ("a text whose numbers were said", "Note: 12 eggs.", made("save_note", text="Buy 12 eggs")),
    ("an optional number", "Pay Roberta.", made("pay", recipient="Roberta", amount=70)),
    ("a truth value, a date, a member", "A table for two.", made("book_table", guests=2, size="large", date="2027-03-05", inside=True)),
    ("no act", "Run it.", made("run_report", amount=70)),
    ("a look-up", "Look it up.", made("get_order", order="A-1000")),
]  # fmt: skip


@pytest.mark.parametrize(("case", "asked", "call"), GIVEN, ids=[case for case, *_ in GIVEN])
def test_what_was_given_is_not_asked_about(case, asked, call):
    """In whatever spelling; nor is what nobody says, what a model writes itself, and what does no act."""
    assert values(asked, call).outcome == "accept"


NOT_YET = [
    ("Text Hi to +49 170 1234567.", made("send_sms", phone="+491701234567", text="Hi"), "accept"),
    ("Cancel Ana's order.", made("cancel_order", order_id="4711"), "ask"),
]  # fmt: skip


@pytest.mark.parametrize(("asked", "call", "expected"), NOT_YET)
def test_digits_are_compared_as_people_write_them(asked, call, expected):
    """Separators do not make another phone number, and an id of four digits is an id."""
    assert values(asked, call).outcome == expected


def test_whoever_gave_it_it_was_given():
    """A system message, a result and an act that was done count as well as the user's words."""
    call = made("refund", amount=49.9)
    talks = [
        [SystemMessage("Refunds are 49.90 euros."), HumanMessage("Refund the kettle.")],
        [HumanMessage("Refund it."), *step("find_order", {"customer": "Ana"}, "It cost 49.9.")],
        [HumanMessage("Refund 49.9."), *step("refund", {"amount": 49.9}, "done"), HumanMessage("And Bob's.")],
    ]  # fmt: skip
    assert [values(talk, call).outcome for talk in talks] == ["accept"] * 3


def list_tables() -> str:
    """List the free tables."""


def book_seats(table_no: int) -> str:
    """Book seats."""


SEATS = read_tools(to_openai_tools([*TELLS, refund, list_tables, book_seats]))
NO_GIVEN = [
    ("from a date and an hour", "Refund the kettle of 2025-05-15 at 18:00.", made("refund", amount=33)),
    ("the number of a table", "Seat Ana Bell at the smallest free table.", made("book_seats", table_no=12)),
]  # fmt: skip


@every_row(("case", "asked", "call"), NO_GIVEN)
def test_a_number_is_not_given_by_chance(case, asked, call):
    """Nothing is calculated from days and hours, and no model knows what number a thing has."""
    assert values([HumanMessage(asked)], call, tools=SEATS, is_small=True).outcome == "ask"


def test_the_first_number_of_a_long_table_was_given():
    """Of thousands of numbers the last ones are kept, and one that is written just so is found."""
    table = step("find_order", {"customer": "Ana"}, str([49.9, *range(1000, 5000)]))
    talk = [HumanMessage("Refund it."), *table]
    assert values(talk, made("refund", amount=49.9)).outcome == "accept"
    assert values(talk, made("refund", amount=49.8)).outcome == "ask"


def test_an_act_is_asked_about_until_every_tool_that_tells_something_was_called():
    """Since the user spoke, once more if it failed or found nothing; those that may tell the number come first, then the others."""
    call, [asked] = made("refund", amount=100), KETTLE
    every = [message for number, name in enumerate(UNTOLD) for message in step(name, {}, "It is blue.", str(number))]  # fmt: skip
    failed = step("get_time", {}, "no connection", "4", status="error")
    assert values([asked, *every[:2]], call).offers == ORDERS[1:]
    assert values([asked, *every[:4]], call).offers == UNTOLD
    assert values([asked, *every[:-2]], call).offers == (*ORDERS, "get_time")
    assert values([asked, *every], call).outcome == "accept"
    for vain in (failed, step("get_time", {}, "[]", "4")):
        assert values([asked, *every[:-2], *vain], call).offers == (*ORDERS, "get_time")
        assert values([asked, *every[:-2], *vain, *vain], call).outcome == "accept"
    assert values([asked, *every, HumanMessage("Do it.")], call).offers == ORDERS


WORKED_OUT = [
    ("a half", "Refund half of it.", "It cost 118.92.", 59.46),
    ("a percentage", "Refund 10 % of it.", "It cost 43.47.", 4.35),
    ("a difference", "Refund it, less the fee.", "Paid 312.40, fee 45.15.", 267.25),
    ("a sum", "Refund both.", "The kettle 64.35, the lamp 18.4.", 82.75),
    ("a product", "Refund all three.", "Each was 23.15.", 69.45),
    ("a half in another language", "Rembourse la moitié.", "138.0 en tout", 69),
    ("the sum of a list", "Refund all fines.", "fines: [1.2, 0.8, 2.5]", 4.5),
    ("a whole number", "Refund what is missing to the full level.", "level 88, there are 19.", 69),
]


@pytest.mark.parametrize(("case", "asked", "told", "amount"), WORKED_OUT, ids=[case for case, *_ in WORKED_OUT])  # fmt: skip
def test_what_follows_from_two_numbers_is_not_made_up(case, asked, told, amount):
    """A small model may work a value out; a round number is made up, even if two others happen to give it."""
    talk = [HumanMessage(asked), *step("find_order", {"customer": "Ana"}, told)]
    assert values(talk, made("refund", amount=amount), is_small=True).outcome == "accept"
    assert values(talk, made("refund", amount=amount + 7.13), is_small=True).outcome == "ask"
    even = [HumanMessage("Refund it."), *step("find_order", {"customer": "Ana"}, "It cost 60 and 40.")]  # fmt: skip
    assert values(even, made("refund", amount=100), is_small=True).outcome == "ask"


def invite(guests: list[str], title: str) -> str:
    """Invite people.

    Args:
        guests: E-mail addresses of the guests.
        title: What the event is called.
    """


def order_dish(dish_code: str) -> str:
    """Order a dish by its code."""


def assign(vehicle_id: str, customer_id: str) -> str:
    """Assign a vehicle to a customer."""


def list_codes() -> str:
    """List the codes of all dishes."""


def find_vehicle(model: str) -> str:
    """Find the id of a vehicle."""


@pytest.mark.parametrize(
    ("case", "asked", "call", "outcome"),
    [
        ("a name for an address", "Invite Omar Bell.", made("invite", guests=["Omar Bell"], title="Demo"), "ask"),
        ("an address", "Invite o@b.co.", made("invite", guests=["o@b.co"], title="Demo"), "accept"),
        ("a word for a code", "Order Tiramisu.", made("order_dish", dish_code="Tiramisu"), "ask"),
        ("a word for a code, in another script", "Order the cheapest.", made("order_dish", dish_code="最低套餐"), "ask"),
        ("a code", "Order D-22.", made("order_dish", dish_code="D-22"), "accept"),
        ("a code in capitals", "Order TIRAMISU.", made("order_dish", dish_code="TIRAMISU"), "accept"),
        ("an id in two arguments", "Assign the SUV to C-6120.", made("assign", vehicle_id="C-6120", customer_id="C-6120"), "ask"),
        ("two ids", "Assign V-7 to C-6120.", made("assign", vehicle_id="V-7", customer_id="C-6120"), "accept"),
    ],
)  # fmt: skip
def test_a_value_in_another_form_than_described_is_looked_up(case, asked, call, outcome):
    """By a small model, while a tool that could tell it was not called."""
    bound = [find_email, find_vehicle, list_codes, invite, order_dish, assign]
    tools = read_tools(to_openai_tools(bound))
    assert values(asked, call, tools=tools, is_small=True).outcome == outcome


def test_a_percentage_is_no_sum():
    """Ten percent of something is not 0.1 euros."""
    found = values("Refund 10 % of the price.", made("refund", amount=0.1), is_small=True)
    assert (found.outcome, found.demands) == ("ask", True)


def test_a_text_is_looked_up_only_by_tools_that_were_not_called():
    """Of those that are spoken of."""
    asked, call = HumanMessage("Pay who made the order."), made("pay", recipient="Roberta")
    told = step("get_order", {"order": "kettle"}, "It is blue.")
    assert values([asked, *told], call).offers == ("find_order",)


def test_without_a_tool_that_tells_something_nothing_is_asked():
    """There is nobody to tell the value."""
    call, tools = made("refund", amount=100), read_tools(to_openai_tools([*ACTS, run_report]))
    assert values("Refund the kettle.", call, tools=tools).outcome == "accept"
    call = made("cancel_order", order_id="A-1000")
    assert ids("Cancel it.", call, tools=tools).outcome == "accept"


MARKED = {"type": "function", "function": {"name": "plan", "description": "A plan.", "parameters": {"type": "object", "properties": {"hours": {"type": "integer"}}, "required": ["hours"]}}}  # fmt: skip


@pytest.mark.parametrize(("mark", "expected"), [(True, "ask"), (False, "accept"), (None, "accept")])
def test_the_author_s_mark_decides_what_an_act_is(mark, expected):
    """By its name it would tell something."""
    marked = MARKED if mark is None else {**MARKED, "acts": mark}
    tools = read_tools(to_openai_tools([marked, get_time]))
    assert values("Plan it.", made("plan", hours=72), tools=tools).outcome == expected


@pytest.mark.parametrize("facts", [{"chosen": True}, {"is_answer": True}])
def test_a_demanded_call_is_not_asked_about(facts):
    """Neither under a forced choice, nor if it is the answer."""
    refund_, cancel = made("refund", amount=100), made("cancel_order", order_id="A-1000")
    assert values("Hi", refund_, **facts).outcome == "accept"
    assert ids("Hi", cancel, **facts).outcome == "accept"


@pytest.mark.parametrize("is_small", [True, False])
def test_only_a_small_model_must_insist_on_the_same_act(is_small):
    """After the question, another act of a small model that is doubted in the same way ends the run."""
    refund_, cancel = made("refund", amount=100), made("cancel_order", order_id="A-1000")
    assert values("Refund it.", refund_, is_small=is_small).must_insist is is_small
    assert ids("Cancel it.", cancel, is_small=is_small).must_insist is is_small


# --- unknown_id ---


def test_the_tool_that_could_tell_an_id_is_offered_even_if_it_was_called():
    """With those that were not called; an act never is, nor the tool itself."""
    call = made("cancel_order", order_id="A-1000")
    found = ids("Cancel Ana's order.", call)
    assert (found.outcome, found.code, found.correction) == ("ask", "unknown_id", "")
    assert (found.offers, found.yields, found.final) == (ORDERS, True, False)
    tools = read_tools(to_openai_tools([find_order, cancel_order, refund, get_time]))
    for result in ("none", "[]"):
        look_up = step("find_order", {"customer": "Bob"}, result)
        talk = [HumanMessage("Cancel Ana's order."), *look_up]
        assert ids(talk, call, tools=tools).offers == ("find_order", "get_time")


ECHOED = [
    ("the result repeats it", "0 matches for 'A-1000'.", "A-1000", "ask"),
    ("the result says nothing of it", "no such order", "A-1000", "ask"),
    ("the result has another", "A-1000 is old, its successor is B-2000.", "B-2000", "accept"),
]


@pytest.mark.parametrize(("case", "result", "id_", "expected"), ECHOED, ids=[case for case, *_ in ECHOED])  # fmt: skip
def test_an_id_that_the_model_only_searched_for_stays_unknown(case, result, id_, expected):
    """A made-up id does not become known by being looked for, nor by a result that repeats it."""
    talk = [HumanMessage("Cancel Ana's order."), *step("find_order", {"customer": "A-1000"}, result)]  # fmt: skip
    call = made("cancel_order", order_id=id_)
    assert ids(talk, call).outcome == expected
    assert values(talk, call).outcome == expected


def test_an_id_that_was_searched_for_after_somebody_gave_it_is_known():
    """The user's words count, whatever the model looked for since."""
    talk = [HumanMessage("Cancel A-1000."), *step("find_order", {"customer": "A-1000"}, "It is A-1000.")]  # fmt: skip
    call = made("cancel_order", order_id="A-1000")
    assert (ids(talk, call).outcome, values(talk, call).outcome) == ("accept", "accept")


def test_an_id_of_an_act_that_was_made_is_known():
    """What the model acted on was let through before."""
    talk = [HumanMessage("Cancel it."), *step("cancel_order", {"order_id": "A-1000"}, "done"), HumanMessage("Tell Ana.")]  # fmt: skip
    assert ids(talk, made("cancel_order", order_id="A-1000")).outcome == "accept"


ADDRESSES = [
    ("Write to Ana.", "ana@example.com", "ask"),
    ("Write to Ana at example.com.", "ana@example.com", "ask"),
    ("Write to ana@example.com.", "ana@example.com", "accept"),
    ("Write to ana@example.com.", "ANA@example.com", "accept"),
    ("Write to ana@example.com.", "anna@example.com", "ask"),
]


@pytest.mark.parametrize(("asked", "address", "expected"), ADDRESSES)
def test_of_an_address_no_part_will_do(asked, address, expected):
    """It was given as a whole, or it was not."""
    found = ids(asked, made("send_email", address=address, text="Hi"))
    assert found.outcome == expected
    assert ("find_email" in found.offers) == (expected == "ask")


TIMES = [
    ("It starts the minute the match is over.", "14:00", False), ("When it is over. 0 matches found.", "14:00", False), ("Remind me on the day it is due.", "2023-04-15", False),
    ("The earliest slot on Friday.", "09:00", False), ("Book it at two.", "14:00", True), ("Tomorrow.", "2026-11-18", True),
    ("Some day in March.", "2027-03-05", True), ("Reserva para ma\u00f1ana por la tarde.", "17:00", True),
]  # fmt: skip


@every_row(("asked", "value", "expected"), TIMES)
def test_a_time_is_given_if_anything_may_stand_for_it(asked, value, expected):
    """A time of day by an hour or a part of the day, a date by a day; in another language that cannot be told."""
    assert Conversation([HumanMessage(asked)]).given().speaks_of_time(value) is expected


# --- what only small models get wrong ---


def described(name, **descriptions):
    """A tool whose arguments are described so."""
    properties = {
        argument: {"type": "string", "description": text} for argument, text in descriptions.items()
    }
    return ToolSpec(name, "", {"properties": properties, "required": [*descriptions]})


FORMS = [
    ("a name for a code that begins otherwise", "customer, C-...", "Ana Bell", "ask"),
    ("a name for a code with a sample", "the customer, such as C-1000", "Ana Bell", "ask"),
    ("one word for a code", "such as C-1000", "Ana", "ask"),
    ("the code", "such as C-1000", "C-4410", "accept"),
    ("the code in small letters", "such as C-1000", "c-4410", "accept"),
    ("the code as the user wrote it", "such as C-1000", "4410", "accept"),
    ("a word for a code with letters for its digits", "customer, C-nnnn", "medium", "ask"),
    ("a word for a code with signs for its digits", "C-####", "medium", "ask"),
    ("a name for a number", "customer number", "Ana Bell", "ask"),
    ("a name for a login", "login of the customer", "Ana Bell", "ask"),
    ("a name where a sample has digits", "seat, such as 12A", "Ana Bell", "ask"),
    ("one word for a sample with digits", "size, such as 42", "medium", "accept"),
    ("the name or the number", "name or number of the customer", "Ana Bell", "accept"),
    ("a number of something", "whose number of orders is counted", "Ana Bell", "accept"),
    ("a date for a sample", "such as 2027-03-05", "tomorrow", "accept"),
    ("nothing is described", "", "Ana Bell", "accept"),
]


@pytest.mark.parametrize("name", ["charge", "run"])  # an act, and what may be repeated
@pytest.mark.parametrize(("case", "description", "value", "expected"), FORMS, ids=[case for case, *_ in FORMS])  # fmt: skip
def test_a_value_has_the_form_that_its_description_asks_for(name, case, description, value, expected):  # fmt: skip
    """A small model that writes a name there has not looked the code up; a larger one is not asked."""
    tools = read_tools(to_openai_tools([find_order]))
    tool = described(name, customer=description)
    talk = Conversation([HumanMessage("Do it for Ana Bell, number 4410, medium, tomorrow.")])
    call = made(name, customer=value)
    facts = CallContext(tool, [tool, *tools], talk, is_small=True)
    found = GivenValues().review(call, facts)
    assert (found.outcome, found.demands) == (expected, expected == "ask")
    assert GivenValues().review(call, CallContext(tool, [tool, *tools], talk)).outcome == "accept"


UNKNOWN_MESSAGES = [
    "Tell Ana how long the trip takes.",
    "Ana forgot which seat she has. Could you text it to her?",
    "They have no clue where the game is, let them know.",
    "Schreib Ana, wann der Zug abfährt.",
    "Dis à Ana combien ça coûte.",
    "Dile a Ana a qué hora sale el tren.",
    "Diga à Ana quanto custa.",
    "Scrivi ad Ana a che ora parte il treno.",
    "Напиши Ане, когда отходит поезд.",
    "告诉安娜火车几点出发。",
    "電車が何時に出るかアナに伝えてください。",
    "기차가 언제 떠나는지 안나에게 알려 주세요.",
    "أخبر آنا متى يغادر القطار.",
    "अन्ना को बताओ ट्रेन कब जाती है, और कितने बजे लिख भेजो।",
]


@every_row("asked", UNKNOWN_MESSAGES)
def test_who_is_told_something_is_told_what_was_looked_up(asked):
    """Until a look-up was made, a small model's message can only be made up: one is demanded."""
    call = made("send_sms", phone="+491701234567", text="It is fine.")
    said = HumanMessage(f"{asked} +491701234567")
    found = values([said], call, is_small=True)
    assert (found.code, found.offers, found.demands) == ("value_not_given", UNTOLD, True)
    told = [said, *step("get_time", {}, "It is late.")]
    assert values(told, call, is_small=True).outcome == "accept"
    assert values([said], call).outcome == "accept"


@pytest.mark.parametrize(
    "asked", ["Text Ana that I am late.", "Find out when she comes, and text Ana: I am late."]
)
def test_a_message_that_the_user_wrote_needs_no_look_up(asked):
    """What stands in the user's words is not made up."""
    call = made("send_sms", phone="+491701234567", text="I am late.")
    assert values(f"{asked} +491701234567", call, is_small=True).outcome == "accept"


ASKING_MESSAGES = [
    ("Text Ana asking whether she still comes.", "Do you still come?"),
    ("Send Ana a text: ask which seat she wants.", "Hi Ana, which seat do you want?"),
    ("Schreib Ana und frag sie, wann sie kommt.", "Wann kommst du?"),
    ("Écris à Ana et demande-lui quand elle arrive.", "Quand arrives-tu ?"),
    ("Escribe a Ana y pregunta cuándo llega.", "¿Cuándo llegas?"),
    ("Escreva à Ana e pergunte quando ela chega.", "Quando você chega?"),
    ("Scrivi ad Ana e chiedi quando arriva.", "Quando arrivi?"),
    ("Напиши Ане и спроси, когда она приедет.", "Когда ты приедешь?"),
    ("给安娜发消息问她几点到。", "你几点到?"),
    ("アナにメッセージを送って、何時に着くか聞いてください。", "何時に着きますか\uff1f"),
    ("안나에게 언제 오는지 물어 봐 주세요, 문자로 보내.", "언제 와요?"),
    ("أرسل إلى آنا واسألها متى تصل.", "متى تصلين؟"),
    ("अन्ना को लिखो और पूछो कि वह कब आएगी, भेज दो।", "तुम कब आओगी?"),
]  # fmt: skip


@every_row(("asked", "text"), ASKING_MESSAGES)
def test_who_is_asked_something_is_told_nothing(asked, text):
    """Nothing is made up by a question; a statement would be."""
    said = f"{asked} +491701234567"
    for message, expected in ((text, "accept"), ("It is fine.", "ask")):
        call = made("send_sms", phone="+491701234567", text=message)
        assert values(said, call, is_small=True).outcome == expected


RETOLD_MESSAGES = [
    ("Text Ana that the shop is closed when it snows.", "The shop stays closed when it snows.", "accept"),
    ("Text Ana that I am late and when the train leaves.", "I am late, the train leaves soon.", "ask"),
    ("Tell Ana I'll call when I land.", "I'll ring you after landing.", "accept"),
    ("Tell Ana not to worry about what Karl said.", "Don't worry about Karl.", "accept"),
    ("Tell Ana I'm late and when the train leaves.", "I'm late, the train leaves soon.", "ask"),
    ("Напиши Ане, что я опоздаю, потому что поезд стоит.", "Я буду позже.", "accept"),
    ("Напиши Ане, что сказал врач.", "Всё хорошо.", "ask"),
    ("Note for Ana: who has the keys, when is the party", "- Who has the keys?\n- When is the party?", "accept"),
    ("Explain to Ana which bin is for what. Blue is paper, green is glass.", "Blue bin: paper. Green bin: glass.", "accept"),
    ("Explain to Ana which bin is for what. Blue is paper.", "Blue bin: paper. Green bin: glass.", "ask"),
    ("Tell Ana how long the trip to Rome takes.", "Ana, the trip to Rome takes long.", "ask"),
    ("Tell Ana how long the trip takes.", "How long does the trip take?", "ask"),
    ("Dile a Ana que llego tarde.", "Voy a llegar tarde.", "accept"),
    ("Dis à Ana que je viens si je peux.", "Je viendrai si possible.", "accept"),
    ("Schreib Ana, dass ich da bin, wo wir waren.", "Ich bin am alten Ort.", "accept"),
    ("Scrivi ad Ana che arrivo quando posso.", "Arrivo appena posso.", "accept"),
    ("Diga à Ana que chego quando puder.", "Chego assim que der.", "accept"),
]  # fmt: skip


@every_row(("asked", "text", "expected"), RETOLD_MESSAGES)
def test_what_the_user_says_is_told_in_other_words(asked, text, expected):
    """A message that the user gives needs no look-up, though a question word stands in it."""
    call = made("send_sms", phone="+491701234567", text=text)
    assert values(f"{asked} +491701234567", call, is_small=True).outcome == expected


TWO_UNITS = [
    ("Refund four pounds twenty.", 4.2, "accept"),
    ("Refund twelve dollars fifty.", 1250, "accept"),
    ("Refund sixty-two dollars and fifteen cents.", 62.15, "accept"),
    ("Refund 3 euros 40.", 3.4, "accept"),
    ("Refund a hundred and five euros thirty.", 105.3, "accept"),
    ("Refund two hundred dollars fifty.", 200.5, "accept"),
    ("Refund a hundred and five.", 105, "accept"),
    ("Refund 1.250,50 to Ana.", 1250.5, "accept"),
    ("Refund 84,65 to Ana.", 84.65, "accept"),
    ("Zahl Ana fünfzig Euro zurück.", 50, "accept"),
    ("Rembourse soixante euros à Ana, s'il te plaît.", 60, "accept"),
    ("给安娜退五十元。", 50, "accept"),
    ("Zahl Ana das Geld zurück, sie ist in Europa.", 50, "ask"),
    ("Refund the euros.", 50, "ask"),
    ("Refund four pounds twenty.", 5.2, "ask"),
    ("Refund four pounds.", 4.2, "ask"),
]


@every_row(("asked", "amount", "expected"), TWO_UNITS)
def test_a_sum_is_said_in_two_units(asked, amount, expected):
    """What stands behind the dollars are cents."""
    assert values(asked, made("refund", amount=amount)).outcome == expected


@pytest.mark.parametrize("asked", ["It took an hour fifty.", "It took 1 hour and 50 minutes."])
def test_a_duration_is_said_in_two_units(asked):
    """What stands behind the hours are minutes."""
    index = Conversation([HumanMessage(asked)]).given()
    assert (index.mentions(110), index.mentions(111)) == (True, False)


def free_tables(date: str) -> str:
    """List the free tables and their times."""


def reserve(time: str) -> str:
    """Reserve a table."""


@pytest.mark.parametrize(
    ("asked", "told", "expected"),
    [
        ("A table on Tuesday night.", [], "ask"),
        ("A table tomorrow evening.", [], "ask"),
        ("A table at 7 pm on Tuesday.", [], "accept"),
        ("A table at noon on Tuesday.", [], "accept"),
        ("A table around 7ish on Tuesday.", [], "accept"),
        ("A table on 2026-11-24, late.", [], "ask"),
        ("A table on Tuesday night.", step("free_tables", {}, "none are free"), "accept"),
        ("A table on Tuesday night.", step("find_guest", {}, '{"weight_kg": 2.15}'), "ask"),
        ("A table on Tuesday night.", step("find_guest", {}, "0 guests found"), "ask"),
        ("A table on Tuesday night.", step("find_guest", {}, "arrives at 18.30"), "accept"),
    ],
)
def test_an_hour_that_a_look_up_could_tell_is_not_guessed(asked, told, expected):
    """A part of the day is no hour; a small model is asked as long as the tool that tells it was not called."""
    tools = read_tools(to_openai_tools([free_tables, reserve]))
    talk = [HumanMessage(asked), *told]
    call = made("reserve", time="19:00")
    assert values(talk, call, tools=tools, is_small=True).outcome == expected
    assert values(talk, call, tools=tools).outcome == "accept"


@pytest.mark.parametrize(
    ("told", "expected"),
    [("sn-44 soil sensor, pl-08 plug", "ask"), ("44 degrees by the sensor", "accept")],
)
def test_nothing_is_calculated_from_the_digits_of_an_id(told, expected):
    """22 is half of 44, and of `sn-44` it is nothing."""
    talk = [HumanMessage("Refund half of it."), *step("find_order", {}, told)]
    assert values(talk, made("refund", amount=22), is_small=True).outcome == expected


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ("68 an hour", "accept"),
        ("68 an hour, 50 in 2024, 20 in 2020", "ask"),
        ("60 an hour", "ask"),
    ],
)
def test_a_round_number_is_a_product_of_few_numbers(told, expected):
    """850 is 12.5 times 68; of many numbers, one gives it by chance."""
    talk = [HumanMessage("Refund 12.5 hours of work."), *step("find_order", {}, told)]
    assert values(talk, made("refund", amount=850), is_small=True).outcome == expected


def test_a_hotel_is_no_telephone():
    """A name may stand in an argument that ends like one for numbers."""
    tool = described("charge", hotel="")
    talk = Conversation([HumanMessage("Charge it to the Hotel Sol.")])
    tools = [tool, *read_tools(to_openai_tools([find_order]))]
    found = GivenValues().review(made("charge", hotel="Hotel Sol"), CallContext(tool, tools, talk, is_small=True))  # fmt: skip
    assert found.outcome == "accept"


def route(distance: float) -> str:
    """Find a route of this length."""


def measure(place: str) -> str:
    """Tell the distance of a place."""


@pytest.mark.parametrize(
    ("asked", "told", "offers"),
    [
        ("A route to the lake.", [], ("measure",)),
        ("A route of 12 km.", [], ()),
        ("A route to the lake.", step("measure", {"place": "lake"}, "far away"), ()),
    ],
)
def test_a_look_up_by_a_number_that_another_one_tells_is_asked_about(asked, told, offers):
    """As long as that one was not called."""
    tools = read_tools(to_openai_tools([route, measure]))
    talk, call = [HumanMessage(asked), *told], made("route", distance=12)
    assert values(talk, call, tools=tools, is_small=True).offers == offers
    assert values(talk, call, tools=tools).offers == ()


def test_one_hit_is_not_a_hundred_euros():
    """A one in a result stands for no sum; as a percentage or in another unit of time it does."""
    talk = [HumanMessage("Charge Ana."), *step("find_order", {"customer": "Ana"}, "1 hit: A-7")]
    assert values(talk, made("refund", amount=100)).outcome == "ask"
    assert values(talk, made("refund", amount=1000)).outcome == "ask"


@pytest.mark.parametrize("asked", ["Zahl Ana das Geld zurück.", "Rembourse Ana, s'il te plaît."])
def test_a_small_sum_in_another_language_is_asked_about(asked):
    """Small numbers may be said in words that are not known, but sums are said in digits."""
    assert values(asked, made("refund", amount=10)).outcome == "ask"
    assert values(f"{asked} 10 Euro", made("refund", amount=10)).outcome == "accept"
