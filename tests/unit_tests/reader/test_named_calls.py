import pytest

from tests.unit_tests.reader.reading import NOW, PARIS, said


@pytest.mark.parametrize(
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


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("name: get_weather\narguments:\n  city: Paris\n", [PARIS]),
        ("name: run\narguments:\n  command: no\n", [("run", {"command": "no"})]),
        ("- name: now\n- name: get_weather\n  arguments: {city: Paris}\n", [NOW, PARIS]),
        (
            "name: search\narguments:\n  query: 1.10\n  limit: 3\n  tags: [a, 1, [true, 'x', null]]\n",
            None,
        ),
        (
            "name: run\narguments:\n  command: x </tool_call> y\n",
            [("run", {"command": "x </tool_call> y"})],
        ),
        ('name: run\narguments:\n  command: "a"\n', [("run", {"command": "a"})]),
        ("name: nope\narguments:\n  x: 1\n", [("nope", "unknown_tool")]),
    ],
)
def test_yaml(body, expected):
    """A YAML body is read with types by the schema."""
    if expected is None:
        tags = ["a", 1, [True, "x", None]]
        expected = [("search", {"query": "1.10", "limit": 3, "tags": tags})]
    assert said(f"<tool_call>\n{body}</tool_call>") == expected
    assert said(f"```tool_call\n{body}```") == expected


@pytest.mark.parametrize(
    "body",
    [
        "name: [unclosed\n",
        "name: &a now\nx: *a\n",
        "name: now\n? [a]\n: 1\n",
        "name: " + "[" * 120 + "\n",
        "arguments: only\n",
    ],
)
def test_what_is_no_yaml(body):
    """Aliases, odd keys and depth are refused, as is what is no YAML at all."""
    text = f"<tool_call>\n{body}</tool_call>"
    assert said(text) == [text]


def test_yaml_has_no_end_of_its_own():
    """Without a closer a YAML call must at least end its last line."""
    start = "<tool_call>\nname: get_weather\narguments:\n  city: Paris"
    assert said(start) == [("get_weather", "cut")]
    assert said(start + "\n") == [PARIS]
    assert said(start + "\n", cut=True) == [("get_weather", "cut")]
    assert said("<tool_call>\nname: get_weather\n") == [("get_weather", "cut")]
