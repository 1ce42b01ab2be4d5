"""What every request passes before it reaches an endpoint: its address, its origin, its key.

A refusal is written in the form of the protocol that its path belongs to.
"""

from collections.abc import Mapping
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from langchain_toolemu.serve import sse
from langchain_toolemu.serve.access import Access
from langchain_toolemu.serve.anthropic_messages.errors import write_fault as write_anthropic_fault
from langchain_toolemu.serve.connection import Connection, headers_of
from langchain_toolemu.serve.faults import Fault, RequestError
from langchain_toolemu.serve.openai_errors import write_fault as write_openai_fault

_WITHOUT_KEY = ("/", "/health")
"""What holds nothing to protect: the page of the inspector asks for its data with a key."""

_PREFLIGHT = {
    "access-control-allow-methods": "GET, POST, OPTIONS",
    "access-control-allow-headers": "*, authorization",
    "access-control-max-age": "600",
}


class Guard:
    """Lets requests through to an app, or refuses them."""

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self._app = app
        self._access = access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or pass it on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = headers_of(scope)
        try:
            self._access.check_address(headers)
            cors = self._access.cors_headers(headers)
            if scope["method"] == "OPTIONS" and cors:
                await Connection(scope, receive, send).respond(204, b"", {**cors, **_PREFLIGHT})
                return
            if scope["path"] not in _WITHOUT_KEY:
                self._access.check_client(scope, headers)
        except RequestError as error:
            await refuse(Connection(scope, receive, send), error.fault)
            return
        await self._app(scope, receive, _with_headers(send, cors) if cors else send)


def _with_headers(send: Send, more: Mapping[str, str]) -> Send:
    """The same, with further headers in each response."""
    added = [(name.encode(), value.encode()) for name, value in more.items()]

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": [*message.get("headers", ()), *added]}
        await send(message)

    return sending


async def refuse(connection: Connection, fault: Fault) -> None:
    """Answer with an error, in the form that the path's clients read."""
    body = fault_body(connection.scope["path"], fault)
    await connection.respond(fault.status, sse.dumps(body), fault.headers())


def fault_body(path: str, fault: Fault) -> dict[str, Any]:
    """An error as the clients of a path read it."""
    is_anthropic = path.removeprefix("/v1").startswith("/messages")
    return write_anthropic_fault(fault) if is_anthropic else write_openai_fault(fault)
