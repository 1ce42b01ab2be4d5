"""Examples and signatures read a schema as validation does: every example call is valid, and no type is lost."""

import datetime
import json
from enum import Enum
from pathlib import Path
from typing import Annotated, Any, Literal, Optional

import pytest
from pydantic import BaseModel, Field

from langchain_toolemu.contract import SMALLEST, write_contract
from langchain_toolemu.contract.dialects import JSON, MARKDOWN
from langchain_toolemu.contract.example_values import Values, copied_values, fits
from langchain_toolemu.contract.examples import write_four
from langchain_toolemu.contract.tool_list import write_signature
from langchain_toolemu.reader import Reader
from langchain_toolemu.reader.events import Call
from langchain_toolemu.tools import AUTO, ToolSet, ToolSpec, read_tools, to_openai_tools
from langchain_toolemu.validation import fit
from tests.tables import every_row

ROOT = Path(__file__).parents[2]


class Color(Enum):
    RED = "red"
    BLUE = "blue"


class Point(BaseModel):
    x: float
    y: float | None = None


class Node(BaseModel):
    name: str
    children: list["Node"] = []


# A Python type, and how its argument is listed.
TYPES: list[tuple[Any, str]] = [
    (str, "string"),
    (int, "integer"),
    (float, "number"),
    (bool, "boolean"),
    (int | None, "integer | null"),
    (Optional[str], "string | null"),  # noqa: UP045 - as people write it
    (int | str, "integer | string"),
    (list[int], "integer[]"),
    (list[int | None], "(integer | null)[]"),
    (list[list[str]], "string[][]"),
    (tuple[int, str], "[integer, string] (min items 2, max items 2)"),
    (tuple[int, ...], "integer[]"),
    (set[str], "string[] (no item twice)"),
    (dict[str, int], "{[key]: integer}"),
    (dict[str, Any], "object"),
    (Literal["a", "b"], '"a" | "b"'),
    (Literal[1, "b"], '1 | "b"'),
    (Color, '"red" | "blue"'),
    (Point, "{x: number, y?: number | null}"),
    (list[Point], "({x: number, y?: number | null})[]"),
    (Point | None, "{x: number, y?: number | null} | null"),
    (datetime.date, "string (format date)"),
    (datetime.date | None, "string (format date) | null"),
    (Annotated[int, Field(ge=1, le=9)], "integer (min 1, max 9)"),
    (Annotated[int, Field(gt=0, multiple_of=5)], "integer (above 0, multiple of 5)"),
    (Annotated[float, Field(gt=0, lt=1)], "number (above 0, below 1)"),
    (Annotated[str, Field(min_length=8)], "string (min length 8)"),
    (Annotated[str, Field(max_length=3)], "string (max length 3)"),
    (Annotated[str, Field(pattern="^[A-Z]{2}$")], "string (pattern ^[A-Z]{2}$)"),
    (Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}$")], r"string (pattern ^\d{4}-\d{2}-\d{2}$)"),
    (Annotated[list[int], Field(min_length=3)], "integer[] (min items 3)"),
    (Annotated[list[int], Field(max_length=1)], "integer[] (max items 1)"),
    (Any, "any"),
]  # fmt: skip


def tool_of(annotation):
    """A tool with one required argument of a type."""

    class Tool(BaseModel):
        """Do it."""

        x: annotation

    (spec,) = read_tools(to_openai_tools([Tool]))
    return spec


@every_row(("annotation", "written"), TYPES)
def test_no_type_is_lost(annotation, written):
    """What a type allows stands in the signature."""
    assert write_signature(tool_of(annotation)).splitlines()[0] == f"Tool(x: {written})"


@every_row(("annotation", "written"), TYPES)
def test_an_example_of_any_type_is_valid(annotation, written):
    """What an example shows is what validation accepts, without a repair."""
    tool = tool_of(annotation)
    fitted = fit(Values().arguments(tool), tool.schema)
    assert (fitted.errors, fitted.notes) == ((), ())


def test_a_tree_has_an_example():
    """A schema that contains itself is filled in as far as it must be."""
    assert Values().arguments(tool_of(Node)) == {"x": {"name": "Zorbel"}}


REAL = read_tools(json.loads((ROOT / "real_tools.json").read_text()))


def read(tool, text):
    reader = Reader(ToolSet([tool]))
    return [*reader.feed(text), *reader.close()]


@pytest.mark.parametrize("tool", REAL, ids=lambda tool: tool.name)
def test_every_call_in_the_examples_is_valid(tool):
    """The calls in a contract, read by the reader, pass validation as they stand."""
    contract = write_contract(ToolSet([tool]), AUTO, JSON, template=SMALLEST)
    calls = [
        event
        for _, answered in contract.examples
        for event in read(tool, answered)
        if isinstance(event, Call)
    ]
    assert calls
    assert all(fits(tool, call.args) for call in calls)


OFFERED = [
    ({"type": "integer", "examples": [7]}, 7),
    ({"type": "integer", "examples": ["seven"]}, 4173),
    ({"type": "integer", "default": 3}, 3),
    ({"type": "integer", "default": "three"}, 4173),
    ({"anyOf": [{"type": "null"}, {"enum": ["a"]}]}, "a"),
]


