"""Arguments against their schema: what is mended, what is refused, in which words."""

import copy
import enum
import json
import math
import sys
from types import MappingProxyType
from typing import Annotated, Any, Literal, TypedDict

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from langchain_core.tools import StructuredTool, tool
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from langchain_toolemu.validation.fitting import FitResult, fit
from langchain_toolemu.validation.json_values import with_spelling
from tests.tables import every_row
from tests.thoroughness import examples

INT = {"type": "integer"}
STR = {"type": "string"}
NUM = {"type": "number"}
BOOL = {"type": "boolean"}
NULL = {"type": "null"}


def fit_one(value, schema):
    """Fit one argument called `x`."""
    return fit({"x": value}, {"type": "object", "properties": {"x": schema}})


def array(items, **more):
    return {"type": "array", "items": items, **more}


def obj(**properties):
    return {"type": "object", "properties": properties}


WEATHER = {
    "type": "object",
    "properties": {"city": STR, "days": INT, "unit": {"enum": ["celsius", "kelvin"]}},
    "required": ["city"],
}


def test_a_whole_call():
    """What can be said otherwise is, what cannot is named, and nothing is added."""
    args = {"City": "Oslo", "days": "5", "unit": "warm", "towm": 1}
    assert fit(args, WEATHER) == FitResult(
        args={"city": "Oslo", "days": 5, "unit": "warm", "towm": 1},
        notes=(
            "City: renamed to city",
            'days: "5" -> 5',
            "towm: no such argument; expected one of city, days, unit",
        ),
        errors=('unit: expected one of "celsius", "kelvin", got "warm"',),
    )
    assert fit({}, WEATHER) == FitResult({}, (), ("city: required, but missing",))


@every_row(
    ("value", "schema", "expected"),
    [
        ("5", INT, 5),
        ("5.0", INT, 5),
        (3.0, INT, 3),
        ("3.5", NUM, 3.5),
        ("True", BOOL, True),
        (5, STR, "5"),
        (True, STR, "true"),
        ("null", NULL, None),
        # arrays
        ("a", array(STR), ["a"]),
        (5, array(STR), ["5"]),
        ("5", array(INT), [5]),
        ("[1, 2]", array(INT), [1, 2]),
        ('["1", 2.0]', array(INT), [1, 2]),
        (["1", "2"], array(INT), [1, 2]),
        ("Red", array({"enum": ["red", "blue"]}), ["red"]),
        ("a", array(STR, const=["a"]), ["a"]),
        (["1", 2, "3"], {"prefixItems": [INT, STR], "items": NUM}, [1, "2", 3]),
        ((1, "2"), array(INT), [1, 2]),
        ({"a": "1"}, array(obj(a=INT)), [{"a": 1}]),
        ({"a": [1]}, array(obj(a=array(INT))), [{"a": [1]}]),
        ({"k": 1}, array({"type": "object"}), [{"k": 1}]),
        # objects
        ('{"a": "1"}', obj(a=INT), {"a": 1}),
        ({"a": {"b": ["1"]}}, obj(a=obj(b=array(INT))), {"a": {"b": [1]}}),
        ({"a": {"b": None}}, obj(a=obj(b=INT)), {"a": {}}),
        ({"k": "1"}, {"type": "object", "additionalProperties": INT}, {"k": 1}),
        ({"k1": "1"}, {"type": "object", "patternProperties": {"^k": INT}}, {"k1": 1}),
        # enumerations
        ("Celsius", {"enum": ["celsius", "kelvin"]}, "celsius"),
        (" fixed ", {"const": "Fixed"}, "Fixed"),
        ("2", {"enum": [1, 2]}, 2),
        (1, {"enum": ["1", "2"]}, "1"),
        (True, {"enum": ["True", "False"]}, "True"),
        (1, {"type": "integer", "enum": ["1", "2"]}, "1"),
        # unions
        ("5", {"type": ["integer", "null"]}, 5),
        ("None", {"type": ["integer", "null"]}, None),
        ("5", {"anyOf": [INT, NULL]}, 5),
        (5, {"anyOf": [STR, NULL]}, "5"),
        ("5", {"anyOf": [INT, NUM]}, 5),
        ("null", {"anyOf": [{"enum": ["a"]}, NULL]}, None),
        ("a", {"anyOf": [array(STR), NULL]}, ["a"]),
        ({"a": "1"}, {"oneOf": [obj(a=INT), NULL]}, {"a": 1}),
        ("5", {"type": "integer", "nullable": True}, 5),
        # everything at once
        ("5", {"allOf": [INT, {"minimum": 5}]}, 5),
        (2.0, {"allOf": [NUM, INT]}, 2),
    ],
)
def test_mended(value, schema, expected):
    """A value in another spelling becomes the value, with a note and no error."""
    fitted = fit_one(value, schema)
    assert fitted.args == {"x": expected}
    assert json.dumps(fitted.args) == json.dumps({"x": expected})
    assert fitted.errors == ()
    assert fitted.notes
    assert all(note.startswith("x") for note in fitted.notes)


