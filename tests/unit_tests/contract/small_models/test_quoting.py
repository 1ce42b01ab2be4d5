"""Values that can only be quoted: what the grammar of a conversation lets through."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from langchain_toolemu.contract import PLACEHOLDERS
from langchain_toolemu.contract.dialects import JSON
from langchain_toolemu.contract.grammar import write_grammar
from langchain_toolemu.contract.small_models.quoting import MAX_WORDS, Quotations, quotations
from langchain_toolemu.tools import ToolSet, ToolSpec

NUMBER = {"type": "number"}
INTEGER = {"type": "integer"}
TEXT = {"type": "string"}


def said(text: str) -> Quotations:
    found = quotations([text])
    assert found is not None
    return found


def tool(**properties):
    return ToolSpec("f", "", {"properties": properties, "required": list(properties)})


def ways(text: str, **properties):
    """The rules that take the place of the free ones."""
    return list(said(text).ways(tool(**properties)))


def read_literal(written: str) -> str:
    """What a literal of the grammar stands for."""
    return re.sub(r"\\(.)", lambda found: {"n": "\n", "t": "\t"}.get(found[1], found[1]), written)


def quoted_from(rules, first: str) -> str:
    """The longest quotation that begins with a word, as the text of a JSON string."""
    text, name = "", first
    while name:
        word, _, rest = re.fullmatch(
            r'"((?:[^"\\]|\\.)*)"( \((.*)\)\?)?', rules[name], re.DOTALL
        ).groups()
        gap, name = re.fullmatch(r'(" " )?(q\d+)', rest).groups() if rest else (None, None)
        text += read_literal(word) + (" " if gap else "")
    return json.loads(f'"{text}"')


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=80))
def test_every_end_of_what_was_said_can_be_quoted(text: str):
    """From any word on, the rules spell the rest of the text, its white space made one blank."""
    found = quotations([text])
    if found is None:
        return
    beginnings = re.findall(r"(?<!\()\bq\d+\b(?!\)\?)", found.rules["quoted"])
    for first in beginnings:
        rest = quoted_from(found.rules, first)
        assert "".join(text.split()).endswith("".join(rest.split()))


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("Add 17 and 25.", ["17", "25"]),
        ("12,000 miles at 25%", ["12000", "25", "0.25"]),
        ("33.3% of 007", ["33.3", "0.333", "7"]),
        ("00.5 and 0", ["0.5", "0"]),
        ("from -74.0060 to 3-4", ["-74.006", "3", "4"]),
        ("1.0 or 100", ["1", "100"]),
        ("twelve", []),
        ("1" * 17, []),
        ("3 and 3", ["3"]),
    ],
)
def test_numbers_are_those_that_were_said(text: str, numbers: list[str]):
    """Separators and leading zeros go, a percentage is also a fraction, nothing is said twice."""
    assert said(text).numbers == numbers


def test_text_and_numbers_are_quoted_or_an_examples():
    """A call quotes all of its values, or shows by an example's that there was nothing to quote."""
    quoting, copying = ways("Add 1 and 2.", a=INTEGER, b=NUMBER, c=TEXT)
    assert quoting == {"string": "quoted", "integer": "said-integer", "number": "said-number"}
    assert set(copying.values()) == {"shown", "shown-integer", "shown-number"}


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("Two rooms for 3 nights", False),
        ("2 rooms for 3 nights", True),
        ("Two rooms for three nights", False),
    ],
)
def test_numbers_that_were_spelt_out_stay_free(text: str, held: bool):
    """Where fewer numbers were said in figures than a call wants, any may be written."""
    quoting, _ = ways(text, rooms=INTEGER, nights=INTEGER)
    assert ("integer" in quoting) is held


def test_a_whole_number_is_not_quoted_where_none_was_said():
    """A fraction is no whole number: there is nothing to hold it to."""
    quoting, _ = ways("It is 0.5.", rooms=INTEGER)
    assert quoting == {"string": "quoted", "number": "said-number"}


def test_a_quotation_may_begin_with_a_capital():
    """Small models like to write values with one."""
    rules = said("an acoustic guitar").rules
    assert '"Acoustic" (" " q2)?' in rules["quoted"]
    assert rules["q1"] == '"acoustic" (" " q2)?'


def test_a_schemas_own_default_need_not_have_been_said():
    """What the tool itself offers can be written."""
    offers = tool(platform={"type": "string", "default": "all platforms"})
    grammar = write_grammar(ToolSet([offers]), JSON, quoted=said("How good is it?"))
    assert 'quoted | "\\"all platforms\\""' in grammar


def test_without_examples_there_are_none_to_copy():
    """Where no examples were shown, or a call is demanded, values can only be quoted."""
    found = quotations(["Hi Ann"])
    assert len(list(found.ways(tool(to=TEXT), copied=False))) == 1


def test_an_answer_is_in_its_own_words():
    """The tool whose call is the answer in its form takes any values."""
    found = quotations(["Hi Ann"], answer="f")
    assert list(found.ways(tool(to=TEXT))) == [{}]


@pytest.mark.parametrize("text", ["", " ?! ", "word " * (MAX_WORDS + 1), "word" * 5_000])
def test_nothing_and_too_much_are_not_quoted_from(text: str):
    """A conversation without words has nothing to quote, and the rules of a long one would be too many."""
    assert quotations([text]) is None


def test_scripts_without_blanks_are_quoted_by_the_letter():
    """A Chinese name in the middle of a sentence can be quoted."""
    rules = said("\u7ed9\u5c0f\u660e").rules
    assert rules["q1"] == '"\u5c0f" (q2)?'


def test_a_call_of_a_tool_without_texts_or_numbers_is_written_once():
    """Where there is nothing to quote, an example's call would be the same."""
    tools = ToolSet([tool(on={"type": "boolean"}), ToolSpec("now", "", {})])
    grammar = write_grammar(tools, JSON, quoted=said("Switch it on."))
    (call,) = [line for line in grammar.splitlines() if line.startswith("call ::=")]
    assert call.count(" | ") == 1


def test_a_rule_has_a_name_that_llama_cpp_reads():
    """Letters, figures and hyphens: anything else ends a name there."""
    grammar = write_grammar(ToolSet([tool(to=TEXT, n=INTEGER)]), JSON, quoted=said("Add 1 to Ann."))
    names = [line.split(" ::= ")[0] for line in grammar.splitlines()]
    assert all(re.fullmatch(r"[a-zA-Z0-9-]+", name) for name in names)
    assert PLACEHOLDERS[0] in grammar
