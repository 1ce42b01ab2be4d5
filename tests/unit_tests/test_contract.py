"""What the contract says: rules, signatures, examples, reminder."""

from enum import Enum
from typing import Literal

import pytest
from langchain_core.messages import HumanMessage
from pydantic import BaseModel, Field

from langchain_toolemu.contract import write_contract
from langchain_toolemu.contract.examples import MAX_EXAMPLES, example_value
from langchain_toolemu.contract.signatures import write_signature
from langchain_toolemu.dialects import DIALECTS, JSON
from langchain_toolemu.tools import (
    ANY,
    AUTO,
    ToolChoice,
    ToolSet,
    ToolSpec,
    read_tools,
    to_openai_tools,
)


class Color(Enum):
    RED = "red"
    BLUE = "blue"


class Address(BaseModel):
    street: str = Field(description="with the number")
    zip: str | None = None


class Order(BaseModel):
    """Send an order."""

    items: list[Literal["tea", "milk"]] = Field(description="What to send")
    to: Address
    color: Color = Color.RED
    count: int = Field(1, ge=1, le=9)
    notes: dict[str, str] | None = Field(None, description="By item")


class Tree(BaseModel):
    """A tree."""

    name: str
    children: "list[Tree]" = []


def spec(tool):
    (found,) = read_tools(to_openai_tools([tool]))
    return found


def test_a_signature_leaves_nothing_out():
    """Names, types, enums, required marks, defaults, limits and descriptions are all there, in a few lines."""
    assert write_signature(spec(Order)) == (
        'Order(items: ("tea" | "milk")[], '
        "to: {street: string /* with the number */, zip?: string | null}, "
        'color?: "red" | "blue" = "red", '
        "count?: integer (min 1, max 9) = 1, "
        "notes?: {[key]: string} | null)\n"
        "  Send an order.\n"
        "  items: What to send\n"
        "  notes: By item"
    )


TYPES = [
    ({"type": "string"}, "string"),
    ({"type": ["string", "null"]}, "string | null"),
    ({"const": 3}, "3"),
    ({"enum": ["a", 1, None]}, '"a" | 1 | null'),
    (
        {"anyOf": [{"type": "integer"}, {"type": "array", "items": {"type": "string"}}]},
        "integer | string[]",
    ),
    ({"allOf": [{"type": "integer"}], "minimum": 0}, "integer (min 0)"),
    ({"type": "object"}, "object"),
    ({"type": "array"}, "any[]"),
    ({"$ref": "#/$defs/Missing"}, "any"),
    ({"type": "string", "format": "date"}, "string (format date)"),
    (True, "any"),
    ({}, "any"),
]


@pytest.mark.parametrize(("schema", "written"), TYPES)
def test_types_are_written_briefly(schema, written):
    """Each kind of JSON Schema has a short form that says the same."""
    tool = ToolSpec("f", "", {"properties": {"x": schema}, "required": ["x"]})
    assert write_signature(tool) == f"f(x: {written})"


def test_a_schema_that_contains_itself_ends():
    """A recursive schema is written to a depth at which nobody reads on."""
    schema = Tree.model_json_schema()
    tool = ToolSpec(
        "plant",
        "",
        {"$defs": schema["$defs"], "properties": {"tree": schema}, "required": ["tree"]},
    )
    assert write_signature(tool).startswith("plant(tree: {name: string, children?: {name: string")


def a_tool(name="get_weather"):
    return ToolSpec(
        name,
        "Get the weather.",
        {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
    )


def test_the_prefix_does_not_depend_on_the_choice():
    """Rules, tool list and examples are the same for every choice, so that prompt caches hold."""
    contracts = [
        write_contract(ToolSet([a_tool()]), choice, JSON)
        for choice in (AUTO, ANY, ToolChoice("named", "get_weather"))
    ]
    assert len({(contract.system, contract.examples) for contract in contracts}) == 1
    assert [bool(contract.reminder) for contract in contracts] == [False, True, True]
    assert "get_weather" in contracts[2].reminder


@pytest.mark.parametrize("dialect", DIALECTS.values(), ids=lambda dialect: dialect.name)
def test_rules_and_examples_speak_one_dialect(dialect):
    """The form in the rules and the calls in the examples are written in the dialect asked for."""
    contract = write_contract(ToolSet([a_tool()]), AUTO, dialect)
    assert dialect.form() in contract.system
    assert dialect.write("get_weather", {"city": "example city"}) in [
        answer for _, answer in contract.examples
    ]


def test_examples_teach_to_call_and_to_answer():
    """The examples hold a plain answer, a call, an answer to its result, and calls of few other tools."""
    contract = write_contract(
        ToolSet([a_tool(f"tool_{number}") for number in range(10)]), AUTO, JSON
    )
    answers = [answer for _, answer in contract.examples]
    assert len([answer for answer in answers if answer.startswith("{")]) == MAX_EXAMPLES
    assert len([answer for answer in answers if not answer.startswith("{")]) == 2
    assert write_contract(ToolSet([a_tool()]), AUTO, JSON, examples=False).examples == ()


def test_one_call_at_a_time_is_asked_for():
    """parallel_tool_calls=False shows in the rules."""
    assert (
        "one call at a time"
        in write_contract(ToolSet([a_tool()]), AUTO, JSON, parallel=False).system
    )


VALUES = [
    ({"type": "string"}, "example x"),
    ({"type": "string", "examples": ["Ann"]}, "Ann"),
    ({"enum": ["a", "b"]}, "a"),
    ({"type": "integer", "default": 7}, 7),
    ({"const": "c"}, "c"),
    ({"type": ["null", "number"]}, 1.5),
    ({"type": "boolean"}, True),
    ({"type": "array"}, []),
    (None, "example x"),
]


@pytest.mark.parametrize(("schema", "value"), VALUES)
def test_example_values_come_from_the_schema_or_say_that_they_are_examples(schema, value):
    """No made-up value can be mistaken for one of the user's."""
    assert example_value("x", schema) == value


def test_a_tool_without_arguments_has_an_example():
    """A tool without arguments is called with none."""
    contract = write_contract(ToolSet([ToolSpec("now", "", {})]), AUTO, JSON)
    assert ("Use now.", '{"name": "now", "arguments": {}}') in contract.examples
    assert HumanMessage(contract.system).content
