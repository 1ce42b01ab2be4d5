"""Answers of the contract's own examples, which a small model repeats: they are never shown."""

import pytest
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage

from tests.unit_tests.turn.playing import order, play

COPIED = "Done: example result."
RESULT = [
    HumanMessage("What is the weather in Paris?"),
    AIMessage("", tool_calls=[{"name": "get_weather", "args": {"city": "Paris"}, "id": "1"}]),
    ToolMessage("18 degrees", tool_call_id="1"),
]
SPOKEN = [*RESULT, HumanMessage("Say: example result.")]
SIZES = (None, 1, 3, 7)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    "reply", [COPIED, f"\n{COPIED}", f"{COPIED} Is there anything else?", "Magnets pull on iron because of their magnetic field."]
)  # fmt: skip
@pytest.mark.parametrize("asked", ["Thank you.", RESULT], ids=["talk", "after a result"])
def test_it_is_not_handed_out(asked, reply, size):
    """The model is asked once more, without examples, and the metadata say so."""
    played = play(reply, "It is mild.", order=order(asked), size=size)
    assert played.message.text == "It is mild."
    assert [stage.phase for stage in played.stages] == ["call", "answer"]
    assert "left out an answer copied from an example" in played.report["warnings"]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    ("asked", "reply"),
    [
        (SPOKEN, COPIED),
        ("How do magnets work?", "Magnets pull on iron because of their magnetic field."),
        ("Hi!", "Hello! How can I help you?"),
        ("Thank you.", "Done"),
        ("Thank you.", "Done: all is well."),
        ("Thank you.", "Well, done: example result."),
    ],
)
def test_what_a_model_may_say(asked, reply, size):
    """What somebody spoke of, what only begins like an example's answer, and a greeting are answers."""
    played = play(reply, order=order(asked), size=size)
    assert (played.message.text, len(played.requests)) == (reply, 1)


def test_without_examples_of_ours_nothing_is_copied():
    """A caller's own examples, and none at all, make no answer suspect."""
    own = (("Hi", "Done: example result."),)
    for examples in (False, own):
        played = play(COPIED, order=order("Thank you."), examples=examples)
        assert played.message.text == COPIED
