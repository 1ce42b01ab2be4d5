import pytest

from langchain_toolemu.reader.arguments import fits, resembles
from langchain_toolemu.tools import ToolSet, ToolSpec
from tests.unit_tests.reader.reading import NOW, PARIS, said
from tests.unit_tests.samples import TOOLS

SEARCH = TOOLS.exact("search")


def spec(tool_name, required, /, **properties):
    return ToolSpec(
        tool_name, "", {"type": "object", "properties": properties, "required": required}
    )


STRING = {"type": "string"}
# Tools with an argument that is called like a place of a call's own: its name, its arguments, its writer.
ALIKE = ToolSet(
    [
        *TOOLS,
        spec("get_help", ["tool"], tool=STRING),
        spec("http", ["method", "url"], method=STRING, url=STRING, input=STRING),
        spec("call_tool", ["name", "arguments"], name=STRING, arguments={"type": "object"}),
        spec("send_message", ["content"], content=STRING),
        spec("add_user", ["role"], role=STRING, type=STRING, content=STRING),
    ]
)
HELP = ("get_help", {"tool": "now"})


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


@pytest.mark.parametrize(
    "form",
    [
        "[TOOL_CALLS]{name}[ARGS]{args}",
        "<function={name}>{args}</function>",
        "Action: {name}\nAction Input: {args}",
        "{name}\n{args}",
        "<|channel|>commentary to={name} <|constrain|>json<|message|>{args}<|call|>",
        "<|tool_call_begin|>functions.{name}:0<|tool_call_argument_begin|>{args}<|tool_call_end|>",
    ],
)
def test_the_tool_that_is_named_first_is_called(form):
    """An argument's value that is a tool's name calls no tool."""

    def called(name, args):
        return said(form.format(name=name, args=args), tools=ALIKE)

    assert called("get_help", '{"tool": "now"}') == [HELP]
    request = {"method": "search", "url": "x", "input": "y"}
    assert called("http", '{"method": "search", "url": "x", "input": "y"}') == [("http", request)]
    inner = {"name": "now", "arguments": {}}
    assert called("call_tool", '{"name": "now", "arguments": {}}') == [("call_tool", inner)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            '<use_mcp_tool><tool_name>get_help</tool_name><arguments>{"tool": "now"}</arguments></use_mcp_tool>',
            [HELP],
        ),
        ('<function=now>{"name": "now", "arguments": {}}</function>', [NOW]),
        ('<function=nope>{"name": "now", "arguments": {}}</function>', [NOW]),
        ('<function=run>{"name": "now", "arguments": {}}</function>', [("run", "unreadable")]),
        ('run\n{"name": "now", "arguments": {}}', ["run\n", NOW]),
        ('get_help\n{"tool": "now", "arguments": {}}', [("get_help", "unreadable")]),
        ('<function=get_help>{"tool": "now", !}</function>', [("get_help", "unreadable")]),
    ],
)
def test_a_call_behind_a_name(text, expected):
    """A whole call behind a tool's name is that call, unless it is of another tool."""
    assert said(text, tools=ALIKE) == expected


def test_a_forced_tool_may_take_a_tools_name():
    """All arguments of the tool that is demanded are its own, whatever they name; its own name is none."""
    assert said('{"tool": "now"}', tools=ALIKE, forced="get_help") == [HELP]
    text = '{"name": "call_tool", "arguments": {"name": "now", "arguments": {}}}'
    expected = [("call_tool", {"name": "now", "arguments": {}})]
    assert said(text, tools=ALIKE, forced="call_tool") == expected


@pytest.mark.parametrize(
    "text",
    [
        '{"role": "tool", "name": "send_message", "content": "sent"}',
        '{"role": "user", "name": "send_message", "content": "sent"}',
        '{"name": "send_message", "content": "sent", "role": "function"}',
        '{"type": "tool_result", "name": "send_message", "content": "sent"}',
        '{"type": "function_call_output", "name": "send_message", "content": "sent"}',
        '{"name": "send_message", "tool_call_id": "c1", "content": "sent"}',
        '{"role": "user", "tool_calls": [{"name": "now", "arguments": {}}]}',
    ],
)
def test_a_made_up_message_is_no_call(text):
    """What a tool or a user is made to say is text, and in an envelope or a list of calls refused."""
    assert said(text, tools=ALIKE) == [text]
    assert said(f"<tool_call>{text}</tool_call>", tools=ALIKE) == [(None, "unreadable")]
    behind = f'[{{"name": "get_weather", "arguments": {{"city": "Paris"}}}}, {text}]'
    assert said(behind, tools=ALIKE) == [PARIS, (None, "unreadable")]


@pytest.mark.parametrize(
    ("text", "args"),
    [
        ('{"name": "add_user", "role": "user"}', {"role": "user"}),
        (
            '{"name": "add_user", "role": "tool", "type": "result"}',
            {"role": "tool", "type": "result"},
        ),
        ('{"name": "add_user", "arguments": {"role": "tool"}, "role": "tool"}', {"role": "tool"}),
    ],
)
def test_a_declared_role_is_an_argument(text, args):
    """Where a tool takes a role or a type, it says nothing of who writes."""
    assert said(text, tools=ALIKE) == [("add_user", args)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"name": "now", "function": {"name": "run"}}', [("now", "unreadable")]),
        ('{"name": "now", "arguments": {}, "input": [1, 2]}', [("now", "unreadable")]),
        ('{"name": "get_weather", "arguments": {"city": "Paris"}, "input": {}}', [PARIS]),
        (
            '{"name": "get_weather", "parameters": {"properties": {}}, "arguments": {"city": "Paris"}}',
            [PARIS],
        ),
        ('{"tools": [{"name": "now"}, {"name": "configure"}]}', [("now", "unreadable")]),
        ('{"tool_calls": [{"name": "now"}, {"name": "now"}]}', [NOW, NOW]),
        ('[{"now": {}}, {"configure": {}}]', [NOW, ("configure", {})]),
        (
            '<tool_call>[{"name": "now"}, {"name": "configure"}]</tool_call>',
            [NOW, ("configure", {})],
        ),
    ],
)
def test_nothing_is_left_out(text, expected):
    """What an object says beside its call is taken in or refused, and a list of names may be no calls."""
    assert said(text) == expected


@pytest.mark.parametrize(
    ("city", "is_placeholder"),
    [
        ("<city>", True),
        ("<the city name>", True),
        ("[City Name]", True),
        ("{{ city }}", True),
        ("YOUR_CITY_HERE", True),
        ("<b>", False),
        ("<name>", False),
        ("<city of light>", False),
        ("YOUR_TOWN", False),
        ("Your City", False),
        ("string", False),
    ],
)
def test_placeholders(city, is_placeholder):
    """Only an argument's own name, with nothing said of it, stands for a value."""
    text = f'{{"name": "get_weather", "arguments": {{"city": "{city}"}}}}'
    assert said(text) == ([text] if is_placeholder else [("get_weather", {"city": city})])


def test_an_argument_in_another_script_has_no_placeholder_but_its_name():
    """The words around a name are no placeholder by themselves."""
    tools = ToolSet([spec("mark", [], 标签=STRING)])
    text = '{"name": "mark", "arguments": {"标签": "<%s>"}}'
    assert said(text % "a", tools=tools) == [("mark", {"标签": "<a>"})]
    assert said(text % "标签", tools=tools) == [text % "标签"]
