"""Long string arguments are told of while they are being written, in the same place whatever the pieces."""

import ast
import json

import pytest

from langchain_toolemu.reader.events import BadCall, Call, CallDelta, CallStarted, Text
from langchain_toolemu.reader.literals.strings import LONG
from langchain_toolemu.tools import ToolSet, ToolSpec
from tests.tables import every_row
from tests.unit_tests.reader.reading import read

STRING = {"type": "string"}
TOOLS = ToolSet(
    [
        ToolSpec(
            "write",
            "",
            {"properties": {"path": STRING, "text": STRING, "size": {"type": "integer"}}},
        ),
        ToolSpec("now", "", {}),
    ]
)
BODY = 'a "b" \\ 🌍\n' * 80


def written(text=BODY, /, name="write", **args):
    return json.dumps({"name": name, "arguments": {**args, "text": text}})


def told(text, **options):
    """What is told of a text's calls: the beginning, the pieces together, and what became of it."""
    outcomes = []
    for size in (None, 1, 7, 100):
        events = read(text, size=size, tools=TOOLS, **options)
        begun = [event for event in events if isinstance(event, CallStarted)]
        more = "".join(event.text for event in events if isinstance(event, CallDelta))
        ended = [event for event in events if isinstance(event, Call | BadCall)]
        outcomes.append((begun, more if begun else None, ended))
    # A cut text is told as far as it came, which is up to its last whole escape in any pieces.
    assert all(outcome == outcomes[0] for outcome in outcomes)
    return outcomes[0]


PLACES = {
    "in the open": written(path="x"),
    "after words that announce it": f"I'll write it.\n{written(path='x')}",
    "in a tag": f"<tool_call>{written(path='x')}</tool_call>",
    "in a fence": f"```json\n{written(path='x')}\n```",
    "after its name": f'<tool_call>write {{"path": "x", "text": {json.dumps(BODY)}}}</tool_call>',
    "after another call": f"{json.dumps({'name': 'now', 'arguments': {}})}\n{written(path='x')}",
}
# The same between tags: Qwen3-Coder, Anthropic, the tool's own element, GLM, DeepSeek, Kimi K3, MiniMax M3.
M3, DSML = "]<]minimax[>[", "\uff5cDSML\uff5c"
ELEMENTS = {
    "a function": (
        "<tool_call>\n<function=write>\n<parameter=path>\nx\n</parameter>\n"
        "<parameter=text>\n{}\n</parameter>\n</function>\n</tool_call>"
    ),
    "an invocation": (
        '<function_calls><invoke name="write"><parameter name="path">x</parameter>'
        '<parameter name="text">{}</parameter></invoke></function_calls>'
    ),
    "any namespace": (
        '<x:invoke name="write"><x:parameter name="path">x</x:parameter>'
        '<x:parameter name="text">{}</x:parameter></x:invoke>'
    ),
    "the tool's own": "<write><path>x</path><text>{}</text></write>",
    "pairs": (
        "<tool_call>write<arg_key>path</arg_key><arg_value>x</arg_value>"
        "<arg_key>text</arg_key><arg_value>{}</arg_value></tool_call>"
    ),
    "DSML": (
        f'<{DSML}invoke name="write"><{DSML}parameter name="path" string="true">x</{DSML}parameter>'
        f'<{DSML}parameter name="text" string="true">{{}}</{DSML}parameter></{DSML}invoke>'
    ),
    "tokens": (
        '<|open|>call tool="write" index="1"<|sep|>'
        '<|open|>argument key="path" type="string"<|sep|>x<|close|>argument<|sep|>'
        '<|open|>argument key="text" type="string"<|sep|>{}<|close|>argument<|sep|>'
        "<|close|>call<|sep|>"
    ),
    "tags after a token": (
        f'{M3}<tool_call>{M3}<invoke name="write">{M3}<path>x{M3}</path>'
        f"{M3}<text>{{}}{M3}</text>{M3}</invoke>{M3}</tool_call>"
    ),
}
# And in notations that have neither JSON's strings nor elements of their own.
OTHERS = {
    "Gemma's tokens": '<|tool_call>call:write{path:<|"|>x<|"|>,text:<|"|>{}<|"|>}<tool_call|>',
    "FunctionGemma's tokens": (
        "<start_function_call>call:write{path:<escape>x<escape>,text:<escape>{}<escape>}"
        "<end_function_call>"
    ),
    "character data": "<write><path>x</path><text><![CDATA[{}]]></text></write>",
    "a call in Python": "<tool_call>write(path='x', text='''{}''')</tool_call>",
    "a printed call": "```tool_code\nprint(write('x', text=\"{}\"))\n```",
    "an argument by its place": "<|python_tag|>write('x', '{}')",
}
PROSE = "Words and more of them, if a < b. " * 60


