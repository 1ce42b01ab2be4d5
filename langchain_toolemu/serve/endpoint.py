"""The endpoint of a protocol, as an ASGI app: a request is read, a turn is run, its answer is written.

- An error before the first byte of a stream is a response with its status; after it, the protocol's own error event.
- A client that goes away ends its turn, and with it the stream from the upstream.
- A log line says what was done, and holds no word of a prompt, an answer or an error.
"""

import asyncio
import logging
import time
from collections.abc import Mapping
from contextlib import aclosing
from typing import Any
from uuid import uuid4

from langchain_toolemu.errors import ToolSpecError
from langchain_toolemu.serve import sse
from langchain_toolemu.serve.access import client_key
from langchain_toolemu.serve.answer import Answer, Reading
from langchain_toolemu.serve.connection import (
    ClientGoneError,
    Connection,
    Receive,
    Scope,
    Send,
    while_connected,
)
from langchain_toolemu.serve.faults import INTERNAL, Fault, RequestError, fault_of, invalid
from langchain_toolemu.serve.forwarding import wire_of
from langchain_toolemu.serve.gateway import Gateway
from langchain_toolemu.serve.inspector.recording import Recording, current
from langchain_toolemu.serve.protocol import Exchange, StreamWriter, WireProtocol
from langchain_toolemu.serve.turns import PreparedTurn, TurnError, prepare

_log = logging.getLogger("langchain_toolemu.serve")


class Endpoint:
    """Answers the requests of one protocol.

    Args:
        protocol: The protocol.
        gateway: What all endpoints share.
    """

    def __init__(self, protocol: WireProtocol, gateway: Gateway) -> None:
        self._protocol = protocol
        self._gateway = gateway

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        await _Request(self._protocol, self._gateway, Connection(scope, receive, send)).answer()


class _Request:
    """One request, from its first byte to its last."""

    def __init__(self, protocol: WireProtocol, gateway: Gateway, connection: Connection) -> None:
        self._protocol = protocol
        self._gateway = gateway
        self._connection = connection
        self._id = f"req_{uuid4().hex[:24]}"
        self._started = time.perf_counter()
        self._model = "-"
        self._answer: Answer | None = None
        self._fault: Fault | None = None
        self._recording: Recording | None = None
        self._turn: PreparedTurn | None = None
        self._stream: _Stream | None = None

    async def answer(self) -> None:
        """Answer it, whatever happens."""
        try:
            await self._serve()
        except ClientGoneError:
            pass
        except Exception as error:  # noqa: BLE001 - a client is always answered
            await self._fail(error)
        finally:
            self._close()

    async def _serve(self) -> None:
        gateway, connection = self._gateway, self._connection
        limits = gateway.settings
        body = await connection.json_body(limits.max_body_bytes, limits.timeout)
        name = body.get("model")
        if not isinstance(name, str) or not name:
            raise invalid("Missing required parameter: 'model'.", "model")
        served = gateway.models.find(name)
        self._model = served.name
        verbatim = wire_of(served.upstream) == self._protocol.wire
        with gateway.gate.turn():
            self._record(body)
            exchange = self._protocol.read(body, connection.headers, verbatim=verbatim)
            key = client_key(connection.headers) if gateway.settings.forward_key else None
            self._turn = prepare(exchange.ask, served, key)
            work = self._streamed if exchange.ask.stream else self._whole
            await while_connected(work(exchange, self._turn), connection, limits.timeout)

    # --- the two ways of answering ---

    async def _whole(self, exchange: Exchange, turn: PreparedTurn) -> None:
        answer = self._answer = await turn.whole()
        report = _report(answer, turn)
        body = exchange.whole(answer)
        if exchange.ask.settings.report:
            body["toolemu"] = report
        headers = {**self._headers(turn), **_done(report)}
        await self._connection.respond(200, sse.dumps(body), headers)

    async def _streamed(self, exchange: Exchange, turn: PreparedTurn) -> None:
        reading, writer = Reading(), exchange.stream()
        settings = self._gateway.settings
        self._stream = stream = _Stream(self._connection, writer, self._headers(turn))
        async with stream.alive(settings.ping_seconds), aclosing(turn.streamed(reading)) as parts:
            async for some in parts:
                if self._connection.over:
                    raise ClientGoneError
                await stream.open()
                await stream.send(b"".join(map(writer.write, some)))
        answer, missing = reading.answer, reading.end()
        report = _report(answer, turn) if exchange.ask.settings.report else None
        await stream.open()
        await stream.send(writer.close(answer, missing, report))
        await stream.end()
        self._answer = answer

    def _headers(self, turn: PreparedTurn | None = None) -> dict[str, str]:
        """What every response says of itself, in the words of both vendors."""
        said = {"x-request-id": self._id, "request-id": self._id}
        if turn is not None:
            said |= {"x-toolemu-mode": turn.model.mode, "x-toolemu-model": turn.served}
            said |= {"x-toolemu-dropped": ", ".join(turn.dropped)} if turn.dropped else {}
        return said

    # --- what goes wrong ---

    async def _fail(self, error: Exception) -> None:
        fault = self._fault = self._explained(error)
        if self._stream is not None and self._stream.opened:
            await self._stream.fail(fault)
            return
        headers = {**self._headers(self._turn), **fault.headers()}
        body = {**self._protocol.write_fault(fault), "request_id": self._id}
        if self._protocol.wire != "anthropic_messages":
            body.pop("request_id")
        await self._connection.respond(fault.status, sse.dumps(body), headers)

    def _explained(self, error: Exception) -> Fault:
        """What the client is told; an error of our own is named in the log, and nowhere else."""
        match error:
            case RequestError():
                return error.fault
            case ToolSpecError():
                return fault_of(error)
            case TurnError(__cause__=Exception() as cause) if self._turn:
                _log.warning("%s: the turn failed with %s", self._id, type(cause).__name__)
                return fault_of(cause, self._turn.asked())
        _log.error("%s: %s", self._id, type(error).__name__)
        _log.debug("%s", self._id, exc_info=error)
        return INTERNAL

    # --- what is noted ---

    def _record(self, body: Mapping[str, Any]) -> None:
        if self._gateway.recordings is not None:
            self._recording = self._gateway.recordings.begin(self._protocol.wire, body)
            current.set(self._recording)

    def _close(self) -> None:
        if self._gateway.recordings is not None and self._recording is not None:
            self._gateway.recordings.end(self._recording, self._answer, self._fault)
        report = self._answer.report if self._answer else {}
        _log.info(
            "%s %s %s %s path=%s requests=%s %.0f ms",
            self._id,
            self._connection.scope["path"],
            self._connection.status or "left",
            self._model,
            report.get("path", "-"),
            report.get("requests", "-"),
            1000 * (time.perf_counter() - self._started),
        )


