"""The stages of a turn: every one that is possible is reached, no other is, and what their requests say."""

from itertools import product
from typing import get_args

import pytest

from langchain_toolemu.policy import Review
from langchain_toolemu.turn.reasks import ReaskReason, label_of
from langchain_toolemu.turn.stages import (
    Decoding,
    NativeReply,
    Phase,
    Reask,
    Stage,
)
from tests import scripted_turns
from tests.tables import every_row
from tests.unit_tests.turn.playing import Known, Said, natively, order, play
from tests.weather import CALL

FORM = {"title": "Person", "type": "object", "properties": {"name": {"type": "string"}}}
REASK = Reask("missing_call", "Hm.", "Call it.")
COPIED = CALL.replace("Paris", "Zorbel")
NONE = '{"name": "none", "arguments": {}}'


def outline(stage):
    """What tells stages apart: which of its parts are there."""
    if stage.phase == "native":
        return "natively"
    return (
        stage.phase,
        stage.decoding,
        "system_role" in stage.forms,
        bool(stage.reasks),
        bool(stage.steered_to),
        stage.checks is not None,
    )


def is_possible(stage):
    """Whether the parts of a stage in text go together."""
    if stage.steered_to and (stage.phase != "call" or not (stage.reasks or stage.decoding == "grammar")):  # fmt: skip
        return False  # a model is steered that copied an example; where no call is demanded, only under a grammar
    if stage.checks and (stage.reasks or stage.steered_to or stage.decoding == "form"):
        return False  # a check is the first request in text, and asks for calls
    if stage.phase == "answer":
        return stage.decoding in ("free", "form") and not stage.checks
    return stage.phase != "decision" or stage.decoding != "form"


def every_stage():
    """Every stage that is possible."""
    yield natively()
    parts = product(
        set(get_args(Phase)) - {"native"},
        get_args(Decoding),
        ((), ("system_role",)),
        ((), (REASK,)),
        ((), ("get_weather",)),
        (None, NativeReply()),
    )
    for phase, decoding, forms, reasks, steered_to, checks in parts:
        stage = Stage(phase, decoding, reasks, steered_to, checks, forms=forms)
        if is_possible(stage):
            yield stage


# How each way to decode comes about.
DECODINGS = {
    "free": ({"constraint": "never"}, {}),
    "schema": ({"constraint": "schema"}, {}),
    "grammar": ({"constraint": "grammar"}, {}),
    "form": ({}, {"tools": (), "form": FORM}),
}
# Replies that lead through the stages: to a re-ask, to a steered request and a re-ask of that, to an answer and a re-ask.
PATHS = {
    "re-asked": ({}, ["", ""]),
    "steered": ({"choice": "any"}, [COPIED, "", ""]),
    "answered": ({}, [COPIED, "", ""]),
}


def reached():
    """The stages that scripted turns go through."""
    for (settings, asked), flow, role in product(
        DECODINGS.values(), ("inline", "decision"), ("system", "user")
    ):
        options = {**settings, "flow": flow, "place": role, "on_failure": "continue"}
        for more, replies in PATHS.values():
            told = [_as_form(reply) for reply in replies] if asked else replies
            yield from play(*told, order=order(**(asked or more)), **options).stages
        if flow == "decision":
            yield from play(NONE, "", "", order=order(**asked), **options).stages
        yield from play(
            Said("", usage=900),
            "",
            order=order(**asked),
            mode="fallback",
            known=Known(),
            **options,
        ).stages
        yield from play(COPIED, "", **{**options, "constraint": "quotes"}).stages
        yield from play(
            "", "", order=order(tools=(), form={"type": "json_object"}), **options
        ).stages


def _as_form(reply):
    return '{"name": "Person", "arguments": {"name": "Zorbel"}}' if reply == COPIED else reply


def test_no_stage_is_impossible():
    """The stages that are possible are those that turns go through, neither more nor fewer."""
    assert {outline(stage) for stage in reached()} == {outline(stage) for stage in every_stage()}


def test_the_last_correction_is_part_of_the_request():
    """A re-ask shows the failed reply and what is wrong with it, and only the last of them."""
    turn = scripted_turns.play("Hm.", "Well.", CALL, choice="any")
    shown = [[message.text for message in messages[-2:]] for messages, _ in turn.requests[1:]]
    assert [failed for failed, _ in shown] == ["Hm.", "Well."]
    assert all("Your reply held no call" in correction for _, correction in shown)
    assert "Hm." not in [message.text for message in turn.requests[2][0]]


def spoken_of(request):
    """Which tools a request speaks of."""
    return [name for name in ("get_weather", "sum_up") if name in str(request)]


def test_a_request_that_offers_some_tools_speaks_of_no_other():
    """Asked afresh, the model is offered what could tell a value; as soon as it is asked for something else, all are offered again."""
    review = Review.ask("it is odd", offers=("sum_up",))
    turn = scripted_turns.play(CALL, "", "Well.", policy=scripted_turns.Doubts(review))
    assert [spoken_of(messages) for messages, _ in turn.requests] == [
        ["get_weather", "sum_up"],
        ["sum_up"],
        ["get_weather", "sum_up"],
    ]


@pytest.mark.parametrize(
    ("demands", "reminder"),
    [(False, ""), (True, "(Reply with a call of sum_up and nothing else.)")],
)
def test_a_look_up_is_demanded_of_a_small_model(demands, reminder):
    """Without examples, which it would copy; an answer in words is an answer all the same."""
    review = Review.ask("it is odd", offers=("sum_up",), demands=demands)
    turn = scripted_turns.play(CALL, "Well.", policy=scripted_turns.Doubts(review))
    messages, _ = turn.requests[1]
    assert messages[-1].text.endswith(reminder)
    assert ("Reply with a call" in str(messages)) is demands
    assert ("magnets" in str(messages)) is not demands
    assert turn.message.content == "Well."


def test_the_smallest_models_are_shown_a_call_of_the_tool_that_is_demanded():
    """Without an example they write the words of the form: "argument name"."""
    review = Review.ask("it is odd", offers=("sum_up",), demands=True)
    turn = scripted_turns.play(CALL, "Well.", policy=scripted_turns.Doubts(review), model_size=0.1)
    examples = [message.text for message in turn.requests[1][0][1:-1]]
    assert any("sum_up" in text for text in examples)
    assert not any("get_weather" in text for text in examples)


@every_row("reason", get_args(ReaskReason))
def test_every_reason_says_where_to_look(reason):
    """A reason is told with the part of the package that it concerns."""
    assert label_of(reason) in {
        f"{part}: {reason}" for part in ("reader", "validation", "contract", "policy")
    }
