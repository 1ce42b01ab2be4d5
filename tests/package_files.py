"""The files of the package, each read and parsed once for all tests that look at the source."""

import ast
from functools import cache
from pathlib import Path

import langchain_toolemu

PACKAGE = Path(langchain_toolemu.__file__).parent
FILES = sorted(PACKAGE.rglob("*.py"))


@cache
def text_of(path: Path) -> str:
    """What a file holds."""
    return path.read_text(encoding="utf-8")


@cache
def parsed(path: Path) -> ast.Module:
    """A file as a tree."""
    return ast.parse(text_of(path))


@cache
def nodes_of(path: Path) -> list[ast.AST]:
    """All nodes of that tree."""
    return list(ast.walk(parsed(path)))
