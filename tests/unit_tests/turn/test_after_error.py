"""What follows an error of a request: the rules as a table."""

from dataclasses import replace
from json import JSONDecodeError

import pytest
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage
from pydantic import BaseModel, ValidationError

from langchain_toolemu.contract.dialects import JSON
from langchain_toolemu.contract.size import ContractSize
from langchain_toolemu.errors import PolicyError
from langchain_toolemu.messages.content import Words
from langchain_toolemu.turn.after_error import RULES, Failure, after_error
from langchain_toolemu.turn.stages import (
    AskAgain,
    AskedInText,
    AskedNatively,
    EndTurn,
    Fail,
    NativeReply,
    PlainRetry,
    Reask,
    Reraise,
)
from langchain_toolemu.turn.turn_input import Settings
from langchain_toolemu.turn.turn_output import warning
from tests.unit_tests.turn.playing import Known, Said, order, play

FORM = {"title": "Person", "type": "object", "properties": {"name": {"type": "string"}}}


class _Person(BaseModel):
    name: str


def misfit():
    try:
        _Person()
    except ValidationError as error:
        return error


class _BadRequestError(Exception):
    status_code = 400


BAD, FIRST = _BadRequestError("Bad Request"), _BadRequestError("first")
JITER = ValueError("expected value at line 1 column 1")
LONG = _BadRequestError("This model's maximum context length is 2048 tokens")
SPOKEN = order([SystemMessage("Be kind."), HumanMessage("Hi")])
CHECK = AskedInText("call", checks=NativeReply((Words("The sky."),)))
CALL_OF_NOTHING = '{"name": "get_time", "arguments": {}}'
GRAMMAR, TEXT = AskedInText("call", "grammar"), AskedInText("call")
TOO_LONG = {"too_long": True, "contract": ContractSize(4000, 60)}
PARSER = {"parser": "llama.cpp"}
AFTER_NATIVE = AskedInText("call", native=NativeReply((Words("The sky."),)))
ONE_CALL = {"turn_input": replace(order(), native={"parallel_tool_calls": False})}


# The stage, what the error refuses, what else is so, and what follows: the new stage, a path, or nothing of ours.
def misread():
    try:
        AIMessage("", tool_calls=[{"name": "f", "args": "{}", "id": "1"}])
    except ValidationError as error:
        return error


