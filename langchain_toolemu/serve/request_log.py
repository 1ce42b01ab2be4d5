"""The log of a gateway: each line about a request begins with the request's id.

The response's headers and the inspector have it, too. With `--log json` a line is a JSON object.
"""

import json
import logging
from contextvars import ContextVar
from datetime import datetime, timezone
from typing import Any
from uuid import uuid4

from typing_extensions import override

# The id of the request that this task answers; empty outside of a request.
request_id: ContextVar[str] = ContextVar("toolemu_request_id", default="")


def begin_request() -> str:
    """Set and return a new id for the request of this task."""
    request_id.set(f"req_{uuid4().hex[:24]}")
    return request_id.get()


def _add_id(record: logging.LogRecord) -> bool:
    vars(record)["request_id"] = id_ = request_id.get()
    if id_:
        record.msg = f"{id_}: {record.msg}"
    return True


def log_request_ids() -> None:
    """Put the request's id before each log line of this package, however logging is configured."""
    for name in ("langchain_toolemu", "langchain_toolemu.serve"):
        logging.getLogger(name).addFilter(_add_id)  # added at most once


class JsonFormatter(logging.Formatter):
    """Formats a line as a JSON object; `extra={"fields": ...}` adds fields to it."""

    @override
    def format(self, record: logging.LogRecord) -> str:
        id_ = getattr(record, "request_id", request_id.get())
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, timezone.utc).isoformat(),
            "level": record.levelname.lower(),
            "logger": record.name,
            "process": record.process,
            "request_id": id_ or None,
            "message": record.getMessage().removeprefix(f"{id_}: "),
            **getattr(record, "fields", {}),
        }
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str)
