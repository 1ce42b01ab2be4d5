"""A body is read whatever its size, and a large one without keeping others waiting."""

import asyncio
import json
import threading

import pytest

from langchain_toolemu.serve import http_connection
from langchain_toolemu.serve.faults import RequestError
from langchain_toolemu.serve.http_connection import HttpConnection
from langchain_toolemu.serve.settings import ServerSettings

LARGE = 2_000_000


def body_of(content):
    """What a connection makes of a body that arrives in pieces."""
    pieces = [content[at : at + 60_000] for at in range(0, len(content), 60_000)]
    events = [{"type": "http.request", "body": one, "more_body": True} for one in pieces]
    events.append({"type": "http.request", "body": b""})
    scope = {
        "type": "http",
        "path": "/v1/x",
        "headers": [(b"content-type", b"application/json")],
    }

    async def receive():
        return events.pop(0)

    limits = ServerSettings(max_body_bytes=10**8)
    return asyncio.run(HttpConnection(scope, receive, None).json_body(limits))


@pytest.mark.parametrize(
    ("size", "more"), [(10, ""), (LARGE, ""), (10, "$ref"), (10, "\\u0024ref"), (10, "$\\u0072ef")]
)
def test_a_large_body_is_read_in_a_thread(size, more, monkeypatch):
    """The event loop goes on meanwhile; a small one is read at once, unless it has references."""
    readers, parse = [], http_connection._parse

    def parse_somewhere(*given):
        readers.append(threading.current_thread() is threading.main_thread())
        return parse(*given)

    monkeypatch.setattr(http_connection, "_parse", parse_somewhere)
    body = {"text": "ä" * size, "list": [{"a": 1.5}]}
    assert (
        body_of(json.dumps({**body, "x": "?"}).replace("?", more).encode()).items() >= body.items()
    )
    assert readers == [size < LARGE and not more]


@pytest.mark.parametrize(
    "more", ["1" * 30, "[" + "{}," * 30_000 + "1]"], ids=["long number", "many"]
)
def test_every_body_is_read_alike(more):
    """Long integers are exact, and a body of many objects is refused for the same reasons."""
    said = {"a": [json.loads(more), 1.5, "\u00e4"]}
    assert body_of(json.dumps(said).encode()) == said
    for wrong in ("NaN", '"\\ud800"', "1e999", ""):
        with pytest.raises(RequestError):
            body_of(f'{{"a": {more}, "b": {wrong}}}'.encode())


@pytest.mark.parametrize("size", [10, LARGE])
@pytest.mark.parametrize("wrong", ["[1]", '{"a": NaN}', '{"a": "\\ud800"}', "{", '{"a": 1e999}'])
def test_what_is_no_json_object_is_refused_at_any_size(wrong, size):
    """With the same status, whoever reads it."""
    with pytest.raises(RequestError) as raised:
        body_of((wrong + " " * size).encode())
    assert (raised.value.fault.status, raised.value.fault.code) == (400, "invalid_json")
