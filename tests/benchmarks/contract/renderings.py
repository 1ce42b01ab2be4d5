"""Other ways to list tools, to be measured against our signatures."""

import json
from typing import Any

from langchain_toolemu.contract.tool_list import write_signature
from langchain_toolemu.tools import ToolSet, ToolSpec

_TYPES = {"integer": "number", "null": "null", "object": "object"}


def as_json_schema(tools: ToolSet) -> str:
    """As OpenAI's API takes them, a line each."""
    return "\n".join(
        json.dumps(
            {"name": tool.name, "description": tool.description, "parameters": tool.parameters}
        )
        for tool in tools
    )


def as_typescript(tools: ToolSet) -> str:
    """As declarations with comments."""
    return "\n".join(_declared(tool) for tool in tools)


def _declared(tool: ToolSpec) -> str:
    lines = [f"/** {' '.join(tool.description.split())} */", f"function {tool.name}(args: {{"]
    for name, schema in tool.properties.items():
        mark = "" if name in tool.required else "?"
        said = f" // {schema['description']}" if _has_description(schema) else ""
        lines.append(f"  {name}{mark}: {_type(schema)};{said}")
    return "\n".join([*lines, "}): any;"])


def _has_description(schema: Any) -> bool:
    return isinstance(schema, dict) and bool(schema.get("description"))


def _type(schema: Any) -> str:
    """The type in our own short form, with TypeScript's word for integers."""
    alone = ToolSpec("f", "", {"properties": {"x": schema}, "required": ["x"]})
    written = write_signature(alone).splitlines()[0].removeprefix("f(x: ").removesuffix(")")
    return _TYPES.get(written, written)
