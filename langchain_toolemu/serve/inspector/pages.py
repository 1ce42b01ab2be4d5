"""The routes of the inspector: the page, its data, live updates, and replays. Only this machine reaches them.

The data needs the server's key, if it has one. A replay also needs a token that only the page itself can read.
"""

import secrets
from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing
from dataclasses import dataclass

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import BaseRoute, Route
from starlette.types import Message, Receive, Scope, Send

from langchain_toolemu.chat_models.recording import TurnRecording
from langchain_toolemu.serve import sse
from langchain_toolemu.serve.access import is_local_client, refuse
from langchain_toolemu.serve.faults import Fault, RequestError
from langchain_toolemu.serve.http_connection import ClientGoneError, HttpConnection
from langchain_toolemu.serve.inspector.page import page_and_policy
from langchain_toolemu.serve.inspector.turns import REPLAY_OF, Recordings

_PING_SECONDS = 10.0
_TOKEN = "x-toolemu-token"  # noqa: S105 - a header's name
_FORBIDDEN = Fault(403, "Only the inspector's own page may replay a turn.", "replay_not_allowed")
_MOST_CHANGES = 100_000  # bytes


def inspector_routes(recordings: Recordings) -> Iterator[BaseRoute]:
    """The routes: the page at `/`, and its data."""
    token = secrets.token_urlsafe(24)

    async def turns(request: Request) -> Response:
        _refuse_remote(request)
        if request.method == "DELETE":
            recordings.clear()
        return sse.json_response(recordings.summaries())

    async def turn(request: Request) -> Response:
        _refuse_remote(request)
        response = sse.json_response(_find(recordings, request).to_json())
        response.headers[_TOKEN] = token  # which a page of another origin cannot read
        return response

    async def news(request: Request) -> Response:
        _refuse_remote(request)
        headers = {"cache-control": "no-cache", "x-accel-buffering": "no"}
        events = _events(recordings)
        return StreamingResponse(events, media_type="text/event-stream", headers=headers)

    yield Route("/", _page)
    yield Route("/inspector/turns", turns, methods=["GET", "DELETE"])
    yield Route("/inspector/turns/{id}", turn)
    yield Route("/inspector/turns/{id}/replay", _Replay(recordings, token), methods=["POST"])
    yield Route("/inspector/news", news)


@dataclass(frozen=True)
class _Replay:
    """Answers as the app itself does to a recorded body with some changes: a new turn, which says what it replays."""

    recordings: Recordings
    token: str

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        connection = HttpConnection(scope, receive, send)
        try:
            turn = self._checked_turn(Request(scope))
            changes = await connection.json_body(_MOST_CHANGES, _PING_SECONDS)
        except ClientGoneError:
            return
        except RequestError as error:
            await refuse(connection, error.fault)
            return
        content = sse.dumps({**turn.body, "stream": False, **changes})
        body = iter([{"type": "http.request", "body": content}])

        async def replayed() -> Message:
            return next(body, None) or await receive()

        headers = [pair for pair in scope["headers"] if pair[0] != b"content-length"]
        known = {"path": turn.http_path, "headers": headers, REPLAY_OF: turn}
        await scope["app"].router({**scope, **known}, replayed, send)

    def _checked_turn(self, request: Request) -> TurnRecording:
        """The turn; raises a `RequestError` if not the page itself asks."""
        _refuse_remote(request)
        headers = request.headers
        own = headers.get("origin", "").partition("://")[2] == headers.get("host", "")
        if not (
            own and secrets.compare_digest(headers.get(_TOKEN, "").encode(), self.token.encode())
        ):
            raise RequestError(_FORBIDDEN)
        return _find(self.recordings, request)


def _find(recordings: Recordings, request: Request) -> TurnRecording:
    if found := recordings.find(request.path_params["id"]):
        return found
    raise HTTPException(404)


async def _events(recordings: Recordings) -> AsyncIterator[bytes]:
    async with aclosing(recordings.watch(_PING_SECONDS)) as changes:
        async for lines in changes:
            yield sse.KEEP_ALIVE if lines is None else sse.data(lines)


def _refuse_remote(request: Request) -> None:
    if not is_local_client(request.scope):
        raise HTTPException(404)


async def _page(request: Request) -> Response:
    _refuse_remote(request)
    html, policy = page_and_policy()
    headers = {
        "content-security-policy": policy,
        "x-content-type-options": "nosniff",
        "x-frame-options": "DENY",
        "referrer-policy": "no-referrer",
        "cache-control": "no-store",
    }
    return Response(html, media_type="text/html", headers=headers)
