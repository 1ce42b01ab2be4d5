"""OpenAI's chat completions as plain JSON, for a ChatOpenAI that only forwards.

OpenAI's client would make an object of every piece, and fail at a cut-off reply with a form.
"""

import asyncio
import inspect
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing, suppress
from typing import Any

from openai import APIConnectionError, APIError, AsyncOpenAI, AsyncStream
from typing_extensions import Self

from langchain_toolemu.chat_models import sse

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
        events = sse.EventReader()
        async for piece in self._pieces:
            for data in events.feed(piece):
                if data.startswith(b"[DONE]"):
                    self._is_done = True
                    if not self._has_reason:
                        yield _STOPPED
                    return
                yield self._chunk(data)

    def _chunk(self, data: bytes) -> Any:
        try:
            chunk = sse.loads(data)
        except ValueError as error:
            problem = "The upstream's stream has a line that is no JSON."
            raise APIError(problem, self._response.request, body=None) from error
        self._raise_error_in(chunk)
        for choice in chunk.get("choices") or ():
            self._has_reason = self._has_reason or bool(choice.get("finish_reason"))
        return chunk

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
            text = str(message or "An error occurred during streaming")
            raise APIError(text, self._response.request, body=error)


# Arguments that are not part of the body, and their names in the client's `post`.
_OPTIONS = {"extra_headers": "headers", "extra_query": "params", "timeout": "timeout"}
# The client's argument for a body that is written already; older versions have no own one.
_BYTES = "content" if "content" in inspect.signature(AsyncOpenAI.post).parameters else "body"
_RAW = {"X-Stainless-Raw-Response": "true"}  # OpenAI's client marks such a request so


async def _written(body: Mapping[str, Any]) -> bytes:
    """A body as JSON; one with a long text is written in a thread."""
    texts = (message.get("content") for message in body.get("messages") or ())
    if any(isinstance(text, str) and len(text) > sse.LARGE for text in texts):
        return await asyncio.to_thread(sse.compact_large, body)
    return sse.compact(body)


class PlainCompletions:
    """OpenAI's chat completions, but with replies as plain JSON and an end of each stream."""

    def __init__(self, client: AsyncOpenAI, headers: Mapping[str, str] | None = None) -> None:
        self._client: Any = client
        self._headers = headers or {}

    @property
    def with_raw_response(self) -> "PlainCompletions":
        """The same, with the headers of the response."""
        return PlainCompletions(self._client, _RAW)

    async def create(self, *, extra_body: Any = None, **payload: Any) -> Any:
        """Send a payload; returns a reply or a stream."""
        given = {name: payload.pop(key, None) for key, name in _OPTIONS.items()}
        own = {name: value for name, value in given.items() if value is not None}
        body = {**payload, **(extra_body or {})}
        made: Any = await self._client.post(
            "/chat/completions",
            **{_BYTES: await _written(body)},
            cast_to=object,
            options={**own, "headers": {**own.get("headers", {}), **self._headers}},
            stream=bool(payload.get("stream")),
            stream_cls=AsyncStream[object],
        )
        return ReplyStream(made.response) if isinstance(made, AsyncStream) else made
