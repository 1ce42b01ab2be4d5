"""Good native turns by the hundred, made by a seeded generator, and a server that plays them.

A turn is what one provider's server sends for it, whole and as a stream: OpenAI's chunks with arguments in many pieces,
Anthropic's content blocks, Ollama's whole calls. Every call in it is valid. Ids are part of the turn, so that whoever asks
twice gets the same bytes twice.

    with TurnServer() as server:
        server.turn = next(turns(seed=1))
        server.chat_model("openai").bind_tools(TOOLS).invoke("Hi")
"""

import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler
from typing import Any

import httpx
from langchain_anthropic import ChatAnthropic
from langchain_core.language_models import BaseChatModel
from langchain_ollama import ChatOllama
from langchain_openai import ChatOpenAI
from typing_extensions import Self

from tests.loopback import LoopbackServer, Quiet

PROVIDERS = ("openai", "anthropic", "ollama")
_MODEL = "scripted"


def _tool(name: str, required: int, **properties: Any) -> dict[str, Any]:
    needed = list(properties)[:required]
    schema = {"type": "object", "properties": properties, "required": needed}
    function = {"name": name, "description": f"Do {name}.", "parameters": schema}
    return {"type": "function", "function": function}


_STRING, _INTEGER = {"type": "string"}, {"type": "integer"}
TOOLS = [
    _tool("get_weather", 1, city=_STRING, unit={"type": "string", "enum": ["celsius", "kelvin"]}),
    _tool("set_alarm", 2, minutes=_INTEGER, label=_STRING, loud={"type": "boolean"}),
    _tool("write_file", 2, path=_STRING, content=_STRING, mode=_INTEGER),
    _tool("send_mail", 1, to={"type": "array", "items": _STRING}, subject=_STRING),
    _tool(
        "plan_trip",
        1,
        place={"type": "object", "properties": {"city": _STRING, "days": _INTEGER}},
        budget={"type": "number"},
        stops={"type": "array", "items": {"type": "array", "items": _INTEGER}},
    ),
    _tool("store", 1, value={}, tags={"type": "object", "additionalProperties": _STRING}),
    _tool("list_files", 0),
]
# What a careless repair would change: strings that look like other types, like JSON, like calls or like code.
_STRINGS = (
    *(
        "Paris",
        "",
        " ",
        "30",
        "007",
        "true",
        "null",
        "None",
        "[1, 2]",
        '{"a": 1}',
        "'",
        '"',
        "\\",
        "\\n",
    ),
    *(
        "a\nb\tc",
        "Zürich",
        "東京",
        "🙂 ok",
        "</tool_call>",
        "<b>x</b>",
        "```json\n{}\n```",
        "1e5",
        "0x1F",
    ),
    *(
        'get_weather(city="Rome")',
        '{"name": "get_weather", "arguments": {}}',
        "def f():\n    return {}\n",
    ),
    *("\u2028", "%20", "$HOME", "{{x}}", "2026-01-01", "x" * 60),
)
_WORDS = (
    *(
        "Let me look.",
        "Sure! I'll use get_weather for that.\n\n",
        "Two things:\n1. the alarm\n2. the file\n",
    ),
    *(
        "Here is a plan:\n```python\nprint('hi')\n```\n",
        "<b>Working</b> on it ... ",
        "Ich sehe nach. ",
        "好的。",
    ),
    *(
        'The answer may be {"a": 1} or [2]. ',
        "I will not guess; ",
        "`ls` first. ",
        "a < b and c > d. ",
    ),
)
_THOUGHTS = ("The user wants something.", "First the file,\nthen the mail.", "Hmm, 30 or 40?")


@dataclass(frozen=True)
class NativeTurn:
    """One turn, as a server sends it.

    Attributes:
        provider: Whose words it is in.
        whole: The body of a response that is not streamed.
        stream: The response's pieces, each written by itself.
        calls: The calls in it, which are valid.
    """

    provider: str
    whole: bytes
    stream: tuple[bytes, ...]
    calls: tuple[tuple[str, dict[str, Any]], ...]


