"""The endpoint of a protocol, as an ASGI app: read a request, run a turn, write its answer.

- An error before the first byte is a response with its status; after it, the protocol's event.
- A client that disconnects ends its turn, and with it the stream from the upstream.
- A log line never holds a word of a prompt, an answer or an error.
"""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import ExitStack, aclosing, asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from langchain_core.messages.ai import UsageMetadata
from starlette.requests import ClientDisconnect
from starlette.types import Receive, Scope, Send
from typing_extensions import override

from langchain_toolemu.callbacks import Counts
from langchain_toolemu.capability.endpoints import address_of
from langchain_toolemu.chat_models import sse
from langchain_toolemu.chat_models.diagnostics import sent_requests
from langchain_toolemu.chat_models.recording import TurnRecording, current_recording
from langchain_toolemu.errors import ToolSpecError
from langchain_toolemu.messages.content import all_words_in
from langchain_toolemu.serve import off_loop
from langchain_toolemu.serve.access import client_key
from langchain_toolemu.serve.answer import Answer
from langchain_toolemu.serve.faults import (
    INTERNAL,
    Fault,
    RequestError,
    fault_of,
    invalid,
    upstream_fault,
)
from langchain_toolemu.serve.forwarding import CHAT, wire_of
from langchain_toolemu.serve.gateway import Gateway, ServedModel
from langchain_toolemu.serve.http_connection import CONNECTION, HttpConnection, while_connected
from langchain_toolemu.serve.item_store import ClientItems
from langchain_toolemu.serve.prepared_turn import PreparedTurn, TurnError, read_turn
from langchain_toolemu.serve.protocol import ClientRequest, RawRequest, StreamWriter, WireProtocol
from langchain_toolemu.serve.request_log import request_id
from langchain_toolemu.serve.straight import StraightTurn, needs_nothing
from langchain_toolemu.turn.turn_input import Request

_log = logging.getLogger("langchain_toolemu.serve")
_LINE = "%s %s %s path=%s requests=%s %s ms"
_REFUSED = (400, 422, 500)  # what another form of a request may mend
_MANY = 500  # messages and tools
_TOO_MANY_TURNS = Fault(
    429, "All turns that may run at once do. Try again shortly.", "too_many_turns",
    retry_after="1", worth_retrying=True,
)  # fmt: skip
# What headers tell of a turn; some is known only when it has ended.
_TOLD = (
    "x-toolemu-dropped", "x-toolemu-warning-codes", "x-toolemu-invalid-calls", "x-toolemu-mode",
    "x-toolemu-model", "x-toolemu-max-tokens",
)  # fmt: skip
_TOLD_AT_END = (*_TOLD, "x-toolemu-path", "x-toolemu-requests", "x-toolemu-reasks")
_IN_MODE_OFF: Mapping[str, Any] = {
    "path": "native", "mode": "off", "reasks": [], "doubted": [], "repairs": [], "warnings": [],
}  # fmt: skip


