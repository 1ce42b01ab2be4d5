"""The scripted server, before anything else is tested against it."""

import asyncio
import threading
import time

import openai
import pytest

from tests.scripted_server import Reply, ScriptedServer, slowly, without_tools


def _stream(model, text="Hi", **kwargs):
    chunks = list(model.stream(text, **kwargs))
    return sum(chunks[1:], chunks[0])


def test_plays_replies_in_order_and_keeps_the_requests():
    """Replies come in the script's order, and each request's body is kept in turn."""
    with ScriptedServer(["one", Reply("two", finish_reason="length")]) as server:
        model = server.chat_model()
        first, second = model.invoke("a"), model.invoke("b", stop=["x"])
    assert [first.content, second.content] == ["one", "two"]
    assert second.response_metadata["finish_reason"] == "length"
    assert [request["messages"][0]["content"] for request in server.requests] == ["a", "b"]
    assert server.requests[1]["stop"] == ["x"]
    assert b'"content":"a"' in server.bodies[0]


def test_pieces_are_the_chunks_of_a_stream():
    """A list of pieces is streamed piece by piece, and is the same text when not streamed."""
    with ScriptedServer(lambda _: Reply(["Hel", "lo", " you"])) as server:
        model = server.chat_model()
        streamed = [chunk.content for chunk in model.stream("Hi") if chunk.content]
        assert model.invoke("Hi").content == "Hello you"
    assert streamed == ["Hel", "lo", " you"]


@pytest.mark.parametrize("ask", [lambda model: model.invoke("Hi"), _stream])
def test_native_calls(ask):
    """Native calls arrive parsed, each with an id of its own, streamed or not."""
    calls = [("add", {"a": 1, "b": "é"}), ("now", {}), ("bad", "not json")]
    with ScriptedServer(lambda _: Reply("Let me see.", tool_calls=calls)) as server:
        message = ask(server.chat_model())
    assert [(call["name"], call["args"]) for call in message.tool_calls] == calls[:2]
    assert message.invalid_tool_calls[0]["name"] == "bad"
    assert len({call["id"] for call in message.tool_calls}) == 2
    assert message.text == "Let me see."
    assert message.response_metadata["finish_reason"] == "tool_calls"


@pytest.mark.parametrize("ask", [lambda model, **kw: model.invoke("Hi", **kw), _stream])
def test_bill_counts_the_tools_only_if_they_reach_the_model(ask):
    """An estimated bill grows by the tools, or not at all where the server ignores them."""
    tools = [{"type": "function", "function": {"name": "add", "description": "x" * 400}}]

    def growth(**options):
        with ScriptedServer(lambda _: "ok", **options) as server:
            model = server.chat_model()
            bills = [ask(model, **kw).usage_metadata for kw in ({}, {"tools": tools})]
        return bills[1]["input_tokens"] - bills[0]["input_tokens"]

    assert growth() > 100
    assert growth(tools_reach_model=False) == 0


def test_usage_can_be_given_or_withheld():
    """A reply's own usage is reported as it is, and a stream carries it only when asked."""
    usage = {"prompt_tokens": 7, "completion_tokens": 2, "total_tokens": 9}
    with ScriptedServer(lambda _: Reply("ok", usage=usage)) as server:
        assert server.chat_model().invoke("Hi").usage_metadata["input_tokens"] == 7
        assert _stream(server.chat_model()).usage_metadata["total_tokens"] == 9
        assert _stream(server.chat_model(stream_usage=False)).usage_metadata is None
        server.play(lambda _: Reply("ok", usage=None))
        assert server.chat_model().invoke("Hi").usage_metadata is None
        assert _stream(server.chat_model()).usage_metadata is None


@pytest.mark.parametrize("ask", [lambda model: model.invoke("Hi"), _stream])
@pytest.mark.parametrize("body", [{"error": {"message": "no tools here"}}, "no tools here"])
def test_errors_have_status_and_body(ask, body):
    """A reply with a status and a body fails as the provider's client makes of it."""
    error = pytest.raises(openai.NotFoundError)
    with ScriptedServer([Reply(status=404, body=body)]) as server, error as raised:
        ask(server.chat_model())
    assert raised.value.status_code == 404
    assert "no tools here" in raised.value.response.text