def turns(seed: int) -> Iterator[NativeTurn]:
    """Turns without end, of each provider in turn."""
    chance = random.Random(seed)
    makers = {"openai": _openai, "anthropic": _anthropic, "ollama": _ollama}
    while True:
        for provider in PROVIDERS:
            yield makers[provider](chance)


def _calls(chance: random.Random) -> list[tuple[str, dict[str, Any]]]:
    return [_call(chance) for _ in range(chance.choice((1, 1, 1, 2, 2, 3, 5)))]


def _call(chance: random.Random) -> tuple[str, dict[str, Any]]:
    function = chance.choice(TOOLS)["function"]
    schema = function["parameters"]
    args = {
        key: _value(chance, one)
        for key, one in schema["properties"].items()
        if key in schema["required"] or chance.random() < 0.4
    }
    keys = list(args)
    chance.shuffle(keys)
    return function["name"], {key: args[key] for key in keys}


def _value(chance: random.Random, schema: dict[str, Any], depth: int = 0) -> Any:
    """A value that fits a schema."""
    if "enum" in schema:
        return chance.choice(schema["enum"])
    match schema.get("type"):
        case "string":
            return chance.choice(_STRINGS)
        case "integer":
            return chance.choice((0, 1, -7, 30, 10**9))
        case "number":
            return chance.choice((0, 1.5, -2.25, 3, 1e-7))
        case "boolean":
            return chance.random() < 0.5
        case "array":
            return [_value(chance, schema["items"], depth + 1) for _ in range(chance.randrange(4))]
        case "object":
            named = {key: _value(chance, one) for key, one in schema.get("properties", {}).items()}
            more = (
                {"x": _value(chance, schema["additionalProperties"])}
                if "additionalProperties" in schema
                else {}
            )
            return {**named, **more}
    kinds = [_STRING, _INTEGER, {"type": "boolean"}, {"type": "array", "items": _STRING}]
    return chance.choice((None, _value(chance, chance.choice(kinds))))


def _text(chance: random.Random) -> str:
    return "".join(chance.sample(_WORDS, chance.choice((0, 0, 1, 1, 2))))


def _json_text(chance: random.Random, args: dict[str, Any]) -> str:
    """Arguments in one of the ways to write them."""
    separators = chance.choice(((",", ":"), (", ", ": ")))
    indent = chance.choice((None, None, 2))
    return json.dumps(
        args, ensure_ascii=chance.random() < 0.5, separators=separators, indent=indent
    )


def _split(chance: random.Random, text: str) -> list[str]:
    """A text in pieces: whole, letter by letter, or as tokens come."""
    most = chance.choice((2, 5, 20, 10_000))
    pieces, at = [], 0
    while at < len(text):
        end = at + chance.randint(1, most)
        pieces.append(text[at:end])
        at = end
    return pieces


def _id(chance: random.Random, start: str) -> str:
    return f"{start}{chance.getrandbits(64):016x}"


def _bytes(value: Any) -> bytes:
    return json.dumps(value).encode()


# --- OpenAI ---


def _openai(chance: random.Random) -> NativeTurn:
    calls, words = _calls(chance), _text(chance)
    style = chance.choice(("pieces", "pieces", "whole calls", "one index"))
    start = chance.choice(("call_", "chatcmpl-tool-", "functions.x:"))
    made = [
        {
            "id": _id(chance, start),
            "type": "function",
            "function": {"name": name, "arguments": _json_text(chance, args)},
        }
        for name, args in calls
    ]
    thought = chance.choice(("", "", *_THOUGHTS))
    message: dict[str, Any] = {"role": "assistant", "content": words or None, "tool_calls": made}
    if thought:
        message["reasoning_content"] = thought
    finish = chance.choice(("tool_calls", "tool_calls", "tool_calls", "stop"))
    usage = {"prompt_tokens": 900, "completion_tokens": 30, "total_tokens": 930}
    head = {"id": _id(chance, "chatcmpl-"), "created": 0, "model": _MODEL}
    whole = {
        **head,
        "object": "chat.completion",
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
        "usage": usage,
    }
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": chance.choice(("", None))}]
    deltas += [{"reasoning_content": piece} for piece in _split(chance, thought)]
    deltas += [{"content": piece} for piece in _split(chance, words)]
    deltas += _call_deltas(chance, made, style)
    chunks: list[dict[str, Any]] = [
        {"choices": [{"index": 0, "delta": delta, "finish_reason": None}]} for delta in deltas
    ]
    chunks.append({"choices": [{"index": 0, "delta": {}, "finish_reason": finish}]})
    chunks.append({"choices": [], "usage": usage})
    events = [{**head, "object": "chat.completion.chunk", **chunk} for chunk in chunks]
    stream = [b"data: " + _bytes(event) + b"\n\n" for event in events]
    return NativeTurn("openai", _bytes(whole), (*stream, b"data: [DONE]\n\n"), tuple(calls))


