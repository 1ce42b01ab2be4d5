"""What a `response_format` demands, and what an answer amounts to in it."""

import json

import pytest
from pydantic import BaseModel, RootModel, ValidationError
from typing_extensions import TypedDict

from langchain_toolemu.contract.response_format import (
    answer_in,
    bindable_form,
    demands_object,
    is_json,
    misfits,
    read_form,
    suspect_opening,
)
from langchain_toolemu.tools import read_tools
from tests.tables import every_row
from tests.unit_tests.turn.playing import Known, Said, order, play


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


@every_row("spelling", SPELLINGS)
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


@every_row("case", NO_OBJECTS)
def test_an_answer_that_is_no_object_is_an_argument(case):
    """A call has named arguments: a list or a value is one of them, and comes out of it again."""
    schema, name, field = NO_OBJECTS[case]
    form = read_form(schema)
    (tool,) = read_tools([form.tool()])
    assert (form.name, form.field, list(tool.properties), tool.required) == (name, field, [field], (field,))  # fmt: skip
    assert form.answer({field: ["Rome"]}) == ["Rome"]
    assert form.response_format(as_object=True)["json_schema"]["schema"] == form.parameters
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


@every_row(
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


@every_row(("given", "expected"), BINDABLE)
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


CITY = read_form({"title": "City", "type": "object", "properties": {"name": {"type": "string"}, "area": {"type": "integer"}}, "required": ["name"]})  # fmt: skip
NAME_LIST = read_form({"title": "Names", "type": "array", "items": {"type": "string"}})
SIZES = read_form({"title": "Sizes", "type": "object", "additionalProperties": {"type": "integer"}})  # fmt: skip
ROME = {"name": "Rome"}
ANSWERS = {
    "bare": ('{"name": "Rome"}', CITY, ROME),
    "in a fence": ('```json\n{"name": "Rome"}\n```', CITY, ROME),
    "in a sentence": ('Here it is: {"name": "Rome"}', CITY, ROME),
    "as a call": ('{"name": "City", "arguments": {"name": "Rome"}}', CITY, ROME),
    "under its name": ('{"City": {"name": "Rome"}}', CITY, ROME),
    "of the schema's own name": ('{"name": "City", "area": 3}', CITY, {"name": "City", "area": 3}),
    "in another spelling": ('{"name": "Rome", "area": "3"}', CITY, {"name": "Rome", "area": 3}),
    "a list": ('["a", "b"]', NAME_LIST, ["a", "b"]),
    "a list in a fence": ('```json\n["a"]\n```', NAME_LIST, ["a"]),
    "a list in a fence, after words": ('Here:\n```json\n["a"]\n```', NAME_LIST, ["a"]),
    "a list in one of two fences": ('```\n["a"]\n```\n```\n["b"]\n```', NAME_LIST, None),
    "a list after a thought": ('<think>["b"]?</think>["a"]', NAME_LIST, ["a"]),
    "a list in a sentence": ("See [1].", NAME_LIST, None),
    "a list in the call's arguments": ('{"items": ["a"]}', NAME_LIST, ["a"]),
    "a number": ("3", read_form({"type": "integer"}), 3),
    "with a further key": ('{"name": "Rome", "river": "Tiber"}', CITY, {"name": "Rome", "river": "Tiber"}),
    "a map": ('{"Rome": 3}', SIZES, {"Rome": 3}),
    "a map in a fence": ('```json\n{"Rome": 3}\n```', SIZES, {"Rome": 3}),
    "a map as a call": ('{"name": "Sizes", "arguments": {"Rome": 3}}', SIZES, {"Rome": 3}),
    "a map, a wrong type": ('{"Rome": "large"}', SIZES, None),
    "a list as a call": ('{"name": "Names", "arguments": {"items": ["a"]}}', NAME_LIST, ["a"]),
    "one missing": ('{"area": 3}', CITY, None),
    "a wrong type": ('{"name": "Rome", "area": "large"}', CITY, None),
    "words": ("Rome.", CITY, None),
    "two": ('{"name": "Rome"}\n{"name": "Bonn"}', CITY, None),
    "nothing": ("", CITY, None),
}  # fmt: skip


@every_row("case", ANSWERS)
def test_an_answer_is_found_in_any_dress(case):
    """Bare, fenced, in a sentence or as a call of the form: what fits is the answer, and nothing else is."""
    text, form, expected = ANSWERS[case]
    assert answer_in(text, form) == expected


OPENINGS = [
    ("", "possible"),
    ("  ", "possible"),
    ("Well", "refusal"),
    ("```json", "refusal"),
    ("{", "possible"),
    ('{"ar', "possible"),
    ('{"area":', "none"),
    ('{"name"', "possible"),
    ('{"name": ', "possible"),
    ('{"name": "Ci', "possible"),
    ('{"name": "Ro', "none"),
    ('{"name": 3', "none"),
    ('{"name": "City"', "possible"),
    ('{"name": "City"}', "none"),
    ('{"name": "City", "ar', "possible"),
    ('{"name": "City", "area"', "none"),
    ('{"name": "City", "arguments"', "refusal"),
    ('{"City": {', "refusal"),
    ('{"name": "City' + " " * 200, "none"),
    ("[", "refusal"),
]


@every_row(("opening", "expected"), OPENINGS)
def test_an_answer_is_shown_as_soon_as_it_cannot_be_a_call(opening, expected):
    """The first key is enough where it is none of a call's; no answer is held longer than an opening."""
    assert suspect_opening(opening, CITY, 160) == expected


@pytest.mark.parametrize(("opening", "expected"), [("[", "none"), ("{", "refusal"), ("3", "refusal")])  # fmt: skip
def test_a_list_is_shown_as_soon_as_it_is_one(opening, expected):
    """What begins as another kind of value is held to its end."""
    assert suspect_opening(opening, NAME_LIST, 160) == expected


MISFITS = [
    (ROME, CITY, ()),
    ({"area": 3}, CITY, ("name: required, but missing",)),
    (["a"], NAME_LIST, ()),
    ([{"a": 1}], NAME_LIST, ('[0]: expected string, got {"a": 1}',)),
]


@pytest.mark.parametrize(("answer", "form", "expected"), MISFITS)
def test_what_is_wrong_with_an_answer_is_said(answer, form, expected):
    """In the words of the check of arguments."""
    said = [one.removeprefix("items") for one in misfits(json.dumps(answer), form)]
    assert tuple(said) == expected


def test_an_answer_that_broke_off_is_no_json():
    """Its beginning says nothing of the rest."""
    assert misfits('{"name": "Ro', CITY) == ("it is no JSON",)


def test_a_text_is_an_answer_if_it_is_nothing_else():
    """White space aside."""
    assert is_json(' {"name": "Rome"}\n', ROME)
    assert not is_json('```json\n{"name": "Rome"}\n```', ROME)


FORM = {"title": "City", "type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}  # fmt: skip
JSON_MODE = {"response_format": {"type": "json_object"}}
CALL = '{"name": "City", "arguments": {"name": "Rome"}}'


class NamedCity(BaseModel):
    """A city."""

    name: str


def misfit():
    try:
        NamedCity()
    except ValidationError as error:
        return error


CLASS, MISFIT = {"response_format": NamedCity}, misfit()


def demanded(native=None):
    """An order for an answer in a form; `native` is how the server is told of it."""
    asked = order("Which city?", tools=(), form=FORM)
    object.__setattr__(asked, "native", native or asked.constraint)
    return asked


PLAYS = {
    "it fits": (['{"name": "Rome"}'], None, "native", 1),
    "JSON mode, it fits": (['{"name": "Rome"}'], JSON_MODE, "native", 1),
    "JSON mode, one missing": (['{"area": 1}', CALL], JSON_MODE, "emulated", 2),
    "JSON mode of Ollama": (['{"area": 1}', CALL], {"format": "json"}, "emulated", 2),
    "as a call": ([CALL], None, "rescued", 1),
    "JSON mode, as a call": ([CALL], JSON_MODE, "rescued", 1),
    "in a sentence": ([f"Well: {CALL}"], None, "rescued", 1),
    "no JSON": (["Rome.", CALL], None, "emulated", 2),
    "another kind": (["[]", CALL], None, "emulated", 2),
    "a class, it fits": (['{"name": "Rome"}'], CLASS, "native", 1),
    "a class, another kind": (["[]", CALL], CLASS, "emulated", 2),
    "a class, the client complains": (
        [Said('{"area": 1}', error=MISFIT), CALL],
        CLASS,
        "emulated",
        2,
    ),
}


@every_row("size", [None, 1, 7, 1000])
@pytest.mark.parametrize("case", PLAYS)
def test_a_native_answer_has_its_form_or_is_asked_for_in_text(case, size):
    """The same answer in any pieces, in one request where the first reply holds it."""
    replies, native, path, requests = PLAYS[case]
    known = Known(verdict="native")
    played = play(*replies, order=demanded(native), known=known, size=size, mode="fallback")  # fmt: skip
    assert played.message.content == '{"name": "Rome"}'
    assert (played.report["path"], len(played.requests)) == (path, requests)


@pytest.mark.parametrize("size", [None, 1, 7, 1000])
def test_a_native_answer_that_was_shown_and_is_wrong_is_told_of(size):
    """Partial objects stream from a server that decodes under a schema: what turns out wrong at the end is kept in any pieces, with a warning."""
    known = Known(verdict="native")
    played = play(
        '{"area": 1}', order=demanded(), known=known, size=size, mode="fallback", keeps_forms=True
    )
    assert (played.message.content, len(played.requests)) == ('{"area": 1}', 1)
    (told,) = played.report["warnings"]
    assert told == "the native answer does not fit the response format: name: required, but missing"
