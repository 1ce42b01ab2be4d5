"""Calls that must not run, in streams and in messages."""

import json
import pickle
from functools import reduce
from operator import add

from hypothesis import example, given, settings
from hypothesis import strategies as st
from langchain_core.load import dumpd, load
from langchain_core.messages import (
    AIMessage,
    AIMessageChunk,
    ToolMessage,
    message_chunk_to_message,
)
from langchain_core.outputs import ChatGenerationChunk
from langchain_core.outputs.chat_generation import merge_chat_generation_chunks

from langchain_toolemu.messages.chunks import Chunker, LastChunk, sum_of, with_reasons
from langchain_toolemu.messages.content import Delta
from langchain_toolemu.messages.past_calls import without_invalid_calls
from langchain_toolemu.messages.tool_calls import make_unreadable, own_text, reason_with_length
from langchain_toolemu.reader.events import BadCall, Call, CallsDisowned
from tests.tables import every_row


def bad(raw, detail="the reply ends inside it"):
    return BadCall("f", raw, envelope="json", explicit=True, reason="cut", detail=detail)


def call(args):
    return Call(name="f", args=args, raw="", envelope="json", explicit=False)


@example('\\"]]}"]]')
@given(st.text(max_size=40) | st.sampled_from(['{"a": "b', '{"a": 1}', "{", "", '{"a": "\\\\']))
@settings(deadline=None)
def test_what_is_broken_cannot_be_read_and_loses_nothing(text):
    """LangChain's lenient reader makes no arguments of it, and the model's own text comes out of it again."""
    written = make_unreadable(text)
    assert not read(written)
    assert own_text(written) == text


def read(args):
    """The call that LangChain makes of arguments."""
    chunk = {"name": "f", "args": args, "id": "1", "index": 0}
    return AIMessageChunk("", tool_call_chunks=[chunk]).tool_calls


def test_a_long_text_is_cut_and_the_reason_says_so():
    """The first 2,000 characters are the model's own, and nothing is added to them."""
    text = "x" * 5_000
    assert own_text(make_unreadable(text)) == text[:2000]
    assert reason_with_length("it is odd", text) == (
        "it is odd (the first 2000 of 5000 characters are shown)"
    )
    assert reason_with_length("it is odd", "x") == "it is odd"


NATIVE = {"name": "g", "args": '{"x": ', "id": "1", "index": 0}
TURNS = {
    "one that was cut": ([bad('{"a": "b')], None, [('{"a": "b', "the reply ends inside it")]),
    "one between two that run": (
        [call({"x": 1}), bad('{"a', "no"), call({"x": 2})],
        None,
        [('{"a', "no")],
    ),
    "one that was shown and never ended": (
        [Delta("f", '{"a": "b', opens=True), Delta("f", "", ends=bad("raw", "it ends"))],
        None,
        [('{"a": "b', "it ends")],
    ),
    "one that was only thought": (
        [call({"x": 1}), CallsDisowned()],
        None,
        [('{"x": 1}', "it is in a thought")],
    ),
    "a provider's": ([], NATIVE, [('{"x": ', "its arguments are no whole JSON object")]),
    "a provider's that is no object": (
        [],
        {**NATIVE, "args": "[1]"},
        [("[1]", "its arguments are no whole JSON object")],
    ),
    "a provider's without a place": (
        [],
        {**NATIVE, "index": None},
        [('{"x": ', "its arguments are no whole JSON object")],
    ),
    "two": ([bad("{", "one"), bad("{{", "two")], None, [("{", "one"), ("{{", "two")]),
}


def shown(case):
    parts, native, _ = TURNS[case]
    chunker = Chunker()
    carrying = AIMessageChunk("", tool_call_chunks=[native]) if native else None
    chunks = chunker.chunks(parts, carrying, {}) + chunker.broken_calls()
    return [*chunks, chunker.closing({"toolemu": {"path": "emulated"}}, {}, None)]


@every_row("case", TURNS)
def test_every_sum_says_what_the_model_wrote_and_why_it_cannot_run(case):
    """Whole, or added up one by one, the invalid calls are the same; none of them has become a call."""
    expected = TURNS[case][2]
    chunks = shown(case)
    whole = sum_of(chunks).message
    summed = reduce(add, [chunk.message for chunk in chunks])
    for message in (whole, summed, message_chunk_to_message(summed)):
        assert [(one["args"], one["error"]) for one in message.invalid_tool_calls] == expected
        assert len(message.tool_calls) == (2 if "between" in case else 0)
    assert type(whole) is AIMessage
    assert type(summed) is AIMessageChunk


