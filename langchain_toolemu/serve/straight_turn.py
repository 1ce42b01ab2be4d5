"""The straight way: a request that needs nothing of us is sent to an upstream of its own protocol, and its reply comes back.

- It is for chat completions without tools, or with tools where nothing is repaired: in mode off, or with `repair_native` off
  at an endpoint that was seen to call natively. Only the model's name and the operator's settings are added.
- All but the plainest requests take the usual way. So does a request that is refused before anything came: the usual way
  begins with that outcome, and asks nothing twice.
"""

import time
from collections.abc import AsyncGenerator, Mapping
from typing import Any
from uuid import uuid4

from langchain_core.globals import get_llm_cache
from langchain_core.messages.ai import UsageMetadata

from langchain_toolemu.capability import Capability, Snapshot
from langchain_toolemu.chat_models import sse
from langchain_toolemu.chat_models.diagnostics import is_debugged
from langchain_toolemu.chat_models.unwatched_run import is_watched
from langchain_toolemu.messages.content import all_words_in
from langchain_toolemu.model_facts.overflow import ReplyLimit
from langchain_toolemu.serve.answer import Answer, AnswerPart
from langchain_toolemu.serve.faults import BROKEN_OFF, RequestError
from langchain_toolemu.serve.forwarding import key_headers, wire_of
from langchain_toolemu.serve.gateway import ServedModel
from langchain_toolemu.serve.openai_chat.answer import error_writer
from langchain_toolemu.serve.prepared_turn import is_volatile, upstream_fault
from langchain_toolemu.serve.protocol import Wire
from langchain_toolemu.turn.forms import FORMS

_LIMITS = ("max_tokens", "max_completion_tokens")
# Fields that are for the usual way to read, or to refuse.
_READ = frozenset({
    "toolemu", "n", "modalities", "audio", "functions", "function_call", "response_format", "tools", "tool_choice",
    "parallel_tool_calls",
})  # fmt: skip
_TYPES: Mapping[str, tuple[type, ...]] = {
    "model": (str,), "messages": (list,), "stream": (bool,), "stream_options": (dict,), "stop": (str,), "tools": (list,),
    **dict.fromkeys(("temperature", "top_p"), (int, float)), **dict.fromkeys(_LIMITS, (int,)),
}  # fmt: skip
_ROLES = ("system", "developer", "user", "assistant")


class NotStraightError(Exception):
    """The usual way must take over; `outcome` is what its first request is answered: a reply, or an error."""

    def __init__(self, outcome: Any) -> None:
        super().__init__()
        self.outcome = outcome


class StraightTurn:
    """A request on the straight way: what a `PreparedTurn` is on the usual one."""

    dropped = ()

    def __init__(self, body: Mapping[str, Any], served: ServedModel, key: str | None) -> None:
        self.model = served.base
        self.limit = ReplyLimit(None)
        self.answer = Answer()
        self.is_streamed = bool(body.get("stream"))
        self._name = body["model"]
        self.writer = error_writer(self._name)
        llm: Any = served.upstream
        own = llm._get_request_payload([], **{name: body[name] for name in _LIMITS if name in body})  # noqa: SLF001
        self.upstream_name = self._name if served.takes_any_name else own["model"]
        options = body.get("stream_options") or {}
        self._tells_usage = bool(options.get("include_usage"))
        own_fields = {"model": self.upstream_name, "stream": self.is_streamed}
        if self.is_streamed and llm.stream_usage:
            own_fields["stream_options"] = {**options, "include_usage": True}
        extra = own.pop("extra_body", None) or {}
        self._payload = {**own, **extra, **body, **own_fields}
        if not self.is_streamed:  # servers refuse options of a stream that is none
            self._payload.pop("stream_options", None)
        self._headers = {"extra_headers": key_headers(key, llm)} if key else {}
        self._head = {"id": f"chatcmpl-{uuid4().hex}", "created": int(time.time())}
        self._ended = False

    async def whole(self) -> dict[str, Any]:
        """The reply in one piece."""
        reply = await self._ask()
        try:
            self._read(reply, "message")
        except (AttributeError, TypeError, ValueError) as error:
            raise NotStraightError(reply) from error
        if not self._ended:
            raise NotStraightError(reply)
        return self._written(reply, "chat.completion")

    async def stream(self) -> AsyncGenerator[bytes, None]:
        """The events of the reply as they come; a stream that breaks off raises an error."""
        held: list[bytes] = []  # until one of them says something
        begun = False
        reply = await self._ask()
        try:
            async with reply:
                async for chunks in reply.batches():
                    for chunk in chunks:
                        begun = self._read(chunk, "delta") or begun
                        if self._tells_usage or chunk.get("choices"):
                            held.append(sse.data(self._written(chunk, "chat.completion.chunk")))
                    if begun and held:
                        yield b"".join(held)
                        held.clear()
                if self._ended:
                    yield b"".join(held) + sse.DONE
                    yield b""  # what is left to do is no concern of the client's
                    return
        except Exception as error:
            if not begun:
                raise NotStraightError(error) from error
            prompt = all_words_in(self._payload["messages"])
            raise RequestError(upstream_fault(error, prompt, self.model.llm)) from error
        raise RequestError(BROKEN_OFF)

    async def _ask(self) -> Any:
        client: Any = self.model.llm
        try:
            return await client.async_client.create(**self._payload, **self._headers)
        except Exception as error:
            raise NotStraightError(error) from error

    def _read(self, reply: Mapping[str, Any], part: str) -> bool:
        """Note the end, the calls and the usage; returns whether a reply, or a chunk of one, says something."""
        says = False
        for choice in reply.get("choices") or ():
            self._ended = self._ended or bool(choice.get("finish_reason"))
            message = choice.get(part) or {}
            says = says or any(value for name, value in message.items() if name != "role")
            for call in message.get("tool_calls") or ():  # which are only counted
                function = call.get("function") or {}
                if function.get("name"):  # else it is a piece of the call before it
                    self.answer.add(AnswerPart("call", name=function["name"]))
                if self.answer.calls:
                    self.answer.calls[-1].add(str(function.get("arguments") or ""))
        if usage := reply.get("usage"):
            read, written = (int(usage.get(name) or 0) for name in ("prompt_tokens", "completion_tokens"))  # fmt: skip
            self.answer.usage = UsageMetadata(
                input_tokens=read, output_tokens=written, total_tokens=read + written
            )
        return says

    def _written(self, reply: Mapping[str, Any], kind: str) -> dict[str, Any]:
        """A reply, or a chunk of one, with the client's name for the model, and with what some servers leave out."""
        self._head |= {name: reply[name] for name in self._head if reply.get(name)}
        written = {**self._head, "object": kind, **reply, "model": self._name}
        if self.is_streamed and not self._tells_usage:
            written.pop("usage", None)
        return written