@every_row(
    ("value", "schema"),
    [
        ("5", STR),
        ("5", {}),
        ("5", True),
        ("5", {"type": "widget"}),
        ("5", {"anyOf": [INT, STR]}),
        ("5", {"type": ["integer", "string"]}),
        ("null", {"anyOf": [STR, NULL]}),
        ("true", {"anyOf": [BOOL, STR]}),
        (5, NUM),
        (5.0, NUM),
        (1.0, {"type": "number", "enum": [1, 2]}),
        ('["a"]', STR),
        ([1, "2", None], {"type": "array"}),
        ({"a": 1}, {"type": "object"}),
        ({"a": 1}, {"type": "object", "additionalProperties": True, "properties": {}}),
        ((1, 2), array(INT)),
        (MappingProxyType({"a": 1}), obj(a=INT)),
        ("a", {"enum": ["a", "A"]}),
        (None, {"type": "string", "nullable": True}),
        (None, {"enum": ["a"], "nullable": True}),
        ([1, "a"], {"items": [INT, STR]}),
    ],
)
def test_untouched(value, schema):
    """A value that fits is returned as it is, without a word."""
    fitted = fit_one(value, schema)
    assert fitted == FitResult({"x": value}, (), ())
    assert fitted.args["x"] is value


@every_row(
    ("value", "schema", "error"),
    [
        ("soon", INT, 'x: expected integer, got "soon"'),
        (True, INT, "x: expected integer, got true"),
        (1, BOOL, "x: expected boolean, got 1"),
        ("yes", BOOL, 'x: expected boolean, got "yes"'),
        (5.5, INT, "x: expected integer, got 5.5"),
        (math.nan, NUM, "x: expected number, got NaN"),
        (math.inf, NUM, "x: expected number, got Infinity"),
        (math.inf, STR, "x: expected string, got Infinity"),
        ({1}, STR, "x: expected string, got a value of type set"),
        ([1], STR, "x: expected string, got [1]"),
        ({"a": 1}, STR, 'x: expected string, got {"a": 1}'),
        (list(range(9)), INT, "x: expected integer, got an array of 9"),
        ("soon", {"anyOf": [INT, NULL]}, 'x: expected integer or null, got "soon"'),
        (
            "c",
            {"anyOf": [{"enum": ["a", "b"]}, NULL]},
            'x: expected one of "a", "b" or null, got "c"',
        ),
        ("b", {"const": "a"}, 'x: expected "a", got "b"'),
        ("Ab", {"enum": ["ab", "AB"]}, 'x: expected one of "ab", "AB", got "Ab"'),
        ("z", {"enum": list("abcdefghijklmnopqrstuvwxy")}, None),
        (1, False, "x: no value is allowed"),
        # no array of one
        ("a", {"type": "array"}, 'x: expected array, got "a"'),
        ("a", array({}), 'x: expected array, got "a"'),
        ("a", array(INT), 'x: expected array, got "a"'),
        ({"b": [1]}, array(obj(a=INT)), "x: expected array, got an object of 1"),
        ({"items": [1]}, array({"type": "object"}), "x: expected array, got an object of 1"),
        ({"a": 1}, array(obj(a=INT), minItems=2), 'x: expected array, got {"a": 1}'),
        ('{"a": 1}', array(obj(a=INT)), 'x: expected array, got "{\\"a\\": 1}"'),
        ('["a", "b"', array(STR), 'x: expected array, got "[\\"a\\", \\"b\\""'),
        ("a, b", array(STR), 'x: expected array, got "a, b"'),
        ("a;b", array(STR), 'x: expected array, got "a;b"'),
        ("a\nb", array(STR), 'x: expected array, got "a\\nb"'),
        ("a", array(STR, minItems=2), 'x: expected array, got "a"'),
        ("a", array(STR, const=["b"]), 'x: expected ["b"], got "a"'),
        # inside
        ([1, "b"], array(INT), 'x[1]: expected integer, got "b"'),
        ([1, 2], {"prefixItems": [INT], "items": False}, "x[1]: no value is allowed"),
        (
            {"a": {"b": [{}]}},
            obj(a=obj(b=array({"required": ["c"], **obj()}))),
            "x.a.b[0].c: required, but missing",
        ),
        (
            {"k": "v"},
            {"type": "object", "additionalProperties": INT},
            'x.k: expected integer, got "v"',
        ),
        (
            {"k": 1},
            {**obj(a=INT), "additionalProperties": False},
            "x.k: no such argument; expected one of a",
        ),
        (
            {"k": 1},
            {**obj(), "additionalProperties": False},
            "x.k: no such argument; expected none",
        ),
        ({"a": 1}, obj(a=False), "x.a: no value is allowed"),
        # limits
        ("50", {"type": "integer", "maximum": 10}, "x: must be at most 10"),
        ([1, "1"], array(INT, uniqueItems=True), "x: must not repeat an item"),
        ("abc", {"type": "string", "pattern": "^x"}, 'x: must match the pattern "^x"'),
        ({}, {"type": "object", "minProperties": 1}, "x: must have at least 1 entries"),
        # contradictions and ambiguity
        ("a", {"allOf": [STR, INT]}, "x: no value is allowed"),
        ("5", {"anyOf": [INT, array(INT)]}, 'x: "5" could be read as 5 or [5]'),
        ({"a": "5"}, {"anyOf": [obj(a=INT), obj(a=array(INT))]}, None),
    ],
)
def test_refused(value, schema, error):
    """What is no other spelling of a fitting value is named in words that a model understands."""
    fitted = fit_one(value, schema)
    assert len(fitted.errors) == 1
    assert error is None or fitted.errors == (error,)


