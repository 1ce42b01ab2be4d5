"""What the code has, the docs have: names, options, keys, codes, variables, commands, flags and metrics."""

import ast
import inspect
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields
from functools import cache, cached_property
from importlib import import_module

import pytest
from pydantic import BaseModel

import langchain_toolemu
from langchain_toolemu import ChatToolEmu, ToolEmuChatOpenAI, ToolEmuMiddleware
from langchain_toolemu.options import OPTIONS
from langchain_toolemu.serve import settings
from langchain_toolemu.serve.gone import explain_gone
from langchain_toolemu.turn import turn
from langchain_toolemu.turn.turn_output import WARNINGS
from tests import package_files
from tests.package_files import nodes_of, text_of
from tests.reference import DOCS, FILES, commands, flags, metrics, page


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_what_is_written_by_a_program_is_current(path):
    """`python -m tests.reference` would change nothing."""
    assert path.read_text(encoding="utf-8") == FILES[path]()


# --- what the code has ---


def exported():
    """The names of the package, and of its modules that the page has a section for."""
    modules = re.findall(r"^## .*`(langchain_toolemu\.\w+)`$", page("api*.md"), re.MULTILINE)
    homes = [langchain_toolemu, *map(import_module, modules)]
    return {name for home in homes for name in getattr(home, "__all__", ())}


def metadata_keys():
    """The keys of `response_metadata["toolemu"]`: those of the dicts that a turn makes its report of."""
    tree = ast.parse(inspect.getsource(turn))
    makers = ("_report_dict", "_tools_shown")
    functions = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name in makers)  # fmt: skip
    dicts = (node for one in functions for node in ast.walk(one) if isinstance(node, ast.Dict))
    return {key.value for one in dicts for key in one.keys if isinstance(key, ast.Constant)}


@cache
def error_codes():
    """The codes that errors, warnings and faults are given; a policy's are reasons, which docs/policy.md has."""
    found = set()
    for path in package_files.FILES:
        if path.parent.name == "policy":
            continue
        constants = {target.id: value.value for node in package_files.parsed(path).body for target, value in _assignments(node)}  # fmt: skip
        for node in nodes_of(path):
            given = [*_given_codes(node)]
            found |= {constants.get(one.id) if isinstance(one, ast.Name) else getattr(one, "value", None) for one in given}  # fmt: skip
    return {code for code in found if isinstance(code, str) and code}


def _assignments(node):
    match node:
        case ast.Assign(targets=[ast.Name() as target], value=ast.Constant() as value):
            yield target, value


def _given_codes(node):
    match node:
        case ast.Assign(targets=[ast.Name(id="code")], value=code) | ast.keyword(arg="code", value=code):  # fmt: skip
            yield code
        case ast.Call(func=ast.Name(id="warn_user" | "_forbidden"), args=[_, code]):
            yield code
        case ast.Call(func=ast.Name(id="Fault" | "invalid"), args=[_, _, code, *_]):
            yield code
        case ast.FunctionDef(args=ast.arguments(args=[*_, ast.arg(arg="code")], defaults=[*_, code])):  # fmt: skip
            yield code


def variables():
    """What is read from the environment: by a name in place, or by a constant."""
    found = set()
    for path in package_files.FILES:
        found |= set(re.findall(r'environ(?:\.get\(|\[)"(\w+)"', text_of(path)))
        strings = (node.value for node in nodes_of(path) if isinstance(node, ast.Constant))
        found |= {one for one in strings if isinstance(one, str) and re.fullmatch(r"(TOOLEMU|OPENAI)_[A-Z_]+", one)}  # fmt: skip
    return {one for one in found if not explain_gone([one])}


def gateway_settings():
    """The keys of `[server]` and of a model in the gateway's file, but for the options."""
    model = {one.name for one in fields(settings.ModelSettings)} - {"name", "toolemu"}
    return {*settings.SERVER_SETTINGS, *model}


def headers():
    """What the gateway adds to its answers, and its own page does not."""
    told = (one for path in package_files.FILES if path.parent.name == "serve" for one in re.findall(r"x-toolemu-[a-z-]+", text_of(path)))  # fmt: skip
    return {one for one in told if not one.endswith("-")}


def all_flags():
    """Each argument of each command, after the command's name."""
    return {
        f"{name} {action.option_strings[-1] if action.option_strings else action.metavar}"
        for name, command in commands().items()
        for action in flags(command)
    }


