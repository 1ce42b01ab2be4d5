"""A response: in one piece, or as events while it is written.

Items follow one another: reasoning, a message, calls. Each ends before the next begins, and text that comes after a call
is a message of its own. Both forms take an item from `final`, so they give the same items.
"""

import time
from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias
from uuid import uuid4

from langchain_core.messages.ai import UsageMetadata

from langchain_toolemu.serve import sse
from langchain_toolemu.serve.answer import Answer, AnswerCall, AnswerPart, PartQueue
from langchain_toolemu.serve.faults import Fault
from langchain_toolemu.serve.openai_chat.answer import write_error, write_fault
from langchain_toolemu.serve.openai_responses.request import ResponseRequest, read_request
from langchain_toolemu.serve.openai_responses.tool_names import SEARCH, KnownTool
from langchain_toolemu.serve.protocol import Report, StreamWriter, WireProtocol

_Event: TypeAlias = tuple[str, dict[str, Any]]


def _write_answer(request: ResponseRequest, answer: Answer) -> dict[str, Any]:
    items: list[_OutputItem] = []
    if answer.reasoning:
        items.append(_ReasoningItem(reasoning_text=answer.reasoning))
    if answer.text or answer.refusal:
        items.append(_MessageItem(output_text=answer.text, refusal=answer.refusal))
    items += [_call_item(request, call) for call in answer.calls]
    return _Response(request).finished(answer, [item.final() for item in items])


class _Response:
    def __init__(self, request: ResponseRequest) -> None:
        self._request = request
        id_, now = f"resp_{uuid4().hex}", int(time.time())
        self._head = {"id": id_, "object": "response", "created_at": now}

    def finished(self, answer: Answer, output: list[dict[str, Any]]) -> dict[str, Any]:
        told: dict[str, Any] = {"output": output, "usage": _usage(answer.usage)}
        self._request.keep({**self._head, **told})
        reason = {"length": "max_output_tokens", "declined": "content_filter"}.get(answer.finish)
        if reason is None or (reason == "content_filter" and answer.refusal):
            return self.fields("completed", **told)
        return self.fields("incomplete", **told, incomplete_details={"reason": reason})

    def failed(self, fault: Fault) -> dict[str, Any]:
        codes = {400: "invalid_prompt", 429: "rate_limit_exceeded"}
        code = fault.code if fault.is_overflow else codes.get(fault.status, "server_error")
        return self.fields("failed", error={"code": code, "message": fault.message})

    def fields(self, status: str, **told: Any) -> dict[str, Any]:
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
            **told,
        }


def _usage(usage: UsageMetadata | None) -> dict[str, Any] | None:
    if usage is None:
        return None
    read, written = usage.get("input_token_details", {}), usage.get("output_token_details", {})
    cached, created = read.get("cache_read") or 0, read.get("cache_creation") or 0
    return {
        "input_tokens": usage["input_tokens"],
        "input_tokens_details": {"cached_tokens": cached, "cache_write_tokens": created},
        "output_tokens": usage["output_tokens"],
        "output_tokens_details": {"reasoning_tokens": written.get("reasoning") or 0},
        "total_tokens": usage["total_tokens"],
    }


