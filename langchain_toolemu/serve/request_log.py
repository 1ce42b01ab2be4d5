"""The log of a gateway: each line that is written while a request is answered begins with the request's id.

The response's headers and the inspector have the same id. With `--log json` a line is a JSON object.
"""

import json
import logging
from contextvars import ContextVar
from datetime import datetime, timezone
from typing import Any
from uuid import uuid4

from typing_extensions import override

# The id of the request that this task answers; empty outside of one.
request_id: ContextVar[str] = ContextVar("toolemu_request_id", default="")


def begin_request() -> str:
    """A new id for the request that is answered from here on."""
    request_id.set(f"req_{uuid4().hex[:24]}")
    return request_id.get()


def _add_id(record: logging.LogRecord) -> bool:
    vars(record)["request_id"] = id_ = request_id.get()
    if id_:
        record.msg = f"{id_}: {record.msg}"
    return True


def log_request_ids() -> None:
    """Begin the lines of this package with the id of their request, however the log is set up."""
    for name in ("langchain_toolemu", "langchain_toolemu.serve"):
        logging.getLogger(name).addFilter(_add_id)  # which is there once at most


class JsonFormatter(logging.Formatter):
    """A line as a JSON object; what a line has in `extra={"fields": ...}` are fields of it."""

    @override
    def format(self, record: logging.LogRecord) -> str:
        id_ = getattr(record, "request_id", request_id.get())
        said: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, timezone.utc).isoformat(),
            "level": record.levelname.lower(),
            "logger": record.name,
            "process": record.process,
            "request_id": id_ or None,
            "message": record.getMessage().removeprefix(f"{id_}: "),
            **getattr(record, "fields", {}),
        }
        if record.exc_info:
            said["traceback"] = self.formatException(record.exc_info)
        return json.dumps(said, default=str)
