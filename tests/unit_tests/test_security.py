"""SECURITY.md says what the code does."""

import re
from pathlib import Path

import pytest

from langchain_toolemu import ChatToolEmu
from langchain_toolemu.capability import servers
from langchain_toolemu.messages import tool_calls
from langchain_toolemu.model_facts import error_text
from langchain_toolemu.reader import output
from langchain_toolemu.reader.literals import parser
from langchain_toolemu.turn import reply, suspicion
from langchain_toolemu.validation import fitting, limits
from tests.tables import every_row

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "SECURITY.md").read_text(encoding="utf-8")

LIMITS = {
    "a reply, and with it any argument": reply.MAX_CHARS,
    "calls written in a reply": output.MAX_CALLS,
    "depth of arguments": parser.MAX_DEPTH,
    "the text kept of a call that cannot be read": tool_calls._MAX_CHARS,
    "what is held back of a reply that may be a refusal": suspicion.MAX_OPENING,
    "corrections per turn": ChatToolEmu.model_fields["max_reasks"].default,
    "rounds of calls since the user last spoke, in emulated turns": ChatToolEmu.model_fields["max_tool_rounds"].default,
    "a text matched against a schema's `pattern`": limits._LONGEST_MATCHED,
    "a server's answer about itself": servers._MAX_BYTES,
    "a quoted provider's error": error_text._MAX_WORDS,
}  # fmt: skip
ROWS = dict(re.findall(r"^\| (.+?) \| .*?([\d,]*\d).*? \|", PAGE, re.MULTILINE))


def test_every_limit_has_its_row():
    """The table has these rows and no other."""
    assert set(ROWS) == set(LIMITS)


@every_row("what", LIMITS)
def test_a_limit_is_what_the_page_says(what):
    """The figure of a row is the figure of the code."""
    assert int(ROWS[what].replace(",", "")) == LIMITS[what]


def test_values_are_as_deep_for_a_reader_as_for_a_schema():
    """One depth is promised, and two rooms hold it."""
    assert parser.MAX_DEPTH == fitting._DEEPEST


@pytest.mark.parametrize("path", re.findall(r"`(tests/[\w/]+\.py)`", PAGE))
def test_a_promise_names_a_test_that_exists(path):
    """Whoever doubts a promise can run its test."""
    assert (ROOT / path).exists()
