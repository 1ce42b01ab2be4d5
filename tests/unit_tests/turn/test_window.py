"""A turn and the model's window: what is told of a contract that is too large, and what is kept if it does not fit."""

import pytest
from langchain_core.exceptions import ContextOverflowError
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage

from langchain_toolemu.turn.requests import opening_of
from tests.unit_tests.turn.playing import Known, Said, order, play
from tests.weather import CALL

TOO_LONG = Said(error=ValueError("the request exceeds the available context size, try increasing it"))  # fmt: skip
UNKNOWN_CALL = '{"name": "fly_home", "arguments": {}}'
BROKEN_CALL = '{"name": "get_weather", "arguments": {"city": '


# --- what is told ---


def test_a_small_window_is_told_once_a_turn():
    """However many requests a turn makes, what was left out is said once."""
    played = play("I have no tools.", CALL, window=480)
    assert len(played.requests) == 2
    (told,) = [one for one in played.report["warnings"] if "shortened" in one]
    assert told == "the contract was shortened to fit a window of 480 tokens: examples left out"


@pytest.mark.parametrize("window", [None, 100_000])
def test_where_it_fits_nothing_is_told(window):
    """An unknown or large window changes nothing."""
    played, plain = play("Hello.", window=window), play("Hello.")
    assert played.requests[0].messages == plain.requests[0].messages
    assert played.report["warnings"] == []


@pytest.mark.parametrize("flow", ["inline", "decision"])
def test_every_flow_is_shortened(flow):
    """A decision lists the tools too."""
    long = "Word after word. " * 40

    def tell(what: str) -> str:
        return what

    tell.__doc__ = long
    played = play("Hello.", order=order(tools=[tell]), flow=flow, window=300)
    assert long.strip() not in played.requests[0].messages[0].content
    assert "tell(what: string)" in played.requests[0].messages[0].content


# --- what does not fit ---


def is_overflow(error):
    """Whether it is the provider's error, of its own class and of LangChain's."""
    kinds = (ContextOverflowError, type(TOO_LONG.error))
    return all(isinstance(error, kind) for kind in kinds) and error.__cause__ is TOO_LONG.error


def test_a_contract_that_does_not_fit_is_explained():
    """The provider's error goes to the caller as LangChain's overflow, with a note; the log has it as a warning."""
    played = play(TOO_LONG)
    assert is_overflow(played.error)
    (warned,) = played.known.warned
    assert warned.startswith(
        "The request does not fit the context window: the contract of 3 tools is about"
    )
    assert "examples=False" in warned


def test_a_native_request_that_does_not_fit_is_not_ours():
    """Nothing of ours is in it."""
    played = play(TOO_LONG, mode="fallback")
    assert is_overflow(played.error)
    assert played.known.warned == []


def test_an_error_amid_a_reply_is_not_about_the_contract():
    """What came shows that the request fitted."""
    played = play(Said("Well, ", error=TOO_LONG.error), size=3)
    assert played.error is TOO_LONG.error
    assert played.known.warned == []


NATIVE = {
    "words": "The sky is blue.",
    "a call of no tool": UNKNOWN_CALL,
    "a refusal": "I have no tools to look at the sky.",
    "nothing": "",
    "a broken call after words": f"I will look. {BROKEN_CALL}",
}


@pytest.mark.parametrize("size", [None, 3])
@pytest.mark.parametrize("said", NATIVE.values(), ids=NATIVE)
def test_what_came_natively_is_kept(said, size):
    """Whatever was asked in text after a native reply: if that does not fit, the reply is the answer, to the letter."""
    played = play(Said(said), TOO_LONG, mode="fallback", size=size)
    assert len(played.requests) == 2
    assert played.error is None
    assert played.message.content == said
    assert (played.report["path"], played.message.tool_calls) == ("native", [])
    (told,) = [one for one in played.report["warnings"] if "kept" in one]
    assert "the contract of 3 tools is about" in told
    assert played.message.response_metadata["finish_reason"] == "stop"


def test_a_reask_after_a_check_may_not_fit_either():
    """An empty native reply is checked, and a bad call asked about; if that does not fit, the empty reply is kept."""
    played = play(Said(""), UNKNOWN_CALL, TOO_LONG, mode="fallback")
    assert len(played.requests) == 3
    assert (played.message.content, played.report["path"]) == ("", "native")


def test_a_demanded_call_is_not_given_up_in_silence():
    """Where a call must come, the native reply without one is no answer, unless the user takes it."""
    asked = order(choice="any")
    strict = play(Said("Hello."), TOO_LONG, order=asked, mode="fallback")
    assert is_overflow(strict.error)
    lenient = play(Said("Hello."), TOO_LONG, order=asked, mode="fallback", on_failure="continue")
    assert lenient.message.content == "Hello."


# --- what was cut ---


def test_a_cut_is_told():
    """The knowledge decides, by the tokens of that request alone; the user is told what helps."""
    played = play(Said("Hello.", usage=20), known=Known(cuts=True))
    assert played.known.counted == [(20, 0)]
    (told,) = played.report["warnings"]
    assert told.startswith("the server truncated the prompt: its 20 input tokens")
    assert played.known.warned == [told]


def test_a_turn_is_one_bill():
    """Re-asks say the same again, and a native request is another matter."""
    played = play(Said("I have no tools.", usage=20), Said(CALL, usage=30))
    assert played.known.counted == [(20, 0)]
    played = play(Said("Sky.", usage=100), Said("Sky.", usage=20), mode="fallback")
    assert played.known.counted == [(20, 0)]


def test_no_bill_says_nothing():
    """A server that counts nothing is not judged."""
    assert play("Hello.", known=Known(cuts=True)).known.counted == []


# --- the opening ---


@pytest.mark.parametrize(
    ("messages", "opening", "question"),
    [
        ([], 0, ""),
        ([HumanMessage("Hi"), AIMessage("Yes?"), HumanMessage("Go")], 1, "Hi"),
        ([SystemMessage("Be kind."), HumanMessage("Hi"), AIMessage("Yes?")], 2, "Hi"),
        ([AIMessage("Yes?")], 1, ""),
    ],
)
def test_how_a_conversation_opens(messages, opening, question):
    """All up to the user's first words."""
    texts, first = opening_of(messages)
    assert (len(texts), first) == (opening, question)