@dataclass
class HttpExchange:
    """One request and its response: a turn, unless a subclass does something else."""

    _protocol: WireProtocol[Any]
    _gateway: Gateway
    _connection: HttpConnection
    _started: float = field(default_factory=time.perf_counter)
    _model: str = "-"
    _answer: Answer | None = None
    _fault: Fault | None = None
    _recording: TurnRecording | None = None
    _turn: PreparedTurn | StraightTurn | None = None
    _stream: "_Stream | None" = None
    _items: ClientItems = field(init=False)
    _sent: list[Request] = field(default_factory=list)  # to the upstream
    _gone: bool = False  # whether the client disconnected
    _pause: ExitStack = field(default_factory=ExitStack)  # of the garbage collector

    async def answer(self) -> None:
        """Answer the request, whatever happens."""
        sent_requests.set(self._sent)
        try:
            await self._serve()
        except ClientDisconnect:
            self._gone = True
        except Exception as error:  # noqa: BLE001 - a client is always answered
            await self._fail(error)
        finally:
            self._close()
            # What was made is gone before the collector goes on.
            self._turn, self._answer = None, None
            self._sent.clear()
            self._pause.close()

    async def _serve(self) -> None:
        gateway, connection = self._gateway, self._connection
        limits = gateway.settings
        body = await connection.json_body(limits)
        off_loop.request_bytes.set(connection.size)
        body |= {"model": connection.deployment} if connection.deployment else {}
        # Old Ollama clients call it `name`.
        served = gateway.find_model(body.get("model") or body.get("name"))
        self._model = served.name
        entries = [body.get(name) for name in ("messages", "input", "tools")]
        has_many = sum(len(some) for some in entries if isinstance(some, list)) > _MANY
        if has_many:
            self._pause.enter_context(off_loop.without_collector())
        if gateway.turns.locked():
            raise RequestError(_TOO_MANY_TURNS)
        async with gateway.turns:
            await while_connected(self._run(body, served), connection, limits.timeout)

    async def _run(self, body: dict[str, Any], served: ServedModel) -> None:
        gateway, connection = self._gateway, self._connection
        if gateway.recordings is not None:
            owner = gateway.access.owner_of(connection.headers)
            about = (request_id.get(), self._protocol.wire, body, connection.scope["path"])
            self._recording = await off_loop.run(gateway.recordings.begin, *about, owner)
            current_recording.set(self._recording)
        raw = self._raw_request(body, served)
        if await self._pass_straight(raw, served):
            return
        request, turn = await off_loop.run(read_turn, self._protocol, raw, served)
        connection.size += self._items.bytes_found
        off_loop.request_bytes.set(connection.size)
        self._turn = turn
        if gateway.recordings is not None and self._recording is not None:
            find_run = gateway.recordings.find_run
            await off_loop.run(find_run, self._recording, turn.messages, owner)
        await (self._send_stream if request.stream else self._send_whole)(request, turn)

    def _raw_request(self, body: dict[str, Any], served: ServedModel) -> RawRequest:
        """The body with what is known of it; what it refers to is looked up in a thread."""
        gateway, headers = self._gateway, self._connection.headers
        limits = gateway.settings
        self._items = ClientItems(gateway.items, client_key(headers), limits.max_body_bytes)
        if "previous_response_id" in body or isinstance(body.get("input"), list):
            off_loop.count_as_large()
        verbatim = wire_of(served.upstream) == self._protocol.wire
        return RawRequest(body, headers, verbatim, self._items, limits)

    async def _pass_straight(self, raw: RawRequest, served: ServedModel) -> bool:
        """Answer a chat that needs nothing of us; false if it does."""
        is_same = self._connection.endpoint == CHAT and wire_of(served.upstream) == "openai_chat"
        if self._recording or not (is_same and served.goes_straight and served.server):
            return False
        model = str(raw.body.get("model")) if served.takes_any_name else None
        if not await off_loop.run(needs_nothing, raw.body, served.base, model):
            return False
        raw.check_counts(raw.body["messages"], raw.body.get("tools"))
        raw.check_tools(raw.body.get("tools") or (), raw.body.get("response_format"))
        self._sent.append(Request([], None, {}))
        try:
            await self._pass(CHAT, raw.body, served)
        except RequestError as error:
            # The ordinary way can ask such a server in another form.
            is_refused = error.fault.status in _REFUSED and not error.fault.is_overflow
            served.goes_straight = served.base.mode == "off" or not is_refused
            raise
        return True

    async def _pass(self, path: str, body: Mapping[str, Any], served: ServedModel) -> None:
        """Send a body as it is, and the reply back."""
        turn = await off_loop.run(served.pass_on, path, body, self._gateway.http)
        self._turn = turn
        try:
            if turn.body.get("stream"):
                async with aclosing(turn.stream()) as parts:
                    stream = await self._pump(parts, bytes, _PassedStream(self._protocol))
                sending = stream.send(b"", more=False)
            else:
                content = self._translate(await turn.whole())
                sending = self._connection.respond(200, content, self._headers(_TOLD_AT_END))
        except (RequestError, ClientDisconnect):
            raise
        except Exception as error:
            _log.warning("%s at %s", type(error).__name__, turn.server.url)
            prompt = all_words_in(body)
            fault = await off_loop.run(upstream_fault, error, prompt, served.upstream)
            raise RequestError(fault) from error
        total = turn.read + turn.written
        usage = UsageMetadata(
            input_tokens=turn.read, output_tokens=turn.written, total_tokens=total
        )
        self._answer = Answer(usage=usage)
        await sending

    def _translate(self, answer: bytes) -> bytes:
        return answer

    async def _send_whole(self, request: ClientRequest, turn: PreparedTurn) -> None:
        answer = self._answer = await turn.answer()
        written = await off_loop.run(self._protocol.write, request, answer)
        await self._items.write()
        await self._connection.respond(200, written, self._headers(_TOLD_AT_END))

    async def _send_stream(self, request: ClientRequest, turn: PreparedTurn) -> None:
        reader, writer = turn.reader(), await off_loop.run(self._protocol.stream, request)
        async with aclosing(turn.stream(reader)) as parts:
            stream = await self._pump(parts, lambda some: b"".join(map(writer.write, some)), writer)
        answer, missing = reader.answer, reader.end()
        self._answer = answer
        await stream.open()
        ending = writer.close(answer, missing)
        await self._items.write()  # before the client can refer to them
        await stream.send(ending, more=False)

    async def _pump(
        self, parts: AsyncIterator[Any], write: Callable[[Any], bytes], writer: Any
    ) -> "_Stream":
        """Send parts as they come, up to an empty one; the stream is left open."""
        opened = self._stream is not None and self._stream.opened  # by a ping
        self._stream = stream = _Stream(self._connection, writer, self._headers, opened)
        if opened:
            await self._connection.write(writer.open())
        async with stream.pinging(self._gateway.settings.ping_seconds):
            async for part in parts:
                if not part:
                    break
                if self._connection.over:
                    raise ClientDisconnect
                await stream.open()
                if self._recording:
                    self._recording.note_shown()
                await stream.send(write(part))
        return stream

    def _headers(self, names: Sequence[str] = _TOLD) -> dict[str, str]:
        """The headers that describe a turn."""
        if self._turn is None:
            return {}
        report = self._report()
        report["reasks"] = len(report["reasks"])
        headers: dict[str, str] = {}
        for name in names:
            value = report.get(name.removeprefix("x-toolemu-").replace("-", "_"), "")
            text = ", ".join(dict.fromkeys(value)) if isinstance(value, list) else str(value)
            headers |= {name: text} if text else {}
        return headers

    async def _fail(self, error: Exception) -> None:
        off_loop.request_bytes.set(self._connection.size)
        fault = self._fault = await off_loop.run(self._fault_of, error)
        told_in_stream = fault.is_overflow and self._protocol.streams_overflow
        if self._stream is not None and (self._stream.opened or told_in_stream):
            await self._stream.fail(fault)
            return
        headers = {**self._headers(), **fault.headers()}
        body = self._protocol.write_fault(replace(fault, request_id=request_id.get()))
        await self._connection.respond(fault.status, body, headers)

    def _fault_of(self, error: Exception) -> Fault:
        """What the client is told; an internal error is named only in the log."""
        match error:
            case RequestError() | ToolSpecError():
                return fault_of(error)
            case TurnError(__cause__=Exception() as cause) if isinstance(self._turn, PreparedTurn):
                where = address_of(self._turn.llm) or self._model
                _log.warning("%s at %s", type(cause).__name__, where)
                return self._turn.fault_of(cause, was_sent=bool(self._sent))
        _log.error("internal error: %s", type(error).__name__)
        _log.debug("internal error", exc_info=error)
        return INTERNAL

    def _close(self) -> None:
        """Record, log and count what came of the request."""
        if self._gateway.recordings is not None and self._recording is not None:
            self._gateway.recordings.end(self._recording, self._answer, self._fault)
        seconds, fault = time.perf_counter() - self._started, self._fault
        status = fault.status if fault else None if self._gone else self._connection.status
        report = self._report() if self._sent else {}
        fields = {
            "endpoint": self._connection.scope["path"],
            "status": status or "disconnected",
            "model": self._model,
            "path": report.get("path", "-"),
            "requests": len(self._sent),
            "ms": round(1000 * seconds),
        }
        _log.info(_LINE, *fields.values(), extra={"fields": fields})
        answer, metrics, turn = self._answer or Answer(), self._gateway.metrics, Counts()
        if report:
            calls = len(answer.complete_calls)
            counts = calls, len(answer.calls) - calls + len(answer.invalid_calls), answer.usage
            turn.add(report, *counts, failed=bool(fault))
            metrics.add_turn(self._model, turn)
        labels = {"stream": str(bool(self._stream)).lower(), "status": str(fields["status"])}
        first = self._stream.first - self._started if self._stream and self._stream.first else None
        metrics.add_request(
            self._model, seconds, first, endpoint=self._connection.endpoint, **labels
        )

    def _report(self) -> dict[str, Any]:
        """The report of `ChatToolEmu`, also of a turn that failed, and what was not sent."""
        answer, turn = self._answer or Answer(), self._turn
        report = answer.report or (self._sent[-1].report() if self._sent else None)
        report = {**(report or _IN_MODE_OFF), "requests": len(self._sent)}
        if turn:
            report |= turn.about
        if answer.invalid_calls:
            report["invalid_calls"] = [name for name, _ in answer.invalid_calls]
        return report


