"""What follows an error of a request: the rules as a table."""

from dataclasses import replace
from json import JSONDecodeError

import pytest
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage
from pydantic import BaseModel, ValidationError

from langchain_toolemu.capability.refused_forms import refusal_of
from langchain_toolemu.contract.dialects import JSON
from langchain_toolemu.contract.size import ContractSize
from langchain_toolemu.errors import PolicyError
from langchain_toolemu.messages.content import Words
from langchain_toolemu.model_facts import OtherForm, Refusal, ToolsRefused
from langchain_toolemu.turn.after_error import RULES, Failure, after_error
from langchain_toolemu.turn.forms import fingerprint
from langchain_toolemu.turn.stages import (
    AskAgain,
    EndTurn,
    Fail,
    NativeReply,
    PlainRetry,
    Reask,
    Reraise,
    Stage,
)
from langchain_toolemu.turn.turn_input import Request, Settings
from langchain_toolemu.turn.turn_output import warning
from tests.unit_tests.turn.playing import Known, Said, natively, order, play

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
CHECK = Stage("call", checks=NativeReply((Words("The sky."),)))
CALL_OF_NOTHING = '{"name": "get_time", "arguments": {}}'
GRAMMAR, TEXT = Stage("call", "grammar"), Stage("call")
SENT = Request([], None, {})
TOO_LONG = {"too_long": True, "request": replace(SENT, contract=ContractSize(4000, 60))}
PARSER = {"parser": "llama.cpp"}
AFTER_NATIVE = Stage("call", native=NativeReply((Words("The sky."),)))
LIMITED = {"error": BAD, "request": Request([], None, {"parallel_tool_calls": False})}
OF_LIMIT = (ToolsRefused(fingerprint(order().tools), "nothing"),)

IN_VAIN = (ToolsRefused(fingerprint(order().tools, "system_role"), "nothing"),)
REFUSED = {
    "error": BAD,
    "refusal": Refusal(("system_role",)),
    "request": Request([SystemMessage("Be kind."), HumanMessage("Hi")], None, {}),
}


# The stage, what the error refuses, what else is so, and what follows: the new stage, a path, or nothing of ours.
def misread():
    try:
        AIMessage("", tool_calls=[{"name": "f", "args": "{}", "id": "1"}])
    except ValidationError as error:
        return error


