"""A chat completions server that says what a test tells it to.

It is a real HTTP server on loopback, so that whatever stands in front of it is real too: the
provider's client, its error classes, its stream decoder. What it knows of models is in the script.

    with ScriptedServer(["Hello.", Reply(tool_calls=[("add", {"a": 1})])]) as server:
        server.chat_model().invoke("Hi")
        assert server.requests[0]["messages"][0]["content"] == "Hi"

A script that runs out, or raises, answers with status 500, is kept in `errors`, and fails the test
when the server closes.
"""

import itertools
import json
import ssl
import threading
import time
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import Any, Literal, TypeAlias

from langchain_openai import ChatOpenAI
from openai import DefaultAsyncHttpxClient, DefaultHttpxClient
from typing_extensions import Self

from tests.loopback import LoopbackServer, Quiet

_SERIAL = itertools.count(1)
_NO_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # else every client makes one


@dataclass(frozen=True, slots=True)
class Reply:
    """What the model says to one request, or how the server fails.

    Attributes:
        text: The reply's text. A list is streamed piece by piece, in one write; an iterator's
            pieces are sent one by one as it makes them (see `slowly`).
        tool_calls: Native calls as `(name, args)`; args that are a string are sent as they are.
        finish_reason: `None` stands for `"tool_calls"` if there are any, else `"stop"`.
        usage: OpenAI's usage dict; `"estimate"` for four characters a token; `None` for a server
            that reports none.
        status: The HTTP status.
        body: Sent instead of a completion: a string as it is, anything else as JSON.
        breaks_after: How many pieces of text and calls are sent before the stream breaks: with
            `body` as an event in the stream, or without one by a dropped connection. A request that
            is not streamed gets `body` with status 500, or no response at all.
        headers: Further headers of the response.
        reasoning: What the model thinks, in `reasoning_content` next to the text; a list is streamed
            piece by piece.
        quirk: What is odd about the calls: arguments that are objects, a last piece without a function, no ids, one
            for all; in a stream, the name in each piece, arguments that hold all that came before, or both.
        signed: Whether each call has a thought signature, as Gemini's have.
        same_index: Whether each streamed call comes at once and has index 0, as Gemini's and older
            Ollama's do.
    """

    text: str | Iterable[str] = ""
    tool_calls: Sequence[tuple[str, Mapping[str, Any] | str]] = ()
    finish_reason: str | None = None
    usage: Mapping[str, Any] | Literal["estimate"] | None = "estimate"
    status: int = 200
    body: Any = None
    breaks_after: int | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    same_index: bool = False
    quirk: Literal[
        "", "objects", "null function", "no ids", "one id", "name again", "cumulative", "both"
    ] = ""
    reasoning: str | Sequence[str] = ""
    signed: bool = False


Script: TypeAlias = Sequence[Reply | str] | Callable[[dict[str, Any]], Reply | str]


def slowly(pieces: Iterable[str], seconds: float = 0.02) -> Iterator[str]:
    """Make pieces that really arrive one after the other."""
    for piece in pieces:
        yield piece
        time.sleep(seconds)


def without_tools(script: Callable[[dict[str, Any]], Reply | str]) -> Callable[..., Reply | str]:
    """Put a script behind a server that refuses requests with `tools`, as Ollama does."""

    def refuse_or_play(request: dict[str, Any]) -> Reply | str:
        if "tools" not in request:
            return script(request)
        message = "registry.ollama.ai/library/scripted does not support tools"
        error = {"message": message, "type": "api_error", "param": None, "code": None}
        return Reply(status=400, body={"error": error})

    return refuse_or_play


