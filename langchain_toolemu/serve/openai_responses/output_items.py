"""The output items of a response while they are written: what opens each, what each piece adds, what closes it.

Both a response in one piece and a stream take an item from `final`, so they give the same items.
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
        self.id = f"{self.prefix}_{uuid4().hex}"

    def to_json(self, status: str) -> dict[str, Any]:
        """The item as it is now; one that is in progress has no content yet."""
        raise NotImplementedError

    def final(self) -> dict[str, Any]:
        """The item when it has ended."""
        return self.to_json("completed")

    def opening(self) -> Iterator[Event]:
        """The events that open it."""
        item = self.to_json("in_progress")
        yield "response.output_item.added", {"output_index": self.index, "item": item}

    def grow(self, part: TextualPart) -> Iterator[Event]:
        """The events of a further piece."""
        raise NotImplementedError

    def closing(self) -> Iterator[Event]:
        """The events that close it."""
        yield "response.output_item.done", {"output_index": self.index, "item": self.final()}

    def event(self, name: str, /, **data: Any) -> Event:
        """An event about this item."""
        return f"response.{name}", {"item_id": self.id, "output_index": self.index, **data}


class MessageItem(OutputItem):
    """Text, a refusal, or both: content parts by their types, in order."""

    prefix = "msg"

    def __init__(self, text: str = "", refusal: str = "") -> None:
        super().__init__()
        given = {"output_text": text, "refusal": refusal}
        self._texts = {kind: [text] for kind, text in given.items() if text}

    def to_json(self, status: str) -> dict[str, Any]:
        """The message."""
        head = {"id": self.id, "type": "message", "status": status, "role": "assistant"}
        return {**head, "content": self._contents()}

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

    def _contents(self) -> list[dict[str, Any]]:
        return [_content(kind, "".join(pieces)) for kind, pieces in self._texts.items()]

    def _part_event(self, name: str, kind: str, /, **data: Any) -> Event:
        place = {"output_index": self.index, "item_id": self.id}
        number = list(self._texts).index(kind)
        return f"response.{name}", {**place, "content_index": number, **data}


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
        self._texts = [text] if text else []

    def to_json(self, status: str) -> dict[str, Any]:
        """The reasoning."""
        content = [self._content()] if self._texts else []
        head = {"id": self.id, "type": "reasoning", "summary": []}
        return {**head, "content": content, "status": status}

    def opening(self) -> Iterator[Event]:
        """The item, and its only content part."""
        yield from super().opening()
        yield self.event("content_part.added", content_index=0, part=self._content())

    def grow(self, part: TextualPart) -> Iterator[Event]:
        """Further text."""
        self._texts.append(part.text)
        yield self.event("reasoning_text.delta", content_index=0, delta=part.text)

    def closing(self) -> Iterator[Event]:
        """The whole text, and the whole item."""
        content = self._content()
        yield self.event("reasoning_text.done", content_index=0, text=content["text"])
        yield self.event("content_part.done", content_index=0, part=content)
        yield from super().closing()

    def _content(self) -> dict[str, Any]:
        return {"type": "reasoning_text", "text": "".join(self._texts)}


class CallItem(OutputItem):
    """A call of a function; one that cannot be run says that it is incomplete."""

    prefix = "fc"

    def __init__(self, call: AnswerCall) -> None:
        super().__init__()
        self.call = call

    def to_json(self, status: str) -> dict[str, Any]:
        """The call."""
        head = {"id": self.id, "type": "function_call", "status": status}
        arguments = {"arguments": self.call.arguments}
        return {**head, **arguments, "call_id": self.call.id, "name": self.call.name}

    def final(self) -> dict[str, Any]:
        """The call, complete or not."""
        return self.to_json("completed" if self.call.complete else "incomplete")

    def grow(self, part: TextualPart) -> Iterator[Event]:
        """Further arguments."""
        self.call.add(part.text)
        yield self.event("function_call_arguments.delta", delta=part.text)

    def closing(self) -> Iterator[Event]:
        """The whole arguments, and the whole call."""
        told = {"name": self.call.name, "arguments": self.call.arguments}
        yield self.event("function_call_arguments.done", **told)
        yield from super().closing()


class TextCallItem(CallItem):
    """A call of a tool that takes a text: sent when it is complete, since only then the text can be told from its JSON."""

    prefix = "ctc"

    def to_json(self, status: str) -> dict[str, Any]:
        """The call."""
        head = {"id": self.id, "type": "custom_tool_call", "status": status}
        return {**head, "call_id": self.call.id, "name": self.call.name, "input": self._text()}

    def grow(self, part: TextualPart) -> Iterator[Event]:
        """Nothing is sent yet."""
        self.call.add(part.text)
        yield from ()

    def closing(self) -> Iterator[Event]:
        """The whole text, and the whole call."""
        yield self.event("custom_tool_call_input.delta", delta=self._text())
        yield self.event("custom_tool_call_input.done", input=self._text())
        yield from OutputItem.closing(self)

    def _text(self) -> str:
        return str(self.call.input().get("input") or "")
