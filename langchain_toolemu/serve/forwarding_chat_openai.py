"""ChatOpenAI as a gateway needs it: nothing that a client or a server says is lost on the way.

- Reasoning in a client's history is sent, unless the turn removed it. The limit of a reply keeps its name: many servers
  only know `max_tokens`. `[DONE]` ends a reply: some servers never give a finish reason.
- Bodies and replies stay plain JSON. OpenAI's client would walk through every message, which takes longer than the rest of
  a turn, make an object of every piece, and raise an error for a cut-off reply that has a response format.
"""

import asyncio
import inspect
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing, suppress
from functools import cached_property
from typing import Any

from langchain_core.language_models import LanguageModelInput
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatResult
from openai import APIConnectionError, APIError, APITimeoutError, AsyncOpenAI, AsyncStream
from pydantic import model_validator
from typing_extensions import Self, override

from langchain_toolemu.chat_models.reasoning_chat_openai import ReasoningChatOpenAI
from langchain_toolemu.messages.past_reasoning import reasoning_fields
from langchain_toolemu.serve import sse
from langchain_toolemu.serve.forwarding import known_outcomes


class ForwardingChatOpenAI(ReasoningChatOpenAI):
    """ChatOpenAI that forwards what it does not know."""

    @model_validator(mode="after")
    def _take_plain_replies(self) -> Self:
        if self.root_async_client is not None:
            self.async_client = _PlainCompletions(self.root_async_client, self.http_async_client)
        return self

    @override
    def _get_request_payload(
        self, input_: LanguageModelInput, *, stop: list[str] | None = None, **kwargs: Any
    ) -> dict[str, Any]:
        if self._use_responses_api({**self._default_params, **kwargs}):
            return super()._get_request_payload(input_, stop=stop, **kwargs)
        messages = self._convert_input(input_).to_messages()
        emptied = [*map(_without_text, messages)]
        payload: dict[str, Any] = super()._get_request_payload(emptied, stop=stop, **kwargs)
        if "max_tokens" in kwargs:
            payload["max_tokens"] = payload.pop("max_completion_tokens")
        for message, sent, written in zip(messages, emptied, payload["messages"], strict=True):
            written.update(reasoning_fields(message))
            if sent is not message:
                written["content"] = message.content
        if form := payload.pop("response_format", None):
            # ChatOpenAI would have the reply checked by it.
            payload["extra_body"] = {"response_format": form, **(payload.get("extra_body") or {})}
        return payload

    @override
    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: Any = None,
        **kwargs: Any,
    ) -> ChatResult:
        """The same without a thread: ChatOpenAI reads every reply in one, which takes longer than to read it."""
        payload = self._get_request_payload(messages, stop=stop, **kwargs)
        if "messages" in payload and not self.include_response_headers:
            try:
                return self._create_chat_result(await self.async_client.create(**payload))
            except APIError as error:  # ChatOpenAI knows errors of its own for some
                known_outcomes.set([error])
        return await super()._agenerate(messages, stop, run_manager, **kwargs)


def _without_text(message: BaseMessage) -> BaseMessage:
    """A message without its text, if that is an assistant's: ChatOpenAI looks through it letter by letter."""
    is_text = isinstance(message, AIMessage) and isinstance(message.content, str)
    return message.model_copy(update={"content": ""}) if is_text and message.content else message


_STOPPED = {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}
_DRAIN_SECONDS = 0.1


