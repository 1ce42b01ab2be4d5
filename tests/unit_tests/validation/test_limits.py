"""Bounds, and the patterns that must not run away."""

import warnings

from hypothesis import given, settings
from hypothesis import strategies as st

from langchain_toolemu.validation.json_values import json_type
from langchain_toolemu.validation.limits import Pattern, read_limits
from tests.tables import every_row


def misses(value, schema):
    """What the limits of the schema say of the value."""
    return [words for one in read_limits(schema) if (words := one.miss(value, json_type(value)))]


@every_row(
    ("schema", "good", "bad", "words"),
    [
        ({"minLength": 2}, "ab", "a", "must have at least 2 characters"),
        ({"maxLength": 2}, "ab", "abc", "must have at most 2 characters"),
        ({"pattern": "^a"}, "ab", "ba", 'must match the pattern "^a"'),
        ({"minimum": 1}, 1, 0.5, "must be at least 1"),
        ({"maximum": 1.5}, 1.5, 2, "must be at most 1.5"),
        ({"exclusiveMinimum": 1}, 1.1, 1, "must be greater than 1"),
        ({"exclusiveMaximum": 1}, 0, 1, "must be less than 1"),
        ({"minimum": 1, "exclusiveMinimum": True}, 2, 1, "must be greater than 1"),
        ({"multipleOf": 0.1}, 0.3, 0.35, "must be a multiple of 0.1"),
        ({"multipleOf": 3}, 9, 10, "must be a multiple of 3"),
        ({"minItems": 1}, [1], [], "must have at least 1 items"),
        ({"maxItems": 1}, [1], [1, 2], "must have at most 1 items"),
        ({"uniqueItems": True}, [1, True], [1, 2, 1.0], "must not repeat an item"),
        ({"minProperties": 1}, {"a": 1}, {}, "must have at least 1 entries"),
        ({"maxProperties": 0}, {}, {"a": 1}, "must have at most 0 entries"),
    ],
)
def test_limit(schema, good, bad, words):
    """A value within the bound passes, one beyond it is told in words, another kind is not asked."""
    assert misses(good, schema) == []
    assert misses(bad, schema) == [words]
    assert misses(None, schema) == []


@every_row(
    ("schema", "value"),
    [
        ({"minLength": "2"}, ""),
        ({"minLength": None}, ""),
        ({"minimum": True}, 0),
        ({"exclusiveMinimum": True}, 0),
        ({"exclusiveMinimum": False, "minimum": 0}, 0),
        ({"maximum": float("nan")}, 0),
        ({"multipleOf": 0}, 1),
        ({"multipleOf": -2}, 1),
        ({"uniqueItems": False}, [1, 1]),
        ({"uniqueItems": 0}, [1, 1]),
        ({"pattern": "("}, "x"),
        ({"pattern": r"\p{L}"}, "1"),  # JavaScript's
        ({"pattern": 5}, "x"),
        ({"pattern": ["a"]}, "x"),
        ({"format": "email"}, "x"),
    ],
)
def test_malformed_limit(schema, value):
    """A bound that is malformed or unknown bounds nothing."""
    assert misses(value, schema) == []


def test_large_numbers():
    """Numbers of any size are compared without an error."""
    huge = 10**5000
    assert misses(huge, {"maximum": 1e300, "multipleOf": 10}) == ["must be at most 1e+300"]
    assert misses(1, {"minimum": huge}) == ["must be at least a value of type int"]
    assert misses(1e308, {"multipleOf": 1e-300}) == []


def test_pattern_that_warns(recwarn):
    """A pattern that Python warns about is none where warnings are errors, and does not raise."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert Pattern.read("[[a]") is None


@every_row(
    ("source", "longest"),
    [
        (r"^\d{4}-\d{2}-\d{2}$", 1000),
        (r"^[a-z]+$", 1000),
        (r"^(foo|bar|baz)$", 1000),
        (r"[a-z]+@[a-z]+", 100),
        (r"^(\d{1,3}\.){3}\d{1,3}$", 19),
        (r"^(?:a+)+$", 19),
        (r"^((a+)+)+$", 12),
        (r"(a|a|a|a)*$", 9),
        (r"^(ab)\d+[)+]+$", 1000),  # what is escaped or in a class is no operator
        (r"a?" * 30 + "a" * 30, 2),
    ],
)
def test_longest_text_for_a_pattern(source, longest):
    """The more a pattern can backtrack, the shorter the texts it is tried on."""
    assert Pattern.read(source).longest == longest


def test_too_long_to_tell():
    """A text longer than a pattern is tried on counts as a match."""
    assert Pattern.read("^b").matches("a" * 1001)
    assert not Pattern.read("^b").matches("a" * 1000)


@settings(deadline=None)
@given(st.one_of(st.text(max_size=20), st.none(), st.integers(), st.lists(st.text())))
def test_any_pattern(source):
    """Whatever stands where a pattern should be, nothing is raised."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        pattern = Pattern.read(source)
    assert pattern is None or pattern.matches("abc") in (True, False)
