"""The page of surfaces: each row names a test that exists, and each surface of the matrix has a row."""

import ast
from functools import cache
from pathlib import Path

import pytest

from tests.tables import every_row
from tests.unit_tests.surfaces_page import SURFACES

TESTS = Path(__file__).parents[1]
MATRIX = "integration_tests/test_surfaces.py"
ROWS = [row[1:] for rows in SURFACES.values() for row in rows]


@cache
def source_and_tests(path):
    """What a file holds, and the names of its functions."""
    source = (TESTS / path).read_text()
    return source, {
        node.name for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)
    }


@every_row(("path", "name", "case"), ROWS)
def test_each_row_names_a_test(path, name, case):
    """The linked file has the test, and the case that the row speaks of."""
    source, tests = source_and_tests(path)
    assert name in tests
    assert f'"{case}"' in source or not case


@pytest.mark.parametrize("table", ["AGENTS", "STREAMS", "GRAPHS"])
def test_each_surface_of_the_matrix_has_a_row(table):
    """A surface that is tested is on the page."""
    body = ast.parse((TESTS / MATRIX).read_text()).body
    (value,) = [
        node.value
        for node in body
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == table
    ]
    surfaces = {key.value for key in value.keys}
    listed = {case for path, _, case in ROWS if path == MATRIX}
    assert surfaces - listed == set()
