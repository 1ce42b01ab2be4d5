"""Accept, re-ask or give up: the rules as a table."""

import pytest

from langchain_toolemu.contract.dialects import JSON
from langchain_toolemu.reader.events import BadCall, Call
from langchain_toolemu.tools import ANY, AUTO, ToolChoice, ToolSet, ToolSpec
from langchain_toolemu.turn.policy import Accept, GiveUp, Outcome, Reask, Terms, judge

TOOLS = ToolSet([ToolSpec("add", "", {}), ToolSpec("sub", "", {})])


def bad(reason):
    return BadCall(
        name="mul",
        raw="{",
        envelope="json",
        explicit=True,
        reason=reason,
        detail="no colon after the key",
    )


def call(name="add", errors=()):
    return Call(name=name, args={}, raw="", envelope="json", explicit=True, errors=tuple(errors))


NAMED = ToolChoice("named", "sub")
CASES = [
    ("an answer is accepted", AUTO, Outcome(), None, ""),
    ("a call is accepted", AUTO, Outcome(calls=[call()]), None, ""),
    ("a forced call is accepted", ANY, Outcome(calls=[call()]), None, ""),
    ("a forced call that is missing", ANY, Outcome(), "missing_call", "Call one of add, sub now"),
    ("a named call that is missing", NAMED, Outcome(), "missing_call", "Call sub now"),
    (
        "another tool than the one demanded",
        NAMED,
        Outcome(unwanted=[call()]),
        "wrong_tool",
        "You called add. Call sub instead",
    ),
    ("a cut call", AUTO, Outcome(bad_calls=[bad("cut")]), "cut_call", "cut off"),
    (
        "an unreadable call",
        AUTO,
        Outcome(bad_calls=[bad("unreadable")]),
        "unreadable_call",
        "no colon after the key",
    ),
    (
        "an unknown tool",
        AUTO,
        Outcome(bad_calls=[bad("unknown_tool")]),
        "unknown_tool",
        "no tool named 'mul'. The tools are: add, sub",
    ),
    (
        "a good call beside a bad one",
        AUTO,
        Outcome(calls=[call()], bad_calls=[bad("cut")]),
        None,
        "",
    ),
    (
        "arguments that do not fit",
        AUTO,
        Outcome(doubtful=[call(errors=["a: required, but missing"])]),
        "bad_arguments",
        "a: required, but missing",
    ),
    (
        "arguments that do not fit beside a good call",
        AUTO,
        Outcome(calls=[call()], doubtful=[call(errors=["a: x"])]),
        "bad_arguments",
        "a: x",
    ),
    (
        "arguments of a forced call that do not fit",
        ANY,
        Outcome(doubtful=[call(errors=["a: x"])]),
        "bad_arguments",
        "a: x",
    ),
    (
        "a call repeated after its result",
        AUTO,
        Outcome(doubtful=[call()], repeats=True),
        "repeated_call",
        "its result is above",
    ),
    ("a refusal", AUTO, Outcome(refused=True), "refusal", "You do have tools: add, sub"),
    ("a refusal beside a call", AUTO, Outcome(calls=[call()], refused=True), None, ""),
    ("nothing at all", AUTO, Outcome(empty=True), "empty_reply", "was empty"),
]


@pytest.mark.parametrize(
    ("case", "choice", "outcome", "reason", "said"), CASES, ids=[case[0] for case in CASES]
)
def test_rule(case, choice, outcome, reason, said):
    """Each outcome is accepted, or re-asked for its reason in words that say what to mend."""
    judgement = judge(outcome, Terms(TOOLS, choice, JSON, 2), [])
    assert (judgement.reason if isinstance(judgement, Reask) else None) == reason
    assert said in (judgement.correction if reason else "")


def test_each_reask_is_stricter_and_the_budget_ends():
    """The second correction asks for the call and nothing else; after the budget, the fault is named."""
    terms, outcome = Terms(TOOLS, ANY, JSON, 2), Outcome()
    first = judge(outcome, terms, [])
    second = judge(outcome, terms, [first])
    third = judge(outcome, terms, [first, second])
    assert second.correction.startswith(first.correction)
    assert len(second.correction) > len(first.correction)
    assert isinstance(third, GiveUp)
    assert third.fault.label == "contract: missing_call"


@pytest.mark.parametrize(
    ("reason", "outcome"),
    [
        ("refusal", Outcome(refused=True)),
        ("repeated_call", Outcome(doubtful=[call()], repeats=True)),
    ],
)
def test_some_faults_are_pointed_out_once(reason, outcome):
    """A refusal that stands is an answer, and a call that is repeated all the same is polling."""
    assert judge(outcome, Terms(TOOLS, AUTO, JSON, 5), [Reask(reason, "")]) == Accept()


def test_a_call_where_none_was_offered_is_asked_for_in_prose():
    """Without tools on offer a lone call is an imitation of the history, re-asked once; beside words it is ignored."""
    terms = Terms(TOOLS, AUTO, JSON, 2, offered=False)
    assert judge(Outcome(unwanted=[call()], empty=True), terms, []).reason == "imitated_call"
    assert judge(Outcome(unwanted=[call()]), terms, []) == Accept()
    assert judge(Outcome(empty=True), terms, []).reason == "empty_reply"
