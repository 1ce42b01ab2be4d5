"""A response: whole, or as events while it is written.

Items follow one another: reasoning, a message, calls. Each ends before the next begins, and words that come after a call
are a message of their own.
"""

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
    Part,
    Sealed,
    Thought,
    Words,
)
from langchain_toolemu.serve.faults import Fault
from langchain_toolemu.serve.openai_errors import write_error
from langchain_toolemu.serve.openai_responses.open_items import (
    CallItem,
    MessageItem,
    OpenItem,
    ReasoningItem,
    TextCallItem,
)
from langchain_toolemu.serve.openai_responses.request import ResponseRequest
from langchain_toolemu.serve.sequence import Sequence


def write_whole(request: ResponseRequest, answer: Answer) -> dict[str, Any]:
    """The response in one piece."""
    response = _Response(request)
    items = [*_spoken_items(answer), *(_call_item(request, call) for call in answer.calls)]
    return response.ended(answer, [item.whole() for item in items])


def _spoken_items(answer: Answer) -> Iterable[OpenItem]:
    if answer.thoughts:
        yield ReasoningItem(0, answer.thoughts)
    if answer.text or answer.declined:
        yield MessageItem(0, answer.text, answer.declined)


def _call_item(request: ResponseRequest, call: Call, index: int = 0) -> OpenItem:
    kind = TextCallItem if call.name in request.custom else CallItem
    return kind(index, call)


class _Response:
    """The fields of a response, as they are before and after its turn."""

    def __init__(self, request: ResponseRequest) -> None:
        self._request = request
        self._head = {
            "id": f"resp_{uuid4().hex}",
            "object": "response",
            "created_at": int(time.time()),
        }

    def begun(self) -> dict[str, Any]:
        return self._written("in_progress", [])

    def ended(self, answer: Answer, output: list[dict[str, Any]]) -> dict[str, Any]:
        reason = {"length": "max_output_tokens", "declined": "content_filter"}.get(answer.finish)
        if reason is None or (reason == "content_filter" and answer.declined):
            return self._written("completed", output, usage=_usage(answer.usage))
        cut = {"incomplete_details": {"reason": reason}}
        return {**self._written("incomplete", output, usage=_usage(answer.usage)), **cut}

    def failed(self, fault: Fault) -> dict[str, Any]:
        code = "rate_limit_exceeded" if fault.status == 429 else "server_error"
        error = {"code": code if fault.status != 400 else "invalid_prompt"}
        return {**self._written("failed", []), "error": {**error, "message": fault.message}}

    def _written(
        self, status: str, output: list[dict[str, Any]], usage: dict[str, Any] | None = None
    ) -> dict[str, Any]:
        return {
            **self._head,
            "status": status,
            "background": False,
            "completed_at": int(time.time()) if status == "completed" else None,
            "error": None,
            "incomplete_details": None,
            "model": self._request.ask.model,
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
        self._item: OpenItem | None = None
        self._output: list[dict[str, Any]] = []
        self._parts = Sequence()

    def open(self) -> bytes:
        """The response before anything was said."""
        begun = self._response.begun()
        return self._event("response.created", response=begun) + self._event(
            "response.in_progress", response=begun
        )

    def write(self, part: Part) -> bytes:
        """The events that show a part."""
        return b"".join(self._show(one) for one in self._parts.feed(part))

    def close(
        self, answer: Answer, missing: Iterable[Part], report: Mapping[str, Any] | None
    ) -> bytes:
        """What is left of the items, and the whole response."""
        rest = b"".join(map(self.write, missing))
        rest += b"".join(self._show(part) for part in self._parts.end()) + self._end_item()
        response = self._response.ended(answer, self._output)
        if report:
            response["toolemu"] = report
        return rest + self._event(f"response.{response['status']}", response=response)

    def fail(self, fault: Fault) -> bytes:
        """An error that came after the first byte: as OpenAI has it, an error and then the response that failed."""
        error = write_error(fault)
        told = {name: error[name] for name in ("code", "message", "param")}
        return self._event("error", **told, error=error) + self._event(
            "response.failed", response=self._response.failed(fault)
        )

    def ping(self) -> bytes:
        """A sign of life."""
        return sse.KEEP_ALIVE

    def _show(self, part: Part) -> bytes:
        match part:
            case Words() | Declined():
                return self._within(MessageItem) + self._grow(part)
            case Thought():
                return self._within(ReasoningItem) + self._grow(part) if part.text else b""
            case CallBegun():
                call = Call(part.id, part.name)
                return self._begin(_call_item(self._request, call, len(self._output)))
            case CallPiece():
                return self._grow(part)
            case Sealed():
                return b""

    def _within(self, kind: type[MessageItem] | type[ReasoningItem]) -> bytes:
        if isinstance(self._item, kind):
            return b""
        ended = self._end_item()
        return ended + self._begin(kind(len(self._output)))

    def _begin(self, item: OpenItem) -> bytes:
        ended = self._end_item()
        item.index = len(self._output)
        self._item = item
        return ended + self._events(item.opening())

    def _grow(self, part: Part) -> bytes:
        return self._events(self._item.grow(part)) if self._item else b""

    def _end_item(self) -> bytes:
        item, self._item = self._item, None
        if item is None:
            return b""
        self._output.append(item.whole())
        return self._events(item.closing())

    def _events(self, events: Iterable[tuple[str, dict[str, Any]]]) -> bytes:
        return b"".join(self._event(name, **said) for name, said in events)

    def _event(self, kind: str, /, **said: Any) -> bytes:
        self._number += 1
        return sse.event(kind, {"type": kind, "sequence_number": self._number, **said})
