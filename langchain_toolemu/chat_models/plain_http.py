"""HTTP/1.1 to a model's server on this machine or network, for a third of what httpx's own transport takes.

- It is a transport of httpx, so that OpenAI's client uses it. It knows no TLS and no proxies. `send` is for those who need no
  more of httpx: its request and response take as long again.
- A request is one write. What arrives together is one piece, however the server cut it into chunks.
"""

import asyncio
import re
import time
from collections import defaultdict
from collections.abc import AsyncGenerator, Coroutine, Mapping
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from openai import DefaultAsyncHttpxClient
from typing_extensions import override

if TYPE_CHECKING:
    import httpx
else:  # OpenAI's client may use a successor of httpx
    httpx = import_module(DefaultAsyncHttpxClient.__mro__[1].__module__.partition(".")[0])

_IDLE_SECONDS = 4.0  # many servers close a connection after five
_MOST_IDLE = 100
_READ_BYTES = 2**16
_WRITE_BYTES = 2**18
_MOST_HEAD_BYTES = 2**18
_MOST_CHUNK_HEAD_BYTES = 2**13
_STATUS = re.compile(rb"HTTP/1\.([01]) (\d{3})")
_CHUNK = re.compile(rb"(?:\r\n)?([0-9a-fA-F]{1,15})[ \t]*(?:;[^\r\n]*)?\r\n")
_TRAILERS = re.compile(rb"(?:[^\r\n]+\r\n)*\r\n")
_FRAMING = (b"content-length", b"transfer-encoding")


class PlainTransport(httpx.AsyncBaseTransport):
    """Sends requests over connections that are used again."""

    def __init__(self) -> None:
        self._idle: dict[Any, list[_Connection]] = defaultdict(list)  # by host and port

    @override
    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        response = await self.send(RequestHead.of(request), await request.aread())
        return response.to_httpx()

    async def send(self, head: "RequestHead", body: bytes) -> "PlainResponse":
        """Send a request; the body of its response is read later."""
        where = head.host, head.port
        connection = self._take(where) or await _connect(*where, head.connect_seconds)
        try:
            return await connection.ask(head, body, self._idle[where])
        except BaseException:
            connection.abort()
            raise

    def _take(self, where: tuple[str, int]) -> "_Connection | None":
        while idle := self._idle[where]:
            connection = idle.pop()
            if connection.is_usable:
                return connection
            connection.abort()
        return None

    @override
    async def aclose(self) -> None:
        for connections in self._idle.values():
            while connections:
                connections.pop().abort()


@dataclass(frozen=True, slots=True)
class RequestHead:
    """Where a request goes, and its head but for the length of its body: it can be sent with many."""

    host: str
    port: int
    lines: bytes
    connect_seconds: float | None
    read_seconds: float | None

    @classmethod
    def of(cls, request: httpx.Request) -> "RequestHead":
        """The head of a request."""
        fields = [pair for pair in request.headers.raw if pair[0].lower() not in _FRAMING]
        lines = [request.method.encode() + b" " + request.url.raw_path + b" HTTP/1.1"]
        lines += [name + b": " + value for name, value in fields]
        if any(b"\n" in line or b"\r" in line for line in lines):
            raise httpx.LocalProtocolError("A header holds the end of a line.")
        timeouts = request.extensions.get("timeout", {})
        seconds = timeouts.get("connect"), timeouts.get("read")
        return cls(request.url.host, request.url.port or 80, b"\r\n".join(lines), *seconds)


@dataclass(slots=True)
class PlainResponse:
    """A response: its head, and a body that is read later."""

    status_code: int
    version: bytes
    fields: list[tuple[bytes, bytes]]
    headers: dict[bytes, bytes]  # by names in lower case
    body: "_Body"
    content: bytes = b""  # once it is read

    @property
    def is_usual(self) -> bool:
        """Whether the body is what was asked for, and needs no decoding."""
        return 200 <= self.status_code < 300 and b"content-encoding" not in self.headers

    async def aread(self) -> None:
        """Read the body."""
        try:
            self.content = b"".join([piece async for piece in self.body])
        finally:
            await self.body.aclose()

    @property
    def text(self) -> str:
        """The body as a text, in the encoding that the head names."""
        return httpx.Response(self.status_code, headers=self.fields, content=self.content).text

    def to_httpx(self, request: httpx.Request | None = None) -> httpx.Response:
        """The same as httpx has it."""
        about = {"http_version": b"HTTP/1." + self.version}
        return httpx.Response(
            self.status_code,
            headers=self.fields,
            stream=self.body,
            request=request,
            extensions=about,
        )


async def _connect(host: str, port: int, seconds: float | None) -> "_Connection":
    opening = asyncio.open_connection(host, port, limit=_MOST_HEAD_BYTES)
    try:
        return _Connection(*await asyncio.wait_for(opening, seconds))
    except asyncio.TimeoutError as error:
        raise httpx.ConnectTimeout("The server accepts no connection.") from error
    except OSError as error:
        raise httpx.ConnectError(str(error)) from error


