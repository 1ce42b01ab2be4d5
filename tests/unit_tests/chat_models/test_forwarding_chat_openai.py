"""The gateway's ChatOpenAI writes what ChatOpenAI writes, but for what it keeps."""

import asyncio
import gzip

import pytest
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage
from langchain_openai import ChatOpenAI
from openai import APIError, DefaultAsyncHttpxClient

from langchain_toolemu.chat_models.forwarding_chat_openai import ForwardingChatOpenAI
from langchain_toolemu.chat_models.plain_http import PlainTransport

CALL = {"name": "f", "args": {"a": 1}, "id": "c", "type": "tool_call"}
MESSAGES = [
    SystemMessage("Be brief."),
    HumanMessage("Hi"),
    AIMessage("Hello. " * 100, name="Al"),
    AIMessage("", tool_calls=[CALL]),
    ToolMessage("1", tool_call_id="c"),
    AIMessage("Look.", tool_calls=[CALL]),
    ToolMessage([{"type": "text", "text": "2"}], tool_call_id="c"),
    AIMessage([{"type": "text", "text": "Done."}]),
    AIMessage(""),
]


@pytest.mark.parametrize("responses", [False, True])
def test_messages_are_written_as_chat_openai_writes_them(responses):
    """Texts of the assistant are put back unread; no message is changed."""
    given = {"model": "m", "api_key": "none", "use_responses_api": responses, "stop": ["x"]}
    before = [message.model_copy(deep=True) for message in MESSAGES]
    ours, own = (
        kind(**given)._get_request_payload(MESSAGES, temperature=0.5)
        for kind in (ForwardingChatOpenAI, ChatOpenAI)
    )
    assert ours == own
    assert before == MESSAGES


REPLIES = {
    "a reply": (200, b"application/json", b'{"choices": []}'),
    "no JSON": (200, b"text/html", b"<p>Hello</p>"),
    "a refusal": (400, b"application/json", b'{"error": {"message": "No.", "code": "no"}}'),
    "too many": (429, b"application/json", b'{"error": {"message": "Later."}}'),
    "an error page": (502, b"text/html", b"<p>Bad Gateway</p>"),
    "nothing": (0, b"", b""),
    "packed": (
        200,
        b"application/json\r\ncontent-encoding: gzip",
        gzip.compress(b'{"choices": []}'),
    ),
    "latin-1": (200, b"text/plain; charset=latin-1", "ä".encode("latin-1")),
}
MOVED = (307, b"text/plain\r\nlocation: /v2/chat", b"Moved.")


async def outcome_of(reply, *, through_own_client, login="", **payload):
    """What `create` gives or raises, and the lines of the requests' heads."""
    heads = []

    async def serve(reader, writer):
        head = await reader.readuntil(b"\r\n\r\n")
        ours = (b"x-stainless-", b"host:")
        lines = head.lower().split(b"\r\n")
        heads.append({line for line in lines if not line.startswith(ours)})
        status, kind, body = reply if len(heads) == 1 else REPLIES["a reply"]
        if status:
            about = b"content-type: %b\r\ncontent-length: %d\r\nconnection: close\r\n\r\n"
            writer.write(b"HTTP/1.1 %d X\r\n" % status + about % (kind, len(body)) + body)
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    http = DefaultAsyncHttpxClient(trust_env=False, mounts={"http://": PlainTransport()})
    llm = ForwardingChatOpenAI(
        model="m",
        base_url=f"http://{login}127.0.0.1:{port}/v1",
        api_key="secret",
        max_retries=0,
        default_headers={"x-own": "1"},
        default_query={"version": "2"},
        organization="o",
        http_async_client=http if through_own_client else None,
    )
    async with server:
        try:
            outcome = await llm.async_client.create(model="m", messages=[], **payload)
        except APIError as error:
            outcome = type(error), str(error), getattr(error, "body", None)
    return outcome, heads


@pytest.mark.in_turn
@pytest.mark.parametrize("headers", [{}, {"Authorization": "Bearer client"}], ids=["own", "client"])
@pytest.mark.parametrize("reply", REPLIES.values(), ids=REPLIES)
async def test_a_request_without_openais_client_is_the_same(reply, headers, monkeypatch):
    """The head, the reply and the errors are those of OpenAI's client."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    first, second = [
        await outcome_of(reply, through_own_client=own, extra_headers=headers)
        for own in (True, False)
    ]
    assert first == second


async def test_a_redirect_is_followed(monkeypatch):
    """As by OpenAI's client."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    first, second = [await outcome_of(MOVED, through_own_client=own) for own in (True, False)]
    assert first == second
    assert first[0] == {"choices": []}


async def test_a_login_in_the_address_is_sent(monkeypatch):
    """As by OpenAI's client."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    first, second = [
        await outcome_of(REPLIES["a reply"], through_own_client=own, login="me:secret@")
        for own in (True, False)
    ]
    assert first == second
    assert any(line.startswith(b"authorization: basic") for line in first[1][0])
