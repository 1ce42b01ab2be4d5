import pytest

from tests.tables import every_row
from tests.unit_tests.reader.reading import NOW, PARIS, said


@every_row(
    ("text", "expected"),
    [
        ('get_weather("Paris", unit="c")', [("get_weather", {"city": "Paris", "unit": "c"})]),
        ("get_weather(city: 'Paris')", [PARIS]),
        ("get_weather(city = r'Paris',)", [PARIS]),
        ("add(-1, +2)", [("add", {"a": -1, "b": 2})]),
        ("configure(True, None)", [("configure", {"debug": True, "level": None})]),
        ('run("say "hi" now")', [("run", {"command": 'say "hi" now'})]),
        ('run(\n  command="ls",  # list\n)', [("run", {"command": "ls"})]),
        ('search("x", ["a", ("b", "c")], 3)', None),
        ('search(**{"query": "x"}, limit=3)', [("search", {"query": "x", "limit": 3})]),
    ],
)
def test_literal_arguments(text, expected):
    """Arguments may be given by name, by place, or in a dict."""
    if expected is None:
        expected = [("search", {"query": "x", "tags": ["a", ["b", "c"]], "limit": 3})]
    assert said(text) == expected


@every_row(
    "text",
    [
        'run("a" + b)',
        'run("a" if b else "c")',
        'run("a" "b")',
        'run(f"{x}")',
        "run(x)",
        "run(*x)",
        "run(other())",
        "run(1).x",
        'run("a")("b")',
        "run()",
        "run(",
    ],
)
def test_computed_arguments_are_no_call(text):
    """A variable, an operator or another call inside makes it a program."""
    assert said(text) == [text]


@every_row(
    ("text", "reason"),
    [
        ("add(1, 2, 3)", "unreadable"),
        ("add(1, a=2)", "unreadable"),
        ("add(**5)", "unreadable"),
        ('run(command="ls', "cut"),
        ("add(a=1, b=2", "cut"),
        ('run("a" i', "cut"),
        ('run("ls', "cut"),
        ("add(1,", "cut"),
        ('write_file("5" by x", "b")', "unreadable"),
        ('write_file(path="a"', "cut"),
        ('write_file(path="a", content="b",\nwrite_file(path="c", content="d")', "unreadable"),
        ('write_file(path="a", content=["b"\nwrite_file(path="c")', "unreadable"),
    ],
)
def test_calls_that_cannot_be_run(text, reason):
    """A bound tool's call with arguments that do not fit, or an end inside it, is a bad call."""
    assert said(text) == [(text.partition("(")[0], reason)]


def test_the_line_before_a_call_is_the_same_however_far_it_is_indented():
    """A line of which only white space is remembered is still the last one before the call."""
    for indent in (" " * 40, " " * 160, " " * 161):
        prose = f"def f(x):\n{indent}is how it begins.\n"
        assert said(f"{prose}now()") == [prose, NOW]


def test_what_follows_a_call_that_lacks_too_much_is_read():
    """A call without its parenthesis and a required argument is refused; the next line is not."""
    assert said('write_file(path="a"\nnow()') == [("write_file", "unreadable"), NOW]
    fenced = '```\nnow()\nsearch("x", ["a", 3)\n```'
    assert said(fenced) == [NOW, ("search", "unreadable")]


def test_a_missing_parenthesis():
    """Only a parenthesis may be missing, and not if the limit cut the reply."""
    assert said('get_weather(city="Paris"') == [PARIS]
    assert said('get_weather(city="Paris"', cut=True) == [("get_weather", "cut")]
    assert said('search("x", ["a", "b")') == [("search", "unreadable")]
    assert said('search(query="x", tags=["a", "b"\n\nWell.') == [
        ("search", {"query": "x", "tags": ["a", "b"]}),
        "Well.",
    ]


