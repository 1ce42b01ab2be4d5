"""Every other spelling that loses nothing, and those that would."""

import json
import math
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from langchain_toolemu.validation.coercion import NOTHING, convert, respell
from langchain_toolemu.validation.kinds import identity, spelled
from tests.tables import every_row


@every_row(
    ("value", "type_", "expected"),
    [
        ("5", "integer", 5),
        (" 5 ", "integer", 5),
        ("-5", "integer", -5),
        ("+5", "integer", 5),
        ("007", "integer", 7),
        ("5.0", "integer", 5),
        ("5.", "integer", 5),
        ("1e3", "integer", 1000),
        ("2.5e1", "integer", 25),
        (3.0, "integer", 3),
        ("9" * 1000, "integer", int("9" * 1000)),
        ("3.5", "number", 3.5),
        ("5", "number", 5),
        (".5", "number", 0.5),
        ("1e-3", "number", 0.001),
        ("0e-999", "number", 0.0),
        (5, "number", 5),
        ("true", "boolean", True),
        ("True", "boolean", True),
        (" FALSE\n", "boolean", False),
        (5, "string", "5"),
        (2.5, "string", "2.5"),
        (True, "string", "true"),
        (spelled(3.1, "3.10"), "string", "3.10"),
        (spelled(31, "0x1F"), "string", "0x1F"),
        (spelled(1e3, "1e3"), "integer", 1000),
        ("null", "null", None),
        ("None", "null", None),
        ('{"a": [1]}', "object", {"a": [1]}),
        (' [1, {"a": 0.5}] ', "array", [1, {"a": 0.5}]),
        ("x", None, "x"),
    ],
)
def test_another_spelling(value, type_, expected):
    """What is the same value in another spelling is converted, to the type itself."""
    converted = convert(value, type_)
    assert converted == expected
    assert type(converted) is type(expected)


@every_row(
    ("value", "type_"),
    [
        ("5.5", "integer"),
        (5.5, "integer"),
        (True, "integer"),
        ("1,000", "integer"),
        ("1_000", "integer"),
        ("٣", "integer"),
        ("0x10", "integer"),
        ("five", "integer"),
        ("", "integer"),
        ("- 5", "integer"),
        ("9007199254740993.0", "integer"),
        ("5.00000000000000000000000000000001", "integer"),
        ("1e999999999", "integer"),
        ("1e-999999999", "integer"),
        ("1e9999999999", "integer"),
        ("9" * 5000, "integer"),
        (1e20, "integer"),
        (math.nan, "integer"),
        (math.inf, "integer"),
        (None, "integer"),
        ([5], "integer"),
        ("1e999", "number"),
        ("1e-999", "number"),
        ("NaN", "number"),
        ("Infinity", "number"),
        (".", "number"),
        ("5 km", "number"),
        (math.nan, "number"),
        (True, "number"),
        ("yes", "boolean"),
        ("1", "boolean"),
        (1, "boolean"),
        (0.0, "boolean"),
        (None, "string"),
        ([], "string"),
        ({}, "string"),
        (math.inf, "string"),
        ("", "null"),
        ("nil", "null"),
        (0, "null"),
        ("[1]", "object"),
        ("{'a': 1}", "object"),
        ('{"a": 1} and more', "object"),
        ('{"a": 1, "a": 2}', "object"),
        ('{"a": NaN}', "object"),
        ('{"a": 1e999}', "object"),
        ([["a", 1]], "object"),
        ("[1, 2", "array"),
        ("[" * 100_000, "array"),
        ("[" + "9" * 5000 + "]", "array"),
        ("1, 2", "array"),
        ({}, "array"),
    ],
)
def test_no_other_spelling(value, type_):
    """What would lose or guess something is not converted."""
    assert convert(value, type_) is NOTHING


def test_number_too_long_to_write():
    """An integer that Python cannot write as text stays a number."""
    assert convert(10**5000, "string") is NOTHING


@pytest.mark.parametrize(
    ("value", "members", "expected"),
    [
        ("Celsius", ["celsius", "kelvin"], "celsius"),
        ("  north   west ", ["North West"], "North West"),
        ("a", ["a", "A"], "a"),
        ("STRASSE", ["straße"], "straße"),
        ("Aa", ["aa", "AA"], NOTHING),
        ("x", ["celsius"], NOTHING),
        ("1", [1, 2], NOTHING),
        (1.0, [1, 2], 1.0),
        (True, [1], NOTHING),
        ({"a": 1}, [{"a": 1}], {"a": 1}),
        ("x", None, "x"),
    ],
)
def test_respelling(value, members, expected):
    """A text takes the spelling of the one member that it is but for case and spaces."""
    listed = members and {identity(one): one for one in members}
    assert respell(value, listed) == expected


@settings(deadline=None)
@given(
    st.text(max_size=30) | st.from_regex(r"[ +-]?[0-9]*\.?[0-9]*(e-?[0-9]{1,3})?", fullmatch=True)
)
def test_numbers_keep_their_meaning(text):
    """A text that becomes a number is that number to Python too."""
    for type_ in ("integer", "number"):
        if (number := convert(text, type_)) is not NOTHING:
            exact = isinstance(number, int)
            assert (Decimal(text.strip()) if exact else float(text)) == number
            assert exact or math.isfinite(number)


@settings(deadline=None)
@given(st.one_of(st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False)))
def test_scalars_survive_as_text(value):
    """What becomes text can be read back."""
    text = convert(value, "string")
    assert json.loads(text) == value
    type_ = {bool: "boolean", int: "integer", float: "number"}[type(value)]
    assert convert(text, type_) == value
