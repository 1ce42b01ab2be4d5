import pytest

from tests.tables import every_row
from tests.unit_tests.reader.reading import NOW, PARIS, said


@every_row(
    ("text", "expected"),
    [
        ("<tool_call>now</tool_call>", [NOW]),
        ("<tool_call>search</tool_call>", [("search", "unreadable")]),
        ("<tool_call>nope</tool_call>", ["<tool_call>nope</tool_call>"]),
        ("<tool_call>now", [("now", "cut")]),
        ("<tool_call>nope", ["<tool_call>nope"]),
        ("<tool_call>print(now())</tool_call>", ["<tool_call>print(now())</tool_call>"]),
        ("<tool_call>nope(x=1)</tool_call>", [("nope", "unknown_tool")]),
        ("<tool_call>run(x)</tool_call>", [("run", "unreadable")]),
        ("<tool_call>run(command='l", [("run", "cut")]),
        ('[TOOL_CALLS]get_weather[ARGS]{"city": "Paris"}', [PARIS]),
        ('<tool_call>call:get_weather{"city": "Paris"}', [PARIS]),
        ('<tool_call>get_weather: {"city": "Paris"}', [PARIS]),
        ("<tool_call>get_weather `x`", ["<tool_call>get_weather `x`"]),
        (
            '<tool_call>what weather {"city": "Paris"}',
            ["<tool_call>what weather ", PARIS][:0] or None,
        ),
        ("<action>search(query='x')</action>", [("search", {"query": "x"})]),
        ("<action>hum(query='x')</action>", ["<action>hum(query='x')</action>"]),
        ('get_weather {"city": "Paris"}', [PARIS]),
        ('get_weather:\n{"city": "Paris"} ok', [PARIS, " ok"]),
        ('get_weather {"mood": 1}', ['get_weather {"mood": 1}']),
        ("get_weather is nice", ["get_weather is nice"]),
        ("get_weather", ["get_weather"]),
        ('JSON_BEGIN\n{"name": "now"}\nJSON_END x', [NOW, " x"]),
        ("JSON_BEGIN Just so", ["JSON_BEGIN Just so"]),
        ("Jason", ["Jason"]),
        ("functions.now()", [NOW]),
        ("functions.nothing", ["functions.nothing"]),
        ('[TOOL_CALLS]nope{"a": 1}', [("nope", "unknown_tool")]),
    ],
)
def test_a_name_first(text, expected):
    """A name may stand before its arguments, in an envelope or at the start of a line."""
    if expected is not None:
        assert said(text) == expected
    else:
        assert PARIS not in said(text)


@every_row(
    ("body", "expected"),
    [
        ("name: get_weather\narguments:\n  city: Paris\n", [PARIS]),
        ("name: run\narguments:\n  command: no\n", [("run", {"command": "no"})]),
        ("- name: now\n- name: get_weather\n  arguments: {city: Paris}\n", [NOW, PARIS]),
        (
            "name: search\narguments:\n  query: 1.10\n  limit: 3\n  tags: [a, 1, [true, 'x', null], {b: 2}]\n",
            None,
        ),
        (
            "name: run\narguments:\n  command: x </tool_call> y\n",
            [("run", {"command": "x </tool_call> y"})],
        ),
        ('name: run\narguments:\n  command: "a"\n', [("run", {"command": "a"})]),
        (
            "name: search\narguments:\n  query: x\n  my\\_tag: a\\_b\n  tags: [1, a\\_b]\n",
            [("search", {"query": "x", "my_tag": "a_b", "tags": [1, "a_b"]})],
        ),
        ("name: nope\narguments:\n  x: 1\n", [("nope", "unknown_tool")]),
    ],
)
def test_yaml(body, expected):
    """A YAML body is read with types by the schema."""
    if expected is None:
        tags = ["a", 1, [True, "x", None], {"b": 2}]
        expected = [("search", {"query": "1.10", "limit": 3, "tags": tags})]
    assert said(f"<tool_call>\n{body}</tool_call>") == expected
    assert said(f"```tool_call\n{body}```") == expected


