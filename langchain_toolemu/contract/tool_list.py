"""The tools as a contract lists them: compact signatures, shorter than JSON Schema, with nothing left out that matters.

Such as `get_weather(city: string, unit?: "celsius" | "fahrenheit" = "celsius")`, and the descriptions below it.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeAlias

from langchain_toolemu.contract.dialects import json_text
from langchain_toolemu.contract.shortlist import ToolLimit
from langchain_toolemu.tools import ToolSet, ToolSpec
from langchain_toolemu.validation.json_values import admits
from langchain_toolemu.validation.limits import Pattern
from langchain_toolemu.validation.schema import CompiledSchema, Shape

Render: TypeAlias = Callable[[ToolSet], str]

_MOST_INNER = 2_000  # types within the types of one tool: definitions may refer to each other
_MAX_DEPTH = 8  # deeper than anyone fills in by hand; also where a schema that contains itself ends

_LIMITS = {
    "minimum": "min", "maximum": "max", "exclusiveMinimum": "above", "exclusiveMaximum": "below",
    "multipleOf": "multiple of", "minLength": "min length", "maxLength": "max length",
    "minItems": "min items", "maxItems": "max items", "minProperties": "min entries",
    "maxProperties": "max entries", "pattern": "pattern",
}  # fmt: skip


def write_signatures(tools: ToolSet) -> str:
    """All tools, one below the other."""
    return "\n".join(
        _signature_text(tool.name, tool.description, json.dumps(tool.parameters, default=str))
        for tool in tools
    )


@lru_cache(maxsize=512)
def _signature_text(name: str, description: str, parameters: str) -> str:
    """A tool's signature, once written: a turn offers the same tools as the one before it."""
    return write_signature(ToolSpec(name, description, json.loads(parameters)))


_BY_NAME = """\
{names}
Those that may be needed are described below. Another one can be called by its name alone: if its arguments do not fit, \
you are told what it takes."""


def write_tools(tools: ToolSet, render: Render, shortening: "Shortening") -> str:
    """The list of the tools: all of them described, or the names of all, and the descriptions of some."""
    listed = shortening.of(tools)
    if shortening.in_list is None:
        return render(listed)
    names = _write_names(tools, shortening.limit.list_chars if shortening.limit else 0)
    names = _BY_NAME.format(names=names)
    full = ToolSet([tool for tool in listed if tool.name in shortening.in_list])
    return f"{names}\n{render(full)}" if full else names


def _write_names(tools: ToolSet, most_chars: int) -> str:
    """The names of the tools, each with the first words of its description where there is space for some."""
    longest = (most_chars - sum(len(name) + 2 for name in tools.names)) // len(tools)
    if longest < _SHORTEST_HINT:
        return ", ".join(tools.names)
    hints = ((tool.name, shorten_text(tool.description, longest)) for tool in tools)
    lines = (f"{name}: {hint.removesuffix('...')}" if hint else name for name, hint in hints)
    return "\n".join(lines)


_SHORTEST_HINT = 20


def write_described(
    tools: ToolSet, render: Render, shortening: "Shortening", names: Sequence[str]
) -> str:
    """The descriptions of some tools, as they stand next to a message."""
    chosen = ToolSet([tool for name in names if (tool := tools.exact(name))])
    return f"Tools that may be needed:\n{render(shortening.of(chosen))}"


def write_signature(tool: ToolSpec) -> str:
    """One tool: its signature, what it does, and what its arguments mean."""
    writer = _TypeWriter(tool.parameters)
    lines = [f"{tool.name}({writer.members(tool.properties, tool.required, 0)})"]
    lines += _indent(tool.description)
    for name, schema in tool.properties.items():
        if description := writer.description(schema):
            lines += _indent(f"{name}: {description}")
    return "\n".join(lines)


def _indent(text: str) -> Iterator[str]:
    return (f"  {line.strip()}" for line in text.splitlines() if line.strip())


