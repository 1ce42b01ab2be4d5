import pytest

from langchain_toolemu.reader.output import MAX_CALLS
from tests.tables import every_row
from tests.unit_tests.reader.reading import NOW, PARIS, said

CALL = '{"name": "now", "arguments": {}}'
FENCE = f"```json\n{CALL}\n```"
PARIS_CALL = '{"name": "get_weather", "arguments": {"city": "Paris"}}'
ROME_CALL = PARIS_CALL.replace("Paris", "Rome")
UNMEANT = (*NOW, "unmeant")


@every_row(
    ("text", "expected"),
    [
        ("", []),
        (" \n ", [" \n "]),
        (f" \n{CALL}\n ", [NOW]),
        (f"{CALL}, {CALL};{CALL}", [NOW, NOW, NOW]),
        (f", {CALL},", [", ", NOW, ","]),
        ("a < b, [1], {x}, & `y` ~ {{z}} {{{", None),
        ("{}", None),
        (f"{CALL}\n</tool_call> ok", [NOW, " ok"]),
        (f"{CALL}\n```\n", [NOW]),
        (f"{CALL}\n```x", [NOW, "\n```x"]),
        (f"{CALL} JSON_END", [NOW]),
        (f"{CALL} J", [NOW, " J"]),
        (f"{CALL} <b>", [NOW, " <b>"]),
        (f"[now()]\n</think>{CALL}", ["[now()]\n</think>", NOW]),
        (f"</tool_call>{CALL}", ["</tool_call>", NOW]),
        (f"[now()] x {CALL}</think>", [UNMEANT, f" x {CALL}</think>"]),
        ("[TOOL_CALLS] is a mark", None),
        ("[tool_calls] x", None),
        ("[/TOOL_CALLS] x", None),
        ("let y = f <|\r\n x", None),
        ("what </\u00a0", None),
        ('get_weather\r\n{"city": "Paris"}', [PARIS]),
        ("get_weather(city='Paris') <b>", None),
        ("<user>x</user>", None),
        (f"<start>{CALL}", ["<start>", NOW]),
        (f"<|im_start|>{CALL}", ["<|im_start|>", NOW]),
        ("<|im_start|>user", [("made up", "<|im_start|>user")]),
    ],
)
def test_prose_and_openers(text, expected):
    """What begins no call goes out as it came."""
    assert said(text) == ([text] if expected is None else expected)


@every_row(
    ("text", "expected"),
    [
        (f" \n{CALL} </think>", None),
        (f"{CALL} \n{ROME_CALL}</think>", [UNMEANT, f" \n{ROME_CALL}</think>"]),
        (f"{CALL},\n{ROME_CALL}</think>", [UNMEANT, f",\n{ROME_CALL}</think>"]),
        (
            f"{PARIS_CALL} or {ROME_CALL}</think><tool_call>{PARIS_CALL}</tool_call>",
            [(*PARIS, "unmeant"), f" or {ROME_CALL}</think>", PARIS],
        ),
        (f' {{"tool_calls": [{CALL}, {{"name": "nope"}}, {ROME_CALL}]}}</think>', None),
        ("[now(), get_weather('Rome')]</think>", None),
        (
            f"def f(): {CALL}</think>\nget_weather(city='Paris')",
            [f"def f(): {CALL}</think>\n", PARIS],
        ),
    ],
)
def test_a_call_that_becomes_a_thought_leaves_nothing_behind(text, expected):
    """White space and the calls before it are what they were without it, and the answer begins after it."""
    assert said(text) == ([text] if expected is None else expected)


def test_one_call_too_many_that_becomes_a_thought():
    """The limit is told of at the call that is really one too many."""
    row = "".join(f"get_weather(city='{number}')\n" for number in range(MAX_CALLS))
    *_, last, words, refused = said(f"{row}{CALL}</think>\n{CALL}")
    assert last == ("get_weather", {"city": str(MAX_CALLS - 1)}, "unmeant")
    assert (words, refused) == (f"\n{CALL}</think>\n", ("now", "unreadable"))


