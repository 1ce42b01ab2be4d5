"""One HTTP request and its response in ASGI: a body with a limit, a client that disconnects."""

import asyncio
import re
from codecs import BOM_UTF8
from collections.abc import Coroutine, Mapping, Sequence
from typing import Any, TypeVar

from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from langchain_toolemu.chat_models import sse
from langchain_toolemu.serve import off_loop
from langchain_toolemu.serve.faults import TOO_SLOW, Fault, RequestError, invalid, too_many
from langchain_toolemu.serve.large_json import TooManyValuesError, load_large
from langchain_toolemu.serve.settings import ServerSettings

T = TypeVar("T")

_JSON = "application/json"
_BY_BROWSERS = frozenset({"origin", "sec-fetch-site"})
_CONTROLS = re.compile(r"[\s\x00-\x1f\x7f-\x9f]+")
_MOST_HEADER = 4096  # characters: some clients accept only twice as many
_LARGE = 2**20  # bytes
# With references, a small schema may take long; any of their letters may be an escape.
_REFERENCES = re.compile(rb"\$ref|\\u00(?:24|72|65|66)")
_MOST_LEVELS = 100  # of nested objects and arrays: code that walks through a body may recurse
_CANCEL_AGAIN_SECONDS = 1.0
# Clients disagree on who adds `/v1`; Groq's and Azure's have a prefix of their own.
_PREFIX = re.compile(
    r"(?:/openai/deployments/([^/]+)|(?:/openai)?/v1|/openai)"
    r"(?=/(?:chat/completions|completions|embeddings|responses|messages|models)(?:/|$))"
)
CONNECTION = "toolemu.connection"  # where a scope has it
_STREAM = {"cache-control": "no-cache", "x-accel-buffering": "no"}  # for proxies


class HttpConnection:
    """A request, and its response."""

    def __init__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.scope = scope
        path = re.sub("//+", "/", scope["path"])  # of base URLs that end in a slash
        prefix = _PREFIX.match(path)
        self.endpoint = path[prefix.end() :] if prefix else path
        self.deployment = prefix and prefix[1]  # Azure's clients name the model in the path
        self.headers = Headers(scope=scope)
        self.status: int | None = None  # of the response, once it has begun
        self.over = False  # whether no client waits for the rest
        self.size = 0  # of its body, and of what that refers to, in bytes
        self._receive = receive
        self._send = send
        refused = "websocket." if scope["type"] == "websocket" else ""
        self._response = f"{refused}http.response"

    async def json_body(self, limits: ServerSettings) -> dict[str, Any]:
        """The body: a JSON object with its content type, within a size and a time limit."""
        kind = self.headers.get("content-type", "").partition(";")[0].strip().lower()
        # Ollama accepts any type, and its clients send none, or a form's; web pages must name it.
        lax = self.scope["path"].startswith("/api/") and _BY_BROWSERS.isdisjoint(self.headers)
        if kind != _JSON and not lax:
            raise RequestError(Fault(415, f"Content-Type must be {_JSON}.", "unsupported_media"))
        if self.headers.get("content-encoding", "identity").strip().lower() != "identity":
            message = "A compressed body is not supported: leave out Content-Encoding."
            raise RequestError(Fault(415, message, "unsupported_media"))
        try:
            pieces = await asyncio.wait_for(self._body(limits.max_body_bytes), limits.timeout)
        except asyncio.TimeoutError as error:
            raise RequestError(Fault(408, "The request took too long to arrive.")) from error
        self.size = sum(map(len, pieces))
        small = b"".join(pieces) if self.size < off_loop.LARGE else b""
        if _REFERENCES.search(small):
            self.size = off_loop.LARGE
        off_loop.request_bytes.set(self.size)
        return await off_loop.run(_parse, pieces, limits)

    async def _body(self, most: int) -> list[bytes]:
        announced = self.headers.get("content-length", "")
        _check_size(int(announced) if announced.isdecimal() else 0, most)
        pieces, size = [], 0
        async for piece in Request(self.scope, self._receive).stream():
            pieces.append(piece)
            size += len(piece)
            _check_size(size, most)
        return pieces

    async def wait_until_gone(self) -> None:
        """Return when the client has disconnected."""
        while (await self._receive())["type"] != "http.disconnect":
            pass

    async def respond(self, status: int, content: Any, headers: Mapping[str, str]) -> None:
        """Send a whole response: JSON, unless it is written already."""
        body = content if isinstance(content, bytes) else sse.dumps(content)
        described = {"content-type": _JSON, "content-length": str(len(body))}
        await self._start(status, {**described, **headers})
        await self.write(body, more=False)

    async def begin_stream(self, headers: Mapping[str, str]) -> None:
        """Begin a stream, whose content type is among the headers."""
        await self._start(200, {**_STREAM, **headers})

    async def write(self, events: bytes, *, more: bool = True) -> None:
        """Send events; the last ones end the stream."""
        await self._send({"type": f"{self._response}.body", "body": events, "more_body": more})

    async def _start(self, status: int, headers: Mapping[str, str]) -> None:
        self.status = status
        # A header holds no control characters, and values from clients may be too long.
        clean = ((name, _CONTROLS.sub(" ", headers[name])[:_MOST_HEADER]) for name in headers)
        sent = [(name.encode(), text.strip().encode("latin-1", "replace")) for name, text in clean]
        await self._send({"type": f"{self._response}.start", "status": status, "headers": sent})


