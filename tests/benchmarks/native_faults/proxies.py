"""The proxies that are compared, each in a process of its own and with its default settings.

The rivals are installed apart (`make rivals`), since they pin half the ecosystem and one of them wants Python 3.12.
"""

import contextlib
import re
import socket
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

from tests.benchmarks.serve.servers import free_port, process, wait_for

# Given the server's address with `/v1` and the rivals' folder, runs a proxy and gives its own address.
Proxy: TypeAlias = Callable[[str, Path], contextlib.AbstractContextManager[str]]
KEY = "test-key-of-the-benchmark"


@contextlib.contextmanager
def no_proxy(upstream: str, _rivals: Path) -> Iterator[str]:
    """The server itself."""
    yield upstream


@contextlib.contextmanager
def toolemu(upstream: str, _rivals: Path) -> Iterator[str]:
    """Our own gateway, which passes the client's model names on: each run is a model that nothing is known of."""
    command = [sys.executable, "-m", "langchain_toolemu", "serve", "--model", "openai:*"]
    command += ["--base-url", upstream, "--port", "0", "--log-level", "error"]
    with process(command, TOOLEMU_API_KEY=KEY, OPENAI_API_KEY="none") as running:
        assert running.stdout is not None
        for line in running.stdout:
            if found := re.search(r"serves on (http://127\.0\.0\.1:\d+)", line):
                break
        assert found, "the gateway did not start"
        yield f"{found[1]}/v1"


def forge(*flags: str) -> Proxy:
    """Forge's proxy, in front of a server that it does not manage."""

    @contextlib.contextmanager
    def run(upstream: str, rivals: Path) -> Iterator[str]:
        python = rivals / "bin/python"
        own = ["-m", "forge.proxy", "--backend-url", upstream, "--backend", "openai", *flags]
        with _listening(lambda port: [str(python), *own, "--port", str(port)]) as url:
            yield f"{url}/v1"

    return run


@contextlib.contextmanager
def toolrails(upstream: str, rivals: Path) -> Iterator[str]:
    """Toolrails, to which the server is an Ollama."""
    own = [str(rivals / "bin/toolrails"), "--quiet", "--ollama", upstream.removesuffix("/v1")]
    with _listening(lambda port: [*own, "--port", str(port)]) as url:
        yield f"{url}/v1"


@contextlib.contextmanager
def litellm(upstream: str, rivals: Path) -> Iterator[str]:
    """LiteLLM's proxy, without a database."""
    with tempfile.TemporaryDirectory() as folder:
        config = Path(folder, "config.yaml")
        config.write_text(
            'model_list:\n  - model_name: "*"\n    litellm_params:\n      model: "openai/*"\n'
            f"      api_base: {upstream}\n      api_key: none\n"
        )
        own = [str(rivals / "bin/litellm"), "--config", str(config), "--host", "127.0.0.1"]
        with _listening(lambda port: [*own, "--port", str(port)]) as url:
            yield f"{url}/v1"


@contextlib.contextmanager
def _listening(command: Callable[[int], list[str]]) -> Iterator[str]:
    """A process that listens on a port that it is given."""
    port = free_port()
    own = {"LITELLM_LOG": "ERROR", "LITELLM_MASTER_KEY": KEY, "NO_PROXY": "127.0.0.1"}
    with process(command(port), **own):
        wait_for(lambda: socket.create_connection(("127.0.0.1", port), 1).close())
        yield f"http://127.0.0.1:{port}"


OURS: dict[str, Proxy] = {"no proxy": no_proxy, "toolemu": toolemu}
RIVALS: dict[str, Proxy] = {
    "toolrails": toolrails,
    "forge": forge(),
    "forge respond": forge("--inject-respond-tool"),
    "litellm": litellm,
}