def test_refused_values_stay():
    """What does not fit stays as it came, beside what was mended."""
    args = {"a": "1", "b": "x", "c": {"d": "2", "e": "y"}}
    fitted = fit(args, obj(a=INT, b=INT, c=obj(d=INT, e=INT)))
    assert fitted.args == {"a": 1, "b": "x", "c": {"d": 2, "e": "y"}}
    assert len(fitted.errors) == 2


def test_long_enumerations_are_cut():
    """An error lists the first twenty of many values or names."""
    (error,) = fit_one("?", {"enum": [f"v{i}" for i in range(25)]}).errors
    assert error.endswith('"v18", "v19", ..., got "?"')
    many = obj(**{f"n{i}": INT for i in range(25)})
    assert fit({"z": 1}, many).notes[0].endswith("n18, n19, ...")


@every_row(
    ("args", "names", "expected"),
    [
        ({"User-Id": 1}, ["user_id"], {"user_id": 1}),
        ({"userId": 1}, ["user_id"], {"user_id": 1}),
        ({"user id": 1}, ["userID"], {"userID": 1}),
        ({"user\\_id": 1}, ["user_id"], {"user_id": 1}),
        ({"userId": 1, "user_id": 2}, ["user_id"], {"userId": 1, "user_id": 2}),
        ({"userId": 1, "UserId": 2}, ["user_id"], {"userId": 1, "UserId": 2}),
        ({"userid": 1}, ["user_id", "userId"], {"userid": 1}),
        ({"userid": 1, "userId": 2}, ["user_id", "userId"], {"user_id": 1, "userId": 2}),
        ({"_": 1}, ["-"], {"_": 1}),
        ({"user": 1}, ["user_id"], {"user": 1}),
    ],
)
def test_names(args, names, expected):
    """A name is respelled where it can mean exactly one declared name that is not there."""
    fitted = fit(args, obj(**dict.fromkeys(names, INT)))
    assert fitted.args == expected
    assert fitted.errors == ()


