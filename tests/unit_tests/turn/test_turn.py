"""A turn without I/O: what is sent, what is shown, and that it can only be driven in order."""

import gc
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from langchain_toolemu.contract.dialects import JSON
from langchain_toolemu.errors import TurnOrderError
from langchain_toolemu.turn.turn import Turn
from langchain_toolemu.turn.turn_input import Settings
from tests.essence import calls
from tests.tables import every_row
from tests.thoroughness import examples
from tests.unit_tests.turn.playing import Known, Said, order, play
from tests.weather import CALL, PARIS

SUM = '{"name": "sum_up", "arguments": {"a": 1, "b": 2}}'
LONG = '{"name": "write_file", "arguments": {"path": "a", "content": "' + "word " * 100 + '"}}'
REPLIES = {
    "prose": "The sky is blue.",
    "prose with odd space": "\n  The sky\n\nis blue. \n",
    "a call": CALL,
    "a call with space around it": f"\n\n{CALL}\n",
    "prose, then a call": f"Let me look.\n{CALL}",
    "a call, then prose": f"{CALL}\nThat should do.",
    "two calls with prose between": f"One.\n{CALL}\nTwo.\n{CALL.replace('Paris', 'Rome')}\nThree.",
    "a fenced call": f"```json\n{CALL}\n```",
    "a tagged call": f"<tool_call>\n{CALL}\n</tool_call>",
    "a long call": LONG,
    "a long call that is cut": Said(LONG[:-30], finish="length"),
    "a JSON answer": '{"temperature": 20, "unit": "C"}',
    "a call of a tool that is not bound": CALL.replace("get_weather", "get_time"),
    "a call of the other tool": SUM,
    "a cut call": Said(CALL[:-12], finish="length"),
    "an unreadable call": '<tool_call>{"name": "get_weather", "arguments": {"city" "Paris" ]]</tool_call>',
    "arguments that do not fit": SUM.replace("1", '"one"'),
    "nothing": "",
    "only space": " \n ",
    "cut prose": Said("The sky is", finish="length"),
    "thoughts": f"<think>Maybe {CALL}</think>Done.",
    "a refusal": "I'm sorry, but I do not have access to tools.",
    "a refusal on principle": Said("No.", finish="content_filter"),
    "unicode": "Grüße, 世界 🌍: " + CALL.replace("Paris", "Zürich 🏔"),
    "a native call": Said(calls=PARIS),
    "native prose and two calls": Said("Let me look.", [*PARIS, ("sum_up", {"a": 1, "b": 2})]),
    "a native call next to its own text": Said(f"<tool_call>{CALL}</tool_call>", PARIS),
    "the end of a call without one": Said("Let me look.", finish="tool_calls"),
}
CHOICES = ["auto", "none", "any", "get_weather"]
# In mode force what is known of native tools changes nothing.
KNOWN = [
    ("force", "unknown"),
    *(("fallback", verdict) for verdict in ("unknown", "native", "none")),
]


@pytest.mark.pairwise
@pytest.mark.parametrize(("mode", "verdict"), KNOWN)
@pytest.mark.parametrize("choice", CHOICES)
@pytest.mark.parametrize("reply", REPLIES)
def test_pieces_give_the_message_of_the_whole(reply, choice, mode, verdict):
    """Whatever the reply, the choice, the mode and the verdict: pieces of any size add up to one message."""
    said, asked = REPLIES[reply], order(choice=choice)
    options = {"mode": mode, "on_failure": "continue", "order": asked}
    whole = play(said, known=Known(verdict), **options)
    for size in (2, 7):
        streamed = play(said, known=Known(verdict), size=size, **options)
        assert streamed.essence == whole.essence
        assert streamed.requests == whole.requests
        assert streamed.known == whole.known


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("first", REPLIES)
@pytest.mark.parametrize("second", ["a call", "prose", "a refusal", "a cut call"])
def test_pieces_give_the_message_of_the_whole_after_a_reask(first, second):
    """The same holds where a further reply follows the first."""
    said = [REPLIES[first], REPLIES[second]]
    whole = play(*said, on_failure="continue")
    streamed = play(*said, on_failure="continue", size=3)
    assert (streamed.essence, streamed.requests) == (whole.essence, whole.requests)


@given(
    text=st.lists(
        st.sampled_from(
            [*(t for t in REPLIES.values() if isinstance(t, str)), "\n", "```", "{", "<tool_"]
        ),
        max_size=4,
    ).map("".join),
    cuts=st.lists(st.integers(0, 300), max_size=12),
)
@settings(max_examples=examples(300), deadline=None)
def test_any_chunking_gives_the_message_of_the_whole(text, cuts):
    """However a reply is cut into pieces, they add up to the message of the whole."""
    edges = [0, *sorted(min(cut, len(text)) for cut in cuts), len(text)]

    class Cut(Said):
        def pieces(self, size):
            last = super().pieces(10**9)[-1]
            chunk = type(last.message)
            texts = [text[start:stop] for start, stop in pairwise(edges)]
            return [*(type(last)(message=chunk(piece)) for piece in texts), last]

    assert play(Cut(text), size=1, max_reasks=0).essence == play(text, max_reasks=0).essence