def test_a_stream_can_break_with_an_error_object():
    """An error object after n pieces is raised after these pieces were shown."""
    error = {"error": {"message": "out of memory"}}
    shown = []
    with ScriptedServer(lambda _: Reply(["a", "b", "c"], breaks_after=2, body=error)) as server:
        with pytest.raises(openai.APIError, match="out of memory"):
            shown.extend(chunk.content for chunk in server.chat_model().stream("Hi"))
        assert "".join(shown) == "ab"
        with pytest.raises(openai.InternalServerError, match="out of memory"):
            server.chat_model().invoke("Hi")


def test_a_stream_can_break_by_a_dropped_connection():
    """A dropped connection is an error, after the pieces before it were shown."""
    shown = []
    with ScriptedServer(lambda _: Reply(["a", "b", "c"], breaks_after=2)) as server:
        with pytest.raises(openai.APIConnectionError):
            shown.extend(chunk.content for chunk in server.chat_model().stream("Hi"))
        with pytest.raises(openai.APIConnectionError):
            server.chat_model().invoke("Hi")
    assert "".join(shown) == "ab"


def test_a_script_that_runs_out_fails_the_test():
    """One request too many is an error for the client, and again when the server closes."""
    failure = pytest.raises(AssertionError, match="request 2, but the script has 1")
    with failure, ScriptedServer(["only"]) as server:
        server.chat_model().invoke("Hi")
        with pytest.raises(openai.InternalServerError, match="the script has 1"):
            server.chat_model().invoke("Hi")


def test_a_script_that_raises_fails_the_test():
    """An error inside a script is not lost in the server's thread."""

    def script(request):
        return request["no such key"]

    with ScriptedServer(script) as server:
        with pytest.raises(openai.InternalServerError, match="KeyError"):
            server.chat_model().invoke("Hi")
        assert len(server.errors) == 1
        server.errors.clear()


def test_lazy_pieces_are_sent_as_they_are_made():
    """The first piece arrives before the second is made."""
    arrived, in_time = threading.Event(), []

    def pieces():
        yield "a"
        in_time.append(arrived.wait(10))
        yield "b"

    with ScriptedServer([Reply(pieces())]) as server:
        for chunk in server.chat_model().stream("Hi"):
            if chunk.content == "a":
                arrived.set()
    assert in_time == [True]


def test_a_client_that_goes_away_is_counted():
    """A stream that is closed early is seen as a disconnect."""
    with ScriptedServer([Reply(slowly("abcdefghij"))]) as server:
        stream = server.chat_model().stream("Hi")
        next(stream)
        stream.close()
        deadline = time.monotonic() + 5
        while not server.disconnects and time.monotonic() < deadline:
            time.sleep(0.01)
    assert server.disconnects == 1


async def test_async_in_parallel():
    """Async clients work side by side, and each server's URL is its own."""
    with ScriptedServer(lambda _: "ok") as server, ScriptedServer(lambda _: "ok") as other:
        model = server.chat_model()
        messages = await asyncio.gather(*(model.ainvoke(str(n)) for n in range(20)))
        chunks = [chunk async for chunk in model.astream("Hi")]
    assert {message.content for message in messages} == {"ok"}
    assert "".join(chunk.content for chunk in chunks) == "ok"
    assert sorted(r["messages"][0]["content"] for r in server.requests[:20]) == sorted(
        str(n) for n in range(20)
    )
    assert server.base_url.split("/")[3] != other.base_url.split("/")[3]


def test_without_tools_refuses_what_ollama_refuses():
    """A server without tools refuses requests that carry them and plays the rest."""
    with ScriptedServer(without_tools(lambda _: "ok")) as server:
        model = server.chat_model()
        assert model.invoke("Hi").content == "ok"
        with pytest.raises(openai.BadRequestError, match="does not support tools"):
            model.bind_tools([{"title": "now", "description": "The time."}]).invoke("Hi")


def test_keep_alive_reuses_a_connection():
    """With keep-alive, requests share a connection."""
    with ScriptedServer(lambda _: "ok", keep_alive=True) as server:
        model = server.chat_model()
        for _ in range(3):
            model.invoke("Hi")
        assert len(model.http_client._transport._pool.connections) == 1
