"""The reasoning of past messages: where it is found, left out and filled in; thoughts taken out of a text."""

import copy
from functools import reduce
from operator import add

import pytest
from langchain_core.messages import (
    AIMessage,
    AIMessageChunk,
    HumanMessage,
    message_chunk_to_message,
)

from langchain_toolemu.messages.past_reasoning import (
    has_lost_reasoning,
    prepare_reasoning,
    reasoning_fields,
    reasoning_of,
    without_thoughts,
)
from tests.tables import every_row

CALL = {"name": "f", "args": {}, "id": "c1"}
NEXT_TO_IT = AIMessage("Hi.", additional_kwargs={"reasoning_content": "Hm.", "refusal": None})
OTHER_NAME = AIMessage("Hi.", additional_kwargs={"reasoning": "Hm."})
IN_BLOCKS = AIMessage([{"type": "reasoning", "reasoning": "Hm."}, {"type": "text", "text": "Hi."}])
ANTHROPICS = AIMessage([{"type": "thinking", "thinking": "A", "signature": "s"}, {"type": "thinking", "thinking": "B"}])  # fmt: skip
NONE = AIMessage("Hi.", additional_kwargs={"reasoning_content": ""})
# A message, its reasoning, and what is sent of it where it is left out, sent, or filled in.
MESSAGES = [
    (NEXT_TO_IT, {"reasoning_content": "Hm."}, {}, {"reasoning_content": "Hm."}, {"reasoning_content": "Hm."}),
    (OTHER_NAME, {"reasoning": "Hm."}, {}, {"reasoning": "Hm."}, {"reasoning_content": "Hm."}),
    (IN_BLOCKS, {"reasoning_content": "Hm."}, {}, {"reasoning_content": "Hm."}, {"reasoning_content": "Hm."}),
    (ANTHROPICS, {"reasoning_content": "A\n\nB"}, {}, {"reasoning_content": "A\n\nB"}, {"reasoning_content": "A\n\nB"}),
    (NONE, {}, {}, {"reasoning_content": ""}, {"reasoning_content": ""}),
    (AIMessage("Hi."), {}, {}, {}, {"reasoning_content": ""}),
]  # fmt: skip


@every_row(("message", "found", "left_out", "sent", "filled"), MESSAGES)
def test_a_message_is_sent_with_or_without_its_reasoning(message, found, left_out, sent, filled):
    """What is sent is a copy, its other fields stay, and the message itself is never changed."""
    before = copy.deepcopy(message)
    assert reasoning_of(message) == found
    for treatment, fields in (("leave_out", left_out), ("send", sent), ("fill", filled)):
        (prepared,) = prepare_reasoning([message], treatment)
        assert reasoning_fields(prepared) == fields
        assert (prepared.content, prepared.tool_calls) == (message.content, message.tool_calls)
        assert ("refusal" in prepared.additional_kwargs) == (message is NEXT_TO_IT)
    assert prepare_reasoning([message], "as_is")[0] is message
    assert message == before


def test_only_assistants_have_reasoning():
    """A user's message is passed on as the object it came as."""
    said = HumanMessage("Hi", additional_kwargs={"reasoning_content": "x"})
    for treatment in ("as_is", "leave_out", "send", "fill"):
        assert prepare_reasoning([said], treatment)[0] is said
    assert reasoning_fields(said) == {}


@pytest.mark.parametrize(
    ("messages", "lost"),
    [
        ([], False),
        ([AIMessage("Hi.")], False),
        ([AIMessage("", tool_calls=[CALL])], True),
        ([AIMessage("", tool_calls=[CALL], additional_kwargs={"reasoning": "Hm."})], False),
        ([AIMessage("", tool_calls=[CALL]), AIMessage("Hi.")], True),
    ],
)
def test_the_last_call_shows_whether_reasoning_is_lost(messages, lost):
    """Only calls must come with their reasoning, and the last one was made by the client that is used now."""
    assert has_lost_reasoning(messages) is lost


@every_row(
    ("text", "left"),
    [
        ("<think>Hm.</think>\n\nHi.", "Hi."),
        ("One. <think>Hm.</think> Two.", "One.  Two."),
        ("<think>Hm.", ""),
        ("[THINK]Hm.[/THINK]Hi.", "Hi."),
        ("<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>Hi.", "Hi."),
        ("analysisHm.assistantfinalHi.", "Hi."),
        ("The `<think>` tag opens it.", "The `<think>` tag opens it."),
        ("  1 < 2 and [a]  ", "  1 < 2 and [a]  "),
        ("  Hi.  ", "  Hi.  "),
    ],
)  # fmt: skip
def test_a_text_without_its_thoughts(text, left):
    """Thoughts go with their marks, and a text without one is left to the letter."""
    assert without_thoughts(text) == left


def test_details_go_back_as_they_came():
    """A list of details keeps its ids and signatures, and its format is said once, however many pieces it came in."""
    detail = {"type": "reasoning.text", "id": "r1", "format": "MiniMax-response-v1", "index": 0}
    pieces = [AIMessageChunk("", additional_kwargs={"reasoning_details": [{**detail, "text": text}]}) for text in "abcd"]  # fmt: skip
    message = message_chunk_to_message(reduce(add, pieces))
    for treatment in ("as_is", "send", "fill"):
        (prepared,) = prepare_reasoning([message], treatment)
        assert reasoning_fields(prepared)["reasoning_details"] == [{**detail, "text": "abcd"}]
    assert reasoning_fields(prepare_reasoning([message], "leave_out")[0]) == {}
