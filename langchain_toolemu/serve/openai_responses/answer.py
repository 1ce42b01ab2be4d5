"""A response: whole, or as events while it is written.

Reasoning, messages and calls are items. Each ends before the next begins, and text after a call
is a message of its own.
"""

import time
from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias
from uuid import uuid4

from langchain_toolemu.chat_models import sse
from langchain_toolemu.serve.answer import Answer, AnswerCall, AnswerPart, PartQueue, Tokens
from langchain_toolemu.serve.faults import Fault
from langchain_toolemu.serve.openai_chat.answer import write_error, write_fault
from langchain_toolemu.serve.openai_responses.request import ResponseRequest, read_request
from langchain_toolemu.serve.openai_responses.tool_names import SEARCH, KnownTool
from langchain_toolemu.serve.protocol import StreamWriter, WireProtocol

_Event: TypeAlias = tuple[str, dict[str, Any]]


def _write_answer(request: ResponseRequest, answer: Answer) -> dict[str, Any]:
    stream = _ResponseStream(request)
    for part in answer.parts():
        stream.show(part)
    stream.end_item()
    return stream.finished(answer)


def _usage(used: Tokens | None) -> dict[str, Any] | None:
    if used is None:
        return None
    cached = {"cached_tokens": used.cached, "cache_write_tokens": used.created or 0}
    return {
        "input_tokens": used.input,
        "input_tokens_details": cached,
        "output_tokens": used.output,
        "output_tokens_details": {"reasoning_tokens": used.reasoning},
        "total_tokens": used.input + used.output,
    }


class _ResponseStream(StreamWriter):
    def __init__(self, request: ResponseRequest) -> None:
        self._request = request
        id_, now = f"resp_{uuid4().hex}", int(time.time())
        self._head = {"id": id_, "object": "response", "created_at": now}
        self._number = -1  # of the last event
        self._item: _CallItem | _WordsItem | None = None
        self._output: list[dict[str, Any]] = []
        # A call of a function is sent while it is written.
        self._parts = PartQueue(lambda call: _tool_of(request, call).kind != "function")

    def open(self) -> bytes:
        in_progress = {"response": self._fields("in_progress")}
        names = ("response.created", "response.in_progress")
        return self._events((name, in_progress) for name in names)

    def write(self, part: AnswerPart) -> bytes:
        return b"".join(map(self.show, self._parts.feed(part)))

    def close(self, answer: Answer, missing: Iterable[AnswerPart]) -> bytes:
        rest = b"".join(map(self.write, missing))
        rest += b"".join(map(self.show, self._parts.end())) + self.end_item()
        response = self.finished(answer)
        return rest + self._events([(f"response.{response['status']}", {"response": response})])

    def fail(self, fault: Fault) -> bytes:
        # As OpenAI has it, an error and then the response that failed.
        error = write_error(fault)
        codes = {400: "invalid_prompt", 429: "rate_limit_exceeded"}
        code = fault.code if fault.is_overflow else codes.get(fault.status, "server_error")
        failed = self._fields("failed", error={"code": code, "message": fault.message})
        about = {name: error[name] for name in ("code", "message", "param")}
        events = [("error", {**about, "error": error}), ("response.failed", {"response": failed})]
        return self._events(events)

    def finished(self, answer: Answer) -> dict[str, Any]:
        """The whole response, which is kept for references."""
        declined = None if answer.words("refusal") else "content_filter"
        reason = {"length": "max_output_tokens", "declined": declined}.get(answer.finish)
        response = self._fields(
            "incomplete" if reason else "completed",
            output=self._output,
            usage=_usage(answer.tokens),
            incomplete_details={"reason": reason} if reason else None,
        )
        self._request.keep(response)
        return response

    def _fields(self, status: str, **own: Any) -> dict[str, Any]:
        return {
            **self._head,
            "status": status,
            "background": False,
            "completed_at": int(time.time()) if status == "completed" else None,
            "error": None,
            "incomplete_details": None,
            "model": self._request.model,
            "output": [],
            **self._request.echoed,
            "usage": None,
            **own,
        }

    def show(self, part: AnswerPart) -> bytes:
        """The events that show a part."""
        if part.kind == "call":
            return self._begin(_CallItem(self._request, part))
        type_ = _ITEM_TYPES.get(part.kind)
        if part.kind != "arguments" and not (type_ and part.text):
            return b""
        begun = b""
        if type_ and not (self._item and self._item.type == type_):
            begun = self._begin(_WordsItem(type_))
        return begun + self._events(self._item.grow(part) if self._item else ())

    def _begin(self, item: "_CallItem | _WordsItem") -> bytes:
        ended, self._item = self.end_item(), item
        item.index = len(self._output)
        added = {"output_index": item.index, "item": item.final("in_progress")}
        return ended + self._events([("response.output_item.added", added)])

    def end_item(self) -> bytes:
        """The events that end the open item."""
        item, self._item = self._item, None
        if item is None:
            return b""
        self._output.append(item.final())
        return self._events(item.closing())

    def _events(self, events: Iterable[_Event]) -> bytes:
        written = []
        for kind, data in events:
            self._number += 1
            fields = {"type": kind, "sequence_number": self._number, **data}
            written.append(sse.event(kind, fields))
        return b"".join(written)


