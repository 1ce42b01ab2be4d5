"""Which entry of a list an act's code is of, and which one the user means."""

import json

import pytest
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage

from langchain_toolemu.policy import CallContext, Conversation
from langchain_toolemu.policy.entries import EntryMeant
from langchain_toolemu.reader.events import Call
from langchain_toolemu.tools import ToolSpec
from tests.tables import every_row

FIND = ToolSpec("list_appointments", "", {"properties": {"patient": {"type": "string"}}})
CANCEL = ToolSpec(
    "cancel_appointment", "", {"properties": {"appointment": {}}, "required": ["appointment"]}
)
VISITS = [
    {"appointment": "A-364", "with": "Dr. Okoro", "day": "Monday"},
    {"appointment": "A-418", "with": "Dr. Ferreira", "day": "Wednesday"},
]
LINES = "\n".join("  ".join(visit.values()) for visit in VISITS)
ASKED = "Cancel her appointment with Dr. Ferreira."


def review(asked, *results, code="A-364", **facts):
    """What is said of a cancelled appointment after these results."""
    messages = [HumanMessage(asked)]
    for number, result in enumerate(results):
        made = {"name": FIND.name, "args": {"patient": str(number)}, "id": str(number)}
        messages += [AIMessage("", tool_calls=[made]), ToolMessage(result, tool_call_id=made["id"])]
    context = CallContext(CANCEL, [FIND, CANCEL], Conversation(messages), **{"is_small": True, **facts})  # fmt: skip
    args = {"appointment": code}
    return EntryMeant().review(Call(CANCEL.name, args, "", "json", explicit=False), context)


@every_row(
    ("case", "asked", "results", "code", "expected"),
    [
        ("another entry has the user's word", ASKED, [json.dumps(VISITS)], "A-364", "ask"),
        ("in lines of text", ASKED, [LINES], "A-364", "ask"),
        ("in a list within an object", ASKED, [json.dumps({"patient": "Ana", "visits": VISITS})], "A-364", "ask"),
        ("by a word that only one of three has", "Cancel Ferreira on Wednesday.", [f"{LINES}\nA-9  Ferreira  Friday"], "A-9", "ask"),
        ("it is of that entry", ASKED, [json.dumps(VISITS)], "A-418", "accept"),
        ("each has a word", "Cancel Dr. Ferreira or Monday.", [LINES], "A-364", "accept"),
        ("none has one", "Cancel the first one.", [LINES], "A-364", "accept"),
        ("two others have it", ASKED, [f"{LINES}\nA-500  Dr. Ferreira  Friday"], "A-364", "accept"),
        ("the other one is ruled out", "Cancel it, but not the appointment with Ferreira.", [LINES], "A-364", "accept"),
        ("the user wrote the code", f"{ASKED} It is A-364.", [LINES], "A-364", "accept"),
        ("a later list has it elsewhere", ASKED, [LINES, "A-364  moved to Ferreira\nA-777  Okoro"], "A-364", "accept"),
        ("it is in no list", ASKED, [LINES], "A-1", "accept"),
        ("the list is long", ASKED, [LINES + "\nA-1  none" * 500], "A-364", "accept"),
        ("it is no text", ASKED, ["3  Okoro\n4  Ferreira"], 3, "accept"),
        ("several are meant", ASKED, [LINES], ["A-364"], "accept"),
    ],
)  # fmt: skip
def test_a_code_of_another_entry_than_the_user_speaks_of_is_asked_about(case, asked, results, code, expected):  # fmt: skip
    """If one other entry has all of the user's words that this one has, and more."""
    assert review(asked, *results, code=code).outcome == expected


def test_the_question_shows_both_entries_and_may_be_insisted_on():
    """The model sees its call: it is to choose again, and what it then chooses is made."""
    found = review(ASKED, LINES)
    assert (found.code, found.final, found.yields) == ("other_entry", False, True)
    assert "A-364  Dr. Okoro  Monday" in found.correction
    assert "A-418  Dr. Ferreira  Wednesday" in found.correction


@pytest.mark.parametrize("facts", [{"is_small": False}, {"chosen": True}, {"is_answer": True}])
def test_a_larger_model_and_a_demanded_call_are_not_asked(facts):
    """Only small models take the first entry whatever was asked."""
    assert review(ASKED, LINES, **facts).outcome == "accept"
