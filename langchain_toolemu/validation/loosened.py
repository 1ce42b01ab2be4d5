"""A tool's schema as a stricter server takes it, never narrower: what it no longer says is in the descriptions.

Two steps: keywords that only narrow a value go; then references are inlined, unions flattened, and free objects asked for as
text. It is what the server sees; a call is still held to the tool's own schema.
"""

import json
from collections.abc import Mapping, Sequence
from itertools import count
from typing import Any

from langchain_toolemu.validation.schema import resolve
from langchain_toolemu.validation.schema_check import IN_LISTS, IN_MAPS

NARROWING = frozenset({
    "pattern", "format", "minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum",
    "multipleOf", "minItems", "maxItems", "uniqueItems", "contains", "minContains", "maxContains", "minProperties",
    "maxProperties", "propertyNames", "patternProperties", "dependentRequired", "dependentSchemas", "dependencies",
    "if", "then", "else", "not", "unevaluatedProperties", "unevaluatedItems", "contentEncoding", "contentMediaType",
    "default", "examples", "example",
})  # fmt: skip
_SILENT = frozenset({
    "$schema", "$id", "$comment", "$anchor", "id", "title", "additionalProperties", "readOnly", "writeOnly", "deprecated",
})  # fmt: skip
"""What goes without a word: it tells a model nothing."""

_UNIONS = ("anyOf", "oneOf")
_MAX_STEPS = 2_000
_MAX_DEPTH = 24
_MAX_NOTE = 300
_SIMPLE = ("string", "integer", "number", "boolean")
_TYPES = (*_SIMPLE, "object", "array")  # an invented one ("any", "file") is none


def without_keywords(schema: Any, depth: int = _MAX_DEPTH) -> Any:
    """The schema without keywords that only narrow; what a model should know of them is in the description."""
    if not isinstance(schema, Mapping) or depth <= 0:
        return {} if depth <= 0 else schema
    kept: dict[str, Any] = {}
    for key, value in schema.items():
        if key == "const":
            kept["enum"] = [value]
        elif key not in NARROWING and key not in _SILENT:
            kept[key] = _inner(key, value, depth)
    dropped = {key: value for key, value in schema.items() if key in NARROWING}
    return _noted(kept, dropped)


def _inner(key: str, value: Any, depth: int) -> Any:
    """What a keyword holds: schemas by name, a list of them, or one."""
    if key in IN_MAPS and isinstance(value, Mapping):
        return {name: without_keywords(part, depth - 1) for name, part in value.items()}
    if key in IN_LISTS and isinstance(value, list):
        return [without_keywords(part, depth - 1) for part in value]
    return without_keywords(value, depth - 1) if key == "items" else value


def _noted(schema: dict[str, Any], dropped: Mapping[str, Any]) -> dict[str, Any]:
    """The schema, with what it no longer holds in its description."""
    if not dropped:
        return schema
    words = json.dumps(dropped, ensure_ascii=False, default=str)[1:-1].replace('"', "")
    before = schema.get("description")
    note = f"({words[:_MAX_NOTE]})"
    described = f"{before} {note}" if isinstance(before, str) and before else note
    return {**schema, "description": described}


def flattened(schema: Any) -> Any:
    """The schema without references and unions, on top of what `without_keywords` leaves out."""
    plain = without_keywords(schema)
    flat = _Flattening(plain).flat(plain, ())
    root = {key: value for key, value in flat.items() if key not in ("$defs", "definitions")}
    return {**root, "type": "object", "properties": root.get("properties", {})}


