"""What the contract says: rules, signatures, examples, reminder."""

from dataclasses import replace
from enum import Enum
from typing import Literal

import pytest
from langchain_core.messages import HumanMessage
from pydantic import BaseModel, Field

from langchain_toolemu.contract import SMALLEST, write_contract
from langchain_toolemu.contract.dialects import DIALECTS, JSON
from langchain_toolemu.contract.example_values import (
    MADE_UP_NAMES,
    NUMBERS,
    PLACEHOLDERS,
    Values,
    copied_values,
)
from langchain_toolemu.contract.examples import ExampleWriter
from langchain_toolemu.contract.tool_list import write_signature
from langchain_toolemu.tools import (
    ANY,
    AUTO,
    ToolChoice,
    ToolSet,
    ToolSpec,
    read_tools,
    to_openai_tools,
)
from tests.tables import every_row


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


@every_row(("schema", "written"), TYPES)
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
    contract = write_contract(ToolSet([a_tool()]), AUTO, dialect, template=SMALLEST)
    assert dialect.form() in contract.system
    assert dialect.write("get_weather", {"city": PLACEHOLDERS[0]}) in [
        answer for _, answer in contract.examples
    ]


def test_examples_teach_every_step():
    """A plain answer, a call, another call after a result, an answer after a result; the last turn is a call."""
    contract = write_contract(
        ToolSet([a_tool(f"tool_{number}") for number in range(10)]), AUTO, JSON, template=SMALLEST
    )
    steps = {
        (asked.startswith("<tool_response"), answered.startswith("{"))
        for asked, answered in contract.examples
    }
    assert steps == {(False, False), (False, True), (True, True), (True, False)}
    assert contract.examples[-1][1].startswith("{")
    assert write_contract(ToolSet([a_tool()]), AUTO, JSON, examples=False).examples == ()


def test_an_example_asks_for_what_the_description_says():
    """What the user says in an example is the tool's own description, so that it teaches what the tool is for."""
    contract = write_contract(ToolSet([a_tool()]), AUTO, JSON, template=SMALLEST)
    assert contract.examples[-1][0].startswith("Get the weather: city ")


def test_no_value_is_shown_twice():
    """A value that two examples share would be worth copying."""
    contract = write_contract(ToolSet([a_tool()]), AUTO, JSON, template=SMALLEST)
    answers = [answered for _, answered in contract.examples if answered.startswith("{")]
    assert len(set(answers)) == len(answers)


def test_copied_values_are_told_from_said_ones():
    """An example's word in a call was copied, unless somebody said it."""
    args = {"city": PLACEHOLDERS[0], "days": 3}
    assert list(copied_values(args, ["Weather?"])) == [("city", PLACEHOLDERS[0])]
    assert not [*copied_values(args, [f"Weather in {PLACEHOLDERS[0]}?"])]
    assert not [*copied_values({"city": "Paris", "tags": ["a"]}, [])]
    assert not [*copied_values({"code": f"x{MADE_UP_NAMES[0]}9"}, [])]  # a part of a word


@pytest.mark.parametrize("given", [NUMBERS[0], NUMBERS[1] + 0.5, [1, NUMBERS[2]], str(NUMBERS[3])])
def test_copied_numbers_are_told_from_said_ones(given):
    """A number of an example that nobody said was copied, but not where its digits are part of another number."""
    [(argument, _)] = copied_values({"a": given}, ["Add them."])
    assert argument == "a"
    assert not [*copied_values({"a": given}, [f"Add {given}."])]
    assert not [*copied_values({"a": int(f"1{NUMBERS[0]}")}, [])]


@pytest.mark.parametrize("recipe", [SMALLEST, replace(SMALLEST, examples_as_turns=False)])
def test_a_recipe_says_where_examples_stand(recipe):
    """The rules stand in the system message, and examples are turns or told in the rules."""
    contract = write_contract(ToolSet([a_tool()]), AUTO, JSON, template=recipe)
    assert "get_weather(city: string)" in contract.system
    assert ("Examples of how" in contract.system) is (not recipe.examples_as_turns)


def test_one_call_at_a_time_is_asked_for():
    """parallel_tool_calls=False shows in the rules."""
    assert (
        "one call at a time"
        in write_contract(ToolSet([a_tool()]), AUTO, JSON, parallel=False).system
    )


VALUES = [
    ({"type": "string"}, PLACEHOLDERS[0]),
    ({"enum": ["a", "b"]}, "a"),
    ({"type": "integer"}, NUMBERS[0]),
    ({"type": "integer", "maximum": 10}, 9),
    ({"type": "integer", "minimum": 9999}, 10000),
    ({"type": "integer", "exclusiveMinimum": 0, "exclusiveMaximum": 10}, 5),
    ({"type": "number", "minimum": 0, "maximum": 1}, 0.5),
    ({"const": "c"}, "c"),
    ({"type": ["null", "number"]}, NUMBERS[0] + 0.5),
    ({"type": "boolean"}, True),
    ({"type": "array", "items": {"type": "string"}}, [PLACEHOLDERS[0], PLACEHOLDERS[1]]),
    ({"type": "array", "items": {"type": "integer"}}, [NUMBERS[0], NUMBERS[1]]),
    ({"type": "object"}, {}),
    (None, PLACEHOLDERS[0]),
]


@every_row(("schema", "value"), VALUES)
def test_example_values_fit_the_schema(schema, value):
    """A made-up value is of the right type, and if a word, then one that nobody takes for the user's."""
    tool = ToolSpec("tool", "", {"properties": {"x": schema}})
    assert Values().arguments(tool) == {"x": value}


def test_two_calls_of_one_tool_are_an_example():
    """Each has its own values, and the request names both."""
    asked, answered = ExampleWriter(JSON, "").calls(a_tool())
    first, second = PLACEHOLDERS[:2]
    assert asked.endswith(f": city {first}, and city {second}.")
    calls = [("get_weather", {"city": city}) for city in (first, second)]
    assert answered == JSON.write_all(calls)


def test_a_tool_without_arguments_has_an_example():
    """A tool without arguments is called with none."""
    contract = write_contract(ToolSet([ToolSpec("now", "", {})]), AUTO, JSON, template=SMALLEST)
    assert ("Use now.", '{"name": "now", "arguments": {}}') in contract.examples
    assert HumanMessage(contract.system).content


def test_a_tool_without_arguments_is_not_called_again_on_its_result():
    """One such tool alone is in no example called on its own result, under a rule not to repeat a call."""
    contract = write_contract(ToolSet([ToolSpec("now", "", {})]), AUTO, JSON, template=SMALLEST)
    after_results = [
        said for asked, said in contract.examples if asked.startswith("<tool_response")
    ]
    assert after_results == ["Here is the result: example result."]
