"""The order of the rooms, and what must stay absent."""

import ast
from pathlib import Path

import pytest

import langchain_toolemu

PACKAGE = Path(langchain_toolemu.__file__).parent

# Lowest first: a room imports only from rooms before it.
ORDER = [
    "_version",
    "errors",
    "content",
    "rounds",
    "callbacks",
    "traces",
    "masks",
    "values",
    "tools",
    "forms",
    "dialects",
    "contract",
    "validation",
    "quoting",
    "mentions",
    "grammars",
    "reader",
    "projection",
    "refusals",
    "policy",
    "orders",
    "logs",
    "native_policy",
    "prompts",
    "setbacks",
    "progress",
    "reply",
    "appraisal",
    "taking",
    "call_ids",
    "call_blocks",
    "messages",
    "ledger",
    "outcomes",
    "showing",
    "turn",
    "delegation",
    "capability",
    "structured",
    "bindings",
    "wrapper",
    "chat_models",
    "chat_openai",
    "local",
    "check",
    "__main__",
]
FILES = sorted(PACKAGE.rglob("*.py"))


def room_of(path):
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imports_of(path):
    """The rooms a file imports from."""
    for node in ast.walk(ast.parse(path.read_text())):
        names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        for name in names:
            if name.startswith("langchain_toolemu."):
                yield name.split(".")[1]


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_lower_rooms_know_nothing_of_higher_ones(path):
    """A room imports only from rooms below it."""
    room = room_of(path)
    if room != "__init__":
        position = ORDER.index(room)
        assert {other for other in imports_of(path) if ORDER.index(other) > position} == set()


def test_every_room_is_on_the_map():
    """The map in docs/architecture.md names every room there is."""
    page = (PACKAGE.parent / "docs" / "architecture.md").read_text()
    rooms = {room_of(path) for path in FILES} - {"__init__", "_version"}
    assert {room for room in rooms if f"`{room}" not in page} == set()


def test_only_the_doors_to_the_outside_wait():
    """No `await` outside the rooms that talk to the wrapped model, and no catch-all file anywhere."""
    waiting = {
        room_of(path)
        for path in FILES
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Await | ast.AsyncFunctionDef)
    }
    assert waiting <= {"chat_models", "wrapper", "capability"}
    assert not {path.stem for path in FILES} & {"utils", "helpers", "common", "misc"}
