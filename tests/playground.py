"""The servers that a reader of the docs would have, played by the obedient model.

Programs written for people run here unchanged: they find OpenAI, an OpenAI-compatible server and Ollama by the
environment, or at the addresses that people really write. Models called `gpt-...` call tools natively. Those called
`qwen2.5-coder...` are said to, and write their calls as text. All others are on servers that refuse tools.
"""

import itertools
import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest

from langchain_toolemu import forget_tool_support
from tests.gateway import gateway
from tests.obedient_model import obey
from tests.scripted_ollama import ScriptedOllama
from tests.scripted_server import Reply, ScriptedServer, without_tools

_WRITTEN = (
    *(f"http://localhost:{port}/v1" for port in (11434, 8000, 8080, 1234)),
    "https://openrouter.ai/api/v1",
)
"""Where Ollama, vLLM, llama-server, LM Studio and OpenRouter are."""

_GATEWAY = "http://localhost:8787"

MAX_REQUESTS = 100


@dataclass(frozen=True)
class Playground:
    """Servers to run programs against."""

    server: ScriptedServer
    ollama: ScriptedOllama
    stack: ExitStack
    _gateways: list[str] = field(default_factory=list)

    def at_home(self, source: str) -> str:
        """A program with the addresses that people write replaced by the server's own."""
        for address in _WRITTEN:
            source = source.replace(address, self.server.base_url)
        return source.replace(_GATEWAY, self._gateway()) if _GATEWAY in source else source

    def _gateway(self) -> str:
        """Where a gateway in front of the server is, which is started when a program wants one."""
        if not self._gateways:
            model = self.server.chat_model(model="gemma2")
            self._gateways.append(self.stack.enter_context(gateway(model)).url)
        return self._gateways[0]


@contextmanager
def playground() -> Iterator[Playground]:
    """Start the servers, put them into the environment, and forget what was learned of them."""
    ollama = _Ollama(_bounded(_in_text), capabilities=["completion"])
    with (
        ScriptedServer(_bounded(_by_name)) as server,
        ollama,
        pytest.MonkeyPatch.context() as patch,
        ExitStack() as stack,
    ):
        patch.setenv("OPENAI_BASE_URL", server.base_url)
        patch.setenv("OPENAI_API_KEY", "none")
        patch.setenv("OLLAMA_HOST", ollama.url)
        patch.setenv("NO_PROXY", "127.0.0.1,localhost")
        patch.delenv("TOOLEMU_MODE", raising=False)
        forget_tool_support()
        yield Playground(server, ollama, stack)


def _bounded(script: Callable[..., Any]) -> Callable[..., Any]:
    """A script that ends a program which asks for ever: an agent's own limit is thousands of rounds."""
    asked = itertools.count(1)

    def play(request: dict[str, Any]) -> Any:
        assert next(asked) <= MAX_REQUESTS, "so many requests: the program does not end"
        return script(request)

    return play


def _by_name(request: dict[str, Any]) -> Reply | str:
    if _writes_calls(request["model"]):
        return _written(request)
    able = request["model"].startswith("gpt-")
    return obey(request) if able else without_tools(obey)(request)


def _in_text(request: dict[str, Any]) -> str:
    """Ollama's client always sends a list of tools, were it empty."""
    if request.get("tools"):
        return _written(request)
    return "".join(obey({key: request[key] for key in request if key != "tools"}).text)


def _writes_calls(model: str) -> bool:
    return model.startswith("qwen2.5-coder")


def _written(request: dict[str, Any]) -> str:
    """A reply to a native request, with its calls as text."""
    reply = obey(request)
    calls = [{"name": name, "arguments": args} for name, args in reply.tool_calls]
    return "\n".join(map(json.dumps, calls)) or "".join(reply.text)


class _Ollama(ScriptedOllama):
    """A server with several models: what it says of a model depends on the name."""

    def answer(self, path: str, body: dict[str, Any]) -> tuple[int, list[Any]]:
        able = _writes_calls(body.get("model", ""))
        self.capabilities = ["completion", "tools"] if able else ["completion"]
        status, lines = super().answer(path, body)
        tokens = len(json.dumps(body)) // 4
        return status, [
            {**line, "prompt_eval_count": tokens} if "prompt_eval_count" in line else line
            for line in lines
        ]
