"""Every spelling of a response format is one form, and the form is a tool."""

import pytest
from pydantic import BaseModel, RootModel
from typing_extensions import TypedDict

from langchain_toolemu.tools import read_tools
from langchain_toolemu.tools.response_format import bindable_form, demands_object, read_form


class City(BaseModel):
    """A city."""

    name: str


class CityDict(TypedDict):
    """A city."""

    name: str


SCHEMA = {
    "title": "City",
    "description": "A city.",
    "type": "object",
    "properties": {"name": {"type": "string"}},
    "required": ["name"],
}
SPELLINGS = {
    "a pydantic class": (City, "City"),
    "a TypedDict": (CityDict, "CityDict"),
    "a JSON schema": (SCHEMA, "City"),
    "OpenAI's dict": (
        {"type": "json_schema", "json_schema": {"name": "City", "schema": SCHEMA, "strict": True}},
        "City",
    ),
    "its inner dict": ({"name": "City", "schema": SCHEMA}, "City"),
    "llama.cpp's dict": ({"type": "json_schema", "schema": SCHEMA}, "City"),
    "a schema without a name": (
        {"type": "json_schema", "schema": {"type": "object", "properties": {"name": {}}}},
        "answer",
    ),
    "a JSON schema without a name": (
        {"type": "object", "properties": {"name": {"type": "string"}}},
        "answer",
    ),
}


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_every_spelling_is_one_form(spelling):
    """A name and a schema come out of whatever demands one."""
    response_format, name = SPELLINGS[spelling]
    form = read_form(response_format)
    (tool,) = read_tools([form.tool()])
    assert (form.name, tool.name, list(tool.properties)) == (name, name, ["name"])
    assert tool.description.endswith("Gives the final answer, in this form.")
    assert read_form(form.response_format()) == form


class Cities(RootModel[list[City]]):
    """Cities."""


NO_OBJECTS = {
    "a list": ({"title": "Cities", "type": "array", "items": {"type": "string"}}, "Cities", "items"),
    "a list of a class": (Cities, "Cities", "items"),
    "a list without a name": ({"type": "array"}, "answer", "items"),
    "a word": ({"title": "Mood", "enum": ["good", "bad"]}, "Mood", "value"),
    "a number": ({"title": "Age", "type": "integer"}, "Age", "value"),
    "a word by reference": ({"title": "M", "$ref": "#/$defs/Mood", "$defs": {"Mood": {"enum": ["good"]}}}, "M", "value"),
    "a list or a number": ({"title": "L", "anyOf": [{"type": "array"}, {"type": "number"}]}, "L", "value"),
    "a list or nothing": ({"title": "Maybe", "type": ["array", "null"]}, "Maybe", "value"),
}  # fmt: skip


@pytest.mark.parametrize("case", NO_OBJECTS)
def test_an_answer_that_is_no_object_is_an_argument(case):
    """A call has named arguments: a list or a value is one of them, and comes out of it again."""
    schema, name, field = NO_OBJECTS[case]
    form = read_form(schema)
    (tool,) = read_tools([form.tool()])
    assert (form.name, form.field, list(tool.properties), tool.required) == (name, field, [field], (field,))  # fmt: skip
    assert form.answer({field: ["Rome"]}) == ["Rome"]
    assert form.constraint()["json_schema"]["schema"] == form.parameters
    assert read_form(form.response_format()) == form
    assert not demands_object(schema)


def test_definitions_stay_where_references_look_for_them():
    """Around a list they move to the root with it."""
    schema = {"type": "array", "items": {"$ref": "#/$defs/City"}, "$defs": {"City": {}}}
    assert read_form(schema).parameters == {
        "type": "object",
        "properties": {"items": {"type": "array", "items": {"$ref": "#/$defs/City"}}},
        "required": ["items"],
        "$defs": {"City": {}},
    }


@pytest.mark.parametrize(
    "schema",
    [
        {"title": "Any", "type": "object"},
        {"title": "Either", "anyOf": [SCHEMA, SCHEMA]},
        {"title": "Maybe", "anyOf": [SCHEMA, {"type": "null"}]},
        {"title": "There", "$ref": "#/$defs/City", "$defs": {"City": SCHEMA}},
        {"title": "Nowhere", "$ref": "#/$defs/City"},
        {"title": "Circle", "$ref": "#/$defs/A", "$defs": {"A": {"$ref": "#/$defs/A"}}},
    ],
)
def test_a_schema_without_properties_is_kept_whole(schema):
    """LangChain describes a schema by its properties; one that has none says what it says all the same."""
    form = read_form(schema)
    assert (form.name, form.parameters, form.field) == (schema["title"], schema, None)


NAMES = {"title": "Names", "type": "array"}
IN_OPENAI = {"type": "json_schema", "json_schema": {"name": "N", "strict": True, "schema": NAMES}}
BINDABLE = [
    (NAMES, {"name": "Names", "schema": NAMES}),
    (IN_OPENAI, {"name": "N", "strict": True, "schema": NAMES}),
    (SCHEMA, SCHEMA),
    (City, City),
    (None, None),
    ({"type": "json_object"}, {"type": "json_object"}),
]


@pytest.mark.parametrize(("given", "expected"), BINDABLE)
def test_a_schema_that_langchain_makes_no_tool_of_is_bound_by_its_name(given, expected):
    """All others are bound as they are."""
    assert bindable_form(given) == expected


@pytest.mark.parametrize("free", [None, {"type": "text"}, {"type": "json_object"}])
def test_what_demands_no_schema_is_no_form(free):
    """Text, and JSON of any shape, are not a form."""
    assert read_form(free) is None


def test_a_form_never_takes_a_tools_name():
    """Beside a tool of the same name the form has another, or a call could not be told from an answer."""
    assert read_form(City, [read_form(City).tool()]).name == "City_answer"
