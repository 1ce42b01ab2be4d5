"""Grammars for replies: what they allow, in llama.cpp's own notation."""

import pytest
from pydantic import BaseModel

from langchain_toolemu.contract.dialects import DIALECTS, JSON
from langchain_toolemu.contract.grammar import write_grammar, write_schema
from langchain_toolemu.tools import ToolSet, ToolSpec


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


@pytest.mark.parametrize(("schema", "body"), TYPES)
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