def _call_deltas(
    chance: random.Random, made: list[dict[str, Any]], style: str
) -> Iterator[dict[str, Any]]:
    """The calls as deltas, one after the other; the pieces of two calls never mix."""
    for number, call in enumerate(made):
        if style != "pieces":
            index = 0 if style == "one index" else number
            yield {"tool_calls": [{"index": index, **call}]}
            continue
        function = call["function"]
        opening = {**call, "function": {"name": function["name"], "arguments": ""}}
        yield {"tool_calls": [{"index": number, **opening}]}
        for piece in _split(chance, function["arguments"]):
            yield {"tool_calls": [{"index": number, "function": {"arguments": piece}}]}


# --- Anthropic ---


def _anthropic(chance: random.Random) -> NativeTurn:
    calls = _calls(chance)
    blocks: list[dict[str, Any]] = []
    if chance.random() < 0.4:
        thought = {"type": "thinking", "thinking": chance.choice(_THOUGHTS)}
        blocks.append({**thought, "signature": _id(chance, "sig")})
    for name, args in calls:
        if words := _text(chance) if not blocks or chance.random() < 0.3 else "":
            blocks.append({"type": "text", "text": words})
        blocks.append(
            {"type": "tool_use", "id": _id(chance, "toolu_"), "name": name, "input": args}
        )
    usage = {"input_tokens": 900, "output_tokens": 30}
    head = {"id": _id(chance, "msg_"), "type": "message", "role": "assistant", "model": _MODEL}
    ends = {"stop_reason": "tool_use", "stop_sequence": None}
    whole = {**head, "content": blocks, **ends, "usage": usage}
    opening = {**head, "content": [], "stop_reason": None, "stop_sequence": None, "usage": usage}
    events: list[dict[str, Any]] = [{"type": "message_start", "message": opening}]
    for index, block in enumerate(blocks):
        events += ({"index": index, **event} for event in _block_events(chance, block))
    events.append({"type": "message_delta", "delta": ends, "usage": {"output_tokens": 30}})
    events.append({"type": "message_stop"})
    stream = [b"event: %s\ndata: %s\n\n" % (one["type"].encode(), _bytes(one)) for one in events]
    return NativeTurn("anthropic", _bytes(whole), tuple(stream), tuple(calls))


def _block_events(chance: random.Random, block: dict[str, Any]) -> Iterator[dict[str, Any]]:
    match block["type"]:
        case "tool_use":
            opening, text = {**block, "input": {}}, _json_text(chance, block["input"])
            deltas = [
                {"type": "input_json_delta", "partial_json": one}
                for one in ("", *_split(chance, text))
            ]
        case "thinking":
            opening = {"type": "thinking", "thinking": "", "signature": ""}
            deltas = [
                {"type": "thinking_delta", "thinking": one}
                for one in _split(chance, block["thinking"])
            ]
            deltas.append({"type": "signature_delta", "signature": block["signature"]})
        case _:
            opening = {"type": "text", "text": ""}
            deltas = [{"type": "text_delta", "text": one} for one in _split(chance, block["text"])]
    yield {"type": "content_block_start", "content_block": opening}
    for delta in deltas:
        yield {"type": "content_block_delta", "delta": delta}
    yield {"type": "content_block_stop"}