class ScriptedServer:
    """A server that plays a script of replies, and keeps every request it got.

    Attributes:
        requests: The requests' bodies, in order.
        bodies: The same as the bytes they came in.
        errors: What went wrong with the script itself; empty it if that was the point.
        disconnects: How many replies the client did not wait for.
    """

    def __init__(
        self,
        script: Script = (),
        *,
        tools_reach_model: bool = True,
        keep_alive: bool = False,
        pages: Mapping[str, Any] | None = None,
    ) -> None:
        """Start nothing yet.

        Args:
            script: Replies in order, or a function of the request's body. A plain string is a
                reply of that text.
            tools_reach_model: Whether an estimated bill counts the request's tools.
            keep_alive: Whether connections stay open. A kept connection of an async client must
                not outlive its event loop, so only benchmarks want this.
            pages: What the server tells of itself, by the end of the path, such as `/props`; what is posted there is
                answered by a function of the body.
        """
        self.requests: list[dict[str, Any]] = []
        self.bodies: list[bytes] = []
        self.errors: list[str] = []
        self.disconnects = 0
        self.pages = dict(pages or {})
        self._tools_reach_model = tools_reach_model
        self._clients: list[Any] = []
        self._lock = threading.Lock()
        self._http = _HTTPServer(self, keep_alive)
        # The path is unique within the process: ports are handed out again, and what is learnt of
        # one server by its URL must not be believed of the next.
        self.base_url = f"http://127.0.0.1:{self._http.server_port}/{next(_SERIAL)}/v1"
        self.play(script)

    def play(self, script: Script) -> None:
        """Start another script, and forget the requests of the last one."""
        with self._lock:
            self._answer = script if callable(script) else _in_order(script)
            self.requests.clear()
            self.bodies.clear()

    def chat_model(self, **kwargs: Any) -> ChatOpenAI:
        """A ChatOpenAI for this server, with HTTP clients of its own."""
        client = DefaultHttpxClient(verify=_NO_TLS, trust_env=False)
        self._clients.append(client)
        defaults = {
            "model": "scripted",
            "base_url": self.base_url,
            "api_key": "test",
            "stream_usage": True,
            "max_retries": 0,
            "http_client": client,
            "http_async_client": DefaultAsyncHttpxClient(verify=_NO_TLS, trust_env=False),
        }
        return ChatOpenAI(**{**defaults, **kwargs})

    def __enter__(self) -> Self:
        self._http.__enter__()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._http.__exit__()
        for client in self._clients:
            client.close()
        if kind is None and self.errors:
            raise AssertionError("\n".join(self.errors))

    def reply_to(self, body: bytes) -> tuple[dict[str, Any], Reply]:
        """Record a request and look up its reply. One at a time, so that both keep their order."""
        request = json.loads(body)
        with self._lock:
            self.requests.append(request)
            self.bodies.append(body)
            try:
                reply = self._answer(request)
            # Whatever a script raises must reach the test, not only this thread.
            except Exception as error:  # noqa: BLE001
                reply = self._failed(error)
        return request, reply if isinstance(reply, Reply) else Reply(reply)

    def _failed(self, error: Exception) -> Reply:
        self.errors.append(f"ScriptedServer: {type(error).__name__}: {error}")
        return Reply(status=500, body={"error": {"message": self.errors[-1]}})

    def bill(self, request: Mapping[str, Any], reply: Reply, said: str) -> Any:
        """The usage to report for a reply."""
        if reply.usage != "estimate":
            return reply.usage
        heard = _json(request["messages"])
        if self._tools_reach_model and "tools" in request:
            heard += _json(request["tools"])
        prompt, completion = len(heard) // 4, max(1, len(said) // 4)
        return {
            "prompt_tokens": prompt,
            "completion_tokens": completion,
            "total_tokens": prompt + completion,
            "prompt_tokens_details": {
                "cached_tokens": prompt // 2,
                "cache_write_tokens": 0,
                "audio_tokens": 0,
            },
            "completion_tokens_details": {"reasoning_tokens": 0, "audio_tokens": 0},
        }


