import json
from itertools import product

import pytest

from langchain_toolemu.language.phrases import LANGUAGES
from langchain_toolemu.reader import Reader
from langchain_toolemu.reader.call_arguments import fits, resembles
from langchain_toolemu.reader.events import Call
from langchain_toolemu.tools import ToolSet, ToolSpec
from tests.tables import every_row
from tests.unit_tests.reader.reading import NOW, PARIS, read, said
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


@every_row(
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


@every_row(
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
    assert said('{"mood": 1}', forced="get_weather") == ['{"mood": 1}']
    assert said('{"name": "now", "arguments": {}}', forced="get_weather") == [NOW]
    assert said('{"city": "Par', forced="get_weather") == [("get_weather", "cut")]


def form(**schema):
    """A tool set of one tool, `answer`, with this schema."""
    return ToolSet([ToolSpec("answer", "", schema), *TOOLS])


CAT = {"properties": {"kind": {"const": "cat"}, "lives": {"type": "integer"}}, "required": ["kind", "lives"]}  # fmt: skip
DOG = {"properties": {"kind": {"const": "dog"}}, "required": ["kind"]}
PERSON = form(type="object", properties={"name": STRING, "age": {"type": "integer"}}, required=["name"])  # fmt: skip
CLOSED = form(type="object", properties={"name": STRING}, additionalProperties=False)
MAP = form(type="object", additionalProperties={"type": "integer"})
PETS = form(oneOf=[CAT, DOG])
CALL_LIKE = form(properties={"name": STRING, "arguments": {"type": "object"}}, required=["name", "arguments"])  # fmt: skip
REASONED = form(properties={"name": STRING, "arguments": {"type": "object"}, "why": STRING}, required=["name", "why"])  # fmt: skip
DEMANDED = {
    "a name that is allowed": (PERSON, '{"name": "Ann", "x": 1}', {"name": "Ann", "x": 1}),
    "a name that is forbidden": (CLOSED, '{"name": "Ann", "x": 1}', None),
    "no name that is known": (PERSON, '{"x": 1}', None),
    "one missing, another too many": (PERSON, '{"age": 1, "x": 1}', None),
    "any name": (MAP, '{"Paris": 1}', {"Paris": 1}),
    "any name, a wrong value": (MAP, '{"Paris": "many"}', {"Paris": "many"}),
    "any name, under the tool's": (MAP, '{"answer": {"Paris": 1}}', {"Paris": 1}),
    "any name, as a call": (MAP, '{"name": "answer", "arguments": {"Paris": 1}}', {"Paris": 1}),
    "any name, in its place": (MAP, '{"arguments": {"Paris": 1}}', {"Paris": 1}),
    "a name like the place of arguments": (MAP, '{"input": 1}', {"input": 1}),
    "one of two": (PETS, '{"kind": "cat", "lives": 9}', {"kind": "cat", "lives": 9}),
    "neither of two": (PETS, '{"kind": "cow"}', {"kind": "cow"}),
    "its own name for a value": (PERSON, '{"name": "answer", "age": 3}', {"name": "answer", "age": 3}),
    "its own name alone": (PERSON, '{"name": "answer"}', {"name": "answer"}),
    "like a call of itself": (
        CALL_LIKE,
        '{"name": "answer", "arguments": {"x": 1}}',
        {"name": "answer", "arguments": {"x": 1}},
    ),
    "a call of itself, where it lacks something": (
        REASONED,
        '{"name": "answer", "arguments": {"name": "now", "why": "x"}}',
        {"name": "now", "why": "x"},
    ),
}  # fmt: skip


@every_row("case", DEMANDED)
def test_the_schema_of_the_demanded_tool_decides(case):
    """What fits is its arguments, whatever names it has; what states a call is that call."""
    tools, text, args = DEMANDED[case]
    assert said(text, tools=tools, forced="answer") == ([("answer", args)] if args else [text])


@pytest.mark.parametrize("tools", [PERSON, MAP])
@pytest.mark.parametrize(
    "text",
    [
        '{"name": "get_weather", "arguments": {"city": "Paris"}}',
        '{"tool_calls": [{"name": "get_weather", "arguments": {"city": "Paris"}}]}',
        '{"get_weather": {"city": "Paris"}}',
    ],
)
def test_a_call_of_another_tool_is_told_from_the_demanded_one(text, tools):
    """A form that takes any names does not swallow the calls of other tools."""
    assert said(text, tools=tools, forced="answer") == [PARIS]


@pytest.mark.parametrize(
    ("tools", "text"),
    [
        (ALIKE, '{"role": "user", "content": "Hi"}'),
        (MAP, '{"role": 1, "type": "tool_result"}'),
        (MAP, '{"content": 3, "tool_call_id": 1}'),
    ],
)
def test_a_message_that_is_made_up_is_no_demanded_call(tools, text):
    """What another would have written is not the answer, though the schema would take it."""
    forced = "send_message" if tools is ALIKE else "answer"
    assert not any(isinstance(event, Call) for event in read(text, tools=tools, forced=forced))


ANY = [
    ('{"name": "Ann", "age": 3}', ("answer", {"name": "Ann", "age": 3})),
    ('{"name": "Ann", "age": 3, "x": 1}', ("answer", {"name": "Ann", "age": 3, "x": 1})),
    ('{"city": "Paris"}', PARIS),
    ('{"name": "now", "arguments": {}}', NOW),
]


@pytest.mark.parametrize(("text", "call"), ANY)
def test_where_any_call_is_demanded_an_object_is_the_only_one_that_it_fits(text, call):
    """The arguments tell which tool is meant, if they fit one of them only."""
    assert said(text, tools=PERSON, demands_any=True) == [call]


@pytest.mark.parametrize("text", ["{}", '{"x": 1}', '{"name": "Ann"}'])
def test_an_object_that_fits_no_tool_or_two_is_no_call(text):
    """Nothing is guessed where the arguments leave it open."""
    twice = ToolSet([*PERSON, spec("greet", ["name"], name=STRING)])
    assert said(text, tools=twice, demands_any=True) == [text]


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


@every_row(
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


@every_row(
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


@every_row(
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


@every_row(
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


@every_row("city", ["<city>", "[City Name]", "{{ city }}", "YOUR_CITY_HERE", "...", "string"])
def test_a_placeholder_is_read_like_any_value(city):
    """Whether such a call is made is the policy's to say: it is never handed out as an answer."""
    text = f'{{"name": "get_weather", "arguments": {{"city": "{city}"}}}}'
    assert said(text) == [("get_weather", {"city": city})]


def test_another_tools_call_is_its_own_where_one_is_demanded():
    """An object that names a tool and does not fit the demanded one is a call of the tool that it names."""
    tools = ToolSet([_tool("add", "a"), _tool("look_up", "word")])
    reader = Reader(tools, forced="add")
    events = [*reader.feed('{"name": "look_up", "arguments": {"word": "x"}}'), *reader.close()]
    assert [(event.name, event.args) for event in events] == [("look_up", {"word": "x"})]


def _tool(name, argument):
    schema = {"type": "object", "properties": {argument: {}}, "required": [argument]}
    return ToolSpec(name, "", schema)


@every_row("words", [one for one in LANGUAGES if one.name_keys])
def test_keys_may_be_in_the_users_language(words):
    """Each word for a tool with each for its arguments; of a tool that is not bound it is an object like any other."""
    for name, args in product(words.name_keys.split(" | "), words.argument_keys.split(" | ")):
        written = json.dumps({name: "get_weather", args: {"city": "Paris"}}, ensure_ascii=False)
        assert said(written) == [PARIS]
        assert said(written.replace("get_weather", "nope")) == [
            written.replace("get_weather", "nope")
        ]


@every_row(
    ("said", "called"),
    [
        ("grocery_store.locate", "grocery_store.locate"),
        ("locate", "grocery_store.locate"),
        ("functions.grocery_store.locate:0", "grocery_store.locate"),
        ("pet_store.locate", None),
        ("mcp__pet_store__locate", None),
        ("tools.pet_store.locate", None),
    ],
)
def test_a_tool_of_another_namespace_is_an_unknown_one(said, called):
    """What stands before a name may be left out, and more may stand there; another one in its place is another tool."""
    tools = ToolSet([spec("grocery_store.locate", ["city"], city=STRING)])
    text = json.dumps({"name": said, "arguments": {"city": "Bari"}})
    [found] = Reader(tools).read(text)
    assert (found.name if isinstance(found, Call) else None) == called
