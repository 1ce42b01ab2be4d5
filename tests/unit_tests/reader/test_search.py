"""Calls in texts that are no replies."""

import json
from time import perf_counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from langchain_toolemu.reader.search import calls_in, may_hold, names_tool, words_of_args
from langchain_toolemu.tools import ToolSpec
from tests.tables import every_row

ARGS = {"order_id": "A17", "amount": 30}
PARAMETERS = {
    "type": "object",
    "properties": {"order_id": {"type": "string"}, "amount": {"type": "number"}},
    "required": ["order_id", "amount"],
}
REFUND = ToolSpec("refund_order", "", PARAMETERS)
CALL = json.dumps({"name": "refund_order", "arguments": ARGS})
LEVELS = json.dumps({"name": "refund_order", "arguments": ARGS}, indent=2)


def found(text, tool=REFUND):
    return [*calls_in(text, tool)]


WRITTEN = [
    CALL,
    LEVELS,
    f"<tool_call>\n{CALL}\n</tool_call>",
    'refund_order(order_id="A17", amount=30)',
    "{'name': 'refund_order', 'parameters': {'order_id': 'A17', 'amount': 30}}",
    '{"tool": "refund_order", "args": {"order_id": "A17", "amount": 30}}',
    '[refund_order(order_id="A17", amount=30)]',
    "<refund_order><order_id>A17</order_id><amount>30</amount></refund_order>",
    '<invoke name="refund_order"><parameter name="order_id">A17</parameter>'
    '<parameter name="amount">30</parameter></invoke>',
]
AROUND = [
    "{}",
    "Dear Ann,\nthe bot writes {} and pays.\nBye",
    "```\n{}\n```",
    "User: hi\nAssistant: {}\nUser: ok",
]


@every_row("written", WRITTEN)
def test_a_call_is_found_in_any_text(written):
    """Alone, in a sentence, in a fence, in a log."""
    for around in AROUND:
        assert found(around.format(written) if around != "{}" else written) == [ARGS], around


@every_row("written", [CALL, LEVELS])
def test_marks_of_lines_and_escapes_are_read_through(written):
    """A quoted mail, a listing, a string of JSON."""
    lines = written.split("\n")
    assert found("\n".join(f"> {line}" for line in lines)) == [ARGS]
    assert found("\n".join(f"{number}: {line}" for number, line in enumerate(lines))) == [ARGS]
    assert found(json.dumps({"body": f"Run:\n{written}"})) == [ARGS]


@every_row(
    "text",
    [
        "refund_order pays back. Use refund_order, or refund_order: it is quick (refund_order).",
        "refund_order()",
        "the refund order (A17) of 30",
        CALL.replace("refund_order", "refund_orders"),
        "",
    ],
)
def test_a_name_is_no_call(text):
    """Nor is one without an argument object, nor a call of another tool."""
    assert found(text) == []


def test_what_cannot_be_read_to_its_end_is_told():
    """A call with a broken end may be any."""
    assert found(CALL[:-8]) == [None]


@pytest.mark.parametrize(
    "text", ["refund_order", "Refund-Order", "the refundOrder tool", "refund order"]
)
def test_a_text_names_a_tool_in_any_spelling(text):
    """As models and users write it."""
    assert names_tool(text, REFUND)
    assert not names_tool(text.replace("efund", "epaid"), REFUND)


@every_row(
    "unit",
    [
        "Use refund_order: it pays. ",
        '{"name": "refund_order", "arguments": {"order_id": "',
        "{[<`",
        "word ",
    ],
)
def test_time_is_linear_in_the_length(unit):
    """However often the name stands there, and however little of it is closed."""
    times = []
    for size in (100_000, 800_000):
        text = unit * (size // len(unit))
        start = perf_counter()
        found(text)
        times.append(perf_counter() - start)
    assert times[1] < 24 * times[0] + 0.5


@given(st.text(max_size=40), st.text(max_size=40))
def test_no_text_around_a_call_is_an_error(before, after):
    """Whatever stands there, calls come out or none."""
    assert all(args is None or isinstance(args, dict) for args in found(before + CALL + after))


def escaped(text):
    """Each letter and digit as JSON may write it."""
    return "".join(f"\\u{ord(it):04x}" if it.isalnum() else it for it in text)


HOLDING = [
    *WRITTEN,
    json.dumps({"body": LEVELS}),
    CALL.replace("A17", escaped("A17")),
    CALL.replace("A17", "&#65;&#49;&#55;"),
    CALL.replace(": 30", ": 3e1"),
    CALL.replace(": 30", ": 30.0"),
    CALL.upper().replace("REFUND_ORDER", "refundOrder"),
]


@every_row("written", HOLDING)
def test_a_text_without_the_words_of_a_call_does_not_hold_it(written):
    """In any writing that is read; other values, or none of the tool's name, rule it out."""
    words = words_of_args(ARGS, REFUND)
    assert words == {"a", "17", "30"}
    assert may_hold(f"Dear Ann,\n{written}\nBye", REFUND, words)
    hides_letters = "\\u" in written or "&" in written
    assert may_hold(written, REFUND, frozenset(["zq"])) == hides_letters
    assert not may_hold(written.lower().replace("refund", "x"), REFUND, words)


def test_what_a_schema_respells_is_no_word_of_a_call():
    """A date, a member of an enumeration and an array may be written in other ways."""
    kinds = {
        "day": {"type": "string", "format": "date"},
        "unit": {"type": "string", "enum": ["inprogress"]},
        "names": {"type": "array", "items": {"type": "string"}},
    }
    tool = ToolSpec("book", "", {"type": "object", "properties": kinds})
    args = {"day": "2026-01-02", "unit": "inprogress", "names": ["Ann"], "more": "Bob"}
    assert words_of_args(args, tool) == set()
