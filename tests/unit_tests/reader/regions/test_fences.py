import pytest

from tests.tables import every_row
from tests.unit_tests.reader.reading import NOW, PARIS, said
from tests.weather import CALL

QUOTED = [
    f'"{CALL}"',
    f"'{CALL}'",
    f"`{CALL}`",
    f"``{CALL}``",
    f"\u201c{CALL}\u201d",
    "`get_weather(city='Paris')`",
    "'get_weather(city=\"Paris\")'",
    "\"[get_weather(city='Paris')]\"",
]


@every_row(
    ("text", "expected"),
    [
        (f"```json\n{CALL}\n```\nok", [PARIS, "\nok"]),
        (f"Here: ```json {CALL}``` ok", ["Here: ", PARIS, " ok"]),
        (f"~~~~\n{CALL}\n~~~~", [PARIS]),
        (f"```xml\n<tool_call>{CALL}</tool_call>\n```", [PARIS]),
        (f"```json\n[{CALL}]\n```", [PARIS]),
        (
            f"```json\n{CALL}\nThat is it.\n```\n" + '{"name": "now"}',
            [PARIS, "\nThat is it.\n```\n", NOW],
        ),
        (f"```json\n{CALL}\nThat is it.\n```json\n{CALL}\n```", [PARIS, "\nThat is it.\n", PARIS]),
        (
            f"<tool_call>\n```json\n{CALL}\nSo.\n```\n</tool_call>",
            [PARIS, "\nSo.\n```\n</tool_call>"],
        ),
        (f"`{CALL}`", [PARIS]),
        (f"``{CALL}`` ok", [f"``{CALL}`` ok"]),
        (f"``{CALL}``", [PARIS]),
        ("`now()` is it", ["`now()` is it"]),
        ('`{"a": 1}` is it', ['`{"a": 1}` is it']),
        ("``` is a mark and so on {", ["``` is a mark and so on {"]),
        ('a ``` b, c? {"name": "now"}', ["a ``` b, c? ", NOW]),
        (
            '```json\n{"a": {"name": "now"}}\n```\n{"name": "now"}',
            ['```json\n{"a": {"name": "now"}}\n```\n', NOW],
        ),
        (
            '````md\n```json\n{"name": "now"}\n```\n````\n',
            ['````md\n```json\n{"name": "now"}\n```\n````\n'],
        ),
        (
            '```md\n# x\n```json\n{"name": "now"}\n```\n```\n',
            ['```md\n# x\n```json\n{"name": "now"}\n```\n```\n'],
        ),
        ("```py\nx = '```'\nnow()\n```\n", ["```py\nx = '```'\nnow()\n```\n"]),
        ("```py\nx = 1\n", ["```py\nx = 1\n"]),
        ("```tool_call\nname: now\n```", [NOW]),
        ("```tool_code\nit = now()\n```", [NOW]),
        ("```python\nit = now()\n```", ["```python\nit = now()\n```"]),
        ("So:\n`now()`\n", ["So:\n", NOW]),
        ("So `now()` it is", ["So `now()` it is"]),
        ('```json action\n{"name": "nope"}\n```', [("nope", "unknown_tool")]),
    ],
)
def test_fences(text, expected):
    """A block that begins with a call is read; any other goes out whole, unsearched."""
    assert said(text) == expected


@every_row("text", QUOTED)
def test_quotes_around_all_of_a_reply_mean_nothing(text):
    """The call is made."""
    assert said(text) == [PARIS]


@every_row("text", QUOTED)
def test_in_a_native_reply_nothing_in_quotes_is_a_call(text):
    """It is text; back-ticks around all of it mean nothing there, either."""
    expected = PARIS if text.startswith("`") else text
    assert said(text, native=True) == [expected]


@pytest.mark.parametrize("text", QUOTED)
@pytest.mark.parametrize("after", [" is what it says.", ", and so on"])
def test_with_words_after_them_quotes_are_a_quotation(text, after):
    """All of it is text."""
    assert said(text + after) == [text + after]
