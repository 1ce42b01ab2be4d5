"""A provider's server with tools of its own: Chat Completions, Responses and Anthropic's Messages.

It answers each request with the next reply of a script, whole or streamed, and keeps the requests.

    with OwnTools([Said("It rains.", searches=True)]) as server:
        server.chat_model("responses").bind_tools([{"type": "web_search"}]).invoke("Weather?")
        assert server.requests[0]["tools"] == [{"type": "web_search"}]
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler
from itertools import count
from typing import Any

import httpx
from langchain_anthropic import ChatAnthropic
from langchain_openai import ChatOpenAI
from typing_extensions import Self

from langchain_toolemu import ToolEmuChatOpenAI
from tests.loopback import LoopbackServer, Quiet

_SERIAL = count(1)


def _id(kind: str) -> str:
    """An id that no other message has: LangGraph takes a second one for the same message."""
    return f"{kind}_{next(_SERIAL)}"


@dataclass(frozen=True)
class Said:
    """One reply.

    Attributes:
        text: Its words.
        calls: The client's tools that it calls, as `(name, args)`.
        searches: Whether the provider's own search ran before, where its protocol tells so.
        refused: What the server says instead, with status 400.
    """

    text: str = ""
    calls: Sequence[tuple[str, Mapping[str, Any]]] = ()
    searches: bool = False
    refused: str = ""


class OwnTools:
    """Plays a script of replies; the last one over and over."""

    def __init__(self, script: Sequence[Said | str]) -> None:
        self.script = [Said(one) if isinstance(one, str) else one for one in script]
        self.requests: list[dict[str, Any]] = []
        self._http = _HTTPServer(self)
        self.url = f"http://127.0.0.1:{self._http.server_port}/{next(_SERIAL)}"

    def __enter__(self) -> Self:
        self._http.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self._http.__exit__()

    def take(self, request: dict[str, Any]) -> Said:
        """The reply to a request."""
        self.requests.append(request)
        return self.script[min(len(self.requests), len(self.script)) - 1]

    def chat_model(self, protocol: str, **options: Any) -> Any:
        """The provider's own chat model, or ours in place of OpenAI's."""
        options = {"model": "scripted", "api_key": "test", "max_retries": 0, **options}
        if protocol == "anthropic":
            return ChatAnthropic(base_url=self.url, **options)
        made = ToolEmuChatOpenAI if protocol.startswith("ours") else ChatOpenAI
        options["http_client"] = httpx.Client(verify=False, trust_env=False)
        options["http_async_client"] = httpx.AsyncClient(verify=False, trust_env=False)
        by_responses = protocol.endswith("responses")
        return made(base_url=f"{self.url}/v1", use_responses_api=by_responses, **options)


class _HTTPServer(LoopbackServer):
    def __init__(self, server: OwnTools) -> None:
        self.own_tools = server
        super().__init__(_Handler)


class _Handler(Quiet, BaseHTTPRequestHandler):
    server: _HTTPServer

    def do_GET(self) -> None:
        self._send(404, "application/json", b"{}")

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        protocol = self.path.rpartition("/")[2]
        if protocol not in _PROTOCOLS:
            return self._send(404, "application/json", b"{}")
        said = self.server.own_tools.take(body)
        if said.refused:
            error = {"type": "invalid_request_error", "message": said.refused}
            return self._send(400, "application/json", _bytes({"type": "error", "error": error}))
        whole, events = _PROTOCOLS[protocol](said)
        if not body.get("stream"):
            return self._send(200, "application/json", _bytes(whole))
        return self._send(200, "text/event-stream", b"".join(map(_event, events)))

    def _send(self, status: int, kind: str, content: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


def _bytes(value: Any) -> bytes:
    return value.encode() if isinstance(value, str) else json.dumps(value).encode()


def _event(event: Any) -> bytes:
    kind = b"event: " + event["type"].encode() + b"\n" if "type" in event else b""
    return kind + b"data: " + _bytes(event) + b"\n\n"


# --- Chat Completions ---


def _chat(said: Said) -> tuple[Any, Iterator[Any]]:
    made = [
        {"id": _id("call"), "type": "function", "function": _function(*call)} for call in said.calls
    ]
    ends = "tool_calls" if made else "stop"
    message: dict[str, Any] = {"role": "assistant", "content": said.text}
    head = {"id": _id("chatcmpl"), "created": 0, "model": "scripted"}
    choice = {"index": 0, "message": {**message, **({"tool_calls": made} if made else {})}}
    usage = {"prompt_tokens": 900, "completion_tokens": 9, "total_tokens": 909}
    whole = {**head, "choices": [{**choice, "finish_reason": ends}], "usage": usage}
    deltas = [{"role": "assistant", "content": said.text}]
    deltas += [{"tool_calls": [{"index": at, **one}]} for at, one in enumerate(made)]
    chunks: list[Any] = [
        {"choices": [{"index": 0, "delta": delta, "finish_reason": None}]} for delta in deltas
    ]
    chunks.append({"choices": [{"index": 0, "delta": {}, "finish_reason": ends}]})
    chunks.append({"choices": [], "usage": usage})
    return whole, ({**head, "object": "chat.completion.chunk", **chunk} for chunk in chunks)


def _function(name: str, args: Mapping[str, Any]) -> dict[str, str]:
    return {"name": name, "arguments": json.dumps(args)}


# --- Responses ---


def _responses(said: Said) -> tuple[Any, Iterator[Any]]:
    items = list(_items(said))
    usage = {"input_tokens": 900, "output_tokens": 9, "total_tokens": 909}
    head = {"id": _id("resp"), "object": "response", "created_at": 0, "model": "scripted"}
    more = {"parallel_tool_calls": True, "tool_choice": "auto", "tools": []}
    whole = {**head, **more, "status": "completed", "output": items, "usage": usage}
    begun = {**head, **more, "status": "in_progress", "output": []}

    def events() -> Iterator[dict[str, Any]]:
        yield {"type": "response.created", "response": begun}
        for index, item in enumerate(items):
            yield from _item_events(index, item)
        yield {"type": "response.completed", "response": whole}

    return whole, ({"sequence_number": at, **one} for at, one in enumerate(events()))


def _items(said: Said) -> Iterator[dict[str, Any]]:
    if said.searches:
        action = {"type": "search", "query": "it"}
        yield {"type": "web_search_call", "id": _id("ws"), "status": "completed", "action": action}
    if said.text or not said.calls:
        content = [{"type": "output_text", "text": said.text, "annotations": []}]
        head = {"type": "message", "id": _id("msg"), "role": "assistant", "status": "completed"}
        yield {**head, "content": content}
    for call in said.calls:
        ids = {"id": _id("fc"), "call_id": _id("call"), "status": "completed"}
        yield {"type": "function_call", **ids, **_function(*call)}


def _item_events(index: int, item: dict[str, Any]) -> Iterator[dict[str, Any]]:
    place = {"output_index": index, "item_id": item["id"]}
    empty = {"content": [], "arguments": "", "status": "in_progress"}
    begun = {key: empty.get(key, one) for key, one in item.items()}
    yield {"type": "response.output_item.added", "output_index": index, "item": begun}
    if item["type"] == "function_call":
        delta = {"delta": item["arguments"]}
        yield {"type": "response.function_call_arguments.delta", **place, **delta}
    if item["type"] == "message":
        (part,) = item["content"]
        place = {**place, "content_index": 0}
        yield {"type": "response.content_part.added", **place, "part": {**part, "text": ""}}
        delta = {"delta": part["text"], "logprobs": []}
        yield {"type": "response.output_text.delta", **place, **delta}
        yield {"type": "response.output_text.done", **place, "text": part["text"], "logprobs": []}
        yield {"type": "response.content_part.done", **place, "part": part}
    yield {"type": "response.output_item.done", "output_index": index, "item": item}


# --- Anthropic's Messages ---


def _messages(said: Said) -> tuple[Any, Iterator[Any]]:
    blocks = list(_blocks(said))
    usage = {"input_tokens": 900, "output_tokens": 9}
    head = {"id": _id("msg"), "type": "message", "role": "assistant", "model": "scripted"}
    ends = {"stop_reason": "tool_use" if said.calls else "end_turn", "stop_sequence": None}
    whole = {**head, "content": blocks, **ends, "usage": usage}

    def events() -> Iterator[dict[str, Any]]:
        opening = {**whole, "content": [], "stop_reason": None}
        yield {"type": "message_start", "message": opening}
        for index, block in enumerate(blocks):
            yield from ({"index": index, **event} for event in _block_events(block))
        yield {"type": "message_delta", "delta": ends, "usage": {"output_tokens": 9}}
        yield {"type": "message_stop"}

    return whole, events()


def _blocks(said: Said) -> Iterator[dict[str, Any]]:
    if said.searches:
        search = {"name": "web_search", "input": {"query": "it"}}
        yield {"type": "server_tool_use", "id": "srvtoolu_1", **search}
        found = {"tool_use_id": "srvtoolu_1", "content": []}
        yield {"type": "web_search_tool_result", **found}
    if said.text:
        yield {"type": "text", "text": said.text}
    for name, args in said.calls:
        yield {"type": "tool_use", "id": _id("toolu"), "name": name, "input": dict(args)}


def _block_events(block: dict[str, Any]) -> Iterator[dict[str, Any]]:
    opening, delta = block, None
    if block["type"] == "text":
        opening, delta = {**block, "text": ""}, {"type": "text_delta", "text": block["text"]}
    if "input" in block:
        opening = {**block, "input": {}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
    yield {"type": "content_block_start", "content_block": opening}
    if delta:
        yield {"type": "content_block_delta", "delta": delta}
    yield {"type": "content_block_stop"}


_PROTOCOLS = {"completions": _chat, "responses": _responses, "messages": _messages}
