"""What is kept of a turn for the inspector, and for how long.

- Only the last turns are kept, in memory, and long texts are shortened.
- No header is kept, and no key: not the client's, and not the upstream's.
"""

import asyncio
import time
from collections import deque
from collections.abc import AsyncGenerator, Iterator, Mapping
from contextlib import aclosing, contextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGenerationChunk, ChatResult
from typing_extensions import override

from langchain_toolemu.messages.content import words_of, write_json
from langchain_toolemu.messages.metadata import FINISH_KEYS
from langchain_toolemu.options import redact
from langchain_toolemu.serve.answer import Answer
from langchain_toolemu.serve.faults import Fault
from langchain_toolemu.serve.reply_end import ServedChatToolEmu
from langchain_toolemu.serve.request_log import request_id
from langchain_toolemu.turn.turn_input import Request

_GIST = 160
_MOST_TURNS = 200
_MOST_CHARS = 200_000  # a longer text is shortened


@dataclass
class _UpstreamRequest:
    messages: list[dict[str, Any]]
    settings: dict[str, Any]
    started: float
    reply: list[str] = field(default_factory=list)
    calls: list[dict[str, Any]] = field(default_factory=list)
    usage: dict[str, Any] | None = None
    finish: str | None = None
    seconds: float | None = None
    error: str | None = None

    def is_reask_of(self, before: "_UpstreamRequest") -> bool:
        # What was asked before, and then a correction.
        first, same = before.messages, len(before.messages) - 1
        if len(self.messages) <= same or self.messages[:same] != first[:same]:
            return False
        was, now = first[same], self.messages[same]
        return (now != was and str(now["content"]).startswith(str(was["content"]))) or (
            now == was and len(self.messages) > len(first)
        )

    def to_json(self, reask: str | None = None) -> dict[str, Any]:
        known = {name: value for name, value in vars(self).items() if name != "started"}
        return {"reask": reask, **known, "reply": _shorten_text("".join(self.reply))}


@dataclass
class Recording:
    """One turn."""

    wire: str
    model: str
    body: Any
    stream: bool
    id: str = field(default_factory=request_id.get)  # the one that client and log have, too
    at: float = field(default_factory=time.time)
    started: float = field(default_factory=time.perf_counter)
    sent: list[_UpstreamRequest] = field(default_factory=list)
    state: str = "running"
    seconds: float | None = None
    read: dict[str, Any] | None = None
    report: dict[str, Any] = field(default_factory=dict)
    error: dict[str, Any] | None = None

    def summary(self) -> dict[str, Any]:
        """The turn in the list of turns."""
        read, error = self.read or {}, self.error or {}
        usage = read.get("usage")
        names = ("id", "at", "wire", "model", "stream", "state", "seconds")
        return {
            **{name: getattr(self, name) for name in names},
            "requests": len(self.sent),
            "path": self.report.get("path"),
            "reasks": self.report.get("reasks") or [],
            "calls": [call["name"] for call in read.get("calls", ())],
            "question": _question_in(self.body)[:_GIST],
            "text": (read.get("text") or error.get("message") or "")[:_GIST],
            "tokens": [usage["input_tokens"], usage["output_tokens"]] if usage else None,
            "status": error.get("status"),
        }

    def to_json(self) -> dict[str, Any]:
        """The turn with everything that is known of it."""
        return {
            **self.summary(),
            "body": self.body,
            "sent": [
                one.to_json(why) for one, why in zip(self.sent, self._reask_reasons(), strict=True)
            ],
            "read": self.read,
            "report": self.report,
            "error": self.error,
        }

    def _reask_reasons(self) -> list[str | None]:
        """For each request, why it was asked again, if it was."""
        reasons = iter(self.report.get("reasks") or ())
        pairs = zip([None, *self.sent], self.sent, strict=False)
        again = [before is not None and one.is_reask_of(before) for before, one in pairs]
        return [next(reasons, "not answered yet") if asked else None for asked in again]


def _question_in(body: Any) -> str:
    """What the client's user said last, in any of the protocols."""
    said = body.get("messages") or body.get("input") or body.get("prompt")
    if isinstance(said, str):
        return said
    for message in reversed(_objects_in(said)):
        content = message.get("content") if message.get("role") == "user" else None
        if isinstance(content, str):
            return content
        for part in reversed(_objects_in(content)):
            if "text" in part:
                return str(part["text"])
    return ""


def _objects_in(value: Any) -> list[Mapping[str, Any]]:
    """The objects of a list; none of what is no list: a body is recorded before it is checked."""
    return [one for one in value if isinstance(one, Mapping)] if isinstance(value, list) else []


# The turn that this task works on.
current_recording: ContextVar[Recording | None] = ContextVar("toolemu_recording", default=None)


