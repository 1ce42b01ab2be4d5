"""What a reply may look like, and what its values may be quoted from."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from langchain_toolemu.contract.dialects import DIALECTS, JSON, Dialect
from langchain_toolemu.contract.example_values import PLACEHOLDERS
from langchain_toolemu.contract.grammar import (
    MAX_WORDS,
    Quotations,
    quotations,
    write_grammar,
    write_schema,
)
from langchain_toolemu.tools import ToolSet, ToolSpec
from tests.tables import every_row


class Tree(BaseModel):
    """A tree."""

    name: str
    children: "list[Tree]" = []


def rules(*tools, **options):
    written = write_grammar(ToolSet(tools), options.pop("dialect", JSON), **options)
    return dict(line.split(" ::= ", 1) for line in written.splitlines())


def tool(schema, required=("x",)):
    properties = {"x": schema}
    return ToolSpec(
        "f", "", {"type": "object", "properties": properties, "required": list(required)}
    )


def test_a_reply_is_words_or_calls():
    """The first letter decides: words never begin as a call does, and a demanded call leaves no room for them."""
    assert rules(tool({}))["root"] == "calls | words"
    assert rules(tool({}), words=False)["root"] == "calls"
    assert rules()["root"] == "words"
    assert rules(tool({}))["words"].startswith(r"[ \t\n]{0,4} [^ \t\n{]")


@pytest.mark.parametrize("dialect", DIALECTS.values(), ids=lambda dialect: dialect.name)
def test_words_may_not_begin_like_the_dialect(dialect):
    """Whatever opens a call cannot open an answer."""
    first = (dialect.opening or "{")[0]
    assert rules(tool({}), dialect=dialect)["words"].startswith(rf"[ \t\n]{{0,4}} [^ \t\n{first}]")


def test_several_calls_only_where_they_are_wanted():
    """`parallel` allows one call below the other."""
    assert rules(tool({}))["calls"] == r'call ("\n" call)*'
    assert rules(tool({}), parallel=False)["calls"] == "call"
    listed = Dialect("list", opening="[", closing="]", between=", ")
    assert rules(tool({}), dialect=listed)["calls"] == '"[" call (", " call)* "]"'
    assert rules(tool({}), dialect=listed, parallel=False)["calls"] == '"[" call "]"'


TYPES = [
    ({"type": "string"}, "string"),
    ({"type": "integer"}, "integer"),
    ({"type": ["number", "null"]}, "number | null"),
    ({"enum": ["a", 'b"']}, r'"\"a\"" | "\"b\\\"\""'),
    ({"const": 3}, '"3"'),
    ({"type": "array"}, "list"),
    ({"type": "object"}, "table"),
    ({}, "value"),
]


@every_row(("schema", "body"), TYPES)
def test_each_kind_of_schema_has_its_rule(schema, body):
    """A value can only be what its schema says."""
    assert rules(tool(schema))["s8"] == body


def test_names_and_keys_are_fixed():
    """No name or key can be invented: everything but the values is spelt out."""
    call = rules(tool({"type": "string"}))["call"]
    assert call == r'"{\"name\": \"f\", \"arguments\": " "{" "\"x\": " s8 "}" "}"'


def test_what_is_required_must_come_and_the_rest_may():
    """Required members come first, each once; the others follow or stay out."""
    spec = ToolSpec(
        "f",
        "",
        {"properties": {"a": {}, "b": {}, "c": {}}, "required": ["b"]},
    )
    assert r'"{" "\"b\": " s9 (", " "\"a\": " s8)? (", " "\"c\": " s10)? "}"' in rules(spec)["call"]
    free = ToolSpec("f", "", {"properties": {"a": {}, "b": {}}})
    assert r'"{" ("\"a\": " s8 (", " "\"b\": " s9)? | "\"b\": " s9)? "}"' in rules(free)["call"]


def test_a_tool_without_arguments_takes_none():
    """An empty object is all that fits."""
    assert rules(ToolSpec("now", "", {}))["call"].endswith('"{}" "}"')


def test_a_schema_that_contains_itself_ends():
    """A recursive schema becomes rules that name each other."""
    schema = Tree.model_json_schema()
    tree = {"$ref": "#/$defs/Tree"}
    written = rules(
        ToolSpec("f", "", {"$defs": schema["$defs"], "properties": {"x": tree}, "required": ["x"]})
    )
    assert "s10" in written["s8"]
    assert "s11" in written["s10"]
    assert "s10" in written["s11"]


def test_a_schema_admits_one_call():
    """One call of one of the tools, with its own arguments; or of nothing, where nothing may be called."""
    one, two = tool({"type": "string"}), ToolSpec("now", "", {})
    (first, second) = write_schema(ToolSet([one, two]), JSON)["anyOf"]
    assert first["properties"]["name"] == {"const": "f"}
    assert first["properties"]["arguments"]["properties"] == {"x": {"type": "string"}}
    assert second["properties"]["arguments"]["properties"] == {}
    assert write_schema(ToolSet([one]), JSON)["properties"]["name"] == {"const": "f"}
    assert len(write_schema(ToolSet([one]), JSON, none=True)["anyOf"]) == 2


NUMBER = {"type": "number"}
INTEGER = {"type": "integer"}
TEXT = {"type": "string"}


def said(text: str) -> Quotations:
    found = quotations([text])
    assert found is not None
    return found


def tool_with(**properties):
    return ToolSpec("f", "", {"properties": properties, "required": list(properties)})


def ways(text: str, **properties):
    """The rules that take the place of the free ones."""
    return list(said(text).ways(tool_with(**properties)))


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


@every_row(
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
    offers = tool_with(platform={"type": "string", "default": "all platforms"})
    grammar = write_grammar(ToolSet([offers]), JSON, quoted=said("How good is it?"))
    assert 'quoted | "\\"all platforms\\""' in grammar


def test_without_examples_there_are_none_to_copy():
    """Where no examples were shown, or a call is demanded, values can only be quoted."""
    found = quotations(["Hi Ann"])
    assert len(list(found.ways(tool_with(to=TEXT), copied=False))) == 1


def test_an_answer_is_in_its_own_words():
    """The tool whose call is the answer in its form takes any values."""
    found = quotations(["Hi Ann"], answer="f")
    assert list(found.ways(tool_with(to=TEXT))) == [{}]


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
    tools = ToolSet([tool_with(on={"type": "boolean"}), ToolSpec("now", "", {})])
    grammar = write_grammar(tools, JSON, quoted=said("Switch it on."))
    (call,) = [line for line in grammar.splitlines() if line.startswith("call ::=")]
    assert call.count(" | ") == 1


def test_a_rule_has_a_name_that_llama_cpp_reads():
    """Letters, figures and hyphens: anything else ends a name there."""
    grammar = write_grammar(
        ToolSet([tool_with(to=TEXT, n=INTEGER)]), JSON, quoted=said("Add 1 to Ann.")
    )
    names = [line.split(" ::= ")[0] for line in grammar.splitlines()]
    assert all(re.fullmatch(r"[a-zA-Z0-9-]+", name) for name in names)
    assert PLACEHOLDERS[0] in grammar
