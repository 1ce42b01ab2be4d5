"""Many turns at once, many after each other, and turns that are given up: what is left behind."""

import asyncio
import gc
import os
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from langchain_toolemu import ChatToolEmu
from tests.benchmarks.soak.faults import call, endless, write_file
from tests.scripted_server import Reply, ScriptedServer, slowly

_FILES = Path("/proc/self/fd")
_MEMORY = Path("/proc/self/statm")


@dataclass(frozen=True)
class Left:
    """What a process holds: open files, threads, tasks of this loop, and memory in megabytes."""

    files: int
    threads: int
    tasks: int
    megabytes: float


def held() -> Left:
    """What this process holds now."""
    gc.collect()
    try:
        tasks = len(asyncio.all_tasks())
    except RuntimeError:  # no loop runs here
        tasks = 0
    files = len(list(_FILES.iterdir())) if _FILES.exists() else 0
    pages = int(_MEMORY.read_text().split()[1]) if _MEMORY.exists() else 0
    return Left(files, threading.active_count(), tasks, pages * os.sysconf("SC_PAGESIZE") / 1e6)


@contextmanager
def model_on(script: Any, **settings: Any) -> Iterator[Any]:
    """A model with its tool bound, on a server of its own."""
    with ScriptedServer(script) as server:
        llm = ChatToolEmu(llm=server.chat_model(**settings), mode="force")
        yield llm.bind_tools([write_file])


def _whole(messages: list[Any]) -> bool:
    return all(len(message.tool_calls) == 1 for message in messages)


def tasks_at_once(count: int) -> str:
    """Async turns on one loop, all at once."""

    async def together(llm: Any) -> list[Any]:
        return list(await asyncio.gather(*(llm.ainvoke("Write a.") for _ in range(count))))

    with model_on(lambda _: call("x")) as llm:
        start = time.perf_counter()
        messages = asyncio.run(together(llm))
    assert len({message.tool_calls[0]["id"] for message in messages}) == count
    assert _whole(messages)
    return f"{count} calls, {count} ids, {count / (time.perf_counter() - start):.0f} turns a second"


def threads_at_once(count: int, turns: int) -> str:
    """Threads that share one model object."""
    with model_on(lambda _: call("x")) as llm, ThreadPoolExecutor(count) as pool:
        start = time.perf_counter()
        messages = list(pool.map(lambda _: llm.invoke("Write a."), range(turns)))
    assert len({message.tool_calls[0]["id"] for message in messages}) == turns
    return f"{turns} calls, {turns} ids, {turns / (time.perf_counter() - start):.0f} turns a second"


def turns_in_a_row(count: int) -> str:
    """Turns in one process: memory after a tenth of them, and after all."""
    with ScriptedServer(lambda _: call("x")) as server:
        llm = ChatToolEmu(llm=server.chat_model(), mode="force").bind_tools([write_file])
        early = _after(count // 10, llm, server)
        late = _after(count - count // 10, llm, server)
    grown = late.megabytes - early.megabytes
    assert grown < 4, f"memory grew by {grown:.1f} MB"
    assert late.files <= early.files + 2
    return f"{early.megabytes:.1f} MB after {count // 10}, {late.megabytes:.1f} MB after {count}"


def _after(count: int, llm: Any, server: ScriptedServer) -> Left:
    """What is held after so many turns, without the requests that the server keeps for tests."""
    for _ in range(count):
        llm.invoke("Write a.")
        server.requests.clear()
        server.bodies.clear()
    return held()


def streams_given_up(count: int) -> str:
    """Async streams that are left after the first words, and tasks that are cancelled."""

    async def give_up(llm: Any) -> None:
        stream = llm.astream("Write a.")
        async for _ in stream:
            break
        await stream.aclose()

    async def cancel(llm: Any) -> None:
        task = asyncio.create_task(llm.ainvoke("Write a."))
        await asyncio.sleep(0.02)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    async def run(llm: Any) -> tuple[Left, Left]:
        await give_up(llm)
        before = held()
        for _ in range(count):
            await give_up(llm)
            await cancel(llm)
        # The server's own ends of the connections are open until it notices.
        for _ in range(200):
            await asyncio.sleep(0.1)
            now = held()
            if now.files <= before.files and now.threads <= before.threads:
                break
        return before, held()

    script: Callable[[dict[str, Any]], Reply] = lambda _: Reply(slowly(["word "] * 400, 0.005))  # noqa: E731
    with ScriptedServer(script) as server:
        llm = ChatToolEmu(llm=server.chat_model(), mode="force").bind_tools([write_file])
        before, after = asyncio.run(run(llm))
        left = server.disconnects
    assert after.tasks == before.tasks
    assert after.files <= before.files, f"{after.files - before.files} files are left open"
    # The loop's own pool may have grown by a thread or two; a leak would be one for each stream.
    assert after.threads <= before.threads + 2, f"{after.threads - before.threads} threads are left"
    return f"{left} of {2 * count + 1} noticed by the server; files {before.files} to {after.files}, tasks {after.tasks}"


def stream_without_end() -> str:
    """Words that never stop: the reply is cut at its limit, and the stream closed."""
    with ScriptedServer(lambda _: Reply(endless())) as server:
        llm = ChatToolEmu(llm=server.chat_model(), mode="force").bind_tools([write_file])
        size, warnings = 0, []
        for chunk in llm.stream("Write a."):
            size += len(chunk.content)
            warnings += chunk.response_metadata.get("toolemu", {}).get("warnings", [])
        deadline = time.monotonic() + 10
        while not server.disconnects and time.monotonic() < deadline:
            time.sleep(0.01)
        assert server.disconnects == 1
    assert any("longer than" in warning for warning in warnings)
    return f"cut after {size:,} characters, the connection closed"


def on_the_embedded_model(server: Any) -> str:
    """Turns at once and a stream given up, on llama.cpp: it goes on answering."""
    llm = ChatToolEmu(llm=server.chat_model(max_tokens=16), mode="force").bind_tools([write_file])

    async def run() -> list[Any]:
        stream = llm.astream("Tell me a story.")
        async for _ in stream:
            break
        await stream.aclose()
        return list(await asyncio.gather(*(llm.ainvoke("Hello!") for _ in range(4))))

    messages = asyncio.run(run())
    assert all(message.content or message.tool_calls or message.invalid_tool_calls for message in messages)  # fmt: skip
    return f"{len(messages)} replies after a stream that was given up"
