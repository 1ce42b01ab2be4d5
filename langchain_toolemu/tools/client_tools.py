"""Tools that only some providers know and the client runs itself, as functions: other models need their schemas."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

_TYPE = re.compile(r"(bash|text_editor|memory)_(\d{8})")
_EDITING = "view(path, view_range), create(path, file_text), str_replace(path, old_str, new_str), insert(path, insert_line, insert_text)"
_HINT = "old_str must be there exactly once. view_range, which can be left out, holds the first and the last line. insert_line is the line before the new text, 0 at the top."
_TYPES: Mapping[str, Any] = {
    "restart": {"type": "boolean"},
    "insert_line": {"type": "integer"},
    "view_range": {"type": "array", "items": {"type": "integer"}},
}


def text_tool(tool: Mapping[str, Any], grammar: Mapping[str, Any]) -> dict[str, Any]:
    """OpenAI's `custom` tool, which takes a text, as a function; its grammar becomes part of the description."""
    description = str(tool.get("description") or "")
    if rules := grammar.get("definition"):
        description += f"\nThe input follows this grammar ({grammar.get('syntax')}):\n{rules}"
    fields = {"properties": {"input": {"type": "string"}}, "required": ["input"]}
    parameters = {"type": "object", **fields}
    function = {"name": tool["name"], "description": description, "parameters": parameters}
    return {"type": "function", "function": function}


def client_functions(tools: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Anthropic's tools, whose schemas only their types imply, as function tools of the same names."""
    found = [(tool.get("name"), _TYPE.fullmatch(str(tool.get("type")))) for tool in tools]
    known = [(name, kind) for name, kind in found if kind and isinstance(name, str)]
    return [{"name": name, **_function(*kind.groups())} for name, kind in known]


def _function(kind: str, version: str) -> dict[str, Any]:
    commands = _EDITING
    match kind:
        case "bash":
            purpose = "Run a command in a bash session, which keeps its state. `restart` starts a new one."
            return {"description": purpose, "input_schema": _object(["command", "restart"])}
        case "memory":
            commands += ", delete(path), rename(old_path, new_path)"
            purpose = "Keep notes for later conversations in files below /memories. View that folder first."
        case _:
            purpose = "View, create and edit text files, by their absolute paths."
            if version < "20250728":
                commands = commands.replace("insert_text", "new_str")
            if version < "20250429":
                commands += ", undo_edit(path)"
    schema = _object(["command", *dict.fromkeys(re.findall(r"\w+(?=[,)])", commands))])
    schema["properties"]["command"]["enum"] = re.findall(r"\w+(?=\()", commands)
    schema["required"] += ["path"] if kind == "text_editor" else []
    return {"description": f"{purpose} Commands: {commands}. {_HINT}", "input_schema": schema}


def _object(names: Sequence[str]) -> dict[str, Any]:
    fields = {name: dict(_TYPES.get(name, {"type": "string"})) for name in names}
    return {"type": "object", "properties": fields, "required": ["command"]}
