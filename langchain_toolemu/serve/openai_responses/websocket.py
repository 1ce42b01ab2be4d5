"""The websocket of Responses: request after request on one connection, each answered by the events of a stream.

- A frame from the client is a request. One to it is an event, or an `error` with a status if there are no events.
- Requests of one lane (`stream_id`) wait for each other; lanes run side by side.
- A request may refer to every response of its connection, stored or not.
"""

import asyncio
import re
from collections.abc import Mapping
from typing import Any
from uuid import uuid4

from starlette.types import Message
from starlette.websockets import WebSocket, WebSocketDisconnect
from typing_extensions import override

from langchain_toolemu.chat_models import sse
from langchain_toolemu.serve.endpoint import HttpExchange
from langchain_toolemu.serve.faults import RequestError, invalid
from langchain_toolemu.serve.gateway import Gateway
from langchain_toolemu.serve.http_connection import CONNECTION, HttpConnection
from langchain_toolemu.serve.item_store import ClientItems
from langchain_toolemu.serve.openai_responses.answer import OPENAI_RESPONSES
from langchain_toolemu.serve.request_log import begin_request
from langchain_toolemu.serve.settings import ServerSettings

_CREATE = "response.create"
_NOTICE = "response.processed"  # Codex sends it, and awaits nothing
_LANE = re.compile(r"[\w.-]{1,256}", re.ASCII)
_MOST_TURNS = 16  # of a socket; the next request is read when one of them has ended
_IDLE_SECONDS = 3600  # without a frame or a turn: OpenAI closes its sockets after an hour, too
_GOING_AWAY, RESTART = 1001, 1012  # the codes of a socket that was idle, and of a server that stops


class ResponsesSocket:
    """A websocket, and the turns of its requests."""

    def __init__(self, gateway: Gateway, socket: WebSocket) -> None:
        self.gateway, self.scope = gateway, socket.scope[CONNECTION].scope
        self.id = uuid4().hex
        self.gone = asyncio.Event()  # the client
        self._socket = socket
        self._lanes: dict[asyncio.Task[None], str] = {}  # of the turns that have not ended

    async def serve(self) -> None:
        """Answer all requests, until one side closes the socket."""
        with self.gateway.open_sockets:
            await self._socket.accept()
            try:
                while (message := await self._receive())["type"] == "websocket.receive":
                    await self._take(message.get("bytes") or (message.get("text") or "").encode())
                if message.get("code") == RESTART:
                    await asyncio.gather(*self._lanes)
                    await self.send({"type": "websocket.close", "code": RESTART})
            finally:
                self.gone.set()
                await asyncio.gather(*self._lanes)
                self.gateway.socket_items.forget(self.id)

    async def _receive(self) -> Message:
        """The next message of the client, whose socket is closed if it is idle."""
        while True:
            try:
                return await asyncio.wait_for(self._socket.receive(), _IDLE_SECONDS)
            except asyncio.TimeoutError:
                if not self._lanes:
                    await self.send({"type": "websocket.close", "code": _GOING_AWAY})
                    return {"type": "websocket.disconnect"}

    async def _take(self, frame: bytes) -> None:
        request = _SocketRequest(self)
        await request.read(frame)
        if request.kind == _NOTICE:
            return
        before = {turn for turn, lane in self._lanes.items() if lane == request.lane}
        turn = asyncio.create_task(self._answer(request, before))
        self._lanes[turn] = request.lane
        turn.add_done_callback(self._lanes.pop)
        if len(self._lanes) >= _MOST_TURNS:
            await asyncio.wait(self._lanes, return_when=asyncio.FIRST_COMPLETED)

    async def _answer(self, request: "_SocketRequest", before: set[asyncio.Task[None]]) -> None:
        if before:
            await asyncio.wait(before)
        if not self.gone.is_set():
            begin_request()
            await HttpExchange(OPENAI_RESPONSES, self.gateway, request).answer()

    async def send(self, message: Message) -> None:
        """Send a message, or note that nobody is there to receive it."""
        try:
            await self._socket.send(message)
        except (RuntimeError, WebSocketDisconnect):
            self.gone.set()


class _SocketRequest(HttpConnection):
    """A request of a socket in the form of one over HTTP: with a body, and with an answer that has a status."""

    kind, lane = _CREATE, ""

    def __init__(self, socket: ResponsesSocket) -> None:
        super().__init__(socket.scope, socket.gone.wait, socket.send)  # type: ignore[arg-type]
        self._socket, self._limits = socket, socket.gateway.settings
        self._content: dict[str, Any] | RequestError = {}
        most = self._limits.max_body_bytes
        self.unstored = ClientItems(socket.gateway.socket_items, socket.id, most)

    async def read(self, frame: bytes) -> None:
        """Read a frame; its turn tells what is wrong with it."""
        try:
            body = self._content = await self.parse([frame], self._limits)
            self.kind, lane = body.pop("type", None), body.pop("stream_id", None)
            body["stream"] = True
            if self.kind not in (_CREATE, _NOTICE):
                raise invalid(f"Only frames of the type '{_CREATE}' are supported.", "type")
            if lane is not None and not (isinstance(lane, str) and _LANE.fullmatch(lane)):
                problem = "'stream_id' must have 1 to 256 letters, digits, '_', '-' or '.'."
                raise invalid(problem, "stream_id", "invalid_stream_id")
            self.lane = lane or ""
        except RequestError as error:
            self._content = error

    @override
    async def json_body(self, limits: ServerSettings) -> dict[str, Any]:
        if isinstance(self._content, RequestError):
            raise self._content
        return self._content

    @override
    async def wait_until_gone(self) -> None:
        await self._socket.gone.wait()

    @override
    async def respond(self, status: int, content: Any, headers: Mapping[str, str]) -> None:
        self.status = status
        error = {"type": "error", "status": status, **content, "headers": headers}
        await self._send_event(sse.dumps(error))

    @override
    async def begin_stream(self, headers: Mapping[str, str]) -> None:
        self.status = 200

    @override
    async def write(self, events: bytes, *, more: bool = True) -> None:
        for event in sse.EventReader().feed(events):
            # After an error, OpenAI's client would take the failed response for the answer to its next request.
            if not event.startswith(b'{"type":"error"'):
                await self._send_event(event)

    async def _send_event(self, event: bytes) -> None:
        if self.lane:
            event = event[:-1] + f',"stream_id":"{self.lane}"}}'.encode()
        await self._socket.send({"type": "websocket.send", "text": event.decode()})