class _TypeWriter:
    """Writes the types of one tool, whose parameters hold the definitions that `$ref` points to."""

    def __init__(self, root: Mapping[str, Any]) -> None:
        self._schemas = CompiledSchema(root)
        self._left = iter(range(_MOST_INNER))

    def members(self, properties: Mapping[str, Any], required: tuple[str, ...], depth: int) -> str:
        written = (
            self._member(name, properties[name], name in required, depth) for name in properties
        )
        return ", ".join(written)

    def _member(self, name: str, schema: Any, required: bool, depth: int) -> str:
        written = f"{name}{'' if required else '?'}: {self.type(schema, depth + 1)}"
        default = self._schemas.annotation(schema, "default")
        if default is not None:
            written += f" = {json_text(default)}"
        # Top-level descriptions get lines of their own; a nested one has no other place.
        if depth and (description := self.description(schema)):
            written += f" /* {description} */"
        return written

    def type(self, schema: Any, depth: int) -> str:
        """Every way a value may look, with a bar between two."""
        if depth > _MAX_DEPTH or (depth > 1 and next(self._left, None) is None):
            return "any"
        shapes = self._schemas.shapes(schema)
        written = [f"{self._shape(shape, depth)}{_limits(shape)}" for shape in shapes]
        return " | ".join(dict.fromkeys(written)) or "any"

    def _shape(self, shape: Shape, depth: int) -> str:
        if shape.members is not None:
            return " | ".join(json_text(member) for member in shape.members.values())
        match shape.type:
            case "array":
                return self._array(shape, depth)
            case "object":
                return self._object(shape, depth)
        return shape.type or "any"

    def _array(self, shape: Shape, depth: int) -> str:
        item = self.type(shape.items, depth + 1)
        rest = f"({item})[]" if " | " in item else f"{item}[]"
        if not shape.prefix:
            return rest
        first = [self.type(schema, depth + 1) for schema in shape.prefix]
        has_more = isinstance(shape.items, Mapping)
        return f"[{', '.join([*first, *([f'...{rest}'] if has_more else [])])}]"

    def _object(self, shape: Shape, depth: int) -> str:
        others = shape.additional
        open_ = [f"[key]: {self.type(others, depth + 1)}"] if isinstance(others, Mapping) else []
        if not shape.properties:
            return f"{{{open_[0]}}}" if open_ and others else "object"
        named = self.members(shape.properties, shape.required, depth)
        return f"{{{', '.join([named, *open_])}}}"

    def description(self, schema: Any) -> str:
        return " ".join(str(self._schemas.annotation(schema, "description") or "").split())


def _limits(shape: Shape) -> str:
    if shape.members is not None:
        return ""
    mine = [limit for limit in shape.limits if shape.type and admits(limit.type, shape.type)]
    notes = []
    for limit in mine:
        bound = limit.bound.regex.pattern if isinstance(limit.bound, Pattern) else limit.bound
        notes += [f"{_LIMITS[limit.keyword]} {bound}"] if limit.keyword in _LIMITS else []
    notes += ["no item twice"] if any(limit.keyword == "uniqueItems" for limit in mine) else []
    notes += [f"format {shape.format}"] if shape.format and shape.type == "string" else []
    return f" ({', '.join(notes)})" if notes else ""


# What holds values of the user's, in which nothing is a description.
_VALUES = frozenset({"default", "const", "enum", "examples"})
# What holds schemas by names of the user's, of which one may be `description`.
_NAMED = frozenset({"properties", "patternProperties", "$defs", "definitions"})


@dataclass(frozen=True, slots=True)
class Shortening:
    """What a contract shows: whether examples, how long a description may be, and of which tools and how many."""

    examples: bool = True
    longest: int | None = None  # in characters
    detailed: tuple[str, ...] | None = None  # the tools that are described; `None`: all of them
    limit: ToolLimit | None = None  # of the tools that have more than a name; `None`: all have
    in_list: tuple[str, ...] | None = None  # those of them that are part of the list

    def of(self, tools: ToolSet) -> ToolSet:
        """The tools as they are listed."""
        if self.longest is None and self.detailed is None:
            return tools
        return ToolSet([self._tool(tool) for tool in tools])

    def _tool(self, tool: ToolSpec) -> ToolSpec:
        known = self.detailed is None or tool.name in self.detailed
        longest = self.longest if known else 0
        if longest is None:
            return tool
        description = shorten_text(tool.description, longest)
        return ToolSpec(tool.name, description, _shorten_schema(tool.parameters, longest))


WHOLE = Shortening()  # nothing is left out


def shorten_text(text: str, longest: int) -> str:
    """A text of at most so many characters: its first sentence if that fits, else its first words."""
    text = " ".join(text.split())
    if len(text) <= longest:
        return text
    start = text[: longest + 1]
    sentence = start.rfind(". ")
    if sentence > 0:
        return start[: sentence + 1]
    begun = start[: max(longest - 3, 0)]
    words = begun.rpartition(" ")[0] or begun  # not every script has spaces
    return f"{words}..." if words else ""


def _shorten_schema(schema: Any, longest: int) -> Any:
    """A schema whose descriptions have at most so many characters; of none, they are left out."""
    if isinstance(schema, list):
        return [_shorten_schema(item, longest) for item in schema]
    if not isinstance(schema, Mapping):
        return schema
    kept = [key for key in schema if longest or key != "description"]
    return {key: _shorten_part(key, schema[key], longest) for key in kept}


def _shorten_part(key: str, part: Any, longest: int) -> Any:
    if key == "description":
        return shorten_text(str(part), longest)
    if key in _VALUES:
        return part
    if key in _NAMED and isinstance(part, Mapping):
        return {name: _shorten_schema(schema, longest) for name, schema in part.items()}
    return _shorten_schema(part, longest)