@every_row("kind", ELEMENTS | OTHERS)
def test_a_long_text_in_other_notations_is_told_of_as_it_comes(kind):
    """As in JSON: its beginning, then its text in many pieces, then the call."""
    text = (ELEMENTS | OTHERS)[kind].replace("{}", PROSE)
    begun, more, ended = told(text)
    assert begun == [CallStarted("write", {"path": "x"}, "text")]
    assert (more, ended[-1].args) == (PROSE, {"path": "x", "text": PROSE})
    pieces = [e for e in read(text, size=10, tools=TOOLS) if isinstance(e, CallDelta)]
    in_json = [e for e in read(written(PROSE), size=10, tools=TOOLS) if isinstance(e, CallDelta)]
    assert len(pieces) >= len(in_json) - 1 > 20


@pytest.mark.parametrize("kind", ["Gemma's tokens", "FunctionGemma's tokens", "character data"])
def test_a_long_text_as_it_is(kind):
    """Where nothing is escaped all of it is told, with backslashes, and with the line breaks at its ends."""
    _, more, ended = told(OTHERS[kind].replace("{}", f"\n{BODY}\n"))
    assert more == ended[-1].args["text"] == f"\n{BODY}\n"


@pytest.mark.parametrize("escape", ["\\n", "\\'", "\\x41", "\\u00e9", "\\U0001f30d"])
def test_a_long_text_in_python_has_its_escapes(escape):
    """They are undone as they come, in whatever pieces."""
    text = f"words {escape} and " * 60
    _, more, ended = told(OTHERS["a call in Python"].replace("{}", text))
    assert more == ended[-1].args["text"] == ast.literal_eval(f"'{text}'")


@pytest.mark.parametrize("place", PLACES)
def test_a_long_text_is_told_of(place):
    """Its beginning with what stood before it, then all of its text, then the call."""
    begun, more, ended = told(PLACES[place])
    assert begun == [CallStarted("write", {"path": "x"}, "text")]
    assert more == BODY
    assert ended[-1].args == {"path": "x", "text": BODY}


def test_the_only_tool_demanded_needs_no_name():
    """Bare arguments of the tool that was demanded are told of too."""
    begun, more, _ = told(json.dumps({"path": "x", "text": BODY}), forced="write")
    assert begun == [CallStarted("write", {"path": "x"}, "text")]
    assert more == BODY


