import math

import pytest

from langchain_toolemu.reader.literals.frames import BareWord, read_scalar
from langchain_toolemu.validation.json_values import without_spellings
from tests.tables import every_row
from tests.unit_tests.reader.literals.test_parser import parse
from tests.unit_tests.reader.reading import said

KEYS = ("city", "unit", "days", "name", "arguments")


@every_row(
    ("text", "value"),
    [
        ('{"a": "say "hi" now"}', {"a": 'say "hi" now'}),
        ('{"a": "he said "hi""}', {"a": 'he said "hi"'}),
        ('{"a": "a "b", c"}', {"a": 'a "b", c'}),
        ('{"a": "5" pipe"}', {"a": '5" pipe'}),
        ('{"a": "5" pipe", "city": 1}', {"a": '5" pipe', "city": 1}),
        ('{"a": "5" pipe"}\nmore', {"a": '5" pipe'}),
        ('[{"a": "5" pipe"}, {"b": 1}]', [{"a": '5" pipe'}, {"b": 1}]),
        ('{"a": "say "hi"", "b": 2}', {"a": 'say "hi"', "b": 2}),
        ('{"a": "{"k": "v"}"}', {"a": '{"k": "v"}'}),
        ('{"a": "say "hi" now"} more', {"a": 'say "hi" now'}),
        ('{a: "say "hi" now", b: 2}', {"a": 'say "hi" now', "b": 2}),
        ('["say "hi" now", then what"]', ['say "hi" now", then what']),
        ('{"a": "say "hi" now",}', {"a": 'say "hi" now'}),
        ('["say "hi" now", "b"]', ['say "hi" now', "b"]),
        ('["say "hi" now", true]', ['say "hi" now', True]),
        ('{"a": "{"x": "y", "city": 3}"}', {"a": '{"x": "y", "city": 3}'}),
        ('{"a": "x = {"k": {"l": "m"}}"}', {"a": 'x = {"k": {"l": "m"}}'}),
        ('{"a": "say "hi" now"\n"city": 1}', {"a": 'say "hi" now', "city": 1}),
    ],
)
def test_an_unescaped_quote_is_content(text, value):
    """A quote ends its string only if what follows can follow."""
    whole = parse(text, keys=KEYS)
    for size in (1, 2, 5):
        assert repr(parse(text, size, KEYS).root) == repr(whole.root)
    assert whole.closed
    assert whole.root == value


@every_row(
    "text",
    [
        '{"a": ["x "y", "z"]}',
        '{"a": ["x" "y"]}',
        '{"a": ["say "hi", "b" now"]}',
        '{"a": "x" "y"}',
        '{"a": "x"\n"y"}',
        '{"a": "x" + "y"}',
        '{"a": "x"+"y"}',
        '{"a": "x"\n + "y"}',
        '{"a": "x" + y, "unit": "c"}',
        '{"a": "x" * 3 + "y"}',
        '{"a": "x" || "y"}',
        '{"a": "{}".format("y"), "city": "z"}',
        '{"a": ["x" + "y"]}',
    ],
)
def test_two_readings_are_a_doubt(text):
    """Where nothing chooses between two readings, the parser says so, in whatever pieces."""
    for size in (None, 1, 2, 3):
        assert parse(text, size, KEYS).doubtful


@every_row(
    "text",
    [
        '{"a": "f("x" + "y")"}',
        '{"a": "say "hi" + more"}',
        '{"a": "x".com is "it""}',
        '{"a": "x"\n"city": 1}',
        '{"a": "x"\n* more',
        '{"a": "x" .}',
    ],
)
def test_an_operator_elsewhere_is_none(text):
    """Only what computes a value from the string before it is a doubt."""
    for size in (None, 1, 2, 3):
        assert not parse(text, size, KEYS).doubtful


@pytest.mark.parametrize(
    "text",
    [
        '{"a": ["x", "limit": 5}',
        '{"a": "x": 1}',
        '{"a": "He said", then left"}',
    ],
)
def test_the_grammar_decides_on_the_first_quote(text):
    """As long as no quote was content, a fault stops the parser instead of a string running on."""
    assert parse(text, keys=KEYS).failed


def test_an_envelope_ends_a_string_without_closers():
    """A closing tag behind a quote shows that only closers are missing."""
    for marker in ("</tool_call>", "<|eom|>", "```", "&lt;/tool_call&gt;", "[/TOOL_CALLS]"):
        parser = parse('{"a": "x"' + marker)
        assert (parser.root, parser.tail) == ({"a": "x"}, "string")
        assert parse('{"a": "x"' + marker, 1).root == parser.root
        quoted = parse('{"a": "say "x" y"' + marker, 1)
        assert quoted.root == {"a": 'say "x" y'}


def test_a_long_key_is_waited_for_only_so_long():
    """A key longer than what is looked at does not hold the reader up."""
    key = "k" * 400
    assert parse('{"a": "x", "' + key + '": 1}', 4).root == {"a": "x", key: 1}
    assert parse('{"a": "s "q" x", "' + key + '": 1}', 4).partial is not None


def test_a_string_behind_a_string_is_content_unless_it_is_a_key():
    """Where no key follows, two strings side by side are one with quotes in it."""
    assert parse('{"a": "x" "y" z}', 1, KEYS).partial == 'x" "y" z}'


def test_a_string_alone_ends_at_its_first_quote():
    """Outside any container nothing can be said of what follows."""
    assert parse('"x" y').root == "x"


def test_an_envelope_may_end_behind_some_closers():
    """Closers may be missing behind others, too."""
    parser = parse('{"x": {"a": "say "hi" y"}</tool_call>', 1)
    assert (parser.root, parser.complete) == ({"x": {"a": 'say "hi" y'}}, True)


@every_row(
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


def test_an_escaped_line_break_comes_in_two_pieces():
    """Where each quote is escaped itself, half a line break says nothing of the quote before it."""
    text = (
        r"{\n  \"name\": \"get_weather\",\n  \"arguments\": {\n    \"city\": \"a\"\": \"b\"\n  }\n}"
    )
    assert len(said(text)) == 1
