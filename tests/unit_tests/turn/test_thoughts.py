"""Calls in a thought whose beginning was not seen, as templates have it that open it in the prompt: none of them runs."""

import json
from functools import reduce
from operator import add

import pytest

from langchain_toolemu import ChatToolEmu
from tests.essence import calls, essence, report
from tests.piecewise_model import PiecewiseModel
from tests.scripted_turns import play
from tests.tables import every_row


def get_weather(city: str) -> str:
    """The weather of a city."""
    return city


def write_file(path: str, content: str) -> str:
    """Write a file."""
    return path


def stated(name, **args):
    return json.dumps({"name": name, "arguments": args})


def tagged(city):
    return f"<tool_call>{stated('get_weather', city=city)}</tool_call>"


PARIS = ("get_weather", {"city": "Paris"})
LONG = stated("write_file", path="x", content="word " * 300)

# The reply, the calls to be made, the names of those that cannot be run, and the words.
REPLIES = {
    "a draft": (f"Say {tagged('Rome')}?</think>{tagged('Paris')}", [PARIS], [], None),
    "the same draft": (f"Say {tagged('Paris')}?</think>{tagged('Paris')}", [PARIS], [], None),
    "a draft and no call": (
        f"Say {tagged('Rome')}? No.</think>Hello!",
        [],
        [],
        f"Say {tagged('Rome')}? No.</think>Hello!",
    ),
    "a thought that begins with a draft": (
        f"{tagged('Rome')} Hm, {tagged('Rome')}.</think>{tagged('Paris')}",
        [PARIS],
        ["get_weather"],
        None,
    ),
    "a long draft": (f"{LONG}?</think>{tagged('Paris')}", [PARIS], ["write_file"], None),
    "a draft before a long one": (
        f"{tagged('Rome')} {LONG}?</think>{tagged('Paris')}",
        [PARIS],
        ["get_weather", "write_file"],
        None,
    ),
    "a draft that cannot be read": (
        f"Say <tool_call>{{x</tool_call>?</think>{tagged('Paris')}",
        [PARIS],
        [],
        None,
    ),
    "a draft that does not fit": (
        f"Say {stated('get_weather', town=1)}?</think>{tagged('Paris')}",
        [PARIS],
        [],
        None,
    ),
    "two thoughts": (
        f"{tagged('Rome')}</think>{tagged('Oslo')}</think>{tagged('Paris')}",
        [PARIS],
        [],
        f"{tagged('Rome')}</think>{tagged('Oslo')}</think>",
    ),
}


def bound(text, size=20, **choice):
    model = PiecewiseModel(replies=[(text, "stop")], size=size)
    return ChatToolEmu(llm=model, mode="force").bind_tools([get_weather, write_file], **choice)


@pytest.mark.parametrize("case", REPLIES)
def test_a_draft_never_runs(case):
    """In any pieces the calls behind the thought are made; a draft is text, or one that cannot run if it was shown."""
    text, made, broken, words = REPLIES[case]
    whole = bound(text).invoke("Hi")
    assert calls(whole) == made
    assert whole.response_metadata["finish_reason"] == ("tool_calls" if made else "stop")
    assert report(whole)["reasks"] == []
    assert [bad["name"] for bad in whole.invalid_tool_calls] == broken
    noted = [note for note in report(whole)["warnings"] if "part of the model's reasoning" in note]
    assert len(noted) == len(broken)
    assert words in (None, whole.content)
    for size in (1, 7, 5000):
        assert essence(reduce(add, bound(text, size).stream("Hi"))) == essence(whole)


@every_row("case", [case for case, (_, made, *_) in REPLIES.items() if made])
def test_a_draft_is_not_the_call_that_was_demanded(case):
    """One call is demanded: the one behind the thought is it."""
    whole = bound(REPLIES[case][0], tool_choice="get_weather").invoke("Hi")
    assert calls(whole) == [PARIS]
    assert report(whole)["reasks"] == []


def test_a_call_behind_words_is_shown_where_it_stands():
    """After the words before it, and before those behind it."""
    shown = [*bound(f"Well. {tagged('Paris')}\nAnd so on.").stream("Hi")]
    place = next(place for place, chunk in enumerate(shown) if chunk.tool_call_chunks)
    assert "".join(chunk.text for chunk in shown[:place]) == "Well. "
    assert "".join(chunk.text for chunk in shown) == "Well. \nAnd so on."


def test_a_long_call_lets_those_before_it_go_first():
    """Calls are shown in their order, though a long one is shown while it is written."""
    summed = reduce(add, bound(f"Well. {tagged('Paris')}\n{LONG}").stream("Hi"))
    assert [name for name, _ in calls(summed)] == ["get_weather", "write_file"]


@pytest.mark.parametrize("streamed", [False, True])
@pytest.mark.parametrize("choice", [None, "any"])
def test_a_draft_that_is_held_becomes_text_where_it_stands(choice, streamed):
    """Where a native reply is held from its first call on, or to its end, it is as if there had been no draft."""
    text = f"Say {tagged('Rome')}?</think>{tagged('Paris')}"
    turn = play(text, mode="fallback", policy="trust", choice=choice, streamed=streamed)
    assert (turn.calls, turn.message.content) == ([PARIS], f"Say {tagged('Rome')}?</think>")
