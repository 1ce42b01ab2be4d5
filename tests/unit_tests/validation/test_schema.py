"""Every way to say a thing, as the same shapes."""

import pytest

from langchain_toolemu.validation.schema import CompiledSchema
from tests.tables import every_row


def shapes(schema, root=None):
    """The shapes of a schema within a root."""
    return CompiledSchema(schema if root is None else root).shapes(schema)


def types(schema, root=None):
    """The types of its shapes."""
    return [shape.type for shape in shapes(schema, root)]


ROOT = {
    "$defs": {"a/b": {"type": "string"}, "c~d": {"type": "null"}, "e f": {"type": "array"}},
    "definitions": {"old": {"type": "integer"}},
    "anyOf": [{"type": "object"}, {"type": "boolean"}],
}


@every_row(
    ("schema", "expected"),
    [
        ({"type": "string"}, ["string"]),
        ({"type": "STRING"}, ["string"]),
        ({"type": "dict"}, ["object"]),
        ({"type": ["string", "null"]}, ["string", "null"]),
        ({"type": "integer", "nullable": True}, ["integer", "null"]),
        ({"allOf": [{"type": "integer"}], "nullable": True}, ["integer", "null"]),
        ({"type": "integer", "nullable": "yes"}, ["integer"]),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, ["string", "null"]),
        ({"oneOf": [{"anyOf": [{"type": "string"}]}, {"type": "null"}]}, ["string", "null"]),
        ({"allOf": [{"type": "number"}, {"type": ["null", "integer"]}]}, ["integer"]),
        ({"allOf": [{"type": "integer"}, {"type": "number"}]}, ["integer"]),
        ({"allOf": [{"type": "integer"}, {"description": "x"}]}, ["integer"]),
        ({"allOf": [{"type": "string"}, {"type": "null"}]}, []),
        ({"type": "object", "anyOf": [{"required": ["a"]}, {"required": ["b"]}]}, ["object"] * 2),
        ({"properties": {}}, ["object"]),
        ({"items": {}}, ["array"]),
        ({"prefixItems": []}, ["array"]),
        ({"properties": {}, "items": {}}, [None]),
        ({"enum": ["a", 1, 2.5, None, True]}, ["string", "number", "null", "boolean"]),
        ({"const": {"a": 1}}, ["object"]),
        ({"type": "integer", "enum": ["1", "2"]}, ["string"]),
        ({"type": ["integer", "string"], "enum": ["1", "2"]}, ["string"]),
        ({"enum": ["a", "b"], "const": "c"}, []),
        ({"enum": []}, [None]),
        ({"enum": [float("nan")]}, []),
        (True, [None]),
        ({}, [None]),
        (False, []),
        ({"anyOf": [False, {"type": "null"}]}, ["null"]),
        ({"type": "any"}, [None]),
        ({"type": ["string", 5]}, [None]),
        ({"type": []}, [None]),
        ({"anyOf": "x", "allOf": {}, "oneOf": []}, [None]),
        (None, [None]),
        ("string", [None]),
        ([], [None]),
    ],
)
def test_types(schema, expected):
    """Each way to state a type, to imply one and to botch one gives these types in this order."""
    assert types(schema) == expected


@every_row(
    ("ref", "expected"),
    [
        ("#/$defs/a~1b", ["string"]),
        ("#/$defs/c~0d", ["null"]),
        ("#/$defs/e%20f", ["array"]),
        ("#/definitions/old", ["integer"]),
        ("#", ["object", "boolean"]),
        ("#/anyOf/1", ["boolean"]),
        ("#/anyOf/2", [None]),
        ("#/$defs/none", [None]),
        ("#/$defs/a~1b/type/x", [None]),
        ("#anchor", [None]),
        ("https://example.org/schema", [None]),
        (5, [None]),
    ],
)
def test_references(ref, expected):
    """A local reference is followed, any other allows everything."""
    assert types({"$ref": ref}, ROOT) == expected


@pytest.mark.parametrize(
    ("definition", "expected"),
    [
        ({"$ref": "#/$defs/a"}, [None]),
        ({"allOf": [{"$ref": "#/$defs/a"}]}, [None]),
        ({"anyOf": [{"$ref": "#/$defs/a"}, {"type": "string"}]}, ["string"]),
        ({"anyOf": [{"type": "string"}, {"anyOf": [{"$ref": "#/$defs/a"}]}]}, ["string"]),
    ],
)
def test_circles(definition, expected):
    """A choice that leads back to itself is no choice."""
    assert types({"$ref": "#/$defs/a"}, {"$defs": {"a": definition}}) == expected