SILENT = {
    "a short text": written("x" * (LONG - 1), path="x"),
    "an unknown tool": written(name="unknown", path="x"),
    "an argument that is no text": json.dumps({"name": "write", "arguments": {"size": "9" * 600}}),
    "an unknown argument": json.dumps({"name": "write", "arguments": {"body": BODY}}),
    "a nested text": json.dumps({"name": "write", "arguments": {"text": {"text": BODY}}}),
    "a name that is the key": json.dumps({"write": {"text": BODY}}),
    "a list of one": json.dumps([{"name": "write", "text": BODY}]),
    "a list of calls": f"[{written(path='x')}]",
    "arguments as a string": json.dumps({"name": "write", "arguments": written()}),
    "a name that comes after": json.dumps({"arguments": {"text": BODY}, "name": "write"}),
    "a key without quotes": written(path="x").replace('"path"', "path"),
    "quotes inside": written("x" * 40 + "Q" + "x" * 600).replace("xQx", 'x "quoted" x'),
    "an escape that is none": written("x" * 40 + "Q" + "x" * 600).replace("Q", "\\d"),
    "a call in Python in the open": f"write(path='x', text={BODY!r})",
    "a call in Python in a list": f"[TOOL_CALLS][write(path='x', text={BODY!r})]",
    "arguments that are unpacked": f"<tool_call>write(**{{'path': 'x'}}, text={BODY!r})</tool_call>",
    "a text in a list": f"<tool_call>write(path=[{BODY!r}])</tool_call>",
    "one argument too many": f"<tool_call>write('x', 'y', 1, {BODY!r})</tool_call>",
    "bytes": f"<tool_call>write('x', b{BODY!r})</tool_call>",
    "a call that may be restated": f"{written(path='x')}\n<tool_call>{written(path='x')}</tool_call>",
}


@every_row("case", SILENT)
def test_what_is_not_certain_is_not_told_of(case):
    """A call that needs mending, is not known yet, or is short comes whole at its end."""
    begun, _, _ = told(SILENT[case])
    assert len(begun) == (1 if "restated" in case else 0)


def test_a_call_that_was_told_of_never_becomes_text():
    """Whatever follows, what was begun ends as a call or as a bad one."""
    for text, became in (
        (written(path="x")[:-2] + ", ...}}", BadCall),
        (written(path="x")[:-2] + " oops", BadCall),
        (json.dumps({"path": "x", "text": BODY})[:-1] + ', "other": 1}', Call),
    ):
        events = read(text, tools=TOOLS, forced="write")
        assert [type(event) for event in events if not isinstance(event, CallDelta | Text)] == [
            CallStarted,
            became,
        ]


@pytest.mark.parametrize("cut", [True, False])
def test_a_cut_text_is_a_bad_call(cut):
    """A text that never ends was begun, and is cut."""
    events = read(written(path="x")[:-20], tools=TOOLS, cut=cut)
    kinds = [type(event) for event in events if not isinstance(event, CallDelta)]
    assert kinds == [CallStarted, BadCall]
    assert events[-1].reason == "cut"


@every_row("kind", ELEMENTS | OTHERS)
def test_a_cut_text_is_told_as_far_as_it_came(kind):
    """In every notation, in whatever pieces."""
    begun, more, ended = told((ELEMENTS | OTHERS)[kind].partition("{}")[0] + PROSE)
    assert (len(begun), more, ended[-1].reason) == (1, PROSE, "cut")


def test_only_one_text_of_a_call_is_told_of():
    """A second long argument comes with the call."""
    text = json.dumps({"name": "write", "arguments": {"text": BODY, "path": BODY}})
    begun, more, ended = told(text)
    assert begun == [CallStarted("write", {}, "text")]
    assert more == BODY
    assert ended[0].args == {"text": BODY, "path": BODY}


@every_row("length", range(LONG, LONG + 70))
def test_pieces_are_worth_telling_and_never_empty(length):
    """However long the text is: no empty piece, and none but the last shorter than a few words."""
    events = read(written("a" * length, path="x"), size=1, tools=TOOLS)
    sizes = [len(event.text) for event in events if isinstance(event, CallDelta)]
    assert sum(sizes) == length
    assert min(sizes) > 0
    assert all(size >= 32 for size in sizes[:-1])


def test_a_huge_text_comes_in_few_pieces():
    """Their number grows with the logarithm of the length: whoever adds them up reads the sum again each time."""
    events = read(written("a" * 1_000_000, path="x"), size=50, tools=TOOLS)
    assert sum(isinstance(event, CallDelta) for event in events) < 250
