"""The order of the layers, the map that shows it, and what must stay absent."""

import ast
import re
from importlib import import_module
from pathlib import Path

import pytest

import langchain_toolemu

PACKAGE = Path(langchain_toolemu.__file__).parent
MAP = (PACKAGE.parent / "docs" / "architecture.md").read_text(encoding="utf-8")

# Lowest first: a layer imports only from layers before it.
ORDER = [
    "options",
    "errors",
    "model_facts",
    "validation",
    "tools",
    "reader",
    "messages",
    "contract",
    "policy",
    "rounds",
    "callbacks",
    "turn",
    "capability",
    "chat_models",
    "local",
    "check",
    "serve",
    "commands",
]
# Belong to no layer: what every layer may import, and what only Python itself looks for.
OUTSIDE = ["__init__", "__main__", "_version"]
FILES = sorted(PACKAGE.rglob("*.py"))


def layer_of(path):
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imports_of(path):
    """The modules of this package that a file imports."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        yield from (name for name in names if name.startswith("langchain_toolemu."))


@pytest.mark.parametrize(
    "path",
    [path for path in FILES if layer_of(path) in ORDER],
    ids=lambda path: str(path.relative_to(PACKAGE)),
)
def test_a_layer_imports_only_from_layers_below_it(path):
    """Arrows run one way."""
    allowed = {*ORDER[: ORDER.index(layer_of(path)) + 1], "_version"}
    imported = {name.split(".")[1] for name in imports_of(path)}
    assert imported - allowed == set()


def test_the_root_shows_the_architecture():
    """Every entry of the root is a layer, and there are at most 18."""
    entries = {layer_of(path) for path in FILES} - {*OUTSIDE}
    assert entries == set(ORDER)
    assert len(entries) <= 18


def test_the_map_is_the_order():
    """The table in docs/architecture.md lists the layers of this test, lowest first."""
    table = MAP[MAP.index("| layer |") :]
    assert re.findall(r"^\| `(\w+)/?` \|", table, re.MULTILINE) == ORDER


@pytest.mark.parametrize("layer", [layer for layer in ORDER if (PACKAGE / layer).is_dir()])
def test_the_map_names_every_file(layer):
    """Whoever looks for the place of a change finds each file and folder of a layer on the map."""
    if layer == "reader":  # its own page
        return
    row = next(line for line in MAP.splitlines() if line.startswith(f"| `{layer}/` |"))
    files = {
        path.relative_to(PACKAGE / layer).parts[0].removesuffix(".py")
        for path in (PACKAGE / layer).rglob("*.py")
    } - {"__init__"}
    assert {name for name in files if f"`{name}`" not in row} == set()


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_no_two_files_import_each_other(path):
    """There is no circle of two: each file can be read after those that it imports."""
    name = ".".join(("langchain_toolemu", *path.relative_to(PACKAGE).with_suffix("").parts))
    for other in imports_of(path):
        file = PACKAGE.joinpath(*other.split(".")[1:]).with_suffix(".py")
        assert not (file.exists() and name in imports_of(file))


def test_only_what_talks_to_servers_waits():
    """No `await` outside the layers that do I/O, and no catch-all file anywhere."""
    waiting = {
        layer_of(path)
        for path in FILES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Await | ast.AsyncFunctionDef)
    }
    assert waiting <= {"chat_models", "capability", "serve"}
    assert not {path.stem for path in FILES} & {"utils", "helpers", "common", "misc"}


# Paths that programs and pages import from, and what they find there.
PUBLIC = {
    "langchain_toolemu.chat_models": ["ChatToolEmu"],
    "langchain_toolemu.chat_models.openai": ["ToolEmuChatOpenAI"],
    "langchain_toolemu.contract": [
        "DIALECTS", "FENCED", "JSON", "MARKDOWN", "STANDARD", "TAGGED", "Dialect", "Recipe", "find_dialect", "write_contract",
    ],
    "langchain_toolemu.policy": ["CAREFUL", "DEFAULT", "STRICT", "TRUST", "CallPolicy", "Checks", "Review"],
    "langchain_toolemu.rounds": ["Rounds", "to_messages", "to_rounds"],
    "langchain_toolemu.local": ["LocalModelError", "LocalServer"],
    "langchain_toolemu.callbacks": ["ToolEmuCallbackHandler", "get_toolemu_callback"],
    "langchain_toolemu.capability": ["Support", "forget_tool_support", "probe_tool_support"],
    "langchain_toolemu.errors": ["ToolChoiceError", "ToolEmuError", "ToolEmuWarning", "ToolSpecError"],
    "langchain_toolemu.reader": ["Reader"],
    "langchain_toolemu.serve": ["create_app"],
    "langchain_toolemu.commands.main": ["main"],
    "langchain_toolemu.check.command": ["main"],
    "langchain_toolemu.tools": ["ToolChoice", "ToolSet", "ToolSpec"],
}  # fmt: skip


@pytest.mark.parametrize("path", PUBLIC)
def test_public_paths_keep_working(path):
    """A program that imports from one of these paths goes on working."""
    module = import_module(path)
    assert [name for name in PUBLIC[path] if not hasattr(module, name)] == []