# --- Ollama ---


def _ollama(chance: random.Random) -> NativeTurn:
    calls, words, thought = _calls(chance), _text(chance), chance.choice(("", "", *_THOUGHTS))
    calls = [call for call in calls if not _changed_by_client(call[1])] or [("list_files", {})]
    made = [{"function": {"name": name, "arguments": args}} for name, args in calls]
    head = {"model": _MODEL, "created_at": "2026-01-01T00:00:00Z"}
    end = {"done": True, "done_reason": "stop", "prompt_eval_count": 900, "eval_count": 30}
    message: dict[str, Any] = {"role": "assistant", "content": words, "tool_calls": made}
    if thought:
        message["thinking"] = thought
    pieces = [{"content": "", "thinking": piece} for piece in _split(chance, thought)]
    pieces += [{"content": piece} for piece in _split(chance, words)]
    batches = [made] if chance.random() < 0.5 else [[call] for call in made]
    lines = [
        {**head, "message": {"role": "assistant", **piece}, "done": False}
        for piece in (*pieces, *({"content": "", "tool_calls": batch} for batch in batches))
    ]
    lines.append({**head, "message": {"role": "assistant", "content": ""}, **end})
    whole = {**head, "message": message, **end}
    return NativeTurn(
        "ollama", _bytes(whole), tuple(_bytes(line) + b"\n" for line in lines), tuple(calls)
    )


def _changed_by_client(args: dict[str, Any]) -> bool:
    """Whether ChatOllama reads an argument as JSON though it is a string."""
    return any(isinstance(one, str) and one.startswith(("{", "[")) for one in args.values())


# --- the server ---


class TurnServer:
    """A server of all providers, which answers every request with its present turn."""

    def __init__(self) -> None:
        self.turn: NativeTurn | None = None
        self._http = _HTTPServer(self)
        self.url = f"http://127.0.0.1:{self._http.server_port}"

    def __enter__(self) -> Self:
        self._http.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self._http.__exit__()

    def chat_model(self, provider: str) -> BaseChatModel:
        """The provider's own chat model."""
        makers: dict[str, Callable[[], BaseChatModel]] = {
            "openai": self._chat_openai,
            "anthropic": self._chat_anthropic,
            "ollama": self._chat_ollama,
        }
        return makers[provider]()

    def _chat_openai(self) -> BaseChatModel:
        clients = {
            "http_client": httpx.Client(verify=False, trust_env=False),
            "http_async_client": httpx.AsyncClient(verify=False, trust_env=False),
        }
        url = f"{self.url}/v1"
        return ChatOpenAI(
            model=_MODEL, base_url=url, api_key="test", max_retries=0, stream_usage=True, **clients
        )

    def _chat_anthropic(self) -> BaseChatModel:
        return ChatAnthropic(model=_MODEL, base_url=self.url, api_key="test", max_retries=0)

    def _chat_ollama(self) -> BaseChatModel:
        client = {"trust_env": False, "verify": False}
        return ChatOllama(model=_MODEL, base_url=self.url, client_kwargs=client)


class _HTTPServer(LoopbackServer):
    def __init__(self, server: TurnServer) -> None:
        self.turns = server
        super().__init__(_Handler)


class _Handler(Quiet, BaseHTTPRequestHandler):
    server: _HTTPServer

    def do_GET(self) -> None:
        self._send(404, "application/json", b"{}")

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if not self.path.endswith(("/chat/completions", "/messages", "/api/chat")):
            return self._send(404, "application/json", b"{}")
        turn = self.server.turns.turn
        assert turn is not None
        if not body.get("stream"):
            return self._send(200, "application/json", turn.whole)
        kind = "application/x-ndjson" if turn.provider == "ollama" else "text/event-stream"
        return self._send(200, kind, b"".join(turn.stream))

    def _send(self, status: int, kind: str, content: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)
