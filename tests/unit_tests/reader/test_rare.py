"""What is rare, and must come out right all the same."""

import pytest

from langchain_toolemu.reader.events import CallStarted
from langchain_toolemu.tools import ToolSet, ToolSpec
from tests.tables import every_row
from tests.unit_tests.reader.reading import NOW, outline, read, said

OBJECT = '{"name": "now", "arguments": {}}'
LONG = '{"name": "run", "arguments": {"command": "' + "ls " * 400 + '"}}'
BOOK = ToolSet(
    [
        ToolSpec(
            "book",
            "",
            {
                "properties": {
                    "who": {"type": "object", "properties": {"first": {"type": "string"}}},
                    "seats": {"type": "array", "items": {"type": "string"}},
                }
            },
        )
    ]
)


@pytest.mark.parametrize(
    ("text", "who"),
    [
        ("<first>Ann</first><last>Lee</last>", {"first": "Ann", "last": "Lee"}),
        ("<first>Ann</first><pet>a</pet><pet>b</pet>", {"first": "Ann", "pet": ["a", "b"]}),
        ("<first>Ann</first><last/>", {"first": "Ann", "last": ""}),
        ("<first>Ann</last>", "<first>Ann</last>"),
        ("<first>Ann</first> and more", "<first>Ann</first> and more"),
    ],
)
def test_children_are_fields(text, who):
    """Elements inside the text of an object spell it; where they do not, it stays as it is, and does not fit."""
    assert said(f"<book><who>{text}</who></book>", tools=BOOK) == [("book", {"who": who})]


@pytest.mark.parametrize(
    ("text", "args"),
    [
        ("book(seats=[{'a', 'b'}])", {"seats": [["a", "b"]]}),
        ("book({'a', 'b'})", {"who": ["a", "b"]}),
    ],
)
def test_a_set_is_a_list_wherever_it_is(text, args):
    """In a list, and in the place of an argument."""
    assert said(text, tools=BOOK) == [("book", args)]


@every_row(
    ("text", "expected"),
    [
        ("<run><command><![CDATA[ls", [("run", "cut")]),
        ('<invoke name="run">{"command": "ls"}{"command": "cd"}</invoke>', [("run", {"command": "ls"}), (None, "unreadable")]),
        ('{"name": "search_web", "arguments": {"site":', [("search_web", "cut")]),
        ('("get_weather", {"nothing": "here"})', ['("get_weather", {"nothing": "here"})']),
        ("functools is a module.", ["functools is a module."]),
        ("<search>\nquery: [x\n</search>", ["<search>\nquery: [x\n</search>"]),
        ("<think>The tag <tool_call> is nice.</think>Hi.", ["<think>The tag <tool_call> is nice.</think>Hi."]),
        ("<think>[end_thinking] Hm.</think>Hi.", ["<think>[end_thinking] Hm.</think>Hi."]),
        ("<tool_call>name:<tool_call|>", [(None, "unreadable")]),
        (f"<\uff5cx:DSML\uff5ctool_call>{OBJECT}", [NOW]),
        ("<tool_call>name: <end_of_turn>", [(None, "unreadable")]),
        ('<tool_call><invoke &lt;n="x"><parameter>', [(None, "unreadable")]),
        (r'<tool_call>{"": \"\\\"', [(None, "cut")]),
        (r'<tool_call>{"": \"\{\"', [(None, "unreadable")]),
    ],
)  # fmt: skip
def test_what_is_cut_broken_or_no_call(text, expected):
    """It is refused, or it is text."""
    assert said(text) == expected


def test_a_thought_that_is_cut_makes_nothing():
    """A call at its end may not have been its end."""
    text = f"<think>Hm.\n<tool_call>{OBJECT}</tool_call>"
    assert said(text) == ["<think>Hm.\n", NOW]
    assert said(text, cut=True) == [text]


def test_a_doubtful_list_that_is_cut_says_nothing_twice():
    """The end that is missing has no words, so no text without any comes of it."""
    events = read('x = [get_weather(city="Paris")', cut=True)
    assert [type(event).__name__ for event in events] == ["Text", "Text", "PossibleCall"]


