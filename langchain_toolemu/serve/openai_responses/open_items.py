"""The output items of a response while they are written: what opens each, what each piece adds, what closes it.

Every item can say at any time what it is as a whole, so that a stream's items are those of a whole response.
"""

from collections.abc import Iterator
from typing import Any, Protocol, TypeAlias
from uuid import uuid4

from langchain_toolemu.serve.answer import Call, CallPiece, Declined, Part, Thought, Words

Event: TypeAlias = tuple[str, dict[str, Any]]


class OpenItem(Protocol):
    """An item that is being written."""

    index: int

    def whole(self) -> dict[str, Any]:
        """The item as it is when it has ended."""

    def opening(self) -> Iterator[Event]:
        """The events that open it."""

    def grow(self, part: Part) -> Iterator[Event]:
        """The events of a further piece."""

    def closing(self) -> Iterator[Event]:
        """The events that close it."""


class MessageItem:
    """Words, or a refusal."""

    def __init__(self, index: int, text: str = "", declined: str = "") -> None:
        self.index = index
        self._id = f"msg_{uuid4().hex}"
        self._text = [text] if text else []
        self._declined = [declined] if declined else []
        self._parts: list[str] = []  # the types of the content parts, in order

    def whole(self) -> dict[str, Any]:
        """The message."""
        return {**self._head("completed"), "content": list(self._contents())}

    def opening(self) -> Iterator[Event]:
        """The message without content."""
        yield (
            "response.output_item.added",
            self._at(item={**self._head("in_progress"), "content": []}),
        )

    def grow(self, part: Part) -> Iterator[Event]:
        """Further words; the first of their kind open a content part."""
        refuses = isinstance(part, Declined)
        text = part.text if isinstance(part, Declined | Words) else ""
        kind = "refusal" if refuses else "output_text"
        if kind not in self._parts:
            self._parts.append(kind)
            yield "response.content_part.added", self._within(kind, part=_content(kind, ""))
        (self._declined if refuses else self._text).append(text)
        if refuses:
            yield "response.refusal.delta", self._within(kind, delta=text)
        else:
            yield "response.output_text.delta", self._within(kind, delta=text, logprobs=[])

    def closing(self) -> Iterator[Event]:
        """The whole texts, and the whole message."""
        for content in self._contents():
            kind = content["type"]
            if kind == "refusal":
                said = {"refusal": content["refusal"]}
                yield "response.refusal.done", self._within(kind, **said)
            else:
                said = {"text": content["text"]}
                yield "response.output_text.done", self._within(kind, **said, logprobs=[])
            yield "response.content_part.done", self._within(kind, part=content)
        yield "response.output_item.done", self._at(item=self.whole())

    def _head(self, status: str) -> dict[str, Any]:
        return {"id": self._id, "type": "message", "status": status, "role": "assistant"}

    def _contents(self) -> Iterator[dict[str, Any]]:
        texts = {"output_text": "".join(self._text), "refusal": "".join(self._declined)}
        for kind in self._parts or texts:
            if texts[kind]:
                yield _content(kind, texts[kind])

    def _at(self, **said: Any) -> dict[str, Any]:
        return {"output_index": self.index, **said}

    def _within(self, kind: str, **said: Any) -> dict[str, Any]:
        place = {"content_index": self._parts.index(kind)}
        return self._at(item_id=self._id, **place, **said)


def _content(kind: str, text: str) -> dict[str, Any]:
    if kind == "refusal":
        return {"type": kind, "refusal": text}
    return {"type": kind, "annotations": [], "logprobs": [], "text": text}


