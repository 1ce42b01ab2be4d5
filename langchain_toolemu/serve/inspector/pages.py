"""The routes of the inspector: a page, its data, and its news. Only this machine reaches them.

The page is one file without anything from elsewhere; its policy lets a browser run and load nothing but what is in it.
Its data wants the key, where the server has one.
"""

import base64
import hashlib
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing
from functools import cache
from importlib.resources import files

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from langchain_toolemu.serve import sse
from langchain_toolemu.serve.access import is_local_client
from langchain_toolemu.serve.inspector.turns import Recordings

_PING_SECONDS = 10.0


def inspector_routes(recordings: Recordings) -> Iterator[BaseRoute]:
    """The routes: the page at `/`, and its data."""

    async def turns(request: Request) -> Response:
        _refuse_remote(request)
        if request.method == "DELETE":
            recordings.clear()
        return sse.json_response(recordings.summaries())

    async def turn(request: Request) -> Response:
        _refuse_remote(request)
        found = recordings.find(request.path_params["id"])
        if found is None:
            raise HTTPException(404)
        return sse.json_response(found.to_json())

    async def news(request: Request) -> Response:
        _refuse_remote(request)
        headers = {"cache-control": "no-cache", "x-accel-buffering": "no"}
        events = _events(recordings)
        return StreamingResponse(events, media_type="text/event-stream", headers=headers)

    yield Route("/", _page)
    yield Route("/inspector/turns", turns, methods=["GET", "DELETE"])
    yield Route("/inspector/turns/{id}", turn)
    yield Route("/inspector/news", news)


async def _events(recordings: Recordings) -> AsyncIterator[bytes]:
    async with aclosing(recordings.watch(_PING_SECONDS)) as changes:
        async for lines in changes:
            yield sse.KEEP_ALIVE if lines is None else sse.data(lines)


def _refuse_remote(request: Request) -> None:
    if not is_local_client(request.scope):
        raise HTTPException(404)


async def _page(request: Request) -> Response:
    _refuse_remote(request)
    html, policy = _page_and_policy()
    headers = {
        "content-security-policy": policy,
        "x-content-type-options": "nosniff",
        "x-frame-options": "DENY",
        "referrer-policy": "no-referrer",
        "cache-control": "no-store",
    }
    return Response(html, media_type="text/html", headers=headers)


@cache
def _page_and_policy() -> tuple[str, str]:
    """The page, and the policy that allows just its own script and style."""
    html = (files(__package__) / "page.html").read_text(encoding="utf-8")
    allowed = {tag: _hash(html, tag) for tag in ("script", "style")}
    return html, (
        f"default-src 'none'; script-src {allowed['script']}; style-src {allowed['style']}; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )


def _hash(html: str, tag: str) -> str:
    found = re.search(rf"<{tag}>(.*?)</{tag}>", html, re.DOTALL)
    text = found[1] if found else ""
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"
