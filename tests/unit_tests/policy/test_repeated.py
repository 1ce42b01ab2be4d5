"""Which repeated calls are asked about."""

import pytest
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage

from langchain_toolemu.policy import CallContext, Conversation, NotRepeated
from langchain_toolemu.reader.events import Call
from langchain_toolemu.tools import ToolSpec

TOOL = ToolSpec("check", "", {})
JOB = {"job": "a"}


def call(args=JOB):
    return Call("check", args, "", "json", explicit=False)


def rounds(*results, args=JOB, name="check"):
    """A round for each result; one that is an exception failed."""
    messages = []
    for number, result in enumerate(results):
        status = "error" if isinstance(result, Exception) else "success"
        messages += [
            AIMessage("", tool_calls=[{"name": name, "args": args, "id": str(number)}]),
            ToolMessage(str(result), tool_call_id=str(number), status=status),
        ]
    return messages


def outcome(*messages, made=None, **facts):
    talk = Conversation([HumanMessage("Wait for job a."), *messages])
    context = CallContext(TOOL, [TOOL], talk, **facts)
    return NotRepeated().review(made or call(), context).outcome


OTHER = rounds("ok", args={"job": "b"})
BOTH = [
    AIMessage(
        "",
        tool_calls=[
            {"name": "check", "args": JOB, "id": "1"},
            {"name": "check", "args": {"job": "b"}, "id": "2"},
        ],
    ),
    ToolMessage("ok", tool_call_id="1"),
    ToolMessage("ok", tool_call_id="2"),
]
TABLE = [
    ("nothing was called", [], "accept"),
    ("the first repeat", rounds("ok"), "ask"),
    ("the second: it was insisted on", rounds("ok", "ok"), "accept"),
    ("results that differ", rounds("ok", "fine"), "accept"),
    ("five identical results", rounds(*["ok"] * 5), "ask"),
    ("six", rounds(*["ok"] * 6), "accept"),
    ("ten", rounds(*["ok"] * 10), "ask"),
    ("five results, one of them another", rounds("ok", "ok", "ok", "fine", "ok"), "accept"),
    ("it failed", rounds(ValueError("no")), "accept"),
    ("another call came since", [*rounds("ok"), *OTHER], "accept"),
    ("another call came before", [*OTHER, *rounds("ok")], "ask"),
    ("another call stood beside it", BOTH, "accept"),
    ("a cycle, once", [*rounds("ok"), *OTHER], "accept"),
    ("a cycle that came twice", [*rounds("ok"), *OTHER] * 2, "ask"),
    ("the same with another result", [*rounds("ok"), *OTHER, *rounds("done"), *OTHER], "accept"),
    ("a cycle that failed", [*rounds(ValueError("no")), *OTHER] * 2, "accept"),
    ("a cycle of three", [*rounds("ok"), *OTHER, *rounds("x", args={"job": "c"})] * 2, "ask"),
    ("the user spoke since", [*rounds("ok"), HumanMessage("And now?")], "accept"),
    ("no result yet", rounds("ok")[:1], "accept"),
]


@pytest.mark.parametrize(("case", "messages", "expected"), TABLE, ids=[case for case, *_ in TABLE])
def test_the_table(case, messages, expected):
    """Only an exact repeat of the last successful call is asked about, and only the first time."""
    assert outcome(*messages) == expected


def test_what_may_always_be_repeated():
    """A call without arguments, a demanded one, one beside another, one with other arguments."""
    last = rounds("ok")
    assert outcome(*rounds("4", args={}), made=call({})) == "accept"
    assert outcome(*last, forced=True) == "accept"
    assert outcome(*last, is_answer=True) == "accept"
    assert outcome(*last, earlier=(call({"job": "b"}),)) == "accept"
    assert outcome(*last, made=call({"job": "A"})) == "accept"
