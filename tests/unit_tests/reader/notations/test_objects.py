import pytest

from langchain_toolemu.reader import Reader
from tests.tables import every_row
from tests.unit_tests.reader.reading import NOW, PARIS, outline, read, said
from tests.unit_tests.samples import TOOLS
from tests.weather import CALL


@every_row(
    ("text", "expected"),
    [
        (f"Sure.\n{CALL}\n\nThere.", ["Sure.\n", PARIS, "\n\nThere."]),
        (CALL + "}}\n]", [PARIS]),
        (CALL + ";", [PARIS]),
        (CALL + "};}", [PARIS, "}"]),
        (CALL + " " * 63 + "}", [PARIS]),
        (CALL + " " * 64 + "}", [PARIS, " " * 64 + "}"]),
        (f"'{CALL}'", [PARIS]),
        (CALL + '"', [("get_weather", "unreadable")]),
        (CALL + ', "x": 1}', [("get_weather", "unreadable")]),
        (CALL + ', "x" and more', [PARIS, ', "x" and more']),
        ('{"name": "now"}, "arguments": {}}\nmore', [("now", "unreadable"), "\nmore"]),
        ('{"name": "get_weather", "arguments": {"city": Paris}}', [("get_weather", "unreadable")]),
        ("{name: now}", [NOW]),
        ('{"name": "get_weather", "arguments": {"city": ...}}', None),
        ('{"name": "get_weather", "arguments": {...}}', None),
        ('{"name": "get_weather", "arguments": !}', [("get_weather", "unreadable")]),
        ('{"name": "get_weather", "arguments": {"unit": "c"', [("get_weather", "cut")]),
        ('{"name": "get_wea', [(None, "cut")]),
        ('{"name": "', None),
        ('{"name": "xyz', None),
        ('{"foo', None),
        ('{"temperature": 20, "x": {"name": "now"}} and so', None),
        ('{"temperature": 20 ! {"name": "now"}', ['{"temperature": 20 ! ', NOW]),
        (
            '[{"id": 1, "function": {"name": "now"}}, {"x": 1}]',
            [NOW, (None, "unreadable")],
        ),
        ('[{"id": 1, "function": {"name": "now"}}, {}, null]', [NOW]),
        ('[{"id": 1}, {"x": 1}]', None),
        ('{"key" \nnow()', ['{"key" \n', NOW]),
    ],
)
def test_a_value_in_the_open(text, expected):
    """An object is a call, a bad call or text."""
    assert said(text) == ([text] if expected is None else expected)


def test_an_answer_streams_as_soon_as_it_can_be_none():
    """An object is let go at its first key that no call has."""
    reader = Reader(TOOLS)
    assert reader.feed('{"temperature') == []
    assert outline(reader.feed('": 2')) == ['{"temperature": 2']
    assert outline(reader.feed('0, "name": "now"}')) == ['0, "name": "now"}']


def test_a_cut_by_the_limit_is_never_a_call():
    """Where the length limit ended the reply, an open value is a cut."""
    text = '{"name": "get_weather", "arguments": {"city": "Paris"}'
    assert said(text) == [PARIS]
    assert said(text, cut=True) == [("get_weather", "cut")]
    assert said('[{"name": "now"}, {"name": "now", "arg', cut=True) == [NOW, (None, "cut")]


@every_row(
    ("text", "expected"),
    [
        ('{"tool_calls": [{"name": "now"}, {"name": "now", "arg', [NOW, (None, "cut")]),
        ('[{}, {"name": "now"}, {"name": "now", "arg', [NOW, (None, "cut")]),
        ('{"name": "search", "tags": [{"name": "now"}, {"na', [("search", "cut")]),
        ('{"name": "run", "calls": [{"name": "now"}, {"na', [("run", "cut")]),
        ('{"name": "run", "calls": [{"name": "now"}], "arg', [("run", "cut")]),
        ('search {"tags": [{"name": "now"}, {"na', [("search", "cut")]),
    ],
)
def test_only_a_list_of_calls_is_whole_before_its_cut(text, expected):
    """What closed before a cut is a call in a list of calls, and in an argument it is none."""
    assert said(text, cut=True) == expected


def test_an_explicit_envelope_reports_what_it_holds():
    """In an envelope that means calls, what is none is a bad call."""
    assert said('<tool_call>{"city": "Paris"}</tool_call>') == [(None, "unreadable")]
    assert said('<tool_call>{"name": "nope"}</tool_call>') == [("nope", "unknown_tool")]
    assert said('<tool_call>{"name": "now", "x": {...}}</tool_call>') == [("now", "unreadable")]
    text = '<tool_call>[{"name": "nope"}, {"name": "now" !]</tool_call>'
    assert said(text) == [("now", "unreadable")]


def test_a_closer_of_the_envelope_ends_the_value():
    """Brackets may be missing before a closing tag or fence."""
    open_call = '{"name": "get_weather", "arguments": {"city": "Paris"'
    for text in (
        f"<tool_call>{open_call}</tool_call>",
        f"<tool_call>{open_call}}}</tool_call>",
        f"<tool_call>{open_call}<tool_call>",
        f"```json\n{open_call}}}\n```",
    ):
        assert said(text) == [PARIS]


def test_what_was_mended_is_noted():
    """A call says in words what was wrong with it."""
    [call] = read("{'name': 'Get-Weather', 'arguments': {city: 'Paris',}")
    assert call.notes == (
        "name 'Get-Weather' read as 'get_weather'",
        "keys without quotes were accepted",
        "a trailing comma was left out",
        "missing closing brackets were added",
    )


def test_a_name_before_an_object_must_be_a_tools():
    """Labels around an unknown name are text, and so is an object that resembles nothing."""
    text = 'run {"other": 1}'
    assert said(text) == [text]


@every_row(
    ("text", "name"),
    [
        ('{"run": {"command": "l', "run"),
        ('{"run": {"comm', None),
        ('{"run": ["l', None),
        ('{"arguments": {"command": "l', ""),
        ('{"arguments": {"command": "ls"}, "na', ""),
        ('{"arguments": {"other": "l', None),
        ('{"command": "l', None),
    ],
)
def test_what_has_only_begun(text, name):
    """A tool's name as a key, or a tool's arguments, show that a call was meant."""
    expected = [text] if name is None else [(name or None, "cut")]
    assert said(text, cut=True) == expected


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ("command=ls -l", [("run", {"command": "ls -l"})]),
        ("{'command': 'ls", [("run", "unreadable")]),
        ('{\\"command\\": \\"ls\\"', [("run", "unreadable")]),
        ("command=a, command=b", [("run", {"command": "command=a, command=b"})]),
    ],
)
def test_arguments_in_a_text(arguments, expected):
    """Keywords are read as such; what begins as an object and is none is refused."""
    assert said(f'{{"name": "run", "arguments": "{arguments}"}}') == expected


def test_forced_arguments_under_their_key():
    """Where one tool is forced, its arguments may stand under their usual key alone."""
    assert said('{"arguments": {"city": "Paris"}}', forced="get_weather") == [PARIS]
    assert said('{"arguments": 5}', forced="get_weather") == ['{"arguments": 5}']