def test_names_keep_their_order_and_are_mended_within():
    """A respelled argument keeps its place, and its value is fitted too."""
    fitted = fit({"A": "1", "b": 2, "c": {"D": "3"}}, obj(a=INT, b=INT, c=obj(d=INT)))
    assert list(fitted.args.items()) == [("a", 1), ("b", 2), ("c", {"d": 3})]
    assert fitted.notes == (
        "A: renamed to a",
        'a: "1" -> 1',
        "c.D: renamed to d",
        'c.d: "3" -> 3',
    )


@pytest.mark.parametrize(
    "welcome",
    [{"additionalProperties": INT}, {"patternProperties": {"^[A-Z]$": INT}}],
)
def test_welcome_names_are_not_respelled(welcome):
    """A name that the schema has a place for is no misspelling."""
    schema = {**obj(a=INT), **welcome}
    assert fit({"A": 1}, schema) == FitResult({"A": 1}, (), ())


def test_odd_names():
    """Names that are no texts, in the call or in the schema, are carried along."""
    schema = {"properties": {1: INT, "a": INT}, "patternProperties": {"^2": INT}}
    assert fit({1: "1", 2: "2", "A": "3"}, schema).args == {1: 1, 2: 2, "a": 3}


def test_the_branch_that_fits_best_tells():
    """Where several branches take a value as it is, the one that knows its names is believed."""
    schema = {"anyOf": [obj(a=INT), obj(b=INT)]}
    assert fit_one({"b": 1}, schema) == FitResult({"x": {"b": 1}}, (), ())


CAT = {**obj(kind={"const": "cat"}, lives=INT), "required": ["kind", "lives"]}
DOG = {**obj(kind={"const": "dog"}, bark=BOOL, size=INT), "required": ["kind", "bark", "size"]}


@every_row(
    ("value", "errors"),
    [
        ({"kind": "dog"}, ["x.bark: required, but missing", "x.size: required, but missing"]),
        ({"kind": "cat", "lives": "many"}, ['x.lives: expected integer, got "many"']),
        ({"kind": "fish"}, ['x.kind: expected one of "cat", "dog", got "fish"']),
        ('{"kind": "fish"}', ['x.kind: expected one of "cat", "dog", got "fish"']),
        ({}, ["x.kind: required, but missing", "x.lives: required, but missing"]),
        (7, ["x: expected object or null, got 7"]),
    ],
)
def test_errors_of_a_union(value, errors):
    """The errors are those of the branch that was meant, and the value stays as it came."""
    fitted = fit_one(value, {"anyOf": [DOG, CAT, NULL]} if value == 7 else {"oneOf": [CAT, DOG]})
    assert list(fitted.errors) == errors
    assert fitted.args == {"x": value}


def test_errors_of_a_union_without_tags():
    """Without a tag, the branch with the fewest errors is taken for the meant one."""
    schema = {"anyOf": [obj(a=INT, b=INT), obj(a=STR, b=INT), array(INT, minItems=9)]}
    assert fit_one({"a": "q", "b": "r"}, schema).errors == ('x.b: expected integer, got "r"',)
    schema = {"anyOf": [array(INT), array(STR, maxItems=0)]}
    assert fit_one(["a"], schema).errors == ('x[0]: expected integer, got "a"',)


def test_one_near_branch_is_mended_as_far_as_it_goes():
    """If only one branch is of the value's kind, what fits in it is mended beside the errors."""
    fitted = fit_one({"a": "1", "b": "?"}, {"anyOf": [obj(a=INT, b=INT), NULL]})
    assert fitted.args == {"x": {"a": 1, "b": "?"}}
    assert fitted.errors == ('x.b: expected integer, got "?"',)


