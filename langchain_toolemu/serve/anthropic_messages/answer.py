"""A message of Anthropic's protocol: whole, or as events while it is written.

- A call is sent when it is complete; a client that asks for fine-grained streaming gets it while
  it is written.
- A call that was cut off is left out.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from uuid import uuid4

from langchain_core.messages.utils import count_tokens_approximately

from langchain_toolemu.chat_models import sse
from langchain_toolemu.serve.answer import (
    Answer,
    AnswerPart,
    FinishReason,
    PartQueue,
    Tokens,
)
from langchain_toolemu.serve.anthropic_messages.request import MessagesRequest, read_request
from langchain_toolemu.serve.faults import Fault
from langchain_toolemu.serve.protocol import StreamWriter, WireProtocol

_ERRORS: Mapping[int, str] = {
    401: "authentication_error", 402: "billing_error", 403: "permission_error",
    404: "not_found_error", 413: "request_too_large", 429: "rate_limit_error",
    504: "timeout_error", 529: "overloaded_error",
}  # fmt: skip
_STOP: Mapping[FinishReason, str] = {
    "stop": "end_turn", "stop_sequence": "stop_sequence", "length": "max_tokens",
    "calls": "tool_use", "declined": "refusal",
}  # fmt: skip
_OWN_STOPS = ("pause_turn", "model_context_window_exceeded")
_PROMPT_TOO_LONG = "prompt is too long"  # which Anthropic's clients recognise


def _write_fault(fault: Fault) -> dict[str, Any]:
    other = "api_error" if fault.status >= 500 else "invalid_request_error"
    message, excess = fault.message, fault.excess
    if fault.is_overflow and not message.startswith(_PROMPT_TOO_LONG):
        reason = f"{excess[0]} tokens > {excess[1]} maximum" if excess else message
        message = f"{_PROMPT_TOO_LONG}: {reason}"
    error: dict[str, Any] = {"type": _ERRORS.get(fault.status, other), "message": message}
    if fault.code:  # where the SDKs look for a code
        error["details"] = {"error_code": fault.code}
    id_ = {"request_id": fault.request_id} if fault.request_id else {}
    return {"type": "error", "error": error, **id_}


def _write_answer(request: MessagesRequest, answer: Answer) -> dict[str, Any]:
    content, usage = list(_content(request, answer)), _usage(answer.tokens)
    return {**_head(request), "content": content, **_stop_fields(answer), "usage": usage}


def _head(request: MessagesRequest) -> dict[str, Any]:
    id_ = f"msg_{uuid4().hex[:24]}"
    return {"id": id_, "type": "message", "role": "assistant", "model": request.model}


def _content(request: MessagesRequest, answer: Answer) -> Iterator[dict[str, Any]]:
    for run in answer.runs:
        match run.kind:
            case "text" | "refusal":
                yield {"type": "text", "text": run.text}
            case "reasoning" if request.shows_reasoning:
                yield {"type": "thinking", "thinking": run.text, "signature": run.signature}
            case "encrypted" if request.shows_reasoning:
                yield {"type": "redacted_thinking", "data": run.text}
        if (call := run.call) and call.complete:
            yield {"type": "tool_use", "id": call.id, "name": call.name, "input": call.input()}


def _stop_fields(answer: Answer) -> dict[str, Any]:
    finish, given = answer.finish, answer.metadata.get("stop_reason")
    reason = given if finish == "stop" and given in _OWN_STOPS else _STOP[finish]
    matched = answer.metadata.get("stop_sequence") if reason == "stop_sequence" else None
    return {"stop_reason": reason, "stop_sequence": matched}


def _usage(tokens: Tokens | None) -> dict[str, Any]:
    """The tokens of a turn; Anthropic counts cached ones separately."""
    used = tokens or Tokens()
    written: dict[str, Any] = {
        "input_tokens": max(0, used.input - used.cached - (used.created or 0)),
        "cache_creation_input_tokens": used.created or 0,
        "cache_read_input_tokens": used.cached,
        "output_tokens": used.output,
    }
    if used.reasoning:
        written["output_tokens_details"] = {"thinking_tokens": used.reasoning}
    return written


class _MessageStream(StreamWriter):
    def __init__(self, request: MessagesRequest) -> None:
        self._request = request
        self._index = -1
        self._open: str | None = None  # the type of the open block
        self._parts = PartQueue(lambda _call: not request.eager)
        # The upstream counts at the end; until then clients show this.
        self._estimate = count_tokens_approximately(request.messages, tools=[*request.tools])

    def open(self) -> bytes:
        nothing: dict[str, Any] = {"content": [], "stop_reason": None, "stop_sequence": None}
        usage = _usage(Tokens(self._estimate))
        return _event("message_start", message={**_head(self._request), **nothing, "usage": usage})

    def write(self, part: AnswerPart) -> bytes:
        return b"".join(map(self._block, self._parts.feed(part)))

    def close(self, answer: Answer, missing: Iterable[AnswerPart]) -> bytes:
        # Missing arguments are not sent: an input without pieces is `{}`, and the stop reason
        # tells of a call that was cut off.
        words = [part for part in missing if part.kind != "arguments"]
        rest = b"".join(map(self._block, [*self._parts.end(), *words])) + self._end_block()
        delta = _event("message_delta", delta=_stop_fields(answer), usage=_usage(answer.tokens))
        return rest + delta + _event("message_stop")

    def fail(self, fault: Fault) -> bytes:
        return sse.event("error", _write_fault(fault))

    def ping(self) -> bytes:
        return _event("ping")

    def _block(self, part: AnswerPart) -> bytes:
        match part.kind:
            case "text" | "refusal":
                opening = self._open_block({"type": "text", "text": ""})
                return opening + self._delta(type="text_delta", text=part.text)
            case "reasoning" if self._request.shows_reasoning:
                shown = self._open_block({"type": "thinking", "thinking": "", "signature": ""})
                if part.text:
                    shown += self._delta(type="thinking_delta", thinking=part.text)
                if part.signature:
                    shown += self._delta(type="signature_delta", signature=part.signature)
                return shown
            case "encrypted" if self._request.shows_reasoning:
                return self._begin_block({"type": "redacted_thinking", "data": part.text})
            case "call":
                call = {"type": "tool_use", "id": part.id, "name": part.name, "input": {}}
                return self._begin_block(call)
            case "arguments":
                return self._delta(type="input_json_delta", partial_json=part.text)
        return b""

    def _delta(self, **delta: Any) -> bytes:
        return _event("content_block_delta", index=self._index, delta=delta)

    def _open_block(self, block: dict[str, Any]) -> bytes:
        return b"" if self._open == block["type"] else self._begin_block(block)

    def _begin_block(self, block: dict[str, Any]) -> bytes:
        ended = self._end_block()
        self._index += 1
        self._open = block["type"]
        begun = _event("content_block_start", index=self._index, content_block=block)
        return ended + begun + (b"" if self._index else self.ping())

    def _end_block(self) -> bytes:
        if self._open is None:
            return b""
        self._open = None
        return _event("content_block_stop", index=self._index)


def _event(kind: str, /, **fields: Any) -> bytes:
    return sse.event(kind, {"type": kind, **fields})


ANTHROPIC_MESSAGES = WireProtocol(
    "anthropic_messages", read_request, _write_answer, _MessageStream, _write_fault
)
