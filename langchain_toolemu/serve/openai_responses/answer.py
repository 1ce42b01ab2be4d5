"""A response: in one piece, or as events while it is written.

Items follow one another: reasoning, a message, calls. Each ends before the next begins, and text that comes after a call
is a message of its own.
"""

import time
from collections.abc import Iterable, Mapping
from typing import Any
from uuid import uuid4

from langchain_core.messages.ai import UsageMetadata

from langchain_toolemu.serve import sse
from langchain_toolemu.serve.answer import (
    Answer,
    AnswerCall,
    AnswerPart,
    CallArguments,
    CallStart,
    EncryptedReasoning,
    PartQueue,
    ReasoningPart,
    RefusalPart,
    TextPart,
)
from langchain_toolemu.serve.faults import Fault
from langchain_toolemu.serve.openai_chat.answer import write_error
from langchain_toolemu.serve.openai_responses.output_items import (
    CallItem,
    Event,
    MessageItem,
    OutputItem,
    ReasoningItem,
    TextCallItem,
    TextualPart,
)
from langchain_toolemu.serve.openai_responses.request import ResponseRequest


def write_answer(request: ResponseRequest, answer: Answer) -> dict[str, Any]:
    """The response in one piece."""
    items: list[OutputItem] = []
    if answer.reasoning:
        items.append(ReasoningItem(answer.reasoning))
    if answer.text or answer.refusal:
        items.append(MessageItem(answer.text, answer.refusal))
    items += [_call_item(request, call) for call in answer.calls]
    return _Response(request).finished(answer, [item.final() for item in items])


def _call_item(request: ResponseRequest, call: AnswerCall) -> OutputItem:
    return TextCallItem(call) if call.name in request.custom else CallItem(call)


class _Response:
    """The fields of a response, as they are before and after its turn."""

    def __init__(self, request: ResponseRequest) -> None:
        self._request = request
        self._head = {
            "id": f"resp_{uuid4().hex}",
            "object": "response",
            "created_at": int(time.time()),
        }

    def in_progress(self) -> dict[str, Any]:
        return self._fields("in_progress", [])

    def finished(self, answer: Answer, output: list[dict[str, Any]]) -> dict[str, Any]:
        usage = _usage(answer.usage)
        reason = {"length": "max_output_tokens", "declined": "content_filter"}.get(answer.finish)
        if reason is None or (reason == "content_filter" and answer.refusal):
            return self._fields("completed", output, usage)
        cut = {"incomplete_details": {"reason": reason}}
        return {**self._fields("incomplete", output, usage), **cut}

    def failed(self, fault: Fault) -> dict[str, Any]:
        codes = {400: "invalid_prompt", 429: "rate_limit_exceeded"}
        error = {"code": codes.get(fault.status, "server_error"), "message": fault.message}
        return {**self._fields("failed", []), "error": error}

    def _fields(
        self, status: str, output: list[dict[str, Any]], usage: dict[str, Any] | None = None
    ) -> dict[str, Any]:
        return {
            **self._head,
            "status": status,
            "background": False,
            "completed_at": int(time.time()) if status == "completed" else None,
            "error": None,
            "incomplete_details": None,
            "model": self._request.model,
            "output": output,
            **self._request.echoed,
            "usage": usage,
        }


def _usage(usage: UsageMetadata | None) -> dict[str, Any] | None:
    if usage is None:
        return None
    read, written = usage.get("input_token_details", {}), usage.get("output_token_details", {})
    return {
        "input_tokens": usage["input_tokens"],
        "input_tokens_details": {
            "cached_tokens": read.get("cache_read") or 0,
            "cache_write_tokens": read.get("cache_creation") or 0,
        },
        "output_tokens": usage["output_tokens"],
        "output_tokens_details": {"reasoning_tokens": written.get("reasoning") or 0},
        "total_tokens": usage["total_tokens"],
    }


class ResponseStream:
    """Writes a response as events, numbered from 0."""

    def __init__(self, request: ResponseRequest) -> None:
        self._request = request
        self._response = _Response(request)
        self._number = -1
        self._item: OutputItem | None = None
        self._output: list[dict[str, Any]] = []
        self._parts = PartQueue()

    def open(self) -> bytes:
        """The response without output."""
        in_progress = self._response.in_progress()
        names = ("response.created", "response.in_progress")
        return b"".join(self._event(name, response=in_progress) for name in names)

    def write(self, part: AnswerPart) -> bytes:
        """The events that show a part."""
        return b"".join(map(self._show, self._parts.feed(part)))

    def close(
        self, answer: Answer, missing: Iterable[AnswerPart], report: Mapping[str, Any] | None
    ) -> bytes:
        """What is left of the items, and the whole response."""
        rest = b"".join(map(self.write, missing))
        rest += b"".join(map(self._show, self._parts.end())) + self._end_item()
        response = self._response.finished(answer, self._output)
        if report:
            response["toolemu"] = report
        return rest + self._event(f"response.{response['status']}", response=response)

    def fail(self, fault: Fault) -> bytes:
        """An error that came after the first byte: as OpenAI has it, an error and then the response that failed."""
        error = write_error(fault)
        told = {name: error[name] for name in ("code", "message", "param")}
        failed = self._response.failed(fault)
        return self._event("error", **told, error=error) + self._event(
            "response.failed", response=failed
        )

    def ping(self) -> bytes:
        """A comment."""
        return sse.KEEP_ALIVE

    def _show(self, part: AnswerPart) -> bytes:
        match part:
            case TextPart() | RefusalPart():
                return self._item_of(MessageItem) + self._grow(part)
            case ReasoningPart():
                return self._item_of(ReasoningItem) + self._grow(part) if part.text else b""
            case CallStart():
                return self._begin_item(_call_item(self._request, AnswerCall(part.id, part.name)))
            case CallArguments():
                return self._grow(part)
            case EncryptedReasoning():
                return b""

    def _item_of(self, kind: type[MessageItem] | type[ReasoningItem]) -> bytes:
        return b"" if isinstance(self._item, kind) else self._begin_item(kind())

    def _begin_item(self, item: OutputItem) -> bytes:
        finished = self._end_item()
        item.index = len(self._output)
        self._item = item
        return finished + self._events(item.opening())

    def _grow(self, part: TextualPart) -> bytes:
        return self._events(self._item.grow(part)) if self._item else b""

    def _end_item(self) -> bytes:
        item, self._item = self._item, None
        if item is None:
            return b""
        self._output.append(item.final())
        return self._events(item.closing())

    def _events(self, events: Iterable[Event]) -> bytes:
        return b"".join(self._event(name, **data) for name, data in events)

    def _event(self, kind: str, /, **data: Any) -> bytes:
        self._number += 1
        return sse.event(kind, {"type": kind, "sequence_number": self._number, **data})