class _ResponseStream(StreamWriter):
    def __init__(self, request: ResponseRequest) -> None:
        self._request = request
        self._response = _Response(request)
        self._number = -1  # of the last event
        self._item: _OutputItem | None = None
        self._output: list[dict[str, Any]] = []
        self._parts = PartQueue()

    def open(self) -> bytes:
        in_progress = self._response.fields("in_progress")
        names = ("response.created", "response.in_progress")
        return b"".join(self._event(name, response=in_progress) for name in names)

    def write(self, part: AnswerPart) -> bytes:
        return b"".join(map(self._show, self._parts.feed(part)))

    def close(self, answer: Answer, missing: Iterable[AnswerPart], report: Report) -> bytes:
        rest = b"".join(map(self.write, missing))
        rest += b"".join(map(self._show, self._parts.end())) + self._end_item()
        response = {**self._response.finished(answer, self._output), **report}
        return rest + self._event(f"response.{response['status']}", response=response)

    def fail(self, fault: Fault) -> bytes:
        # As OpenAI has it, an error and then the response that failed.
        error = write_error(fault)
        told = {name: error[name] for name in ("code", "message", "param")}
        said = self._event("error", **told, error=error)
        return said + self._event("response.failed", response=self._response.failed(fault))

    def _show(self, part: AnswerPart) -> bytes:
        match part.kind:
            case "text" | "refusal":
                return self._grow(part, _MessageItem)
            case "reasoning" if part.text:
                return self._grow(part, _ReasoningItem)
            case "call":
                return self._begin_item(_call_item(self._request, AnswerCall(part.id, part.name)))
            case "arguments":
                return self._grow(part)
        return b""

    def _begin_item(self, item: "_OutputItem") -> bytes:
        finished = self._end_item()
        item.index = len(self._output)
        self._item = item
        return finished + self._events(item.opening())

    def _grow(self, part: AnswerPart, kind: "type[_MessageItem] | None" = None) -> bytes:
        """Add to the open item; words begin one of their own kind if another is open."""
        begun = self._begin_item(kind()) if kind and type(self._item) is not kind else b""
        return begun + self._events(self._item.grow(part)) if self._item else b""

    def _end_item(self) -> bytes:
        item, self._item = self._item, None
        if item is None:
            return b""
        self._output.append(item.final())
        return self._events(item.closing())

    def _events(self, events: Iterable[_Event]) -> bytes:
        return b"".join(self._event(name, **data) for name, data in events)

    def _event(self, kind: str, /, **data: Any) -> bytes:
        self._number += 1
        return sse.event(kind, {"type": kind, "sequence_number": self._number, **data})


# --- output items: what opens each, what each piece adds, what closes it ---


class _OutputItem:
    """An item that is being written; `index` is its place in the response."""

    prefix: str
    type: str

    def __init__(self) -> None:
        self.index = 0
        self.id = f"{self.prefix}_{uuid4().hex}"

    def fields(self) -> dict[str, Any]:
        """What is known of the item now; one that has just begun has no content yet."""
        raise NotImplementedError

    def to_json(self, status: str) -> dict[str, Any]:
        return {"id": self.id, "type": self.type, "status": status, **self.fields()}

    def final(self) -> dict[str, Any]:
        return self.to_json("completed")

    def opening(self) -> Iterator[_Event]:
        item = self.to_json("in_progress")
        yield "response.output_item.added", {"output_index": self.index, "item": item}

    def grow(self, part: AnswerPart) -> Iterable[_Event]:
        raise NotImplementedError

    def closing(self) -> Iterator[_Event]:
        yield "response.output_item.done", {"output_index": self.index, "item": self.final()}

    def event(self, name: str, /, **data: Any) -> _Event:
        return f"response.{name}", {"item_id": self.id, "output_index": self.index, **data}


class _MessageItem(_OutputItem):
    """Text, a refusal, or both: content parts by their types, in order."""

    prefix, type = "msg", "message"

    def __init__(self, **texts: str) -> None:
        super().__init__()
        self._texts = {kind: [text] for kind, text in texts.items() if text}

    def fields(self) -> dict[str, Any]:
        return {"role": "assistant", "content": self._contents()}

    def grow(self, part: AnswerPart) -> Iterator[_Event]:
        """Further text; the first of its kind opens a content part."""
        kind = _CONTENT_TYPES[part.kind]
        if kind not in self._texts:
            self._texts[kind] = []
            yield self._part_event("content_part.added", kind, part=_content(kind, ""))
        self._texts[kind].append(part.text)
        yield self._part_event(f"{kind}.delta", kind, delta=part.text, **_logprobs(kind))

    def closing(self) -> Iterator[_Event]:
        for content in self._contents():
            kind = content["type"]
            key = "refusal" if kind == "refusal" else "text"
            yield self._part_event(f"{kind}.done", kind, **{key: content[key]}, **_logprobs(kind))
            yield self._part_event("content_part.done", kind, part=content)
        yield from super().closing()

    def _contents(self) -> list[dict[str, Any]]:
        return [_content(kind, "".join(pieces)) for kind, pieces in self._texts.items()]

    def _part_event(self, name: str, kind: str, /, **data: Any) -> _Event:
        return self.event(name, content_index=list(self._texts).index(kind), **data)


