"""No page sends anybody to an address, or to a package, that is not there yet; pyproject.toml has the only addresses.

With the project's own address in pyproject.toml, pages may name that one, and the package on the index.
"""

import ast
import re
from pathlib import Path

import pytest

from tests import package_files
from tests.release.ready import PLACEHOLDER, addresses
from tests.tables import every_row

ROOT = Path(__file__).parents[2]
TEXTS = [
    *sorted(ROOT.glob("*.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted((ROOT / "cookbook").glob("*.py")),
    *sorted(ROOT.glob(".github/**/*.yml")),
    ROOT / "CITATION.cff",
    ROOT / "mkdocs.yml",
]
HOME = addresses()["Homepage"]
PUBLISHED = PLACEHOLDER not in HOME
OURS = (*addresses().values(), "https://pypi.org/project/langchain-toolemu")
PROJECT = re.compile(r"https?://[^\s)\"'`>]*toolemu[^\s)\"'`>]*", re.IGNORECASE)
FROM_INDEX = re.compile(
    r"^[%! ]*(?:(?:uv )?pip3? install (?:-\S+ )*|uvx --from )\"?langchain-toolemu", re.MULTILINE
)
_FOLDER = re.compile(r"(?<![\w./])docs/")
_BLOCK = re.compile(r"^```[^\n]*\n(.*?)^```", re.MULTILINE | re.DOTALL)


@every_row("path", TEXTS)
def test_no_other_address_of_the_project_is_named(path):
    """An address of the project is one of pyproject.toml's, and none before it is known."""
    named = PROJECT.findall(path.read_text(encoding="utf-8"))
    assert [one for one in named if PLACEHOLDER in one or not one.startswith(OURS)] == []


@pytest.mark.skipif(PUBLISHED, reason="the package is on an index")
@every_row("path", TEXTS)
def test_no_command_asks_an_index_for_the_package(path):
    """No block to copy installs the package by its name, or clones it."""
    blocks = "\n".join(_BLOCK.findall(path.read_text(encoding="utf-8")))
    assert FROM_INDEX.findall(blocks) == []
    assert "git clone" not in blocks


def test_no_message_sends_anybody_to_a_file_of_the_repository():
    """Who installed a wheel has no folder docs/: only comments and docstrings name what is in it."""
    named = []
    for path in package_files.FILES:
        nodes = package_files.nodes_of(path)
        docstrings = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
        texts = {id(node): str(node.value) for node in nodes if isinstance(node, ast.Constant)}
        named += [text for key, text in texts.items() if key not in docstrings and _FOLDER.search(text)]  # fmt: skip
    assert named == []


def test_the_description_on_an_index_has_no_link_that_leads_nowhere():
    """On an index there are no files next to the README: its links lead to the repository."""
    description = (ROOT / "README.md").read_text(encoding="utf-8")
    assert substitutions()
    for pattern, replacement in substitutions():
        description = re.sub(pattern, replacement, description)
    targets = re.findall(r"\]\(([^)]*)\)|\b(?:src|srcset)=\"([^\"]*)", description)
    assert targets
    assert [
        one for pair in targets for one in pair if one and not one.startswith(("https:", "#"))
    ] == []
    assert f"{HOME}/blob/main/docs/quickstart.md" in description


def substitutions():
    """What pyproject.toml changes in the README for the description on an index."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    return re.findall(r"pattern = '(.*)'\nreplacement = '(.*)'", text)