TREE = {
    "$ref": "#/$defs/node",
    "$defs": {
        "node": {
            "type": "object",
            "properties": {
                "value": INT,
                "next": {"anyOf": [{"$ref": "#/$defs/node"}, NULL]},
                "all": array({"$ref": "#/$defs/node"}),
            },
        }
    },
}


def test_recursive_schema():
    """A recursive schema is followed as deep as the value goes."""
    fitted = fit({"value": "1", "next": {"all": [{"value": "2"}], "next": None}}, TREE)
    assert fitted.args == {"value": 1, "next": {"all": [{"value": 2}], "next": None}}


def nested(depth, inner):
    for _ in range(depth):
        inner = {"next": inner}
    return inner


def test_depth():
    """A value is followed down to a hundred levels, and beyond is an error in words."""
    assert fit(nested(99, {"value": "1"}), TREE).args == nested(99, {"value": 1})
    (error,) = fit(nested(5_000, {}), TREE).errors
    assert error.startswith("next.next.")
    assert error.endswith("...: nested deeper than 100 levels")
    endless: dict[str, Any] = {}
    endless["next"] = endless
    assert fit(endless, TREE).errors
    assert fit(nested(5_000, {}), {"type": "object"}).errors == ()


def test_depth_within_texts():
    """Texts of JSON within texts of JSON count as deep as they go."""
    text = json.dumps(nested(60, {}))
    text = json.dumps(nested(60, text))
    (error,) = fit({"next": text}, TREE).errors
    assert error.endswith("nested deeper than 100 levels")


def test_depth_leaves_room_on_the_stack():
    """The deepest value needs less than half of Python's stack."""

    def deeper(frames):
        return deeper(frames - 1) if frames else fit(nested(5_000, {}), TREE)

    frame, used = sys._getframe(), 0
    while frame := frame.f_back:
        used += 1
    assert deeper(sys.getrecursionlimit() // 2 - used - 10).errors


def test_findings_are_counted_out():
    """Twenty notes and twenty errors are told, then that there are more."""
    fitted = fit({"a": ["1"] * 100, "b": ["x"] * 100}, obj(a=array(INT), b=array(INT)))
    assert fitted.args["a"] == [1] * 100
    assert [len(fitted.notes), len(fitted.errors)] == [21, 21]
    assert fitted.notes[-1] == fitted.errors[-1] == "... and more"
    assert len(fit({"b": ["x"] * 20}, obj(b=array(INT))).errors) == 20


def test_large_array():
    """Thirty thousand items behind a reference are no trouble."""
    args = {"all": [{"value": i} for i in range(30_000)]}
    assert fit(args, TREE) == FitResult(args, (), ())


def test_unions_within_unions():
    """Branches that all go down the same way are not tried again at every level."""
    branches = [{"properties": {"next": {"$ref": "#/$defs/u"}, name: INT}} for name in "abc"]
    schema = {"$ref": "#/$defs/u", "$defs": {"u": {"anyOf": branches}}}
    assert fit(nested(90, {"a": "?", "b": "?", "c": "?"}), schema).errors
    assert not fit(nested(90, {"a": "1"}), schema).errors


# --- properties -----------------------------------------------------------------------------------

NAMES = st.sampled_from(["a", "b", "a_b", "aB", "A-b", "c"])
TEXTS = ["5", "5.0", " 5 ", "true", "null", "x", "X", "[1]", '{"a": "5"}', '["5"]', "[", "1e3", ""]
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 12),
    st.floats(),
    st.sampled_from(TEXTS),
    st.text(max_size=4),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAMES, inner, max_size=4),
    max_leaves=10,
)
ARGS = st.dictionaries(NAMES, VALUES, max_size=4)
TYPES = st.sampled_from(
    ["string", "integer", "number", "boolean", "null", "object", "array", "INTEGER", "widget"]
)


