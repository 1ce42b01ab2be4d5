"""An Ollama server that says what a test tells it to, behind a real ChatOllama.

It refuses tools for models without that capability, as Ollama does, and tells its capabilities on `/api/show`.

    with ScriptedOllama(capabilities=["completion"]) as server:
        server.chat_model().bind_tools([add]).invoke("Hi")  # ollama.ResponseError: ... does not support tools
        assert server.paths == ["/api/chat"]

Other pages can be put on it too, so it also plays what llama-server and others say of themselves.
"""

import itertools
import json
import time
from collections.abc import Callable, Mapping, Sequence
from http.server import BaseHTTPRequestHandler
from typing import Any

from langchain_ollama import ChatOllama
from typing_extensions import Self

from tests.loopback import LoopbackServer, Quiet
from tests.scripted_server import Reply

_SERIAL = itertools.count(1)
_CHARS_PER_TOKEN = 4


class ScriptedOllama:
    """A server with one model.

    Attributes:
        paths: The paths that were asked for, in order.
        requests: The bodies of the requests to `/api/chat`.
        headers: The headers of every request, with names in lower case.
    """

    def __init__(
        self,
        text: str | Callable[[dict[str, Any]], str | Reply] = "Hello.",
        *,
        capabilities: Sequence[str] | None = ("completion", "tools"),
        tool_calls: Sequence[tuple[str, Mapping[str, Any]]] = (),
        pages: Mapping[str, Any] | None = None,
        seconds: float = 0,
        window: int | None = None,
        tells_window: bool = True,
    ) -> None:
        """Start nothing yet.

        Args:
            text: What the model says, or a function of the request's body, which holds as `heard` what the model sees. It may
                give a whole `Reply`: then its calls, reasoning, finish reason and error count, too.
            capabilities: What `/api/show` tells; `None` for a server without that page.
            tool_calls: What the model calls where tools are offered, as `(name, args)`.
            pages: Further pages by path, sent as JSON; an int is a status.
            seconds: How long the server waits before it answers anything but `/api/chat`.
            window: How many tokens, of four characters each, the model sees: what comes before the last of them is cut
                off without a word, as Ollama does.
            tells_window: Whether the model file sets that window, so that `/api/show` tells it.
        """
        self.text = text
        self.capabilities = capabilities
        self.tool_calls = tool_calls
        self.pages = dict(pages or {})
        self.seconds = seconds
        self.window = window
        self.tells_window = tells_window
        self.paths: list[str] = []
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self._http = _HTTPServer(self)
        # A name of its own: what is learnt of one server must not be believed of the next.
        self.model = f"scripted-{next(_SERIAL)}"
        self.url = f"http://127.0.0.1:{self._http.server_port}"

    def chat_model(self, **kwargs: Any) -> ChatOllama:
        """A ChatOllama for this server."""
        client = {"trust_env": False, "verify": False}
        return ChatOllama(
            **{"model": self.model, "base_url": self.url, "client_kwargs": client, **kwargs}
        )

    def __enter__(self) -> Self:
        self._http.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self._http.__exit__()

    def answer(self, path: str, body: dict[str, Any]) -> tuple[int, list[Any]]:
        """The status and the JSON lines that answer a request."""
        if path in self.pages:
            page = self.pages[path]
            return (page, [{}]) if isinstance(page, int) else (200, [page])
        if path == "/api/chat":
            return self._chat(body)
        if path == "/api/show" and self.capabilities is not None:
            set_ = f"num_ctx {self.window}" if self.window and self.tells_window else ""
            told = {"template": "", "capabilities": list(self.capabilities), "parameters": set_}
            return 200, [told]
        return 404, [{"error": f"path {path!r} not found"}]

    def _chat(self, body: dict[str, Any]) -> tuple[int, list[Any]]:
        self.requests.append(body)
        able = "tools" in (self.capabilities or ())
        if body.get("tools") and not able:
            said = f"registry.ollama.ai/library/{body['model']}:latest does not support tools"
            return 400, [{"error": said}]
        heard = _heard(body)
        if self.window:
            heard = heard[-self.window * _CHARS_PER_TOKEN :]
        text = self.text if isinstance(self.text, str) else self.text({**body, "heard": heard})
        reply = text if isinstance(text, Reply) else self._usual_reply(text, body)
        if reply.breaks_after is None and reply.body is not None:
            return reply.status, [reply.body]
        message = _message(reply)
        head = {"model": body["model"], "created_at": "2026-01-01T00:00:00Z"}
        tokens = len(heard) // _CHARS_PER_TOKEN
        reason = reply.finish_reason or "stop"
        end = {"done": True, "done_reason": reason, "prompt_eval_count": tokens, "eval_count": 5}
        closing = {**head, "message": {"role": "assistant", "content": ""}, **end}
        if body.get("stream") is False:
            return 200, [{**closing, "message": message}]
        if reply.breaks_after is not None:
            closing = reply.body
        return 200, [{**head, "message": message, "done": False}, closing]

    def _usual_reply(self, text: str, body: Mapping[str, Any]) -> Reply:
        if body.get("tools") and self.tool_calls:
            return Reply(tool_calls=self.tool_calls)
        return Reply(text)


def _message(reply: Reply) -> dict[str, Any]:
    """A reply as Ollama words it: calls are whole, and their arguments are objects."""
    message: dict[str, Any] = {"role": "assistant", "content": "".join(reply.text)}
    if reply.reasoning:
        message["thinking"] = "".join(reply.reasoning)
    if reply.tool_calls:
        calls = [{"name": name, "arguments": dict(args)} for name, args in reply.tool_calls]
        message["tool_calls"] = [{"function": call} for call in calls]
    return message


def _heard(body: Mapping[str, Any]) -> str:
    """What the model is given: the tools, then all that was said."""
    said = [str(message.get("content", "")) for message in body["messages"]]
    return "\n".join([*map(json.dumps, body.get("tools") or ()), *said])


class _HTTPServer(LoopbackServer):
    def __init__(self, scripted: ScriptedOllama) -> None:
        self.scripted = scripted
        super().__init__(_Handler)


class _Handler(Quiet, BaseHTTPRequestHandler):
    server: _HTTPServer

    def do_GET(self) -> None:
        self._answer({})

    def do_POST(self) -> None:
        content = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self._answer(json.loads(content or b"{}"))

    def _answer(self, body: dict[str, Any]) -> None:
        scripted, path = self.server.scripted, self.path.partition("?")[0]
        scripted.paths.append(path)
        scripted.headers.append({name.lower(): value for name, value in self.headers.items()})
        if scripted.seconds and path != "/api/chat":
            time.sleep(scripted.seconds)
        status, lines = scripted.answer(path, body)
        content = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)
