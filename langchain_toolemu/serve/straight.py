"""The straight way: what needs nothing of us goes to an upstream of its own protocol, as JSON.

- Sent are known fields, the operator's in the missing ones, and the served model's name; address
  and headers are the operator's alone. What is unusual goes the ordinary way.
- The reply comes back as it is, but for the model's name. It is read for its end, errors, tokens.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing, suppress
from dataclasses import dataclass, field
from typing import Any

import httpx
from langchain_core.globals import get_llm_cache
from langchain_core.messages import HumanMessage

from langchain_toolemu.capability import Capability
from langchain_toolemu.capability.endpoints import client_kind
from langchain_toolemu.chat_models import sse
from langchain_toolemu.chat_models.toolemu import ChatToolEmu
from langchain_toolemu.chat_models.unwatched_run import is_watched
from langchain_toolemu.serve import off_loop
from langchain_toolemu.serve.faults import BROKEN_OFF, RequestError, UpstreamError, unreadable
from langchain_toolemu.serve.forwarding import PASSED_ON, is_volatile
from langchain_toolemu.turn.forms import FORMS

# Every path's answer has this.
_ANSWERS = {"/messages": "content", "/api/chat": "message", "/embeddings": "data"}
_READ = frozenset(["prompt_tokens", "input_tokens", "prompt_eval_count"])
_WRITTEN = frozenset(["completion_tokens", "output_tokens", "eval_count"])
_STOP = [{"index": 0, "delta": {}, "finish_reason": "stop"}]
_DRAIN_SECONDS = 0.1
_EMULATED = frozenset(
    ["tools", "tool_choice", "response_format", "format", "output_config", "think"]
)
_OF_TOOLS = frozenset(["type", "name", "description", "input_schema", "strict", "cache_control"])
_NOT_SENT = frozenset(["messages", "model", "stream", "stream_options", "extra_body"])
# Those of a request without tools.
_FORMS = FORMS.keys() - {"parallel_tool_calls"}
_NO_BODY = frozenset(["extra_headers", "extra_query", "timeout", "betas"])
_ROLES = ("system", "developer", "user", "assistant")
_PLAIN_CLIENTS = ("AsyncOpenAI", "AsyncAnthropic", "AsyncClient")


@dataclass(frozen=True, slots=True)
class Upstream:
    """A model's server, and what the operator's chat model sends it."""

    url: str
    prefix: str  # of OpenAI's and Anthropic's paths
    http: Any  # the operator's own client
    extra: Mapping[str, Any]  # headers and time limits
    fields: Mapping[str, Any]  # of a chat

    async def send(
        self, http: Callable[[], Any], path: str, content: bytes | None = None
    ) -> httpx.Response:
        """The response to a request, over `http` if the operator has no client of their own."""
        client, url = self.http or http(), self.url + path
        if not path.startswith("/api/"):
            url = self.url + self.prefix + path
        method = "GET" if content is None else "POST"
        request = client.build_request(method, url, content=content, **self.extra)
        return await client.send(request, stream=content is not None)  # type: ignore[no-any-return]


def upstream_of(llm: Any) -> Upstream | None:
    """The server of a chat model; `None` if its client does more than to send JSON."""
    words = [HumanMessage("Hi")]
    match client_kind(llm):
        case "openai" if not (llm.openai_proxy or callable(llm.openai_api_key)):
            client, http = llm.root_async_client, llm.http_async_client
            given = llm._get_request_payload(words)  # noqa: SLF001
        case "anthropic" if not llm.anthropic_proxy:
            client, http = llm._async_client, None  # noqa: SLF001
            given = llm._get_request_payload(words)  # noqa: SLF001
        case "ollama":
            client = http = llm._async_client._client  # noqa: SLF001
            given = llm._chat_params(words)  # noqa: SLF001
        case _:
            return None
    is_plain = type(client).__name__ in _PLAIN_CLIENTS and not getattr(client, "default_query", 0)
    if not is_plain or given.keys() & _NO_BODY:
        return None
    own = client.headers if client is http else {**client.default_headers, **client.auth_headers}
    seconds, more = client.timeout, given.get("extra_body") or {}
    limits = seconds if hasattr(seconds, "as_dict") else httpx.Timeout(seconds)
    headers = {name: value for name, value in own.items() if isinstance(value, str)}
    fields = {**{name: given[name] for name in given if name not in _NOT_SENT}, **more}
    return Upstream(
        str(client.base_url).rstrip("/"),
        "" if client_kind(llm) == "openai" else "/v1",
        http,
        {"headers": headers, "extensions": {"timeout": limits.as_dict()}},
        {name: value for name, value in fields.items() if value is not None},
    )


def needs_nothing(path: str, body: Mapping[str, Any], base: ChatToolEmu, model: str | None) -> bool:
    """Whether a request can be left to the upstream, and nobody else looks at its reply."""
    given = {name for name, value in body.items() if value is not None} - {"model", "name"}
    messages, tools = body.get("messages"), body.get("tools") or []
    stop = body.get("stop") or body.get("stop_sequences") or []
    is_known = given <= {*PASSED_ON[path], "options"} and isinstance(tools, list)
    is_known = is_known and isinstance(stop, str | list) and all(type(t) is str for t in stop)
    seen = any(
        chat_model.cache or chat_model.rate_limiter or is_watched(chat_model)
        for chat_model in (base, base.llm)
    )
    changed = base.bound_kwargs or base.output_version or base.thoughts != "keep" or get_llm_cache()
    if not (is_known and isinstance(messages, list) and messages) or seen or changed:
        return False
    is_left = base.mode == "off"
    if not is_left:
        explicit, size = base.native_tools, base.model_size
        known = Capability(base.llm, model, explicit=explicit, model_size=size).known
        seen = known.verdict == "native" and known.evidence == "observed" and known.on_vendor_host
        reviewed = base.policy not in ("auto", "default", "trust")
        is_left = base.mode == "fallback" and seen and not (reviewed or known.refused_tools)
        if given & _EMULATED - ({"tools"} if is_left else set()) or known.lacks & _FORMS:
            return False
        is_left = bool(tools)
    system = {"role": "system", "content": body.get("system") or ""}
    plain = all(_is_plain(message, is_left) for message in (system, *messages))
    return plain and all(map(_is_function, tools))


async def limit_fits(body: Mapping[str, Any], llm: Any, model: str | None) -> bool:
    """Whether the reply's limit leaves enough of the window, as far as the server tells that."""
    limits = (body.get("max_tokens"), body.get("max_completion_tokens"))
    limit = max((limit for limit in limits if type(limit) is int), default=0)
    if not limit:
        return True
    capability = Capability(llm, model)
    await capability.aconsult()
    window = capability.known.told_window
    return not window or limit <= window // 4


