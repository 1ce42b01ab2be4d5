"""What a further reply of a turn says, where the one before it has said something."""

import pytest

from tests.scripted_turns import Said, play
from tests.tables import every_row
from tests.unit_tests.turn.test_after_native import DROPPED
from tests.weather import CALL, PARIS

UNKNOWN = '{"name": "nope", "arguments": {}}'
SEE = f"Let me see.\n{UNKNOWN}"
THOUGHT = f"<think>Hm.</think>\n{UNKNOWN}"
CUT = f"Let me see.\n<tool_call>{CALL[:40]}"
HELLO = Said("Hello there.", tokens=DROPPED)  # its server dropped the tools
SUNNY, NATIVELY = "It is sunny.", {"mode": "fallback"}
APART = {**NATIVELY, "reasoning": "blocks"}

# The replies, how they are asked for; the words of the message, its calls, and what is told of words that were left out.
TABLE = [
    ("an answer follows what was said first", [SEE, SUNNY], {}, f"Let me see.\n\n\n{SUNNY}", [], []),
    ("or thought first", [THOUGHT, SUNNY], {}, f"<think>Hm.</think>\n\n\n{SUNNY}", [], []),
    ("words around a call are said once", [SEE, f"Sorry.\n{CALL}"], {}, "Let me see.\n", PARIS, []),
    ("nothing is said twice", [SEE, "Let me see."], {}, "Let me see.\n", [], []),
    ("of replies that all fail, the first and the last are heard", [SEE, *[f"Once more.\n{UNKNOWN}"] * 2, f"I give up.\n{UNKNOWN}"], {}, "Let me see.\n\n\nI give up.\n", [], []),
    ("two answers are not one message", [HELLO, "Done."], NATIVELY, "Hello there.", [], ["dropped the text of a later reply (5 characters): the text of the first one was already shown"]),
    ("an answer after no words is shown", [Said("", tokens=DROPPED), "Done."], APART, "Done.", [], []),
    ("after white space", [Said("  ", tokens=DROPPED), "Done."], APART, "Done.", [], []),
    ("after a thought", [Said("<think>Hm.</think>", tokens=DROPPED), "Done."], APART, "Done.", [], []),
    ("a call follows an answer", [HELLO, f"Sure.\n{CALL}"], NATIVELY, "Hello there.", PARIS, []),
    ("the first answer stands through corrections", [HELLO, UNKNOWN, "Done."], NATIVELY, "Hello there.", [], None),
    ("words before a native call that failed are no answer", [CUT, SUNNY], NATIVELY, f"Let me see.\n\n\n{SUNNY}", [], []),
]  # fmt: skip


@pytest.mark.parametrize("streamed", [False, True])
@every_row(("case", "replies", "terms", "content", "calls", "left_out"), TABLE)
def test_what_is_said_after_what_was_said(case, replies, terms, content, calls, left_out, streamed):
    """Words that were shown stand, an answer is not lost, and none is said twice."""
    turn = play(*replies, **terms, streamed=streamed)
    assert (turn.message.content, turn.calls) == (content, calls)
    told = [one for one in turn.warnings if "later reply" in one]
    assert left_out in (None, told)
    assert len(turn.requests) == len(replies)


@pytest.mark.parametrize("streamed", [False, True])
@every_row("second", ["<think>Hm.", "<think>Other.", "<think>Hm.</think>"])
def test_a_thought_that_never_ends_comes_once(second, streamed):
    """A check that only thinks adds nothing to a reply that only thought."""
    turn = play("<think>Hm.", second, **APART, streamed=streamed)
    assert len(turn.requests) == 2
    assert turn.message.additional_kwargs == {"reasoning_content": "Hm."}
    assert turn.message.content == ""


def test_a_model_that_never_calls_right_has_one_invalid_call():
    """The last of those that failed."""
    turn = play(SEE, *[f"Once more.\n{UNKNOWN}"] * 2, f"I give up.\n{UNKNOWN}")
    assert [call["name"] for call in turn.message.invalid_tool_calls] == ["nope"]
