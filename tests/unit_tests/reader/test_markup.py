import pytest

from tests.unit_tests.reader.reading import NOW, PARIS, said


def written(path, content):
    return ("write_file", {"path": path, "content": content})


@pytest.mark.parametrize(
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
    ],
)
def test_calls_as_elements(text, expected):
    """Every way to write a call in tags is read, with types by the schema."""
    assert said(text) == expected


@pytest.mark.parametrize(
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
    ],
)
def test_text_arrives_byte_for_byte(content):
    """An argument may hold tags of its own; one line break at either end belongs to the tags."""
    for text in (
        f"<tool_call>\n<function=write_file>\n<parameter=path>\na\n</parameter>\n"
        f"<parameter=content>\n{content}\n</parameter>\n</function>\n</tool_call>",
        f'<invoke name="write_file"><parameter name="path">a</parameter>'
        f'<parameter name="content">\n{content}\n</parameter></invoke>',
    ):
        assert said(text) == [written("a", content)]


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


@pytest.mark.parametrize(
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


def test_an_object_among_elements_is_refused():
    """Arguments come as elements or as one object; both at once would lose one of them."""
    text = '<get_weather city="Paris">{"unit": "c"}</get_weather>'
    assert said(text) == [("get_weather", "unreadable")]
