import pytest

from langchain_toolemu.reader.shapes import fits, resembles
from langchain_toolemu.tools import ToolSet, ToolSpec
from tests.unit_tests.reader.reading import NOW, PARIS, said
from tests.unit_tests.samples import TOOLS

SEARCH = TOOLS.exact("search")


@pytest.mark.parametrize(
    ("text", "calls"),
    [
        ('{"name": "get_weather", "arguments": [{"city": "Paris"}]}', [PARIS]),
        ('{"action": "get_weather", "action_input": "Paris"}', [PARIS]),
        ('{"action": "math.factorial", "action_input": 5}', [("math.factorial", {"number": 5})]),
        ('{"function_call": {"name": "now", "arguments": "{}"}}', [NOW]),
        ('{"role": "assistant", "content": null, "tool_calls": [{"name": "now"}]}', [NOW]),
        ('{"get_weather": {"city": "Paris"}, "now": null}', [PARIS, NOW]),
        ('{"thought": "hm", "now": ""}', [NOW]),
        ('{"name": "get_weather", "arguments": {}, "city": "Paris"}', [PARIS]),
        ('{"name": "get_weather", "city": "Paris", "type": "function"}', [PARIS]),
        ('{"name": "run", "arguments": "{x: 1}"}', [("run", {"command": "{x: 1}"})]),
        (
            '{"name": "run", "input": "ls", "arguments": {"command": "ls"}}',
            [("run", {"command": "ls"})],
        ),
        (
            '{"name": "search", "arguments": {"query\\\\_": "a\\\\_b", "tags": ["c\\\\_d", {"e": 1}]}}',
            [("search", {"query_": "a_b", "tags": ["c_d", {"e": 1}]})],
        ),
        ('{"tools": [{"name": "now"}, {"tool": {"name": "now"}}]}', [NOW, NOW]),
    ],
)
def test_shapes_of_a_call(text, calls):
    """Whatever keys are used, a bound tool's name in a name's place makes a call."""
    assert said(text) == calls


@pytest.mark.parametrize(
    "text",
    [
        '{"name": "now", "description": "the time"}',
        '{"tools": [{"name": "now"}, {"name": "search"}]}',
        '{"search": {"results": 10}}',
        '{"search": ["x"]}',
        '{"name": "now", "tool": "run"}',
        '{"function": {"name": "search", "parameters": {"properties": {}}}}',
        '{"name": "search", "parameters": {"query": {"type": "string"}}}',
        '{"arguments": {"city": "Paris"}}',
        '{"name": 5, "arguments": {}}',
        '{"description": "x"}',
        '{"tools": ["now", "run"]}',
    ],
)
def test_what_only_speaks_of_a_tool(text):
    """A description, a listing or an answer is no call."""
    assert said(text) == [text]


def test_arguments_that_are_no_object_are_refused():
    """A bound tool's name with arguments nobody can place is a bad call."""
    assert said('{"name": "add", "arguments": [1, 2]}') == [("add", "unreadable")]
    assert said('{"name": "add", "arguments": "one and two"}') == [("add", "unreadable")]


def test_a_forced_tool_takes_a_bare_object():
    """Where one tool is demanded, an object that fits its schema is its arguments."""
    assert said('{"city": "Paris"}', forced="get_weather") == [PARIS]
    assert said("{}", forced="now") == [NOW]
    assert said('{"city": "Paris", "mood": 1}', forced="get_weather") == [
        '{"city": "Paris", "mood": 1}'
    ]
    assert said('{"name": "now", "arguments": {}}', forced="get_weather") == [NOW]
    assert said('{"city": "Par', forced="get_weather") == [("get_weather", "cut")]


def test_two_names_are_settled_by_the_arguments():
    """Of two tools named in one object, the one that takes the other key as an argument is meant."""
    assert said('{"tool": "search", "query": "now"}') == [("search", {"query": "now"})]


def test_an_argument_may_be_called_like_the_place_of_arguments():
    """A key that is a tool's own argument is not taken for all its arguments."""
    properties = {"input": {"type": "string"}, "data": {}}
    tools = ToolSet([ToolSpec("echo", "", {"properties": properties, "required": ["input"]})])
    assert said('{"name": "echo", "input": "x"}', tools=tools) == [("echo", {"input": "x"})]
    assert said('{"name": "echo", "input": {"input": "x"}}', tools=tools) == [
        ("echo", {"input": "x"})
    ]
    text = "<echo><input>x</input><data>'quoted'</data></echo>"
    assert said(text, tools=tools) == [("echo", {"input": "x", "data": "'quoted'"})]


def test_fitting_and_resembling():
    """To fit is to have all that is required and nothing unknown; to resemble is less."""
    assert fits({"query": "x"}, SEARCH)
    assert not fits({"limit": 1}, SEARCH)
    assert resembles({"limit": 1}, SEARCH)
    assert resembles({"Query": "x", "mood": 1}, SEARCH)
    assert not resembles({"mood": 1}, SEARCH)