def test_a_thought_that_was_never_opened_unsays_the_call_at_its_end():
    """Not one that was passed on already, which is broken by who shows it; nor words that wait to be judged."""
    assert said(f"Numbers:\n{OBJECT}\n{OBJECT}</think>Hi.") == [
        f"Numbers:\n{OBJECT}\n{OBJECT}</think>Hi."
    ]
    assert ("run", {"command": "ls " * 400}, "unmeant") in outline(
        event for event in read(f"{LONG}</think>Hi.") if type(event).__name__ not in _PARTS
    )


_PARTS = ("CallStarted", "CallDelta")


@pytest.mark.parametrize("before", ['The file says: "', "`", "x = ", "You said "])
def test_a_long_call_that_may_be_quoted_is_not_passed_on(before):
    """Nothing of it is told before its end."""
    assert not any(isinstance(event, CallStarted) for event in read(before + LONG))


def test_a_sentence_that_goes_on_with_a_colon():
    """The call is what it speaks of."""
    text = "Explanation of <tool_call>" + OBJECT + "</tool_call>: it tells the time."
    assert said(text) == [
        text.partition(": it")[0],
        ("now", "possible"),
        ": it tells the time.",
    ]


def test_a_question_between_two_calls_is_about_the_first():
    """The second is what the first was."""
    between = "\nDo you want tea?\n"
    assert said(OBJECT + between + OBJECT) == [NOW, between, NOW]


ADD = '{"name": "add", "arguments": {"a": 1, "b": 2}}'
SUM = ("add", {"a": 1, "b": 2})


@every_row(
    ("text", "expected"),
    [
        (f"search\n{ADD}", ["search\n", SUM]),
        (f"Hi.\nsearch: {ADD}\nDone.", ["Hi.\nsearch: ", SUM, "\nDone."]),
        (f'search\n{{"tool_calls": [{ADD}, {ADD}]}}', ["search\n", SUM, SUM]),
        ('search\n{"x": 1}', ['search\n{"x": 1}']),
        (f"add\n{ADD}", [SUM]),
        ('search\n{"query": "x"}', [("search", {"query": "x"})]),
        (f"```\nsearch\n{ADD}\n```", [("search", "unreadable")]),
        (f"Tool: search\nInput: {ADD}", [("search", "unreadable")]),
        (f"Tool: add\nInput: {ADD}", [SUM]),
    ],
)
def test_a_word_before_a_call_that_is_a_tool_name(text, expected):
    """It is part of a call of that tool; before another's it is text, and where only a name can be it is refused."""
    assert said(text) == expected


def test_a_call_in_a_thought_after_one_that_is_none():
    """What cannot be read as a call in a thought takes nothing of the next."""
    thought = "[THINK]<|tool_call_begin|>function<|tool_sep|>g"
    assert said(f"{thought}<tool_call>{OBJECT}</tool_call>") == [thought, NOW]


def test_data_for_an_argument_that_is_no_text():
    """It is read as the value it spells, and the same value again says nothing new."""
    one = "<a><![CDATA[1]]></a>"
    assert said(f"<add>{one}{one}<b>2</b></add>") == [SUM]


def test_an_argument_that_is_a_list_is_given_item_by_item():
    """However many there are."""
    tags = "".join(f"<tags>{tag}</tags>" for tag in "abc")
    assert said(f"<search><query>x</query>{tags}</search>") == [
        ("search", {"query": "x", "tags": ["a", "b", "c"]})
    ]


def test_an_argument_that_begins_twice_inside_another():
    """Where a closer is missing nothing tells which of the two is meant."""
    inside = "<parameter=content>x" * 2
    text = f"<function=write_file>\n<parameter=path>a\n{inside}</function>"
    assert said(text) == [("write_file", "unreadable")]


@every_row("word", ["function", "tool", "action", "call", "invoke", "functions"])
def test_an_empty_tag_that_names_nothing(word):
    """It is text in the open, and a call without a name in an envelope; and what follows is read."""
    for tag in (f"<{word}/>", f"<{word}=/>", f"<{word} />"):
        assert said(f"Use {tag} here.") == [f"Use {tag} here."]
        assert said(tag) == [tag]
        assert said(f"{tag}\n{OBJECT}")[-1] == NOW


