"""Policies made of checks, and which one a model gets."""

from dataclasses import dataclass

import pytest
from langchain_core.messages import HumanMessage

from langchain_toolemu.policy import (
    CAREFUL,
    DEFAULT,
    STRICT,
    TRUST,
    CallContext,
    CallPolicy,
    Checks,
    Conversation,
    NotRepeated,
    Review,
    resolve_policy,
)
from langchain_toolemu.reader.events import Call
from langchain_toolemu.tools import ToolSpec
from tests.tables import every_row

TOOL = ToolSpec("get_weather", "", {"properties": {"city": {}}, "required": ["city"]})


@dataclass(frozen=True)
class Says:
    """A check that always says the same."""

    said: Review

    def review(self, call, context):
        return self.said


ASK, HOLD = Review.ask("why", "Why?"), Review.hold_back("never")


def review(policy, city="Rome"):
    context = CallContext(TOOL, [TOOL], Conversation([HumanMessage("Hello!")]), shows_examples=True)
    return policy.review(Call("get_weather", {"city": city}, "", "json", False), context)


def test_the_first_check_that_does_not_accept_decides():
    """In the order in which they were given, also where policies are added."""
    accept = Says(Review.accept())
    assert review(Checks(accept, Says(HOLD), Says(ASK))) == HOLD
    assert review(Checks(accept) + Checks(Says(ASK), Says(HOLD))) == ASK
    assert review(Checks(accept)).outcome == "accept"


def test_final_checks_are_not_overruled():
    """What was asked about is final then; what is held back stays so."""
    assert review(Checks(Says(ASK)).final()).final
    assert review(Checks(Says(HOLD)).final()) == HOLD
    assert review(Checks() + Checks(Says(ASK)).final()).final


@pytest.mark.parametrize(
    ("policy", "copied", "invented"),
    [(TRUST, "accept", "accept"), (DEFAULT, "ask", "accept"), (CAREFUL, "ask", "ask"), (STRICT, "ask", "ask")],
)  # fmt: skip
def test_what_the_named_policies_doubt(policy, copied, invented):
    """A value of the examples is final in all but trust; one that nobody gave may be insisted on, save in strict."""
    example, other = review(policy, "Zorbel Falls"), review(policy)
    assert (example.outcome, other.outcome) == (copied, invented)
    assert example.final == (copied == "ask")
    assert other.final == (policy is STRICT)


@every_row(
    ("billions", "name", "asks_ids"),
    [(0.135, "careful", True), (0.99, "careful", True), (1.0, "default for small models", True), (3.9, "default for small models", True), (4.0, "default", False), (None, "default", False)],
)  # fmt: skip
def test_auto_follows_the_size(billions, name, asks_ids):
    """Careful below a billion parameters, with ids below four, and the default where the size is not known."""
    found, policy = resolve_policy("auto", billions)
    assert found == name
    assert ("KnownIds" in repr(policy)) == asks_ids


def test_a_policy_has_a_name():
    """That of the constant, or of its class."""
    assert resolve_policy("strict", 0.5) == ("strict", STRICT)
    assert resolve_policy(CAREFUL, None) == ("careful", CAREFUL)
    assert resolve_policy(Says(ASK), None)[0] == "Says"
    assert isinstance(Says(ASK), CallPolicy)


def test_only_built_in_checks_let_long_texts_stream():
    """Nothing is known of what a check of one's own looks at."""
    assert STRICT.ignores_long_texts
    assert not (DEFAULT + Checks(Says(ASK))).ignores_long_texts
    assert not Checks(type("Own", (NotRepeated,), {})()).ignores_long_texts


SEARCH = ToolSpec("search_files", "", {"properties": {"query": {"type": "string"}}})
TABLE = ToolSpec("book_table", "", {"properties": {"guests": {"type": "integer"}}, "required": ["guests"]})  # fmt: skip


@every_row(
    ("asked", "billions", "demands"),
    [
        ("How many legs does a spider have?", 0.5, False),
        ("Book a table.", 0.5, True),
        ("How many legs does a spider have?", 1.5, False),
        ("Book a table.", 1.5, True),
    ],
)
def test_a_look_up_is_demanded_only_for_a_call_that_the_user_spoke_of(asked, billions, demands):
    """Else a call would come of a question that needs none."""
    talk = Conversation([HumanMessage(asked)])
    context = CallContext(TABLE, [SEARCH, TABLE], talk, is_small=True)
    call = Call(TABLE.name, {"guests": 10}, "", "json", explicit=False)
    found = resolve_policy("auto", billions)[1].review(call, context)
    assert (found.code, found.offers, found.demands) == ("value_not_given", (SEARCH.name,), demands)
