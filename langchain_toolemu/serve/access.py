"""Who may use the server, and how many turns may run at once: every request is checked here first.

- Without a key, only clients on this machine are served, and nothing that a proxy forwarded.
- A web page is refused: its `Origin` or a foreign `Host` tells it.
- A refusal has the form of its path's protocol. Every response names the id of its request.
"""

import hashlib
import hmac
import ipaddress
import re
import socket
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from langchain_toolemu.serve.anthropic_messages.answer import ANTHROPIC_MESSAGES
from langchain_toolemu.serve.faults import Fault, RequestError
from langchain_toolemu.serve.http_connection import CONNECTION, HttpConnection
from langchain_toolemu.serve.metrics import Metrics
from langchain_toolemu.serve.ollama_chat.answer import OLLAMA_CHAT
from langchain_toolemu.serve.openai_chat.answer import OPENAI_CHAT
from langchain_toolemu.serve.request_log import begin_request
from langchain_toolemu.serve.settings import ServerSettings

THIS_MACHINE = ("localhost", "ip6-localhost")
_HEALTH = "/health"  # which says nothing
# The inspector's page, which asks for its data with a key; on this machine it needs none itself.
_PAGE = "/"
# Headers of proxies, by their ways to name a client and themselves; `_` is as good as `-`.
_BY_PROXIES = re.compile(
    r"forwarded|-(?:client)?ip\Z|-addr\Z|^(?:via|cdn-loop)\Z|^(?:cf|x-envoy|x-original|x-proxy)-"
)

_HOST = re.compile(r"(?:\[(?P<ip6>[0-9a-fA-F:.]*:[0-9a-fA-F:.]*)\]|(?P<name>[^\[\]:]*))(?::\d*)?")

# After which Codex goes on over HTTP.
_NO_WEBSOCKET = Fault(
    426, "Websockets are not supported: send this over HTTP, with POST.", "unknown_url"
)


class Access:
    """Checks who may use the server: by key, in constant time, host and origin."""

    def __init__(self, settings: ServerSettings) -> None:
        self._keys = [_digest(key) for key in settings.api_keys]
        named = {socket.gethostname().lower(), *THIS_MACHINE}
        self._hosts = named | {host.lower() for host in settings.allow_hosts}
        self._origins = frozenset(settings.allow_origins)

    def check_address(self, headers: Mapping[str, str]) -> None:
        """Raise a `RequestError` for a host, or the origin of a web page, that is not allowed."""
        host, origin = headers.get("host", ""), headers.get("origin")
        found = _HOST.fullmatch(host)
        name = (found["ip6"] or found["name"] if found else host).lower()  # without the port
        # An attacker can point a name at this machine, but not an IP address.
        if not ("*" in self._hosts or name in self._hosts or ip_address(name) is not None):
            message = "This host name is not allowed. Allow it with --allow-host."
            raise _forbidden(message, "host_not_allowed")
        allowed = {*self._origins, f"http://{host}", f"https://{host}"}
        if origin is not None and origin not in allowed:
            message = "Requests from this web page are not allowed. Allow it with --allow-origin."
            raise _forbidden(message, "origin_not_allowed")

    def check_client(self, scope: Scope, headers: Mapping[str, str]) -> None:
        """Raise a `RequestError` for a wrong key, or, without keys, for a client elsewhere."""
        given = _digest(client_key(headers))
        fits = [hmac.compare_digest(given, key) for key in self._keys]
        if not self._keys and is_forwarded(headers):
            message = (
                "A request that a proxy forwarded needs a key. Start the server with --api-key."
            )
            raise RequestError(Fault(401, message, "no_key"))
        if not self._keys and not is_local_client(scope):
            message = "Without --api-key, only clients on the server's own machine are allowed."
            raise _forbidden(message, "no_key")
        if self._keys and not any(fits):
            message = "Incorrect API key provided. Send one of this server's keys."
            raise RequestError(Fault(401, message, "invalid_api_key"))

    def owner_of(self, headers: Mapping[str, str]) -> str:
        """Whose turns a client may see: those of its key, where keys are demanded."""
        return _digest(client_key(headers)).hex() if self._keys else ""


