"""A dialect of one's own is read back, whatever its marks and keys are, whole and in pieces."""

import json
import re

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from langchain_toolemu.contract.dialects import Dialect
from langchain_toolemu.errors import DialectError, ToolSpecError
from langchain_toolemu.reader.events import Call
from tests.tables import every_row
from tests.thoroughness import examples
from tests.unit_tests.reader.reading import outline, read, said
from tests.unit_tests.samples import TOOLS

OSLO, SUM = ("get_weather", {"city": "Oslo"}), ("add", {"a": 1, "b": 2})
MARKS = [
    ("<call>", "</call>"),
    ("<tool", "</tool>"),
    ("<tool_call>\n", "\n</tool_call>"),
    ("<think>", "</think>"),
    ("<|x|>", ":"),
    ("[[", "]]"),
    ("[TOOL_CALLS]", ""),
    ("(", ")"),
    ("{", "}"),
    ('{"call": ', "}"),
    ("CALL ", "\n"),
    ("call:", ";"),
    ("Action: ", "\nEND"),
    ("Human: ", ""),
    ("analysisX", "X"),
    ("### Call\n", ""),
    ("###", "###"),
    ("- ", "-"),
    ("```call\n", "\n```"),
    ("```json\n", "\n```"),
    ("`", "`"),
    ('"', '"'),
    ("<<", "<<end"),
    ("", ""),
]
KEYS = [
    ("fn", "with"),
    ("name", "arguments"),
    ("arguments", "name"),
    ("city", "unit"),
    ("query", "tags"),
    ("tool", "args"),
    ("title", "body"),
    ("id", "input"),
    ("content", "role"),
    ("the function", 'its "values"'),
]
LETTERS = st.text("<>[]{}()|/#*`~:;=-_@!.,\"'\\ \nabcXYZ0é中", max_size=8)
PROSE = ["", "Let me see.\n", "Sure. ", "\n\n"]


def texts_with(*marks):
    """Texts that may hold the marks themselves."""
    parts = st.sampled_from([*(mark for mark in marks if mark), '"', "\\", "}", "\n", "Oslo", "é"])
    return st.lists(parts, max_size=4).map("".join)


@st.composite
def written(draw):
    """A dialect, calls written in it, and the text around them."""
    opening, closing = draw(st.sampled_from(MARKS) | st.tuples(LETTERS, LETTERS))
    keys = draw(st.sampled_from(KEYS) | st.tuples(*[st.text(min_size=1, max_size=4)] * 2))
    try:
        dialect = Dialect("mine", opening, closing, *keys)
    except ToolSpecError:
        assume(False)
    values = texts_with(opening, closing, *keys)
    tags = st.lists(values, max_size=2)
    search = st.fixed_dictionaries(
        {"query": values}, optional={"tags": tags, "limit": st.integers()}
    )
    calls = draw(st.lists(st.tuples(st.just("search"), search), min_size=1, max_size=2))
    return dialect, calls, draw(st.sampled_from(PROSE))


def calls_of(events):
    return [(event.name, event.args) for event in events if isinstance(event, Call)]


@given(written(), st.sampled_from(["", "\nDone."]), st.integers(1, 9))
@settings(max_examples=examples(300), deadline=None)
def test_what_is_written_is_read_back(case, after, size):
    """One call or two, between words, come back as they were written, in pieces of any size."""
    dialect, calls, before = case
    text = before + dialect.write_all(calls) + after
    whole = read(text, dialect=dialect)
    assert calls_of(whole) == calls
    assert outline(read(text, size=size, dialect=dialect)) == outline(whole)


@every_row("marks", MARKS)
def test_marks_are_no_part_of_the_text(marks):
    """Nothing of the calls is left in what the user sees."""
    dialect = Dialect("mine", *marks, "fn", "with")
    text = f"Let me see.\n{dialect.write_all([OSLO, SUM])}\nDone."
    before, *calls, after = said(text, dialect=dialect)
    assert (before, calls, after.strip()) == ("Let me see.\n", [OSLO, SUM], "Done.")


MINE = Dialect("mine", "<call>", "</call>", "fn", "with")
BODY = '{"fn": "get_weather", "with": {"city": "Oslo"}}'


