"""Which calls of a reply wait for the result of another one, and which do not."""

from typing import Literal

import pytest
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage

from langchain_toolemu.policy import DEFAULT, TRUST, CallContext, Conversation, InOrder
from langchain_toolemu.reader.events import BadCall, Call
from langchain_toolemu.tools import read_tools, to_openai_tools
from tests.tables import every_row
from tests.unit_tests.turn.playing import called, order, play


def find_order(customer: str) -> str:
    """Find the id of a customer's latest order."""


def find_user(name: str) -> str:
    """Find the id of a user."""


def find_email(customer: str) -> str:
    """Find the email address of a customer."""


def get_price(product: str) -> str:
    """Get the price of a product."""


def get_page(site: str) -> str:
    """Get the page of a site."""


def cancel_order(order_id: str) -> str:
    """Cancel an order by its id."""


def message_user(user_id: int, text: str) -> str:
    """Send a message to a user."""


def send_email(address: str, text: str) -> str:
    """Send an email to an address."""


def pay(amount: float, receiver: str) -> str:
    """Pay an amount."""


def transfer_points(source: int, target: int) -> str:
    """Transfer points."""


def save_note(title: str, text: str) -> str:
    """Save a note under a title."""


def set_light(level: Literal["low", "high"], on: bool, lamps: int, since: str) -> str:
    """Set the light."""


def book_table(guests: int, restaurant: str, note: str = "") -> str:
    """Book a table."""


def sleep_timer(minutes: int) -> str:
    """Stop the music after some minutes."""


def Warmth(degrees: float, city: str) -> str:  # noqa: N802 - the schema of an answer
    """The answer's form."""


def Forecast(degrees: float, city: str) -> str:  # noqa: N802 - the same
    """The answer's form."""


BOUND = [
    find_order, find_user, find_email, get_price, get_page, cancel_order, message_user, send_email, pay, transfer_points,
    save_note, set_light, book_table, sleep_timer, Warmth, Forecast,
]  # fmt: skip
TOOLS = read_tools(to_openai_tools(BOUND))


def made(name, /, **args):
    return Call(name, args, "{call}", "json", explicit=False)


def review(asked, call, *beside, **facts):
    talk = Conversation([HumanMessage(asked)] if isinstance(asked, str) else asked)
    context = CallContext(TOOLS.exact(call.name), TOOLS.specs, talk, beside=beside, **facts)
    return InOrder().review(call, context)


def waits(asked, call, *beside, **facts):
    found = review(asked, call, *beside, **facts)
    assert (found.outcome, found.code) in {("accept", ""), ("hold_back", "out_of_order")}
    return found.outcome == "hold_back"


ORDER, USER = made("find_order", customer="Ana"), made("find_user", name="Ana")
PRICE, PAGE = made("get_price", product="tea"), made("get_page", site="news")
MAIL = made("find_email", customer="Ana")
CANCEL, WRITE = "Cancel Ana's order.", "Write to Ana."
IDS_AND_PLACEHOLDERS = [
    (CANCEL, ORDER, made("cancel_order", order_id="12345")),
    (CANCEL, ORDER, made("cancel_order", order_id="A-1")),
    (CANCEL, ORDER, made("cancel_order", order_id="newest")),
    (CANCEL, ORDER, made("cancel_order", order_id="<order_id>")),
    (CANCEL, ORDER, made("cancel_order", order_id="{{order_id}}")),
    (CANCEL, ORDER, made("cancel_order", order_id="result of find_order")),
    (CANCEL, ORDER, made("cancel_order", order_id="TBD")),
    (CANCEL, ORDER, made("cancel_order", order_id="N/A")),
    (CANCEL, ORDER, made("cancel_order", order_id="...")),
    (CANCEL, ORDER, made("cancel_order", order_id="PLACEHOLDER")),
    (CANCEL, ORDER, made("cancel_order", order_id="ORDER_ID")),
    (WRITE, USER, made("message_user", user_id=1, text="Hi")),
    (WRITE, USER, made("message_user", user_id=47110, text="Hi")),
    (WRITE, MAIL, made("send_email", address="ana@example.com", text="Hi")),
    (WRITE, MAIL, made("send_email", address="Ana's address", text="Hi")),
    ("Note the price of tea.", PRICE, made("save_note", title="Tea", text="<result>")),
]


