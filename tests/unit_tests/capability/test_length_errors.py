"""Errors that say "too long for my window", and those about other lengths."""

import pytest

from langchain_toolemu.capability import diagnose
from langchain_toolemu.capability.length_errors import is_too_long
from tests.tables import every_row
from tests.unit_tests.capability.length_texts import LOOK_ALIKES, TOO_LONG
from tests.unit_tests.capability.provider_errors import REFUSALS
from tests.unit_tests.capability.test_diagnosis import carriers


@every_row("answer", TOO_LONG)
def test_a_window_that_is_too_small_is_recognised(answer):
    """In whatever way a client passes the answer on; and it refuses nothing else."""
    for error in carriers(answer):
        assert is_too_long(error)
        assert diagnose(error) is None


@pytest.mark.parametrize("answer", LOOK_ALIKES, ids=lambda answer: answer.name)
def test_another_length_is_another_matter(answer):
    """Limits per minute, of the reply, of one string or of an array say nothing of the window."""
    assert [is_too_long(error) for error in carriers(answer)] == [False] * 4


@every_row("answer", REFUSALS)
def test_a_refusal_is_not_about_length(answer):
    """What refuses tools does not say that they are too many."""
    assert [is_too_long(error) for error in carriers(answer)] == [False] * 4


class ContextWindowExceededError(Exception):
    """LiteLLM's name for it."""


def test_the_class_says_it_too():
    """An error whose class is named so needs no words."""
    assert is_too_long(ContextWindowExceededError())
    assert not is_too_long(ValueError("prompt"))


def test_a_hostile_text_takes_no_time():
    """Patterns are bounded: a long text of the same words is looked through at once."""
    for words in ("prompt exceeds maximum ", "maximum context length is 9", "input token count ", "too many tokens "):  # fmt: skip
        assert is_too_long(ValueError(words * 10_000)) in (True, False)


def _words_in(body):
    """The longest text of an answer: what it says, without its codes."""
    texts = [body] if isinstance(body, str) else []
    inner = body.values() if isinstance(body, dict) else body if isinstance(body, list) else ()
    texts += [_words_in(part) for part in inner]
    return max(texts, key=len, default="")


@every_row("answer", TOO_LONG)
def test_the_words_are_enough(answer):
    """Gateways and clients lose codes and types: the sentence alone says it."""
    assert is_too_long(ValueError(_words_in(answer.body)))
