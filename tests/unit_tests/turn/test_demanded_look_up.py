"""A small model's act lacks a value: a look-up is demanded, held to by a grammar where the server takes one, and once for each tool."""

import json

import pytest

from langchain_toolemu.policy.checks import resolve_policy
from tests.tables import every_row
from tests.unit_tests.turn.playing import Known, called, order, play


def find_patient(name: str) -> str:
    """Find a patient by name: patient id and mobile number."""


def find_patient_by_phone(phone: str) -> str:
    """Find a patient by phone number: patient id."""


def list_appointments(patient_id: str) -> str:
    """List a patient's appointments, each with its appointment id."""


def ward_roster(ward: str) -> str:
    """Who is on a ward, with mobile numbers."""


def cancel_appointment(appointment_id: str) -> str:
    """Cancel an appointment."""


def send_sms(phone: str, text: str) -> str:
    """Send a text message to a mobile number."""


TOOLS = [find_patient, list_appointments, ward_roster, cancel_appointment, send_sms]
LATE = "Send Ruben Castell a text that the doctor is late."
CANCEL = "Please cancel the appointment of Ingrid Sauter."


def call(name, /, **args):
    return json.dumps({"name": name, "arguments": args})


SMS = call("send_sms", phone="07700-918264", text="The doctor is late.")
FIND = call("find_patient", name="Ruben Castell")
ROSTER = call("ward_roster", ward="2A")
GUESS = call("cancel_appointment", appointment_id="A-10000")


def turn_of(*replies, asked=LATE, size=None, tools=TOOLS, **facts):
    name, policy = resolve_policy("auto", 1.5)
    return play(
        *replies,
        order=order(asked, tools=tools),
        known=Known(**facts),
        size=size,
        policy=policy,
        policy_name=name,
        is_small=True,
    )


def made(turn):
    return [one["name"] for one in turn.message.tool_calls]


@pytest.mark.parametrize("size", [None, 7])
def test_a_server_with_grammars_holds_the_model_to_a_look_up(size):
    """Where it takes none, the look-up is only asked for in words."""
    turn = turn_of(SMS, FIND, size=size, knows_grammar=True)
    first, second = (request.kwargs.get("extra_body", {}) for request in turn.requests)
    assert ("grammar" in first, made(turn)) == (False, ["find_patient"])
    assert "find_patient" in second["grammar"]
    assert "send_sms" not in second["grammar"]
    assert "extra_body" not in turn_of(SMS, FIND, size=size).requests[1].kwargs


SECOND = [
    ("a look-up, whatever it is called with", [SMS, ROSTER], LATE, ["send_sms"], ["ward_roster"]),
    ("the act is insisted on", [SMS, SMS], LATE, ["send_sms"], ["send_sms"]),
    ("the act of another tool", [SMS, GUESS, FIND], LATE, ["send_sms", "cancel_appointment"], ["find_patient"]),
]  # fmt: skip


@every_row(("case", "replies", "asked", "doubted", "calls"), SECOND)
def test_each_tool_is_asked_about_once(case, replies, asked, doubted, calls):
    """The act of another tool is asked about, too; a look-up is made at once, and an act that comes again."""
    turn = turn_of(*replies, asked=asked)
    assert [one["name"] for one in turn.report["doubted"]] == doubted
    assert (made(turn), len(turn.requests)) == (calls, len(replies))


def offered(turn):
    return turn.stages[1].demanded


def test_a_look_up_that_needs_an_id_waits_for_the_one_that_tells_it():
    """Unless the user gave a code, or a result has one, which may be that id; till then any other is demanded."""
    assert offered(turn_of(GUESS, FIND, asked=CANCEL)) == ("find_patient", "ward_roster")
    coded = "Please cancel the appointment of patient P-40817."
    found = called(CANCEL, ("find_patient", {"name": "Ingrid Sauter"}, '{"patient_id": "P-46093"}'))
    for asked in (coded, found):
        for tools in (TOOLS, [*TOOLS, find_patient_by_phone]):
            turn = turn_of(GUESS, FIND, asked=asked, tools=tools)
            assert offered(turn) == ("list_appointments",)
