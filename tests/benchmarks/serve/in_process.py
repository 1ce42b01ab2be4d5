"""The same turn without a gateway: by ChatToolEmu, by ChatOpenAI alone, and by httpx."""

import time
from collections.abc import Awaitable, Callable

import httpx
from langchain_openai import ChatOpenAI
from openai import DefaultAsyncHttpxClient

from langchain_toolemu import ChatToolEmu
from tests.benchmarks.serve.load import TOOL, WORDS, Latency

_QUESTION = "What is the weather in Paris?"


async def measured(port: int, count: int) -> dict[str, Latency]:
    """Each way by name."""
    base_url = f"http://127.0.0.1:{port}/v1"
    client = DefaultAsyncHttpxClient(trust_env=False)
    llm = ChatOpenAI(model="instant", base_url=base_url, api_key="none", http_async_client=client)
    force = ChatToolEmu(llm=llm, mode="force").bind_tools([TOOL])
    fallback = ChatToolEmu(llm=llm).bind_tools([TOOL])
    async with httpx.AsyncClient(trust_env=False) as plain:
        ways: dict[str, Callable[[], Awaitable[object]]] = {
            "httpx": lambda: plain.post(f"{base_url}/chat/completions", json=WORDS),
            "ChatOpenAI, no tools": lambda: llm.ainvoke(_QUESTION),
            "ChatToolEmu, native call": lambda: fallback.ainvoke(_QUESTION),
            "ChatToolEmu, emulated call": lambda: force.ainvoke(_QUESTION),
        }
        return {name: await _latency(way, count) for name, way in ways.items()}


async def _latency(way: Callable[[], Awaitable[object]], count: int) -> Latency:
    took: list[float] = []
    for number in range(count + count // 10):
        start = time.perf_counter()
        await way()
        if number >= count // 10:
            took.append(time.perf_counter() - start)
    return Latency.of(took)
