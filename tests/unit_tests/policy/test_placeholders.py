"""Which values only say where a value should come from."""

import pytest

from langchain_toolemu.policy import NotPlaceholder
from tests.unit_tests.policy.talks import call, each, review, rounds, spec, verdict

FIND = spec("find_order", about="Find the id of an order.")
OBJECTS = spec("look_up_weather", about="The weather.")
FORMS = [
    # the form, an argument, the placeholder, and a value like it
    ("angles", "order_id", "<the id>", "a < b > c"),
    ("angles in another script", "order_id", "<订单号>", "</b>"),
    ("a tag with more after it", "order_id", "<order_id>", "<b>bold</b> text"),
    ("braces", "order_id", "{order_id}", '{"a": 1}'),
    ("two braces", "order_id", "{{find_order.result[0].id}}", "{{1}}"),
    ("a dollar", "order_id", "$order_id", "$5"),
    ("a dollar and braces", "order_id", "${result}", "${5}"),
    ("brackets with a word of the argument", "order_id", "[order id]", "[1, 2, 3]"),
    ("brackets with other words", "receiver", "[result of find_order]", "[a, b]"),
    ("a tool's name", "receiver", "result of find_order", "finder of orders"),
    ("capitals that are the argument's name", "order_id", "ORDER_ID", "ORDER_7"),
    ("capitals that say more", "role", "ROLE", "ROLE_EDITOR"),
    ("what is yours", "order_id", "your_order_id", "yours"),
    ("what is yours, in capitals", "order_id", "YOUR-ORDER-ID", "YOURS-1"),
    ("deep in an object", "orders", [{"id": "<order_id>"}], [{"id": "A-1"}]),
    ("spaces around it", "order_id", " <order_id> ", " A-1 "),
    ("short words", "order_id", "<id>", "TBD"),
]


def judged(value, argument="order_id", said="Cancel it.", schema=None, *, careful=False, **facts):
    act = spec("cancel", argument, **({argument: schema} if schema else {}))
    check, made = NotPlaceholder(careful=careful), call("cancel", **{argument: value})
    return review(check, made, [act, FIND, OBJECTS], said, **facts)


@each("argument placeholder value", FORMS)
@pytest.mark.parametrize("careful", [False, True])
def test_a_placeholder_is_never_made(argument, placeholder, value, careful):
    """It is asked about, finally; a value that only looks like it is made."""
    found = judged(placeholder, argument, careful=careful)
    assert (verdict(found), found.code, found.yields) == ("refuse", "placeholder", True)
    assert verdict(judged(value, argument, careful=careful)) == "accept"


TEXTS = [
    ("nothing but brackets", "message", "[insert code here]", "Your code is [insert code here]."),
    ("nothing but a tag", "file_content", "<html>", "<html></html>"),
    ("a tool's name is no gap", "query", "{{total}}", "how find_order works"),
    ("under a key of its own", "files", [{"content": "{{total}}"}], [{"content": "total"}]),
]  # fmt: skip


@each("argument gap text", TEXTS)
def test_in_a_text_of_its_own_the_model_may_insist(argument, gap, text):
    """A page may begin with a tag, and a template has gaps; other texts are not asked about."""
    assert verdict(judged(gap, argument)) == "ask"
    assert verdict(judged(text, argument)) == "accept"
    assert verdict(judged(gap, argument, is_answer=True)) == "accept"
    assert verdict(judged("<order_id>", is_answer=True)) == "refuse"


@pytest.mark.parametrize("value", ["<order_id>", "ORDER_ID", "${result}"])
def test_what_somebody_wrote_or_a_schema_offers_is_a_value(value):
    """Whatever it looks like."""
    assert verdict(judged(value, said=f"Replace it by {value}, please.")) == "accept"
    assert verdict(judged(value, schema={"enum": [value, "x"]})) == "accept"
    assert verdict(judged(value, schema={"anyOf": [{"const": value}]})) == "accept"
    assert verdict(judged(value, schema={"enum": ["x"]})) == "refuse"


def test_what_only_the_model_wrote_stays_a_placeholder():
    """It does not become a value by an earlier call with it."""
    made = call("cancel", order_id="<order_id>")
    said = ["Cancel it.", *rounds((made, ValueError("unknown")))]
    assert (
        verdict(review(NotPlaceholder(), made, [spec("cancel", "order_id"), FIND], *said))
        == "refuse"
    )


def test_a_small_model_is_offered_the_look_up_first():
    """One that could tell the value, and was not called; else it is told, as a larger model is."""
    plain, careful = judged("<order_id>"), judged("<order_id>", careful=True)
    assert (plain.offers, plain.demands, bool(plain.correction)) == ((), False, True)
    assert (careful.offers, careful.demands, careful.correction) == (("find_order",), True, "")
    assert judged("<degrees>", "degrees", careful=True).offers == ()
    talk = rounds((call("find_order"), "none"))
    check, made = NotPlaceholder(careful=True), call("cancel", order_id="<order_id>")
    found = review(check, made, [spec("cancel", "order_id"), FIND], "Cancel it.", *talk)
    assert (verdict(found), found.offers) == ("refuse", ())