def test_an_escaped_mark_of_an_argument_is_waited_for():
    """Where a model puts a backslash into one of Solar's tags, pieces of it are no words either."""
    argument = "<|too\\l_arg:start|>city<|tool_arg:value|>Oslo<|tool_arg:end|>"
    text = f"<|tool_call:start|>get_weather\n{argument}\n<|tool_call:end|>"
    assert said(text) == [("get_weather", {"city": "Oslo"})]


@pytest.mark.parametrize("rest", ['"Oslo"', '"now"}'])
def test_arguments_that_go_on_after_a_text_cannot_be_read(rest):
    """Arguments that are a text and go on make a call that cannot be read."""
    assert said(f'{{"name": "now", "arguments": ": {rest}') == [("now", "unreadable")]


M3 = "]<]minimax[>["
IN_TAG = "<tool_call>" + OBJECT


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"{M3}<toolcall>{M3}<invokename=y>{M3}</invoke>>\n{M3}</invoke>", [("y", "unknown_tool"), ">\n"]),
        ("<|python_tag|>f {}" + "a." * 80 + "f()", [("f", "unknown_tool"), "a." * 80 + "f()"]),
        (f"{IN_TAG} and <invoke name=\"run\" arguments=\"{{'command': 'ls'}}\"/>", [NOW, " and ", ("run", {"command": "ls"})]),
        (f'{IN_TAG} and <invoke name="a</tool_call>">', [NOW, ' and <invoke name="a</tool_call>">']),
        ("<function=run><parameter=command>ls</parameter>◁/function▷", [("run", {"command": "ls"}), "◁/function▷"]),
    ],
)  # fmt: skip
def test_a_tag_or_a_name_that_has_only_begun(text, expected):
    """What follows a call is judged when as much of it is there as may decide, in pieces as in the whole."""
    assert said(text) == expected


@pytest.mark.pairwise
@pytest.mark.parametrize(
    "text",
    [
        '><t_call>\nname: et_w[Paris</arg</tool_call></tool</tool</tool</tool "valion:l<function=_call></tool_call, "argumentsargum&ent name":',
        '<invoke name<invoke name=="" note="a > b"><paramete name=te.',
        '<tool_call a<invoke name="run"><parameter=command>ls',
        '<invoke\nname<function=run>=1<x',
        "&lt;invoke a&lt;invoke b=c> <tool_call></tool",
        "[TOOL_CALLS a[TOOL_CALLS b=c] <tool_call></tool",
    ],
)  # fmt: skip
@pytest.mark.parametrize("options", [{}, {"explicit_only": True}, {"native": True}])
@pytest.mark.parametrize("cut", [True, False])
def test_a_tag_that_can_no_longer_end_holds_nothing_back(text, options, cut):
    """What begins another tag before its own end is text at once, whatever comes later: in pieces as in the whole."""
    parts = said(text, cut=cut, **options)  # which holds the pieces against the whole
    assert parts


@pytest.mark.parametrize("indent", ["", " " * 40])
@pytest.mark.parametrize(
    ("tool", "word"),
    [
        ("zap", "qq__zap"),
        ("zap", "_zap"),
        ("_zap", "zap"),
        ("mcp__zap", "zap"),
        ("mcp.zap", "zap"),
    ],
)
def test_a_line_that_begins_with_another_spelling_of_a_name(tool, word, indent):
    """In the whole a line is looked at for every spelling that is read in pieces, however far it is indented."""
    tools = ToolSet([ToolSpec(tool, "", {"properties": {"q": {"type": "string"}}})])
    assert said(f'So:\n{indent}{word}(q="a")', tools=tools) == [
        f"So:\n{indent}",
        (tool, {"q": "a"}),
    ]


@pytest.mark.parametrize(
    "after", ["I'm glad to hear that.\n\nIf you", "Glad.\n\nif you", "Well.\n \n \nNow"]
)
def test_a_full_stop_before_a_blank_line_ends_one_sentence(after):
    """How far the words after a call count does not depend on whether the line after the blank one is there yet."""
    text = f"Here is how to do that: {OBJECT} le, thank you! {after}"
    assert said(text, forced="now")[0].startswith("Here")