BROKEN = Reask("unknown_tool", "", "No such tool.", (Words("Hm."),), added=(AIMessage("Hm."),))
TABLE = [
    ("a policy fails in a check", CHECK, "tools", {"error": PolicyError("no")}, Reraise),
    ("reasoning is wanted", AskedNatively(), None, {"demanded": "reasoning"}, AskedNatively(reasoning="fill", reasoning_settled=True)),
    ("reasoning is wanted in text", TEXT, None, {"demanded": "reasoning"}, replace(TEXT, reasoning="fill", reasoning_settled=True)),
    ("reasoning is refused", AskedNatively(), "reasoning", {}, AskedNatively(reasoning="leave_out", reasoning_settled=True)),
    ("reasoning is refused after it was wanted", AskedNatively(reasoning="fill", reasoning_settled=True), "reasoning", {}, Reraise),
    ("reasoning is refused, which was not sent", AskedNatively(reasoning="leave_out"), "reasoning", {}, Reraise),
    ("tools are refused", AskedNatively(), "tools", {}, TEXT),
    ("a choice is refused", AskedNatively(), "tool_choice", {}, TEXT),
    ("tools are refused where none are sent", AskedNatively(), "tools", {"turn_input": order(tools=())}, Reraise),
    ("a limit of calls is refused", AskedNatively(), "parallel_tool_calls", ONE_CALL, AskedNatively(omits=("parallel_tool_calls",))),
    ("it is refused again", AskedNatively(omits=("parallel_tool_calls",)), "parallel_tool_calls", ONE_CALL, Reraise),
    ("it is refused where it was not sent", AskedNatively(), "parallel_tool_calls", {}, Reraise),
    ("a form is refused", AskedNatively(), "response_format", {"turn_input": order(tools=(), form=FORM)}, AskedInText("call", "form")),
    ("a client judges a native answer", AskedNatively(), None, {"turn_input": order(tools=(), form=FORM), "error": misfit()}, AskedInText("call", "form")),
    ("a client cannot read a native answer", AskedNatively(), None, {"turn_input": order(tools=(), form=FORM), "error": JITER}, AskedInText("call", "form")),
    ("the same, and it was shown", AskedNatively(), None, {"turn_input": order(tools=(), form=FORM), "error": JITER, "started": True}, Reraise),
    ("the same where no form is demanded", AskedNatively(), None, {"error": JITER}, Reraise),
    ("a body that is no JSON", AskedNatively(), None, {"turn_input": order(tools=(), form=FORM), "error": JSONDecodeError("Expecting value", "<html>", 0)}, Reraise),
    ("a client cannot read a reply", AskedInText("call", "form"), None, {"error": JITER}, TEXT),
    ("a grammar is refused", GRAMMAR, None, {"error": ValueError("unknown field: grammar")}, TEXT),
    ("a schema is refused", AskedInText("call", "schema"), "response_format", {}, TEXT),
    ("a client judges a reply", AskedInText("call", "form"), None, {"error": misfit()}, TEXT),
    ("a system message is refused", TEXT, "system_role", {}, AskedInText("call", system_role=False)),
    ("a system message is refused twice", AskedInText("call", system_role=False), "system_role", {}, Reraise),
    ("a system message was demanded", TEXT, "system_role", {"settings": Settings("force", JSON, system_role="system")}, Reraise),
    ("a check fails", CHECK, None, {}, EndTurn),
    ("a check fails that nothing stands for", AskedInText("call", checks=NativeReply()), None, {}, Reraise),
    ("a check of an empty reply does not fit", AskedInText("call", checks=NativeReply(), native=NativeReply()), None, TOO_LONG, EndTurn),
    ("a request after a native reply does not fit", AFTER_NATIVE, None, TOO_LONG, EndTurn),
    ("the same, and a call must come", AFTER_NATIVE, None, {**TOO_LONG, "turn_input": order(choice="any")}, Reraise),
    ("the same, and it may be missing", AFTER_NATIVE, None, {**TOO_LONG, "turn_input": order(choice="any"), "settings": Settings("fallback", JSON, on_failure="continue")}, EndTurn),
    ("another error after a native reply", AFTER_NATIVE, None, {}, Reraise),
    ("a contract does not fit", TEXT, None, TOO_LONG, Reraise),
    ("a native request does not fit", AskedNatively(), None, {"too_long": True}, Reraise),
    ("something was shown", AskedNatively(), "tools", {"started": True}, Reraise),
    ("a bad request with a grammar", GRAMMAR, None, {"error": BAD}, AskedInText("call", system_role=False, retry=PlainRetry(BAD, ("does_without_grammar",)))),
    ("a bad request with a system message of ours", TEXT, None, {"error": BAD}, AskedInText("call", system_role=False, retry=PlainRetry(BAD, ("does_without_system_message",)))),
    ("a bad request with the schema of a form", AskedInText("call", "form"), None, {"error": BAD, "turn_input": SPOKEN}, AskedInText("call", retry=PlainRetry(BAD, ("does_without_schema",)))),
    ("a bad request with the caller's system message", TEXT, None, {"error": BAD, "turn_input": SPOKEN}, Reraise),
    ("the same with a grammar", GRAMMAR, None, {"error": BAD, "turn_input": SPOKEN}, AskedInText("call", retry=PlainRetry(BAD, ("does_without_grammar",)))),
    ("a bad request without additions", AskedInText("call", system_role=False), None, {"error": BAD}, Reraise),
    ("a bad request, again", AskedInText("call", system_role=False, retry=PlainRetry(FIRST)), None, {"error": BAD}, Fail),
    ("a request that is too long", GRAMMAR, None, {"error": LONG}, Reraise),
    ("a client fails at calls of a whole reply", AskedNatively(), None, {"error": misread()}, AskedNatively()),
    ("the same in pieces", AskedNatively(), None, {"error": misread(), "in_pieces": True}, Reraise),
    ("a call is asked for again natively", AskedNatively(reasks=(BROKEN,)), "tools", {"started": True}, AskedInText("call", reasks=(replace(BROKEN, correction=""),), native=NativeReply(BROKEN.words))),
    ("and then in text", AskedInText("call", reasks=(BROKEN,), native=NativeReply(BROKEN.words)), None, {}, EndTurn),
    ("a model was asked to go on", AskedNatively(reasks=(replace(BROKEN, reason="empty_reply"),)), None, {}, EndTurn),
    ("a server cannot parse a native reply", AskedNatively(), None, PARSER, AskedNatively(again=True)),
    ("the same once more", AskedNatively(again=True), None, PARSER, TEXT),
    ("its client cannot, and never will", AskedNatively(), None, {**PARSER, "parser_repeats": True}, TEXT),
    ("the same in text", TEXT, None, {**PARSER, "parser_repeats": True}, AskedInText("call", again=True)),
    ("the same after words were shown", AskedNatively(), None, {**PARSER, "started": True}, AskedNatively(again=True)),
    ("the same as so often before", AskedNatively(), None, {**PARSER, "knowledge": Known(learned=["parser_failed"] * 2)}, TEXT),
    ("the same twice where there are no tools", AskedNatively(again=True), None, {**PARSER, "turn_input": order(tools=())}, Reraise),
    ("a server cannot parse a reply in text", TEXT, None, PARSER, AskedInText("call", again=True)),
    ("a server cannot parse a reply in text, again", AskedInText("call", again=True), None, PARSER, Reraise),
    ("any other error", AskedNatively(), None, {}, Reraise),
    ("any other error in text", TEXT, None, {}, Reraise),
]  # fmt: skip