@every_row(
    ("text", "expected"),
    [
        (f"<call>{BODY}", [OSLO]),
        (f"<call>\n{BODY}\n</call>", [OSLO]),
        (f"<call>[{BODY}, {BODY}]</call>", [OSLO, OSLO]),
        (f"```\n<call>{BODY}</call>\n```", [OSLO]),
        (f"```json\n{BODY}\n```", [OSLO]),
        (f"<tool_call>{BODY}</tool_call>", [OSLO]),
        (BODY, [OSLO]),
        ('<call>{"name": "get_weather", "arguments": {"city": "Oslo"}}</call>', [OSLO]),
        ('<call>{"with": {"city": "Oslo"}, "fn": "get_weather"}</call>', [OSLO]),
        ('<call>{"fn": "get_weather", "with": {"city": "Oslo"}</call>', [OSLO]),
        ('<call>{"fn": "fly", "with": {"to": "Oslo"}}</call>', [("fly", "unknown_tool")]),
        ('<call>{"fn": "get_weather", "with": {"ci}</call>', [("get_weather", "cut")]),
        ("<call>me</call> later", ["<call>me</call> later"]),
        (f"Write `<call>{BODY}</call>` to call.", [f"Write `<call>{BODY}</call>` to call."]),
        ('{"fn": "Report", "with": {"a": 1}}', ['{"fn": "Report", "with": {"a": 1}}']),
        ("<cal", ["<cal"]),
        ("<think>a</think>b <call", ["<think>a</think>b <call"]),
    ],
)
def test_what_is_almost_in_the_dialect(text, expected):
    """Its envelope is read as leniently as any other, and a mark without a call is text."""
    assert said(text, dialect=MINE) == expected


def test_a_call_that_is_cut_is_none():
    """What the limit cut is asked for again."""
    text = f"<call>{BODY}"[:-12]
    assert said(text, dialect=MINE, cut=True) == [("get_weather", "cut")]


def test_a_long_argument_is_passed_on():
    """It is told while it is still being written."""
    call = MINE.write("run", {"command": "x" * 2000})
    events = read(call, size=50, dialect=MINE)
    assert type(events[0]).__name__ == "CallStarted"
    assert calls_of(events) == [("run", {"command": "x" * 2000})]


def read_pairs(text):
    """`<<add a=1 b=2>>` as calls."""
    found = re.findall(r"<<(\w+)((?: \w+=\w+)*)>>", text)
    return [(name, dict(pair.split("=") for pair in rest.split())) for name, rest in found]


PAIRS = Dialect("pairs", "<<", ">>", read=read_pairs)
WHOLE = Dialect("whole", read=read_pairs)


@every_row(
    ("text", "expected"),
    [
        ("<<get_weather city=Oslo>>", [OSLO]),
        ("Sure.\n<<get_weather city=Oslo>>\n<<now>>", ["Sure.\n", OSLO, ("now", {})]),
        ("<<fly to=Oslo>>", [("fly", "unknown_tool")]),
        ("1 << 2 and 3 >> 1", ["1 << 2 and 3 >> 1"]),
        ("1 << 2", ["1 << 2"]),
        (json.dumps({"name": "now", "arguments": {}}), [("now", {})]),
    ],
)
def test_a_dialect_reads_for_itself(text, expected):
    """It is handed the text between its marks; the other forms are read as ever."""
    assert said(text, dialect=PAIRS) == expected


def test_without_a_mark_it_is_handed_the_whole_reply():
    """At its end, and what it finds no call in is read like any other reply."""
    assert said("I do: <<get_weather city=Oslo>>", dialect=WHOLE) == [OSLO]
    assert said(f"Hello.\n{json.dumps({'name': 'now', 'arguments': {}})}", dialect=WHOLE) == [
        "Hello.\n",
        ("now", {}),
    ]
    assert said("Hello.", dialect=WHOLE) == ["Hello."]


def test_what_is_cut_is_not_handed_over():
    """A call that the limit cut is none, whoever reads it."""
    assert said("<<get_weather city=Os", dialect=PAIRS, cut=True) == [(None, "cut")]


@pytest.mark.parametrize(
    "wrong", [lambda text: 1 / 0, lambda text: ["now"], lambda text: [("now", 1)], lambda text: 5]
)
def test_a_read_that_fails_is_the_callers_error(wrong):
    """It names the dialect, and what is expected of it."""
    with pytest.raises(
        DialectError, match=r"read\(\) of the dialect 'odd' failed .* pairs of a name"
    ):
        read("<<now>>", dialect=Dialect("odd", "<<", ">>", read=wrong))


def test_a_read_may_say_nothing():
    """`None` is no call."""
    assert said("<<now>>", dialect=Dialect("odd", "<<", ">>", read=lambda text: None)) == [
        "<<now>>"
    ]


def test_very_many_marks_are_read_in_time():
    """Marks that begin nothing cost no more than other text."""
    text = "<call> <cal " * 3_000
    assert "".join(read(text, size=7, dialect=MINE)[0].text[:6]) == "<call>"
    assert not calls_of(read(text, dialect=MINE, tools=TOOLS))