@pytest.mark.parametrize(("schema", "value"), OFFERED)
def test_an_offered_value_is_used_if_it_fits(schema, value):
    """An example or a default that its own schema refuses is not shown."""
    tool = ToolSpec("tool", "", {"properties": {"x": schema}})
    assert Values().arguments(tool) == {"x": value}


FORMS = [
    ("The city, in the format 'City, State'.", "Zorbel, QZ", "Zorbel"),
    ("Where, in the format 'City, State', such as 'Berkeley, CA' or 'New York, NY'.", "Zorbel, QZ", "Zorbel"),
    ("City and state, e.g. Denver, CO", "Zorbel, QZ", "Zorbel"),
    ("The town, for example, 'Paris, France'.", "Zorbel, Hargland", "Zorbel"),
    ("The date in the format YYYY-MM-DD.", "2613-04-17", "17 April 2613"),
    ("Given as dd/mm/yyyy; must lie in the future.", "17/04/2613", "17 April 2613"),
    ("DD-MMM-YYYY", "17-Apr-2613", "17 April 2613"),
    ("The time as HH:MM.", "14:30", "14:30"),
    ("ISO 8601 (YYYY-MM-DDTHH:MM:SS)", "2613-04-17T14:30:00", "2613-04-17T14:30:00"),
]  # fmt: skip
NO_FORMS = [
    "", "The city.", "The city, such as 'San Francisco'.", "A point such as '37.77, -122.41'.", "The season as YYYY-YYYY.",
    "Street and town, e.g. '12 Main Street, Springfield'.", "A colour like 'red' or 'blue'.", "Filed in MM-DD-YYY.", "My, oh my, sss.",
]  # fmt: skip


def city_tool(description, **schema):
    return ToolSpec("book", "Book it.", {"properties": {"at": {"type": "string", "description": description, **schema}}})  # fmt: skip


@every_row(("description", "written", "spoken"), FORMS)
def test_an_example_has_the_form_that_a_description_asks_for(description, written, spoken):
    """Its user says the value in other words: what is shown is to write what is meant, not what was said."""
    tool = city_tool(description)
    values = Values()
    assert values.arguments(tool) == {"at": written}
    assert values.say({"at": written}) == f"at {spoken}"
    assert [*copied_values({"at": written}, [])] or written == "14:30"


@every_row("description", NO_FORMS)
def test_an_example_without_a_form_has_a_word(description):
    """A mere sample is no form, and neither is one that is not known."""
    assert Values().arguments(city_tool(description)) == {"at": "Zorbel"}


def test_a_form_that_the_schema_refuses_is_not_shown():
    """The schema is what a call is held to."""
    tool = city_tool("In the format 'City, State'.", maxLength=8)
    assert Values().arguments(tool) == {"at": "Zorbel"}


def test_a_part_of_a_form_that_comes_back_was_copied():
    """A made-up region beside a city of the user's is copied all the same."""
    assert [*copied_values({"at": "Boston, QZ"}, ["Fly from Boston."])] == [("at", "QZ")]


def test_a_tool_that_has_no_valid_example_is_not_shown():
    """A pattern that no known spelling matches leaves a tool without an example."""
    pattern = {"type": "string", "pattern": "^x{3}y{7}$"}
    odd = ToolSpec("odd", "", {"properties": {"code": pattern}, "required": ["code"]})
    plain = ToolSpec("plain", "", {"properties": {"code": {"type": "string"}}})
    shown = write_contract(ToolSet([odd, plain]), AUTO, JSON, template=SMALLEST).examples
    assert not any('"odd"' in answered for _, answered in shown)
    assert any('"plain"' in answered for _, answered in shown)
    none = write_contract(ToolSet([odd]), AUTO, JSON, template=SMALLEST).examples
    assert not any("odd" in answered for _, answered in none)


def weather(city: str) -> None:
    """Get the weather."""


def add(a: int, b: int) -> None:
    """Add two numbers."""


TWO_TOOLS = read_tools(to_openai_tools([weather, add]))


def test_two_things_are_asked_for_in_one_example():
    """A request for two things has a call for each; one whose second part needs the first one's result has one."""
    *_, (asked, pair), (asked_next, single) = write_four(TWO_TOOLS, MARKDOWN, "")
    assert asked == "Get the weather: city Zorbel, and city Quimfa."
    assert pair.count('"name": "weather"') == 2
    assert (
        asked_next == "Get the weather: city Drunvik. Then: Add two numbers: a 4173, b the result."
    )
    assert single.count('"name"') == 1


def test_no_example_makes_two_calls_where_one_is_allowed():
    """With one call at a time, the examples are those of one call; a tool without arguments is never called twice either."""
    one = write_contract(TWO_TOOLS, AUTO, MARKDOWN, parallel=False)
    assert one.system.count('"name": "weather"') == 1
    bare = ToolSet([ToolSpec("now", "Get the time.", {"type": "object", "properties": {}})])
    assert len(write_four(bare, MARKDOWN, "")) == 3
