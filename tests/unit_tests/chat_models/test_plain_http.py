"""The HTTP client for local servers reads whatever a server may send, and uses connections again."""

import asyncio
import gzip
from contextlib import asynccontextmanager

import pytest

from langchain_toolemu.chat_models import plain_http
from langchain_toolemu.chat_models.plain_http import PlainTransport, httpx

OK = b"HTTP/1.1 200 OK\r\n"
CHUNKS = OK + b"Transfer-Encoding: chunked\r\n\r\n"
PACKED = gzip.compress(b"Hello, world")
RESPONSES = {
    "sized": OK + b"content-length: 12\r\n\r\nHello, world",
    "chunks": CHUNKS + b"5\r\nHello\r\n0007;a=b\r\n, world\r\n0\r\n\r\n",
    "trailers": CHUNKS + b"c\r\nHello, world\r\n0\r\nx-sum: 1\r\nx-more: 2\r\n\r\n",
    "to be continued": b"HTTP/1.1 100 Continue\r\n\r\n" + OK + b"content-length: 12\r\n\r\nHello, world",
    "packed": OK + b"content-encoding: gzip\r\ncontent-length: %d\r\n\r\n" % len(PACKED) + PACKED,
}  # fmt: skip
CLOSING = {
    "up to the end": OK + b"\r\nHello, world",
    "said to close": OK + b"connection: Close\r\ncontent-length: 12\r\n\r\nHello, world",
    "old": b"HTTP/1.0 200 OK\r\ncontent-length: 12\r\n\r\nHello, world",
}
BROKEN = {
    "nothing": b"",
    "half a head": OK + b"content-le",
    "too short": OK + b"content-length: 12\r\n\r\nHello",
    "too long": OK + b"content-length: 1\r\n\r\nHello",
    "half a chunk": CHUNKS + b"c\r\nHello",
    "no last chunk": CHUNKS + b"5\r\nHello\r\n",
    "no chunk": CHUNKS + b"hello\r\nHello\r\n0\r\n\r\n",
    "another protocol": b"220 smtp ready\r\n\r\n",
}


class Server:
    """Sends bytes, and counts connections and requests."""

    def __init__(self, content, *, closes=False):
        self.content, self.cut, self.closes = content, None, closes
        self.connections, self.requests = 0, []

    async def serve(self, reader, writer):
        self.connections += 1
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                size = int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
                self.requests.append((head, await reader.readexactly(size)))
                for piece in (self.content[: self.cut], self.content[self.cut or 2**20 :]):
                    writer.write(piece)
                    await asyncio.sleep(0.001 if self.cut else 0)
                if self.closes:
                    break
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        writer.close()


def a_client(**options):
    mounts = {"http://": PlainTransport()}
    return httpx.AsyncClient(mounts=mounts, trust_env=False, verify=False, **options)


@asynccontextmanager
async def asking(server, **options):
    listening = await asyncio.start_server(server.serve, "127.0.0.1", 0)
    port = listening.sockets[0].getsockname()[1]
    async with a_client(**options) as client:
        yield lambda: client.post(f"http://127.0.0.1:{port}/v1/x?a=1", json={"b": "ä"})
    listening.close()


@pytest.mark.parametrize("content", RESPONSES.values(), ids=RESPONSES)
async def test_a_response_is_read_however_it_is_cut(content):
    """Over one connection, whichever way the server tells where its body ends."""
    server = Server(content)
    async with asking(server) as ask:
        for cut in (None, *range(1, len(content))):
            server.cut = cut
            assert (await ask()).text == "Hello, world", cut
    assert server.connections == 1
    head, body = server.requests[0]
    assert head.startswith(b"POST /v1/x?a=1 HTTP/1.1\r\n")
    assert body.decode() == '{"b":"ä"}'


@pytest.mark.parametrize("content", CLOSING.values(), ids=CLOSING)
async def test_a_connection_that_is_closed_is_not_used_again(content):
    """The next request has a new one."""
    server = Server(content, closes=True)
    async with asking(server) as ask:
        assert [(await ask()).text for _ in range(3)] == ["Hello, world"] * 3
    assert server.connections == 3


async def test_a_connection_that_was_idle_for_long_is_not_used_again(monkeypatch):
    """The server may be about to close it."""
    monkeypatch.setattr(plain_http, "_IDLE_SECONDS", 0.0)
    server = Server(RESPONSES["sized"])
    async with asking(server) as ask:
        assert [(await ask()).text for _ in range(2)] == ["Hello, world"] * 2
    assert server.connections == 2


@pytest.mark.parametrize("content", BROKEN.values(), ids=BROKEN)
async def test_what_is_no_whole_response_is_an_error(content):
    """Nothing incomplete is taken for a response."""
    async with asking(Server(content, closes=True)) as ask:
        with pytest.raises(httpx.RemoteProtocolError):
            await ask()


async def test_a_server_that_is_silent_is_left_after_the_time_limit():
    """Before its head, and within its body."""
    for content in (b"", CHUNKS + b"5\r\nHello\r\n"):
        async with asking(Server(content), timeout=0.1) as ask:
            with pytest.raises(httpx.ReadTimeout):
                await ask()


async def test_a_server_that_is_not_there_is_an_error():
    """The error is httpx's own."""
    async with a_client() as client:
        with pytest.raises(httpx.ConnectError):
            await client.get("http://127.0.0.1:1/")


async def test_a_header_cannot_add_another():
    """A line end in a value is refused before anything is sent."""
    server = Server(RESPONSES["sized"])
    async with asking(server, headers={"x-a": "b\r\nx-c: d"}) as ask:
        with pytest.raises(httpx.LocalProtocolError):
            await ask()
    assert not server.requests


async def test_a_stream_that_is_left_closes_its_connection():
    """The server can stop; the next request has a connection of its own."""
    server = Server(CHUNKS + b"5\r\nHello\r\n")
    listening = await asyncio.start_server(server.serve, "127.0.0.1", 0)
    url = f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}/"
    async with a_client() as client:
        for _ in range(2):
            async with client.stream("POST", url, json={}) as response:
                assert await anext(response.aiter_raw()) == b"Hello"
    listening.close()
    assert server.connections == 2