# --- where the docs have it ---


@dataclass
class Kind:
    """One kind of names, the page that has them, and the place of a name there."""

    find: Callable[[], Iterable[str]]  # not at import: every worker collects every test
    page: str
    place: str

    @cached_property
    def names(self):
        return frozenset(self.find())

    def missing(self, text):
        """The names that a page lacks."""
        return {name for name in self.names if not re.search(self._place_of(name), text, re.MULTILINE)}  # fmt: skip

    def _place_of(self, name):
        words = [re.escape(word) for word in name.split()]
        return self.place.format(*words)


_ROW = r"^\|[^|]*`{}`[^|]*\|"
_PARAGRAPH = r"^### {}$"
KINDS = {
    "exported name": Kind(exported, "api*.md", r"^::: [\w.]+\.{0}$|`(?:langchain_toolemu\.)?{0}`"),
    "option": Kind(OPTIONS.keys, "api.md", r"^\| `{}` \|"),
    "metadata key": Kind(metadata_keys, "modes.md", _ROW),
    "warning code": Kind(WARNINGS.keys, "errors.md", _PARAGRAPH),
    "error code": Kind(error_codes, "errors.md", _PARAGRAPH),
    "environment variable": Kind(variables, "command-line.md", _ROW),
    "command": Kind(commands, "command-line.md", r"^## toolemu {}$"),
    "flag": Kind(all_flags, "command-line.md", r"^## toolemu {}$(?:\n(?!## ).*)*\n\| `{}[ `]"),
    "setting of the gateway": Kind(gateway_settings, "gateway.md", r"^\| `{}` \| `\[.*\]` \|"),
    "header of the gateway": Kind(headers, "gateway.md", _ROW),
    "metric": Kind(lambda: metrics().keys(), "observability.md", _ROW),
}


@pytest.mark.parametrize("name", KINDS)
def test_the_docs_have_every(name):
    """Nothing that the code has is missing on its page."""
    assert KINDS[name].missing(page(KINDS[name].page)) == set()


@pytest.mark.parametrize("name", KINDS)
def test_what_is_removed_from_the_docs_is_missed(name):
    """For each name of each kind: the page without it fails the test above."""
    one = KINDS[name]
    text = page(one.page)
    assert len(one.names) > 3
    for removed in one.names:
        words = removed.split()
        heading = f"^## toolemu {words[0]}$" if len(words) > 1 else ""
        start = re.search(heading, text, re.MULTILINE).start()
        rest = re.sub(rf"(?<![\w-]){re.escape(words[-1])}(?![\w-])", "", text[start:])
        assert removed in one.missing(text[:start] + rest)


def test_no_paragraph_is_about_a_code_that_is_gone():
    """docs/errors.md has each code once, and no other."""
    told = re.findall(r"^### (\w+)$", page("errors.md"), re.MULTILINE)
    assert sorted(told) == sorted({*WARNINGS, *error_codes()})


@pytest.mark.parametrize("model", [ChatToolEmu, ToolEmuChatOpenAI])
def test_help_tells_every_option(model):
    """In `help()`, and with its sentence in the field's description."""
    told = " ".join(inspect.getdoc(model).split())
    for name, option in OPTIONS.items():
        assert f" {name} (" in told
        assert model.model_fields[option.field].description == option.sentence


@pytest.mark.parametrize("model", [ChatToolEmu, ToolEmuChatOpenAI, ToolEmuMiddleware])
def test_signatures_name_every_option(model):
    """`help()` and notebooks show our own parameters, before a class is used and after pydantic has built it."""
    for _ in range(2):
        assert inspect.signature(model).parameters.keys() >= OPTIONS.keys()
        if issubclass(model, BaseModel):
            model.model_rebuild(force=True)


def test_the_signature_of_chat_tool_emu_shows_nothing_else():
    """The fields that LangChain adds, such as `custom_get_token_ids`, are not among them."""
    assert list(inspect.signature(ChatToolEmu).parameters) == ["llm", *OPTIONS]


def test_generated_fragments_are_taken_in_by_a_page():
    """No fragment is left that nobody reads."""
    pages = " ".join(path.read_text(encoding="utf-8") for path in DOCS.rglob("*.md"))
    for path in (DOCS / "generated").glob("*.md"):
        assert f"generated/{path.name}" in pages, path.name
