"""Calls that only do the last step once more."""

import pytest

from langchain_toolemu.turn.loops import Step, goes_on
from tests.unit_tests.turn.playing import called, order, play

FIFTY, FOUR = Step("add", {"a": 50, "b": 25}, "75"), Step("add", {"a": 75, "b": 4}, "79")
FORMATTED = Step("convert", {"text": "x", "to": "pdf"}, "y")

# The steps so far, the arguments of the next call of the same tool, what the user said, and whether it goes on.
CASES = [
    ([FIFTY, FOUR], {"a": 79, "b": 4}, "Add 50 and 25. Then add 4 to the result.", True),
    ([FIFTY], {"a": 75, "b": 4}, "Add 50 and 25. Then add 4 to the result.", False),
    ([FIFTY, FOUR], {"a": 79, "b": 4}, "Add 50, 25, 4 and 4.", False),
    ([FIFTY, FOUR], {"a": 79, "b": 4}, "Add up my numbers.", False),
    ([FIFTY, FOUR], {"a": 79, "b": 4}, "Add 50 and 25. Then add 4.5 and 44.", False),
    ([FIFTY, FOUR], {"a": 79, "b": 9}, "Add 50 and 25. Then add 4, then 9.", False),
    ([FIFTY, FOUR], {"a": 80, "b": 4}, "Add 50 and 25. Then add 4.", False),
    ([Step("add", {"a": 10, "b": 20}, "30")], {"a": 30, "b": 30}, "Add 10 and 20. Then add 30.", False),
    ([FORMATTED], {"text": "y", "to": "pdf"}, "Convert x to pdf.", True),
    ([], {"a": 1, "b": 2}, "Add 1 and 2.", False),
]  # fmt: skip


@pytest.mark.parametrize(("steps", "args", "said", "goes"), CASES)
def test_what_goes_on(steps, args, said, goes):
    """The last step on its own result, with a value that was used as often as the user said it."""
    name = steps[-1].name if steps else "add"
    assert goes_on(name, args, steps, said) == goes


def test_another_tool_does_not_go_on():
    """A step of another kind is another step."""
    assert not goes_on("sub", {"a": 79, "b": 4}, [FIFTY, FOUR], "Add 50 and 25. Then add 4.")


@pytest.mark.parametrize("mode", ["force", "fallback"])
def test_a_small_model_does_not_count_on(mode):
    """It is told once that all is done, and then asked for the answer."""
    history = called(
        "Sum up 50 and 25. Then sum up 4 and that.",
        ("sum_up", {"a": 50, "b": 25}, "75"),
        ("sum_up", {"a": 75, "b": 4}, "79"),
    )
    again = '{"name": "sum_up", "arguments": {"a": 79, "b": 4}}'
    one = play(again, again, "It is 79.", order=order(history), mode=mode, is_small=True)
    assert (one.message.text, len(one.requests)) == ("It is 79.", 3)
    assert "its last result is 79" in str(one.requests[1].messages)
    large = play(again, order=order(history), mode=mode)
    assert [call["args"] for call in large.message.tool_calls] == [{"a": 79, "b": 4}]