def _check_size(size: int, most: int) -> None:
    if size > most:
        raise RequestError(Fault(413, f"The request is larger than {most:,} bytes.", "too_large"))


def _parse(pieces: Sequence[bytes], limits: ServerSettings) -> dict[str, Any]:
    """Parse a body; infinite numbers and lone surrogates are no JSON either."""
    content = b"".join(pieces).removeprefix(BOM_UTF8)
    try:
        with off_loop.without_collector():
            body = load_large(content, limits.most_values)
    except TooManyValuesError as error:
        flags = "--max-messages, --max-tools"
        raise too_many("JSON values", limits.most_values, flags) from error
    except sse.LongNumberError as error:
        problem = f"A number has more than {sse.MOST_DIGITS} digits"
        more = f"or {sse.MOST_LONG:,} integers more than 64 bits"
        raise invalid(f"{problem}, {more}.") from error
    except (ValueError, RecursionError) as error:
        raise invalid("The request body must be valid JSON.", code="invalid_json") from error
    if not isinstance(body, dict):
        raise invalid("The request body must be a JSON object.", code="invalid_json")
    if len(content) > _LARGE or content.count(b"[") + content.count(b"{") > _MOST_LEVELS:
        _check_depth(body)
    return body


def _check_depth(body: dict[str, Any]) -> None:
    for name, value in body.items():
        level = [value]
        for _ in range(_MOST_LEVELS):
            objects = [inner.values() for inner in level if isinstance(inner, dict)]
            arrays = [inner for inner in level if isinstance(inner, list)]
            level = [inner for values in (*objects, *arrays) for inner in values]
            if not level:
                break
        else:
            raise invalid(f"'{name}' is nested deeper than {_MOST_LEVELS} levels.", name)


def json_response(body: Any, status: int = 200) -> Response:
    """A response of a page that is JSON."""
    return Response(sse.dumps(body), status, media_type=_JSON)


async def while_connected(
    work: Coroutine[Any, Any, T], connection: HttpConnection, seconds: float
) -> T:
    """Await some work; cancel it and raise if the client disconnects or time runs out first."""
    task, gone = asyncio.ensure_future(work), asyncio.ensure_future(connection.wait_until_gone())
    try:
        await asyncio.wait({task, gone}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        if task.done():
            return task.result()
        raise ClientDisconnect if gone.done() else RequestError(TOO_SLOW)
    finally:
        connection.over = not task.done()
        for ending in (task, gone):
            await _cancel(ending)


async def _cancel(task: "asyncio.Future[Any]") -> None:
    # Before Python 3.12, `asyncio.wait_for` may swallow a cancellation: then another follows.
    while not task.done():
        task.cancel()
        await asyncio.wait({task}, timeout=_CANCEL_AGAIN_SECONDS)
    if not task.cancelled():
        task.exception()  # else asyncio warns that nobody retrieved it