def larger_schemas(inner):
    return st.fixed_dictionaries(
        {},
        optional={
            "type": TYPES | st.lists(TYPES, max_size=3),
            "properties": st.dictionaries(NAMES, inner, max_size=3),
            "required": st.lists(NAMES, max_size=2),
            "additionalProperties": inner,
            "patternProperties": st.dictionaries(
                st.sampled_from(["^a", "b$", "("]), inner, max_size=2
            ),
            "items": inner | st.lists(inner, max_size=2),
            "prefixItems": st.lists(inner, max_size=2),
            "anyOf": st.lists(inner, max_size=3),
            "oneOf": st.lists(inner, max_size=3),
            "allOf": st.lists(inner, max_size=2),
            "$ref": st.sampled_from(["#", "#/$defs/a", "#/$defs/b", "#/properties/a", "nope"]),
            "enum": st.lists(SCALARS, max_size=3),
            "const": SCALARS,
            "nullable": st.booleans(),
            "minimum": st.integers(0, 9),
            "exclusiveMaximum": st.booleans() | st.integers(0, 9),
            "maxLength": st.integers(0, 3),
            "minItems": st.integers(0, 2),
            "uniqueItems": st.booleans(),
            "multipleOf": st.sampled_from([0, 2, 0.5]),
            "pattern": st.sampled_from(["^x", "(", r"\d"]),
        },
    )


PIECES = st.recursive(st.booleans() | st.builds(dict, type=TYPES), larger_schemas, max_leaves=8)
SCHEMAS = st.builds(
    lambda schema, defs: {**schema, "$defs": defs} if isinstance(schema, dict) else schema,
    PIECES,
    st.dictionaries(st.sampled_from("ab"), PIECES, max_size=2),
)
thorough = settings(
    max_examples=examples(150), deadline=None, suppress_health_check=list(HealthCheck)
)


def as_text(value):
    """The value as text, in which NaN equals NaN and 1 does not equal true."""
    return json.dumps(value, sort_keys=True)


@thorough
@given(ARGS, SCHEMAS)
def test_nothing_given_is_changed(args, schema):
    """Neither arguments nor schema are changed by being looked at."""
    before = copy.deepcopy([args, schema])
    fit(args, schema)
    assert as_text([args, schema]) == as_text(before)


@thorough
@given(ARGS, SCHEMAS)
def test_fitting_twice_is_fitting_once(args, schema):
    """Arguments that were fitted stay as they are, with the same errors."""
    once = fit(args, schema)
    twice = fit(once.args, schema)
    assert as_text(twice.args) == as_text(once.args)
    assert twice.errors == once.errors


@thorough
@given(ARGS, SCHEMAS)
def test_every_argument_is_still_there(args, schema):
    """No argument is dropped and none is added, whatever it is called."""
    assert len(fit(args, schema).args) == len(args)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@thorough
@given(JSON, JSON, JSON)
def test_any_schema_and_value(value, schema, root):
    """Whatever stands where a schema should be, nothing is raised."""
    parameters = {"$defs": root, "properties": {"x": schema}}
    assert fit({"x": value}, parameters).args.keys() == {"x"}


def test_root():
    """A piece of a schema is read with the definitions of the whole."""
    there = {"properties": {"x": {"$ref": "#/$defs/a"}}, "$defs": {"a": INT}}
    missing = {"properties": {"x": {"$ref": "#/$defs/a"}}}
    assert fit({"x": "5"}, there).args == {"x": 5}
    assert fit({"x": "5"}, missing).args == {"x": "5"}


@every_row("schema", [None, {}, True, "x", {"type": "object"}, {"properties": 5}])
def test_no_schema(schema):
    """Without a usable schema the arguments pass."""
    assert fit({"a": "1"}, schema) == FitResult({"a": "1"}, (), ())


@pytest.mark.parametrize("schema", [False, {"type": "array", "items": {}}, {"const": "x"}])
def test_schema_that_no_arguments_fit(schema):
    """Where a schema wants no object at all, that is an error like any other."""
    fitted = fit({"a": 1}, schema)
    assert fitted.args == {"a": 1}
    assert len(fitted.errors) == 1


