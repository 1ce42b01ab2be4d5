"""ChatOpenAI as a gateway needs it: nothing that a client or a server says is lost on the way.

- Reasoning that a client's history holds is sent on, unless the turn has taken it out.
- The limit of a reply keeps the name under which it was asked for: many servers know only `max_tokens`.
- `[DONE]` ends a reply: some servers never give a finish reason.
- The body is sent as it is. OpenAI's client would walk through every message of it, which takes longer than all the rest of
  a turn; and check a reply by the form that it was to have, and raise for one that was cut off.
"""

import re
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from copy import copy
from typing import Any

from langchain_core.language_models import LanguageModelInput
from openai import AsyncStream
from pydantic import model_validator
from typing_extensions import Self, override

from langchain_toolemu.chat_models.reasoning_chat_openai import ReasoningChatOpenAI
from langchain_toolemu.messages.past_reasoning import reasoning_fields


class ForwardingChatOpenAI(ReasoningChatOpenAI):
    """ChatOpenAI that forwards what it does not know."""

    @model_validator(mode="after")
    def _watch_last_events(self) -> Self:
        self.async_client = _with_last_events(self.async_client)
        return self

    @override
    def _get_request_payload(
        self, input_: LanguageModelInput, *, stop: list[str] | None = None, **kwargs: Any
    ) -> dict[str, Any]:
        payload: dict[str, Any] = super()._get_request_payload(input_, stop=stop, **kwargs)
        if "messages" not in payload:  # the Responses API
            return payload
        if "max_tokens" in kwargs:
            payload["max_tokens"] = payload.pop("max_completion_tokens")
        messages = self._convert_input(input_).to_messages()
        for message, written in zip(messages, payload["messages"], strict=False):
            written.update(reasoning_fields(message))
        return _raw_payload(payload)


_LAST_EVENT = re.compile(rb"[\r\n]data: ?\[DONE\]")
_OVERLAP = 16  # more than the bytes of that event, which may be cut in two
_STOPPED = {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}


def _with_last_events(completions: Any) -> Any:
    """OpenAI's `chat.completions` whose streams end with a finish reason where the server only says `[DONE]`."""
    watched = copy(completions)

    async def create(**payload: Any) -> Any:
        made = await completions.create(**payload)
        return aclosing(watch(made)) if isinstance(made, AsyncStream) else made

    watched.create = create
    return watched


async def watch(stream: Any) -> AsyncGenerator[Any, None]:
    """The chunks of a stream of OpenAI's client, which hides its last event."""
    read, is_done, has_reason = stream.response.aiter_bytes, False, False

    async def watched_bytes() -> AsyncIterator[bytes]:
        nonlocal is_done
        tail = b"\n"
        async for piece in read():
            tail += piece
            is_done = is_done or _LAST_EVENT.search(tail) is not None
            tail = tail[-_OVERLAP:]
            yield piece

    stream.response.aiter_bytes = watched_bytes
    async with stream:
        async for chunk in stream:
            has_reason = has_reason or any(one.finish_reason for one in chunk.choices or ())
            yield chunk
    if is_done and not has_reason:
        yield _STOPPED


# What OpenAI's client must see itself; all else is the body of the request.
_ARGUMENTS = frozenset({"model", "stream", "extra_headers", "extra_query", "extra_body", "timeout"})


def _raw_payload(payload: dict[str, Any]) -> dict[str, Any]:
    """The arguments of OpenAI's client for a body that it does not look into."""
    seen = {name: payload[name] for name in _ARGUMENTS if name in payload}
    body = {name: payload[name] for name in payload if name not in _ARGUMENTS}
    return {**seen, "messages": [], "extra_body": {**body, **(payload.get("extra_body") or {})}}