class _ReasoningItem(_MessageItem):
    prefix, type = "rs", "reasoning"

    def fields(self) -> dict[str, Any]:
        return {"summary": [], "content": self._contents()}


_CONTENT_TYPES = {"text": "output_text", "refusal": "refusal", "reasoning": "reasoning_text"}


def _content(kind: str, text: str) -> dict[str, Any]:
    if kind == "refusal":
        return {"type": kind, "refusal": text}
    if kind == "output_text":
        return {"type": kind, "annotations": [], "logprobs": [], "text": text}
    return {"type": kind, "text": text}


def _logprobs(kind: str) -> dict[str, Any]:
    return {"logprobs": []} if kind == "output_text" else {}


def _call_item(request: ResponseRequest, call: AnswerCall) -> _OutputItem:
    tool = request.known.get(call.name) or KnownTool("function", call.name)
    kinds = {"custom": _TextCallItem, SEARCH: _SearchItem}
    return kinds.get(tool.kind, _CallItem)(call, tool)


class _CallItem(_OutputItem):
    """A call of a function; one that cannot be run says that it is incomplete."""

    prefix, type = "fc", "function_call"

    def __init__(self, call: AnswerCall, tool: KnownTool) -> None:
        super().__init__()
        self.call = call
        self.tool = tool
        space = {"namespace": tool.namespace} if tool.namespace else {}
        self.named = {"call_id": call.id, "name": tool.name, **space}

    def fields(self) -> dict[str, Any]:
        return {**self.named, "arguments": self.call.arguments}

    def final(self) -> dict[str, Any]:
        return self.to_json("completed" if self.call.complete else "incomplete")

    def grow(self, part: AnswerPart) -> Iterable[_Event]:
        self.call.add(part.text)
        return [self.event("function_call_arguments.delta", delta=part.text)]

    def closing(self) -> Iterator[_Event]:
        told = {"name": self.tool.name, "arguments": self.call.arguments}
        yield self.event("function_call_arguments.done", **told)
        yield from super().closing()


class _SearchItem(_CallItem):
    """A search of tools, which the client runs: its arguments are an object, sent when they are complete."""

    prefix, type = "tsc", "tool_search_call"

    def fields(self) -> dict[str, Any]:
        return {"execution": "client", "call_id": self.call.id, "arguments": self.call.input()}

    def grow(self, part: AnswerPart) -> Iterable[_Event]:
        self.call.add(part.text)
        return ()

    def closing(self) -> Iterator[_Event]:
        return _OutputItem.closing(self)


class _TextCallItem(_SearchItem):
    """A call of a tool that takes a text: only when it is complete can the text be told from its JSON."""

    prefix, type = "ctc", "custom_tool_call"

    def fields(self) -> dict[str, Any]:
        return {**self.named, "input": self.call.text_input()}

    def closing(self) -> Iterator[_Event]:
        text = self.call.text_input()
        yield self.event("custom_tool_call_input.delta", delta=text)
        yield self.event("custom_tool_call_input.done", input=text)
        yield from super().closing()


OPENAI_RESPONSES = WireProtocol(
    "openai_responses",
    read_request,
    _write_answer,
    _ResponseStream,
    write_fault,
    streams_overflow=True,
)