BROKEN = Reask("unknown_tool", "", "No such tool.", (Words("Hm."),), messages=(AIMessage("Hm."),))
TABLE = [
    ("a policy fails in a check", CHECK, "tools", {"error": PolicyError("no")}, Reraise),
    ("reasoning is wanted", natively(), None, {"demanded": "reasoning"}, natively(reasoning="fill", reasoning_settled=True)),
    ("reasoning is wanted in text", TEXT, None, {"demanded": "reasoning"}, replace(TEXT, reasoning="fill", reasoning_settled=True)),
    ("reasoning is refused", natively(), "reasoning", {}, natively(reasoning="leave_out", reasoning_settled=True)),
    ("reasoning is refused after it was wanted", natively(reasoning="fill", reasoning_settled=True), "reasoning", {}, Reraise),
    ("reasoning is refused, which was not sent", natively(reasoning="leave_out"), "reasoning", {}, Reraise),
    ("tools are refused", natively(), "tools", {}, TEXT),
    ("a choice is refused", natively(), "tool_choice", {}, TEXT),
    ("tools are refused where none are sent", natively(), "tools", {"turn_input": order(tools=())}, Reraise),
    ("a limit of calls is refused", natively(), "parallel_tool_calls", LIMITED, natively(forms=("parallel_tool_calls",), retry=PlainRetry(BAD, (OtherForm(("parallel_tool_calls",)),), OF_LIMIT))),
    ("it is refused again", natively(forms=("parallel_tool_calls",)), "parallel_tool_calls", {"request": SENT, "turn_input": order(tools=())}, Reraise),
    ("a form is refused", natively(), "response_format", {"turn_input": order(tools=(), form=FORM)}, Stage("call", "form")),
    ("a client judges a native answer", natively(), None, {"turn_input": order(tools=(), form=FORM), "error": misfit()}, Stage("call", "form")),
    ("a client cannot read a native answer", natively(), None, {"turn_input": order(tools=(), form=FORM), "error": JITER}, Stage("call", "form")),
    ("the same, and it was shown", natively(), None, {"turn_input": order(tools=(), form=FORM), "error": JITER, "started": True}, Reraise),
    ("the same where no form is demanded", natively(), None, {"error": JITER}, Reraise),
    ("a body that is no JSON", natively(), None, {"turn_input": order(tools=(), form=FORM), "error": JSONDecodeError("Expecting value", "<html>", 0)}, Reraise),
    ("a client cannot read a reply", Stage("call", "form"), None, {"error": JITER}, TEXT),
    ("a grammar is refused", GRAMMAR, None, {"error": ValueError("unknown field: grammar")}, TEXT),
    ("a schema is refused", Stage("call", "schema"), "response_format", {}, TEXT),
    ("a client judges a reply", Stage("call", "form"), None, {"error": misfit()}, TEXT),
    ("a system message is refused", TEXT, "system_role", {}, Stage("call", system_role=False)),
    ("a system message is refused twice", Stage("call", system_role=False), "system_role", {}, Reraise),
    ("a system message was demanded", TEXT, "system_role", {"settings": Settings("force", JSON, system_role="system")}, Reraise),
    ("a check fails", CHECK, None, {}, EndTurn),
    ("a check fails that nothing stands for", Stage("call", checks=NativeReply()), None, {}, Reraise),
    ("a check of an empty reply does not fit", Stage("call", checks=NativeReply(), native=NativeReply()), None, TOO_LONG, EndTurn),
    ("a request after a native reply does not fit", AFTER_NATIVE, None, TOO_LONG, EndTurn),
    ("the same, and a call must come", AFTER_NATIVE, None, {**TOO_LONG, "turn_input": order(choice="any")}, Reraise),
    ("the same, and it may be missing", AFTER_NATIVE, None, {**TOO_LONG, "turn_input": order(choice="any"), "settings": Settings("fallback", JSON, on_failure="continue")}, EndTurn),
    ("another error after a native reply", AFTER_NATIVE, None, {}, Reraise),
    ("a contract does not fit", TEXT, None, TOO_LONG, Reraise),
    ("a native request does not fit", natively(), None, {"too_long": True}, Reraise),
    ("something was shown", natively(), "tools", {"started": True}, Reraise),
    ("a bad request with a grammar", GRAMMAR, None, {"error": BAD}, Stage("call", system_role=False, retry=PlainRetry(BAD, (OtherForm(("grammar",)),)))),
    ("a bad request with a system message of ours", TEXT, None, {"error": BAD}, Stage("call", system_role=False, retry=PlainRetry(BAD, (OtherForm(("system_role",)),)))),
    ("a bad request with the schema of a form", Stage("call", "form"), None, {"error": BAD, "turn_input": SPOKEN}, Stage("call", retry=PlainRetry(BAD, (OtherForm(("response_format",)),)))),
    ("a bad request with the caller's system message", TEXT, None, {"error": BAD, "turn_input": SPOKEN}, Reraise),
    ("the same with a grammar", GRAMMAR, None, {"error": BAD, "turn_input": SPOKEN}, Stage("call", retry=PlainRetry(BAD, (OtherForm(("grammar",)),)))),
    ("a bad request without additions", Stage("call", system_role=False), None, {"error": BAD}, Reraise),
    ("a bad request, again", Stage("call", system_role=False, retry=PlainRetry(FIRST)), None, {"error": BAD}, Fail),
    ("a request that is too long", GRAMMAR, None, {"error": LONG}, Reraise),
    ("a client fails at calls of a whole reply", natively(), None, {"error": misread()}, natively()),
    ("the same in pieces", natively(), None, {"error": misread(), "in_pieces": True}, Reraise),
    ("a call is asked for again natively", natively(reasks=(BROKEN,)), "tools", {"started": True}, Stage("call", reasks=(replace(BROKEN, correction=""),), native=NativeReply(BROKEN.words))),
    ("and then in text", Stage("call", reasks=(BROKEN,), native=NativeReply(BROKEN.words)), None, {}, EndTurn),
    ("a model was asked to go on", natively(reasks=(replace(BROKEN, reason="empty_reply"),)), None, {}, EndTurn),
    ("a server cannot parse a native reply", natively(), None, PARSER, natively(again=True)),
    ("the same once more", natively(again=True), None, PARSER, TEXT),
    ("its client cannot, and never will", natively(), None, {**PARSER, "parser_repeats": True}, TEXT),
    ("the same in text", TEXT, None, {**PARSER, "parser_repeats": True}, Stage("call", again=True)),
    ("the same after words were shown", natively(), None, {**PARSER, "started": True}, natively(again=True)),
    ("the same as so often before", natively(), None, {**PARSER, "knowledge": Known(learned=["parser_failed"] * 2)}, TEXT),
    ("the same twice where there are no tools", natively(again=True), None, {**PARSER, "turn_input": order(tools=())}, Reraise),
    ("a server cannot parse a reply in text", TEXT, None, PARSER, Stage("call", again=True)),
    ("a server cannot parse a reply in text, again", Stage("call", again=True), None, PARSER, Reraise),
    ("a form is refused that can be another", natively(), None, REFUSED, natively(forms=("system_role",), retry=PlainRetry(BAD, (OtherForm(("system_role",)),), IN_VAIN))),
    ("any other error", natively(), None, {}, Reraise),
    ("any other error in text", TEXT, None, {}, Reraise),
]  # fmt: skip


def failed(stage, refused, facts):
    given = {
        "error": ValueError("no"),
        "turn_input": order(),
        "settings": Settings("fallback", JSON),
        "knowledge": Known(),
        "request": SENT,
        **facts,
    }
    given.setdefault("refusal", refusal_of(given["error"]))
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
    assert after_error(failed(natively(), "tools", {})).warnings == (
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
        ((Said(error=BAD), "It is sunny."), [OtherForm(("grammar",))]),
        ((Said(error=BAD), CALL_OF_NOTHING, "It is sunny."), [OtherForm(("grammar",))]),
        ((Said(error=FIRST), Said(error=BAD)), []),
    ],
)
def test_what_a_retry_teaches(replies, lessons):
    """A server is known to refuse a grammar once a request without it went well, and is told so once a turn."""
    played = play(*replies, constrain="grammar")
    assert len(played.requests) == len(replies)
    assert played.known.lessons == lessons