class ReplyStream:
    """A streamed reply: its chunks in plain JSON, and an end; an error among them is raised."""

    def __init__(self, response: Any) -> None:
        self._response = response
        self._pieces = self._read()
        self._is_done = self._has_reason = False

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._is_done:  # a connection that is read to its end can be used again
            with suppress(asyncio.TimeoutError, APIConnectionError):
                await asyncio.wait_for(self._drain(), _DRAIN_SECONDS)
        await self._pieces.aclose()
        await self._response.aclose()

    async def __aiter__(self) -> AsyncGenerator[Any, None]:
        async for chunks in self.batches():
            for chunk in chunks:
                yield chunk

    async def batches(self) -> AsyncGenerator[list[Any], None]:
        """The chunks, in lists of those that came together."""
        events = sse.EventReader()
        async for piece in self._pieces:
            chunks: list[Any] = []
            try:
                self._add(events.feed(piece), chunks)
            except (APIError, ValueError):
                yield chunks  # what came before the error
                raise
            yield chunks
            if self._is_done:
                return

    def _add(self, events: list[bytes], chunks: list[Any]) -> None:
        for data in events:
            if data.startswith(b"[DONE]"):
                self._is_done = True
                chunks += [] if self._has_reason else [_STOPPED]
                return
            chunk = sse.loads(data)
            self._raise_error_in(chunk)
            for choice in chunk.get("choices") or ():
                self._has_reason = self._has_reason or bool(choice.get("finish_reason"))
            chunks.append(chunk)

    async def _read(self) -> AsyncGenerator[bytes, None]:
        is_encoded = "content-encoding" in self._response.headers
        read = self._response.aiter_bytes if is_encoded else self._response.aiter_raw
        try:
            async with aclosing(read()) as pieces:
                async for piece in pieces:
                    yield piece
        except Exception as error:
            raise APIConnectionError(request=self._response.request) from error
        yield b"\n\n"  # for a last event without an end

    async def _drain(self) -> None:
        async for _ in self._pieces:
            pass

    def _raise_error_in(self, chunk: dict[str, Any]) -> None:
        if error := chunk.get("error"):
            message = error.get("message") if isinstance(error, dict) else None
            told = str(message or "An error occurred during streaming")
            raise APIError(told, self._response.request, body=error)


# Arguments that are not part of the body, and their names in the client's `post`.
_OPTIONS = {"extra_headers": "headers", "extra_query": "params", "timeout": "timeout"}
# The client's argument for a body that is written already; older versions have no own one.
_BYTES = "content" if "content" in inspect.signature(AsyncOpenAI.post).parameters else "body"
_RAW = {"X-Stainless-Raw-Response": "true"}  # OpenAI's client marks such a request so
_PATH = "/chat/completions"


class _PlainCompletions:
    """The chat completions of OpenAI's client, but with replies as plain JSON and an end of each stream.

    Through an HTTP client of our own, requests are sent without OpenAI's, which takes longer than all the rest.
    """

    def __init__(
        self, client: AsyncOpenAI, http: Any, headers: Mapping[str, str] | None = None
    ) -> None:
        self._client: Any = client
        self._http = http
        self._headers = headers or {}

    @property
    def with_raw_response(self) -> "_PlainCompletions":
        """The same, with the headers of the response."""
        return _PlainCompletions(self._client, None, _RAW)

    async def create(self, *, extra_body: Any = None, **payload: Any) -> Any:
        """Send a payload; returns a reply or a stream."""
        if known := known_outcomes.get([]):
            outcome = known.pop()
            if isinstance(outcome, Exception):
                raise outcome
            return outcome
        given = {name: payload.pop(key, None) for key, name in _OPTIONS.items()}
        own = {name: value for name, value in given.items() if value is not None}
        body, is_streamed = (
            sse.dumps({**payload, **(extra_body or {})}),
            bool(payload.get("stream")),
        )
        if self._http and not self._client.max_retries and own.keys() <= {"headers"}:
            response = await self._send(body, own.get("headers", {}), is_streamed=is_streamed)
            return ReplyStream(response) if is_streamed else _reply_in(response)
        made: Any = await self._client.post(
            _PATH,
            **{_BYTES: body},
            cast_to=object,
            options={**own, "headers": {**own.get("headers", {}), **self._headers}},
            stream=is_streamed,
            stream_cls=AsyncStream[object],
        )
        return ReplyStream(made.response) if isinstance(made, AsyncStream) else made

    async def _send(self, body: bytes, headers: Mapping[str, str], *, is_streamed: bool) -> Any:
        template = self._template
        request = type(template)(
            "POST",
            template.url,
            # Names of headers are in lower case there.
            headers={**template.headers, **{name.lower(): headers[name] for name in headers}},
            content=body,
            extensions=template.extensions,
        )
        try:
            response = await self._http.send(request, stream=is_streamed)
        except Exception as error:
            is_late = "timeout" in type(error).__name__.lower()
            kind = APITimeoutError if is_late else APIConnectionError
            raise kind(request=request) from error
        if response.is_success:
            return response
        await response.aread()
        raise self._client._make_status_error_from_response(response)  # noqa: SLF001

    @cached_property
    def _template(self) -> Any:
        """A request without a body."""
        client = self._client
        headers = {**client.auth_headers, **client.default_headers}
        return self._http.build_request(
            "POST",
            str(client.base_url).rstrip("/") + _PATH,
            headers={name: value for name, value in headers.items() if isinstance(value, str)},
            params=client.default_query or None,
            timeout=client.timeout,
        )


def _reply_in(response: Any) -> Any:
    try:
        return sse.loads(response.content)
    except ValueError:
        return response.text