@pytest.mark.parametrize(("asked", "beside", "call"), IDS_AND_PLACEHOLDERS)
@pytest.mark.parametrize("is_small", [True, False])
def test_ids_and_placeholders_wait_for_any_model(asked, beside, call, is_small):
    """Held back without a question, unless the call stands alone or several calls at once are wanted."""
    facts = {"is_small": is_small}
    assert waits(asked, call, beside, **facts)
    assert waits(asked, call, beside, **facts, parallel=False)
    assert waits(asked, call, beside, **facts, forced=True)
    assert not waits(asked, call, beside, **facts, parallel=True)
    assert not waits(asked, call, **facts)


@pytest.mark.parametrize("number", [4711, "4711"])
def test_an_id_of_four_digits_waits(number):
    """It is no year where the argument is called an id."""
    call = made("message_user", user_id=number, text="Hi")
    assert waits(WRITE, call, USER, is_small=False)


LONG = "Dear Ana, the tea that you asked for is here and it costs {} euros, all in all. Yours"
TEA = "Pay Bob for the tea."
NUMBERS_AND_TEXTS = [
    (TEA, PRICE, made("pay", amount=12.5, receiver="Bob")),
    (TEA, PRICE, made("pay", amount=5, receiver="Bob")),
    ("Move the points of account 7.", PRICE, made("transfer_points", source=7, target=7)),
    ("Pay the seller for 5 teas.", PRICE, made("pay", amount=5, receiver="Bob")),
    ("Note the price of tea.", PRICE, made("save_note", title="tea", text="It is cheap.")),
    ("Note the page.", PAGE, made("save_note", title="page", text="the contents of the page")),
    ("Note the contents of the page.", PAGE, made("save_note", title="page", text="the contents")),
    ("Note the page.", PAGE, made("save_note", title="page", text="its contents")),
    ("Tell Ana at a@b.c.", PRICE, made("send_email", address="a@b.c", text=LONG.format(12))),
    ("Stop the music when the film ends.", PAGE, made("sleep_timer", minutes=18)),
]


@every_row(("asked", "beside", "call"), NUMBERS_AND_TEXTS)
def test_numbers_and_short_texts_wait_for_small_models(asked, beside, call):
    """Small models make up what a look-up beside the call would tell; larger ones compute and write."""
    assert waits(asked, call, beside, is_small=True)
    assert not waits(asked, call, beside, is_small=False)
    assert not waits(asked, call, beside, is_small=True, parallel=True)
    assert not waits(asked, call, is_small=True)


GIVEN = [
    ("an id that was given", "Cancel order A-7731 of Ana.", ORDER, made("cancel_order", order_id="A-7731")),
    ("a number as an id that was given", "Write Hi to user 1.", USER, made("message_user", user_id=1, text="Hi")),
    ("an address that was given", "Write Hi to ana@example.com.", MAIL, made("send_email", address="ana@example.com", text="Hi")),
    ("a number that was said", "Pay Bob 12.50 for the tea.", PRICE, made("pay", amount=12.5, receiver="Bob")),
    ("a number in words", "Pay Bob twelve euros.", PRICE, made("pay", amount=12, receiver="Bob")),
    ("none", TEA, PRICE, made("pay", amount=0, receiver="Bob")),
    ("one", TEA, PRICE, made("pay", amount=1, receiver="Bob")),
    ("one twice", "Points.", PRICE, made("transfer_points", source=1, target=1)),
    ("a number that was said twice", "Move points from 7 to 7.", PRICE, made("transfer_points", source=7, target=7)),
    ("two numbers", "Move points from 7 to 8.", PRICE, made("transfer_points", source=7, target=8)),
    (
        "a truth value, a date and what the schema offers",
        "Tea, and two lamps since yesterday.",
        PRICE,
        made("set_light", level="high", on=True, lamps=2, since="2027-03-05"),
    ),
    ("a time", "Tea, and two lamps.", PRICE, made("set_light", level="low", on=False, lamps=2, since="18:30")),
    ("a text of several sentences", "Tell Ana at a@b.c.", PRICE, made("send_email", address="a@b.c", text=LONG.format("many"))),
    ("one whose numbers were said", "Tell Ana at a@b.c: 12.", PRICE, made("send_email", address="a@b.c", text=LONG.format(12))),
    ("an optional argument", "Book for 4 at Roma.", PRICE, made("book_table", guests=4, restaurant="Roma", note="By 7")),
    ("an id that the other tool cannot tell", "Cancel order 5.", PRICE, made("cancel_order", order_id="5")),
]  # fmt: skip


