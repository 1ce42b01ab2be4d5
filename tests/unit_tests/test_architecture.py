"""The order of the layers, the map that shows it, and what must stay absent."""

import ast
import re
from functools import cache
from importlib import import_module

import regex

from tests.benchmarks.one_call import trace_one_call
from tests.package_files import FILES, PACKAGE, nodes_of, parsed
from tests.tables import every_row

MAP = (PACKAGE.parent / "docs" / "internals" / "architecture.md").read_text(encoding="utf-8")

# Lowest first: a layer imports only from layers before it.
ORDER = [
    "options",
    "errors",
    "language",
    "model_facts",
    "validation",
    "tools",
    "reader",
    "messages",
    "contract",
    "policy",
    "rounds",
    "turn",
    "capability",
    "chat_models",
    "callbacks",
    "local",
    "check",
    "serve",
    "commands",
]
# Belong to no layer: what every layer may import, and what only Python itself looks for.
OUTSIDE = ["__init__", "__main__", "_version"]


# One folder for each protocol of the gateway: the same names in each are the point.
PROTOCOLS = {"openai_chat", "openai_responses", "anthropic_messages", "ollama_chat"}


def layer_of(path):
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


@cache
def imports_of(path):
    """The modules of this package that a file imports."""
    found = []
    for node in nodes_of(path):
        found += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        found += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
    return [name for name in found if name.startswith("langchain_toolemu.")]


@every_row("path", [path for path in FILES if layer_of(path) in ORDER])
def test_a_layer_imports_only_from_layers_below_it(path):
    """Arrows run one way."""
    allowed = {*ORDER[: ORDER.index(layer_of(path)) + 1], "_version"}
    imported = {name.split(".")[1] for name in imports_of(path)}
    assert imported - allowed == set()


def test_the_root_shows_the_architecture():
    """Every entry of the root is a layer, and there are at most 19."""
    entries = {layer_of(path) for path in FILES} - {*OUTSIDE}
    assert entries == set(ORDER)
    assert len(entries) <= 19


def test_the_map_is_the_order():
    """The table in docs/internals/architecture.md lists the layers of this test, lowest first."""
    table = MAP[MAP.index("| layer |") :]
    assert re.findall(r"^\| `(\w+)/?` \|", table, re.MULTILINE) == ORDER


@every_row("layer", [layer for layer in ORDER if (PACKAGE / layer).is_dir()])
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


@every_row("path", FILES)
def test_no_two_files_import_each_other(path):
    """There is no circle of two: each file can be read after those that it imports."""
    name = ".".join(("langchain_toolemu", *path.relative_to(PACKAGE).with_suffix("").parts))
    for other in imports_of(path):
        file = PACKAGE.joinpath(*other.split(".")[1:]).with_suffix(".py")
        assert not (file.exists() and name in imports_of(file))


