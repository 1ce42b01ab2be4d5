"""What a further reply of a turn says, where the one before it has said something."""

import pytest

from tests.unit_tests.turn.playing import play
from tests.weather import CALL

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
