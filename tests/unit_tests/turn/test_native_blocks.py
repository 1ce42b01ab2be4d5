"""Native calls in messages with content blocks: repaired, broken and asked again, they are what their provider takes."""

import json
from dataclasses import dataclass
from typing import Any

import pytest
from langchain_anthropic import ChatAnthropic
from langchain_core.messages import (
    AIMessage,
    AIMessageChunk,
    HumanMessage,
    ToolMessage,
    message_chunk_to_message,
)
from langchain_core.messages.tool import tool_call_chunk
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_openai import ChatOpenAI

from langchain_toolemu.messages.past_calls import without_invalid_calls
from tests.unit_tests.turn.playing import Known, Said, order, play

SHAPES = ["anthropic", "anthropic v1", "responses", "responses v1"]
GOOD, SUM = ("get_weather", '{"city": "Paris"}'), ("sum_up", '{"a": "1", "b": 2}')


@dataclass(frozen=True)
class InBlocks(Said):
    """A thought, words and calls, as blocks of a shape."""

    shape: str = "anthropic"
    made: tuple[tuple[str, str], ...] = ()

    def pieces(self, size: int) -> list[ChatGenerationChunk]:
        messages = [([self._thought(index=0)], []), ([self._words("Look ")], [])]
        messages.append(([self._words("here.")], []))
        for index, (name, args) in enumerate(self.made, 2):
            texts = (args[start : start + size] for start in range(0, len(args), size))
            first = tool_call_chunk(name=name, args="", id=f"call_{index}", index=index)
            rest = (tool_call_chunk(name=None, args=one, id=None, index=index) for one in texts)
            messages += [([self._call(piece)], [piece]) for piece in (first, *rest)]
        messages.append(([], []))
        return [ChatGenerationChunk(message=self._message(*one)) for one in messages]

    def whole(self) -> ChatResult:
        calls = [
            {"name": name, "args": json.loads(args), "id": f"call_{index}", "type": "tool_call"}
            for index, (name, args) in enumerate(self.made, 2)
        ]
        content: list[Any] = [self._thought(), {"type": "text", "text": "Look here."}]
        content += [self._whole_call(call) for call in calls]
        message = AIMessage(content, tool_calls=calls, response_metadata=self._metadata())
        return ChatResult(generations=[ChatGeneration(message=message)])

    @property
    def is_standard(self) -> bool:
        return self.shape.endswith("v1")

    def _metadata(self):
        by = "anthropic" if "anthropic" in self.shape else "openai"
        version = {"anthropic": {}, "responses": {"output_version": "responses/v1"}}
        return {"model_provider": by, **version.get(self.shape, {"output_version": "v1"})}

    def _message(self, content, pieces):
        return AIMessageChunk(
            content, tool_call_chunks=pieces, response_metadata=self._metadata(), id="reply"
        )

    def _thought(self, **where):
        if self.is_standard:
            return {
                "type": "reasoning",
                "reasoning": "Hm.",
                "extras": {"signature": "sig"},
                **where,
            }
        if self.shape == "anthropic":
            return {"type": "thinking", "thinking": "Hm.", "signature": "sig", **where}
        return {"type": "reasoning", "id": "rs", "summary": [], "encrypted_content": "sig", **where}

    def _words(self, text):
        return {"type": "text", "text": text, "index": 1}

    def _call(self, piece):
        opens, index = piece["id"] is not None, piece["index"]
        if self.is_standard:
            named = f"lc_tc_{index}" if "responses" in self.shape else index
            return {**piece, "index": named}
        if self.shape == "responses":
            named = {"name": piece["name"], "call_id": piece["id"], "id": "fc"} if opens else {}
            return {"type": "function_call", "arguments": piece["args"], "index": index, **named}
        if opens:
            named = {"id": piece["id"], "name": piece["name"], "input": {}}
            return {"type": "tool_use", "index": index, **named}
        return {"type": "input_json_delta", "partial_json": piece["args"], "index": index}

    def _whole_call(self, call):
        if self.is_standard:
            return dict(call)
        if self.shape == "responses":
            text = json.dumps(call["args"])
            return {
                "type": "function_call",
                "name": call["name"],
                "arguments": text,
                "call_id": call["id"],
            }
        return {"type": "tool_use", "name": call["name"], "input": call["args"], "id": call["id"]}


def ask(shape, *made, size=5, then="It is sunny."):
    reply = InBlocks(shape=shape, made=made)
    return play(reply, then, order=order(), known=Known("native"), mode="fallback", size=size)


def blocks(message):
    """What the blocks say, without where they stand in a stream."""
    told = message_chunk_to_message(message).content_blocks
    keys = ("type", "text", "name", "args", "id")
    return [tuple(str(one[key]) for key in keys if key in one) for one in told]


