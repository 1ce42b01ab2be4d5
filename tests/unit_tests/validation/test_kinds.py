"""Kinds, identity and the showing of values."""

import enum
import math
from types import MappingProxyType

import pytest

from langchain_toolemu.validation.kinds import admits, identity, is_number, kind_of, show


class Level(enum.IntEnum):
    LOW = 1


DEEP: list = []
for _ in range(100_000):
    DEEP = [DEEP]


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ("x", "string"),
        (True, "boolean"),
        (1, "integer"),
        (1.0, "number"),
        (None, "null"),
        ([], "array"),
        ((1, 2), "array"),
        ({}, "object"),
        (MappingProxyType({}), "object"),
        (Level.LOW, "integer"),
        (math.nan, None),
        (math.inf, None),
        ({1}, None),
        (b"x", None),
    ],
)
def test_kind(value, kind):
    """Each value has the kind that JSON gives it, and what JSON cannot carry has none."""
    assert kind_of(value) == kind


def test_admits():
    """An integer is a number, a number is not an integer, and no type admits everything."""
    assert admits("number", "integer")
    assert not admits("integer", "number")
    assert not admits("integer", "boolean")
    assert admits(None, "array")
    assert admits(None, None)
    assert [is_number(kind) for kind in ("integer", "number", "boolean", None)] == [1, 1, 0, 0]


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        (1, 1.0, True),
        (1, True, False),
        (0, False, False),
        ("1", 1, False),
        (None, False, False),
        ([1], [True], False),
        ({"a": 1, "b": [2]}, {"b": [2], "a": 1}, True),
        ([1, 2], (1, 2), True),
        (math.nan, None, False),
        ({1: "a"}, {1: "a"}, True),
        (
            {1: "a", "b": 2},
            {1: "a", "b": 2},
            False,
        ),  # names that do not sort: never equal, no error
        ([DEEP], [], False),
        ([10**5000], [], False),
    ],
)
def test_identity(one, other, equal):
    """Two values share an identity exactly if JSON calls them equal."""
    assert (identity(one) == identity(other)) is equal


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("Zürich", '"Zürich"'),
        (True, "true"),
        (None, "null"),
        (2.5, "2.5"),
        ([], "[]"),
        (["a", 1, None], '["a", 1, null]'),
        ([1, 2, 3, 4], "an array of 4"),
        ([[1]], "an array of 1"),
        ({"a": 1}, '{"a": 1}'),
        ({"a": {}}, "an object of 1"),
        ({1: 1, 2: 2, 3: 3, 4: 4}, "an object of 4"),
        ("x" * 100, '"' + "x" * 60 + '..."'),
        ({1}, "a value of type set"),
    ],
)
def test_show(value, shown):
    """A short value is shown as JSON, a long one is named."""
    assert show(value) == shown


def test_show_of_a_number_too_long_to_print():
    """A number with more digits than Python prints is named."""
    assert show(10**5000) == "a value of type int"
