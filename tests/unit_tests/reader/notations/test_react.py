import pytest

from langchain_toolemu.tools import ToolSet, ToolSpec
from tests.tables import every_row
from tests.unit_tests.reader.reading import NOW, PARIS, said


@every_row(
    ("text", "expected"),
    [
        (
            'Thought: x\nAction: get_weather\nAction Input: {"city": "Paris"}',
            ["Thought: x\n", PARIS],
        ),
        ("**Action:** `get_weather`\n**Action Input:** Paris\n", [PARIS]),
        ('Action: get_weather\nAction Input: "Paris"', [PARIS]),
        ("Action: get_weather\nAction Input: city='Paris'", [PARIS]),
        ("Action: run\nAction Input: x = 5 = y", [("run", {"command": "x = 5 = y"})]),
        (
            "Action: run\nAction Input:\n```sh\nls\npwd\n```\nThought: y",
            [("run", {"command": "ls\npwd"}), "\nThought: y"],
        ),
        ("Action: run\nAction Input: a=1, b=2", [("run", {"command": "a=1, b=2"})]),
        ("Action: get_weather(city='Paris')", [PARIS]),
        ("Action 1: now\nAction Input 1: {}", [NOW]),
        ("Action: now\nObservation: 12:00", [NOW, ("made up", "Observation: 12:00")]),
        ("Action: add\nAction Input: one and two", [("add", "unreadable")]),
    ],
)
def test_actions(text, expected):
    """An action of a bound tool is a call with its input."""
    assert said(text) == expected


@every_row(
    "text",
    [
        "Action: think about it",
        "Action: search\nThought: hm",
        "Action: run(x)",
        "Action is needed",
        "Actions: run",
        "Action",
    ],
)
def test_what_is_no_action(text):
    """An action without a bound tool, or without the input it needs, is text."""
    assert said(text) == [text]


def test_nothing_is_read_behind_a_made_up_observation():
    """What rests on an observation that the model wrote itself is text."""
    text = "Action: now\nAction Input: {}\nObservation: noon\nAction: now\nAction Input: {}"
    assert said(text) == [NOW, ("made up", "Observation: noon\nAction: now\nAction Input: {}")]
    alone = 'Observation: {"name": "now"}\n{"name": "now"}'
    assert said(alone) == ['Observation: {"name": "now"}\n', NOW]


def test_a_name_that_is_no_identifier():
    """A tool's name may hold a space; its input is read for keywords nonetheless."""
    tools = ToolSet([ToolSpec("get time", "", {"properties": {"zone": {"type": "string"}}})])
    text = "Action: get time\nAction Input: zone='x'"
    assert said(text, tools=tools) == [("get time", {"zone": "x"})]


def test_an_input_that_the_limit_cut():
    """A plain input has no end of its own, so the limit makes it a cut."""
    assert said("Action: run\nAction Input: ls -", cut=True) == [("run", "cut")]


def test_a_python_action_that_cannot_be_read():
    """An action whose arguments are broken is refused aloud."""
    assert said('Action: search("x", ["a", 3)') == [("search", "unreadable")]


@pytest.mark.parametrize(
    "text", ["Tool: now\nand more", "Tool: run\nInput: ls", "Function: run\nArguments: none"]
)
def test_other_labels_count_before_an_object_only(text):
    """Where no object follows, a label is a label."""
    assert said(text) == [text]


@every_row(
    ("text", "expected"),
    [
        ("```sh\nls\nThought: y", [("run", "unreadable")]),
        ("```ls``` now", [("run", {"command": "```ls``` now"})]),
        ("print <b>x</b>\n</div>", [("run", {"command": "print <b>x</b>\n</div>"})]),
        ("what is <|im_end|> for", [("run", {"command": "what is <|im_end|> for"})]),
        ("ls<|end|>\n<|start|>", [("run", {"command": "ls"}), "\n<|start|>"]),
        ("ls\nFinal Answer", [("run", {"command": "ls"}), "\nFinal Answer"]),
        (
            "ls\n" + " " * 40 + "Thought: x",
            [("run", {"command": "ls\n" + " " * 40 + "Thought: x"})],
        ),
        ("a\nb\n\nIt is so.", [("run", {"command": "a\nb\n\nIt is so."})]),
        ("\nHello!\n\nIt is so.", [("run", {"command": "Hello!\n\nIt is so."})]),
    ],
)
def test_where_a_plain_input_ends(text, expected):
    """A plain input ends at its fence, at a heading or at a token, and not at what resembles one."""
    assert said(f"Action: run\nAction Input: {text}") == expected


@pytest.mark.parametrize("text", ["Action: run[ls", "Action: run[ls] and so on"])
def test_brackets_that_end_no_line(text):
    """Brackets hold an input only if nothing follows them."""
    assert said(text) == [text]