def sent(shape, messages):
    """The calls and the results of a request, as the provider's own client writes it."""
    if "anthropic" in shape:
        version = {"output_version": "v1"} if "v1" in shape else {}
        model = ChatAnthropic(model="claude-sonnet-4-5", api_key="test", **version)
        said = model._get_request_payload(messages)["messages"]
        items = [
            block for one in said if isinstance(one["content"], list) for block in one["content"]
        ]
        calls = [
            (one["id"], one["name"], one["input"]) for one in items if one["type"] == "tool_use"
        ]
        return calls, [one["tool_use_id"] for one in items if one["type"] == "tool_result"], items
    version = "v1" if "v1" in shape else "responses/v1"
    model = ChatOpenAI(model="o", api_key="test", use_responses_api=True, output_version=version)
    items = model._get_request_payload(messages)["input"]
    calls = [
        (one["call_id"], one["name"], json.loads(one["arguments"]))
        for one in items
        if one["type"] == "function_call"
    ]
    return calls, [one["call_id"] for one in items if one["type"] == "function_call_output"], items


@pytest.mark.parametrize("shape", SHAPES)
def test_a_repaired_call_stands_where_it_came(shape):
    """Blocks and calls tell the same, whole and streamed, and the next request can be sent."""
    one, whole = ask(shape, SUM, GOOD), ask(shape, SUM, GOOD, size=None)
    repaired = [("sum_up", {"a": 1, "b": 2}), ("get_weather", {"city": "Paris"})]
    assert [(call["name"], call["args"]) for call in one.message.tool_calls] == repaired
    assert blocks(one.message) == blocks(whole.message)
    assert [block[1] for block in blocks(one.message)[-2:]] == ["sum_up", "get_weather"]
    results = [ToolMessage("3", tool_call_id=call["id"]) for call in one.message.tool_calls]
    calls, *_ = sent(shape, [HumanMessage("Hi"), message_chunk_to_message(one.message), *results])
    assert calls == [("call_2", *repaired[0]), ("call_3", *repaired[1])]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("broken", [("rocket", '{"a": 1}'), ("get_weather", "Paris")])
def test_a_broken_call_beside_a_good_one_is_not_sent_again(shape, broken):
    """It has no result, without which providers refuse a call."""
    one = ask(shape, broken, GOOD)
    assert [call["id"] for call in one.message.invalid_tool_calls] == ["call_2"]
    history = [
        HumanMessage("Hi"),
        message_chunk_to_message(one.message),
        ToolMessage("3", tool_call_id="call_3"),
    ]
    calls, results, _ = sent(shape, without_invalid_calls(history))
    assert [call[0] for call in calls] == results == ["call_3"]


@pytest.mark.parametrize("shape", SHAPES)
def test_what_is_asked_again_is_what_the_provider_sent(shape):
    """Each call has a result, a name and an object that servers take; its thought and the signature go back, too."""
    one = ask(shape, ("get_weather", "Paris"), ("get weather!", '{"city": "Rome"}'))
    calls, results, items = sent(shape, one.requests[1].messages)
    meant = [("call_2", "get_weather", {}), ("call_3", "unknown_tool", {"city": "Rome"})]
    assert (calls, results) == (meant, ["call_2", "call_3"])
    assert "sig" in json.dumps(items)


@pytest.mark.parametrize("shape", SHAPES)
def test_words_of_a_further_reply_are_a_block_of_their_own(shape):
    """Whole and streamed alike."""
    made = ("rocket", '{"a": 1}')
    one, whole = ask(shape, made), ask(shape, made, size=None)
    assert blocks(one.message) == blocks(whole.message)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("size", [5, None])
def test_a_call_of_a_further_reply_has_its_block(shape, size):
    """Who reads only the blocks sees the call that was asked for again, and the words before it."""
    again = InBlocks(shape=shape, made=(GOOD,))
    one = ask(shape, ("rocket", '{"a": 1}'), size=size, then=again)
    assert [call["name"] for call in one.message.tool_calls] == ["get_weather"]
    kinds = [kind for kind, *_ in blocks(one.message)]
    assert kinds == ["reasoning", "text", "tool_call"]


class Doubled(Said):
    """Two calls with one id, and one without."""

    def whole(self) -> ChatResult:
        calls = [{"name": "rocket", "args": {"n": n}, "id": "same"} for n in (1, 2)]
        message = AIMessage("", tool_calls=[*calls, {"name": "rocket", "args": {}, "id": None}])
        return ChatResult(generations=[ChatGeneration(message=message)])


def test_each_call_that_is_asked_again_has_an_id_of_its_own():
    """A result must tell whose it is."""
    one = play(Doubled(), "Well.", order=order(), known=Known("native"), mode="fallback")
    *_, said, first, second, third = one.requests[1].messages
    ids = [call["id"] for call in said.tool_calls]
    assert ids == [first.tool_call_id, second.tool_call_id, third.tool_call_id]
    assert len(set(ids)) == 3
