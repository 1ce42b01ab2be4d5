"""Which values of a call somebody must have given, and values out of our own examples."""

import pytest

from langchain_toolemu.policy import InOrder, NotCopied
from tests.unit_tests.policy.talks import call, each, review, spec, verdict

FIND = spec("find_order", "customer")
OFFERED = {
    "enum": {"enum": ["ultra", "mega"]},
    "const": {"anyOf": [{"const": "ultra"}]},
    "default": {"type": "string", "default": "ultra"},
    "examples": {"items": {"examples": ["ultra"]}},
}
LOOKED_AT = [
    ("a number", "amount", 12.5, True),
    ("one, which nobody says", "amount", 1, False),
    ("none", "amount", 0, False),
    ("yes", "amount", True, False),
    ("nothing", "amount", None, False),
    ("a short text", "receiver", "Bob", False),
    ("a longer one", "receiver", "Bobby", True),
    ("a very long one", "receiver", "Bobby " * 12, False),
    ("a date", "day", "2027-03-05", False),
    ("a time of a day", "since", "2027-03-05T18:30:00Z", False),
    ("a text of the model's own", "message", "It is late.", False),
    ("a figure in such a text", "message", "It is 85 euros.", True),
    ("its key for such a text", "fileContent", "It is late.", False),
    ("a short id", "order_id", "A-1", True),
    ("an id in camel case", "orderId", "A-1", True),
    ("an address with few letters", "email", "a@b", True),
    ("an id, even if it is called a key", "key_id", "latest", True),
    ("a value in a list", "receiver", ["Bobby"], True),
    ("a value under a key of its own", "request", {"amount": 85}, True),
    ("a text under a key of its own", "receiver", {"note": "It is late."}, False),
    ("what stands in the user's words", "receiver", "Robert", False),
]


@each("argument value counts", LOOKED_AT)
def test_which_values_are_looked_at(argument, value, counts):
    """Required numbers, ids and short texts, at any depth; not what a model writes itself."""
    act = spec("pay", argument)
    made, beside = call("pay", **{argument: value}), [call("find_order", customer="Ana")]
    found = review(InOrder(careful=True), made, [FIND, act], "Pay Robert.", beside=beside)
    assert (found.outcome == "hold_back") == counts


def test_an_optional_value_is_not_looked_at():
    """What need not be given need not stand anywhere."""
    act = spec("pay", "receiver")
    made = call("pay", receiver="Robert", amount=85)
    beside = [call("find_order", customer="Ana")]
    found = review(InOrder(careful=True), made, [FIND, act], "Pay Robert.", beside=beside)
    assert found.outcome == "accept"


@pytest.mark.parametrize("schema", OFFERED.values(), ids=OFFERED)
def test_what_the_schema_offers_is_not_looked_at(schema):
    """A member, a constant, a default, an example; another value is."""
    act, beside = spec("pay", "level", level=schema), [call("find_order", customer="Ana")]
    found = [
        review(InOrder(careful=True), call("pay", level=level), [FIND, act], "Pay.", beside=beside)
        for level in ("ultra", "giga!")
    ]
    assert [one.outcome for one in found] == ["accept", "hold_back"]


CITY = spec("get_weather", "city", "days")
COPIED = [
    ("a word of the examples", {"city": "Zorbel"}, "Weather?", True, "refuse"),
    ("the same in a longer text", {"city": "Zorbel Falls"}, "Weather?", True, "refuse"),
    ("it was mentioned", {"city": "Zorbel"}, "Weather in Zorbel?", True, "accept"),
    ("no examples were shown", {"city": "Zorbel"}, "Weather?", False, "accept"),
    ("a number of the examples", {"days": 4173}, "Weather?", True, "refuse"),
    ("it was said in another way", {"days": 4173}, "The next 4,173 days?", True, "accept"),
    ("in a text of the model's own", {"city": "Zorbel " + "word " * 150}, "?", True, "accept"),
    ("another value", {"city": "Paris"}, "Weather?", True, "accept"),
]


@each("args asked shows expected", COPIED)
def test_a_value_of_our_own_examples_is_never_made(args, asked, shows, expected):
    """Unless somebody mentioned it, or the model saw no examples."""
    found = review(NotCopied(), call("get_weather", **args), [CITY], asked, shows_examples=shows)
    assert verdict(found) == expected
    assert found.code == ("copied_value" if expected == "refuse" else "")
