import json

from hypothesis import given, settings
from hypothesis import strategies as st

from langchain_toolemu.reader.literals.parser import MAX_DEPTH, Parser
from langchain_toolemu.reader.window import Window
from tests.tables import every_row

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


def parse(text, size=None, keys=()):
    """A parser that was fed a text."""
    window = Window()
    parser = Parser(window, frozenset(keys))
    reading = parser.read()
    next(reading, None)
    step = size or len(text) or 1
    for start in range(0, len(text), step):
        window.feed(text[start : start + step])
        next(reading, None)
    window.ended = True
    for _ in reading:
        pass
    return parser


def parsed(text, keys=()):
    """The value of a text, which must close, in pieces of any size."""
    whole = parse(text, keys=keys)
    assert whole.closed, whole.failed
    for size in (1, 2, 3, 7):
        assert repr(parse(text, size, keys).root) == repr(whole.root)
    return whole.root


@given(JSON, st.sampled_from([None, 2]), st.booleans(), st.integers(1, 9))
@settings(deadline=None)
def test_valid_json_is_read_as_json_reads_it(value, indent, ascii_only, size):
    """On valid JSON the parser and `json.loads` always agree."""
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    parser = parse(text, size)
    # A number alone has no end of its own but the text's.
    assert parser.closed
    assert repr(parser.root) == repr(json.loads(text))


@every_row(
    ("text", "value"),
    [
        ('{"a": 1,}', {"a": 1}),
        ("[1, 2,]", [1, 2]),
        ("{'a': True, 'b': None}", {"a": True, "b": None}),
        ("{a: 1, $b: 2}", {"a": 1, "$b": 2}),
        ('{a: "x"\nb: 2}', {"a": "x", "b": 2}),
        ('{"a": "x" "b": 2}', {"a": "x", "b": 2}),
        ('[{"a": 1} {"a": 2}]', [{"a": 1}, {"a": 2}]),
        ("{“a”: “b”}", {"a": "b"}),
        ("{\u2018a\u2019: \u2018it\u2019s\u2019}", {"a": "it\u2019s"}),
        ("{'a': 'it's', 'b': 'the dogs' bowl'}", {"a": "it's", "b": "the dogs' bowl"}),
        ("{`a`: `b`}", {"a": "b"}),
        ('{"a": """x "y" z"""}', {"a": 'x "y" z'}),
        ("{'a': r'C:\\n', 'b': u'x'}", {"a": "C:\\n", "b": "x"}),
        ('{"a": (1, 2)}', {"a": [1, 2]}),
        ('{"a": 1 /* one */, # two\n "b": 2 // three\n}', {"a": 1, "b": 2}),
        ('{"a": [1, 2}', {"a": [1, 2]}),
        ('{"a": [1, 2]], "b": 3}', {"a": [1, 2], "b": 3}),
        ('[{"a": {"x": 1}}}, {"b": 2}]', [{"a": {"x": 1}}, {"b": 2}]),
        ('[{"a": [1]], "b": 2}]', [{"a": [1], "b": 2}]),
        ('[{"a": [1]],\n  "b": 2}]', [{"a": [1], "b": 2}]),
        ('[{"a": 1, {"b": 2}]', [{"a": 1}, {"b": 2}]),
        ('{{"a": {{"b": 1}}}}', {"a": {"b": 1}}),
        ("{&quot;a&quot;: &quot;x &lt; y&quot;}", {"a": "x < y"}),
        ('{"a": "x"\n// note\n}', {"a": "x"}),
    ],
)
def test_faults_are_mended(text, value):
    """What models get wrong in a value is read as it was meant."""
    assert parsed(text) == value


@every_row(
    "text",
    [
        '{"a", "b"}',
        '{"a": }',
        "{]",
        "{1: 2}",
        '{"a": /x}',
        '{"a": f"{x}"}',
        '{"a": &x}',
        '{"a": 1 {"b": 2}}',
        '{"a": ["x"] "y" z}',
        '{"a": 1 /',
        '{"a": {{{"b": 1}}}}',
        '{"a": {"b",{"c": "d",{"c": "e", {"b": 1',
        "{&quo",
    ],
)
def test_what_is_no_value_fails(text):
    """What cannot be mended stops the parser, and says where."""
    parser = parse(text)
    assert parser.failed
    assert not parser.closed
    assert parse(text, 1).failed == parser.failed


@every_row(
    ("text", "tail", "complete"),
    [
        ('{"a": "x', "mark", False),
        ('{"a": "x\\', "mark", False),
        ('{"a": "x"', "string", True),
        ('{"a": 1', "number", False),
        ('{"a": true', "literal", True),
        ('{"a": [1]', "container", True),
        ('{"a": "x",', "mark", False),
        ('{"a": 1 /* open', "number", False),
        ("", "nothing", False),
    ],
)
def test_an_end_is_complete_or_a_cut(text, tail, complete):
    """Only closers may be missing; a number may lack digits, a string its end."""
    parser = parse(text)
    assert (parser.tail, parser.complete, parser.closed) == (tail, complete, False)


def test_depth_has_a_limit():
    """A value nested too deeply is refused, and the limit itself is not."""
    assert parse("[" * MAX_DEPTH + "]" * MAX_DEPTH).closed
    assert "deeper" in parse("[" * (MAX_DEPTH + 1)).failed


def test_words_without_quotes_are_told():
    """A bare word is read, and reported: it may be a variable."""
    assert parse("{name: f, a: x}").bare_words == ["f", "x"]


def test_documentation_is_recognised():
    """What was left out on purpose shows that nobody meant to call."""
    assert parse('{"a": {...}}').elided
    assert parse('{"a": <city>}').elided
    assert parse('{"a": ...}').elided
    assert not parse('{"a": !}').elided
