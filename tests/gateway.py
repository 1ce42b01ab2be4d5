"""A gateway for tests: a real server on loopback, in a thread, in front of whatever chat model a test gives it."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import uvicorn
from starlette.applications import Starlette

from langchain_toolemu.serve import create_app
from langchain_toolemu.serve.server_process import open_listener


@dataclass(frozen=True)
class RunningGateway:
    """A gateway that answers.

    Attributes:
        url: Where it is, as Anthropic's clients want it.
        app: The app itself.
    """

    url: str
    app: Starlette

    @property
    def v1(self) -> str:
        """Where it is, as OpenAI's clients want it."""
        return f"{self.url}/v1"


async def _sleep_shortly(seconds: float) -> None:
    await asyncio.sleep(seconds / 10)


# uvicorn looks every tenth of a second whether it is to end, and waits another one before it does.
uvicorn.server.asyncio = SimpleNamespace(**{**vars(asyncio), "sleep": _sleep_shortly})


@contextmanager
def running(app: Starlette, **options: Any) -> Iterator[RunningGateway]:
    """Run an app for the time of a block; the options are uvicorn's."""
    own = {"ws": "none", "log_level": "error", "timeout_graceful_shutdown": 5}
    config = uvicorn.Config(app, port=0, **own, **options)
    server = uvicorn.Server(config)
    socket = open_listener("127.0.0.1", 0)
    thread = threading.Thread(
        target=asyncio.run, args=(server.serve(sockets=[socket]),), daemon=True
    )
    thread.start()
    try:
        yield RunningGateway(f"http://127.0.0.1:{socket.getsockname()[1]}", app)
    finally:
        server.should_exit = True
        thread.join()
        socket.close()


@contextmanager
def gateway(model: Any = None, **settings: Any) -> Iterator[RunningGateway]:
    """Serve a chat model, or several by name."""
    with running(create_app(model, **settings)) as server:
        yield server