@pytest.mark.parametrize(("case", "asked", "beside", "call"), GIVEN, ids=[case for case, *_ in GIVEN])  # fmt: skip
def test_what_was_given_does_not_wait(case, asked, beside, call):
    """Nor do numbers that nobody says, truth values, dates, what the schema offers, and what a model writes itself."""
    assert not waits(asked, call, beside, is_small=True)


def test_a_larger_model_may_spell_an_id_in_its_own_way():
    """The digits were given; of a small model the very words count."""
    asked, call = "Cancel order 7731 of Ana.", made("cancel_order", order_id="A-7731")
    assert not waits(asked, call, ORDER, is_small=False)
    assert waits(asked, call, ORDER, is_small=True)


def test_a_call_does_not_wait_for_one_of_its_own_tool():
    """Two payments are two payments, however their values came about."""
    first, second = (made("pay", amount=amount, receiver="Bob") for amount in (12, 30))
    assert not waits(TEA, second, first, is_small=True)
    assert waits(TEA, second, PRICE, first, is_small=True)


def test_numbers_and_texts_wait_only_for_tools_that_tell_something():
    """An act beside the call, or a tool that may be repeated, has no result that they could come from."""
    act = made("cancel_order", order_id="A-1")
    assert not waits(TEA, made("pay", amount=12, receiver="Bob"), act, is_small=True)


def looked_up(result, status="success"):
    call = {"name": ORDER.name, "args": ORDER.args, "id": "1"}
    told = ToolMessage(result, tool_call_id="1", status=status)
    return [HumanMessage(CANCEL), AIMessage("", tool_calls=[call]), told]


ANSWERED = [
    ("answered", looked_up("nothing known"), False),
    ("answered, before the user spoke again", [*looked_up("nothing"), HumanMessage(CANCEL)], True),
    ("failed", looked_up("no connection", "error"), True),
    ("failed in words", looked_up("Error: no connection"), True),
    ("not answered yet", looked_up("nothing")[:2], True),
]


@pytest.mark.parametrize(("case", "talk", "expected"), ANSWERED, ids=[case for case, *_ in ANSWERED])  # fmt: skip
def test_a_look_up_that_was_answered_is_not_waited_for(case, talk, expected):
    """A model that writes look-up and act each time would wait for ever."""
    call = made("cancel_order", order_id="12345")
    assert waits(talk, call, ORDER) is expected
    assert waits(talk, call, made("find_order", customer="Bob"))


GIVEN_CALL = made("save_note", title="Ana", text="order")


@pytest.mark.parametrize("is_small", [True, False])
def test_an_act_after_a_waiting_call_waits_too(is_small):
    """Whatever its values are; a look-up does not."""
    asked = "Cancel Ana's order and note it: order of Ana. Tea?"
    waiting = made("cancel_order", order_id="12345")
    facts = {"is_small": is_small, "follows_waiting": True}
    assert waits(asked, GIVEN_CALL, ORDER, waiting, **facts)
    assert not waits(asked, GIVEN_CALL, ORDER, waiting, is_small=is_small)
    assert not waits(asked, PRICE, ORDER, waiting, **facts)
    assert not waits(asked, GIVEN_CALL, ORDER, waiting, **facts, parallel=True)


def test_a_call_that_could_not_be_read_is_waited_for():
    """Whatever became of the look-up: its result is not there."""
    broken = BadCall("find_order", '{"customer": ', "json", True, "cut", "cut off")
    assert waits(CANCEL, made("cancel_order", order_id="12345"), broken)