# What is sent, by mode and by what is known: whether the tools go natively, and in text.
SENT = [
    ("force", Known(), "auto", ["text"]),
    ("force", Known("native"), "auto", ["text"]),
    ("fallback", Known("native"), "auto", ["native"]),
    ("fallback", Known("none"), "auto", ["text"]),
    ("fallback", Known(), "auto", ["native", "text"]),
    ("fallback", Known(wants_check=False), "auto", ["native"]),
    ("fallback", Known(refused=("tool_choice",)), "any", ["text"] * 3),
    ("fallback", Known("native"), "any", ["native", *["text"] * 3]),
    ("fallback", Known(), "none", ["native"]),
]


@every_row(("mode", "known", "choice", "sent"), SENT)
def test_who_is_asked_how(mode, known, choice, sent):
    """A model is asked natively where that may work, and in text where it may not or did not."""
    played = play(
        "The sky is blue.",
        mode=mode,
        known=known,
        order=order(choice=choice),
        on_failure="continue",
    )
    ways = ["native" if "tools" in request.kwargs else "text" for request in played.requests]
    assert ways == sent


def test_a_native_order_is_sent_as_it_came():
    """The messages are the caller's own objects, and the tools as the wrapped model bound them."""
    asked = order()
    (request,) = play(Said(calls=PARIS), mode="fallback", order=asked).requests
    assert all(sent is given for sent, given in zip(request.messages, asked.messages, strict=True))
    assert request.kwargs["tools"] is asked.native["tools"]


def test_a_reask_shows_the_failed_reply_and_what_is_wrong_with_it():
    """The model sees its own words again, and after them the correction."""
    played = play(SUM.replace("1", '"one"'), SUM)
    assert calls(played.message) == [("sum_up", {"a": 1, "b": 2})]
    failed, correction = played.requests[1].messages[-2:]
    assert failed.content == SUM.replace("1", '"one"')
    assert "Your call of sum_up does not fit" in correction.content


# A driver's calls out of order: what is done, and what the error says.
OUT_OF_ORDER = {
    "feed before ask": (["feed"], "ask"),
    "end before ask": (["end"], "ask"),
    "fail before ask": (["fail"], "ask"),
    "close before ask": (["close"], "ask"),
    "ask twice": (["ask", "ask"], "reply"),
    "close while a reply comes": (["ask", "close"], "reply"),
    "feed after the end": (["ask", "feed", "end", "feed"], "done"),
    "end twice": (["ask", "feed", "end", "end"], "done"),
}


@every_row("steps", OUT_OF_ORDER)
def test_a_call_out_of_order_is_an_error(steps):
    """A turn says what it waits for, instead of doing something that nobody can explain."""
    done, state = OUT_OF_ORDER[steps]
    turn = Turn(order(), Settings("force", JSON), Known())
    arguments = {"feed": [Said("Hello.").pieces(10)[0]], "fail": [ValueError("no")]}
    for step in done[:-1]:
        getattr(turn, step)(*arguments.get(step, ()))
    with pytest.raises(TurnOrderError, match=f"The turn is at {state!r}"):
        getattr(turn, done[-1])(*arguments.get(done[-1], ()))


def test_a_turn_that_is_done_asks_for_nothing():
    """A driver's loop ends by asking."""
    turn = Turn(order(), Settings("force", JSON), Known())
    assert turn.ask() is not None
    turn.feed(Said("Hello.").pieces(10)[0])
    turn.end()
    assert turn.ask() is None


def test_a_turn_returns_what_it_learned_and_writes_nothing():
    """Lessons are handed out after each step, and what is known of the model is only read."""
    known = Known()
    turn = Turn(order(choice="any"), Settings("fallback", JSON), known)
    turn.ask()
    for piece in Said(calls=PARIS).pieces(10):
        turn.read(piece)
    turn.end_reply()
    assert turn._lessons == ["native_call", "demanded_call"]
    turn.decide()
    assert (turn.path, known.learned) == ("native", [])


def test_what_follows_is_decided_after_the_reply_has_ended():
    """A rule sees what was learned from the reply: the lessons are taken between its end and the decision."""
    turn = Turn(order(), Settings("force", JSON), Known())
    turn.ask()
    with pytest.raises(TurnOrderError, match="at 'reply', not at 'decide'"):
        turn.decide()


@pytest.mark.parametrize("mode", ["force", "fallback"])
@pytest.mark.parametrize("size", [None, 7], ids=["whole", "in pieces"])
def test_a_turn_leaves_no_reference_cycle(mode, size):
    """What a turn has made is freed when it is over, without the garbage collector, however many replies it took."""
    left = {}
    for reply in REPLIES.values():
        play(reply, mode=mode, size=size)
    gc.collect()
    gc.freeze()  # only what is made from here on is looked through; what was collected is frozen, too
    gc.disable()
    try:
        for name, reply in REPLIES.items():
            play(reply, mode=mode, size=size)
            left[name] = gc.collect()
    finally:
        gc.enable()
    assert left == dict.fromkeys(REPLIES, 0)
