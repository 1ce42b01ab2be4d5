"""Load: requests over kept connections, written and read by hand, so that the client costs as little as it can."""

import asyncio
import json
import secrets
import statistics
import time
from dataclasses import dataclass
from typing import Any

KEY = f"sk-{secrets.token_hex(32)}"
"""The key of every server: LiteLLM's proxy does not start without one."""

TOOL = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "description": "Get the weather of a city.",
        "parameters": {
            "type": "object",
            "properties": {"city": {"type": "string"}},
            "required": ["city"],
        },
    },
}
_ASK: dict[str, Any] = {
    "model": "instant",
    "messages": [{"role": "user", "content": "What is the weather in Paris?"}],
}
BODIES: dict[str, dict[str, Any]] = {
    "no tools": _ASK,
    "native call": {**_ASK, "tools": [TOOL]},
    "emulated call": {**_ASK, "tools": [TOOL], "toolemu": {"mode": "force"}},
}


@dataclass(frozen=True)
class Target:
    """A server to be asked.

    Attributes:
        name: What the table calls it.
        port: Where it listens.
        pids: Its processes.
    """

    name: str
    port: int
    pids: tuple[int, ...] = ()


def request(body: dict[str, Any]) -> bytes:
    """A request as bytes."""
    content = json.dumps(body).encode()
    head = (
        "POST /v1/chat/completions HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n"
        f"authorization: Bearer {KEY}\r\ncontent-length: {len(content)}\r\n\r\n"
    )
    return head.encode() + content


class Connection:
    """A kept connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    @classmethod
    async def to(cls, port: int) -> "Connection":
        """Connect."""
        return cls(*await asyncio.open_connection("127.0.0.1", port, limit=2**20))

    async def ask(self, content: bytes) -> tuple[int, bytes]:
        """Send a request and read the whole response: its status and its body."""
        self._writer.write(content)
        head = await self._reader.readuntil(b"\r\n\r\n")
        lines = dict(line.split(b": ", 1) for line in head.lower().split(b"\r\n")[1:] if line)
        status = int(head.split(b" ", 2)[1])
        if b"content-length" in lines:
            return status, await self._reader.readexactly(int(lines[b"content-length"]))
        return status, await self._chunked()

    async def _chunked(self) -> bytes:
        body = b""
        while size := int(await self._reader.readuntil(b"\r\n"), 16):
            body += (await self._reader.readexactly(size + 2))[:-2]
        await self._reader.readexactly(2)
        return body

    def close(self) -> None:
        """Hang up."""
        self._writer.close()


@dataclass(frozen=True)
class Latency:
    """How long requests took, in milliseconds."""

    median: float
    p99: float


async def one_after_the_other(target: Target, body: dict[str, Any], count: int) -> Latency:
    """Requests on one connection."""
    connection, content = await Connection.to(target.port), request(body)
    took: list[float] = []
    for number in range(count + count // 10):
        start = time.perf_counter()
        status, _ = await connection.ask(content)
        assert status == 200, status
        if number >= count // 10:  # the first ones warm up
            took.append(1000 * (time.perf_counter() - start))
    connection.close()
    return Latency(statistics.median(took), statistics.quantiles(took, n=100)[98])


async def at_once(target: Target, body: dict[str, Any], count: int, connections: int) -> float:
    """Requests a second, over many connections."""
    left, content = iter(range(count)), request(body)

    async def worker() -> None:
        connection = await Connection.to(target.port)
        for _ in left:
            status, _body = await connection.ask(content)
            assert status == 200, status
        connection.close()

    start = time.perf_counter()
    await asyncio.gather(*(worker() for _ in range(connections)))
    return count / (time.perf_counter() - start)


async def streams_at_once(target: Target, count: int) -> tuple[int, float]:
    """Streams side by side: how many ended as they should, and the seconds they took together."""
    content = request({**_ASK, "stream": True})

    async def one() -> bool:
        connection = await Connection.to(target.port)
        status, body = await connection.ask(content)
        connection.close()
        return status == 200 and body.rstrip().endswith(b"data: [DONE]")

    start = time.perf_counter()
    ended = await asyncio.gather(*(one() for _ in range(count)))
    return sum(ended), time.perf_counter() - start
