"""What a small model writes to somebody: what was looked up for it stands in it."""

import pytest
from langchain_core.messages import HumanMessage

from langchain_toolemu.policy import CallContext, Conversation
from langchain_toolemu.policy.message_texts import TellsFindings
from langchain_toolemu.tools import read_tools, to_openai_tools
from tests.unit_tests.policy.test_given_values import made, step


def get_balance(account: str) -> str:
    """Get the balance of an account."""


def find_phone(name: str) -> str:
    """Find somebody's phone number."""


def send_text(phone: str, text: str) -> str:
    """Send a text message."""


def add_note(note: str) -> str:
    """Add a note."""


TOOLS = read_tools(to_openai_tools([get_balance, find_phone, send_text, add_note]))
BALANCE = step("get_balance", {"account": "savings"}, '{"balance": 3418.27}')
PHONE = step("find_phone", {"name": "Bo"}, "Bo Lindt: +46 70 555 01", "2")
NOTE = "Note what is in my savings today."

CASES = [
    ("nothing of the result", NOTE, BALANCE, made("add_note", note="Savings balance today"), "ask"),
    ("the result", NOTE, BALANCE, made("add_note", note="Savings: 3418.27"), "accept"),
    ("a name of the result", NOTE, step("find_phone", {"name": "Bo"}, "It is Bo Lindt"), made("add_note", note="Lindt"), "accept"),
    ("another value of the call is the result", "Text Bo that I am late.", PHONE, made("send_text", phone="+46 70 555 01", text="I am late."), "accept"),
    ("but a question is to be answered", "Text Bo how much is in my savings.", [*BALANCE, *PHONE], made("send_text", phone="+46 70 555 01", text="The savings."), "ask"),
    ("and is answered", "Text Bo how much is in my savings.", [*BALANCE, *PHONE], made("send_text", phone="+46 70 555 01", text="3418.27 euros"), "accept"),
    ("what is left of it", "Note what 418 euros leave in my savings.", BALANCE, made("add_note", note="3000.27 left"), "accept"),
    ("with a decimal comma", NOTE, BALANCE, made("add_note", note="Gespart: 3418,27"), "accept"),
    ("a number that nobody gave", NOTE, BALANCE, made("add_note", note="Savings: 5123"), "ask"),
    ("the user's own words", "Check my savings and note: all is well", BALANCE, made("add_note", note="All is well."), "accept"),
    ("nothing was found", NOTE, step("get_balance", {"account": "x"}, "No such account."), made("add_note", note="Savings"), "accept"),
    ("the result has no facts", NOTE, step("get_balance", {"account": "x"}, "a lot"), made("add_note", note="Savings"), "accept"),
    ("nothing was looked up", NOTE, [], made("add_note", note="Savings"), "accept"),
]  # fmt: skip


@pytest.mark.parametrize(("case", "asked", "messages", "call", "outcome"), CASES, ids=[case for case, *_ in CASES])  # fmt: skip
def test_a_message_tells_what_was_looked_up(case, asked, messages, call, outcome):
    """Any fact of a result will do, in any argument; a message that answers a question has a number of its own."""
    talk = Conversation([HumanMessage(asked), *messages])
    for is_small, expected in ((True, outcome), (False, "accept")):
        context = CallContext(TOOLS.exact(call.name), TOOLS.specs, talk, is_small=is_small)
        found = TellsFindings().review(call, context)
        assert (found.outcome, found.must_insist) == (expected, expected == "ask")
        assert ("says nothing of what was looked up" in found.correction) == (expected == "ask")
