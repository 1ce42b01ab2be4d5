"""Texts that models write, each with where it comes from and what is to be read from it.

The files are data: `id`, `origin` (observed, documented or a rule, and where; one is invented), `text`, the `calls` to be read as name
and arguments, and in `bad` the reasons for which calls were refused. `spoken_of.json` holds words around a `{call}` that
is not made (`kind`: asked, declined or quoted), `leads.json` words before one that is, `parsers.json` the parsers of engines. `recorded.json` holds what the embedded model really wrote (see tests/benchmarks/recording).
"""

import json
from pathlib import Path
from typing import Any

from langchain_toolemu.tools import ToolSet, ToolSpec

FOLDER = Path(__file__).parent
STRING, INTEGER = {"type": "string"}, {"type": "integer"}


def _tool(name: str, required: list[str], **properties: Any) -> ToolSpec:
    return ToolSpec(name, "", {"type": "object", "properties": properties, "required": required})


TOOLS = ToolSet(
    [
        _tool("get_weather", ["city"], city=STRING, unit={"type": "string", "enum": ["c", "f"]}),
        _tool("add", ["a", "b"], a=INTEGER, b=INTEGER),
        _tool("write_file", ["path", "content"], path=STRING, content=STRING),
        _tool(
            "search",
            ["query"],
            query=STRING,
            tags={"type": "array", "items": STRING},
            limit=INTEGER,
        ),
        _tool("configure", [], debug={"type": "boolean"}, level={"type": ["integer", "null"]}),
        _tool("math.factorial", ["number"], number=INTEGER),
        _tool("run", ["command"], command=STRING),
        _tool("now", []),
    ]
)


PHRASINGS = ("spoken_of", "leads")


def load() -> dict[str, list[dict[str, Any]]]:
    """All samples, by file."""
    others = (*PHRASINGS, "parsers")
    paths = [path for path in sorted(FOLDER.glob("*.json")) if path.stem not in others]
    return {path.stem: json.loads(path.read_text()) for path in paths}


def load_phrasings(name: str) -> list[dict[str, str]]:
    """The words around a call of one file: `language`, `words`, and the `kind` of those that only speak of it."""
    phrasings: list[dict[str, str]] = json.loads((FOLDER / f"{name}.json").read_text())
    return phrasings