class PassThrough(HttpExchange):
    """Sends the known fields of a request, and the answer back as it is."""

    @override
    async def _run(self, body: dict[str, Any], served: ServedModel) -> None:
        path, given = self._translated(body)
        needed = "input" if path == "/embeddings" else "prompt"
        if given.get(needed) in (None, []):
            raise invalid(f"Missing required parameter: '{needed}'.", needed)
        await self._pass(path, given, served)

    def _translated(self, body: dict[str, Any]) -> tuple[str, dict[str, Any]]:
        """Path and body as the upstream knows them."""
        return self._connection.endpoint, body

    @override
    def _headers(self, names: Sequence[str] = ()) -> dict[str, str]:
        return super()._headers(("x-toolemu-dropped",))


class TokenCounting(HttpExchange):
    """Answers how many tokens a request has."""

    @override
    async def _run(self, body: dict[str, Any], served: ServedModel) -> None:
        # A request to count tokens needs no limit of the reply.
        raw = self._raw_request({**body, "max_tokens": 1}, served)
        _, turn = await off_loop.run(read_turn, self._protocol, raw, served)
        self._turn = turn
        try:
            tokens = await turn.count_tokens()
        except Exception as error:
            raise TurnError from error
        counted = {"input_tokens": tokens, **self._protocol.count_fields}
        await self._connection.respond(200, counted, {})