# --- output items: what opens each, what each piece adds, what closes it ---

_PREFIXES = {
    "message": "msg", "reasoning": "rs", "function_call": "fc", "custom_tool_call": "ctc",
    "tool_search_call": "tsc",
}  # fmt: skip
_CALLS = {"custom": "custom_tool_call", SEARCH: "tool_search_call"}
_ITEM_TYPES = {"text": "message", "refusal": "message", "reasoning": "reasoning"}
_CONTENT_TYPES = {"text": "output_text", "refusal": "refusal", "reasoning": "reasoning_text"}
_LOGPROBS: dict[str, dict[str, Any]] = {"output_text": {"logprobs": []}}  # by the content's type


class _OutputItem:
    """An item that is being written; `index` is its place in the response."""

    index = 0

    def __init__(self, type_: str) -> None:
        self.type = type_
        self.id = f"{_PREFIXES[type_]}_{uuid4().hex}"

    def fields(self) -> dict[str, Any]:
        """What is known of the item now; one that has just begun has no content yet."""
        raise NotImplementedError

    def final(self, status: str = "completed") -> dict[str, Any]:
        return {"id": self.id, "type": self.type, "status": status, **self.fields()}

    def closing(self) -> Iterator[_Event]:
        yield "response.output_item.done", {"output_index": self.index, "item": self.final()}

    def event(self, name: str, /, **data: Any) -> _Event:
        return f"response.{name}", {"item_id": self.id, "output_index": self.index, **data}


class _WordsItem(_OutputItem):
    """A message or reasoning: content parts by their types, in order."""

    def __init__(self, type_: str) -> None:
        super().__init__(type_)
        self._texts: dict[str, list[str]] = {}

    def fields(self) -> dict[str, Any]:
        own: dict[str, Any] = {"role": "assistant"} if self.type == "message" else {"summary": []}
        return {**own, "content": [_content(kind, pieces) for kind, pieces in self._texts.items()]}

    def grow(self, part: AnswerPart) -> Iterator[_Event]:
        """Further text; the first of its kind opens a content part."""
        kind = _CONTENT_TYPES[part.kind]
        if kind not in self._texts:
            self._texts[kind] = []
            yield self._part_event("content_part.added", kind, part=_content(kind, ()))
        self._texts[kind].append(part.text)
        yield self._part_event(f"{kind}.delta", kind, delta=part.text, **_LOGPROBS.get(kind, {}))

    def closing(self) -> Iterator[_Event]:
        for kind, pieces in self._texts.items():
            content = _content(kind, pieces)
            shown = {name: content[name] for name in content if name not in ("type", "annotations")}
            yield self._part_event(f"{kind}.done", kind, **shown)
            yield self._part_event("content_part.done", kind, part=content)
        yield from super().closing()

    def _part_event(self, name: str, kind: str, /, **data: Any) -> _Event:
        return self.event(name, content_index=list(self._texts).index(kind), **data)


def _content(kind: str, pieces: Iterable[str]) -> dict[str, Any]:
    notes: dict[str, Any] = {"annotations": []} if kind == "output_text" else {}
    key = "refusal" if kind == "refusal" else "text"
    return {"type": kind, **notes, **_LOGPROBS.get(kind, {}), key: "".join(pieces)}


class _CallItem(_OutputItem):
    """A call: incomplete if it cannot be run."""

    def __init__(self, request: ResponseRequest, part: AnswerPart) -> None:
        self._call, self._tool = AnswerCall(part), _tool_of(request, part)
        super().__init__(_CALLS.get(self._tool.kind, "function_call"))

    def fields(self) -> dict[str, Any]:
        call, tool = self._call, self._tool
        if self.type == "tool_search_call":
            return {"execution": "client", "call_id": call.id, "arguments": call.input()}
        space = {"namespace": tool.namespace} if tool.namespace else {}
        is_text = self.type == "custom_tool_call"
        written = call.text_input() if call.arguments else ""
        given = {"input": written} if is_text else {"arguments": call.arguments}
        return {"call_id": call.id, "name": tool.name, **space, **given}

    def final(self, status: str = "") -> dict[str, Any]:
        return super().final(status or ("completed" if self._call.complete else "incomplete"))

    def grow(self, part: AnswerPart) -> Iterator[_Event]:
        self._call.add(part.text)
        if self.type == "function_call":
            yield self.event("function_call_arguments.delta", delta=part.text)
        elif self.type == "custom_tool_call":
            yield self.event("custom_tool_call_input.delta", delta=self._call.text_input())

    def closing(self) -> Iterator[_Event]:
        if self.type == "function_call":
            given = {"name": self._tool.name, "arguments": self._call.arguments}
            yield self.event("function_call_arguments.done", **given)
        elif self.type == "custom_tool_call":
            yield self.event("custom_tool_call_input.done", input=self._call.text_input())
        yield from super().closing()


def _tool_of(request: ResponseRequest, call: AnswerPart) -> KnownTool:
    return request.known.get(call.name) or KnownTool("function", call.name)


OPENAI_RESPONSES = WireProtocol(
    "openai_responses",
    read_request,
    _write_answer,
    _ResponseStream,
    write_fault,
    streams_overflow=True,
    count_fields={"object": "response.input_tokens"},
)
