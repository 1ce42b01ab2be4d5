"""Runs the server in this process, with an orderly shutdown; `uvicorn --factory` runs several."""

import errno
import gc
import logging
import signal
import socket
import warnings
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import uvicorn

from langchain_toolemu.errors import ToolEmuWarning, reason_of
from langchain_toolemu.options import in_own_options
from langchain_toolemu.serve.app import create_app
from langchain_toolemu.serve.gateway import Gateway
from langchain_toolemu.serve.request_log import JsonFormatter
from langchain_toolemu.serve.settings import ProcessSettings, SettingsError

_log = logging.getLogger("langchain_toolemu.serve")
_KEEP_ALIVE_SECONDS = 75
_BACKLOG = 2048


def serve_forever(process: ProcessSettings, announce: Callable[[Gateway, int], None]) -> None:
    """Listen, announce the port, and serve until stopped; or raise a `SettingsError`."""
    if process.log == "json" and logging.lastResort:  # for models that are being created
        logging.lastResort.setFormatter(JsonFormatter())
    _log_warnings()
    with open_listener(process.host, process.port) as listener:
        app = create_app(process)
        gc.freeze()  # what is loaded stays, and need not be looked through
        gc.enable()
        announce(app.state.gateway, listener.getsockname()[1])
        config = uvicorn.Config(
            app,
            log_config=_log_config(process.log_level, process.log),
            ws="none",
            access_log=False,
            server_header=False,
            proxy_headers=False,
            timeout_keep_alive=_KEEP_ALIVE_SECONDS,
            timeout_graceful_shutdown=process.drain,
        )
        # When all turns have ended, uvicorn sends the signal once more: the exit code is to be 0.
        signal.signal(signal.SIGTERM, lambda *_: None)
        with suppress(KeyboardInterrupt):
            uvicorn.Server(config).run(sockets=[listener])


def open_listener(host: str, port: int) -> socket.socket:
    """A socket that listens there: clients may connect, and are answered when all is loaded."""
    is_ip6 = ":" in host
    family = socket.AF_INET6 if is_ip6 else socket.AF_INET
    both = is_ip6 and socket.has_dualstack_ipv6()
    try:
        listener = socket.create_server(
            (host, port), family=family, backlog=_BACKLOG, dualstack_ipv6=both
        )
    except OSError as error:
        option = "--host" if error.errno not in (errno.EADDRINUSE, errno.EACCES) else "--port"
        where = f"{host}:{port}: {reason_of(error)}"
        raise SettingsError(
            f"Could not listen on {where}. Choose another with {option}."
        ) from error
    # Connections inherit it: small pieces are sent at once, not 40 ms later.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener


def _log_config(level: str, form: str) -> dict[str, Any]:
    """The configuration of logging: of others only warnings, since their details hold keys."""
    stderr = {"class": "logging.StreamHandler", "formatter": form}
    plain = "%(asctime)s %(levelname)s %(message)s"
    others = {"handlers": ["others"], "propagate": False}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"plain": {"format": plain}, "json": {"()": JsonFormatter}},
        "handlers": {"own": stderr, "others": {**stderr, "level": "WARNING"}},
        "loggers": {
            "langchain_toolemu": {"handlers": ["own"], "propagate": False, "level": level.upper()},
            "uvicorn": {**others, "level": "ERROR" if level == "error" else "WARNING"},
        },
        "root": {"handlers": ["others"], "level": "WARNING"},
    }


def _log_warnings() -> None:
    """Log Python warnings, without their place in the code."""

    def show(message: Any, category: type[Warning], *_where: Any, **_more: Any) -> None:
        kind = "" if issubclass(category, ToolEmuWarning) else f"{category.__name__}: "
        _log.warning("%s%s", kind, in_own_options(str(message)))

    warnings.showwarning = show
