"""No page and no metadata sends anybody to an address, or to a package, that is not there yet; see RELEASING.md."""

import re
from pathlib import Path

from tests.tables import every_row

ROOT = Path(__file__).parents[2]
TEXTS = [
    *sorted(ROOT.glob("*.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted((ROOT / "cookbook").glob("*.py")),
    ROOT / "pyproject.toml",
    ROOT / "mkdocs.yml",
]
PROJECT = re.compile(r"https?://[^\s)\"'`>]*toolemu", re.IGNORECASE)
FROM_INDEX = re.compile(
    r"^[%! ]*(?:uv )?pip3? install (?:-\S+ )*\"?langchain-toolemu", re.MULTILINE
)
_BLOCK = re.compile(r"^```[^\n]*\n(.*?)^```", re.MULTILINE | re.DOTALL)


@every_row("path", TEXTS)
def test_no_address_of_the_project_is_named(path):
    """The project has no public address, so none is written anywhere."""
    assert PROJECT.findall(path.read_text(encoding="utf-8")) == []


@every_row("path", TEXTS)
def test_no_command_asks_an_index_for_the_package(path):
    """No block to copy installs the package by its name, or clones it."""
    blocks = "\n".join(_BLOCK.findall(path.read_text(encoding="utf-8")))
    assert FROM_INDEX.findall(blocks) == []
    assert "git clone" not in blocks


def substitutions():
    """What pyproject.toml changes in the README for the description on an index."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    return re.findall(r"pattern = '(.*)'\nreplacement = '(.*)'", text)


def test_the_description_on_an_index_has_no_link_that_leads_nowhere():
    """On an index there are no files next to the README."""
    description = (ROOT / "README.md").read_text(encoding="utf-8")
    for pattern, replacement in substitutions():
        description = re.sub(pattern, replacement, description)
    assert substitutions()
    assert re.findall(r"\]\((?!https?:)[^)]*\)", description) == []
    assert "docs/quickstart.md" not in description
    assert "create_agent(llm, [get_weather])" in description