class _Flattening:
    def __init__(self, root: Any) -> None:
        self._root = root
        self._steps = count()

    def flat(self, schema: Any, trail: tuple[str, ...]) -> dict[str, Any]:
        """One schema, flat; one that refers to itself ends as text."""
        if not isinstance(schema, Mapping) or next(self._steps) > _MAX_STEPS:
            return {}
        ref = schema.get("$ref")
        if isinstance(ref, str):
            if ref in trail or len(trail) > _MAX_DEPTH:
                return {"type": "string", "description": "(as JSON text)"}
            trail = (*trail, ref)
            target = resolve(self._root, ref)
            beside = {key: value for key, value in schema.items() if key != "$ref"}
            schema = {**(target if isinstance(target, Mapping) else {}), **beside}
            if "$ref" in schema:
                return self.flat(schema, trail)
        own = {key: value for key, value in schema.items() if key not in (*_UNIONS, "allOf")}
        for part in _list(schema.get("allOf")):
            own = _both(own, self.flat(part, trail))
        for key in _UNIONS:
            if ways := [self.flat(part, trail) for part in _list(schema.get(key))]:
                own = _both(own, _either(ways))
        return self._with_flat_parts(_with_one_type(own), trail)

    def _with_flat_parts(self, schema: dict[str, Any], trail: tuple[str, ...]) -> dict[str, Any]:
        required = (name for name in _list(schema.get("required")) if isinstance(name, str))
        parts = {**{name: {} for name in required}, **_map(schema, "properties")}
        if parts or "properties" in schema:
            flat = {name: _sayable(self.flat(part, trail)) for name, part in parts.items()}
            schema = {**schema, "properties": flat}
        if isinstance(items := schema.get("items"), Mapping):
            schema = {**schema, "items": _sayable(self.flat(items, trail))}
        elif schema.get("type") == "array":
            schema = {**schema, "items": {"type": "string"}}
        schema.pop("prefixItems", None)
        return schema


def _sayable(schema: dict[str, Any]) -> dict[str, Any]:
    """A part with a type; an object that says nothing of its fields is asked for as text."""
    free = schema.get("type") == "object" and not schema.get("properties")
    if free or schema.get("type", "null") == "null":
        kept = {key: value for key, value in schema.items() if key in ("description", "enum")}
        note = {"a JSON object": "as text"} if free else {}
        return _noted({"type": "string", **kept}, note)
    return schema


def _with_one_type(schema: dict[str, Any]) -> dict[str, Any]:
    types = _list(schema.get("type"))
    types = types if types == ["null"] else [name for name in types if name in _TYPES]
    schema = {key: value for key, value in schema.items() if key not in ("nullable", "type")}
    if isinstance(values := schema.get("enum"), list):
        schema["enum"] = [value for value in values if value is not None]
        if not schema["enum"] or not all(isinstance(value, str) for value in schema["enum"]):
            del schema["enum"]
            schema = _noted(schema, {"one of": values})
    if len(types) == 1:
        return {**schema, "type": types[0]}
    if types:
        return {**schema, "type": _common_type([{"type": name} for name in types])}
    if "properties" in schema:
        return {**schema, "type": "object"}
    return {**schema, "type": "string"} if "enum" in schema else schema


def _both(first: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """What two schemas say together."""
    merged = {**other, **first}
    if "properties" in first or "properties" in other:
        merged["properties"] = {**_map(other, "properties"), **_map(first, "properties")}
    required = [*_list(first.get("required")), *_list(other.get("required"))]
    if required:
        merged["required"] = list(dict.fromkeys(required))
    return merged


def _either(ways: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """One schema that takes what any of several does, as far as one can; what they are is in its description."""
    ways = [way for way in ways if way.get("type") != "null"]
    if len(ways) <= 1:
        return dict(ways[0]) if ways else {}
    objects = [way for way in ways if way.get("type") == "object"]
    note = {"one of": [_brief(way) for way in ways]}
    if len(objects) == len(ways):
        properties = {
            name: part for way in reversed(ways) for name, part in _map(way, "properties").items()
        }
        required = [
            name
            for name in _list(ways[0].get("required"))
            if all(name in _list(way.get("required")) for way in ways)
        ]
        merged = {"type": "object", "properties": properties}
        return _noted({**merged, "required": required} if required else merged, note)
    kind = _common_type(ways)
    merged = next((way for way in ways if way.get("type") == kind), {})
    if any("enum" not in way for way in ways):
        merged = {key: value for key, value in merged.items() if key != "enum"}
    else:
        merged = {**merged, "enum": [value for way in ways for value in way["enum"]]}
    return _noted({**merged, "type": kind}, note)


def _brief(way: Mapping[str, Any]) -> Any:
    return way.get("enum") or way.get("type") or "anything"


def _common_type(ways: Sequence[Mapping[str, Any]]) -> str:
    """The type that says most: text where all are simple, else what has parts."""
    kinds = list(dict.fromkeys(way.get("type", "string") for way in ways))
    if len(kinds) == 1:
        return str(kinds[0])
    if set(kinds) == {"integer", "number"}:
        return "number"
    return str(next((kind for kind in kinds if kind not in _SIMPLE), "string"))


def _list(value: Any) -> list[Any]:
    if isinstance(value, list):
        return value
    return [] if value is None else [value]


def _map(schema: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = schema.get(key)
    return value if isinstance(value, Mapping) else {}
