"""A chat completion: whole, or as chunks while it is written."""

import time
from collections.abc import Iterable, Mapping
from typing import Any
from uuid import uuid4

from langchain_core.messages.ai import UsageMetadata

from langchain_toolemu.serve import sse
from langchain_toolemu.serve.answer import (
    Answer,
    Call,
    CallBegun,
    CallPiece,
    Declined,
    Finish,
    Part,
    Sealed,
    Thought,
    Words,
)
from langchain_toolemu.serve.faults import Fault
from langchain_toolemu.serve.openai_chat.request import ChatRequest
from langchain_toolemu.serve.openai_errors import write_fault

_FINISH: Mapping[Finish, str] = {
    "stop": "stop",
    "stop_sequence": "stop",
    "length": "length",
    "calls": "tool_calls",
    "declined": "content_filter",
}


def write_whole(request: ChatRequest, answer: Answer) -> dict[str, Any]:
    """The completion in one piece."""
    choice = {
        "index": 0,
        "message": _message(request, answer),
        "logprobs": answer.metadata.get("logprobs"),
        "finish_reason": _finish(request, answer),
    }
    return {
        "id": _id(),
        "object": "chat.completion",
        "created": int(time.time()),
        "model": request.ask.model,
        "choices": [choice],
        "usage": write_usage(answer.usage),
        "system_fingerprint": answer.metadata.get("system_fingerprint") or None,
        **_tier(answer),
    }


def _message(request: ChatRequest, answer: Answer) -> dict[str, Any]:
    message: dict[str, Any] = {
        "role": "assistant",
        "content": answer.text or (None if answer.calls or answer.declined else ""),
        "refusal": answer.declined or None,
    }
    if answer.thoughts:
        message[answer.thoughts_name] = answer.thoughts
    if answer.calls and request.legacy:
        message["function_call"] = _function(answer.calls[0])
    elif answer.calls:
        message["tool_calls"] = [
            {"id": call.id, "type": "function", "function": _function(call)}
            for call in answer.calls
        ]
    return message


def _function(call: Call) -> dict[str, Any]:
    return {"name": call.name, "arguments": call.arguments}


def _finish(request: ChatRequest, answer: Answer) -> str:
    if answer.finish == "declined" and answer.declined:
        return "stop"  # a refusal has a field of its own
    if answer.finish == "calls" and request.legacy:
        return "function_call"
    return _FINISH[answer.finish]


def _tier(answer: Answer) -> dict[str, Any]:
    tier = answer.metadata.get("service_tier")
    return {"service_tier": tier} if tier else {}


def write_usage(usage: UsageMetadata | None) -> dict[str, Any] | None:
    """The tokens of a turn; nothing if the upstream did not count them."""
    if usage is None:
        return None
    read, written = usage.get("input_token_details", {}), usage.get("output_token_details", {})
    prompt = {
        "cached_tokens": read.get("cache_read"),
        "cache_write_tokens": read.get("cache_creation"),
        "audio_tokens": read.get("audio"),
    }
    completion = {
        "reasoning_tokens": written.get("reasoning"),
        "audio_tokens": written.get("audio"),
    }
    return {
        "prompt_tokens": usage["input_tokens"],
        "completion_tokens": usage["output_tokens"],
        "total_tokens": usage["total_tokens"],
        "prompt_tokens_details": _known(prompt, "cached_tokens"),
        "completion_tokens_details": _known(completion, "reasoning_tokens"),
    }


def _known(details: Mapping[str, int | None], always: str) -> dict[str, int]:
    return {
        name: count or 0 for name, count in details.items() if count is not None or name == always
    }


class ChatStream:
    """Writes a completion as chunks."""

    def __init__(self, request: ChatRequest) -> None:
        self._request = request
        self._base = {
            "id": _id(),
            "object": "chat.completion.chunk",
            "created": int(time.time()),
            "model": request.ask.model,
            "system_fingerprint": None,
        }
        self._opened = False

    def open(self) -> bytes:
        """What is sent before anything was said: nothing that would have to be taken back."""
        return b""

    def write(self, part: Part) -> bytes:
        """A part as a chunk; the first says who speaks."""
        if not (delta := self._delta(part)):
            return b""
        opening = b"" if self._opened else self._opening(part)
        return opening + self._chunk(delta)

    def close(
        self, answer: Answer, missing: Iterable[Part], report: Mapping[str, Any] | None
    ) -> bytes:
        """How the completion ended, what it cost if asked, and that it is over."""
        rest = b"".join(map(self.write, missing))
        opening = rest if self._opened else self._opening(None)
        logprobs, told = answer.metadata.get("logprobs"), {"toolemu": report} if report else {}
        finish = _finish(self._request, answer)
        if not self._request.include_usage:
            return opening + self._chunk({}, finish, logprobs, **told) + sse.DONE
        usage: dict[str, Any] = {"choices": [], "usage": write_usage(answer.usage), **told}
        last = sse.data({**self._base, **usage})
        return opening + self._chunk({}, finish, logprobs) + last + sse.DONE

    def fail(self, fault: Fault) -> bytes:
        """An error that came after the first byte."""
        return sse.data(write_fault(fault)) + sse.DONE

    def ping(self) -> bytes:
        """A sign of life."""
        return sse.KEEP_ALIVE

    def _opening(self, first: Part | None) -> bytes:
        self._opened = True
        content = "" if first is None or isinstance(first, Words) else None
        return self._chunk({"role": "assistant", "content": content, "refusal": None})

    def _chunk(
        self, delta: Mapping[str, Any], finish: str | None = None, logprobs: Any = None, **more: Any
    ) -> bytes:
        choice = {"index": 0, "delta": delta, "logprobs": logprobs, "finish_reason": finish}
        usage: dict[str, Any] = {"usage": None} if self._request.include_usage else {}
        return sse.data({**self._base, "choices": [choice], **usage, **more})

    def _delta(self, part: Part) -> dict[str, Any]:
        match part:
            case Words():
                return {"content": part.text}
            case Thought():
                return {part.name: part.text} if part.text else {}
            case Declined():
                return {"refusal": part.text}
            case CallBegun() | CallPiece() if self._request.legacy:
                return _legacy_delta(part)
            case CallBegun():
                function = {"name": part.name, "arguments": ""}
                call = {"index": part.number, "id": part.id, "type": "function"}
                return {"tool_calls": [{**call, "function": function}]}
            case CallPiece():
                piece = {"index": part.number, "function": {"arguments": part.text}}
                return {"tool_calls": [piece]}
            case Sealed():
                return {}


def _legacy_delta(part: CallBegun | CallPiece) -> dict[str, Any]:
    """A piece of a `function_call`, of which there is one at most."""
    if part.number:
        return {}
    if isinstance(part, CallPiece):
        return {"function_call": {"arguments": part.text}}
    return {"function_call": {"name": part.name, "arguments": ""}}


def _id() -> str:
    return f"chatcmpl-{uuid4().hex}"