class ReasoningItem:
    """The model's reasoning."""

    def __init__(self, index: int, text: str = "") -> None:
        self.index = index
        self._id = f"rs_{uuid4().hex}"
        self._text = [text] if text else []

    def whole(self) -> dict[str, Any]:
        """The reasoning."""
        content = {"type": "reasoning_text", "text": "".join(self._text)}
        return {**self._head(), "content": [content], "status": "completed"}

    def opening(self) -> Iterator[Event]:
        """The reasoning without content."""
        item = {**self._head(), "content": [], "status": "in_progress"}
        yield "response.output_item.added", {"output_index": self.index, "item": item}
        part = {"type": "reasoning_text", "text": ""}
        yield "response.content_part.added", self._within(part=part)

    def grow(self, part: Part) -> Iterator[Event]:
        """Further thoughts."""
        text = part.text if isinstance(part, Thought) else ""
        self._text.append(text)
        yield "response.reasoning_text.delta", self._within(delta=text)

    def closing(self) -> Iterator[Event]:
        """The whole text, and the whole item."""
        text, item = "".join(self._text), self.whole()
        yield "response.reasoning_text.done", self._within(text=text)
        yield "response.content_part.done", self._within(part=item["content"][0])
        yield "response.output_item.done", {"output_index": self.index, "item": item}

    def _head(self) -> dict[str, Any]:
        return {"id": self._id, "type": "reasoning", "summary": []}

    def _within(self, **said: Any) -> dict[str, Any]:
        return {"item_id": self._id, "output_index": self.index, "content_index": 0, **said}


class CallItem:
    """A call of a function."""

    def __init__(self, index: int, call: Call) -> None:
        self.index = index
        self._id = f"fc_{uuid4().hex}"
        self._call = call

    def whole(self) -> dict[str, Any]:
        """The call; one that cannot be run says that it is incomplete."""
        status = "completed" if self._call.complete else "incomplete"
        return self._written(status, self._call.arguments)

    def opening(self) -> Iterator[Event]:
        """The call without arguments."""
        item = self._written("in_progress", "")
        yield "response.output_item.added", {"output_index": self.index, "item": item}

    def grow(self, part: Part) -> Iterator[Event]:
        """A further piece of the arguments."""
        text = part.text if isinstance(part, CallPiece) else ""
        self._call.add(text)
        yield "response.function_call_arguments.delta", self._within(delta=text)

    def closing(self) -> Iterator[Event]:
        """The whole arguments, and the whole call."""
        arguments = self._call.arguments
        told = self._within(name=self._call.name, arguments=arguments)
        yield "response.function_call_arguments.done", told
        yield "response.output_item.done", {"output_index": self.index, "item": self.whole()}

    def _written(self, status: str, arguments: str) -> dict[str, Any]:
        return {
            "id": self._id,
            "type": "function_call",
            "status": status,
            "arguments": arguments,
            "call_id": self._call.id,
            "name": self._call.name,
        }

    def _within(self, **said: Any) -> dict[str, Any]:
        return {"item_id": self._id, "output_index": self.index, **said}


class TextCallItem:
    """A call of a tool that takes a text: sent when it is whole, since only then the text can be told from its JSON."""

    def __init__(self, index: int, call: Call) -> None:
        self.index = index
        self._id = f"ctc_{uuid4().hex}"
        self._call = call

    def whole(self) -> dict[str, Any]:
        """The call."""
        return self._written("completed" if self._call.complete else "incomplete", self._text())

    def opening(self) -> Iterator[Event]:
        """The call without its text."""
        item = self._written("in_progress", "")
        yield "response.output_item.added", {"output_index": self.index, "item": item}

    def grow(self, part: Part) -> Iterator[Event]:
        """Nothing is shown yet."""
        self._call.add(part.text if isinstance(part, CallPiece) else "")
        yield from ()

    def closing(self) -> Iterator[Event]:
        """The whole text, and the whole call."""
        text, place = self._text(), {"item_id": self._id, "output_index": self.index}
        yield "response.custom_tool_call_input.delta", {**place, "delta": text}
        yield "response.custom_tool_call_input.done", {**place, "input": text}
        yield "response.output_item.done", {"output_index": self.index, "item": self.whole()}

    def _text(self) -> str:
        return str(self._call.input().get("input") or "")

    def _written(self, status: str, text: str) -> dict[str, Any]:
        return {
            "id": self._id,
            "type": "custom_tool_call",
            "status": status,
            "call_id": self._call.id,
            "name": self._call.name,
            "input": text,
        }
