"""`python -m tests.benchmarks.serve.upstream PORT`: a chat completions server that answers at once.

It knows three answers: a call as text by the model `force`, or where the contract is there; a
native call if tools are offered; else words. Those come one by one if the client asks for them
slowly. It parses nothing, so that it costs next to nothing compared with what is measured.
"""

import asyncio
import json
import re
import sys
from typing import Any

CALL = '```json\n{"name": "get_weather", "arguments": {"city": "Paris"}}\n```'
WORDS = "It is a pleasure to be of use, so ask me whatever you like. " * 4
SLOWLY = "slowly, please"
"""The words that make the pieces of a stream come one by one."""

PAUSE = 0.005
"""The seconds between two of them."""

_BETWEEN = b"}\n\n\r\n"  # where an event ends
_USAGE = {"prompt_tokens": 500, "completion_tokens": 20, "total_tokens": 520}
_HEAD = {"id": "chatcmpl-0", "created": 0, "model": "instant"}


def _whole(message: dict[str, Any], finish: str) -> bytes:
    choice = {"index": 0, "message": {"role": "assistant", **message}, "finish_reason": finish}
    body = {**_HEAD, "object": "chat.completion", "choices": [choice], "usage": _USAGE}
    content = json.dumps(body).encode()
    head = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n"
    return head % len(content) + content


def _streamed(deltas: list[dict[str, Any]], finish: str) -> bytes:
    chunks: list[dict[str, Any]] = [
        {"choices": [{"index": 0, "delta": delta, "finish_reason": None}]}
        for delta in [{"role": "assistant", "content": ""}, *deltas]
    ]
    chunks.append({"choices": [{"index": 0, "delta": {}, "finish_reason": finish}]})
    chunks.append({"choices": [], "usage": _USAGE})
    events = [
        b"data: "
        + json.dumps({**_HEAD, "object": "chat.completion.chunk", **chunk}).encode()
        + b"\n\n"
        for chunk in chunks
    ]
    body = b"".join(
        b"%x\r\n%s\r\n" % (len(event), event) for event in [*events, b"data: [DONE]\n\n"]
    )
    head = (
        b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"
    )
    return head + body + b"0\r\n\r\n"


def _pieces(text: str) -> list[dict[str, Any]]:
    return [{"content": text[at : at + 4]} for at in range(0, len(text), 4)]


_FUNCTION = {"name": "get_weather", "arguments": '{"city": "Paris"}'}
_NATIVE = {"id": "call_0", "type": "function", "function": _FUNCTION}
ANSWERS = {
    "native": (
        _whole({"content": None, "tool_calls": [_NATIVE]}, "tool_calls"),
        _streamed([{"tool_calls": [{"index": 0, **_NATIVE}]}], "tool_calls"),
    ),
    "text": (_whole({"content": CALL}, "stop"), _streamed(_pieces(CALL), "stop")),
    "words": (_whole({"content": WORDS}, "stop"), _streamed(_pieces(WORDS), "stop")),
}
_WRITES = re.compile(rb'"model": ?"force"|You can call tools')
_NONE = b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n"


def answer(head: bytes, body: bytes) -> bytes:
    """What is sent for a request."""
    if not head.startswith(b"POST"):
        return _NONE
    kind = "text" if _WRITES.search(body) else "native" if b'"tools"' in body else "words"
    return ANSWERS[kind][b'"stream":true' in body or b'"stream": true' in body]


class Instant(asyncio.Protocol):
    """One connection."""

    def connection_made(self, transport: Any) -> None:
        """A client has connected."""
        self._transport = transport
        self._heard = bytearray()

    def data_received(self, data: bytes) -> None:
        """Answer every request that is whole."""
        self._heard += data
        while (end := self._heard.find(b"\r\n\r\n")) >= 0:
            head = bytes(self._heard[:end])
            lengths = [line for line in head.lower().split(b"\r\n") if b"content-length:" in line]
            size = int(lengths[0].partition(b":")[2]) if lengths else 0
            if len(self._heard) < end + 4 + size:
                return
            body = bytes(self._heard[end + 4 : end + 4 + size])
            del self._heard[: end + 4 + size]
            self._write(answer(head, body), slowly=SLOWLY.encode() in body)

    def _write(self, content: bytes, slowly: bool) -> None:
        events = content.split(_BETWEEN) if slowly else [content]
        later = asyncio.get_running_loop().call_later
        if slowly and len(events) == 1:  # a whole answer takes as long
            later(len(_pieces(WORDS)) * PAUSE, self._transport.write, content)
            return
        for number, event in enumerate(events):
            ending = _BETWEEN if number < len(events) - 1 else b""
            later(number * PAUSE, self._transport.write, event + ending)


async def main(port: int) -> None:
    """Answer until the process ends."""
    server = await asyncio.get_running_loop().create_server(Instant, "127.0.0.1", port, backlog=512)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1])))
