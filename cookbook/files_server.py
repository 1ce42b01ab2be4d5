"""An MCP server that works in one folder, for recipe 4: `python files_server.py FOLDER`. Needs `pip install mcp`."""

import sys
from pathlib import Path

from mcp.server.fastmcp import FastMCP

FOLDER = Path(sys.argv[1]).resolve()
server = FastMCP("files", log_level="ERROR")


def inside(name: str) -> Path:
    """The path of a file in the folder; a path that leads out of it is refused."""
    path = (FOLDER / name).resolve()
    if not path.is_relative_to(FOLDER):
        raise ValueError(f"{name} is outside of the folder")
    return path


@server.tool()
def list_files() -> str:
    """List the names of all files in the folder."""
    return "\n".join(sorted(path.name for path in FOLDER.iterdir()))


@server.tool()
def read_file(name: str) -> str:
    """Read a text file."""
    return inside(name).read_text(encoding="utf-8")


@server.tool()
def write_file(name: str, text: str) -> str:
    """Write a text file. A file of that name is replaced."""
    inside(name).write_text(text, encoding="utf-8")
    return f"{name} is written"


if __name__ == "__main__":
    server.run()