def names_defined_in(path):
    """The classes and type aliases of a file: names of its top level in CamelCase."""
    for node in parsed(path).body:
        if isinstance(node, ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names = [target.id for target in targets if isinstance(target, ast.Name)]
            yield from (name for name in names if re.fullmatch(r"_?[A-Z]+[a-z]\w*", name))


def test_a_name_means_one_thing():
    """No two modules and no two classes have one name: a search finds the one that is meant."""
    homes = {}
    for path in FILES:
        if PROTOCOLS & set(path.parts):
            continue
        modules = [] if path.stem.startswith("__") else [f"module {path.stem}"]
        for name in [*modules, *names_defined_in(path)]:
            homes.setdefault(name, []).append(str(path.relative_to(PACKAGE)))
    assert {name: places for name, places in homes.items() if len(places) > 1} == {}


@every_row("layer", ORDER)
def test_a_thing_has_a_noun_for_its_name(layer):
    """No variable, parameter, attribute or function is called `one`, `said`, `told` or `asked`: such a name could be anything's."""
    nodes = [node for path in FILES if layer_of(path) == layer for node in nodes_of(path)]
    names = {
        getattr(node, field, None) for node in nodes for field in ("id", "arg", "attr", "name")
    }
    assert names & {"one", "said", "told", "asked", "_said", "_told", "_asked"} == set()


def test_a_module_is_worth_a_file():
    """What has less than 30 lines stands in its neighbour, save public names."""
    small = {
        str(path.relative_to(PACKAGE))
        for path in FILES
        if path.stem not in OUTSIDE
        and path.parent.name not in PROTOCOLS
        and len(path.read_text(encoding="utf-8").splitlines()) < 30
    }
    assert small == set()


def test_the_page_names_the_files_of_one_call_in_their_order():
    """The ten files that docs/internals/architecture.md lists are entered by one call, in the order of the list."""
    section = MAP[MAP.index("## One call, file by file") :]
    listed = re.findall(r"^\d+\. \[?`(\S+\.py)`", section, re.MULTILINE)
    entered = list(trace_one_call().files)
    assert len(listed) == 10
    assert [name for name in listed if name not in entered] == []
    assert sorted(listed, key=entered.index) == listed


def test_every_file_that_the_page_names_is_there():
    """Whoever follows the page to a place of a change finds it."""
    named = set(re.findall(r"`([\w/]+(?:\.py|/))`", MAP))
    assert {name for name in named if not (PACKAGE / name).exists()} <= {
        "tests/unit_tests/test_architecture.py"
    }


def test_no_change_opens_more_files_than_before():
    """Each of the changes that are compared takes at most the files that it took, and most of them fewer."""
    section = MAP[MAP.index("## Where to change what") : MAP.index("## The layers")]
    rows = [line.strip("|").split("|") for line in section.splitlines() if "`" in line]
    compared = {row[0].strip(): row[1:] for row in rows if row[2].strip()}
    assert len(compared) == 8
    counts = {
        name: (len(re.findall(r"`[\w/]+(?:\.py|/)`", now)), len(before.split(",")))
        for name, (now, before) in compared.items()
        if before.strip() != "the same"
    }
    assert {name: pair for name, pair in counts.items() if pair[0] > pair[1]} == {}


# Small words of the languages that are written in Latin letters.
FOREIGN = re.compile(
    r"\b(?:ich|nicht|keine?|werde|je|vais|pas|nous|puedo|voy|usted|não|vou|posso|sono|questo)\b"
)
OTHER_LETTERS = regex.compile(
    r"[\p{Cyrillic}\p{Arabic}\p{Devanagari}\p{Hiragana}\p{Han}\p{Hangul}--\P{L}]", regex.V1
)


def test_a_languages_phrases_stand_in_its_file():
    """Words of other languages than English are in `language`; save what servers say, and the ranges of letters in a grammar."""
    elsewhere = {
        str(path.relative_to(PACKAGE))
        for path in FILES
        if layer_of(path) != "language"
        for node in nodes_of(path)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        if OTHER_LETTERS.search(node.value) or FOREIGN.search(node.value.lower())
    }
    assert elsewhere <= {"model_facts/error_wordings.py", "contract/grammar.py"}


def test_only_what_talks_to_servers_waits():
    """No `await` outside the layers that do I/O, and no catch-all file anywhere."""
    waiting = {
        layer_of(path)
        for path in FILES
        for node in nodes_of(path)
        if isinstance(node, ast.Await | ast.AsyncFunctionDef)
    }
    assert waiting <= {"chat_models", "capability", "serve"}
    assert not {path.stem for path in FILES} & {"utils", "helpers", "common", "misc"}


# Paths that programs and pages import from, and what they find there.
PUBLIC = {
    "langchain_toolemu.chat_models": ["ChatToolEmu"],
    "langchain_toolemu.chat_models.middleware": ["ToolEmuMiddleware"],
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
    "langchain_toolemu.tools": ["ToolChoice", "ToolSet", "ToolSpec"],
}  # fmt: skip


@every_row("path", PUBLIC)
def test_public_paths_keep_working(path):
    """A program that imports from one of these paths goes on working."""
    module = import_module(path)
    assert [name for name in PUBLIC[path] if not hasattr(module, name)] == []
