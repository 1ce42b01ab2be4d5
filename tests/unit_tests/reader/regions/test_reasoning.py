"""Thoughts told from the answer: which text is of which kind, and that telling them changes nothing else."""

import pytest

from langchain_toolemu.reader import Reader
from langchain_toolemu.reader.events import HalfThought, Text
from langchain_toolemu.tools import ToolSet
from tests.tables import every_row
from tests.unit_tests.reader.reading import outline, read
from tests.unit_tests.samples import TOOLS, load

TEXTS = [sample["text"] for file in load().values() for sample in file]

ALL = "mark thought mark answer"
HARMONY_END = "<|end|><|start|>assistant<|channel|>final<|message|>"

# The parts of a reply, and the kind of each.
KINDS = [
    (["<think>", "Hm.", "</think>", "Hi."], ALL),
    (["Well.\n", "<think>", "Hm.", "</think>", "\nHi."], f"answer {ALL}"),
    (["<reasoning>", "Hm.", "</reasoning>", "Hi."], ALL),
    (["<think>", "Hm.", "</thinking>", "Hi."], ALL),
    (["<think/>", "Hi."], "mark answer"),
    (["<think>", "Hm."], "mark thought"),
    (["<|START_THINKING|>", "Hm.", "<|END_THINKING|>", "Hi."], ALL),
    (["[THINK]", "Hm.", "[/THINK]", "Hi."], ALL),
    (["\u25c1think\u25b7", "Hm.", "\u25c1/think\u25b7", "Hi."], ALL),
    (["<|channel|>analysis<|message|>", "Hm.", HARMONY_END, "Hi."], ALL),
    (["<|channel>thought\n", "Hm.", "<channel|>", "Hi."], ALL),
    (["analysis", "Hm.", "assistantfinal", "Hi."], ALL),
    (["`<think>` and `</think>`"], "answer"),
    (["```\n<think>Hm.</think>\n```"], "answer"),
    (['He wrote "<think>" once.'], "answer"),
    (["The <think> tag opens a thought."], "answer"),
    (["Some models open it by <think>"], "answer"),
    (["Some write <think>, others [THINK]."], "answer"),
    (["Well ", "<think>", "Hm.", "</think>", " so."], f"answer {ALL}"),
    (["Well. ", "<think>", " Hm. ", "</think>", " So."], f"answer {ALL}"),
    (["For example, models write: <think>Hm.</think> first."], "answer"),
    (["Hm.</think>Hi."], "answer"),
    (["~~no~~ yes"], "answer"),
    (['"<think>" is a tag'], "answer"),
    (["a <|/channel|> b </channel> c"], "answer"),
]


def kinds_of(events):
    """The kinds of text in a row, each with its text."""
    found = []
    for event in events:
        if isinstance(event, Text) and found and found[-1][1] == event.kind:
            found[-1] = (found[-1][0] + event.text, event.kind)
        elif isinstance(event, Text):
            found.append((event.text, event.kind))
    return found


@pytest.mark.parametrize("only", [False, True], ids=["calls too", "only thoughts"])
@every_row("size", [None, 1, 2, 3, 5])
@every_row(("parts", "kinds"), KINDS)
def test_each_text_is_of_its_kind(parts, kinds, size, only):
    """Marks, thoughts and answers are told apart, in any pieces, with and without tools."""
    options = {"tools": ToolSet(), "only_thoughts": True} if only else {}
    events = read("".join(parts), size=size, tells_thoughts=True, **options)
    assert kinds_of(events) == list(zip(parts, kinds.split(), strict=True))


@pytest.mark.parametrize("size", [None, 1, 4])
def test_a_reply_may_begin_inside_a_thought(size):
    """What comes before the closer is the thought; an opener that is repeated all the same opens it."""
    told = {"size": size, "tells_thoughts": True, "starts_in_thought": True}
    inside = [("\nHm.", "thought"), ("</think>", "mark"), ("Hi.", "answer")]
    assert kinds_of(read("\nHm.</think>Hi.", **told)) == inside
    opened = [("<think>", "mark"), ("Hm.", "thought"), ("</think>", "mark"), ("Hi.", "answer")]
    assert kinds_of(read("<think>Hm.</think>Hi.", **told)) == opened
    assert kinds_of(read(" ", **told)) == [(" ", "answer")]


@pytest.mark.parametrize(
    ("text", "lacks"),
    [
        ("Hm.</think>Hi.", ["beginning"]),
        ("<think>Hm.", ["end"]),
        ("analysisHm.", ["end"]),
        ("<|channel|>analysis<|message|>Hm.", ["end"]),
        ("<think>Hm.</think>Hi.", []),
    ],
)
@pytest.mark.parametrize("options", [{}, {"tools": ToolSet(), "only_thoughts": True}])
def test_a_thought_with_one_end_is_told(options, text, lacks):
    """Which end is missing is an event of its own."""
    events = read(text, tells_thoughts=True, **options)
    assert [event.lacks for event in events if isinstance(event, HalfThought)] == lacks


def test_telling_thoughts_changes_nothing_else():
    """Every sample is read to the same words and calls, whether its thoughts are told apart or not."""
    for text in TEXTS:
        told = read(text, tells_thoughts=True)
        events = [event for event in told if not isinstance(event, HalfThought)]
        assert outline(events) == outline(read(text))


def test_nothing_is_lost_where_only_thoughts_are_told():
    """Without tools, the texts of every sample add up to it to the letter, and no call is read."""
    for text in TEXTS:
        for size in (None, 3):
            told = read(text, size=size, tools=ToolSet(), tells_thoughts=True, only_thoughts=True)
            texts = [event.text for event in told if isinstance(event, Text)]
            assert "".join(texts) == text
            assert len(texts) + sum(isinstance(one, HalfThought) for one in told) == len(told)


def test_places_are_those_of_the_whole_reply():
    """Where a kind begins is counted from the start of the reply, however it came."""
    for size in (1, 3, 100):
        reader, text = Reader(TOOLS, tells_thoughts=True), " <think>Hm.</think>Hi."
        for start in range(0, len(text), size):
            reader.feed(text[start : start + size])
        assert list(reader.kinds) == [(1, "mark"), (8, "thought"), (11, "mark"), (19, "answer")]


def test_the_kind_that_comes_now_is_known():
    """A reader says at any time whether what comes next is a thought."""
    reader = Reader(ToolSet(), tells_thoughts=True)
    assert reader.kind == "answer"
    reader.feed("<think>Hm.")
    assert reader.kind == "thought"