def test_parts_are_merged():
    """What several parts say of one object holds together."""
    (shape,) = shapes(
        {
            "$ref": "#/$defs/base",
            "allOf": [
                {"properties": {"a": {"minimum": 1}, "b": True}, "required": ["b", "a"]},
                {"patternProperties": {"^x": {"type": "null"}, "x$": {}, "(": False}},
                {"patternProperties": "?", "properties": 5, "required": "b"},
            ],
            "$defs": {
                "base": {
                    "type": "object",
                    "properties": {"a": {"type": "integer"}},
                    "required": ["a", 5],
                    "additionalProperties": False,
                }
            },
        }
    )
    assert shape.properties == {"a": {"allOf": [{"type": "integer"}, {"minimum": 1}]}, "b": True}
    assert shape.required == ("a", "b")
    assert shape.additional is False
    assert [shape.knows(name) for name in ("a", "x1", "z")] == [True, True, False]
    assert shape.of_name("b") is True
    assert shape.of_name("xx") == {"allOf": [{"type": "null"}, {}]}
    assert shape.of_name("x1") == {"type": "null"}
    assert shape.of_name("z") is False


@every_row(
    ("schema", "additional"),
    [
        ({}, None),
        ({"additionalProperties": {}}, True),
        ({"additionalProperties": True}, True),
        ({"additionalProperties": "no"}, None),
        ({"additionalProperties": {"type": "string"}}, {"type": "string"}),
        ({"unevaluatedProperties": False}, False),
        ({"allOf": [{"additionalProperties": True}, {"additionalProperties": False}]}, False),
    ],
)
def test_additional(schema, additional):
    """Undeclared names are welcome, refused, constrained or not spoken of."""
    (shape,) = shapes(schema)
    assert shape.additional == additional
    assert shape.properties is None


@every_row(
    ("schema", "expected"),
    [
        ({"items": 1}, [1, 1, 1]),
        ({"prefixItems": [1, 2], "items": 3}, [1, 2, 3]),
        ({"items": [1], "additionalItems": 2}, [1, 2, 2]),
        ({"items": [1, 2]}, [1, 2, None]),
        ({"allOf": [{"prefixItems": [1]}, {"items": 2}]}, [{"allOf": [1, 2]}, 2, 2]),
        ({}, [None, None, None]),
    ],
)
def test_items(schema, expected):
    """Each draft's way to describe items gives the schema of each place."""
    (shape,) = shapes(schema)
    assert [shape.of_index(index) for index in range(3)] == expected


def test_recursive_schema_closes():
    """A recursive schema with `allOf` comes back to the same shapes, however deep one looks."""
    root = {
        "$defs": {
            "a": {"allOf": [{"$ref": "#/$defs/b"}, {"$ref": "#/$defs/c"}]},
            "b": {"properties": {"next": {"$ref": "#/$defs/a"}}},
            "c": {"properties": {"next": {"$ref": "#/$defs/a"}}},
        }
    }
    schemas = CompiledSchema(root)
    (shape,) = schemas.shapes(root["$defs"]["a"])
    seen = set()
    for _ in range(50):
        (shape,) = schemas.shapes(shape.of_name("next"))
        seen.add(shape)
    assert len(seen) == 1


def test_too_many_choices():
    """A schema with more choices than anybody means constrains less, and ends soon."""
    pair = {"anyOf": [{"type": "string"}, {"type": "null"}]}
    assert 0 < len(shapes({"allOf": [dict(pair) for _ in range(100)]})) <= 256
    assert types({"anyOf": [{"const": number} for number in range(257)]}) == [None]
    assert len(types({"anyOf": [{"const": number} for number in range(256)]})) == 256


def test_too_much_to_follow():
    """References that fan out, and combinators without end, are followed only so far."""
    fan = {f"n{i}": {"anyOf": [{"$ref": f"#/$defs/n{i + 1}"}] * 2} for i in range(60)}
    assert types({"$ref": "#/$defs/n0"}, {"$defs": fan}) == [None]
    deep = {"type": "string"}
    for _ in range(5_000):
        deep = {"allOf": [deep]}
    assert types(deep) == [None]
