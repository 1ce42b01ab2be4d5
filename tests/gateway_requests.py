"""Requests in each protocol of the gateway that hold whatever may be in one, and what can be wrong with them."""

import copy
from collections.abc import Iterator
from typing import Any

SCHEMA = {
    "type": "object",
    "properties": {
        "a": {"type": "string", "enum": ["x"], "description": "d", "pattern": "x"},
        "b": {"type": ["integer", "null"], "anyOf": [{"type": "string"}], "default": 1},
        "c": {"type": "array", "items": {"$ref": "#/$defs/D"}},
    },
    "required": ["a"],
    "$defs": {"D": {"type": "object", "properties": {"x": {"type": "string"}}}},
}
FUNCTION = {"name": "w", "description": "d", "parameters": SCHEMA}
IMAGE = {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}
BODIES = {
    "chat": ("/v1/chat/completions", {
        "messages": [
            {"role": "system", "content": "s"},
            {"role": "user", "content": [{"type": "text", "text": "hi"}, {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}}]},
            {"role": "assistant", "content": "x", "tool_calls": [{"id": "1", "type": "function", "function": {"name": "w", "arguments": "{}"}}]},
            {"role": "tool", "tool_call_id": "1", "content": "r"},
        ],
        "tools": [{"type": "function", "function": FUNCTION}],
        "tool_choice": "auto", "stop": ["a"], "max_tokens": 5, "temperature": 1, "stream_options": {"include_usage": True},
        "toolemu": {"policy": "strict"},
    }),
    "functions": ("/v1/chat/completions", {
        "messages": [
            {"role": "user", "content": "go"},
            {"role": "assistant", "function_call": {"name": "w", "arguments": "{}"}},
            {"role": "function", "name": "w", "content": "r"},
        ],
        "functions": [{"name": "w", "parameters": {"type": "object"}}],
        "function_call": "auto",
    }),
    "form": ("/v1/chat/completions", {
        "messages": [{"role": "user", "content": "go"}],
        "response_format": {"type": "json_schema", "json_schema": {"name": "n", "schema": {"type": "object", "required": ["a"]}}},
    }),
    "messages": ("/v1/messages", {
        "max_tokens": 10,
        "system": [{"type": "text", "text": "s"}],
        "messages": [
            {"role": "user", "content": [
                {"type": "image", "source": IMAGE},
                {"type": "document", "title": "t", "source": {"type": "content", "content": [{"type": "text", "text": "x"}]}},
                {"type": "search_result", "title": "t", "source": "s", "content": [{"type": "text", "text": "x"}]},
            ]},
            {"role": "assistant", "content": [{"type": "thinking", "thinking": "t"}, {"type": "tool_use", "id": "1", "name": "w", "input": {"a": "x"}}]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "1", "content": [{"type": "text", "text": "x"}]}]},
        ],
        "tools": [{"name": "w", "input_schema": {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}}],
        "tool_choice": {"type": "auto"}, "stop_sequences": ["x"], "thinking": {"type": "enabled"},
    }),
    "responses": ("/v1/responses", {
        "instructions": "i",
        "input": [
            {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "hi"}, {"type": "input_image", "image_url": "data:image/png;base64,iVBORw0KGgo="}]},
            {"type": "reasoning", "summary": [{"type": "summary_text", "text": "x"}]},
            {"type": "function_call", "call_id": "1", "name": "w", "arguments": "{}"},
            {"type": "function_call_output", "call_id": "1", "output": "r"},
        ],
        "tools": [
            {"type": "function", "name": "w", "parameters": {"type": "object", "required": ["a"]}},
            {"type": "custom", "name": "c", "format": {"type": "grammar", "syntax": "lark", "definition": "x"}},
        ],
        "text": {"format": {"type": "text"}}, "reasoning": {"effort": "low"}, "max_output_tokens": 5,
    }),
    "ollama": ("/api/chat", {
        "messages": [
            {"role": "system", "content": "s"},
            {"role": "user", "content": "hi", "images": ["iVBORw0KGgo="]},
            {"role": "assistant", "thinking": "t", "tool_calls": [{"id": "1", "function": {"name": "w", "arguments": {"a": "x"}}}]},
            {"role": "tool", "tool_name": "w", "tool_call_id": "1", "content": "r"},
        ],
        "tools": [{"type": "function", "function": FUNCTION}],
        "format": {"type": "object", "required": ["a"]}, "think": True, "keep_alive": "5m",
        "options": {"num_predict": 5, "temperature": 1, "stop": ["a"], "num_ctx": 4096},
    }),
    "generate": ("/api/generate", {"prompt": "p", "system": "s", "images": ["iVBORw0KGgo="], "suffix": ""}),
}  # fmt: skip


def nested(levels: int) -> dict[str, Any]:
    """Objects in each other."""
    return {"items": nested(levels - 1)} if levels else {}


WRONG = [5, "", True, [], [{}], [[]], {}, {"type": 5}, nested(150)]


def places_in(value: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place of a body."""
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    for key, one in inner:
        yield (*place, key)
        if isinstance(one, dict | list):
            yield from places_in(one, (*place, key))


def put(body: Any, place: tuple[Any, ...], value: Any) -> Any:
    """A body with another value at a place."""
    changed = copy.deepcopy(body)
    *outer, last = place
    inner = changed
    for key in outer:
        inner = inner[key]
    inner[last] = value
    return changed