def _is_function(tool: Any) -> bool:
    """Whether a tool is the client's own: a provider's may name a model or an address."""
    match tool:
        case {"type": "function", "function": {"name": str()}}:
            return True
        case {"name": str(), "input_schema": dict()}:
            return tool.keys() <= _OF_TOOLS and tool.get("type") in (None, "custom")
    return False


def _is_plain(message: Any, is_left: bool) -> bool:
    """Whether nothing in a message is ours to read, to change or to refuse."""
    match message:
        case {"role": str(role), "content": str(text)} if not is_volatile(text):
            return is_left or (role in _ROLES and message.keys() <= {"role", "content", "name"})
        case {"role": str(role)}:
            return is_left and role not in ("system", "developer")
    return False


@dataclass
class StraightTurn:
    """A request on its way: what is sent where, and the client's name for the model."""

    upstream: Upstream
    http: Callable[[], Any]
    path: str
    body: Mapping[str, Any]
    name: str
    about: Mapping[str, Any]  # the turn, for its headers
    tells_usage: bool = False  # whether the client asked for it
    read: int = 0  # tokens
    written: int = 0
    _last: dict[str, Any] = field(default_factory=dict)
    _ended: bool = False
    _closed: bool = False

    async def whole(self) -> bytes:
        """The reply in one piece."""
        async with aclosing(await self._send()) as response:
            content = await response.aread()
            reply = await off_loop.run(self._load, content, response)
        if _ANSWERS.get(self.path, "choices") not in reply:
            raise unreadable(response)
        return await off_loop.run(self._named, reply, content)

    async def stream(self) -> AsyncGenerator[bytes, None]:
        """The reply as it comes; one that breaks off raises an error."""
        events = sse.EventReader(is_lines=self.path == "/api/chat")
        async with aclosing(await self._send()) as response:
            if response.headers.get("content-type", "").startswith("application/json"):
                self._load(await response.aread(), response)  # an error, most likely
            pieces = response.aiter_bytes()
            async for piece in pieces:
                if shown := b"".join([self._shown(data, response) for data in events.feed(piece)]):
                    yield shown
                if self._closed:  # a connection that is read to its end can be used again
                    with suppress(Exception):
                        await asyncio.wait_for(anext(pieces, None), _DRAIN_SECONDS)
                    return
            if not self._ended:
                raise RequestError(BROKEN_OFF) if self._last else unreadable(response)
            yield sse.DONE

    async def _send(self) -> httpx.Response:
        is_large = off_loop.request_bytes.get() > sse.LARGE
        write = sse.compact_large if is_large else sse.compact
        content = await off_loop.run(write, self.body)
        response = await self.upstream.send(self.http, self.path, content)
        if response.status_code != httpx.codes.OK:
            raise UpstreamError(await response.aread(), response)
        return response

    def _shown(self, data: bytes, response: httpx.Response) -> bytes:
        """What the client gets of an event."""
        if data.startswith(b"[DONE]"):
            self._closed = True
            stop = b"" if self._ended else sse.data({**self._last, "choices": _STOP})
            return stop + sse.DONE
        chunk = self._last = self._load(data, response)
        named = self._named(chunk, data)
        if self.path == "/api/chat":
            return named + b"\n"
        if self.path == "/messages":
            return b"event: %b\ndata: %b\n\n" % (str(chunk.get("type")).encode(), named)
        is_usage = "usage" in chunk and not (chunk.get("choices") or self.tells_usage)
        return b"" if is_usage else b"data: %b\n\n" % named

    def _load(self, content: bytes, response: httpx.Response) -> dict[str, Any]:
        """A reply, or a chunk of one; an error if it is none, or says that it is one."""
        try:
            reply: dict[str, Any] = sse.loads(content)
            if not (error := reply.get("error")):
                self._note(reply)
        except (ValueError, TypeError, AttributeError, RecursionError) as wrong:
            raise unreadable(response) from wrong
        if error:
            raise UpstreamError(reply, response)
        return reply

    def _note(self, reply: Mapping[str, Any]) -> None:
        ends = [choice.get("finish_reason") for choice in reply.get("choices") or ()]
        self._closed = bool(reply.get("done")) or reply.get("type") == "message_stop"
        self._ended = self._ended or self._closed or any(ends)
        usage = reply.get("usage") or (reply.get("message") or {}).get("usage") or reply
        self.read = sum(int(usage[name] or 0) for name in _READ & usage.keys()) or self.read
        self.written = (
            sum(int(usage[name] or 0) for name in _WRITTEN & usage.keys()) or self.written
        )

    def _named(self, reply: dict[str, Any], written: bytes) -> bytes:
        """A reply with the client's name for the model."""
        holder = reply if "model" in reply else reply.get("message") or {}
        if holder.get("model", self.name) == self.name and b"\n" not in written:
            return written
        if "model" in holder:
            holder["model"] = self.name
        return sse.dumps(reply)
