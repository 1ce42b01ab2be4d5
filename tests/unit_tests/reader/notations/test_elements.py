import pytest

from tests.tables import every_row
from tests.unit_tests.reader.reading import NOW, PARIS, said


def written(path, content):
    return ("write_file", {"path": path, "content": content})


@every_row(
    ("text", "expected"),
    [
        ("<function=now></function>", [NOW]),
        (
            "<function=run><parameter=command>a</parameter><parameter=command>b</parameter></function>",
            [("run", "unreadable")],
        ),
        ("<now.then>x</now.then>", ["<now.then>x</now.then>"]),
        ("<add><a>1</a><b>2</b><mo", [("add", "cut")]),
        ("<add><Mood>x</Mood><a>1</a><b>2</b></add>", [("add", {"Mood": "x", "a": 1, "b": 2})]),
        ('<get_weather city="Paris"/>', [PARIS]),
        ("<get_weather><city>Paris</city></get_weather> ok", [PARIS, " ok"]),
        ("<functions.get_weather><city>Paris</city></functions.get_weather>", [PARIS]),
        ('<get_weather>{"city": "Paris"}</get_weather>', [PARIS]),
        ('<get_weather>```json\n{"city": "Paris"}\n```</get_weather>', [PARIS]),
        ("<add><a>1</a><b>2</b><mood>x</mood></add>", [("add", {"a": 1, "b": 2, "mood": "x"})]),
        ("<add><mood>x</mood><a>1</a><b>2</b></add>", [("add", {"mood": "x", "a": 1, "b": 2})]),
        ("<get_weather><City>Paris</City></get_weather>", [PARIS]),
        ("<tool_call name='get_weather'><city>Paris</city></tool_call>", [PARIS]),
        (
            "<tool_call><name>get_weather</name><arguments><city>Paris</city></arguments></tool_call>",
            [PARIS],
        ),
        (
            '<tool_call><tool_name>get_weather</tool_name><arguments>{"city": "Paris"}</arguments></tool_call>',
            [PARIS],
        ),
        ("<tool>get_weather</tool><tool_input>Paris</tool_input>", [PARIS]),
        (
            "<tool>now</tool><tool_input></tool_input>",
            ["<tool>now</tool><tool_input></tool_input>"],
        ),
        ('<tool>{"name": "now"}</tool>', [NOW]),
        (
            "<tool_call>now<arg_key>x</arg_key><arg_value>1</arg_value></tool_call>",
            [("now", {"x": 1})],
        ),
        ("get_weather\n<arg_key>city</arg_key>\n<arg_value>Paris</arg_value>", [PARIS]),
        ("<function=run><parameter=command></parameter></function>", [("run", {"command": ""})]),
        ("<function=run><parameter name='command'/></function>", [("run", {"command": ""})]),
        ("<run><command><![CDATA[a < b]]></command></run>", [("run", {"command": "a < b"})]),
        (
            "&lt;run&gt;&lt;command&gt;a &amp;&amp; b&lt;/command&gt;&lt;/run&gt;",
            [("run", {"command": "a && b"})],
        ),
        (
            "<configure><level>null</level><debug>true</debug></configure>",
            [("configure", {"level": None, "debug": True})],
        ),
        ("<configure><debug>perhaps</debug></configure>", [("configure", {"debug": "perhaps"})]),
        (
            "<search><query>5</query><tags>['a']</tags></search>",
            [("search", {"query": "5", "tags": ["a"]})],
        ),
        ("<function=get_weather><parameter=city>Paris</parameter>", [PARIS]),
        ("<function=nope><parameter=x>1</parameter></function>", [("nope", "unknown_tool")]),
        ("<tool_call><arguments>x</arguments></tool_call>", [(None, "unreadable")]),
        ('<tool_call name="get_weather" arguments="city=Paris"></tool_call>', [PARIS]),
    ],
)
def test_calls_as_elements(text, expected):
    """Every way to write a call in tags is read, with types by the schema."""
    assert said(text) == expected


@every_row(
    "content",
    [
        "x </parameter> y",
        "a\n</parameter>\n  b",
        "<parameter>a</parameter><parameter>b</parameter>",
        '<config><parameter name="k">1</parameter></config>',
        "print('<parameter=path>')",
        "if a < b && c > d: pass",
        "</function> </tool_call>",
        "\n  indented\n\n",
        "&lt;b&gt; &amp;",
        "<",
        "</",
        "use <tool_call>",
        "x </parameter> z <parameter=k>1</parameter></function> y",
        "<parameter=x>1</parameter></function> y",
        "<function=f>\n<parameter=x>\n1\n</parameter>\n</function>\ny",
        "<parameter=path>1</parameter></tool_call></tool_call>\n\ny",
        "<tool_call><function=f><parameter=x>1</parameter></function></tool_call>\n" * 2,
    ],
)
def test_text_arrives_byte_for_byte(content):
    """An argument may hold tags of its own; the line breaks at its two ends belong to the tags."""
    for text in (
        f"<tool_call>\n<function=write_file>\n<parameter=path>\na\n</parameter>\n"
        f"<parameter=content>\n{content}\n</parameter>\n</function>\n</tool_call>",
        f'<invoke name="write_file"><parameter name="path">a</parameter>'
        f'<parameter name="content">\n{content}\n</parameter></invoke>',
    ):
        assert said(text) == [written("a", content)]


@every_row(
    ("written", "content"),
    [
        ("line\n", "line\n"),
        ("\nline", "line"),
        ("\n\nline\n\n", "\nline\n"),
        ("\r\nline\r\n", "line"),
        ("\n\n", ""),
        ("\n", ""),
    ],
)
def test_line_breaks_at_the_ends(written, content):
    """The line break after the opening tag belongs to it, and then so does one before the closing tag."""
    for text in (
        f"<function=run><parameter=command>{written}</parameter></function>",
        f'<invoke name="run"><parameter name="command">{written}</parameter></invoke>',
        f"<tool_call>run<arg_key>command</arg_key><arg_value>{written}</arg_value></tool_call>",
        f"<run><command>{written}</command></run>",
    ):
        assert said(text) == [("run", {"command": content})]


