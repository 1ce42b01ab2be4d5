"""A server of notes that speaks MCP on its standard input and output, for coding agents: `python notes_mcp_server.py FOLDER`.

It needs nothing but Python, so that any of them can start it.
"""

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

FOLDER = Path(sys.argv[1])


def _tool(name: str, description: str, *arguments: str) -> dict[str, Any]:
    properties = {argument: {"type": "string"} for argument in arguments}
    schema = {"type": "object", "properties": properties, "required": list(arguments)}
    return {"name": name, "description": description, "inputSchema": schema}


TOOLS = [
    _tool("write_note", "Write a note.", "title", "text"),
    _tool("read_note", "Read a note.", "title"),
    _tool("list_notes", "List the titles of all notes."),
]


def _call(name: str, given: Mapping[str, str]) -> str:
    if name == "list_notes":
        return "\n".join(sorted(file.name for file in FOLDER.iterdir()))
    note = FOLDER / given["title"]
    if name == "read_note":
        return note.read_text(encoding="utf-8")
    note.write_text(given["text"], encoding="utf-8")
    return "Written."


def _answer(method: str, params: Mapping[str, Any]) -> dict[str, Any]:
    match method:
        case "initialize":
            about = {"name": "notes", "version": "1"}
            version = params["protocolVersion"]
            return {
                "protocolVersion": version,
                "capabilities": {"tools": {}},
                "serverInfo": about,
            }
        case "tools/list":
            return {"tools": TOOLS}
        case "tools/call":
            text = _call(params["name"], params.get("arguments") or {})
            return {"content": [{"type": "text", "text": text}]}
    return {}


if __name__ == "__main__":
    for line in sys.stdin:
        request = json.loads(line)
        if "id" in request:
            result = _answer(request["method"], request.get("params") or {})
            response = {"jsonrpc": "2.0", "id": request["id"], "result": result}
            sys.stdout.write(json.dumps(response) + "\n")
            sys.stdout.flush()
