"""A real Redis for tests, as Debian's package `redis-server` has it."""

import importlib.util
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


def free_port() -> int:
    """A port that is free."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_for(port: int, process: subprocess.Popen[str] | subprocess.Popen[bytes]) -> None:
    """Wait until a process listens."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and process.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise TimeoutError(f"nothing listens on port {port}")


@contextmanager
def redis_server(folder: Path) -> Iterator[str]:
    """A server that keeps nothing on a disk; gives its address, or skips the test."""
    program = shutil.which("redis-server")
    if program is None:
        pytest.skip("wants redis-server: apt-get install redis-server")
    if not all(map(importlib.util.find_spec, ["langchain_community", "redis"])):
        pytest.skip("wants `pip install langchain-community redis`")
    port = free_port()
    options = ["--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", str(folder)]
    with subprocess.Popen([program, *options], stdout=subprocess.DEVNULL) as server:
        try:
            wait_for(port, server)
            yield f"redis://127.0.0.1:{port}"
        finally:
            server.terminate()
