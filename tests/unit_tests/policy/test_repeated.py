"""Which repeated calls are asked about."""

import json

import pytest
from langchain_core.language_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage

from langchain_toolemu import ChatToolEmu
from langchain_toolemu.policy import CallContext, Conversation, NotRepeated
from langchain_toolemu.reader.events import Call
from langchain_toolemu.tools import ToolSpec
from tests.ways import WAYS, ask

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
BOTH_TURNED = AIMessage("", tool_calls=BOTH[0].tool_calls[::-1])
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
    ("another call stood beside it", BOTH, "ask"),
    ("both came twice: it was insisted on", BOTH * 2, "accept"),
    ("it stood behind another call", [BOTH_TURNED, *BOTH[1:]], "ask"),
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


@pytest.mark.parametrize("way", WAYS)
def test_several_calls_that_come_again_are_asked_about_together(way):
    """They are made if the model insists; else its answer stands; new calls beside them are made with them."""
    pair, new = call_text({"job": "a"}, {"job": "b"}), call_text({"job": "a"}, {"job": "c"})
    asked = [HumanMessage("Wait for the jobs a and b."), *BOTH]
    answered = ask(scripted(pair, "Both are done."), asked, way)
    assert (answered.content, answered.tool_calls) == ("Both are done.", [])
    insisted = ask(scripted(pair, pair), asked, way)
    assert [one["args"]["job"] for one in insisted.tool_calls] == ["a", "b"]
    beside = ask(scripted(new), asked, way)
    assert [one["args"]["job"] for one in beside.tool_calls] == ["a", "c"]


def call_text(*calls):
    return "\n".join(json.dumps({"name": "check", "arguments": one}) for one in calls)


def scripted(*replies):
    llm = GenericFakeChatModel(messages=iter(map(AIMessage, replies)))
    schema = {"type": "object", "properties": {"job": {"type": "string"}}}
    bound = {"name": "check", "description": "Check a job.", "parameters": schema}
    return ChatToolEmu(llm=llm, mode="force").bind_tools([bound])
