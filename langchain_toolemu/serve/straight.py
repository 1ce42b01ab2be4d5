"""The straight way: what needs nothing of us goes to an OpenAI-compatible server, as JSON.

- Sent are known fields, the operator's in the missing ones, and the served model's name; address
  and headers are the operator's. What is unusual goes the ordinary way instead.
- The reply comes back as it is but for the model's name. It is read for end, errors and tokens.
"""

from collections.abc import AsyncGenerator, Callable, Collection, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any

import httpx
from langchain_core.callbacks import AsyncCallbackManager
from langchain_core.globals import get_llm_cache

from langchain_toolemu.capability import Capability
from langchain_toolemu.capability.endpoints import address_of, client_kind
from langchain_toolemu.chat_models import sse
from langchain_toolemu.chat_models.toolemu import ChatToolEmu
from langchain_toolemu.serve import off_loop
from langchain_toolemu.serve.faults import BROKEN_OFF, RequestError, UpstreamError, unreadable
from langchain_toolemu.serve.forwarding import CHAT, PASSED_ON, is_volatile, is_writable
from langchain_toolemu.turn.forms import FORMS

_MOST_LIMIT = 4096  # tokens of a reply: a higher limit may have to be fitted into the window
_EMULATED = frozenset(["tools", "tool_choice", "parallel_tool_calls", "response_format"])
_WORDS = frozenset(["role", "content", "name"])
_OF_CALLS = _WORDS | {"tool_calls", "tool_call_id"}
_ROLES = ("system", "developer", "user", "assistant")
_CALLS_NATIVELY = ("native", "observed", True, False)  # at the vendor's, with any tools
_EVENT_FIELDS = (b"", b"event", b"id", b"retry")  # besides its data


@dataclass(frozen=True, slots=True)
class Server:
    """A chat model's server, and what the operator sends it besides a body."""

    url: str
    headers: Mapping[str, str]
    timeout: Any = None
    http: Any = None  # the operator's own client

    async def send(self, shared: Callable[[], Any], path: str, content: bytes | None = None) -> Any:
        """The response, whose body is still to be read; an error if it is one."""
        http, method = self.http or shared(), "POST" if content else "GET"
        limits = self.timeout if hasattr(self.timeout, "as_dict") else httpx.Timeout(self.timeout)
        own = {"headers": self.headers, "extensions": {"timeout": limits.as_dict()}}
        request = http.build_request(method, self.url + path, content=content, **own)
        response = await http.send(request, stream=True)
        if response.status_code != httpx.codes.OK:
            raise UpstreamError(await response.aread(), response)
        return response


def server_of(llm: Any) -> Server | None:
    """The server of a chat model; `None` if its client does more than to send JSON."""
    kind = client_kind(llm)
    if kind == "ollama":  # it has OpenAI's paths, too
        own = {**(llm.client_kwargs or {}), **(llm.async_client_kwargs or {})}
        headers = {"content-type": "application/json", **own.pop("headers", {})}
        return None if own else Server(f"{address_of(llm)}/v1", headers)
    if kind != "openai" or llm.openai_proxy or llm.default_query or callable(llm.openai_api_key):
        return None
    client = llm.root_async_client
    if type(client).__name__ != "AsyncOpenAI":
        return None
    given = {**client.default_headers, **client.auth_headers}
    headers = {name: value for name, value in given.items() if isinstance(value, str)}
    return Server(str(client.base_url).rstrip("/"), headers, client.timeout, llm.http_async_client)


def needs_nothing(body: Mapping[str, Any], base: ChatToolEmu, model: str | None) -> bool:
    """Whether a chat can be left to the upstream, and nobody else looks at its reply."""
    given = {name for name, value in body.items() if value is not None} - {"model"}
    messages, tools = body.get("messages"), body.get("tools") or []
    stop = body.get("stop") or ""
    lists = isinstance(messages, list) and isinstance(tools, list) and isinstance(stop, str | list)
    if not (lists and messages and given <= PASSED_ON[CHAT].keys()) or _is_watched(base):
        return False
    if not all(isinstance(text, str) for text in stop):
        return False
    is_left = base.mode == "off"
    if not is_left:
        explicit, size = base.native_tools, base.model_size
        known = Capability(base.llm, model, explicit=explicit, model_size=size).known
        found = known.verdict, known.evidence, known.on_vendor_host, bool(known.refused_tools)
        reviewed = base.policy not in ("auto", "default", "trust")
        is_left = base.mode == "fallback" and found == _CALLS_NATIVELY and not reviewed
        limits = (body.get("max_tokens") or 0, body.get("max_completion_tokens") or 0)
        is_low = all(isinstance(limit, int) and limit <= _MOST_LIMIT for limit in limits)
        emulated = given & ({"response_format"} if is_left else _EMULATED)
        if emulated or not is_low or known.lacks & (FORMS.keys() - _EMULATED):
            return False
    return all(_is_plain(entry, is_left) for entry in [*(messages or ()), *tools])


