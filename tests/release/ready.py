"""`python -m tests.release.ready v0.1.0 owner/name`: may this tag of this repository be published?

It reads files only, so that it runs before anything is installed.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PLACEHOLDER = "OWNER"  # in every address of pyproject.toml, until the project has one


def read(name: str) -> str:
    """A file of the repository."""
    return (ROOT / name).read_text(encoding="utf-8")


def version() -> str:
    """The version in the one place where it is kept."""
    return _found(r'__version__ = "(.+)"', read("langchain_toolemu/_version.py"))


def newest_entry() -> tuple[str, str]:
    """Version and date of the changelog's first heading."""
    heading = re.search(r"^## (\S+) \((\d{4}-\d\d-\d\d)\)$", read("CHANGELOG.md"), re.MULTILINE)
    return (heading[1], heading[2]) if heading else ("", "")


def cited() -> tuple[str, str]:
    """Version and date in CITATION.cff."""
    text = read("CITATION.cff")
    return _found(r"^version: (\S+)$", text), _found(r"^date-released: (\S+)$", text)


def addresses() -> dict[str, str]:
    """`[project.urls]` of pyproject.toml, by label."""
    table = _found(r"^\[project\.urls\]\n((?:\w+ = .*\n)+)", read("pyproject.toml"))
    return dict(re.findall(r'^(\w+) = "(.+)"$', table, re.MULTILINE))


def named_pythons() -> list[str]:
    """The versions of Python among the classifiers."""
    return re.findall(r'"Programming Language :: Python :: (3\.\d+)"', read("pyproject.toml"))


def problems(tag: str, repository: str) -> list[str]:
    """What stands against publishing; empty if nothing does."""
    entry = newest_entry()
    found = [
        (tag != f"v{version()}", f"the tag is {tag}, the version {version()}"),
        (entry[0] != version(), f"CHANGELOG.md begins with {entry[0] or 'no dated version'}"),
        (cited() != entry, f"CITATION.cff has {' of '.join(cited())}"),
        (PLACEHOLDER in read("pyproject.toml"), f"pyproject.toml still says {PLACEHOLDER}"),
        (
            addresses()["Homepage"] != f"https://github.com/{repository}",
            f"the homepage is {addresses()['Homepage']}, the repository {repository}",
        ),
    ]
    return [problem for wrong, problem in found if wrong]


def _found(pattern: str, text: str) -> str:
    match = re.search(pattern, text, re.MULTILINE)
    return match[1] if match else ""


if __name__ == "__main__":
    sys.exit("\n".join(problems(*sys.argv[1:3])) or None)
