"""The record of a turn, for debugging: what was asked, what each request led to, and why another followed.

- A request finds the recording of its turn in `current_recording`: a gateway or a command sets it.
- Long texts are shortened. No header is kept, and no key: not the caller's, and not the provider's.
"""

import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk

from langchain_toolemu.capability import model_name_of
from langchain_toolemu.capability.endpoints import address_of, secrets_of
from langchain_toolemu.messages.content import words_of, write_json
from langchain_toolemu.messages.metadata import FINISH_KEYS
from langchain_toolemu.model_facts.error_text import message_of, status_of
from langchain_toolemu.options import redact
from langchain_toolemu.turn.turn_input import Request
from langchain_toolemu.turn.turn_output import WARNINGS

_GIST = 160
_LINE = 2_000  # characters of a call's arguments in the list
_MOST_CHARS = 200_000  # a longer text is shortened
_LOWERED = "the reply's limit did not fit the window, and was lowered"  # by the gateway
ROUTINE = (WARNINGS["calls_emulated"], WARNINGS["form_emulated"])
_STOPPED = ("GeneratorExit", "CancelledError")  # whoever asked left, or had enough


@dataclass
class SentRequest:
    """One request to the wrapped model, and its reply as far as it has come."""

    messages: list[dict[str, Any]]
    settings: dict[str, Any]
    reason: str  # why it follows another one
    started: float = field(default_factory=time.perf_counter)
    reply: list[str] = field(default_factory=list)
    calls: list[dict[str, Any]] = field(default_factory=list)
    usage: dict[str, Any] | None = None
    finish: str | None = None
    first_token: float | None = None  # in seconds, like the rest; of a stream only
    seconds: float | None = None
    error: dict[str, Any] | None = None

    def add(self, generation: ChatGeneration) -> None:
        """Take a piece of the reply, which may be the whole."""
        message, words = generation.message, words_of(generation.message.content)
        if words:
            self.reply.append(words)
        metadata = {**(generation.generation_info or {}), **message.response_metadata}
        reasons = (str(metadata[key]) for key in FINISH_KEYS if metadata.get(key))
        self.finish = next(reasons, self.finish)
        if not isinstance(message, AIMessage):
            return
        if message.usage_metadata:
            self.usage = dict(message.usage_metadata)
        calls: Any = getattr(message, "tool_call_chunks", None)
        calls = calls or [*message.tool_calls, *message.invalid_tool_calls]
        for call in calls:
            self._add_call(call["name"], call["args"])
        streams = isinstance(generation, ChatGenerationChunk) and self.first_token is None
        if streams and (words or calls or message.additional_kwargs):
            self.first_token = _seconds_since(self.started)

    def _add_call(self, name: str | None, args: Any) -> None:
        text = args if isinstance(args, str) else write_json(args or {})
        if name or not self.calls:
            self.calls.append({"name": name, "arguments": text})
        else:
            self.calls[-1]["arguments"] += text

    def to_json(self) -> dict[str, Any]:
        """The request, with its reply as one text."""
        known = {name: value for name, value in vars(self).items() if name != "started"}
        return {**known, "reply": shorten("".join(self.reply))}


