"""The routes of the inspector: the page, its data, live updates, and replays. Only this machine reaches them.

The data needs the server's key, if it has one. A replay also needs a token that only the page itself can read.
"""

import secrets
from collections.abc import Iterator

from starlette.exceptions import HTTPException
from starlette.requests import Request, empty_send
from starlette.responses import Response, StreamingResponse
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from langchain_toolemu.chat_models.recording import TurnRecording
from langchain_toolemu.serve import sse
from langchain_toolemu.serve.access import is_local_client
from langchain_toolemu.serve.faults import Fault, RequestError
from langchain_toolemu.serve.http_connection import CONNECTION, STREAM, HttpConnection
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
        response.headers[_TOKEN] = token  # a page of another origin cannot read it
        return response

    async def news(request: Request) -> Response:
        _refuse_remote(request)
        changes = recordings.watch(_PING_SECONDS)
        events = (sse.KEEP_ALIVE if one is None else sse.data(one) async for one in changes)
        return StreamingResponse(events, media_type="text/event-stream", headers=STREAM)

    async def replay(request: Request) -> ASGIApp:
        """Send a recorded body, with changes, through the app again: a new turn that names the one it replays."""
        _refuse_remote(request)
        headers = request.headers
        is_own = headers.get("origin", "").partition("://")[2] == headers.get("host", "")
        given = headers.get(_TOKEN, "").encode()
        if not (is_own and secrets.compare_digest(given, token.encode())):
            raise RequestError(_FORBIDDEN)
        turn = _find(recordings, request)
        connection = HttpConnection(request.scope, request.receive, empty_send)
        changes = await connection.json_body(_MOST_CHANGES, _PING_SECONDS)
        body = sse.dumps({**turn.body, "stream": False, **changes})
        return _replay_app(turn, body)

    yield Route("/", _page)
    yield Route("/inspector/turns", turns, methods=["GET", "DELETE"])
    yield Route("/inspector/turns/{id}", turn)
    yield Route("/inspector/turns/{id}/replay", replay, methods=["POST"])
    yield Route("/inspector/news", news)


def _replay_app(turn: TurnRecording, body: bytes) -> ASGIApp:
    events = iter([{"type": "http.request", "body": body}])

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        async def receive_body() -> Message:
            return next(events, None) or await receive()

        headers = [pair for pair in scope["headers"] if pair[0] != b"content-length"]
        replayed = {**scope, "path": turn.http_path, "headers": headers, REPLAY_OF: turn}
        replayed[CONNECTION] = HttpConnection(replayed, receive_body, send)
        await scope["app"].router(replayed, receive_body, send)

    return app


def _find(recordings: Recordings, request: Request) -> TurnRecording:
    if found := recordings.find(request.path_params["id"]):
        return found
    raise HTTPException(404)


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
