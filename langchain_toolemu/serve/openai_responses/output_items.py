"""The output items of a response while they are written: what opens each, what each piece adds, what closes it.

Every item can say at any time what it is as a whole, so that a stream's items are those of a whole response.
"""

from collections.abc import Iterator
from typing import Any, TypeAlias
from uuid import uuid4

from langchain_toolemu.serve.answer import (
    AnswerCall,
    CallArguments,
    ReasoningPart,
    RefusalPart,
    TextPart,
)

Event: TypeAlias = tuple[str, dict[str, Any]]
TextualPart: TypeAlias = TextPart | RefusalPart | ReasoningPart | CallArguments


class OutputItem:
    """An item that is being written; `index` is its place in the response."""

    prefix = ""

    def __init__(self) -> None:
        self.index = 0
        self._id = f"{self.prefix}_{uuid4().hex}"

    def whole(self) -> dict[str, Any]:
        """The item when it has ended."""
        raise NotImplementedError

    def empty(self) -> dict[str, Any]:
        """The item before its first piece."""
        raise NotImplementedError

    def opening(self) -> Iterator[Event]:
        """The events that open it."""
        yield "response.output_item.added", {"output_index": self.index, "item": self.empty()}

    def grow(self, part: TextualPart) -> Iterator[Event]:
        """The events of a further piece."""
        raise NotImplementedError

    def closing(self) -> Iterator[Event]:
        """The events that close it."""
        yield "response.output_item.done", {"output_index": self.index, "item": self.whole()}

    def _event(self, name: str, /, **data: Any) -> Event:
        return f"response.{name}", {"item_id": self._id, "output_index": self.index, **data}


class MessageItem(OutputItem):
    """Text, a refusal, or both."""

    prefix = "msg"

    def __init__(self, text: str = "", refusal: str = "") -> None:
        super().__init__()
        given = {"output_text": text, "refusal": refusal}
        # Content parts by their types, in order.
        self._texts = {kind: [text] for kind, text in given.items() if text}

    def whole(self) -> dict[str, Any]:
        """The message."""
        return {**self._head("completed"), "content": self._contents()}

    def empty(self) -> dict[str, Any]:
        """The message without content."""
        return {**self._head("in_progress"), "content": []}

    def grow(self, part: TextualPart) -> Iterator[Event]:
        """Further text; the first of its kind opens a content part."""
        kind = "refusal" if isinstance(part, RefusalPart) else "output_text"
        if kind not in self._texts:
            self._texts[kind] = []
            yield self._part_event("content_part.added", kind, part=_content(kind, ""))
        self._texts[kind].append(part.text)
        yield self._part_event(f"{kind}.delta", kind, delta=part.text, **_logprobs(kind))

    def closing(self) -> Iterator[Event]:
        """The whole texts, and the whole message."""
        for content in self._contents():
            kind = content["type"]
            key = "refusal" if kind == "refusal" else "text"
            yield self._part_event(f"{kind}.done", kind, **{key: content[key]}, **_logprobs(kind))
            yield self._part_event("content_part.done", kind, part=content)
        yield from super().closing()

    def _head(self, status: str) -> dict[str, Any]:
        return {"id": self._id, "type": "message", "status": status, "role": "assistant"}

    def _contents(self) -> list[dict[str, Any]]:
        return [_content(kind, "".join(pieces)) for kind, pieces in self._texts.items()]

    def _part_event(self, name: str, kind: str, /, **data: Any) -> Event:
        place = {"content_index": list(self._texts).index(kind)}
        return f"response.{name}", {
            "output_index": self.index,
            "item_id": self._id,
            **place,
            **data,
        }


def _content(kind: str, text: str) -> dict[str, Any]:
    if kind == "refusal":
        return {"type": kind, "refusal": text}
    return {"type": kind, "annotations": [], "logprobs": [], "text": text}


def _logprobs(kind: str) -> dict[str, Any]:
    return {} if kind == "refusal" else {"logprobs": []}


class ReasoningItem(OutputItem):
    """The model's reasoning."""

    prefix = "rs"

    def __init__(self, text: str = "") -> None:
        super().__init__()
        self._text = [text]

    def whole(self) -> dict[str, Any]:
        """The reasoning."""
        return self._written([_reasoning("".join(self._text))], "completed")

    def empty(self) -> dict[str, Any]:
        """The reasoning without text."""
        return self._written([], "in_progress")

    def opening(self) -> Iterator[Event]:
        """The item, and its only content part."""
        yield from super().opening()
        yield self._event("content_part.added", content_index=0, part=_reasoning(""))

    def grow(self, part: TextualPart) -> Iterator[Event]:
        """Further text."""
        self._text.append(part.text)
        yield self._event("reasoning_text.delta", content_index=0, delta=part.text)

    def closing(self) -> Iterator[Event]:
        """The whole text, and the whole item."""
        text = "".join(self._text)
        yield self._event("reasoning_text.done", content_index=0, text=text)
        yield self._event("content_part.done", content_index=0, part=_reasoning(text))
        yield from super().closing()

    def _written(self, content: list[dict[str, Any]], status: str) -> dict[str, Any]:
        head = {"id": self._id, "type": "reasoning", "summary": []}
        return {**head, "content": content, "status": status}


def _reasoning(text: str) -> dict[str, Any]:
    return {"type": "reasoning_text", "text": text}


class CallItem(OutputItem):
    """A call of a function; one that cannot be run says that it is incomplete."""

    prefix = "fc"

    def __init__(self, call: AnswerCall) -> None:
        super().__init__()
        self._call = call

    def whole(self) -> dict[str, Any]:
        """The call."""
        return self._written("completed" if self._call.complete else "incomplete", self._text())

    def empty(self) -> dict[str, Any]:
        """The call without arguments."""
        return self._written("in_progress", "")

    def grow(self, part: TextualPart) -> Iterator[Event]:
        """Further arguments."""
        self._call.add(part.text)
        yield self._event("function_call_arguments.delta", delta=part.text)

    def closing(self) -> Iterator[Event]:
        """The whole arguments, and the whole call."""
        told = {"name": self._call.name, "arguments": self._call.arguments}
        yield self._event("function_call_arguments.done", **told)
        yield from super().closing()

    def _text(self) -> str:
        return self._call.arguments

    def _written(self, status: str, text: str) -> dict[str, Any]:
        head = {"id": self._id, "type": "function_call", "status": status, "arguments": text}
        return {**head, "call_id": self._call.id, "name": self._call.name}


class TextCallItem(CallItem):
    """A call of a tool that takes a text: sent when it is whole, since only then the text can be told from its JSON."""

    prefix = "ctc"

    def grow(self, part: TextualPart) -> Iterator[Event]:
        """Nothing is sent yet."""
        self._call.add(part.text)
        yield from ()

    def closing(self) -> Iterator[Event]:
        """The whole text, and the whole call."""
        yield self._event("custom_tool_call_input.delta", delta=self._text())
        yield self._event("custom_tool_call_input.done", input=self._text())
        yield from OutputItem.closing(self)

    def _text(self) -> str:
        return str(self._call.input().get("input") or "")

    def _written(self, status: str, text: str) -> dict[str, Any]:
        head = {"id": self._id, "type": "custom_tool_call", "status": status}
        return {**head, "call_id": self._call.id, "name": self._call.name, "input": text}
