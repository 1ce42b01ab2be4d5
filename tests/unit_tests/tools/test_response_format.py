"""Every spelling of a response format is one form, and the form is a tool."""

import pytest
from pydantic import BaseModel
from typing_extensions import TypedDict

from langchain_toolemu.tools import read_tools
from langchain_toolemu.tools.response_format import read_form


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


@pytest.mark.parametrize("free", [None, {"type": "text"}, {"type": "json_object"}])
def test_what_demands_no_schema_is_no_form(free):
    """Text, and JSON of any shape, are not a form."""
    assert read_form(free) is None


def test_a_form_never_takes_a_tools_name():
    """Beside a tool of the same name the form has another, or a call could not be told from an answer."""
    assert read_form(City, [read_form(City).tool()]).name == "City_answer"
