"""The page of surfaces: each row names a test that exists, and each surface of the matrix has a row."""

import ast
import re
from pathlib import Path

import pytest

from tests.tables import every_row

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "compatibility.md"
SURFACES = ROOT / "tests" / "integration_tests" / "test_surfaces.py"
ROW = re.compile(r'^\| .* \| \[`(\w+)`\]\(\.\./(\S+)\)(?: "(.+)")? \|$', re.MULTILINE)
ROWS = ROW.findall(PAGE.read_text())


@every_row(("name", "path", "case"), ROWS)
def test_each_row_names_a_test(name, path, case):
    """The linked file has the test, and the case that the row speaks of."""
    source = (ROOT / path).read_text()
    tests = [node.name for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)]
    assert name in tests
    assert f'"{case}"' in source or not case


def test_no_row_is_without_a_test():
    """Every row of every table links one."""
    rows = [line for line in PAGE.read_text().splitlines() if line.startswith("| ")]
    headings = [line for line in rows if line.endswith("| test |")]
    assert len(rows) - len(headings) == len(ROWS)


@pytest.mark.parametrize("table", ["AGENTS", "STREAMS", "GRAPHS"])
def test_each_surface_of_the_matrix_has_a_row(table):
    """A surface that is tested is on the page."""
    body = ast.parse(SURFACES.read_text()).body
    (value,) = [
        node.value
        for node in body
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == table
    ]
    surfaces = {key.value for key in value.keys}
    listed = {case for _, path, case in ROWS if path.endswith(SURFACES.name)}
    assert surfaces - listed == set()
