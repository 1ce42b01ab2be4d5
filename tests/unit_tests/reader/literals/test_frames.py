import math

import pytest

from langchain_toolemu.reader.literals.frames import BareWord, read_scalar
from langchain_toolemu.validation.json_values import without_spellings


@pytest.mark.parametrize(
    ("token", "value"),
    [
        ("true", True),
        ("None", None),
        ("undefined", None),
        ("5", 5),
        ("-0", 0),
        ("+7", 7),
        ("1_000", 1000),
        (".5", 0.5),
        ("5.", 5.0),
        ("1e3", 1000.0),
        ("0x1F", 31),
        ("-Infinity", -math.inf),
    ],
)
def test_literals_and_numbers_of_three_languages(token, value):
    """A token is read as JSON, Python or JavaScript would."""
    read = read_scalar(token)
    assert read == value
    assert type(without_spellings({"x": read})["x"]) is type(value)


@pytest.mark.parametrize("token", ["Paris", "0.07.1", "2024-01-01", "1" * 5000, "..."])
def test_anything_else_is_a_bare_word(token):
    """What may be a variable, a date or a code is never passed off as a value."""
    assert isinstance(read_scalar(token), BareWord)
