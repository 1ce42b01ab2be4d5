"""The routes of the inspector: the page, and its data, which it asks for every second.

Only this machine reaches them, or a proxy on it with a key. The data needs one where keys are
set, and is of this key's turns. The page replays a turn by sending its request again, as any
client. It is one file that loads nothing, and its content security policy allows only its own
script and style: what a model wrote is data there, never markup.
"""

import base64
import hashlib
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from langchain_toolemu.serve.access import Access, is_local_client
from langchain_toolemu.serve.http_connection import json_response
from langchain_toolemu.serve.inspector.turns import Recordings


def inspector_routes(recordings: Recordings, access: Access) -> Iterator[BaseRoute]:
    """The routes: the page at `/`, and its data."""

    async def turns(request: Request) -> Response:
        _refuse_remote(request)
        if request.method == "DELETE":
            recordings.clear(access.owner_of(request.headers))
        return json_response(recordings.summaries(access.owner_of(request.headers)))

    async def turn(request: Request) -> Response:
        _refuse_remote(request)
        if found := recordings.find(request.path_params["id"], access.owner_of(request.headers)):
            return json_response(found.to_json())
        raise HTTPException(404)

    yield Route("/", _page)
    yield Route("/inspector/turns", turns, methods=["GET", "DELETE"])
    yield Route("/inspector/turns/{id}", turn)


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
    """The page, and its content security policy."""
    html = Path(__file__).with_name("page.html").read_text(encoding="utf-8")
    allowed = {tag: _hash(html, tag) for tag in ("script", "style")}
    return html, (
        f"default-src 'none'; script-src {allowed['script']}; style-src {allowed['style']}; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )


def _hash(html: str, tag: str) -> str:
    found = re.search(rf"<{tag}>(.*?)</{tag}>", html, re.DOTALL)
    digest = hashlib.sha256(found[1].encode() if found else b"").digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"
