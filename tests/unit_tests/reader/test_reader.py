import re
from pathlib import Path

import pytest

from langchain_toolemu import reader
from langchain_toolemu.reader.events import BadCall, Text
from langchain_toolemu.reader.output import MAX_CALLS
from langchain_toolemu.tools import ToolSet
from tests.unit_tests.reader.reading import NOW, PARIS, outline, read, said
from tests.unit_tests.samples import TOOLS, load

CALL = '{"name": "now", "arguments": {}}'


def test_raw_accounts_for_the_whole_reply():
    """Text and the calls' own text are the reply, but for white space around calls."""
    text = f"Sure. ```json\n[{CALL}, {CALL}]\n``` <tool_call>run('ls')</tool_call> x"
    events = read(text)
    rejoined = "".join(event.text if isinstance(event, Text) else event.raw for event in events)
    assert "".join(rejoined.split()) == "".join(text.split())


def test_each_call_of_a_list_has_its_own_text():
    """The text of a list is divided among its calls, its brackets included."""
    assert [call.raw for call in read(f"[{CALL}, {CALL}]")] == [f"[{CALL}", f", {CALL}]"]
    wire = f'{{"tool_calls": [{CALL}, {CALL}]}}'
    assert "".join(call.raw for call in read(wire)) == wire


def test_a_call_stated_again_in_another_envelope_is_one():
    """First in prose, then in a fence: one call; side by side: as many as there are."""
    assert said(f"{CALL} That is\n```json\n{CALL}\n```") == [NOW, " That is\n"]
    assert said(f"[{CALL}, {CALL}]") == [NOW, NOW]
    assert said(f"<tool_call>{CALL}</tool_call>\n<tool_call>{CALL}</tool_call>") == [NOW, NOW]


def test_a_reply_has_a_limit_of_calls():
    """Behind so many calls the next one is refused aloud, and everything else is text."""
    for text in (CALL * (MAX_CALLS + 3), "<tool_call>" + CALL * (MAX_CALLS + 3)):
        *calls, bad, rest = read(text)
        assert [call.name for call in calls] == ["now"] * MAX_CALLS
        assert (bad.name, bad.reason, bad.raw) == ("now", "unreadable", CALL)
        assert rest == Text(CALL * 2)


def test_a_list_of_too_many_calls_is_cut_aloud():
    """What one value holds beyond the limit is refused once."""
    *calls, bad = read(f"[{', '.join([CALL] * (MAX_CALLS + 3))}]")
    assert len(calls) == MAX_CALLS
    assert bad.reason == "unreadable"
    broken = "<tool_call>{}</tool_call>" * (MAX_CALLS + 3)
    assert len([event for event in read(broken) if isinstance(event, BadCall)]) == MAX_CALLS + 1


def test_without_tools_an_explicit_call_is_reported():
    """Where nothing is bound, a tag still shows that a call was meant."""
    [bad] = read(f"<tool_call>{CALL}</tool_call>", tools=ToolSet())
    assert isinstance(bad, BadCall)
    assert bad.reason == "unknown_tool"


def test_a_name_that_no_tool_can_have_is_none():
    """A name of absurd length is looked up nowhere."""
    name = "now" * 100
    assert said(f'<tool_call>{{"name": "{name}"}}</tool_call>') == [(name, "unknown_tool")]


def test_calls_come_as_early_as_they_are_certain():
    """A call that begins the reply goes out with the character that shows it to be whole."""
    events = reader.Reader(TOOLS)
    assert events.feed('{"name": "get_weather", "arguments": {"city": "Paris"}}') == []
    assert outline(events.feed("\n\nX")) == [PARIS, "\n\nX"]
    assert events.feed("") == []
    assert events.close() == []


def test_prose_is_not_held_back():
    """Words that begin no call go out with the piece they came in."""
    events = reader.Reader(TOOLS)
    for word in ("Hello", ", world.", "\nThe", " sky < 5 is", "<b>", "so</b>"):
        assert outline(events.feed(word)) == [word]


def test_every_leniency_has_its_sample():
    """What the reader forgives, it forgives for a text that is kept with its origin."""
    ids = {sample["id"] for samples in load().values() for sample in samples}
    folder = Path(reader.__file__).parent
    sources = "\n".join(path.read_text() for path in folder.rglob("*.py"))
    named = set(re.findall(r"[Ss]ample ([a-z]+(?:-[a-z]+)*)", sources))
    assert named
    assert named <= ids


@pytest.mark.parametrize(
    "unit",
    [
        "{",
        "[",
        '"',
        "`",
        "<tool_call>",
        '{"a":',
        "\\",
        "now(",
        "\nnow(",
        "{'",
        "</",
        "[now",
        "~",
        "&",
    ],
)
def test_hostile_text_is_text(unit):
    """A long run of openers neither fails nor makes a call, and nothing of it is lost."""
    text = unit * (4000 // len(unit))
    events = read(text, size=4)
    rejoined = "".join(event.text if isinstance(event, Text) else event.raw for event in events)
    assert rejoined == text


def test_the_marks_around_a_thought_stay_where_thoughts_do():
    """A thought that is shown as it came ends where it ended: its text does not run into the answer."""
    text = (
        "<|channel|>analysis<|message|>Only a test.<|end|>"
        "<|start|>assistant<|channel|>final<|message|>It is late.<|return|>"
    )
    reading = reader.Reader(TOOLS)
    events = (*reading.feed(text), *reading.close(cut=False))
    assert "".join(event.text for event in events if event.kind != "mark") == text
