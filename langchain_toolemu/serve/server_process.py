"""Runs the server: in one process or several, with an orderly shutdown."""

import errno
import gc
import inspect
import logging
import os
import signal
import socket
import warnings
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import replace
from tempfile import TemporaryDirectory
from typing import Any

from starlette.applications import Starlette
from typing_extensions import override
from uvicorn.config import Config
from uvicorn.server import Server

from langchain_toolemu.errors import ToolEmuWarning, reason_of
from langchain_toolemu.options import in_own_options
from langchain_toolemu.serve.app import create_app
from langchain_toolemu.serve.gateway import Gateway, start_embedded
from langchain_toolemu.serve.metrics import SHARED_FOLDER
from langchain_toolemu.serve.request_log import JsonFormatter
from langchain_toolemu.serve.settings import ENVIRONMENT, ProcessSettings, S, SettingsError

_log = logging.getLogger("langchain_toolemu.serve")
_KEEP_ALIVE_SECONDS = 75
_BACKLOG = 2048
_UPGRADE_WARNINGS = ("Unsupported upgrade request", "No supported WebSocket library")
_COLLECTED_AFTER = (700, 2, 2)  # new objects, and collections of the younger generation


def start_embedded_models(settings: S, stack: ExitStack) -> S:
    """The settings with each embedded model started, once for all workers."""
    models = [
        start_embedded(model, stack) if model.model is None else model for model in settings.models
    ]
    return replace(settings, models=tuple(models))


def serve_forever(
    process: ProcessSettings, stack: ExitStack, announce: Callable[[Gateway, int], None]
) -> None:
    """Listen, announce the port, and serve until the process is stopped; or raise a `SettingsError`."""
    if process.log == "json" and logging.lastResort:  # for models that are being created
        logging.lastResort.setFormatter(JsonFormatter())
    _log_warnings()
    with open_listener(process.host, process.port) as listener:
        port = listener.getsockname()[1]
        if process.workers > 1:
            announce(Gateway(process, {}, stack), port)
            _serve_with_workers(process, listener, stack)
            return
        app = create_lasting_app(process)
        announce(app.state.gateway, port)
        # When all turns have ended, uvicorn sends the signal once more; it must not kill the process then.
        signal.signal(signal.SIGTERM, lambda *_: None)
        with suppress(KeyboardInterrupt):
            Server(_config(app, process)).run(sockets=[listener])


def create_lasting_app(settings: ProcessSettings | None = None) -> Starlette:
    """The app of a process that only serves: the collector can ignore what it has loaded."""
    _log_warnings()
    app = create_app(settings)
    gc.freeze()
    # A turn leaves cycles behind, and what is frozen costs nothing: old objects are looked through often.
    gc.set_threshold(*_COLLECTED_AFTER)
    gc.enable()
    return app


def _serve_with_workers(
    process: ProcessSettings, listener: socket.socket, stack: ExitStack
) -> None:
    folder = stack.enter_context(TemporaryDirectory(prefix="toolemu-"))
    os.environ.setdefault(SHARED_FOLDER, folder)
    os.environ[ENVIRONMENT] = process.to_json()
    config = _config(f"{__name__}:{create_lasting_app.__name__}", process)
    from uvicorn.supervisors import Multiprocess

    # Older versions of uvicorn need to be told what a worker runs.
    wanted = inspect.signature(Multiprocess).parameters
    target: dict[str, Any] = {"target": Server(config).run} if "target" in wanted else {}
    Multiprocess(config, sockets=[listener], **target).run()


def _config(app: Starlette | str, process: ProcessSettings) -> Config:
    return Config(
        app,
        factory=isinstance(app, str),
        host=process.host,
        port=process.port,
        workers=process.workers,
        log_config=_log_config(process.log_level, process.log),
        ws="none",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_keep_alive=_KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=process.drain,
    )


def open_listener(host: str, port: int) -> socket.socket:
    """A socket that listens there."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Only if the protocol is named does asyncio send small pieces at once, not 40 ms later.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        # Clients may connect from now on; they are answered when the server has started.
        listener.listen(_BACKLOG)
    except OSError as error:
        listener.close()
        option = "--host" if error.errno not in (errno.EADDRINUSE, errno.EACCES) else "--port"
        message = (
            f"Could not listen on {host}:{port}: {reason_of(error)}. Choose another with {option}."
        )
        raise SettingsError(message) from error
    listener.set_inheritable(True)
    return listener


def _log_config(level: str, form: str) -> dict[str, Any]:
    """The configuration of logging; details of others hold headers, and so keys."""
    handlers = {"handlers": ["stderr"], "propagate": False}
    plain = "%(asctime)s %(levelname)s %(message)s"
    shown = {"class": "logging.StreamHandler", "formatter": form, "filters": ["shown"]}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "filters": {"shown": {"()": _Shown}},
        "formatters": {"plain": {"format": plain}, "json": {"()": JsonFormatter}},
        "handlers": {"stderr": shown},
        "loggers": {
            "langchain_toolemu": {**handlers, "level": level.upper()},
            "uvicorn": {**handlers, "level": "ERROR" if level == "error" else "WARNING"},
        },
        "root": {"handlers": ["stderr"], "level": "WARNING"},
    }


class _Shown(logging.Filter):
    """Whatever level somebody sets for other loggers; that an upgrade is asked for is no news."""

    @override
    def filter(self, record: logging.LogRecord) -> bool:
        is_own = record.name.partition(".")[0] == "langchain_toolemu"
        is_news = not str(record.msg).startswith(_UPGRADE_WARNINGS)
        return is_own or (record.levelno >= logging.WARNING and is_news)


def _log_warnings() -> None:
    """Log Python warnings, without their place in the code."""

    def show(message: Any, category: type[Warning], *_where: Any, **_more: Any) -> None:
        kind = "" if issubclass(category, ToolEmuWarning) else f"{category.__name__}: "
        _log.warning("%s%s", kind, in_own_options(str(message)))

    warnings.showwarning = show
