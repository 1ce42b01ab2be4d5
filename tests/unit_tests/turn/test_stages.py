"""The stages of a turn: every one that can be made is reached, and every one that is reached gives a request."""

from dataclasses import replace
from itertools import product
from typing import get_args

import pytest

from langchain_toolemu.contract.dialects import JSON
from langchain_toolemu.turn.reasks import ReaskReason, label_of
from langchain_toolemu.turn.requests import write_request
from langchain_toolemu.turn.stages import (
    Decoding,
    NativeReply,
    Phase,
    Reask,
    Stage,
    closing_stage,
)
from langchain_toolemu.turn.turn_input import Settings
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
        stage.system_role,
        bool(stage.reasks),
        bool(stage.steered_to),
        stage.checks is not None,
    )


def every_stage():
    """Every stage that can be made."""
    yield natively()
    parts = product(
        set(get_args(Phase)) - {"native"},
        get_args(Decoding),
        (True, False),
        ((), (REASK,)),
        ((), ("get_weather",)),
        (None, NativeReply()),
    )
    for phase, decoding, system_role, reasks, steered_to, checks in parts:
        try:
            yield Stage(phase, decoding, system_role, reasks, steered_to, checks)
        except ValueError:
            continue


# How each way to decode comes about.
DECODINGS = {
    "free": ({"constrain": "never"}, {}),
    "schema": ({"constrain": "schema"}, {}),
    "grammar": ({"constrain": "grammar"}, {}),
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
        options = {**settings, "flow": flow, "system_role": role, "on_failure": "continue"}
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
        yield from play(COPIED, "", **{**options, "constrain": "quotes"}).stages
        yield from play(
            "", "", order=order(tools=(), form={"type": "json_object"}), **options
        ).stages


def _as_form(reply):
    return '{"name": "Person", "arguments": {"name": "Zorbel"}}' if reply == COPIED else reply


def test_no_stage_is_impossible():
    """The stages that can be made are those that turns go through, neither more nor fewer."""
    assert {outline(stage) for stage in reached()} == {outline(stage) for stage in every_stage()}


@every_row("stage", list(every_stage()))
def test_every_stage_gives_a_request(stage):
    """A request is a function of order, settings and stage alone: asked twice, it is the same."""
    asked = order(form=FORM if getattr(stage, "decoding", "") == "form" else None)
    asked = asked.in_text(50) if stage.phase != "native" else asked
    settings = Settings("force", JSON)
    request = write_request(asked, settings, stage)
    assert request.messages
    assert write_request(asked, settings, stage) == request


def test_the_last_correction_is_part_of_the_request():
    """A re-ask shows the failed reply and what is wrong with it; asked afresh, neither."""
    stage = Stage("call", reasks=(REASK,))
    failed, correction = write_request(order(), Settings("force", JSON), stage).messages[-2:]
    assert (failed.content, correction.content) == ("Hm.", "Call it.")
    afresh = replace(stage, reasks=(replace(REASK, correction=""),))
    assert write_request(order(), Settings("force", JSON), afresh) == write_request(
        order(), Settings("force", JSON), Stage("call")
    )


def spoken_of(stage):
    """Which tools a request speaks of."""
    request = write_request(order(), Settings("force", JSON), stage)
    said = "\n".join(str(message.content) for message in request.messages)
    return [name for name in ("get_weather", "sum_up", "write_file") if name in said]


def test_a_request_that_offers_some_tools_speaks_of_no_other():
    """The model is asked for what could tell a value; as soon as it is asked for something else, all are offered again."""
    asked = Reask("doubted_call", CALL, "", offers=("sum_up",))
    assert spoken_of(Stage("call", reasks=(asked,))) == ["sum_up"]
    again = (asked, Reask("empty_reply", "", "Answer."))
    assert spoken_of(Stage("call", reasks=again)) == ["get_weather", "sum_up", "write_file"]


def test_a_closing_stage_asks_for_the_answer_only():
    """Without tools and without what was said about the call; the re-asks still count."""
    asked = Reask("doubted_call", CALL, "Is it right?", offers=("sum_up",))
    stage = closing_stage(Stage("call", "grammar", reasks=(asked,)))
    assert (stage.phase, stage.decoding, stage.closes, stage.offers) == ("answer", "free", True, ())
    assert (stage.has_asked("doubted_call"), stage.current_reask) == (True, None)
    assert spoken_of(stage) == []


@pytest.mark.parametrize("reason", get_args(ReaskReason))
def test_every_reason_says_where_to_look(reason):
    """A reason is told with the part of the package that it concerns."""
    assert label_of(reason) in {
        f"{part}: {reason}" for part in ("reader", "validation", "contract", "policy")
    }