class _Connection:
    """A connection, for one request at a time."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer
        self._loop = asyncio.get_running_loop()
        self._used = time.monotonic()
        self._seconds: float | None = None  # that a read may take
        self._is_late = False

    @property
    def is_usable(self) -> bool:
        is_open = not (self._reader.at_eof() or self._writer.is_closing())
        is_own = self._loop is asyncio.get_running_loop()
        return is_open and is_own and time.monotonic() - self._used < _IDLE_SECONDS

    def abort(self) -> None:
        if not self._loop.is_closed():
            self._writer.transport.abort()

    async def ask(self, head: RequestHead, body: bytes, idle: "list[_Connection]") -> PlainResponse:
        """Send a request and read the head of its response, whose body is read later; then the connection is idle."""
        self._seconds = head.read_seconds
        await self._send(head.lines, memoryview(body))
        version, status = b"", 100
        while status < 200:
            raw = await self._timed(self._reader.readuntil(b"\r\n\r\n"))
            first, *lines = raw[:-4].split(b"\r\n")
            if not (found := _STATUS.match(first)):
                raise httpx.RemoteProtocolError("The server does not speak HTTP/1.1.")
            version, status = found[1], int(found[2])
        pairs = (line.partition(b":") for line in lines)
        fields = [(name.strip(), value.strip()) for name, _, value in pairs]
        headers: dict[bytes, bytes] = {}
        for name, value in fields:
            key = name.lower()
            headers[key] = headers[key] + b", " + value if key in headers else value
        closes = version == b"0" or b"close" in headers.get(b"connection", b"").lower()
        stream = _Body(self, _framing(status, headers), None if closes else idle)
        return PlainResponse(status, version, fields, headers, stream)

    async def _send(self, head: bytes, body: memoryview) -> None:
        """Send a request: a large one bit by bit, so that nobody waits while it is copied."""
        length = b"\r\ncontent-length: %d\r\n\r\n" % len(body)
        self._writer.write(head + length + body[:_WRITE_BYTES])
        for at in range(_WRITE_BYTES, len(body), _WRITE_BYTES):
            with suppress(ConnectionError):  # the server may have refused it already
                await self._writer.drain()
            self._writer.write(body[at : at + _WRITE_BYTES])

    async def read(self) -> bytes:
        """What has arrived; empty if the server closed the connection."""
        return await self._timed(self._reader.read(_READ_BYTES))

    def release(self, idle: "list[_Connection] | None") -> None:
        """Become idle, or close."""
        self._used = time.monotonic()
        if idle is None or len(idle) >= _MOST_IDLE:
            self.abort()
        else:
            idle.append(self)

    async def _timed(self, reading: Coroutine[Any, Any, bytes]) -> bytes:
        seconds = self._seconds
        timer = None if seconds is None else self._loop.call_later(seconds, self._expire)
        try:
            read = await reading
        except (OSError, EOFError, asyncio.LimitOverrunError) as error:
            kind = httpx.ReadTimeout if self._is_late else httpx.RemoteProtocolError
            raise kind("The server sent no complete response.") from error
        finally:
            if timer is not None:
                timer.cancel()
        if self._is_late:
            raise httpx.ReadTimeout("The server does not answer.")
        return read

    def _expire(self) -> None:
        self._is_late = True
        self.abort()


class _Body(httpx.AsyncByteStream):
    """The body of a response; once it is read, the connection is among the idle ones."""

    def __init__(
        self,
        connection: _Connection,
        framing: "_Sized | _Chunked",
        idle: list[_Connection] | None,
    ) -> None:
        self._connection, self._framing, self._idle = connection, framing, idle
        self._is_closed = False

    @override
    async def __aiter__(self) -> AsyncGenerator[bytes, None]:
        framing = self._framing
        while not framing.is_over:
            data = framing.feed(await self._connection.read())
            if data:
                yield data

    @override
    async def aclose(self) -> None:
        if not self._is_closed:
            self._is_closed = True
            self._connection.release(self._idle if self._framing.is_over else None)


def _framing(status: int, headers: Mapping[bytes, bytes]) -> "_Sized | _Chunked":
    if b"chunked" in headers.get(b"transfer-encoding", b"").lower():
        return _Chunked()
    size = b"0" if status in (204, 304) else headers.get(b"content-length", b"")
    return _Sized(int(size) if size.isdigit() else None)


class _Sized:
    """A body of a known size, or up to the end of the connection."""

    def __init__(self, size: int | None) -> None:
        self._left = size
        self.is_over = size == 0

    def feed(self, piece: bytes) -> bytes:
        if self._left is None:
            self.is_over = not piece
            return piece
        self._left -= len(piece)
        self.is_over = self._left == 0
        if self._left < 0 or not piece:
            raise httpx.RemoteProtocolError("The response is not as long as the server said.")
        return piece


class _Chunked:
    """A body in chunks."""

    def __init__(self) -> None:
        self.is_over = False
        self._left = 0  # bytes of a chunk that has begun
        self._rest = b""  # which may be the start of a chunk's head

    def feed(self, piece: bytes) -> bytes:
        text, at, found = self._rest + piece, 0, list[bytes]()
        while True:
            found.append(text[at : at + self._left])
            at += len(found[-1])
            self._left -= len(found[-1])
            head = None if self._left else _CHUNK.match(text, at)
            if head is None:
                break
            self._left = int(head[1], 16)
            if self._left == 0:
                end = _TRAILERS.match(text, head.end())
                self.is_over = end is not None
                break
            at = head.end()
        self._rest = text[at:]
        if not self.is_over and (not piece or len(self._rest) > _MOST_CHUNK_HEAD_BYTES):
            raise httpx.RemoteProtocolError("The server broke off, or sent no chunks.")
        return b"".join(found)
