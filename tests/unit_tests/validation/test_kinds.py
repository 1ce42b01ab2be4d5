"""Kinds, identity and the showing of values."""

import copy
import enum
import json
import math
import pickle
from types import MappingProxyType

import pytest

from langchain_toolemu.validation.kinds import (
    admits,
    identity,
    is_number,
    kind_of,
    plain,
    show,
    spelled,
)


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


@pytest.mark.parametrize(
    ("number", "text"),
    [(3.1, "3.10"), (1e5, "1e5"), (4915, "+4915"), (31, "0x1F"), (1234, "12_34")],
)
def test_a_number_remembers_its_spelling(number, text):
    """It is the number in all else: equal, of its kind, and fit to be copied, pickled and written."""
    kept = spelled(number, text)
    assert (kept, kind_of(kept), show(kept)) == (number, kind_of(number), text)
    assert hash(kept) == hash(number)
    assert json.dumps(kept) == json.dumps(number)
    for copied in (copy.deepcopy(kept), pickle.loads(pickle.dumps(kept))):
        assert (copied, copied.spelling) == (number, text)
    assert spelled(number, repr(number)) is number
    assert show(spelled(0.5, "0.5" + "0" * 100)) == "0.5"


def test_plain_numbers():
    """A copy has no spellings at any depth; what has none is not copied, however deep or circular."""
    inner = [spelled(3.1, "3.10"), {"a": spelled(7, "+7")}, "x", (1,)]
    value = {"x": inner, "y": inner, "z": True}
    copied = plain(value)
    assert copied == value
    assert copied["x"] is copied["y"]
    assert [type(one) for one in (copied["x"][0], copied["x"][1]["a"])] == [float, int]
    assert inner[0].spelling == "3.10"
    circle: dict = {"deep": DEEP}
    circle["self"] = circle
    assert plain(circle) is circle