class Recordings:
    """The last turns, and the watchers of changes."""

    def __init__(self) -> None:
        self._turns: deque[Recording] = deque(maxlen=_MOST_TURNS)
        self._watchers: set[asyncio.Event] = set()
        self._closed = False

    def begin(self, wire: str, body: Mapping[str, Any]) -> Recording:
        """A turn begins."""
        kept = _shorten(redact(body))
        turn = Recording(
            wire, str(body.get("model")), kept, bool(body.get("stream", wire == "ollama_chat"))
        )
        self._turns.append(turn)
        self.changed()
        return turn

    def end(self, turn: Recording, answer: Answer | None, fault: Fault | None) -> None:
        """A turn has ended: with an answer, with an error, or because its client went away."""
        turn.seconds = round(time.perf_counter() - turn.started, 4)
        turn.state = "failed" if fault else "done" if answer else "left"
        if answer:
            turn.read = _parsed_result(answer)
            turn.report = answer.report
        if fault:
            turn.error = {"status": fault.status, "message": fault.message, "code": fault.code}
        self.changed()

    def find(self, id_: str) -> Recording | None:
        """The turn of this id."""
        return next((turn for turn in self._turns if turn.id == id_), None)

    def summaries(self) -> list[dict[str, Any]]:
        """The turns, newest first."""
        return [turn.summary() for turn in reversed(self._turns)]

    def clear(self) -> None:
        """Forget all turns."""
        self._turns.clear()
        self.changed()

    def changed(self) -> None:
        """Notify the watchers."""
        for watcher in self._watchers:
            watcher.set()

    def close(self) -> None:
        """End all watching, so that it does not keep the server from stopping."""
        self._closed = True
        self.changed()

    async def watch(self, seconds: float) -> AsyncGenerator[list[dict[str, Any]] | None, None]:
        """The summaries whenever a turn changes, and `None` after so many seconds without a change."""
        watcher = asyncio.Event()
        self._watchers.add(watcher)
        try:
            yield self.summaries()
            while not self._closed:
                try:
                    await asyncio.wait_for(watcher.wait(), seconds)
                except asyncio.TimeoutError:
                    yield None
                    continue
                watcher.clear()
                yield self.summaries()
        finally:
            self._watchers.discard(watcher)


def _parsed_result(answer: Answer) -> dict[str, Any]:
    return {
        "text": _shorten_text(answer.text),
        "thoughts": _shorten_text(answer.reasoning),
        "declined": answer.refusal,
        "calls": [
            {"name": one.name, "arguments": _shorten_text(one.arguments), "complete": one.complete}
            for one in answer.calls
        ],
        "finish": answer.finish,
        "usage": answer.usage,
    }


def _shorten_text(text: str) -> str:
    if len(text) <= _MOST_CHARS:
        return text
    return f"{text[:_MOST_CHARS]}… ({len(text):,} characters in all)"


def _shorten(value: Any) -> Any:
    """A JSON value whose long texts are shortened: an image is nothing to read."""
    match value:
        case str():
            return _shorten_text(value) if not value.startswith("data:") else f"{value[:64]}…"
        case Mapping():
            return {key: _shorten(inner) for key, inner in value.items()}
        case list() | tuple():
            return [_shorten(inner) for inner in value]
    return value


# --- what is sent to the wrapped model, and what comes back ---


class RecordedChatToolEmu(ServedChatToolEmu):
    """A `ChatToolEmu` under inspection."""

    @override
    async def _asend(self, request: Request, run_manager: Any = None) -> ChatResult:
        with _record(request) as sent:
            result = await super()._asend(request, run_manager)
            for generation in result.generations[:1]:
                _record_reply(sent, generation.message, generation.generation_info)
        return result

    @override
    async def _asend_streaming(self, request: Request) -> AsyncGenerator[ChatGenerationChunk, None]:
        # Else the whole reply is asked for, and recorded there.
        with _record(request) if self._streams(request) else nullcontext() as sent:
            async with aclosing(super()._asend_streaming(request)) as pieces:
                async for piece in pieces:
                    if sent is not None:
                        _record_reply(sent, piece.message, piece.generation_info)
                    yield piece


@contextmanager
def _record(request: Request) -> Iterator[_UpstreamRequest]:
    settings = {"stop": request.stop, **redact(request.kwargs)}
    sent = _UpstreamRequest(
        [_message_json(message) for message in request.messages],
        {name: _shorten(value) for name, value in settings.items() if value is not None},
        time.perf_counter(),
    )
    if (turn := current_recording.get()) is not None:
        turn.sent.append(sent)
    try:
        yield sent
    except BaseException as error:
        sent.error = type(error).__name__
        raise
    finally:
        sent.seconds = round(time.perf_counter() - sent.started, 4)


def _record_reply(
    sent: _UpstreamRequest, message: BaseMessage, info: dict[str, object] | None
) -> None:
    if words := words_of(message.content):
        sent.reply.append(words)
    said = {**(info or {}), **message.response_metadata}
    sent.finish = next((str(said[key]) for key in FINISH_KEYS if said.get(key)), sent.finish)
    if not isinstance(message, AIMessage):
        return
    if message.usage_metadata:
        sent.usage = dict(message.usage_metadata)
    for call in getattr(message, "tool_call_chunks", None) or message.tool_calls:
        _record_call(sent, call["name"], call["args"])


def _record_call(sent: _UpstreamRequest, name: str | None, args: Any) -> None:
    text = args if isinstance(args, str) else write_json(args or {})
    if name or not sent.calls:
        sent.calls.append({"name": name, "arguments": text})
    else:
        sent.calls[-1]["arguments"] += text


def _message_json(message: BaseMessage) -> dict[str, Any]:
    content = message.content
    told = {
        "role": message.type,
        "content": _shorten_text(content) if isinstance(content, str) else _shorten(content),
    }
    calls = getattr(message, "tool_calls", None)
    return {**told, "calls": calls} if calls else told