ANSWERS = [
    ("Warmth", {"is_answer": True}),
    ("Warmth", {"forced": True}),
    ("Forecast", {"is_answer": True}),
    ("Forecast", {"forced": True}),
]  # fmt: skip


@pytest.mark.parametrize(("form", "facts"), ANSWERS)
def test_an_answer_beside_a_look_up_waits(form, facts):
    """In an answer that is given with a look-up, a large model's numbers are made up, too; what was said is not."""
    asked, answer = "How warm is it in Paris?", made(form, degrees=21.5, city="Paris")
    assert waits(asked, answer, PRICE, is_small=False, **facts)
    assert not waits("It is 21.5 in Paris.", answer, PRICE, is_small=False, **facts)
    assert not waits(asked, answer, is_small=False, **facts)
    assert not waits(asked, answer, PRICE, is_small=False, parallel=True, **facts)


def test_the_reason_names_the_argument():
    """The report tells what needs the result."""
    found = review(CANCEL, made("cancel_order", order_id="12345"), ORDER)
    assert str(found) == "out_of_order: order_id needs the result of an earlier call"
    assert found.final


# --- in a turn ---

FIND = '{"name": "find_order", "arguments": {"customer": "Ana"}}'
ACT = '{"name": "cancel_order", "arguments": {"order_id": "A-1"}}'
PAIR = f"{FIND}\n{ACT}"
SIZES = (None, 1, 7)


def played(*replies, text=CANCEL, size=None, tools=(find_order, cancel_order), **facts):
    settings = {key: facts.pop(key) for key in ("policy", "is_small") if key in facts}
    asked = order(text, tools=tools, **facts)
    return play(*replies, order=asked, size=size, **{"policy": DEFAULT, **settings})


def names(one):
    return [call["name"] for call in one.message.tool_calls]


@pytest.mark.parametrize("size", SIZES)
def test_in_a_turn_the_other_call_is_made_and_nothing_is_asked(size):
    """One request; what waits is in the report, and not among the invalid calls."""
    one = played(PAIR, size=size)
    assert (names(one), len(one.requests)) == (["find_order"], 1)
    assert one.message.invalid_tool_calls == []
    [doubt] = one.report["doubted"]
    assert (doubt["name"], doubt["args"], doubt["made"]) == ("cancel_order", {"order_id": "A-1"}, False)  # fmt: skip
    assert doubt["reason"].startswith("out_of_order: ")
    assert names(played(PAIR, size=size, parallel=True)) == ["find_order", "cancel_order"]
    assert names(played(PAIR, size=size, policy=TRUST)) == ["find_order", "cancel_order"]


@pytest.mark.parametrize("size", SIZES)
def test_what_the_caller_does_not_want_is_not_waited_for(size):
    """Neither a call of another tool than the demanded one, nor one beside which only a single call is wanted."""
    demanded = played(PAIR, size=size, choice="cancel_order")
    assert names(demanded) == ["cancel_order"]
    single = played(PAIR, size=size, parallel=False)
    assert names(single) == ["find_order"]
    assert not any("out_of_order" in one["reason"] for one in demanded.report["doubted"])


@pytest.mark.parametrize("size", SIZES)
def test_after_the_result_the_same_reply_is_acted_on(size):
    """The look-up may be written again beside the act; it was answered, so nothing waits."""
    talk = called(CANCEL, ("find_order", {"customer": "Ana"}, "A-1"))
    assert "cancel_order" in names(played(PAIR, text=talk, size=size))


@pytest.mark.parametrize("size", SIZES)
def test_all_acts_behind_a_waiting_call_wait(size):
    """In whatever pieces the reply comes; a further look-up is made."""
    further = '{"name": "save_note", "arguments": {"title": "Ana", "text": "order"}}'
    price = '{"name": "get_price", "arguments": {"product": "tea"}}'
    tools = (find_order, cancel_order, save_note, get_price)
    text = "Cancel Ana's order, save the note Ana: order, and tell me the price of tea."
    one = played("\n".join([FIND, ACT, further, price]), text=text, tools=tools, size=size)
    assert names(one) == ["find_order", "get_price"]
    assert [doubt["name"] for doubt in one.report["doubted"]] == ["cancel_order", "save_note"]
