"""The servers that are measured, each in a process of its own and with its default settings."""

import contextlib
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from tests.benchmarks.serve.load import CALL, KEY, MODES, Target, request

OURS, FORGE = "`toolemu serve`", "Forge's proxy"
_PATIENCE = 300
_ENVIRONMENT = {
    "TOOLEMU_API_KEY": KEY,
    "LITELLM_MASTER_KEY": KEY,
    "LITELLM_LOG": "ERROR",
    "NO_PROXY": "127.0.0.1",
    "PYTHONDONTWRITEBYTECODE": "",  # as an installed package: compiled once
}


def free_port() -> int:
    """A port that is free."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextlib.contextmanager
def process(
    command: Sequence[str], stdout: int = subprocess.PIPE, **environment: str
) -> Iterator[subprocess.Popen[str]]:
    """A process for the time of a block."""
    with tempfile.TemporaryFile("w+") as log:
        running = subprocess.Popen(
            command,
            stdout=stdout,
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


# Given its own port, the upstream's, and a file for its settings: the command that runs a server.
Command: TypeAlias = Callable[[int, int, Path], list[str]]


def gateway(port: int, upstream_port: int, config: Path) -> list[str]:
    """The gateway, with a model for each of its ways."""
    where = f"http://127.0.0.1:{upstream_port}/v1"
    config = config.with_suffix(".toml")
    config.write_text(
        "\n".join(
            f'[models.{name}]\nmodel = "openai:{name}"\nbase_url = "{where}"\nmode = "{mode}"\n'
            for name, mode in MODES.items()
        )
    )
    own = [sys.executable, "-m", "langchain_toolemu", "serve", "--config", str(config)]
    return [*own, "--port", str(port), "--log-level", "warning"]


def litellm(rivals: Path) -> Command:
    """LiteLLM's proxy."""

    def command(port: int, upstream_port: int, config: Path) -> list[str]:
        config.write_text(
            "model_list:\n"
            + "".join(
                f"  - model_name: '{name}'\n    litellm_params:\n      model: openai/{name}\n"
                f"      api_base: http://127.0.0.1:{upstream_port}/v1\n      api_key: none\n"
                for name in MODES
            )
        )
        own = [str(rivals / "bin/litellm"), "--config", str(config), "--port", str(port)]
        return [*own, "--host", "127.0.0.1", "--num_workers", "1"]

    return command


def forge(rivals: Path) -> Command:
    """Forge's proxy, in front of a server that it does not manage."""

    def command(port: int, upstream_port: int, _config: Path) -> list[str]:
        own = [str(rivals / "bin/python"), "-m", "forge.proxy", "--backend", "openai"]
        return [*own, "--backend-url", f"http://127.0.0.1:{upstream_port}/v1", "--port", str(port)]

    return command


def toolrails(rivals: Path) -> Command:
    """Toolrails, to which the upstream is an Ollama."""

    def command(port: int, upstream_port: int, _config: Path) -> list[str]:
        own = [str(rivals / "bin/toolrails"), "--quiet", "--port", str(port)]
        return [*own, "--ollama", f"http://127.0.0.1:{upstream_port}"]

    return command


def known_servers(rivals: Path) -> Mapping[str, Command]:
    """The commands of all servers that are installed, by the names that the table has for them."""
    others = {
        "LiteLLM's proxy": ("bin/litellm", litellm),
        FORGE: ("bin/python", forge),
        "toolrails": ("bin/toolrails", toolrails),
    }
    installed = {
        name: make(rivals) for name, (file, make) in others.items() if (rivals / file).exists()
    }
    return {OURS: gateway, **installed}


@contextlib.contextmanager
def started(name: str, command: Command, upstream_port: int) -> Iterator[tuple[Target, float]]:
    """A server, and the seconds from the start of its process until it has answered a request."""
    port = free_port()
    with tempfile.TemporaryDirectory() as folder:
        written = command(port, upstream_port, Path(folder, "config.yaml"))
        start = time.perf_counter()
        with process(written, subprocess.DEVNULL, **_ENVIRONMENT) as running:
            wait_for(lambda: _answer(port), 0.01)
            seconds = time.perf_counter() - start
            yield Target(name, port, running.pid), seconds


def _answer(port: int) -> None:
    with socket.create_connection(("127.0.0.1", port), 60) as connection:
        connection.sendall(request(CALL))
        if not connection.recv(2**16).startswith(b"HTTP/1.1 200"):
            raise ConnectionError("not ready")


def wait_for(works: Callable[[], object], pause: float = 0.1) -> None:
    """Wait until something raises no more."""
    deadline = time.monotonic() + _PATIENCE
    while time.monotonic() < deadline:
        with contextlib.suppress(OSError):
            works()
            return
        time.sleep(pause)
    raise TimeoutError("the server did not start")


def _family(pid: int) -> Iterator[int]:
    """A process and those it started."""
    yield pid
    for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
        yield from _family(int(child))


def megabytes(target: Target) -> float:
    """The memory that a server's processes hold, each counted whole."""
    pages = (int(Path(f"/proc/{pid}/statm").read_text().split()[1]) for pid in _family(target.pid))
    return sum(pages) * os.sysconf("SC_PAGESIZE") / 1e6


def cpu_seconds(target: Target) -> float:
    """The CPU time that a server's processes have had."""
    fields = (
        Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        for pid in _family(target.pid)
    )
    return sum(int(one[11]) + int(one[12]) for one in fields) / os.sysconf("SC_CLK_TCK")