@every_row("case", TURNS)
def test_callbacks_are_told_what_the_model_wrote_and_why_it_cannot_run(case):
    """LangChain adds the chunks of a stream as a list for them; what comes out is a chunk as any other."""
    merged = merge_chat_generation_chunks(shown(case))
    told = [(one["args"], one["error"]) for one in merged.message.invalid_tool_calls]
    assert told == TURNS[case][2]
    assert len(merged.message.tool_calls) == (2 if "between" in case else 0)
    assert (type(merged), type(merged.message)) == (ChatGenerationChunk, AIMessageChunk)


@every_row("case", TURNS)
def test_chunks_that_are_added_as_a_list_hold_no_call_either(case):
    """A list of messages is added without asking its last one: the calls cannot run, and the report still says why."""
    first, *more = [chunk.message for chunk in shown(case)]
    summed = first + more
    assert len(summed.tool_calls) == (2 if "between" in case else 0)
    told = [(one["args"], one["error"]) for one in with_reasons(summed).invalid_tool_calls]
    assert told == TURNS[case][2]


def test_a_message_that_was_changed_since_keeps_its_calls():
    """Reasons are entered only where there is one for each call; texts are the model's own all the same."""
    message = sum_of(shown("two")).message
    fewer = message.model_copy(update={"invalid_tool_calls": message.invalid_tool_calls[:1]})
    assert with_reasons(fewer).invalid_tool_calls == fewer.invalid_tool_calls
    assert with_reasons(AIMessage("Hi")) == AIMessage("Hi")


def test_blocks_hold_the_models_own_text_too():
    """In OpenAI's blocks and in the standard ones no character is there that nobody wrote."""
    for metadata, kind in (
        ({"model_provider": "openai"}, "function_call"),
        ({"output_version": "v1"}, "invalid_tool_call"),
    ):
        chunker = Chunker()
        chunks = chunker.chunks([bad('{"a": "b', "no")], AIMessageChunk([]), metadata)
        closing = chunker.closing({**metadata, "toolemu": {}}, {}, None)
        (block,) = sum_of([*chunks, closing]).message.content
        assert block["type"] == kind
        assert block.get("arguments", block.get("args")) == '{"a": "b'


def test_the_last_chunk_is_a_chunk_like_any_other():
    """It is pickled, dumped and loaded as what LangChain knows."""
    *_, last = shown("two")
    assert type(last.message) is LastChunk
    assert pickle.loads(pickle.dumps(last.message)) == last.message
    assert type(load(dumpd(last.message), allowed_objects="messages")) is AIMessageChunk


def test_a_shown_chunk_is_a_chunk_like_any_other():
    """It is pickled and dumped as what LangChain knows, and what it shows is a plain message."""
    first, *_ = shown("two")
    assert pickle.loads(pickle.dumps(first)) == first
    assert dumpd(first) == dumpd(ChatGenerationChunk(message=first.message))
    assert type(first.message) is AIMessageChunk


def test_where_every_call_can_run_the_last_chunk_is_a_plain_one():
    """Nothing is reported, either."""
    chunker = Chunker()
    chunker.chunks([call({"x": 1})], None, {})
    last = chunker.closing({"toolemu": {}}, {}, None).message
    assert type(last) is AIMessageChunk
    assert last.response_metadata == {"toolemu": {}}


@every_row("args", ['{"a": "b', "a=1", "[1]", "", '{"a": NaN}', "[" * 100_000])
def test_an_answered_call_that_never_ran_is_sent_as_json(args):
    """An agent answers such a call with an error and sends it back, and servers read the arguments of a history."""
    call = {"name": "f", "args": args, "id": "1", "error": "cut", "type": "invalid_tool_call"}
    history = [AIMessage("", invalid_tool_calls=[call]), ToolMessage("Error", tool_call_id="1")]
    sent = without_invalid_calls(history)
    assert json.loads(sent[0].invalid_tool_calls[0]["args"]) == {"unreadable": args}
    assert sent[1] is history[1]


def test_an_answered_call_that_can_be_read_is_sent_as_it_is():
    """It may have been refused for another reason."""
    call = {"name": "f", "args": '{"a": 1}', "id": "1", "error": "x", "type": "invalid_tool_call"}
    sent = without_invalid_calls(
        [AIMessage("", invalid_tool_calls=[call]), ToolMessage("Error", tool_call_id="1")]
    )
    assert sent[0].invalid_tool_calls == [call]
