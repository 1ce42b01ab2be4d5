"""Load: requests over kept connections, written and read by hand: the client costs little."""

import asyncio
import itertools
import json
import re
import secrets
import statistics
import time
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.benchmarks.serve.upstream import SLOWLY

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


def _ask(question: str, **more: Any) -> dict[str, Any]:
    return {"model": "instant", "messages": [{"role": "user", "content": question}], **more}


WORDS = _ask("What is the weather in Paris?")
CALL: dict[str, Any] = {**WORDS, "tools": [TOOL]}
# The gateway's mode for each model; the upstream writes the calls of `force` as text, whoever asks.
MODES = {"instant": "fallback", "force": "force", "off": "off"}
_ROWS: dict[str, dict[str, Any]] = {
    "straight, 60 words": WORDS,
    "straight, a call in mode off": {**CALL, "model": "off"},
    "a native call": CALL,
    "an emulated call": {**CALL, "model": "force"},
}
BODIES = {
    f"{name}{way}": {**body, "stream": bool(way)}
    for name, body in _ROWS.items()
    for way in ("", ", streamed")
}
SLOW = _ask(f"What is the weather in Paris? Answer {SLOWLY}.", stream=True)
# Else the end of the connection is that of the response.
_ENDS = re.compile(rb"content-length|chunked")
_FIRST_WORD = re.compile(rb'"content": ?"[^"]')


@dataclass(frozen=True)
class Target:
    """A server to be asked.

    Attributes:
        name: What the table calls it.
        port: Where it listens.
        pid: Its process, which may have started others.
    """

    name: str
    port: int
    pid: int = 0


def request(body: dict[str, Any]) -> bytes:
    """A request as bytes."""
    content = json.dumps(body).encode()
    head = (
        "POST /v1/chat/completions HTTP/1.1\r\nhost: 127.0.0.1\r\n"
        f"content-type: application/json\r\nauthorization: Bearer {KEY}\r\n"
        f"content-length: {len(content)}\r\n\r\n"
    )
    return head.encode() + content


@dataclass
class Connection:
    """A connection that is kept for as long as the server keeps it."""

    port: int
    _reader: asyncio.StreamReader = field(init=False)
    _writer: asyncio.StreamWriter | None = None

    async def ask(self, content: bytes) -> tuple[bytes, float]:
        """Send a request and read the response: its body, and the seconds until its first word."""
        start = time.perf_counter()
        try:
            head = await self._send(content)
        except (ConnectionError, asyncio.IncompleteReadError):  # the server had hung up
            self.close()
            head = await self._send(content)
        status = int(head.split(b" ", 2)[1])
        body, first = b"", 0.0
        async for piece in self._pieces(head):
            body += piece
            if not first and _FIRST_WORD.search(body):
                first = time.perf_counter() - start
        assert status == 200, (status, body[:300])
        if b"connection: close" in head or not _ENDS.search(head):
            self.close()
        return body, first

    async def _send(self, content: bytes) -> bytes:
        if self._writer is None:
            opened = asyncio.open_connection("127.0.0.1", self.port, limit=2**20)
            self._reader, self._writer = await opened
        self._writer.write(content)
        return (await self._reader.readuntil(b"\r\n\r\n")).lower()

    async def _pieces(self, head: bytes) -> AsyncIterator[bytes]:
        reader = self._reader
        if found := re.search(rb"content-length: ?(\d+)", head):
            yield await reader.readexactly(int(found[1]))
        elif b"chunked" in head:
            while size := int(await reader.readuntil(b"\r\n"), 16):
                yield (await reader.readexactly(size + 2))[:-2]
            await reader.readexactly(2)
        else:
            while piece := await reader.read(2**16):
                yield piece

    def close(self) -> None:
        """Hang up; the next request connects again."""
        if self._writer is not None:
            self._writer.close()
        self._writer = None


@dataclass(frozen=True)
class Latency:
    """How long requests took, in milliseconds; the tenth percentile is that of a quiet moment."""

    p10: float
    median: float
    p99: float

    @classmethod
    def of(cls, took: Sequence[float], besides: float = 0.0) -> "Latency":
        """Of seconds, less the milliseconds that they take anyway."""
        cuts = statistics.quantiles(took, n=100)
        return cls(*(1000 * cuts[at] - besides for at in (9, 49, 98)))

    def __str__(self) -> str:
        return f"{self.p10:.1f} / {self.median:.1f} / {self.p99:.1f}"


async def in_turn(
    targets: Sequence[Target], body: dict[str, Any], rounds: int, each: int = 10
) -> dict[str, tuple[list[float], list[float]]]:
    """Requests one after the other, a few to each server and again.

    Gives the seconds to the end of each, and to its first word.
    """
    content, connections = request(body), {one.name: Connection(one.port) for one in targets}
    took: dict[str, tuple[list[float], list[float]]] = {one.name: ([], []) for one in targets}
    for round_ in range(rounds + 1):
        for name, connection in connections.items():
            for _ in range(each):
                start = time.perf_counter()
                _, first = await connection.ask(content)
                if round_:  # the first ones warm up
                    took[name][0].append(time.perf_counter() - start)
                    took[name][1].append(first)
    for connection in connections.values():
        connection.close()
    return took


async def answers(target: Target, body: dict[str, Any]) -> bool:
    """Whether a server answers a request: not every one takes every kind."""
    connection = Connection(target.port)
    try:
        await connection.ask(request(body))
    except (AssertionError, ConnectionError, asyncio.IncompleteReadError):
        return False
    finally:
        connection.close()
    return True


async def at_once(
    target: Target, bodies: Sequence[dict[str, Any]], count: int, connections: int
) -> float:
    """Requests a second, over many connections."""
    contents = itertools.islice(itertools.cycle([request(body) for body in bodies]), count)

    async def worker() -> None:
        connection = Connection(target.port)
        for content in contents:
            await connection.ask(content)
        connection.close()

    start = time.perf_counter()
    await asyncio.gather(*(worker() for _ in range(connections)))
    return count / (time.perf_counter() - start)