def _in_order(script: Iterable[Reply | str]) -> Callable[[dict[str, Any]], Reply | str]:
    replies = list(script)
    turn = itertools.count()

    def next_reply(_request: dict[str, Any]) -> Reply | str:
        index = next(turn)
        assert index < len(replies), f"request {index + 1}, but the script has {len(replies)}"
        return replies[index]

    return next_reply


class _HTTPServer(LoopbackServer):
    def __init__(self, scripted: ScriptedServer, keep_alive: bool) -> None:
        self.scripted = scripted
        self.keep_alive = keep_alive
        super().__init__(_Handler)


class _Handler(Quiet, BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: _HTTPServer

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.close_connection = not self.server.keep_alive
        if not self.path.partition("?")[0].endswith("/chat/completions"):
            for end, page in self.server.scripted.pages.items():
                if self.path.endswith(end) and callable(page):
                    return self._send_body(200, page(json.loads(body)))
            return self._send_body(404, {"error": {"message": f"no such path: {self.path}"}})
        request, reply = self.server.scripted.reply_to(body)
        try:
            return self._send(request, reply)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True
            self.server.scripted.disconnects += 1

    def do_GET(self) -> None:
        self.close_connection = not self.server.keep_alive
        path = self.path.partition("?")[0]
        for end, page in self.server.scripted.pages.items():
            if path.endswith(end) and not callable(page):
                return self._send_body(200, page)
        return self._send_body(404, {"error": {"message": f"no such path: {self.path}"}})

    def _send(self, request: dict[str, Any], reply: Reply) -> None:
        if reply.breaks_after is None and reply.body is not None:
            self._send_body(reply.status, reply.body, reply.headers)
        elif request.get("stream"):
            self._send_stream(request, reply)
        elif reply.breaks_after is None:
            self._send_body(reply.status, self._completion(request, reply))
        elif reply.body is not None:
            self._send_body(500, reply.body)
        else:
            self.close_connection = True

    def _completion(self, request: dict[str, Any], reply: Reply) -> dict[str, Any]:
        text = "".join(reply.text)
        calls = [_call(reply, name, args) for name, args in reply.tool_calls]
        message = {"role": "assistant", "content": None if calls and not text else text}
        if calls:
            message["tool_calls"] = calls
        if reply.reasoning:
            message["reasoning_content"] = "".join(reply.reasoning)
        return {
            "id": _id("chatcmpl"),
            "object": "chat.completion",
            "created": 0,
            "model": request["model"],
            "choices": [{"index": 0, "message": message, "finish_reason": _finish_reason(reply)}],
            "usage": self.server.scripted.bill(request, reply, text + _json(calls)[1:-1]),
        }

    def _send_stream(self, request: dict[str, Any], reply: Reply) -> None:
        head = self._head(reply.status, "text/event-stream", "Transfer-Encoding: chunked")
        frames = itertools.chain([head], self._frames(request, reply))
        if isinstance(reply.text, str | list | tuple):
            frames = iter([b"".join(frames)])
        for frame in frames:
            self.connection.sendall(frame)

    def _frames(self, request: dict[str, Any], reply: Reply) -> Iterator[bytes]:
        """The stream's events, each as one chunk of the response."""
        chunk = {
            "id": _id("chatcmpl"),
            "object": "chat.completion.chunk",
            "created": 0,
            "model": request["model"],
        }
        opening = {"role": "assistant", "content": ""}
        yield _event({**chunk, "choices": [_choice(opening)]})
        said = ""
        for delta in itertools.islice(_deltas(reply), reply.breaks_after):
            said += delta.get("content") or _json(delta)
            yield _event({**chunk, "choices": [_choice(delta)]})
        if reply.breaks_after is not None and reply.body is None:
            self.close_connection = True
            return
        if reply.breaks_after is not None:
            yield _event(reply.body)
        else:
            yield _event({**chunk, "choices": [_choice({}, _finish_reason(reply))]})
            if reply.usage and (request.get("stream_options") or {}).get("include_usage"):
                usage = self.server.scripted.bill(request, reply, said)
                yield _event({**chunk, "choices": [], "usage": usage})
        yield _event("[DONE]") + b"0\r\n\r\n"

    def _send_body(self, status: int, body: Any, headers: Mapping[str, str] | None = None) -> None:
        content = (body if isinstance(body, str) else _json(body)).encode()
        kind = "text/plain" if isinstance(body, str) else "application/json"
        more = [f"{name}: {value}" for name, value in (headers or {}).items()]
        head = self._head(status, kind, f"Content-Length: {len(content)}", *more)
        self.connection.sendall(head + content)

    def _head(self, status: int, kind: str, *more: str) -> bytes:
        connection = "close" if self.close_connection else "keep-alive"
        lines = (f"HTTP/1.1 {status} Scripted", f"Content-Type: {kind}", *more)
        return "\r\n".join((*lines, f"Connection: {connection}", "", "")).encode()


def _deltas(reply: Reply) -> Iterator[dict[str, Any]]:
    for thought in [reply.reasoning] if isinstance(reply.reasoning, str) else reply.reasoning:
        if thought:
            yield {"reasoning_content": thought}
    pieces = [reply.text] if isinstance(reply.text, str) else reply.text
    for piece in pieces:
        if piece:
            yield {"content": piece}
    for index, (name, args) in enumerate(reply.tool_calls):
        if reply.same_index:
            yield {"tool_calls": [{"index": 0, **_call(reply, name, args)}]}
            continue
        if reply.quirk in ("name again", "cumulative", "both"):
            yield from _odd_pieces(reply, index, name, _arguments(reply, args))
            continue
        yield {"tool_calls": [{"index": index, **_call(reply, name, "")}]}
        arguments = {"arguments": _arguments(reply, args)}
        yield {"tool_calls": [{"index": index, "function": arguments}]}
        if reply.quirk == "null function":
            yield {"tool_calls": [{"index": index, "function": None}]}


def _odd_pieces(reply: Reply, index: int, name: str, args: str) -> Iterator[dict[str, Any]]:
    opening = _call(reply, name, "")
    for start in range(0, len(args), 5):
        grows = reply.quirk in ("cumulative", "both")
        function = {"arguments": args[0 if grows else start : start + 5]}
        if reply.quirk in ("name again", "both") or not start:
            function["name"] = name
        rest = {key: opening[key] for key in ("id", "type")} if not start else {}
        yield {"tool_calls": [{"index": index, **rest, "function": function}]}


def _call(reply: Reply, name: str, args: Mapping[str, Any] | str) -> dict[str, Any]:
    function = {"name": name, "arguments": _arguments(reply, args)}
    odd = {"no ids": None, "one id": "call_0"}
    id_ = odd[reply.quirk] if reply.quirk in odd else _id("call")
    call = {"id": id_, "type": "function", "function": function}
    return {**call, "extra_content": signature(id_)} if reply.signed else call


def signature(id_: str | None) -> dict[str, Any]:
    """What Gemini sends next to a call."""
    return {"google": {"thought_signature": f"signature of {id_}"}}


def _arguments(reply: Reply, args: Mapping[str, Any] | str) -> Any:
    return args if isinstance(args, str) or reply.quirk == "objects" else _json(args)


def _choice(delta: Mapping[str, Any], finish_reason: str | None = None) -> dict[str, Any]:
    return {"index": 0, "delta": delta, "finish_reason": finish_reason}


def _finish_reason(reply: Reply) -> str:
    return reply.finish_reason or ("tool_calls" if reply.tool_calls else "stop")


def _event(data: Any) -> bytes:
    content = f"data: {data if isinstance(data, str) else _json(data)}\n\n".encode()
    return f"{len(content):x}\r\n".encode() + content + b"\r\n"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _id(kind: str) -> str:
    return f"{kind}_{uuid.uuid4().hex[:24]}"
