"""What values are, how they are shown, and how else they could be said."""

import copy
import enum
import json
import math
import pickle
from decimal import Decimal
from types import MappingProxyType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from langchain_toolemu.validation import fit
from langchain_toolemu.validation.json_values import (
    NOTHING,
    admits,
    convert,
    is_number,
    json_identity,
    json_type,
    respell,
    show,
    with_spelling,
    without_spellings,
)
from tests.tables import every_row


class Level(enum.IntEnum):
    LOW = 1


DEEP: list = []
for _ in range(100_000):
    DEEP = [DEEP]


@every_row(
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
    assert json_type(value) == kind


def test_admits():
    """An integer is a number, a number is not an integer, and no type admits everything."""
    assert admits("number", "integer")
    assert not admits("integer", "number")
    assert not admits("integer", "boolean")
    assert admits(None, "array")
    assert admits(None, None)
    assert [is_number(kind) for kind in ("integer", "number", "boolean", None)] == [1, 1, 0, 0]


@every_row(
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
    assert (json_identity(one) == json_identity(other)) is equal


@every_row(
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
    kept = with_spelling(number, text)
    assert (kept, json_type(kept), show(kept)) == (number, json_type(number), text)
    assert hash(kept) == hash(number)
    assert json.dumps(kept) == json.dumps(number)
    for copied in (copy.deepcopy(kept), pickle.loads(pickle.dumps(kept))):
        assert (copied, copied.spelling) == (number, text)
    assert with_spelling(number, repr(number)) is number
    assert show(with_spelling(0.5, "0.5" + "0" * 100)) == "0.5"


def test_plain_numbers():
    """A copy has no spellings at any depth; what has none is not copied, however deep or circular."""
    inner = [with_spelling(3.1, "3.10"), {"a": with_spelling(7, "+7")}, "x", (1,)]
    value = {"x": inner, "y": inner, "z": True}
    copied = without_spellings(value)
    assert copied == value
    assert copied["x"] is copied["y"]
    assert [type(one) for one in (copied["x"][0], copied["x"][1]["a"])] == [float, int]
    assert inner[0].spelling == "3.10"
    circle: dict = {"deep": DEEP}
    circle["self"] = circle
    assert without_spellings(circle) is circle


# --- every other spelling that loses nothing, and those that would ---


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
        (with_spelling(3.1, "3.10"), "string", "3.10"),
        (with_spelling(31, "0x1F"), "string", "0x1F"),
        (with_spelling(1e3, "1e3"), "integer", 1000),
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


@every_row(
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
    listed = members and {json_identity(one): one for one in members}
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


# --- dates in the spelling that a schema asks for ---


def described(text):
    return {"type": "string", "description": text}


# What the model wrote, what the schema says, and what the call has.
DATES = [
    ("July 10, 2022", described("The format is MM-DD-YYYY."), "07-10-2022"),
    ("10 July 2022", described("The day in yyyy-mm-dd format."), "2022-07-10"),
    ("the 10th of July, 2022", described("In yyyy-mm-dd format."), "the 10th of July, 2022"),
    ("10th of July, 2022", described("In yyyy-mm-dd format."), "2022-07-10"),
    ("2022-7-9", described("The day as DD/MM/YYYY"), "09/07/2022"),
    ("Sept. 3rd, 2021", {"type": "string", "format": "date"}, "2021-09-03"),
    ("Sep 3 2021", {"anyOf": [{"type": "string"}, {"type": "null"}], "format": "date"}, "2021-09-03"),
    # It is right already, or may be two days.
    ("07-10-2022", described("The format is MM-DD-YYYY."), "07-10-2022"),
    ("07/10/2022", described("The format is MM-DD-YYYY."), "07/10/2022"),
    # No such day, no day at all, or more than a day.
    ("June 31, 2022", described("MM-DD-YYYY"), "June 31, 2022"),
    ("Mark 5, 2020", described("MM-DD-YYYY"), "Mark 5, 2020"),
    ("next Friday", described("MM-DD-YYYY"), "next Friday"),
    ("July 10, 2022 at noon", described("MM-DD-YYYY"), "July 10, 2022 at noon"),
    # Nothing is asked for, or two things are, or a time too.
    ("July 10, 2022", described("The day."), "July 10, 2022"),
    ("July 10, 2022", described("MM-DD-YYYY or YYYY-MM-DD"), "July 10, 2022"),
    ("July 10, 2022", {"type": "string", "format": "date-time"}, "July 10, 2022"),
    ("July 10, 2022", described("YYYY-MM-DDTHH:MM"), "July 10, 2022"),
    # The schema takes it as it is, and no other spelling.
    ("July 10, 2022", {**described("MM-DD-YYYY"), "enum": ["July 10, 2022"]}, "July 10, 2022"),
    ("July 10, 2022", {**described("MM-DD-YYYY"), "pattern": "^July"}, "July 10, 2022"),
]  # fmt: skip


@every_row(("wrote", "schema", "has"), DATES)
def test_a_date_is_spelt_as_its_schema_asks(wrote, schema, has):
    """The same day in another spelling, with a note; whatever may be another day stays as it is."""
    fitted = fit({"day": wrote}, {"type": "object", "properties": {"day": schema}})
    assert (fitted.args, fitted.errors) == ({"day": has}, ())
    assert bool(fitted.notes) == (wrote != has)


def test_dates_in_lists():
    """Each item has its schema."""
    schema = {"type": "array", "items": {"type": "string", "format": "date"}}
    fitted = fit({"days": ["May 1, 2020", "soon"]}, {"properties": {"days": schema}})
    assert fitted.args == {"days": ["2020-05-01", "soon"]}
