"""A request for a websocket: it is told to use HTTP, by the status after which Codex does."""

import httpx
import pytest

from langchain_toolemu.serve import create_app
from tests.gateway import gateway
from tests.spoken_model import SpokenModel
from tests.tables import every_row

HELLO = SpokenModel(pieces=["Hi."])
UPGRADE = {
    "upgrade": "websocket", "connection": "Upgrade", "authorization": "Bearer secret",
    "sec-websocket-version": "13", "sec-websocket-key": "MDEyMzQ1Njc4OWFiY2RlZg==",
}  # fmt: skip
BODY = {"model": "m", "input": "Hi."}


@pytest.fixture(scope="module")
def server():
    with gateway(HELLO, api_keys=("secret",)) as running:
        yield running


HANDSHAKES = [
    (426, "GET", "/v1/responses", {}),
    (426, "GET", "/responses", {"upgrade": "WebSocket"}),
    (426, "GET", "/v1/realtime", {}),
    (426, "GET", "/v1/responses", {"sec-websocket-version": "8"}),
    (401, "GET", "/v1/responses", {"authorization": "Bearer wrong"}),
    (403, "GET", "/v1/responses", {"origin": "https://evil.com"}),
    (405, "GET", "/v1/responses", {"upgrade": "h2c"}),
    (200, "POST", "/v1/responses", {}),
]


@every_row(("status", "method", "path", "changed"), HANDSHAKES)
def test_a_handshake_is_answered_over_http(status, method, path, changed, server):
    """Who may not use the server is refused first; a request with a body is answered as ever."""
    body = BODY if method == "POST" else None
    headers = {**UPGRADE, **changed}
    with httpx.Client(base_url=server.url, headers=headers, trust_env=False) as client:
        response = client.request(method, path, json=body)
    assert response.status_code == status
    assert response.headers["x-request-id"].startswith("req_")
    if status == 426:
        assert "over HTTP" in response.json()["error"]["message"]


async def test_a_server_that_opens_websockets_refuses_them_alike():
    """Under a server that makes a scope of its own of a handshake, too."""
    sent = []

    async def send(message):
        sent.append(message)

    scope = {
        "type": "websocket", "path": "/v1/responses", "client": ("127.0.0.1", 1),
        "headers": [(b"host", b"localhost"), (b"upgrade", b"websocket")],
    }  # fmt: skip
    await create_app(HELLO)(scope, None, send)
    kinds = ["websocket.http.response.start", "websocket.http.response.body"]
    assert [message["type"] for message in sent] == kinds
    assert sent[0]["status"] == 426