# --- real schemas ---------------------------------------------------------------------------------


class Unit(enum.Enum):
    CELSIUS = "celsius"
    KELVIN = "kelvin"


class Cat(BaseModel):
    kind: Literal["cat"]
    lives: int = Field(ge=0, le=9)


class Dog(BaseModel):
    kind: Literal["dog"]
    name: str


class Address(BaseModel):
    model_config = ConfigDict(extra="forbid")
    street: str
    zip: int | None = None


class Part(BaseModel):
    name: str
    parts: list["Part"] = []


class Order(BaseModel):
    unit: Unit
    pet: Annotated[Cat | Dog, Field(discriminator="kind")]
    address: Address | None = None
    addresses: list[Address] = []
    tags: list[str] = []
    flags: set[int] = set()
    counts: dict[str, int] = {}
    amount: int | float = 0
    mode: Literal["fast", "slow", 3] = "fast"
    pair: tuple[int, str] = (0, "")
    root: Part | None = None
    anything: Any = None


MESSY = {
    "Unit": "Celsius",
    "pet": '{"kind": "Cat", "lives": "9"}',
    "address": {"street": 5, "zip": "null"},
    "addresses": [{"Street": "a", "zip": "1"}, '{"street": "b"}'],
    "tags": "red",
    "flags": ["1", 2.0],
    "counts": {"a": "1", "B": 2},
    "amount": "2.5",
    "mode": "3",
    "pair": '["1", 2]',
    "root": {"name": 1, "parts": "[]"},
    "anything": {"as": ["it", "is"]},
}
TIDY = {
    "unit": "celsius",
    "pet": {"kind": "cat", "lives": 9},
    "address": {"street": "5", "zip": None},
    "addresses": [{"street": "a", "zip": 1}, {"street": "b"}],
    "tags": ["red"],
    "flags": [1, 2],
    "counts": {"a": 1, "B": 2},
    "amount": 2.5,
    "mode": 3,
    "pair": [1, "2"],
    "root": {"name": "1", "parts": []},
    "anything": {"as": ["it", "is"]},
}


def as_a_function(
    unit: Unit,
    pet: Annotated[Cat | Dog, Field(discriminator="kind")],
    address: Address | None = None,
    addresses: list[Address] = [],  # noqa: B006
    tags: list[str] = [],  # noqa: B006
    flags: set[int] = set(),  # noqa: B006
    counts: dict[str, int] = {},  # noqa: B006
    amount: int | float = 0,  # noqa: PYI041
    mode: Literal["fast", "slow", 3] = "fast",
    pair: tuple[int, str] = (0, ""),
    root: Part | None = None,
    anything: Any = None,
) -> str:
    """Take an order."""


def of_tool(bound):
    return convert_to_openai_tool(bound)["function"]["parameters"]


ORDERS = {
    "pydantic": Order.model_json_schema(),
    "openai": of_tool(Order),
    "tool": of_tool(tool(as_a_function)),
    "structured": of_tool(
        StructuredTool.from_function(
            as_a_function, name="order", args_schema=Order, description="x"
        )
    ),
    "mcp": of_tool(
        StructuredTool.from_function(
            as_a_function, name="order", args_schema=Order.model_json_schema(), description="x"
        )
    ),
}


@pytest.mark.parametrize("schema", ORDERS.values(), ids=ORDERS)
def test_schemas_of_pydantic_and_langchain(schema):
    """A messy call of a tool with every kind of type becomes one that pydantic takes."""
    fitted = fit(MESSY, schema)
    assert fitted.errors == ()
    assert fitted.args == TIDY
    assert fit(TIDY, schema).args == TIDY
    Order.model_validate(fitted.args, strict=False)


