"""Tools as compact signatures: shorter than JSON Schema, with nothing left out that matters.

Names, types, enums, required marks, defaults, limits and descriptions all stay.

    get_weather(city: string, unit?: "celsius" | "fahrenheit" = "celsius")
      Current weather of a city.
      city: Name of the city
"""

import json
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from langchain_toolemu.tools import ToolSet, ToolSpec

_Schema = Mapping[str, Any]

_MAX_DEPTH = 8
"""Deeper than anyone fills in by hand; also where a schema that contains itself ends."""

_LIMITS = {
    "minimum": "min",
    "maximum": "max",
    "exclusiveMinimum": "above",
    "exclusiveMaximum": "below",
    "multipleOf": "multiple of",
    "minLength": "min length",
    "maxLength": "max length",
    "minItems": "min items",
    "maxItems": "max items",
    "pattern": "pattern",
    "format": "format",
}


def write_signatures(tools: ToolSet) -> str:
    """All tools, one below the other."""
    return "\n".join(
        _written(tool.name, tool.description, json.dumps(tool.parameters, default=str))
        for tool in tools
    )


@lru_cache(maxsize=512)
def _written(name: str, description: str, parameters: str) -> str:
    """A tool's signature, once written: a turn offers the same tools as the one before it."""
    return write_signature(ToolSpec(name, description, json.loads(parameters)))


def write_signature(tool: ToolSpec) -> str:
    """One tool: its signature, what it does, and what its arguments mean."""
    writer = _TypeWriter(tool.parameters)
    lines = [f"{tool.name}({writer.members(tool.parameters, 0)})"]
    lines += _indented(tool.description)
    for name, schema in tool.properties.items():
        description = writer.description(schema)
        if description:
            lines += _indented(f"{name}: {description}")
    return "\n".join(lines)


def _indented(text: str) -> Iterator[str]:
    return (f"  {line.strip()}" for line in text.splitlines() if line.strip())


class _TypeWriter:
    """Writes the types of one tool, whose parameters hold the definitions that `$ref` points to."""

    def __init__(self, root: _Schema) -> None:
        self._root = root

    def members(self, schema: _Schema, depth: int) -> str:
        required = schema.get("required") or ()
        properties = schema.get("properties") or {}
        return ", ".join(
            self._member(name, inner, name in required, depth) for name, inner in properties.items()
        )

    def _member(self, name: str, schema: Any, required: bool, depth: int) -> str:
        schema = self._follow(schema)
        written = f"{name}{'' if required else '?'}: {self.type(schema, depth + 1)}"
        if schema.get("default") is not None:
            written += f" = {_json(schema['default'])}"
        # Top-level descriptions get lines of their own; a nested one has no other place.
        if depth and (description := self.description(schema)):
            written += f" /* {description} */"
        return written

    def type(self, schema: Any, depth: int = 0) -> str:
        schema = self._follow(schema)
        if depth > _MAX_DEPTH:
            return "any"
        return self._bare_type(schema, depth) + _limits(schema)

    def _bare_type(self, schema: _Schema, depth: int) -> str:
        if "const" in schema:
            return _json(schema["const"])
        if isinstance(choices := schema.get("enum"), list):
            return " | ".join(_json(choice) for choice in choices)
        for union in ("anyOf", "oneOf"):
            if isinstance(branches := schema.get(union), list):
                return " | ".join(self.type(branch, depth + 1) for branch in branches)
        kind = schema.get("type")
        if isinstance(kind, list):
            return " | ".join(self.type({**schema, "type": one}, depth + 1) for one in kind)
        return self._plain_type(kind, schema, depth)

    def _plain_type(self, kind: Any, schema: _Schema, depth: int) -> str:
        if kind == "array" or "items" in schema:
            inner = self.type(schema.get("items", {}), depth + 1)
            return f"({inner})[]" if " | " in inner else f"{inner}[]"
        if schema.get("properties"):
            return f"{{{self.members(schema, depth)}}}"
        if isinstance(extra := schema.get("additionalProperties"), Mapping) and extra:
            return f"{{[key]: {self.type(extra, depth + 1)}}}"
        return str(kind or "any")

    def description(self, schema: Any) -> str:
        return " ".join(str(self._follow(schema).get("description") or "").split())

    def _follow(self, schema: Any) -> _Schema:
        """The schema itself: references looked up, a lone `allOf` unwrapped, siblings kept."""
        for _ in range(_MAX_DEPTH):
            if not isinstance(schema, Mapping):
                return {}
            if isinstance(reference := schema.get("$ref"), str):
                schema = {**self._look_up(reference), **_without(schema, "$ref")}
            elif isinstance(parts := schema.get("allOf"), list) and parts:
                merged: dict[str, Any] = {}
                for part in parts:
                    merged |= part if isinstance(part, Mapping) else {}
                schema = {**merged, **_without(schema, "allOf")}
            else:
                return schema
        return {}

    def _look_up(self, reference: str) -> _Schema:
        found: Any = self._root
        for step in reference.removeprefix("#/").split("/"):
            found = found.get(step) if isinstance(found, Mapping) else None
        return found if isinstance(found, Mapping) else {}


def _without(schema: _Schema, key: str) -> dict[str, Any]:
    return {name: value for name, value in schema.items() if name != key}


def _limits(schema: _Schema) -> str:
    said = [f"{word} {schema[key]}" for key, word in _LIMITS.items() if key in schema]
    return f" ({', '.join(said)})" if said else ""


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)