@every_row(
    ("text", "expected"),
    [
        (f"<think>{CALL}</think>{CALL}", [f"<think>{CALL}</think>", NOW]),
        (f"<think>a < b</thin {CALL}", None),
        (f"See <tool_response>{CALL}</tool_response>", None),
        (f"&lt;think&gt;{CALL}&lt;/think&gt;", None),
        (f"<tool_call><think>{CALL}</think>", None),
        (f"{CALL} It ends before `</think>`", [NOW, " It ends before `</think>`"]),
        (f"{CALL} This is it.</tool_response>", [NOW, " This is it.</tool_response>"]),
        (f"<tool_call>{CALL} So </think>", [UNMEANT, " So </think>"]),
        (f"<tool_call>{CALL}<|END_THINKING|>", None),
        (f"[think]{CALL}", ["[think]", NOW]),
        (f"{CALL}\nObservation of mine\n{PARIS_CALL}", [NOW, "\nObservation of mine\n", PARIS]),
        (f"Analysis: {CALL}", ["Analysis: ", NOW]),
        (f"analysis {CALL}", ["analysis ", NOW]),
        (f"analysisThe {CALL} a", None),
        ("analysis", None),
    ],
)
def test_thoughts_and_made_up_results(text, expected):
    """What is not the model's answer is passed on, never read."""
    assert said(text) == ([text] if expected is None else expected)


@every_row(
    ("text", "expected"),
    [
        (f"<|channel|>analysis<|message|>{CALL} < x<|end|>", None),
        (f"<|channel|>analysis<|message|>{CALL}", None),
        (f"<|channel|>final<|message|>{CALL}", None),
        (f"<|channel|>final<|message|>{FENCE}", [NOW]),
        (
            '<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>{"city": "Paris"}<|call|>',
            [PARIS],
        ),
        ('<|channel|>commentary to=get_weather<|message|> {"city": "Paris"}', [PARIS]),
        ("<|channel|>commentary to=now<|message|>none", None),
        ("<|channel|>x <y", None),
        ("<|channel|>" + "x<" * 150, None),
        (f"<|channel|>{'x' * 200}<b>{CALL}", [f"<|channel|>{'x' * 200}<b>", NOW]),
        (
            f"<|channel>thought\n{CALL} <call><channel|>{CALL}",
            [f"<|channel>thought\n{CALL} <call><channel|>", NOW],
        ),
        (f"<|channel|>final\n{CALL}", ["<|channel|>final\n", NOW]),
    ],
)
def test_channels(text, expected):
    """A message to a tool is a call, the analysis a thought, and the answer is none but in an envelope."""
    assert said(text) == ([text] if expected is None else expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<|channel|>commentary to=functions.now <|mess", [("now", "cut")]),
        ("<|channel|>commentary to=functions.nope", [("functions.nope", "cut")]),
        ('<|channel|>com to=functions.write_file<|<message|>{"path', [("write_file", "cut")]),
        ("<|channel|>commentary <|mess", None),
        (f"<|channel|>to=now{'x' * 300}", None),
    ],
)
def test_a_header_that_is_cut(text, expected):
    """A message to a tool that was cut in its header is a cut call."""
    assert said(text, cut=True) == ([text] if expected is None else expected)


@every_row(
    ("text", "expected"),
    [
        (CALL, None),
        ("now()", None),
        (f"```json\n{CALL}\n```", None),
        (f"`{CALL}`", None),
        ("<now></now>", None),
        (f"<tool>{CALL}</tool>", None),
        ("Action: now\nAction Input: {}", None),
        ("[now()]", None),
        (f"<tool_call>{CALL}</tool_call>", [NOW]),
        ("<function=now></function>", [NOW]),
        (f"[TOOL_CALLS][{CALL}]", [NOW]),
        (f"```json action\n{CALL}\n```", [NOW]),
        (f"<think>{CALL}</think>", None),
    ],
)
def test_only_explicit_envelopes(text, expected):
    """In a reply that was not asked for calls, only what can mean nothing else counts."""
    assert said(text, explicit_only=True) == ([text] if expected is None else expected)