@every_row(
    ("change", "error"),
    [
        ({"unit": "warm"}, 'unit: expected one of "celsius", "kelvin", got "warm"'),
        ({"pet": {"kind": "fish"}}, 'pet.kind: expected one of "cat", "dog", got "fish"'),
        ({"pet": {"kind": "cat", "lives": 10}}, "pet.lives: must be at most 9"),
        ({"address": {"zip": 1}}, "address.street: required, but missing"),
        (
            {"addresses": [{"street": "a", "town": "b"}]},
            "addresses[0].town: no such argument; expected one of street, zip",
        ),
        ({"counts": {"a": "many"}}, 'counts.a: expected integer, got "many"'),
        ({"mode": "medium"}, 'mode: expected one of "fast", "slow", 3, got "medium"'),
        ({"pair": [1]}, "pair: must have at least 2 items"),
        ({"root": {"parts": []}}, "root.name: required, but missing"),
    ],
)
@pytest.mark.parametrize("schema", ORDERS.values(), ids=ORDERS)
def test_errors_against_pydantic(change, error, schema):
    """What pydantic refuses is refused, in these words."""
    args = {**TIDY, **change}
    assert fit(args, schema).errors == (error,)
    with pytest.raises(ValidationError):
        Order.model_validate(args)


def test_recursive_models():
    """A recursive model is checked all the way down, unless LangChain has cut its schema short."""
    args = {"name": "a", "parts": [{"name": 1, "parts": [{}]}]}
    fitted = fit(args, Part.model_json_schema())
    assert fitted.args["parts"][0]["name"] == "1"
    assert fitted.errors == ("parts[0].parts[0].name: required, but missing",)
    assert of_tool(Part)["properties"]["parts"]["items"] == {}
    assert fit(args, of_tool(Part)) == FitResult(args, (), ())


def test_typed_dict():
    """A tool described by a TypedDict is no exception."""

    class Search(TypedDict):
        """Search for something."""

        query: str
        limit: int

    fitted = fit({"query": "x", "limit": "3"}, of_tool(Search))
    assert fitted == FitResult({"query": "x", "limit": 3}, ('limit: "3" -> 3',), ())


def test_tool_without_arguments():
    """An argument for a tool that takes none is noted, not dropped."""

    @tool
    def now() -> str:
        """Tell the time."""

    fitted = fit({"zone": "UTC"}, of_tool(now))
    assert fitted == FitResult({"zone": "UTC"}, ("zone: no such argument; expected none",), ())


def test_a_number_for_a_string_is_given_as_it_was_written():
    """At any depth, in a JSON text, too; for a number it is a plain one."""
    ten = with_spelling(3.1, "3.10")
    assert fit_one(ten, STR) == FitResult({"x": "3.10"}, ('x: 3.10 -> "3.10"',), ())
    assert fit_one([ten], array(STR)).args == {"x": ["3.10"]}
    assert fit_one('{"v": 3.10}', obj(v=STR)).args == {"x": {"v": "3.10"}}
    for schema in (NUM, {}, INT):
        assert type(fit_one(ten, schema).args["x"]) is float
    assert type(fit_one('{"v": 3.10}', obj(v=NUM)).args["x"]["v"]) is float


def test_null_is_no_value_where_none_is_required():
    """An argument that may be left out is; one that must be there is asked for."""
    optional, required = obj(x=STR), {**obj(x=STR), "required": ["x"]}
    assert fit({"x": None}, optional) == FitResult({}, ("x: null left out",), ())
    assert fit({"x": None}, required).errors == ("x: expected string, got null",)
    assert fit({"x": None}, obj(x={"type": ["string", "null"]})).args == {"x": None}


def test_nothing_is_not_an_item():
    """An empty text for a list may mean none, so it is left to the model."""
    schema = {"properties": {"tags": {"type": "array", "items": {"type": "string"}}}}
    assert fit({"tags": ""}, schema).errors
    assert fit({"tags": "a"}, schema).args == {"tags": ["a"]}


def test_where_any_name_is_welcome_only_a_missing_one_is_meant():
    """A further name that looks like an optional one is its own."""
    schema = {
        "properties": {"user_id": {}, "city": {}}, "required": ["city"], "additionalProperties": True,
    }  # fmt: skip
    given = {"userId": 1, "City": "Rome"}
    assert fit(given, schema).args == {"userId": 1, "city": "Rome"}
