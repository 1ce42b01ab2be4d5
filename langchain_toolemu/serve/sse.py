"""JSON and server-sent events, as bytes."""

import json
from typing import Any

from starlette.responses import Response

# A comment: clients skip it, and proxies see that the connection lives.
KEEP_ALIVE = b": keep-alive\n\n"
DONE = b"data: [DONE]\n\n"


def data(value: Any) -> bytes:
    """An event without a name."""
    return b"data: " + dumps(value) + b"\n\n"


def event(name: str, value: Any) -> bytes:
    """An event with a name."""
    return b"event: " + name.encode() + b"\ndata: " + dumps(value) + b"\n\n"


def json_response(body: Any, status: int = 200) -> Response:
    """A response that is JSON."""
    return Response(dumps(body), status, media_type="application/json")


def dumps(value: Any) -> bytes:
    """A value as JSON on one line, whatever a client takes for the end of one; a lone surrogate is escaped."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    if text.isascii():
        return text.encode()
    try:
        return text.translate(_LINE_ENDS).encode()
    except UnicodeEncodeError:
        return json.dumps(value, separators=(",", ":")).encode()


_LINE_ENDS = {ord(end): f"\\u{ord(end):04x}" for end in "\x85\u2028\u2029"}
