"""Policies made of checks, and which one a model gets."""

from dataclasses import dataclass

import pytest

from langchain_toolemu.policy import (
    CAREFUL,
    DEFAULT,
    STRICT,
    TRUST,
    CallPolicy,
    Checks,
    NotQuoted,
    NotRepeated,
    Review,
    resolve_policy,
)
from tests.unit_tests.policy.talks import call, each, review, rounds, spec, verdict


@dataclass(frozen=True)
class Says:
    """A check that always says the same."""

    said: Review

    def review(self, call, context):
        return self.said


ACCEPTS, ASK, HOLD = Says(Review.accept()), Review.ask("why", "Why?"), Review.hold_back("never")
TOOLS = [
    spec("get_weather", "city"),
    spec("find_mail", "name"),
    spec("send_mail", "address", "body"),
]
WEATHER = call("get_weather", city="Rome")


def judged(policy, made=WEATHER, *said, **facts):
    return review(policy, made, TOOLS, *(said or ["Hello!"]), shows_examples=True, **facts)


def test_the_first_check_that_does_not_accept_decides():
    """In the order in which they were given, also where policies are added."""
    assert judged(Checks(ACCEPTS, Says(HOLD), Says(ASK))) == HOLD
    assert judged(Checks(ACCEPTS) + Checks(Says(ASK), Says(HOLD))) == ASK
    assert judged(Checks(ACCEPTS)).outcome == "accept"


def test_final_checks_are_not_overruled():
    """What was asked about is final then; what is held back stays so."""
    assert judged(Checks(Says(ASK)).final()).final
    assert judged(Checks() + Checks(Says(ASK)).final()).final
    assert judged(Checks(Says(HOLD)).final()) == HOLD
    assert not judged(Checks(Says(ASK))).final


MAIL = call("send_mail", address="ana@mail.com", body="Hi")
SENT = ["Hi to ana@mail.com.", *rounds((MAIL, "sent"))]
FOUND = ["Rome?", *rounds((WEATHER, "warm"))]
NAMED = [
    # the call, and what trust, default, careful and strict say
    ("a right call", WEATHER, ["Rome?"], {}, "accept accept accept accept"),
    ("a value of the examples", call("get_weather", city="Zorbel"), ["?"], {},
        "accept refuse refuse refuse"),
    ("a placeholder", call("get_weather", city="<city>"), ["?"], {}, "accept refuse refuse refuse"),
    ("an address that nobody gave", MAIL, ["Mail Ana."], {}, "accept accept ask refuse"),
    ("an act that was done", MAIL, SENT, {}, "accept ask refuse refuse"),
    ("a look-up that was made", WEATHER, FOUND, {}, "accept ask ask refuse"),
    ("a look-up in the last step", call("get_weather", city="Oslo"), FOUND, {"is_last_step": True},
        "accept accept refuse refuse"),
    ("an address beside a look-up", MAIL, ["Mail."], {"beside": [WEATHER]},
        "accept hold_back hold_back hold_back"),
]  # fmt: skip


@each("made said facts expected", NAMED)
def test_what_the_named_policies_doubt(made, said, facts, expected):
    """Trust doubts nothing; careful asks more than default; what strict asks about is not made."""
    policies = (TRUST, DEFAULT, CAREFUL, STRICT)
    assert [
        verdict(judged(policy, made, *said, **facts)) for policy in policies
    ] == expected.split()


@pytest.mark.parametrize(
    ("billions", "name"),
    [(0.135, "careful"), (1.99, "careful"), (2.0, "default"), (70, "default"), (None, "default")],
)
def test_auto_follows_the_size(billions, name):
    """Careful below two billion parameters; the default from there on, and for unknown sizes."""
    assert resolve_policy("auto", billions) == (
        name,
        {"careful": CAREFUL, "default": DEFAULT}[name],
    )


def test_a_policy_has_a_name():
    """That of the constant, or of its class."""
    assert resolve_policy("strict", 0.5) == ("strict", STRICT)
    assert resolve_policy(CAREFUL, None) == ("careful", CAREFUL)
    assert resolve_policy(Says(ASK), None)[0] == "Says"
    assert isinstance(Says(ASK), CallPolicy)


def test_a_policy_of_one_s_own_asks_about_quoted_calls_too():
    """Only `trust` frees from that, and who has the check keeps its place."""
    own = Checks(NotRepeated(), NotQuoted())
    assert resolve_policy(Checks(NotRepeated()), None)[1] == Checks(NotQuoted(), NotRepeated())
    assert resolve_policy(ACCEPTS, None)[1] == Checks(NotQuoted(), ACCEPTS)
    assert resolve_policy(own, None)[1] == own
    assert resolve_policy(Checks(), None) == ("trust", TRUST)


def test_only_built_in_checks_let_long_texts_stream():
    """Nothing is known of what a check of one's own looks at."""
    assert STRICT.ignores_long_texts
    assert not (DEFAULT + Checks(Says(ASK))).ignores_long_texts
    assert not Checks(type("Own", (NotRepeated,), {})()).ignores_long_texts
