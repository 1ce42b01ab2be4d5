"""Schemas as stricter servers take them: nothing that only some know, and what they no longer say in descriptions."""

import copy
import json
from pathlib import Path

import pytest

from langchain_toolemu.validation.loosened import flattened, without_keywords
from tests.refusing_servers import strictest
from tests.tables import every_row

REAL = json.loads((Path(__file__).parents[2] / "real_tools.json").read_text(encoding="utf-8"))
TEXT = {"type": "string"}
TREE = {"type": "object", "properties": {"next": {"$ref": "#/$defs/T"}, "value": TEXT}}

# What a property is, and what a strict server is sent of it.
ODD = [
    ({"type": "string", "pattern": "^a$"}, TEXT),
    ({"type": "string", "maxLength": 10**6}, TEXT),
    ({"const": "room"}, {**TEXT, "enum": ["room"]}),
    ({"type": "any"}, TEXT),
    ({"type": "null"}, TEXT),
    ({"type": "file"}, TEXT),
    ({"type": ["string", "null"]}, TEXT),
    ({"type": ["integer", "number"]}, {"type": "number"}),
    ({"type": ["integer", "string"]}, TEXT),
    ({"enum": []}, TEXT),
    ({"type": "integer", "enum": [1, 2]}, {"type": "integer"}),
    ({"enum": ["a", None]}, {**TEXT, "enum": ["a"]}),
    ({"$ref": "https://example.com/schema.json"}, TEXT),
    ({"$ref": "#/$defs/Missing"}, TEXT),
    ({"oneOf": []}, TEXT),
    ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, {"type": "integer"}),
    ({"allOf": [{"type": "string"}, {"minLength": 1}]}, TEXT),
    (False, TEXT),
    (True, TEXT),
    ({}, TEXT),
    ({"type": "object"}, TEXT),
    ({"type": "array"}, {"type": "array", "items": TEXT}),
    ({"type": "array", "items": False}, {"type": "array", "items": TEXT}),
    ({"type": "array", "prefixItems": [TEXT, TEXT]}, {"type": "array", "items": TEXT}),
    ({"type": "array", "items": {"enum": [1, 2]}}, {"type": "array", "items": TEXT}),
]


def refused(schema):
    tools = [{"type": "function", "function": {"name": "f", "parameters": schema}}]
    return strictest({"messages": [], "tools": tools})


def without_words(schema):
    if isinstance(schema, dict):
        return {key: without_words(one) for key, one in schema.items() if key != "description"}
    return schema


@every_row(("odd", "plain"), ODD)
def test_a_property_is_said_plainly(odd, plain):
    """One known type, strings to choose from, items of a list; the schema that was given stays as it was."""
    given = {"type": "object", "properties": {"value": odd}}
    before = copy.deepcopy(given)
    flat = flattened(given)
    assert without_words(flat["properties"]["value"]) == plain
    assert refused(flat) is None
    assert given == before


@every_row(
    ("schema", "told"),
    [
        ({"type": "string", "pattern": "^a$"}, "^a$"),
        ({"type": "integer", "minimum": 3}, "3"),
        ({"type": "string", "description": "A day.", "format": "date"}, "A day. ("),
        ({"type": "integer", "enum": [1, 2]}, "[1, 2]"),
        ({"anyOf": [{"type": "string"}, {"type": "integer"}]}, "integer"),
    ],
)
def test_what_is_left_out_is_told(schema, told):
    """A model still reads it."""
    flat = flattened({"type": "object", "properties": {"value": schema}})
    assert told in flat["properties"]["value"]["description"]


def test_a_schema_that_refers_to_itself_ends():
    """As text, where it would begin again."""
    flat = flattened({**TREE, "$defs": {"T": TREE}})
    assert refused(flat) is None
    assert len(json.dumps(flat)) < 2_000


def test_a_union_at_the_top_keeps_what_all_need():
    """The properties of each way, and what every way requires."""
    ways = [
        {"properties": {"id": TEXT, "all": TEXT}, "required": ["id", "all"]},
        {"properties": {"name": TEXT, "all": TEXT}, "required": ["all"]},
    ]
    flat = flattened({"type": "object", "oneOf": ways})
    assert flat["properties"].keys() == {"id", "name", "all"}
    assert flat["required"] == ["all"]


@pytest.mark.parametrize("step", [without_keywords, flattened])
def test_real_tools_keep_their_arguments(step):
    """Every name and every required one of tools that people use; the last step is taken by the strictest server."""
    for tool in REAL:
        schema = tool["function"]["parameters"]
        loose = step(schema)
        assert loose.get("properties", {}).keys() >= schema.get("properties", {}).keys()
        assert set(loose.get("required", ())) >= set(schema.get("required", ()))
        if step is flattened:
            assert refused(loose) is None