@dataclass
class Gate:
    """Limits how many turns there are: each is a block; a `RequestError` at the limit."""

    most: int
    under_way: int = 0

    def __enter__(self) -> None:
        if self.under_way >= self.most:
            message = f"All {self.most} concurrent turns are in use. Try again shortly."
            fault = Fault(429, message, "too_many_turns", None, "1", worth_retrying=True)
            raise RequestError(fault)
        self.under_way += 1

    def __exit__(self, *_: object) -> None:
        self.under_way -= 1


@dataclass(frozen=True)
class Guard:
    """ASGI middleware that lets requests through to an app, or refuses them."""

    app: ASGIApp
    access: Access
    metrics: Metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or pass it on."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        more = dict.fromkeys(("x-request-id", "request-id"), begin_request())  # both vendors' names
        send = _with_headers(send, more)
        connection = scope[CONNECTION] = HttpConnection(scope, receive, send)
        headers = connection.headers
        try:
            self.access.check_address(headers)
            if scope["path"] != _HEALTH and (scope["path"] != _PAGE or is_forwarded(headers)):
                self.access.check_client(scope, headers)
            if _wants_websocket(scope, headers):
                raise RequestError(_NO_WEBSOCKET)
        except RequestError as error:
            status = str(error.fault.status)
            self.metrics.add_request("-", 0, None, endpoint="-", stream="false", status=status)
            body = fault_body(connection.endpoint, error.fault)
            await connection.respond(error.fault.status, body, error.fault.headers())
        else:
            await self.app({**scope, "path": connection.endpoint}, receive, send)


def _wants_websocket(scope: Scope, headers: Mapping[str, str]) -> bool:
    """Whether a client asks to upgrade; some servers of ASGI make a scope of its own of that."""
    upgrade = scope.get("method") == "GET" and headers.get("upgrade", "").lower()
    return scope["type"] == "websocket" or upgrade == "websocket"


def _with_headers(send: Send, more: Mapping[str, str]) -> Send:
    """What sends a response with more headers: those that are there when it begins."""

    async def sending(message: Message) -> None:
        if message["type"].endswith(".response.start"):
            added = [(name.encode(), value.encode()) for name, value in more.items()]
            message = {**message, "headers": [*message.get("headers", ()), *added]}
        await send(message)

    return sending


def fault_body(endpoint: str, fault: Fault) -> dict[str, Any]:
    """An error as the clients of an endpoint read it."""
    if endpoint.startswith("/api/"):
        return OLLAMA_CHAT.write_fault(fault)
    is_anthropic = endpoint.startswith("/messages")
    return (ANTHROPIC_MESSAGES if is_anthropic else OPENAI_CHAT).write_fault(fault)


def _digest(key: str) -> bytes:
    """A key as a value of fixed length, so that its length cannot be measured either."""
    return hashlib.sha256(key.encode()).digest()


def client_key(headers: Mapping[str, str]) -> str:
    """The key that a client sends, as OpenAI's, Anthropic's or Azure's clients do."""
    kind, _, token = headers.get("authorization", "").partition(" ")
    if kind.lower() == "bearer" and token.strip():
        return token.strip()
    return (headers.get("x-api-key") or headers.get("api-key") or "").strip()


def is_forwarded(headers: Mapping[str, str]) -> bool:
    """Whether a proxy says that it forwarded a request, whose client may be anywhere."""
    return any(_BY_PROXIES.search(name.replace("_", "-")) for name in headers)


def is_local_client(scope: Scope) -> bool:
    """Whether a request, or its proxy, is on this machine, as a socket without an address is."""
    client = scope.get("client")
    number = ip_address(str(client[0])) if client else None
    return not client or (number is not None and bool(number.is_loopback))


@lru_cache(maxsize=256)
def ip_address(name: str) -> Any:
    """The IP address that a name is, in its shortest form; `None` if it is none."""
    with suppress(ValueError):
        number = ipaddress.ip_address(name.strip("[]"))
        return getattr(number, "ipv4_mapped", None) or number
    return None


def _forbidden(message: str, code: str) -> RequestError:
    return RequestError(Fault(403, message, code, worth_retrying=False))
