"""A chat completion: whole, or as chunks. Both of OpenAI's protocols have the same errors."""

import time
from collections.abc import Iterable, Mapping
from typing import Any
from uuid import uuid4

from langchain_toolemu.chat_models import sse
from langchain_toolemu.messages.call_extras import signed
from langchain_toolemu.serve.answer import Answer, AnswerCall, AnswerPart, FinishReason, Tokens
from langchain_toolemu.serve.faults import Fault
from langchain_toolemu.serve.openai_chat.request import ChatRequest, read_request
from langchain_toolemu.serve.protocol import StreamWriter, WireProtocol

_FINISH: Mapping[FinishReason, str] = {
    "stop": "stop", "stop_sequence": "stop", "length": "length", "calls": "tool_calls",
    "declined": "content_filter",
}  # fmt: skip


def write_fault(fault: Fault) -> dict[str, Any]:
    """The body of an error response."""
    return {"error": write_error(fault)}


def write_error(fault: Fault) -> dict[str, Any]:
    """The error itself; OpenAI counts a wrong key and an unknown model as invalid requests."""
    kind = "server_error" if fault.status >= 500 else "invalid_request_error"
    kind = "rate_limit_error" if fault.status == 429 else kind
    return {"message": fault.message, "type": kind, "param": fault.param, "code": fault.code}


def _write_answer(request: ChatRequest, answer: Answer) -> dict[str, Any]:
    tier = answer.metadata.get("service_tier")
    choice = {
        "index": 0,
        "message": _message(request, answer),
        "logprobs": answer.metadata.get("logprobs"),
        "finish_reason": _finish(request, answer),
    }
    return {
        **_head(request, "chat.completion"),
        "choices": [choice],
        "usage": _usage(answer.tokens),
        "system_fingerprint": answer.metadata.get("system_fingerprint") or None,
        **({"service_tier": tier} if tier else {}),
    }


def _head(request: ChatRequest, kind: str) -> dict[str, Any]:
    id_, now = f"chatcmpl-{uuid4().hex}", int(time.time())
    return {"id": id_, "object": kind, "created": now, "model": request.model}


def _message(request: ChatRequest, answer: Answer) -> dict[str, Any]:
    message: dict[str, Any] = {
        "role": "assistant",
        "content": answer.words("text")
        or (None if answer.complete_calls or answer.words("refusal") else ""),
        "refusal": answer.words("refusal") or None,
    }
    if answer.words("reasoning"):
        message[answer.reasoning_key] = answer.words("reasoning")
    calls = [_call(request, call) for call in answer.complete_calls]
    if calls and request.legacy:
        message["function_call"] = calls[0]["function"]
    elif calls:
        message["tool_calls"] = calls
    return message


def _call(request: ChatRequest, call: AnswerCall) -> dict[str, Any]:
    if call.name in request.custom:
        custom = {"name": call.name, "input": call.text_input()}
        return {"id": call.id, "type": "custom", "custom": custom}
    function = {"name": call.name, "arguments": call.arguments}
    return signed({"id": call.id, "type": "function", "function": function}, call.extras)


def _finish(request: ChatRequest, answer: Answer) -> str:
    if answer.finish == "declined" and answer.words("refusal"):
        return "stop"  # a refusal has a field of its own
    if answer.finish == "calls" and request.legacy:
        return "function_call"
    return _FINISH[answer.finish]


def _usage(used: Tokens | None) -> dict[str, Any] | None:
    if used is None:
        return None
    read = {"cache_write_tokens": used.created, "audio_tokens": used.audio}
    spoken = {} if used.spoken is None else {"audio_tokens": used.spoken}
    return {
        "prompt_tokens": used.input,
        "completion_tokens": used.output,
        "total_tokens": used.input + used.output,
        "prompt_tokens_details": {
            "cached_tokens": used.cached,
            **{name: count for name, count in read.items() if count is not None},
        },
        "completion_tokens_details": {"reasoning_tokens": used.reasoning, **spoken},
    }


class _ChatStream(StreamWriter):
    def __init__(self, request: ChatRequest) -> None:
        self._request = request
        self._head = {**_head(request, "chat.completion.chunk"), "system_fingerprint": None}
        self._opened = False
        self._whole: set[int] = set()  # calls that are sent when they are complete

    def write(self, part: AnswerPart) -> bytes:
        delta = self._delta(part)
        return self._opening(part) + self._chunk(delta) if delta else b""

    def close(self, answer: Answer, missing: Iterable[AnswerPart]) -> bytes:
        rest = b"".join(map(self.write, missing)) + self._opening(None)
        for number in sorted(self._whole):
            if answer.calls[number].complete:
                call = {"index": number, **_call(self._request, answer.calls[number])}
                rest += self._chunk({"tool_calls": [call]})
        finish, logprobs = _finish(self._request, answer), answer.metadata.get("logprobs")
        if not self._request.include_usage:
            return rest + self._chunk({}, finish, logprobs) + sse.DONE
        usage: dict[str, Any] = {"choices": [], "usage": _usage(answer.tokens)}
        last = sse.data({**self._head, **usage})
        return rest + self._chunk({}, finish, logprobs) + last + sse.DONE

    def fail(self, fault: Fault) -> bytes:
        return sse.data(write_fault(fault)) + sse.DONE

    def _opening(self, first: AnswerPart | None) -> bytes:
        if self._opened:
            return b""
        self._opened = True
        content = "" if first is None or first.kind == "text" else None
        return self._chunk({"role": "assistant", "content": content, "refusal": None})

    def _chunk(
        self, delta: Mapping[str, Any], finish: str | None = None, logprobs: Any = None, **more: Any
    ) -> bytes:
        choice = {"index": 0, "delta": delta, "logprobs": logprobs, "finish_reason": finish}
        usage: dict[str, Any] = {"usage": None} if self._request.include_usage else {}
        return sse.data({**self._head, "choices": [choice], **usage, **more})

    def _delta(self, part: AnswerPart) -> dict[str, Any]:
        match part.kind:
            case "text":
                return {"content": part.text}
            case "refusal":
                return {"refusal": part.text}
            case "reasoning" if part.text:
                return {part.name: part.text}
            case "call" if part.name in self._request.custom or self._request.whole_calls:
                self._whole.add(part.number)
            case "arguments" if part.number in self._whole:
                pass
            case "call":
                return self._call_delta(part, **_call(self._request, AnswerCall(part)))
            case "arguments":
                return self._call_delta(part, function={"arguments": part.text})
        return {}

    def _call_delta(self, part: AnswerPart, **call: Any) -> dict[str, Any]:
        if not self._request.legacy:
            return {"tool_calls": [{"index": part.number, **call}]}
        # A message has one `function_call` at most.
        return {} if part.number else {"function_call": call["function"]}


OPENAI_CHAT = WireProtocol("openai_chat", read_request, _write_answer, _ChatStream, write_fault)
