"""Answers of the contract's own examples, which a small model repeats: they are never shown."""

import pytest
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage

from tests.tables import every_row
from tests.unit_tests.turn.playing import order, play

COPIED = "Here is the result: example result."
RESULT = [
    HumanMessage("What is the weather in Paris?"),
    AIMessage("", tool_calls=[{"name": "get_weather", "args": {"city": "Paris"}, "id": "1"}]),
    ToolMessage("18 degrees", tool_call_id="1"),
]
SPOKEN = [*RESULT, HumanMessage("Say: example result.")]
SIZES = (None, 1, 3, 7)


@every_row("size", SIZES)
@every_row(
    "reply", [COPIED, f"\n{COPIED}", f"{COPIED} Is there anything else?", "Magnets pull on iron because of their magnetic field."]
)  # fmt: skip
@pytest.mark.parametrize("asked", ["Thank you.", RESULT], ids=["talk", "after a result"])
def test_it_is_not_handed_out(asked, reply, size):
    """The model is asked once more, without examples, and the metadata say so."""
    played = play(reply, "It is mild.", order=order(asked), size=size)
    assert played.message.text == "It is mild."
    assert [stage.phase for stage in played.stages] == ["call", "answer"]
    assert "dropped an answer copied from an example" in played.report["warnings"]


@every_row("size", SIZES)
@every_row(
    ("asked", "reply"),
    [
        (SPOKEN, COPIED),
        ("How do magnets work?", "Magnets pull on iron because of their magnetic field."),
        ("Hi!", "Hello! How can I help you?"),
        ("Thank you.", "Here is"),
        ("Thank you.", "Here is the result: all is well."),
        ("Thank you.", "Well, here is the result: example result."),
    ],
)
def test_what_a_model_may_say(asked, reply, size):
    """What somebody spoke of, what only begins like an example's answer, and a greeting are answers."""
    played = play(reply, order=order(asked), size=size)
    assert (played.message.text, len(played.requests)) == (reply, 1)


def test_without_examples_of_ours_nothing_is_copied():
    """A caller's own examples, and none at all, make no answer suspect."""
    own = (("Hi", COPIED),)
    for examples in (False, own):
        played = play(COPIED, order=order("Thank you."), examples=examples)
        assert played.message.text == COPIED


@pytest.mark.parametrize("size", [None, 1, 3, 7])
@pytest.mark.parametrize(
    "words",
    ["My name is Zorbel.", "Sure! The weather in Quimfa is clear and sunny today. Anything else?"],
)
def test_an_opening_with_a_word_of_an_example_is_nobodys_answer(words, size):
    """A small model takes the examples for what was said: it is asked without them, and nothing of it is shown."""
    played = play(words, "I am Qwen.", order=order("Who are you?"), size=size, is_small=True)
    assert (played.message.text, len(played.requests)) == ("I am Qwen.", 2)
    assert "Zorbel" not in str(played.requests[-1].messages)


@every_row("size", [None, 1, 3, 7])
@every_row(
    ("words", "question"),
    [
        ("Zorbel is a nice name.", "Do you like the name Zorbel?"),
        ("<think>Zorbel was only an example.</think>I am Qwen.", "Who are you?"),
        ("[THINK]Zorbel was only an example.[/THINK]I am Qwen.", "Who are you?"),
        ("This is a sentence that is long enough to be shown. Zorbel!", "Who are you?"),
        ("  \n It is an answer of nothing but words. " * 20, "Who are you?"),
        ("\n" * 200 + "Hello.", "Who are you?"),
    ],
)
def test_other_answers_of_a_small_model_are_shown(words, question, size):
    """A word that the user said, or one far behind the opening, takes nothing back."""
    played = play(words, order=order(question), size=size, is_small=True)
    assert (played.message.text, len(played.requests)) == (words, 1)


def test_the_words_of_a_small_model_are_shown_sentence_by_sentence_at_first():
    """Only the opening is held: what follows comes as it is written."""
    words = "The first sentence has about fifty characters here. " + "And so on, and on. " * 5
    played = play(words, order=order("Who are you?"), size=4, is_small=True)
    shown = [chunk.message.text for chunk in played.chunks if chunk.message.text]
    assert len(shown[0]) <= 60
    assert len(shown) > 10
