"""OpenAI's chat completions as plain JSON, for a ChatOpenAI that only forwards.

OpenAI's client would make an object of every piece, and raise an error for a cut-off reply that has a response format.
"""

import asyncio
import inspect
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing, suppress
from functools import cached_property
from typing import Any

from openai import APIConnectionError, APIError, APITimeoutError, AsyncOpenAI, AsyncStream
from typing_extensions import Self

from langchain_toolemu.chat_models import sse
from langchain_toolemu.chat_models.diagnostics import known_outcomes
from langchain_toolemu.chat_models.plain_http import PlainResponse, PlainTransport, RequestHead

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
            text = str(message or "An error occurred during streaming")
            raise APIError(text, self._response.request, body=error)


# Arguments that are not part of the body, and their names in the client's `post`.
_OPTIONS = {"extra_headers": "headers", "extra_query": "params", "timeout": "timeout"}
# The client's argument for a body that is written already; older versions have no own one.
_BYTES = "content" if "content" in inspect.signature(AsyncOpenAI.post).parameters else "body"
_RAW = {"X-Stainless-Raw-Response": "true"}  # OpenAI's client marks such a request so
_PATH = "/chat/completions"


class PlainCompletions:
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
    def with_raw_response(self) -> "PlainCompletions":
        """The same, with the headers of the response."""
        return PlainCompletions(self._client, None, _RAW)

    async def create(self, *, extra_body: Any = None, **payload: Any) -> Any:
        """Send a payload; returns a reply or a stream."""
        if known := known_outcomes.get([]):
            outcome = known.pop()
            if isinstance(outcome, Exception):
                raise outcome
            return outcome
        given = {name: payload.pop(key, None) for key, name in _OPTIONS.items()}
        own = {name: value for name, value in given.items() if value is not None}
        body = sse.dumps({**payload, **(extra_body or {})})
        is_streamed = bool(payload.get("stream"))
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
        try:
            response = await self._response(body, headers, is_streamed=is_streamed)
        except Exception as error:
            is_late = "timeout" in type(error).__name__.lower()
            kind = APITimeoutError if is_late else APIConnectionError
            raise kind(request=self._request(body, headers)) from error
        if isinstance(response, PlainResponse) or response.is_success:
            return response
        await response.aread()
        raise self._client._make_status_error_from_response(response)  # noqa: SLF001

    async def _response(self, body: bytes, headers: Mapping[str, str], *, is_streamed: bool) -> Any:
        """The response: as httpx has it if it is a stream, an error or encoded."""
        if self._transport is None:
            return await self._http.send(self._request(body, headers), stream=is_streamed)
        head = RequestHead.of(self._request(b"", headers)) if headers else self._head
        plain = await self._transport.send(head, body)
        if plain.is_usual and not is_streamed:
            await plain.aread()
            return plain
        request = self._request(body, headers)
        response = plain.to_httpx(request)
        is_moved = response.has_redirect_location and self._http.follow_redirects
        if is_moved or not is_streamed:
            await response.aread()
        if is_moved:
            moved = self._http._build_redirect_request(request, response)  # noqa: SLF001
            return await self._http.send(moved, stream=is_streamed)
        return response

    def _request(self, body: bytes, headers: Mapping[str, str]) -> Any:
        template = self._template
        # Names of headers are in lower case there. Each of them takes a while to be looked up.
        more = {name.lower(): headers[name] for name in headers}
        return type(template)(
            "POST",
            template.url,
            headers={**template.headers, **more} if more else template.headers,
            content=body,
            extensions=template.extensions,
        )

    @cached_property
    def _transport(self) -> PlainTransport | None:
        """Our own transport, if the HTTP client has it for this server."""
        http, url = self._http, self._template.url
        found = http._transport_for_url(url)  # noqa: SLF001
        # What the client itself would add to a request, or do with a response.
        adds = http.auth or url.userinfo or any(http.event_hooks.values())
        return found if isinstance(found, PlainTransport) and not adds else None

    @cached_property
    def _head(self) -> RequestHead:
        return RequestHead.of(self._template)

    @cached_property
    def _template(self) -> Any:
        """A request without a body."""
        client = self._client
        headers = {**client.auth_headers, **client.default_headers}
        template = self._http.build_request(
            "POST",
            str(client.base_url).rstrip("/") + _PATH,
            headers={name: value for name, value in headers.items() if isinstance(value, str)},
            params=client.default_query or None,
            timeout=client.timeout,
        )
        # That of no body, which would be kept for every body: only our own transport counts again.
        template.headers.pop("content-length", None)
        return template


def _reply_in(response: Any) -> Any:
    try:
        return sse.loads(response.content)
    except ValueError:
        return response.text