def failed(stage, refused, facts):
    given = {
        "error": ValueError("no"),
        "turn_input": order(),
        "settings": Settings("fallback", JSON),
        "knowledge": Known(),
        **facts,
    }
    return Failure(stage=stage, refused=refused, **given)


@pytest.mark.parametrize(
    ("case", "stage", "refused", "facts", "follows"), TABLE, ids=[case for case, *_ in TABLE]
)
def test_the_table(case, stage, refused, facts, follows):
    """A part that is refused and not needed is left out; every other error is the caller's."""
    move = after_error(failed(stage, refused, facts))
    if isinstance(move, AskAgain):
        assert move.stage == follows
    else:
        assert isinstance(move, follows)


def test_every_rule_decides_something():
    """No rule is there for nothing: each decides at least one case of the table."""
    failures = [failed(stage, refused, facts) for _, stage, refused, facts, _ in TABLE]
    assert {next(rule for rule in RULES if rule(one)) for one in failures} == set(RULES)


def test_what_was_left_out_is_said():
    """The metadata tell of emulation that took over, and of a grammar that was left out."""
    assert after_error(failed(AskedNatively(), "tools", {})).warnings == (
        warning("native_refused", what="tools"),
    )
    grammar = failed(GRAMMAR, None, {"error": ValueError("unknown field: grammar")})
    assert after_error(grammar).warnings == (warning("asked_without", decoding="grammar"),)
    failure = after_error(failed(CHECK, None, {}))
    assert failure.warnings == (warning("check_failed", error="ValueError"),)
    assert failure.show == (Words("The sky."),)


@pytest.mark.parametrize(
    ("replies", "lessons"),
    [
        ((Said(error=BAD), "It is sunny."), ["does_without_grammar"]),
        ((Said(error=BAD), CALL_OF_NOTHING, "It is sunny."), ["does_without_grammar"]),
        ((Said(error=FIRST), Said(error=BAD)), []),
    ],
)
def test_what_a_retry_teaches(replies, lessons):
    """A server is known to refuse a grammar once a request without it went well, and is told so once a turn."""
    played = play(*replies, constrain="grammar")
    assert len(played.requests) == len(replies)
    assert played.known.lessons == lessons
