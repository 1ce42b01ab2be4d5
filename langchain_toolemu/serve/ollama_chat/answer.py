"""An answer in Ollama's protocol: whole, or as lines of JSON while it is written.

A call is sent when it is complete; one that was cut off is left out. Durations are measured here,
in nanoseconds.
"""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, timezone
from time import perf_counter_ns
from typing import Any

from langchain_toolemu.chat_models import sse
from langchain_toolemu.serve.answer import Answer, AnswerPart
from langchain_toolemu.serve.faults import Fault
from langchain_toolemu.serve.ollama_chat.request import OllamaRequest, read_chat, read_prompt
from langchain_toolemu.serve.protocol import StreamWriter, WireProtocol


def _write_fault(fault: Fault) -> dict[str, Any]:
    return {"error": fault.message}


def _write_answer(request: OllamaRequest, answer: Answer) -> dict[str, Any]:
    text = answer.words("text") + answer.words("refusal")
    thought = answer.words("reasoning") if request.shows_reasoning else ""
    body = _body(request, text, thinking=thought, tool_calls=_calls(answer))
    return {**body, **_end(request, answer, request.started)}


def _body(request: OllamaRequest, text: str = "", **more: Any) -> dict[str, Any]:
    now = datetime.now(timezone.utc).isoformat().replace("+00:00", "Z")
    head, more = {"model": request.model, "created_at": now}, {k: v for k, v in more.items() if v}
    if request.is_prompt:
        return {**head, "response": text, **more, "done": False}
    return {**head, "message": {"role": "assistant", "content": text, **more}, "done": False}


def _calls(answer: Answer) -> list[dict[str, Any]]:
    return [
        {"id": call.id, "function": {"index": at, "name": call.name, "arguments": call.input()}}
        for at, call in enumerate(answer.complete_calls)
    ]


def _end(request: OllamaRequest, answer: Answer, first: int) -> dict[str, Any]:
    """The fields that end an answer; `first` is the time of its first words."""
    if not request.messages:
        return {"done": True, "done_reason": "unload" if request.unloads else "load"}
    now, used = perf_counter_ns(), answer.tokens
    return {
        "done": True,
        "done_reason": "length" if answer.finish == "length" else "stop",
        "total_duration": now - request.started,
        "load_duration": 0,
        "prompt_eval_duration": first - request.started,
        "eval_duration": now - first,
        **({"prompt_eval_count": used.input, "eval_count": used.output} if used else {}),
    }


class _OllamaStream(StreamWriter):
    media_type = "application/x-ndjson"

    def __init__(self, request: OllamaRequest) -> None:
        self._request = request
        self._first: int | None = None  # when the first part came

    def write(self, part: AnswerPart) -> bytes:
        self._first = self._first or perf_counter_ns()
        match part.kind:
            case "text" | "refusal":
                return self._line(part.text)
            case "reasoning" if part.text and self._request.shows_reasoning:
                return self._line(thinking=part.text)
        return b""

    def close(self, answer: Answer, missing: Iterable[AnswerPart]) -> bytes:
        # Calls are sent from the answer, which includes what was missing.
        rest, calls = b"".join(map(self.write, missing)), _calls(answer)
        rest += self._line(tool_calls=calls) if calls else b""
        end = _end(self._request, answer, self._first or perf_counter_ns())
        return rest + _json_line({**_body(self._request), **end})

    def fail(self, fault: Fault) -> bytes:
        return _json_line(_write_fault(fault))

    def ping(self) -> bytes:
        return self._line()

    def _line(self, text: str = "", **more: Any) -> bytes:
        return _json_line(_body(self._request, text, **more))


def _json_line(value: dict[str, Any]) -> bytes:
    return sse.dumps(value) + b"\n"


OLLAMA_CHAT = WireProtocol("ollama_chat", read_chat, _write_answer, _OllamaStream, _write_fault)
OLLAMA_GENERATE = replace(OLLAMA_CHAT, read=read_prompt)
