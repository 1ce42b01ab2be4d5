"""`python -m tests.benchmarks.serve.killed_streams [--streams N]`: streams that end badly.

Upstreams break off streams in every protocol: between two events, within one, by a closed or a
reset connection, with and without a tool call begun. None may end as a complete one. Clients that
leave, or that never read, must end their upstream's stream; for those that never read, no more may
be taken from the upstream than a few buffers hold.
"""

import argparse
import asyncio
import json
import logging
import socket
import struct
import warnings
from collections import Counter
from random import Random
from typing import Any

import httpx

from langchain_toolemu.serve.settings import ModelSettings, ServerSettings
from tests.benchmarks.serve.upstream import ANSWERS
from tests.gateway import gateway
from tests.integration_tests.serve.wires import WIRES, events_of

_ENDS = ("finish_reason", "message_stop", "response.completed", '"done": true', '"done":true')
_AT_ONCE = 32
_UNREAD_SECONDS = 2.0


class Dying:
    """A chat completions server that sends a part of an answer, and ends the connection."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)
        self.begun = 0  # streams without end
        self.left = 0  # those of them whose client went away
        self.most_unread = 0  # bytes that were taken for a client that reads nothing

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one connection."""
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            size = int(head.lower().split(b"content-length:")[1].split(b"\r\n")[0])
            body = await reader.readexactly(size)
        except (IndexError, asyncio.IncompleteReadError):
            writer.close()
            return
        kind = "native" if b'"tools"' in body else "words"
        whole = ANSWERS[kind][1]
        for word, pause in (b"forever", 0.01), (b"flood", 0.0):
            if word in body:
                await self._send_forever(writer, whole, pause)
                return
        first = whole.index(b"\r\n\r\n") + 4
        last = whole.index(b'"finish_reason": "')
        writer.write(whole[: self._random.randrange(first, last)])
        await writer.drain()
        if self._random.random() < 0.5:
            linger = struct.pack("ii", 1, 0)
            writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        writer.close()

    async def _send_forever(self, writer: asyncio.StreamWriter, whole: bytes, pause: float) -> None:
        events = whole.split(b"}\n\n\r\n")
        writer.write(events[0] + b"}\n\n\r\n")
        self.begun, sent = self.begun + 1, 0
        try:
            while not writer.is_closing():
                writer.write(events[1] + b"}\n\n\r\n")
                await writer.drain()
                sent += len(events[1])
                await asyncio.sleep(pause)
        except ConnectionError:
            pass
        if not pause:
            self.most_unread = max(self.most_unread, sent)
        self.left += 1


async def run(url: str, dying: Dying, count: int) -> Counter[str]:
    """How the streams ended."""
    ended: Counter[str] = Counter()
    gate = asyncio.Semaphore(_AT_ONCE)
    limits = httpx.Limits(max_connections=_AT_ONCE, keepalive_expiry=1)
    async with httpx.AsyncClient(trust_env=False, timeout=60, limits=limits) as client:
        await asyncio.gather(*(_one(client, url, number, gate, ended) for number in range(count)))
    for _ in range(100):
        if dying.left == dying.begun:
            break
        await asyncio.sleep(0.1)
    ended["upstream streams without end"] = dying.begun
    ended["upstream streams closed after their client left"] = dying.left
    ended["most bytes taken for a client that never read"] = dying.most_unread
    return ended


async def _one(
    client: httpx.AsyncClient, url: str, number: int, gate: asyncio.Semaphore, ended: Counter[str]
) -> None:
    wire = [*WIRES.values()][number % len(WIRES)]
    asked: dict[str, Any] = {**wire.ask, "stream": True}
    if number % 3 == 0:  # words only
        asked.pop("tools", None)
    kind = number // len(WIRES) % 8
    leaves, never_reads = kind < 2, kind == 2
    if leaves or never_reads:
        word = "forever" if leaves else "flood"
        asked.pop("tools", None)
        asked = json.loads(json.dumps(asked).replace("What is the weather", f"{word}: the weather"))
    if never_reads:
        async with gate:
            await _ask_and_never_read(url, wire.path, asked)
        ended["client never read"] += 1
        return
    async with gate, client.stream("POST", url + wire.path, json=asked) as response:
        if leaves:
            async for _ in response.aiter_bytes():
                ended["client left"] += 1
                return
        text = (await response.aread()).decode()
    if response.status_code != 200:
        ended[f"status {response.status_code}"] += 1
        return
    data = [json.dumps(one) for _, one in events_of(text)]
    complete = [one for one in data if any(_says_end(one, end) for end in _ENDS)]
    ended["complete, though its upstream died" if complete else "error in the stream"] += 1
    if complete:
        print(wire.path, number, complete[-1][:300])


async def _ask_and_never_read(url: str, path: str, asked: dict[str, Any]) -> None:
    _reader, writer = await asyncio.open_connection("127.0.0.1", int(url.rpartition(":")[2]))
    writer.transport.pause_reading()  # type: ignore[attr-defined]
    content = json.dumps(asked).encode()
    head = f"POST {path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n"
    writer.write(f"{head}content-length: {len(content)}\r\n\r\n".encode() + content)
    await asyncio.sleep(_UNREAD_SECONDS)
    writer.transport.abort()


def _says_end(event: str, end: str) -> bool:
    if end != "finish_reason":
        return end in event
    return '"finish_reason": "' in event


async def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--streams", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    for name in "asyncio", "langchain_toolemu":  # they tell of each connection that breaks
        logging.getLogger(name).setLevel(logging.CRITICAL)
    dying = Dying(options.seed)
    server = await asyncio.start_server(dying.answer, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    model = ModelSettings("m", "openai:dying", f"http://127.0.0.1:{port}/v1")
    with gateway(ServerSettings(models=(model,))) as running:
        for name, number in (await run(running.url, dying, options.streams)).most_common():
            print(f"{number:6} {name}")


if __name__ == "__main__":
    asyncio.run(main())
