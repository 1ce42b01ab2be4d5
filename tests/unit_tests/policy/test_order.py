"""Which calls of a reply wait for the result of another one, and which do not."""

import pytest
from langchain_core.messages import HumanMessage

from langchain_toolemu.policy import DEFAULT, TRUST, InOrder
from langchain_toolemu.reader.events import BadCall
from tests.unit_tests.policy.talks import call, each, review, rounds, spec
from tests.unit_tests.turn.playing import order, play

TOOLS = [
    spec("find_order", "customer"), spec("find_email", "customer"), spec("get_price", "product"),
    spec("cancel_order", "order_id"), spec("send_mail", "address", "body"), spec("pay", "amount",
        "receiver"),
    spec("save_note", "title", "text"), spec("Warmth", "degrees", "city"), spec("verdict",
        "degrees", "city"),
]  # fmt: skip
ORDER, PRICE = call("find_order", customer="Ana"), call("get_price", product="tea")
BROKEN = BadCall("find_order", '{"customer": ', "json", True, "cut", "cut off")
PAID, PAY = call("pay", amount=30, receiver="Bob"), call("pay", amount=85, receiver="Bob")
MAIL = call("send_mail", address="ana@mail.com", body="Hi")
ID, NOTE = call("cancel_order", order_id="A-7731"), call("save_note", title="Ana", text="Done.")
CANCEL, TEA = "Cancel Ana's order.", "Pay Bob for the tea."


def answered(result, *more):
    return [HumanMessage(CANCEL), *rounds((ORDER, result)), *more]


TABLE = [
    # the case, the user's words, the calls before it, the call, waits in default, in careful
    ("an id that nobody gave", CANCEL, [ORDER], ID, True, True),
    ("an id that the user gave", "Cancel A-7731.", [ORDER], ID, False, False),
    ("an id that is a number", CANCEL, [ORDER], call("cancel_order", order_id=47110), True, True),
    ("an address that nobody gave", "Write to Ana.", [ORDER], MAIL, True, True),
    ("an address that the user gave", "Say Hi to ana@mail.com.", [ORDER], MAIL, False, False),
    ("a placeholder", CANCEL, [ORDER], call("cancel_order", order_id="<order_id>"), True, True),
    ("a placeholder in a text", CANCEL, [ORDER], call("save_note", title="Ana", text="{{order}}"),
        True, True),
    ("a placeholder that the user wrote", "Cancel <order_id>.", [ORDER], call("cancel_order",
        order_id="<order_id>"), False, False),
    ("a number that nobody gave", TEA, [PRICE], PAY, False, True),
    ("a text that nobody gave", TEA, [PRICE], call("pay", amount=1, receiver="Robert"), False,
        True),
    ("a text that the user gave", "Pay Robert.", [PRICE], call("pay", amount=1, receiver="Robert"),
        False, False),
    ("a text of the model's own", TEA, [PRICE], NOTE, False, False),
    ("a look-up's number", "Is tea cheap?", [ORDER], call("get_price", product="white tea"), False,
        True),
    ("beside nothing", CANCEL, [], ID, False, False),
    ("beside one of the same tool", TEA, [PAID], PAY, False, False),
    ("beside an act", CANCEL, [MAIL], ID, True, True),
    ("beside one that could not be read", CANCEL, [BROKEN], ID, True, True),
    ("after the result", answered("nothing"), [ORDER], ID, False, False),
    ("after another result", answered("nothing"), [call("find_order", customer="Bob")], ID, True,
        True),
    ("after a failure", answered(ValueError("offline")), [ORDER], ID, True, True),
    ("after two failures", [*answered("Error: offline"), *answered("Error: offline")[1:]], [ORDER],
        ID, False, False),
    ("after a result to an earlier question", answered("nothing", HumanMessage(CANCEL)), [ORDER],
        ID, True, True),
]  # fmt: skip


def waits(check, made, asked, beside, **facts):
    said = [asked] if isinstance(asked, str) else asked
    found = review(check, made, TOOLS, *said, beside=beside, **facts)
    assert (found.outcome, found.code) in {("accept", ""), ("hold_back", "out_of_order")}
    return found.outcome == "hold_back"


@each("asked beside made default careful", TABLE)
def test_what_waits_beside_another_call(asked, beside, made, default, careful):
    """Held back without a question, and not with the caller's `parallel_tool_calls=True`."""
    assert waits(InOrder(), made, asked, beside) == default
    assert waits(InOrder(careful=True), made, asked, beside) == careful
    assert waits(InOrder(careful=True), made, asked, beside, parallel=False) == careful
    assert not waits(InOrder(careful=True), made, asked, beside, parallel=True)


@pytest.mark.parametrize("careful", [False, True])
def test_an_act_after_a_waiting_call_waits_too(careful):
    """Whatever its values are; a look-up does not."""
    facts = {"beside": [ORDER, ID], "follows_waiting": True}
    check, asked = InOrder(careful=careful), "Cancel Ana's order and note it: Ana. Tea?"
    assert waits(check, NOTE, asked, **facts)
    assert not waits(check, PRICE, asked, **facts)
    assert not waits(check, NOTE, asked, beside=[ORDER, ID])


@pytest.mark.parametrize(
    ("form", "facts"),
    [("Warmth", {"is_answer": True}), ("Warmth", {"forced": True})],
)
def test_an_answer_in_a_form_beside_a_look_up_waits(form, facts):
    """Its numbers are made up, by any model; what was said is not."""
    made = call(form, degrees=21.5, city="Paris")
    assert waits(InOrder(), made, "How warm is it in Paris?", [PRICE], **facts)
    assert not waits(InOrder(), made, "It is 21.5 in Paris.", [PRICE], **facts)
    assert not waits(InOrder(), made, "How warm is it in Paris?", [], **facts)


PAIR = """{"name": "find_order", "arguments": {"customer": "Ana"}}
{"name": "cancel_order", "arguments": {"order_id": "A-7731"}}"""
BOUND = [
    {"type": "function", "function": {"name": one.name, "parameters": one.parameters}}
    for one in TOOLS
]


@pytest.mark.parametrize("size", [None, 1, 7])
def test_in_a_turn_the_other_call_is_made_and_nothing_is_asked(size):
    """In whatever pieces the reply comes; what waits is in the report."""

    def made(text=CANCEL, policy=DEFAULT, **facts):
        one = play(PAIR, order=order(text, tools=BOUND, **facts), size=size, policy=policy)
        assert len(one.requests) == 1
        doubted = [doubt["reason"] for doubt in one.report["doubted"]]
        return [call["name"] for call in one.message.tool_calls], doubted

    reason = "out_of_order: order_id needs the result of an earlier call"
    both = (["find_order", "cancel_order"], [])
    assert made() == (["find_order"], [reason])
    assert [made(policy=TRUST), made(parallel=True), made("Cancel A-7731.")] == [both] * 3