@dataclass
class TurnRecording:
    """One turn. `read` is what its message holds, `report` what `ChatToolEmu` says of it."""

    id: str
    wire: str
    model: str  # as the client calls it
    body: Any
    stream: bool = False
    http_path: str = ""  # where the client sent it, if it came over HTTP
    run: str = ""  # the id of the first turn of its run
    redacted: bool = False  # whether the body is not all that was sent
    upstream: str | None = None  # as its server calls the model
    address: str | None = None
    at: float = field(default_factory=time.time)
    started: float = field(default_factory=time.perf_counter)
    sent: list[SentRequest] = field(default_factory=list)
    state: str = "running"
    seconds: float | None = None
    first_token: float | None = None  # until the client saw one
    read: dict[str, Any] | None = None
    report: dict[str, Any] = field(default_factory=dict)
    error: dict[str, Any] | None = None
    secrets: list[str] = field(default_factory=list)  # which no error may tell
    _last: Request | None = None

    @contextmanager
    def request(self, llm: BaseChatModel, request: Request) -> Iterator[SentRequest]:
        """Record a request for the time of a block, in which it is answered."""
        settings = {"stop": request.stop, **redact(request.kwargs)}
        settings = {name: shorten(value) for name, value in settings.items() if value is not None}
        self.upstream = request.kwargs.get("model") or model_name_of(llm) or type(llm).__name__
        self.address, self._last = address_of(llm) or None, request
        self.secrets = secrets_of(llm)
        reason = request.reason or (_LOWERED if self.sent else "")
        sent = SentRequest([*map(message_json, request.messages)], settings, reason)
        self.sent.append(sent)
        try:
            yield sent
        except BaseException as error:
            sent.error = error_json(error, self.secrets)
            raise
        finally:
            sent.seconds = _seconds_since(sent.started)

    def note_shown(self) -> None:
        """The client is shown a part of the answer."""
        if self.first_token is None:
            self.first_token = _seconds_since(self.started)

    def end(
        self, read: dict[str, Any] | None, report: dict[str, Any], error: dict[str, Any] | None
    ) -> None:
        """The turn has ended: with a message to read, with an error, or because nobody waited for it."""
        self.seconds = _seconds_since(self.started)
        left = not read and (error is None or error["type"] in _STOPPED)
        self.read, self.error = (None, error) if error else (read, None)
        self.state = "left" if left else "failed" if error else "done"
        # A turn that failed has no message which could report what was done.
        self.report, self._last = report or (self._last.report() if self._last else {}), None

    def summary(self) -> dict[str, Any]:
        """The turn in the list of turns."""
        read, error, report = self.read or {}, self.error or {}, self.report
        usage, calls = read.get("usage") or {}, read.get("calls", ())
        cached = (usage.get("input_token_details") or {}).get("cache_read", 0)
        names = (
            "id", "run", "at", "wire", "model", "upstream", "stream", "state", "seconds", "first_token", "redacted",
        )  # fmt: skip
        return {
            **{name: getattr(self, name) for name in names},
            "requests": len(self.sent),
            "path": report.get("path"),
            "reasks": report.get("reasks") or [],
            "doubts": len(report.get("doubted") or ()),
            "repairs": len(report.get("repairs") or ()),
            "warnings": sum(warning not in ROUTINE for warning in report.get("warnings") or ()),
            "calls": [{**call, "arguments": call["arguments"][:_LINE]} for call in calls],
            "question": _question_in(self.body)[:_GIST],
            "text": (read.get("text") or error.get("message") or "")[:_GIST],
            "tokens": [usage["input_tokens"], usage["output_tokens"], cached] if usage else None,
            "status": error.get("status"),
        }

    def to_json(self) -> dict[str, Any]:
        """The turn with everything that is known of it."""
        sent = [request.to_json() for request in self.sent]
        for request, after in pairwise(sent):
            request["outcome"] = after["reason"]
        if sent:
            sent[-1]["outcome"] = self._outcome()
        names = ("http_path", "address", "body", "read", "report", "error")
        return {**self.summary(), **{name: getattr(self, name) for name in names}, "sent": sent}

    def _outcome(self) -> str:
        if self.state == "failed":
            error = None if self.sent[-1].error else self.error
            return f"the turn failed: {error['message']}" if error else "the turn failed"
        if gave_up := self.report.get("gave_up"):
            return f"no re-ask was left ({gave_up}): the reply is used as it is"
        if invalid := self.report.get("invalid"):
            return f"a call that is not to be run: {invalid[0]}"
        if self.state == "done":
            return "a tool call" if (self.read or {}).get("calls") else "the answer"
        return {"running": "under way", "left": "the client left"}[self.state]


def _seconds_since(started: float) -> float:
    return round(time.perf_counter() - started, 4)


# The recording of the turn that this task works on.
current_recording: ContextVar[TurnRecording | None] = ContextVar("toolemu_recording", default=None)


def error_json(error: BaseException, secrets: list[str]) -> dict[str, Any]:
    """What an error says, in its provider's own words and without a key."""
    text = message_of(error, secrets) or type(error).__name__
    return {"type": type(error).__name__, "status": status_of(error), "message": text}


def parsed_result(
    text: str, calls: Iterable[tuple[str, str, bool]], finish: str | None, usage: Any
) -> dict[str, Any]:
    """What the inspector shows of an answer; of each call its name, its arguments, and whether it can be run."""
    made = [{"name": name, "arguments": args, "complete": good} for name, args, good in calls]
    return {"text": shorten(text), "calls": shorten(made), "finish": finish, "usage": usage}


def _question_in(body: Any) -> str:
    """The last text of the client's user, in any of the protocols."""
    given = body.get("messages") or body.get("input") or body.get("prompt")
    if isinstance(given, str):
        return given
    for message in reversed(_objects_in(given)):
        content = message.get("content") if message.get("role") in ("user", "human") else None
        if isinstance(content, str):
            return content
        for part in reversed(_objects_in(content)):
            if "text" in part:
                return str(part["text"])
    return ""


def _objects_in(value: Any) -> list[Mapping[str, Any]]:
    """The objects in a list; a body is recorded before it is checked, so it need not be one."""
    return [item for item in value if isinstance(item, Mapping)] if isinstance(value, list) else []


def shorten(value: Any) -> Any:
    """A JSON value whose long texts are shortened: an image is nothing to read."""
    match value:
        case str():
            if value.startswith("data:"):
                return f"{value[:64]}…"
            if len(value) <= _MOST_CHARS:
                return value
            return f"{value[:_MOST_CHARS]}… ({len(value):,} characters in all)"
        case Mapping():
            return {key: shorten(inner) for key, inner in value.items()}
        case list() | tuple():
            return [shorten(inner) for inner in value]
    return value


def message_json(message: BaseMessage) -> dict[str, Any]:
    """A message as it is shown."""
    shown = {"role": message.type, "content": shorten(message.content)}
    calls = getattr(message, "tool_calls", None)
    return {**shown, "calls": calls} if calls else shown
