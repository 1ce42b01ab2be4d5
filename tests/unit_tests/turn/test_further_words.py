"""What a further reply of a turn says, where the one before it has said something."""

import pytest

from tests.unit_tests.turn.playing import Known, Said, play
from tests.weather import CALL

HELLO = Said("Hello there.", usage=5)
DROPPED = {"mode": "fallback", "known": Known(usage_says="dropped")}
UNKNOWN = '{"name": "nope", "arguments": {}}'
SAID = f"Let me see.\n{UNKNOWN}"
SIZES = (None, 1, 7)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("first", [SAID, f"<think>Hm.</think>\n{UNKNOWN}"])
def test_an_answer_follows_what_was_said_first(first, size):
    """Where no call comes of a re-ask, the further words are the answer, and are not lost."""
    played = play(first, "It is sunny.", size=size)
    assert len(played.requests) == 2
    assert played.message.content == f"{first.removesuffix(UNKNOWN)}\n\nIt is sunny."


@pytest.mark.parametrize("size", SIZES)
def test_words_around_a_call_are_said_once(size):
    """A re-ask that brings the call brings no more words."""
    played = play(SAID, f"Sorry.\n{CALL}", size=size)
    assert played.message.content.strip() == "Let me see."
    assert [call["name"] for call in played.message.tool_calls] == ["get_weather"]


@pytest.mark.parametrize("size", SIZES)
def test_nothing_is_said_twice(size):
    """A model that only says again what it said adds nothing."""
    assert play(SAID, "Let me see.", size=size).message.content.strip() == "Let me see."


@pytest.mark.parametrize("size", SIZES)
def test_a_model_that_never_calls_right_says_its_last_words(size):
    """Of replies that all fail, the first and the last are heard."""
    played = play(SAID, f"Once more.\n{UNKNOWN}", f"I give up.\n{UNKNOWN}", size=size)
    assert played.message.content.split() == ["Let", "me", "see.", "I", "give", "up."]
    assert len(played.message.invalid_tool_calls) == 1


@pytest.mark.parametrize("size", SIZES)
def test_two_answers_are_not_one_message(size):
    """Words without a call are the answer: what a further reply says instead of a call is left out, and reported."""
    played = play(HELLO, "Done.", size=size, **DROPPED)
    assert len(played.requests) == 2
    assert played.message.content == "Hello there."
    assert any("dropped the text of a later reply (5 char" in one for one in played.report["warnings"])  # fmt: skip


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("first", ["", "  ", "<think>Hm.</think>"])
def test_an_answer_after_no_words_is_shown(first, size):
    """A first reply that says nothing leaves the answer to the further one."""
    played = play(Said(first, usage=5), "Done.", size=size, reasoning="blocks", **DROPPED)
    assert played.message.content == "Done."
    assert not [one for one in played.report["warnings"] if "further reply" in one]


@pytest.mark.parametrize("size", SIZES)
def test_a_call_follows_an_answer(size):
    """A further request adds its call to the words that were shown, and nothing is reported as left out."""
    played = play(HELLO, f"Sure.\n{CALL}", size=size, **DROPPED)
    assert played.message.content == "Hello there."
    assert [call["name"] for call in played.message.tool_calls] == ["get_weather"]
    assert not [one for one in played.report["warnings"] if "further reply" in one]


@pytest.mark.parametrize("size", SIZES)
def test_the_first_answer_stands_through_corrections(size):
    """Once an answer was shown, no later reply of the turn adds another."""
    played = play(HELLO, UNKNOWN, "Done.", size=size, **DROPPED)
    assert played.message.content == "Hello there."


@pytest.mark.parametrize("size", SIZES)
def test_words_before_a_native_call_that_failed_are_no_answer(size):
    """They announce a call that did not come: the further words are the answer."""
    cut = 'Let me see.\n<tool_call>{"name": "get_weather", "arguments": {"city": '
    played = play(Said(cut, finish="stop"), "It is sunny.", size=size, mode="fallback")
    assert played.message.content == "Let me see.\n\n\nIt is sunny."


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("second", ["<think>Hm.", "<think>Other.", "<think>Hm.</think>"])
def test_a_thought_that_never_ends_comes_once(second, size):
    """A check that only thinks adds nothing to a reply that only thought."""
    played = play("<think>Hm.", second, size=size, mode="fallback", reasoning="blocks")
    assert len(played.requests) == 2
    assert played.message.additional_kwargs == {"reasoning_content": "Hm."}
    assert played.message.content == ""
