"""Who may use the server.

- Without a key, whoever is on this machine may, and no other.
- A page in a browser may not: it shows by its `Origin`, or by a `Host` that is a name somebody made point here.
- Keys are compared in constant time.
"""

import hashlib
import hmac
import ipaddress
import socket
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any

from langchain_toolemu.serve.connection import Scope
from langchain_toolemu.serve.faults import Fault, RequestError

_THIS_MACHINE = ("localhost", "ip6-localhost")
_ANY = "*"


class Access:
    """Says who may use the server.

    Args:
        keys: The keys that let a client in.
        hosts: Names under which the server may be reached in addition to those of this machine; `*` for any.
        origins: Origins of web pages that may reach it.
    """

    def __init__(
        self, keys: Iterable[str] = (), hosts: Iterable[str] = (), origins: Iterable[str] = ()
    ) -> None:
        self._keys = [_digest(key) for key in keys]
        named = {socket.gethostname().lower(), *_THIS_MACHINE}
        self._hosts = named | {host.lower() for host in hosts}
        self._origins = frozenset(origins)

    def check_address(self, headers: Mapping[str, str]) -> None:
        """Refuse a web page, or a name that is not this server's.

        Raises:
            RequestError: It may not reach this server.
        """
        if not self._is_own_name(headers.get("host", "")):
            raise _refused(
                "This server is not reached under that name. Allow it with --allow-host.",
                "host_not_allowed",
            )
        origin = headers.get("origin")
        if origin is not None and not self.allows_origin(origin, headers.get("host", "")):
            raise _refused(
                "Web pages may not reach this server. Allow this one with --allow-origin.",
                "origin_not_allowed",
            )

    def check_client(self, scope: Scope, headers: Mapping[str, str]) -> None:
        """Refuse a client without a key, or from elsewhere where no key is set.

        Raises:
            RequestError: It may not use this server.
        """
        if not self._keys:
            if not is_near(scope):
                raise _refused("Without a key, only this machine may use the server.", "no_key")
            return
        given = _digest(client_key(headers))
        fits = [hmac.compare_digest(given, key) for key in self._keys]
        if not any(fits):
            raise RequestError(Fault(401, "Incorrect API key provided.", "invalid_api_key"))

    def allows_origin(self, origin: str, host: str) -> bool:
        """Whether a page of this origin may reach the server: its own, and those that were allowed."""
        return origin in self._origins or origin in (f"http://{host}", f"https://{host}")

    def cors_headers(self, headers: Mapping[str, str]) -> dict[str, str]:
        """What tells a browser that a page was allowed; nothing for any other."""
        origin = headers.get("origin", "")
        if origin not in self._origins:
            return {}
        return {"access-control-allow-origin": origin, "vary": "Origin"}

    def _is_own_name(self, host: str) -> bool:
        name = _without_port(host).lower()
        # A number cannot be made to point elsewhere, as a name can.
        return _ANY in self._hosts or name in self._hosts or _number(name) is not None


def _digest(key: str) -> bytes:
    """A key as something of one length, so that not even its length can be measured."""
    return hashlib.sha256(key.encode()).digest()


def client_key(headers: Mapping[str, str]) -> str:
    """The key that a client brings, as OpenAI's or as Anthropic's clients send it."""
    kind, _, token = headers.get("authorization", "").partition(" ")
    if kind.lower() == "bearer" and token.strip():
        return token.strip()
    return headers.get("x-api-key", "").strip()


def is_near(scope: Scope) -> bool:
    """Whether a request comes from this machine; a socket without an address is on it."""
    client = scope.get("client")
    if not client:
        return True
    number = _number(str(client[0]))
    return number is not None and bool(number.is_loopback)


def is_loopback(host: str) -> bool:
    """Whether an address to listen on is reached from this machine only."""
    number = _number(host)
    return number.is_loopback if number is not None else host.lower() in _THIS_MACHINE


def as_seen_here(host: str) -> str:
    """The address by which this machine asks a server that listens on a host: "all addresses" is none to ask."""
    number = _number(host)
    if number is None or not number.is_unspecified:
        return host
    return "127.0.0.1" if number.version == 4 else "::1"


def _number(name: str) -> Any:
    with suppress(ValueError):
        number = ipaddress.ip_address(name.strip("[]"))
        return getattr(number, "ipv4_mapped", None) or number
    return None


def _without_port(host: str) -> str:
    if host.startswith("["):
        return host.partition("]")[0].lstrip("[")
    return host.rpartition(":")[0] if host.count(":") == 1 else host


def _refused(message: str, code: str) -> RequestError:
    return RequestError(Fault(403, message, code, None, None, False))