async def straight_turn(
    wire: Wire, body: Mapping[str, Any], served: ServedModel, key: str | None
) -> StraightTurn | None:
    """The turn of a request that can go straight; `None` for any other."""
    given = {name: value for name, value in body.items() if value is not None}
    leaves_tools = served.base.mode == "off" or served.base.repair_native is False
    if wire != "openai_chat" or not (leaves_tools or not given.get("tools")):
        return None
    if not (_is_plain(given) and _may_go_straight(served)):
        return None
    model = given["model"] if served.takes_any_name else None
    capability = Capability(served.upstream, model, explicit=served.base.native_tools)
    most = max((given[name] for name in _LIMITS if name in given), default=0)
    if most:
        await capability.aconsult()
    known = capability.known
    fits = not known.told_window or most <= known.told_window // 4
    tools_stay = "tools" not in given or _leaves_tools(served, known)
    goes = fits and tools_stay and known.lacks.isdisjoint(FORMS)
    return StraightTurn(given, served, key) if goes else None


def _may_go_straight(served: ServedModel) -> bool:
    """Whether nobody but us would look at a reply: no setting of the operator's, no cache, no callback, no log."""
    base, llm = served.base, served.upstream
    return (
        type(llm).__name__ == "ForwardingChatOpenAI"  # its package may not be installed
        and wire_of(llm) == "openai_chat"
        and base.thoughts == "keep"
        and not (base.llm_kwargs or base.output_version or served.settings.text_only)
        and not (llm.cache or llm.rate_limiter or get_llm_cache() or llm.disable_streaming)
        and not (is_watched(base) or is_debugged())
    )


def _leaves_tools(served: ServedModel, known: Snapshot) -> bool:
    """Whether calls are the provider's alone."""
    base = served.base
    seen = known.verdict == "native" and known.evidence == "observed" and not known.refused_tools
    reviews = base.repair_native is not False or base.policy not in ("auto", "default", "trust")
    is_left = seen and not reviews and known.may_send("streamed_calls")
    return base.mode == "off" or (base.mode == "fallback" and is_left)


def _is_plain(given: Mapping[str, Any]) -> bool:
    """Whether a request has the plainest form, so that there is nothing to read in it, and nothing to refuse."""
    tools = given.get("tools") or []
    read = {*_READ, "logprobs"} - {"tools", "tool_choice"} if tools else _READ
    typed = all(type(given[name]) in kinds for name, kinds in _TYPES.items() if name in given)
    if not typed or not read.isdisjoint(given) or given.get("tool_choice", "auto") != "auto":
        return False
    messages = given.get("messages") or [None]
    is_plain = all(map(_is_function, tools)) and "model" in given
    return is_plain and all(_is_plain_message(message, in_loop=bool(tools)) for message in messages)


def _is_plain_message(message: Any, *, in_loop: bool) -> bool:
    match message:
        case {"role": role, "content": str(text), **rest} if role in _ROLES:
            names_only = all(name == "name" and type(rest[name]) is str for name in rest)
            return names_only and not is_volatile(text)
        case {"role": "tool", "content": str(), "tool_call_id": str(), **rest}:
            return in_loop and not rest
        case {"role": "assistant", "content": str() | None, "tool_calls": [*calls], **rest}:
            return in_loop and not rest and all(map(_is_function, calls))
    return False


def _is_function(value: Any) -> bool:
    """Whether this is a function tool, or a call of one."""
    match value:
        case {"type": "function", "function": {"name": str(), **rest}}:
            is_call = type(value.get("id")) is str and type(rest.get("arguments")) is str
            return is_call or type(rest.get("parameters")) is dict
    return False
