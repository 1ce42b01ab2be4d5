"""The servers that a reader of the docs would have, played by the obedient model.

Programs written for people run here unchanged: they find OpenAI, an OpenAI-compatible server and Ollama by the
environment, or at the addresses that people really write. Models called `gpt-...` call tools natively, all others are
on servers that refuse them.
"""

import itertools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pytest

from langchain_toolemu import forget_tool_support
from tests.obedient_model import obey
from tests.scripted_ollama import ScriptedOllama
from tests.scripted_server import Reply, ScriptedServer, without_tools

_WRITTEN = tuple(f"http://localhost:{port}/v1" for port in (11434, 8000, 8080))
"""Where Ollama, vLLM and llama-server listen by default."""

MAX_REQUESTS = 100


@dataclass(frozen=True)
class Playground:
    """Servers to run programs against."""

    server: ScriptedServer
    ollama: ScriptedOllama

    def at_home(self, source: str) -> str:
        """A program with the addresses that people write replaced by the server's own."""
        for address in _WRITTEN:
            source = source.replace(address, self.server.base_url)
        return source


@contextmanager
def playground() -> Iterator[Playground]:
    """Start the servers, put them into the environment, and forget what was learned of them."""
    ollama = ScriptedOllama(_bounded(_in_text), capabilities=["completion"])
    with (
        ScriptedServer(_bounded(_by_name)) as server,
        ollama,
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.setenv("OPENAI_BASE_URL", server.base_url)
        patch.setenv("OPENAI_API_KEY", "none")
        patch.setenv("OLLAMA_HOST", ollama.url)
        patch.setenv("NO_PROXY", "127.0.0.1,localhost")
        patch.delenv("TOOLEMU_MODE", raising=False)
        forget_tool_support()
        yield Playground(server, ollama)


def _bounded(script: Callable[..., Any]) -> Callable[..., Any]:
    """A script that ends a program which asks for ever: an agent's own limit is thousands of rounds."""
    asked = itertools.count(1)

    def play(request: dict[str, Any]) -> Any:
        assert next(asked) <= MAX_REQUESTS, "so many requests: the program does not end"
        return script(request)

    return play


def _by_name(request: dict[str, Any]) -> Reply | str:
    able = request["model"].startswith("gpt-")
    return obey(request) if able else without_tools(obey)(request)


def _in_text(request: dict[str, Any]) -> str:
    """Ollama's client always sends a list of tools, were it empty."""
    return "".join(obey({key: request[key] for key in request if key != "tools"}).text)
