from tests.tables import every_row
from tests.unit_tests.reader.reading import NOW, PARIS, said

CALL = '{"name": "now", "arguments": {}}'


@every_row(
    ("text", "expected"),
    [
        (f"<tool_call>{CALL}{CALL}</tool_call>", [NOW, NOW]),
        (f"<tool_call>{CALL}<tool_call>", [NOW]),
        (
            f"<tool_calls><tool_call>{CALL}</tool_call><tool_call>now()</tool_call></tool_calls> x",
            [NOW, NOW, " x"],
        ),
        (f"<tool_call>{CALL}\nget_weather('Paris')\n</tool_call>", [NOW, PARIS]),
        (f"<tool_call>{CALL}\nThe time is\nthis.", [NOW, "\nThe time is\nthis."]),
        (f"<tool_call>{CALL} and <b>so</b> on</tool_call> x", [NOW, " and <b>so</b> on x"]),
        (f"<tool_call>{CALL} and " + "so " * 200 + "</tool_call>", None),
        (f"<tool_call>{CALL} " + "x" * 200, [NOW, " " + "x" * 200]),
        (f'<tool_call>{{"name": "now" !}}\n\n</tool_call>{CALL}', [("now", "unreadable"), NOW]),
        ('<tool_call>{"name": "now" ! and on and on', [("now", "unreadable")]),
        (f"<function>{CALL}</function>", [NOW]),
        (f"<tool_call><tool>\n{CALL}</tool></tool_call>", [NOW]),
        (
            "<tool_calls>now()\nget_time(zone='UTC')</tool_calls>",
            [NOW, ("get_time", "unknown_tool")],
        ),
        ("<tool_calls>now()\nget_time(zone)</tool_calls>", [NOW, ("get_time", "unreadable")]),
        ("<tool_calls>now() print(1)</tool_calls> x", [NOW, " print(1) x"]),
        ("<tool_call>`x`", ["<tool_call>`x`"]),
        ("<tool_call><b>x", ["<tool_call><b>x"]),
        ("<tool_call>5", ["<tool_call>5"]),
        ("<tool_call>", ["<tool_call>"]),
        (f"<tool_call>[ # one\n{CALL}]</tool_call>", [NOW]),
        ("<tool_call>[ // x", [(None, "cut")]),
    ],
)
def test_envelopes(text, expected):
    """Calls follow one another until the envelope closes or something else begins."""
    if expected is None:
        assert said(text)[0] == NOW
    else:
        assert said(text) == expected


@every_row(
    ("text", "expected"),
    [
        ("<tool_call>", [(None, "cut")]),
        ("<tool_call>\n<func", [(None, "cut")]),
        ('<function_calls>\n<invoke name="run"', [(None, "cut")]),
        ("&lt;tool_call&gt;&lt;func", [(None, "cut")]),
        ("[TOOL_CALLS]run[A", [("run", "cut")]),
        (f"<tool_call>{CALL}</tool_c", [NOW]),
        (f"<tool_calls>{CALL}<tool_c", [NOW, (None, "cut")]),
        (f"<tool_call>{CALL}</tool_call> <tool_c", [NOW, " <tool_c"]),
        (f"JSON_BEGIN\n{CALL}\nJSON_END <tool_c", [NOW, " <tool_c"]),
        (f"<tool_call>{CALL} and so on</tool_call><tool_c", [NOW, " and so on<tool_c"]),
    ],
)
def test_an_open_envelope_and_the_limit(text, expected):
    """An envelope that is open when the limit cuts the reply was meant to hold a call, be it cut in a tag."""
    assert said(text, cut=True) == expected
