"""What follows a native reply without a native call: a table, and what holds for every combination."""

from dataclasses import replace
from itertools import product

import pytest

from langchain_toolemu.turn.native_policy import NativeOutcome, judge_native

ANSWER = NativeOutcome(
    rescuable=False,
    broken=False,
    demanded=False,
    declined=False,
    refused=False,
    empty=False,
    bill="unclear",
    trusted=False,
    wants_check=True,
)
FLAGS = (
    "rescuable",
    "broken",
    "demanded",
    "declined",
    "refused",
    "empty",
    "trusted",
    "wants_check",
)
EVERY = [
    NativeOutcome(**dict(zip(FLAGS, flags, strict=True)), bill=bill)
    for flags in product([False, True], repeat=len(FLAGS))
    for bill in ("dropped", "counted", "unclear")
]


@pytest.mark.parametrize(
    ("outcome", "sequel"),
    [
        ({}, "check"),
        ({"wants_check": False}, "keep"),
        ({"bill": "counted"}, "keep"),
        ({"bill": "dropped"}, "emulate"),
        ({"bill": "dropped", "wants_check": False}, "emulate"),
        ({"trusted": True}, "keep"),
        ({"trusted": True, "bill": "dropped"}, "keep"),
        ({"trusted": True, "empty": True}, "keep"),
        ({"trusted": True, "demanded": True}, "emulate"),
        ({"trusted": True, "broken": True}, "emulate"),
        ({"declined": True, "empty": True}, "keep"),
        ({"declined": True, "demanded": True, "bill": "dropped"}, "keep"),
        ({"declined": True, "rescuable": True}, "rescue"),
        ({"rescuable": True, "demanded": True}, "rescue"),
        ({"rescuable": True, "broken": True}, "rescue"),
        ({"demanded": True, "bill": "counted"}, "emulate"),
        ({"broken": True, "bill": "counted"}, "emulate"),
        ({"refused": True, "bill": "counted"}, "check"),
        ({"refused": True, "bill": "dropped"}, "emulate"),
        ({"refused": True, "wants_check": False}, "check"),
        ({"empty": True, "bill": "counted", "wants_check": False}, "check"),
    ],
)
def test_the_table(outcome, sequel):
    """Each kind of reply and its sequel."""
    assert judge_native(replace(ANSWER, **outcome)) == sequel


@pytest.mark.parametrize("outcome", EVERY, ids=str)
def test_what_holds_for_every_reply(outcome):
    """A rescue costs no request; a trusted answer is kept, and so is a refusal on principle; an unmet demand never is."""
    sequel = judge_native(outcome)
    assert (sequel == "rescue") is outcome.rescuable
    if outcome.trusted and not (outcome.rescuable or outcome.broken or outcome.demanded):
        assert sequel == "keep"
    if outcome.declined and not outcome.rescuable:
        assert sequel == "keep"
    elif outcome.demanded:
        assert sequel in ("rescue", "emulate")
