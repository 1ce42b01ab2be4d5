"""The four protocols as a test sees them: a request, the events of a stream, and the whole that they add up to.

What is added up here is added up by hand, from nothing but what the protocols' documents say.
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import httpx

PARAMETERS = {
    "get_weather": {"city": {"type": "string"}},
    "add": {"a": {"type": "integer"}, "b": {"type": "integer"}},
    "write_file": {"path": {"type": "string"}, "content": {"type": "string"}},
    "now": {},
}
SCHEMAS = {
    name: {"type": "object", "properties": inner, "required": list(inner)}
    for name, inner in PARAMETERS.items()
}
QUESTION = "What is the weather in Paris?"
Event = tuple[str, Any]


def events_of(body: str) -> list[Event]:
    """The events of a stream, or its lines of JSON: the name of each, or none, and its data."""
    if body.startswith("{"):
        return [("", json.loads(line)) for line in body.removesuffix("\n").split("\n")]
    events = []
    for block in body.split("\n\n"):
        said = [line for line in block.split("\n") if line and not line.startswith(":")]
        lines = dict(line.split(": ", 1) for line in said)
        if "data" in lines:
            data = lines["data"]
            events.append((lines.get("event", ""), data if data == "[DONE]" else json.loads(data)))
    return events


@dataclass(frozen=True)
class Wire:
    """A protocol.

    Attributes:
        path: Where it is spoken.
        ask: A request.
        kinds: What each event of a stream is.
        order: What their order must match, run together, each kind followed by a space.
        add_up: The whole that the events of a stream add up to.
        essence: What a whole says, without ids and times.
    """

    path: str
    ask: Mapping[str, Any]
    kinds: Callable[[list[Event]], list[str]]
    order: str
    add_up: Callable[[list[Event]], dict[str, Any]]
    essence: Callable[[dict[str, Any]], dict[str, Any]]


# --- chat completions ---


def _chat_kinds(events: list[Event]) -> list[str]:
    kinds = []
    for _, data in events:
        if data == "[DONE]":
            kinds.append("done")
        elif "error" in data:
            kinds.append("error")
        elif not data["choices"]:
            kinds.append("usage")
        else:
            (choice,) = data["choices"]
            kinds.append("finish" if choice["finish_reason"] else _delta_kind(choice["delta"]))
    return kinds


def _delta_kind(delta: Mapping[str, Any]) -> str:
    if "role" in delta:
        return "role"
    (kind,) = delta
    if kind != "tool_calls":
        return kind
    return "call" if "id" in delta["tool_calls"][0] else "arguments"


def _add_up_chat(events: list[Event]) -> dict[str, Any]:
    message: dict[str, Any] = {"content": None, "refusal": None}
    calls: dict[int, dict[str, Any]] = {}
    whole: dict[str, Any] = {}
    for _, data in events:
        if data == "[DONE]":
            continue
        whole["usage"] = data.get("usage") or whole.get("usage")
        for choice in data["choices"]:
            whole["finish_reason"] = choice["finish_reason"]
            for name, value in choice["delta"].items():
                if name == "tool_calls":
                    for piece in value:
                        call = calls.setdefault(piece["index"], {"arguments": ""})
                        call["name"] = call.get("name") or piece["function"].get("name")
                        call["arguments"] += piece["function"]["arguments"]
                elif value is not None:
                    message[name] = (message.get(name) or "") + value
    message["tool_calls"] = [calls[index] for index in sorted(calls)]
    return {**whole, "message": message}


def _chat_essence(whole: dict[str, Any]) -> dict[str, Any]:
    (choice,) = whole["choices"]
    message = dict(choice["message"])
    message["tool_calls"] = [call["function"] for call in message.get("tool_calls", ())]
    return {
        "usage": whole["usage"],
        "finish_reason": choice["finish_reason"],
        "message": message,
    }


CHAT = Wire(
    path="/v1/chat/completions",
    ask={
        "model": "m",
        "messages": [{"role": "user", "content": QUESTION}],
        "tools": [
            {"type": "function", "function": {"name": name, "parameters": schema}}
            for name, schema in SCHEMAS.items()
        ],
        "stream_options": {"include_usage": True},
    },
    kinds=_chat_kinds,
    order=r"role ((reasoning_content|content|refusal|call|arguments) )*finish usage done ",
    add_up=_add_up_chat,
    essence=_chat_essence,
)


# --- messages ---


def _message_kinds(events: list[Event]) -> list[str]:
    kinds = []
    for name, data in events:
        assert name == data["type"]
        kind = data.get("content_block", data.get("delta", {})).get("type")
        kinds.append(f"{name}:{kind}" if name.startswith("content_block_") and kind else name)
    return kinds


def _add_up_message(events: list[Event]) -> dict[str, Any]:
    message: dict[str, Any] = {}
    inputs: dict[int, str] = {}
    for _, data in events:
        match data:
            case {"type": "message_start"}:
                message = data["message"]
            case {"type": "content_block_start"}:
                assert data["index"] == len(message["content"])
                message["content"].append(dict(data["content_block"]))
            case {"type": "content_block_delta", "index": index, "delta": delta}:
                inputs[index] = inputs.get(index, "") + delta.get("partial_json", "")
                for name in ("text", "thinking"):
                    if name in delta:
                        message["content"][index][name] += delta[name]
            case {"type": "content_block_stop", "index": index}:
                assert index == len(message["content"]) - 1
                if message["content"][index]["type"] == "tool_use":
                    message["content"][index]["input"] = json.loads(inputs[index] or "{}")
            case {"type": "message_delta"}:
                message |= data["delta"]
                message["usage"] |= data["usage"]
    return _message_essence(message)


def _message_essence(whole: dict[str, Any]) -> dict[str, Any]:
    content = [{key: block[key] for key in block if key != "id"} for block in whole["content"]]
    return {**{key: whole[key] for key in whole if key != "id"}, "content": content}


_BLOCK = (
    r"(content_block_start:thinking (ping )?(content_block_delta:(thinking|signature)_delta )+content_block_stop |"
    r"content_block_start:text (ping )?(content_block_delta:text_delta )+content_block_stop |"
    r"content_block_start:tool_use (ping )?(content_block_delta:input_json_delta )+content_block_stop )"
)
MESSAGES = Wire(
    path="/v1/messages",
    ask={
        "model": "m",
        "max_tokens": 100,
        "messages": [{"role": "user", "content": QUESTION}],
        "tools": [{"name": name, "input_schema": schema} for name, schema in SCHEMAS.items()],
        "thinking": {"type": "enabled", "budget_tokens": 1024},
    },
    kinds=_message_kinds,
    order=rf"message_start {_BLOCK}*message_delta message_stop ",
    add_up=_add_up_message,
    essence=_message_essence,
)


# --- responses ---


def _response_kinds(events: list[Event]) -> list[str]:
    for number, (name, data) in enumerate(events):
        assert name == data["type"]
        assert data["sequence_number"] == number
    return [name.removeprefix("response.") for name, _ in events]


def _add_up_response(events: list[Event]) -> dict[str, Any]:
    """The items as their events have them; what the last event says must be the same."""
    items: list[dict[str, Any]] = []
    for name, data in events:
        match name.removeprefix("response."):
            case "output_item.added":
                assert data["output_index"] == len(items)
                items.append(data["item"])
            case "content_part.added":
                items[data["output_index"]]["content"].append(dict(data["part"]))
            case "output_text.delta" | "reasoning_text.delta":
                part = items[data["output_index"]]["content"][data["content_index"]]
                part["text"] += data["delta"]
            case "function_call_arguments.delta":
                items[data["output_index"]]["arguments"] += data["delta"]
            case "output_item.done":
                grown = {**items[data["output_index"]], "status": data["item"]["status"]}
                assert grown == data["item"]
                items[data["output_index"]] = grown
            case "completed" | "incomplete":
                assert data["response"]["output"] == items
                return _response_essence(data["response"])
    raise AssertionError("the stream has no end")


def _response_essence(whole: dict[str, Any]) -> dict[str, Any]:
    output = [
        {key: item[key] for key in item if key not in ("id", "call_id")} for item in whole["output"]
    ]
    times = ("id", "created_at", "completed_at")
    return {**{key: whole[key] for key in whole if key not in times}, "output": output}


_TEXT = r"(content_part.added (output_text.delta )+output_text.done content_part.done )"
_THOUGHT = r"(content_part.added (reasoning_text.delta )+reasoning_text.done content_part.done )"
_CALL = r"((function_call_arguments.delta )+function_call_arguments.done )"
RESPONSES = Wire(
    path="/v1/responses",
    ask={
        "model": "m",
        "input": QUESTION,
        "tools": [
            {"type": "function", "name": name, "parameters": schema}
            for name, schema in SCHEMAS.items()
        ],
    },
    kinds=_response_kinds,
    order=(
        rf"created in_progress (output_item.added ({_TEXT}|{_THOUGHT}|{_CALL})output_item.done )*"
        r"(completed|incomplete) "
    ),
    add_up=_add_up_response,
    essence=_response_essence,
)


# --- ollama ---


def _ollama_kinds(events: list[Event]) -> list[str]:
    kinds = []
    for _, data in events:
        message = data.get("message", {})
        known = [key for key in ("thinking", "tool_calls") if message.get(key)]
        if "error" in data:
            kinds.append("error")
        else:
            kinds.append("done" if data["done"] else (*known, "content")[0])
    return kinds


def _add_up_ollama(events: list[Event]) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": ""}
    for _, data in events:
        part = data["message"]
        assert part.pop("role") == "assistant"
        for key, value in part.items():
            message[key] = message[key] + value if key in message else value
    return _ollama_essence({**events[-1][1], "message": message})


def _ollama_essence(whole: dict[str, Any]) -> dict[str, Any]:
    calls = [one["function"] for one in whole["message"].pop("tool_calls", ())]
    assert [call.pop("index") for call in calls] == list(range(len(calls)))
    said = {key: whole[key] for key in whole if key != "created_at" and "duration" not in key}
    return {**said, "calls": calls}


OLLAMA = Wire(
    path="/api/chat",
    ask={
        **{key: CHAT.ask[key] for key in ("model", "messages", "tools")},
        "stream": False,
    },
    kinds=_ollama_kinds,
    order=r"((thinking|content|tool_calls) )*done ",
    add_up=_add_up_ollama,
    essence=_ollama_essence,
)

WIRES = {"chat": CHAT, "messages": MESSAGES, "responses": RESPONSES, "ollama": OLLAMA}


def error_of(body: Mapping[str, Any]) -> dict[str, Any]:
    """The error of a body or an event; Ollama's is nothing but its message."""
    error = body["error"]
    return error if isinstance(error, dict) else {"message": error}


def in_order(wire: Wire, events: list[Event]) -> bool:
    """Whether the events of a stream come in an order that the protocol has."""
    kinds = "".join(f"{kind} " for kind in wire.kinds(events))
    return re.fullmatch(wire.order, kinds) is not None


async def ask(app: Any, wire: Wire, **more: Any) -> httpx.Response:
    """A response of an app, without a socket."""
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
        return await client.post(wire.path, json={**wire.ask, **more})