@every_row(
    ("text", "expected"),
    [
        ('Here: [get_weather(city="Paris"), now()] ok', ["Here: ", PARIS, NOW, " ok"]),
        ('[get_weather(city="Paris"), now(),]', [PARIS, NOW]),
        ("[now(); now())]]", [NOW, NOW]),
        ("[now(), # twice\n now()]", [NOW, NOW]),
        ("['now()', \"get_weather('Paris');\"]", [NOW, PARIS]),
        ("[ /* x */ 'now() # y']", [NOW]),
        ("[now(), nope(x=1)]", [NOW, ("nope", "unknown_tool")]),
        ("[now(), 5]", [(None, "unreadable")]),
        ("[now(), get_weather(city='Par", [NOW, (None, "cut")]),
        ("[get_weather(city='Par", [(None, "cut")]),
        ("[now(), 'now(", [NOW, (None, "cut")]),
        ("[now()\nWell.", [NOW, "Well."]),
        ("[now()](http://x)", None),
        ("['apple', 'now()']", None),
        ("['now() + 1']", None),
        ("['now", None),
        ("[nope()]", None),
        ("[1, 2]", None),
        ("['now x']", None),
    ],
)
def test_lists_of_calls(text, expected):
    """A list of calls, plain or as strings, is read whole."""
    assert said(text) == ([text] if expected is None else expected)


def test_a_list_in_an_explicit_envelope():
    """In an envelope that means calls, a list that is none is a bad call."""
    assert said("[TOOL_CALLS][5]") == [(None, "unreadable")]
    assert said("<tool_call>[nope(1)]</tool_call>") == [("nope", "unknown_tool")]


@every_row(
    ("text", "expected"),
    [
        ("now()\nnow()", [NOW, NOW]),
        ("now(); now()", [NOW, NOW]),
        ("  now()", [NOW]),
        ("now() is it", None),
        ("now() x", None),
        ("now(); get_weather(city='Par", [NOW, ("get_weather", "cut")]),
        ("```python\n# the time\nnow()\nget_weather('Paris')\n```", [NOW, PARIS]),
        ("```python\nnow()\nx = 1\n```", None),
        ("```python\n# nothing\n```", None),
        ("```\n[now()]\n```", [NOW]),
        ("```\n# x\n[now()]\n```", [NOW]),
        ('```\nget_weather\n{"city": "Paris"}\n```', [PARIS]),
        ("```\nget_weather the city\n```", None),
        ('```\nnow()\nget_weather {"city": "Paris"}\n```', None),
        ("```\nnow()", [NOW]),
    ],
)
def test_calls_with_a_line_or_a_block_to_themselves(text, expected):
    """Calls count if nothing else stands on their line, or in their block."""
    assert said(text) == ([text] if expected is None else expected)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("[\"run(command='ls", "cut"),
        ('["run(command="ls")", "now()"]', "unreadable"),
        ("[run(command='ls', command='rm')]", "unreadable"),
    ],
)
def test_lists_that_cannot_be_read(text, reason):
    """A list that was plainly meant as calls is refused aloud."""
    assert said(text) == [(None, reason)]


def test_a_value_before_a_line_break_ends_there():
    """A literal behind which a line ends was followed by a forgotten parenthesis."""
    assert said("configure(True\nnow()") == [("configure", {"debug": True}), NOW]


@every_row(
    ("text", "expected"),
    [
        ('write_file(path="a", content', [("write_file", "cut")]),
        ('[write_file(path="a", cont', [(None, "cut")]),
        ("write_file(pa", [("write_file", "cut")]),
        ("configure(debug=Tru", [("configure", "cut")]),
        ("write_file(other", ["write_file(other"]),
        ("search(tags=[a", [("search", "cut")]),
    ],
)
def test_a_call_that_the_limit_cut_inside_a_word(text, expected):
    """The word at the limit is unfinished, and says nothing against the call."""
    assert said(text, cut=True) == expected


@pytest.mark.parametrize(
    "text", ["add(a=2*3, b=4) is 10", "add(a=2*3, b=" + "4" * 600 + ")", "add(2*3, 4)"]
)
def test_computed_arguments_that_are_not_all(text):
    """Only where the reply is such a call, and names an argument, it is meant as one."""
    assert said(text) == [text]