@every_row(
    ("body", "name"),
    [
        ("name: [unclosed\n", None),
        ("name: &a now\nx: *a\n", "now"),
        ("name: now\n? [a]\n: 1\n", "now"),
        ("name: " + "[" * 120 + "\n", None),
        ("arguments: only\n", None),
        ("name: search\narguments:\n  query: a: b\n", "search"),
        ("- name: search\n  arguments:\n    query: [a\n", "search"),
        ("name: get_weather\narguments:\n  city: Paris\n  city: Rome\n", "get_weather"),
        ("name: now\narguments: 5\n", "now"),
        ("name: now\nx: \ud800\n", None),
    ],
)
def test_yaml_that_cannot_be_read(body, name):
    """Aliases, odd keys, depth, a key given twice and what is no YAML are refused, where a call must be meant."""
    assert said(f"<tool_call>\n{body}</tool_call>") == [(name, "unreadable")]


@pytest.mark.parametrize(
    "text",
    [
        "The <tool_call> - it is a tag.",
        "<tool_call>\n- a list\n</tool_call>",
        "<tool_call> type: [x",
        "<action>\nname: [Bob\n</action>",
    ],
)
def test_what_is_no_yaml_call(text):
    """What names no tool and may be prose is text."""
    assert said(text) == [text]


@every_row(
    ("body", "expected"),
    [
        ("name: math.factorial\narguments: 5\n", ("math.factorial", {"number": 5})),
        ("Action: math.factorial\nAction Input: 5\n", ("math.factorial", {"number": 5})),
        ("name: add\narguments: a=17, b=25\n", ("add", {"a": 17, "b": 25})),
        ('name: add\narguments: \'{"a": 1, "b": 2}\'\n', ("add", {"a": 1, "b": 2})),
        ("name: configure\narguments: debug=true\n", ("configure", {"debug": True})),
        ("name: run\narguments: 5\n", ("run", {"command": "5"})),
    ],
)
def test_yaml_with_arguments_as_text(body, expected):
    """Arguments may be a text or the value of the only one, as in JSON."""
    assert said(f"<tool_call>\n{body}</tool_call>") == [expected]


@pytest.mark.parametrize("indent", ["", "  "])
@pytest.mark.parametrize(
    "lines",
    [
        ["a </function>", "b"],
        ["a </tool>"],
        ["a </tool_call>", "b"],
        ["</tool_call>", "", "b"],
        ["```", "b", "```"],
    ],
)
def test_closing_tags_in_a_yaml_block(lines, indent):
    """Of the closing tags in a body only the envelope's own may end it, and only where its lines end."""
    keys = ["name: write_file", "arguments:", "  path: a", "  content: |"]
    body = "".join(f"{indent}{line}\n" for line in [*keys, *(f"    {line}" for line in lines)])
    content = "".join(f"{line}\n" for line in lines)
    call = ("write_file", {"path": "a", "content": content})
    assert said(f"<tool_call>\n{body}</tool_call>") == [call]
    assert said(f"```tool_call\n{body}```") == [call]


@every_row(
    ("rest", "expected"),
    [
        ("</tool_call>", [PARIS]),
        ("\n  </tool_call>\nok", [PARIS, "\nok"]),
        ("</tool_call>\n<tool_call>now</tool_call>", [PARIS, NOW]),
        ("<|im_end|>", [PARIS]),
        ("\n</function_call>", [PARIS]),
        ("</function_call>\n", [("get_weather", "cut")]),
        ("</tool_call>\n</tool_call>", [("get_weather", "unreadable")]),
    ],
)
def test_where_a_yaml_body_ends(rest, expected):
    """A closing tag behind a value ends the body if it is the envelope's own; two of them are a doubt."""
    assert said(f"<tool_call>\nname: get_weather\narguments:\n  city: Paris{rest}") == expected


def test_yaml_has_no_end_of_its_own():
    """Without a closer a YAML call must at least end its last line."""
    start = "<tool_call>\nname: get_weather\narguments:\n  city: Paris"
    assert said(start) == [("get_weather", "cut")]
    assert said(start + "\n") == [PARIS]
    assert said(start + "\n", cut=True) == [("get_weather", "cut")]
    assert said("<tool_call>\nname: get_weather\n") == [("get_weather", "cut")]


def test_yaml_on_its_own_ends_with_the_reply():
    """No closer can be missing: with a value at its end it is whole, unless it is known to be cut off."""
    for label in ("name: get_weather\narguments", "tool: get_weather\nargs"):
        start = f"{label}:\n  city: Paris"
        assert said(start) == [PARIS]
        assert said(start, cut=True) == [("get_weather", "cut")]
    assert said("name: get_weather\narguments:\n  ci") == [("get_weather", "cut")]
