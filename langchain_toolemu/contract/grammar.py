"""What a reply may look like: as a grammar that llama.cpp decodes under (GBNF), and as a JSON schema for other servers.

A reply is words, or calls of the bound tools and nothing else: its first letter decides. So a small model is free not to
call, and if it calls it cannot invent a name or an argument. White space is fixed as the contract's examples have it.
Limits, patterns and formats stay validation's matter.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from langchain_toolemu.contract.dialects import Dialect
from langchain_toolemu.contract.small_models.quoting import Quotations, literal
from langchain_toolemu.tools import ToolSet, ToolSpec
from langchain_toolemu.validation.schema import CompiledSchema, Shape

_PRIMITIVES = {
    "string": r'''"\"" ([^"\\\x00-\x1F] | "\\" (["\\/bfnrt] | "u" [0-9a-fA-F]{4}))* "\""''',
    "integer": r""""-"? ("0" | [1-9] [0-9]{0,15})""",
    "number": r""""-"? ("0" | [1-9] [0-9]{0,15}) ("." [0-9]{1,15})?""",
    "boolean": '"true" | "false"',
    "null": '"null"',
    "value": "string | number | boolean | null | list | table",
    "list": '"[" (value (", " value)*)? "]"',
    "table": r'''"{" (string ": " value (", " string ": " value)*)? "}"''',
}
_UNTYPED = {None: "value", "array": "list", "object": "table"}


def write_schema(tools: ToolSet, dialect: Dialect, *, none: bool = False) -> dict[str, Any]:
    """The JSON schema of one call, for servers that decode under one; `none` admits a call of nothing.

    Example:
        ```python
        write_schema(tools, JSON)  # {"anyOf": [{"properties": {"name": {"const": "add"}, "arguments": ...
        ```
    """
    calls = [_call_schema(tool.name, tool.parameters, dialect) for tool in tools]
    calls += [_call_schema("none", {"type": "object", "properties": {}}, dialect)] if none else []
    return calls[0] if len(calls) == 1 else {"anyOf": calls}


def _call_schema(name: str, parameters: Mapping[str, Any], dialect: Dialect) -> dict[str, Any]:
    # A tool without arguments may have an empty schema, which would admit anything.
    takes = parameters or {"type": "object", "properties": {}}
    return {
        "type": "object",
        "properties": {
            dialect.name_key: {"const": name},
            dialect.args_key: {"type": "object", **takes},
        },
        "required": [dialect.name_key, dialect.args_key],
        "additionalProperties": False,
    }


def write_grammar(
    tools: ToolSet,
    dialect: Dialect,
    *,
    parallel: bool = True,
    words: bool = True,
    none: bool = False,
    quoted: Quotations | None = None,
    copied: bool = True,
) -> str:
    """The grammar of a reply to the contract.

    Args:
        tools: What may be called.
        dialect: How calls are written.
        parallel: Whether there may be several.
        words: Whether the reply may be words instead.
        none: Whether it may be a call of nothing instead.
        quoted: What values can only be quoted from, if they can.
        copied: Whether all of them may be an example's instead.
    """
    rules = _Rules(quoted, copied=copied)
    calls = [call for tool in tools for call in rules.calls(tool, dialect)]
    calls += [literal(dialect.write("none", {}))] if none else []
    if calls:
        rules.add("call", _alternatives(calls))
        rules.add("calls", r'call ("\n" call)*' if parallel else "call")
    first = (dialect.opening or "{")[0]
    # Some templates let a reply begin on a new line; without an end to that, small models never leave it.
    rules.add("words", rf"[ \t\n]{{0,4}} [^ \t\n{first}] [^\x00]*")
    return rules.text(_alternatives([*(["calls"] if calls else []), *(["words"] if words else [])]))


class _Rules:
    """The rules of one grammar. Each schema has one, so that a schema may contain itself."""

    def __init__(self, quoted: Quotations | None, *, copied: bool) -> None:
        self._written = {**_PRIMITIVES, **(quoted.rules if quoted else {})}
        self._quoted = quoted
        self._copied = copied
        self._schemas = CompiledSchema({})
        self._names: dict[int, str] = {}
        self._instead: Mapping[str, str] = {}
        self._is_held = False

    def add(self, name: str, body: str) -> None:
        self._written[name] = body

    def text(self, root: str) -> str:
        return "\n".join(
            f"{name} ::= {body}" for name, body in {"root": root, **self._written}.items()
        )

    def calls(self, tool: ToolSpec, dialect: Dialect) -> Iterator[str]:
        """The ways to call a tool: with any values, or with each kind that can be quoted."""
        for instead in self._quoted.ways(tool, copied=self._copied) if self._quoted else ({},):
            self._is_held = False
            yield self._call(tool, dialect, instead)
            if not self._is_held:
                break

    def _call(self, tool: ToolSpec, dialect: Dialect, instead: Mapping[str, str]) -> str:
        """One call: everything up to the arguments is fixed, and so is what follows them."""
        self._schemas, self._names, self._instead = tool.schema, {}, instead
        before = f'{dialect.opening}{{"{dialect.name_key}": {json.dumps(tool.name)}, "{dialect.args_key}": '
        shape = next(iter(self._schemas.shapes(tool.parameters)), None)
        args = self._table(shape) if shape and shape.properties is not None else '"{}"'
        return f"{literal(before)} {args} {literal('}' + dialect.closing)}"

    def _rule(self, schema: Any) -> str:
        """The name of the rule for a schema."""
        if (name := self._names.get(id(schema))) is None:
            name = self._names[id(schema)] = f"s{len(self._written)}"
            self._written[name] = ""
            ways = [self._shape(shape) for shape in self._schemas.shapes(schema)]
            self._written[name] = _alternatives([*ways, *self._default(schema)]) or "value"
        return name

    def _default(self, schema: Any) -> Iterator[str]:
        """The value that a schema itself offers, which need not have been said."""
        if self._instead and isinstance(schema, Mapping) and schema.get("default") is not None:
            yield literal(_json(schema["default"]))

    def _shape(self, shape: Shape) -> str:
        if shape.members is not None:
            return _alternatives([literal(_json(value)) for value in shape.members.values()])
        if shape.type == "array" and shape.items is not None:
            item = self._rule(shape.items)
            return f'"[" ({item} (", " {item})*)? "]"'
        if shape.type == "object" and shape.properties:
            return self._table(shape)
        kind = _UNTYPED.get(shape.type) or str(shape.type)
        self._is_held |= kind in self._instead
        return self._instead.get(kind, kind)

    def _table(self, shape: Shape) -> str:
        """An object: the required members, then any of the others, each in the schema's order."""
        written = {
            name: f"{literal(_json(name) + ': ')} {self._rule(schema)}"
            for name, schema in (shape.properties or {}).items()
        }
        needed = [written[name] for name in written if name in shape.required]
        others = [written[name] for name in written if name not in shape.required]
        inner = _sequence(needed, others)
        return f'"{{" {inner} "}}"' if inner else '"{}"'


def _sequence(needed: Sequence[str], others: Sequence[str]) -> str:
    """Members with commas between them, the needed ones all, the others any."""
    if needed:
        return " ".join([' ", " '.join(needed), *_optional(others)])
    starts = [" ".join([one, *_optional(others[at + 1 :])]) for at, one in enumerate(others)]
    return f"({_alternatives(starts)})?" if starts else ""


def _optional(members: Sequence[str]) -> Iterator[str]:
    return (f'(", " {member})?' for member in members)


def _alternatives(ways: Sequence[str]) -> str:
    return " | ".join(ways)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)
