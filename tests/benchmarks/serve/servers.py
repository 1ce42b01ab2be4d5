"""The servers that are measured, each in processes of its own."""

import contextlib
import os
import re
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.benchmarks.serve.load import KEY, Target

_PATIENCE = 120


def free_port() -> int:
    """A port that is free."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextlib.contextmanager
def process(command: Sequence[str], **environment: str) -> Iterator[subprocess.Popen[str]]:
    """A process for the time of a block."""
    with tempfile.TemporaryFile("w+") as log:
        running = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            env={**os.environ, **environment},
        )
        try:
            yield running
        finally:
            running.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                running.wait(20)
            running.kill()


@contextlib.contextmanager
def upstream() -> Iterator[int]:
    """The upstream that takes no time; gives its port."""
    port = free_port()
    with process([sys.executable, "-m", "tests.benchmarks.serve.upstream", str(port)]):
        wait_for(lambda: socket.create_connection(("127.0.0.1", port), 1).close())
        yield port


@contextlib.contextmanager
def gateway(upstream_port: int, workers: int = 1) -> Iterator[Target]:
    """The gateway, started by its command."""
    command = [sys.executable, "-m", "langchain_toolemu", "serve", "--model", "openai:instant"]
    command += ["--base-url", f"http://127.0.0.1:{upstream_port}/v1", "--port", "0"]
    command += ["--log-level", "warning", *(["--workers", str(workers)] if workers > 1 else [])]
    with process(command, TOOLEMU_API_KEY=KEY) as running:
        assert running.stdout is not None
        for line in running.stdout:
            if found := re.search(r"serves on http://127\.0\.0\.1:(\d+)", line):
                break
        port = int(found[1]) if found else 0
        wait_for(lambda: urllib.request.urlopen(f"http://127.0.0.1:{port}/health"))
        name = f"toolemu serve, {workers} workers" if workers > 1 else "toolemu serve"
        yield Target(name, port, _family(running.pid))


@contextlib.contextmanager
def litellm(upstream_port: int, executable: Path, workers: int = 1) -> Iterator[Target]:
    """LiteLLM's proxy, without a database."""
    port = free_port()
    with tempfile.TemporaryDirectory() as folder:
        config = Path(folder, "config.yaml")
        config.write_text(
            "model_list:\n  - model_name: instant\n    litellm_params:\n      model: openai/instant\n"
            f"      api_base: http://127.0.0.1:{upstream_port}/v1\n      api_key: none\n"
        )
        command = [str(executable), "--config", str(config), "--port", str(port)]
        command += ["--host", "127.0.0.1", "--num_workers", str(workers)]
        with process(
            command, LITELLM_LOG="ERROR", LITELLM_MASTER_KEY=KEY, NO_PROXY="127.0.0.1"
        ) as running:
            wait_for(lambda: urllib.request.urlopen(f"http://127.0.0.1:{port}/health/liveliness"))
            name = "LiteLLM proxy" + (f", {workers} workers" if workers > 1 else "")
            yield Target(name, port, _family(running.pid))


def wait_for(works: object) -> None:
    """Wait until something raises no more."""
    for _ in range(_PATIENCE * 10):
        with contextlib.suppress(OSError):
            works()  # type: ignore[operator]
            return
        time.sleep(0.1)
    raise TimeoutError("the server did not start")


def _family(pid: int) -> tuple[int, ...]:
    """A process and those it started."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return (pid, *(one for child in children for one in _family(int(child))))


def megabytes(target: Target) -> float:
    """The memory that a server's processes hold, each counted whole."""
    pages = (int(Path(f"/proc/{pid}/statm").read_text().split()[1]) for pid in target.pids)
    return sum(pages) * os.sysconf("SC_PAGESIZE") / 1e6
