"""`python -m tests.benchmarks.serve.large_body`: how long small requests wait beside a large one.

One request of 31 MB, with one long text or with 1,001 messages, while 100 small ones are sent one
after the other over ten connections; and `/v1/models` while 500 slow streams run. The upstream
answers at once, in a process of its own.
"""

import argparse
import asyncio
import time
from typing import Any

from tests.benchmarks.serve.load import CALL, KEY, SLOW, WORDS, Connection, request
from tests.benchmarks.serve.servers import gateway, started, upstream

LARGE = 31_000_000
_LINE = "The quick brown fox jumps over the lazy dog. "
_GET = b"GET /v1/models HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer %s\r\n\r\n"


def large_bodies(size: int) -> dict[str, dict[str, Any]]:
    """Requests of about this size, by what makes them large."""

    def lines(of: int) -> str:
        return _LINE * (of // len(_LINE))

    text = lines(size)
    roles = ("user", "assistant")
    messages = [{"role": roles[at % 2], "content": lines(size // 1000)} for at in range(1001)]
    return {
        "one text": {**WORDS, "messages": [{"role": "user", "content": text}]},
        "one text, with tools": {**CALL, "messages": [{"role": "user", "content": text}]},
        "1,001 messages": {**WORDS, "messages": messages},
        "1,001 messages, with tools": {**CALL, "messages": messages},
    }


async def beside(port: int, large: bytes | None, count: int) -> tuple[float, float]:
    """The longest wait of small requests, and how long the large one took."""
    small, done = request(CALL), asyncio.Event()
    waits: list[float] = []

    async def ask_small() -> None:
        connection = Connection(port)
        asked = 0
        while asked < count // 10 or not done.is_set():
            start = time.perf_counter()
            await connection.ask(small)
            waits.append(time.perf_counter() - start)
            asked += 1
            await asyncio.sleep(0.05)
        connection.close()

    async def ask_large() -> float:
        start = time.perf_counter()
        if large:
            await asyncio.sleep(0.2)
            reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=2**26)
            for at in range(0, len(large), 2**18):
                writer.write(large[at : at + 2**18])
                await writer.drain()
            head = await reader.readuntil(b"\r\n\r\n")
            assert b" 200 " in head.split(b"\r\n", 1)[0], head
            writer.close()
        done.set()
        return time.perf_counter() - start

    took, *_ = await asyncio.gather(ask_large(), *(ask_small() for _ in range(10)))
    return max(waits), took


async def beside_streams(port: int, count: int) -> list[float]:
    """How long the list of models takes while so many streams run."""
    streams = [asyncio.ensure_future(Connection(port).ask(request(SLOW))) for _ in range(count)]
    listing = Connection(port)
    waits: list[float] = []
    while not all(one.done() for one in streams):
        start = time.perf_counter()
        await listing.ask(_GET % KEY.encode())
        waits.append(time.perf_counter() - start)
        await asyncio.sleep(0.1)
    await asyncio.gather(*streams)
    return waits


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=LARGE, help="of the large request, in bytes")
    parser.add_argument("--small", type=int, default=100, help="requests beside it")
    parser.add_argument("--streams", type=int, default=500)
    options = parser.parse_args()
    with upstream() as up, started("gateway", gateway, up) as (target, _):
        print("| beside | longest wait of a small request, s | the large one, s |\n|---|---|---|")
        wait, _took = asyncio.run(beside(target.port, None, options.small))
        print(f"| nothing | {wait:.3f} | |", flush=True)
        for name, body in large_bodies(options.size).items():
            wait, took = asyncio.run(beside(target.port, request(body), options.small))
            print(f"| {name} | {wait:.3f} | {took:.2f} |", flush=True)
        waits = sorted(asyncio.run(beside_streams(target.port, options.streams)))
        beside_them = f"\n/v1/models beside {options.streams} streams"
        print(f"{beside_them}: median {waits[len(waits) // 2]:.2f} s, longest {waits[-1]:.2f} s")


if __name__ == "__main__":
    main()