def glm(*pairs):
    """A call as GLM writes it, of texts that follow one another."""
    return "<tool_call>search" + "".join(pairs) + "</tool_call>"


QUERY, TEA = "<arg_key>query</arg_key>", "<arg_value>tea</arg_value>"


@every_row(
    ("text", "args"),
    [
        (
            glm(QUERY, "<arg_value>tea\n<arg_key>limit</arg_key>\n<arg_value>5</arg_value>"),
            {"query": "tea", "limit": 5},
        ),
        (glm(QUERY, TEA, "<arg_key>limit</arg_key>"), {"query": "tea"}),
        (glm(QUERY, "<arg_key>limit</arg_key><arg_value>5</arg_value>"), {"limit": 5}),
        (glm(QUERY, QUERY, QUERY), {}),
        (
            glm(QUERY, "<arg_value>a<arg_key>b</arg_key></arg_value>"),
            {"query": "a<arg_key>b</arg_key>"},
        ),
        (glm(QUERY, TEA, QUERY, "<arg_value>milk</arg_value>"), {"query": "milk"}),
    ],
)
def test_pairs_with_a_tag_missing(text, args):
    """A value ends where the next pair begins, a key without a value is left out, and of two values the last counts."""
    assert said(text) == [("search", args)]


def test_a_key_at_the_end_of_a_reply_is_a_cut():
    """Its value may have been meant to follow."""
    text = glm(QUERY, TEA, "<arg_key>limit</arg_key>").removesuffix("</tool_call>")
    assert said(text) == [("search", "cut")]


@every_row(
    "text",
    [
        "<function=search><parameter=query>a<parameter=limit>5</parameter><parameter=tags>[]</parameter></function>",
        "<function=search><parameter=query>a<function=search><parameter=query>b</parameter></function>",
        "<function=search><parameter=query>a</parameter><parameter>5</parameter></function>",
        "<function=search><parameter=query>a</parameter><arguments>limit=5</arguments></function>",
        '<search query="a" arguments="limit=5"/>',
        "<search><query>a<search><query>b</query></search>",
        glm(QUERY, "<arg_value>tea<tool_call>search", QUERY, TEA),
        glm(QUERY, TEA, "<arg_value>5</arg_value>"),
    ],
)
def test_elements_that_do_not_pair_up(text):
    """Where a closer, a name or a value is missing, the call is refused: an argument would be altered or lost."""
    assert said(text) == [("search", "unreadable")]


@pytest.mark.parametrize(
    "text",
    [
        "<function=get_weather><parameter=city>Paris</parameter><function=now></function>",
        '<invoke name="get_weather"><parameter name="city">Paris</parameter>\n<invoke name="now"></invoke>',
        "<tool_call>get_weather<arg_key>city</arg_key><arg_value>Paris</arg_value>\n<tool_call>now</tool_call>",
        "<get_weather><city>Paris</city><now></now>",
    ],
)
def test_a_call_behind_one_that_is_not_closed(text):
    """Behind an argument that is closed another call may begin."""
    assert said(text) == [PARIS, NOW]


def test_a_tag_that_a_text_leaves_open():
    """The last closer there is ends a text; with prose behind it, it is not certain to be the last."""
    text = "<function=run><parameter=command>echo '<parameter=x>'</parameter></function>"
    call = ("run", {"command": "echo '<parameter=x>'"})
    assert said(text) == [call]
    assert said(f"{text}\n<function=now></function>") == [call, NOW]
    assert said(f"{text}\nDone.") == [("run", "cut")]
    assert said(f"{text}<b>") == [("run", "cut")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<function=get_weather><parameter=city>Par", [("get_weather", "cut")]),
        ("<get_weather><city>Par", [("get_weather", "cut")]),
        ("<function=get_weather><parameter=unit>c</parameter>", [("get_weather", "cut")]),
        ('<function=get_weather>{"city": "Par', [("get_weather", "cut")]),
        ('<function=get_weather>{"city": !}</function>', [("get_weather", "unreadable")]),
    ],
)
def test_calls_that_end_inside(text, expected):
    """An element that never closes is a cut."""
    assert said(text) == expected


@every_row(
    "text",
    [
        "Use <search> for it.",
        "<search>the web</search>",
        "<tool>hammer</tool> and nail",
        "<tool>search</tool>",
        "<tool>search the web",
        "<function=now> is how",
        "<get_weather>`x`",
        "<get_weather><b></get_weather>",
        "<get_weather ",
        "<tool><x>",
        "<name>now</name>",
        "<function=now><i>x</i>",
        "<get_weather><b x>y",
    ],
)
def test_tags_in_prose(text):
    """A tag that is only mentioned is text."""
    assert said(text) == [text]


def test_an_open_element_and_the_limit():
    """A tag at the very end of a reply that the limit cut was meant as a call."""
    assert said("<function=now>", cut=True) == [("now", "cut")]
    assert said("<function=run><parameter=command>x</parameter>", cut=True) == [("run", "cut")]
    assert said("<function=run><parameter=comm", cut=True) == [("run", "cut")]
    assert said("<tool_call>run\n<arg_k", cut=True) == [("run", "cut")]


def test_an_object_among_elements_is_refused():
    """Arguments come as elements or as one object; both at once would lose one of them."""
    text = '<get_weather city="Paris">{"unit": "c"}</get_weather>'
    assert said(text) == [("get_weather", "unreadable")]
