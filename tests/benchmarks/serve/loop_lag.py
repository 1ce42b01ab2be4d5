"""How long one large request keeps the gateway's event loop from everybody else: `python -m tests.benchmarks.serve.loop_lag`.

A gateway in a process of its own sleeps for 5 ms again and again, and notes by how much that takes longer.
"""

import argparse
import asyncio
import gc
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import httpx
import uvicorn
from starlette.types import Receive, Scope, Send

from langchain_toolemu.serve import create_app
from langchain_toolemu.serve.server_process import open_listener
from langchain_toolemu.serve.settings import ModelSettings, ProcessSettings
from tests.scripted_server import Reply, ScriptedServer

_NAME = "tests.benchmarks.serve.loop_lag"
_SLEEP = 0.005
_MB = 1024 * 1024


def _user(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


def _tool(number: int, words: str = "Does the thing.") -> dict[str, Any]:
    fields = {name: {"type": "string", "description": "A value."} for name in ("a", "b", "c")}
    schema = {"type": "object", "properties": fields, "required": ["a"]}
    about = {"name": f"tool_{number}", "description": f"{words} It has number {number}."}
    return {"type": "function", "function": {**about, "parameters": schema}}


def _rounds(count: int) -> Iterator[dict[str, Any]]:
    for number in range(count):
        function = {"name": "tool_1", "arguments": json.dumps({"a": f"x{number}"})}
        call = {"id": f"c{number}", "type": "function", "function": function}
        yield {"role": "assistant", "content": None, "tool_calls": [call]}
        yield {"role": "tool", "tool_call_id": f"c{number}", "content": f"done {number}"}


def bodies() -> dict[str, dict[str, Any]]:
    """The bodies: below the limit of bytes, at those of messages and tools, and above them."""
    tools, few = [*map(_tool, range(1_000))], [*map(_tool, range(5))]
    loop = [_user("Do it."), *_rounds(4_999)]
    return {
        "a million messages": {"messages": [_user("x")] * 1_000_000},
        "a million parts": {"messages": [_user([{"type": "text", "text": "x"}] * 500_000)]},  # type: ignore[arg-type]
        "10 million numbers": {"messages": [_user("x")], "logit_bias": {"a": [1] * 10_000_000}},
        "28 MB of long numbers": {"messages": [_user("x")], "logit_bias": {"a": [int("7" * 4_000)] * 7_000}},
        "25 MB of integers": {"messages": [_user("x")], "logit_bias": {"a": [int("7" * 100)] * 240_000}},
        "30 MB about a tool": {"messages": [_user("x")], "tools": [_tool(1, "word " * 6_000_000)]},
        "4 MB about a tool": {"messages": [_user("x")], "tools": [_tool(1, "word " * 800_000)]},
        "31 MB of words": {"messages": [_user("word " * 6_200_000)]},
        "31 MB of lines, tools": {"messages": [_user("word, and\n" * 2_800_000)], "tools": few},
        "3,000 tools": {"messages": [_user("x")], "tools": [*map(_tool, range(3_000))]},
        "1,000 tools": {"messages": [_user("x")], "tools": tools},
        "10,000 messages": {"messages": [_user("Hi"), {**_user("Ho"), "role": "assistant"}] * 5_000},
        "10,000 messages, tools": {"messages": loop, "tools": few},
        "10,000 messages, 1,000 tools": {"messages": loop, "tools": tools},
    }  # fmt: skip


class _Probe:
    """An app with a page that tells the largest lags since it was asked last, in seconds."""

    def __init__(self, app: Any) -> None:
        self._app, self._lags = app, list[float]()
        self._task: asyncio.Task[None] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._task = self._task or asyncio.create_task(self._run())
        if scope.get("path") != "/lag":
            await self._app(scope, receive, send)
            return
        told = json.dumps(sorted(self._lags)[-5:]).encode()
        self._lags.clear()
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": told})

    async def _run(self) -> None:
        while True:
            begun = time.perf_counter()
            await asyncio.sleep(_SLEEP)
            self._lags.append(time.perf_counter() - begun - _SLEEP)


def serve(upstream: str, mode: str) -> None:
    """Serve until killed; the address is printed."""
    model = ModelSettings("m", "openai:m", upstream, toolemu={"mode": mode})
    gc.disable()
    app = create_app(ProcessSettings(models=(model,), max_body_bytes=64 * _MB))
    with open_listener("127.0.0.1", 0) as listener:
        sys.stdout.write(f"{listener.getsockname()[1]}\n")
        sys.stdout.flush()
        config = uvicorn.Config(_Probe(app), log_level="error")
        uvicorn.Server(config).run(sockets=[listener])


@contextmanager
def probed(upstream: str, mode: str) -> Iterator[httpx.Client]:
    """A client of a gateway with a probe."""
    line = [sys.executable, "-W", "ignore", "-m", _NAME, "--serve", upstream, "--mode", mode]
    own = {"OPENAI_API_KEY": "none", "NO_PROXY": "127.0.0.1", "TOOLEMU_API_KEY": ""}
    with subprocess.Popen(line, stdout=subprocess.PIPE, text=True, env={**os.environ, **own}) as server:  # fmt: skip
        assert server.stdout is not None
        where = f"http://127.0.0.1:{server.stdout.readline().strip()}"
        try:
            with httpx.Client(base_url=where, trust_env=False, timeout=120) as client:
                ask(client, {"messages": [_user("Hi")]})
                yield client
        finally:
            server.kill()


def ask(client: httpx.Client, body: Mapping[str, Any]) -> tuple[int, float, list[float]]:
    """The status, the seconds that the answer took, and the largest lags."""
    content = json.dumps({"model": "m", **body}, separators=(",", ":"))
    client.get("/lag")
    begun = time.perf_counter()
    headers = {"content-type": "application/json"}
    status = client.post("/v1/chat/completions", content=content, headers=headers).status_code
    return status, time.perf_counter() - begun, client.get("/lag").json()


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--serve", metavar="URL", help="serve in front of this upstream")
    parser.add_argument("--mode", default="fallback")
    options = parser.parse_args()
    if options.serve:
        serve(options.serve, options.mode)
        return
    with (
        ScriptedServer(lambda _: Reply("Done.")) as upstream,
        probed(upstream.base_url, options.mode) as client,
    ):
        print("| body | status | s | largest lags, ms |\n|---|---|---|---|")
        for name, body in bodies().items():
            for stream in (False, True):
                status, seconds, lags = ask(client, {**body, "stream": stream})
                shown = ", ".join(f"{1000 * lag:.0f}" for lag in lags)
                print(f"| {name} | {status} | {seconds:.2f} | {shown} |", flush=True)


if __name__ == "__main__":
    main()