def _is_watched(base: ChatToolEmu) -> bool:
    """Whether the operator has set something that sees or changes requests and replies."""
    changed = base.bound_kwargs or base.output_version or base.thoughts != "keep" or get_llm_cache()
    kept = [llm.cache or llm.rate_limiter for llm in (base, base.llm)]
    watch = AsyncCallbackManager.configure
    watchers = [watch(None, llm.callbacks, llm.verbose).handlers for llm in (base, base.llm)]
    return bool(changed) or any((*kept, *watchers)) or not is_writable(base.llm)


def _is_plain(entry: Any, is_left: bool) -> bool:
    """Whether nothing in a message, or in a tool, is ours to read, to change or to refuse."""
    match entry:
        case {"role": str(role), "content": str(text)} if role in _ROLES and not is_volatile(text):
            return bool(entry.keys() <= (_OF_CALLS if is_left else _WORDS))
        case {"role": "assistant" | "tool", "content": str() | None}:
            return is_left and bool(entry.keys() <= _OF_CALLS)
        case {"type": "function", "function": {"name": str()}}:
            return is_left
    return False


@dataclass
class StraightTurn:
    """A request on its way, and the client's name for the model."""

    server: Server
    http: Callable[[], httpx.AsyncClient]
    path: str
    body: Mapping[str, Any]
    name: str
    about: Mapping[str, Any]  # for headers
    read: int = 0  # tokens
    written: int = 0
    _last: Mapping[str, Any] = field(default_factory=dict)
    _has_end: bool = False
    _is_done: bool = False

    async def whole(self) -> bytes:
        """The reply in one piece."""
        async with aclosing(await self._send()) as response:
            content = await response.aread()
        return await off_loop.run(self._checked, content, response, ("choices", "data"))

    async def stream(self) -> AsyncGenerator[bytes, None]:
        """The reply as it comes; one that breaks off raises an error."""
        unread = b""
        async with aclosing(await self._send()) as response:
            async for piece in response.aiter_bytes():
                *lines, unread = (unread + piece).split(b"\n")
                shown: list[bytes] = []
                try:
                    shown.extend(self._line(line, response) for line in lines)
                finally:  # what came before an error, too
                    if shown:
                        yield b"\n".join([*shown, b""])
            if unread:
                yield self._line(unread, response) + b"\n\n"
            if not self._has_end:
                raise RequestError(BROKEN_OFF) if self._last else unreadable(response)
            if not self._is_done:
                yield sse.DONE

    async def _send(self) -> Any:
        content = await off_loop.run(sse.compact, self.body)
        return await self.server.send(self.http, self.path, content)

    def _line(self, line: bytes, response: Any) -> bytes:
        """What the client gets of a line of a stream."""
        name, _, data = line.partition(b":")
        if name.strip() in _EVENT_FIELDS:
            return line
        if name != b"data":
            self._checked(line, response)  # an error, most likely
            raise unreadable(response)
        if data.strip() == b"[DONE]":
            # Some servers give no reason, and clients wait for one.
            choice = {"index": 0, "delta": {}, "finish_reason": "stop"}
            last = {**self._last, "model": self.name, "choices": [choice]}
            stop = b"" if self._has_end else sse.data(last)
            self._has_end = self._is_done = True
            return stop + line
        return b"data: " + self._checked(data.strip(), response)

    def _checked(self, content: bytes, response: Any, needed: Collection[str] = ()) -> bytes:
        """A reply or a chunk, with the client's name for the model; an error if it is none."""
        try:
            reply = sse.loads(content)
            error, usage = reply.get("error"), reply.get("usage") or {}
            ends = [choice.get("finish_reason") for choice in reply.get("choices") or ()]
            self.read = int(usage.get("prompt_tokens") or self.read)
            self.written = int(usage.get("completion_tokens") or self.written)
        except (ValueError, TypeError, AttributeError, RecursionError) as wrong:
            raise unreadable(response) from wrong
        if error:
            raise UpstreamError(reply, response)
        if needed and not reply.keys() & needed:
            raise unreadable(response)
        self._last, self._has_end = reply, self._has_end or any(ends)
        model, name = sse.compact(reply.get("model")), sse.compact(self.name)
        for space in (b"", b" "):
            content = content.replace(b'"model":%b%b' % (space, model), b'"model":%b' % name)
        return content
