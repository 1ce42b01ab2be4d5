"""Accept, re-ask or give up: the rules as a table."""

import pytest

from langchain_toolemu.dialects import JSON
from langchain_toolemu.policy import Outcome, Terms, judge
from langchain_toolemu.tools import ANY, AUTO, ToolChoice, ToolSet, ToolSpec
from langchain_toolemu.values import BadCall

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


CASES = [
    ("an answer is accepted", AUTO, 0, [], None, ""),
    ("a call is accepted", AUTO, 1, [], None, ""),
    ("a forced call is accepted", ANY, 1, [], None, ""),
    ("a forced call that is missing", ANY, 0, [], "missing_call", "one of add, sub"),
    (
        "a named call that is missing",
        ToolChoice("named", "sub"),
        0,
        [],
        "missing_call",
        "Call sub now",
    ),
    ("a cut call", AUTO, 0, ["cut"], "cut_call", "cut off"),
    ("an unreadable call", AUTO, 0, ["unreadable"], "unreadable_call", "no colon after the key"),
    (
        "an unknown tool",
        AUTO,
        0,
        ["unknown_tool"],
        "unknown_tool",
        "no tool named 'mul'. The tools are: add, sub",
    ),
    ("a good call beside a bad one", AUTO, 1, ["cut"], None, ""),
]


@pytest.mark.parametrize(
    ("case", "choice", "calls", "bads", "reason", "said"), CASES, ids=[case[0] for case in CASES]
)
def test_rule(case, choice, calls, bads, reason, said):
    """Each outcome is accepted, or re-asked for its reason in words that say what to mend."""
    reask = judge(Outcome(calls, [bad(one) for one in bads]), Terms(TOOLS, choice, JSON))
    assert (reask.reason if reask else None) == reason
    assert said in (reask.correction if reask else "")