@dataclass(frozen=True)
class ProtocolEndpoint:
    """Answers the requests of one protocol to one path."""

    protocol: WireProtocol[Any]
    gateway: Gateway
    kind: type[HttpExchange] = HttpExchange

    async def __call__(self, scope: Scope, _receive: Receive, _send: Send) -> None:
        """Answer a request."""
        await self.kind(self.protocol, self.gateway, scope[CONNECTION]).answer()


@dataclass
class _PassedStream:
    """Errors and pings in a stream whose events are the upstream's own."""

    _protocol: WireProtocol[Any]
    media_type: str = StreamWriter.media_type

    def open(self) -> bytes:
        return b""

    def fail(self, fault: Fault) -> bytes:
        return b"\n\n" + sse.data(self._protocol.write_fault(fault)) + sse.DONE  # ends a cut event

    def ping(self) -> bytes:
        return sse.KEEP_ALIVE


@dataclass
class _Stream:
    """A stream of events that begins with its first event, or with a ping."""

    _connection: HttpConnection
    _writer: StreamWriter | _PassedStream
    _headers: Callable[[], Mapping[str, str]]  # read when the first event is sent
    opened: bool = False
    first: float | None = None  # when the first part of the answer was sent
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    _last: float = field(default_factory=time.monotonic)  # when something was sent

    async def open(self) -> None:
        if self.opened:
            return
        async with self._lock:
            if not self.opened:
                headers = {**self._headers(), "content-type": self._writer.media_type}
                await self._connection.begin_stream(headers)
                self.opened = True
                await self._connection.write(self._writer.open())

    async def send(self, events: bytes, *, more: bool = True) -> None:
        """Send a part of the answer."""
        self.first = self.first or time.perf_counter()
        self._last = time.monotonic()
        await self._connection.write(events, more=more)

    async def fail(self, fault: Fault) -> None:
        await self.open()
        await self._connection.write(self._writer.fail(fault), more=False)

    @asynccontextmanager
    async def pinging(self, seconds: float) -> AsyncIterator[None]:
        """Send a ping whenever nothing was sent for so many seconds, until the block ends."""

        async def ping() -> None:
            while True:
                silent = time.monotonic() - self._last
                await asyncio.sleep(max(seconds - silent, 0.01))
                if time.monotonic() - self._last >= seconds:
                    await self.open()
                    self._last = time.monotonic()
                    await self._connection.write(self._writer.ping())

        task = asyncio.ensure_future(ping())
        try:
            yield
        finally:
            task.cancel()