def _report(answer: Answer, turn: PreparedTurn) -> dict[str, Any]:
    """What was done for an answer: what `ChatToolEmu` says, and what was not sent on."""
    said = answer.report or {"path": "native", "mode": "off", "requests": 1, "reasks": []}
    return {**said, "model": turn.served, "dropped": list(turn.dropped)}


def _done(report: Mapping[str, Any]) -> dict[str, str]:
    """What was done, as headers."""
    return {
        "x-toolemu-path": str(report["path"]),
        "x-toolemu-requests": str(report["requests"]),
        "x-toolemu-reasks": str(len(report["reasks"])),
    }


class _Stream:
    """A stream of events that begins with its first one, or with a sign of life."""

    def __init__(
        self, connection: Connection, writer: StreamWriter, headers: Mapping[str, str]
    ) -> None:
        self._connection = connection
        self._writer = writer
        self._headers = headers
        self._lock = asyncio.Lock()
        self._last = time.monotonic()
        self.opened = False

    async def open(self) -> None:
        """Begin the stream, unless it has begun."""
        async with self._lock:
            if not self.opened:
                await self._connection.begin_stream(self._headers)
                self.opened = True
                await self._connection.write(self._writer.open())

    async def send(self, events: bytes) -> None:
        """Send events."""
        if events:
            self._last = time.monotonic()
            await self._connection.write(events)

    async def end(self) -> None:
        """The stream is over."""
        await self._connection.end_stream()

    async def fail(self, fault: Fault) -> None:
        """End an open stream with an error."""
        await self._connection.write(self._writer.fail(fault))
        await self._connection.end_stream()

    def alive(self, seconds: float) -> "_Pings":
        """Signs of life for as long as the upstream is silent."""
        return _Pings(self, seconds)

    async def ping_when_silent(self, seconds: float) -> None:
        """Give a sign of life whenever nothing was sent for so many seconds."""
        while True:
            silent = time.monotonic() - self._last
            await asyncio.sleep(max(seconds - silent, 0.01))
            if time.monotonic() - self._last >= seconds:
                await self.open()
                await self.send(self._writer.ping())


class _Pings:
    """The task that gives signs of life, for the time of a block."""

    def __init__(self, stream: _Stream, seconds: float) -> None:
        self._stream = stream
        self._seconds = seconds

    async def __aenter__(self) -> None:
        self._task = asyncio.ensure_future(self._stream.ping_when_silent(self._seconds))

    async def __aexit__(self, *_: object) -> None:
        self._task.cancel()
