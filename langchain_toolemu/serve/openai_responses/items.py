"""The input items of a response as LangChain's messages.

Calls, words and thoughts of one turn are items of their own there, and one message here. What only OpenAI's servers could
make use of (a stored item, a call of a built-in tool) is refused or left out.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from langchain_core.messages import (
    AIMessage,
    BaseMessage,
    HumanMessage,
    InvalidToolCall,
    SystemMessage,
    ToolCall,
    ToolMessage,
)
from langchain_core.messages.tool import invalid_tool_call, tool_call

from langchain_toolemu.messages.content import Content, blocks_of, simplest
from langchain_toolemu.serve.answer import THOUGHTS
from langchain_toolemu.serve.faults import invalid
from langchain_toolemu.serve.fields import Fields

_TEXTS = ("input_text", "output_text", "text", "summary_text", "reasoning_text")


def read_input(given: str | Sequence[Any]) -> list[BaseMessage]:
    """The conversation.

    Raises:
        RequestError: An item that is none, or that refers to something stored; its place is named.
    """
    if isinstance(given, str):
        return [HumanMessage(given)]
    if not given:
        raise invalid("[] is too short - 'input'", "input")
    reader = _Reader()
    for at, item in enumerate(given):
        reader.read(Fields(item, f"input[{at}]"))
    return [*reader.messages, *reader.pending()]


class _Reader:
    """Reads one item after the other; what an assistant says and calls is one message until somebody else speaks."""

    def __init__(self) -> None:
        self.messages: list[BaseMessage] = []
        self._said: list[Any] = []
        self._calls: list[ToolCall] = []
        self._unread: list[InvalidToolCall] = []
        self._thoughts = ""

    def read(self, fields: Fields) -> None:
        kind = fields.take("type", str) or "message"
        match kind:
            case "message":
                self._message(fields)
            case "function_call" | "custom_tool_call":
                self._call(fields)
            case "function_call_output" | "custom_tool_call_output":
                self._result(fields)
            case "reasoning":
                self._thoughts += _thoughts(fields)
            case "item_reference":
                raise invalid(
                    "This server stores nothing: send the item itself instead of a reference to it.",
                    fields.place("type"),
                    "unsupported_parameter",
                )

    def pending(self) -> Iterator[AIMessage]:
        """What the assistant said and called since somebody else spoke."""
        if self._said or self._calls or self._unread:
            yield AIMessage(
                simplest(self._said),
                tool_calls=self._calls,
                invalid_tool_calls=self._unread,
                additional_kwargs={THOUGHTS[0]: self._thoughts} if self._thoughts else {},
            )
        self._said, self._calls, self._unread, self._thoughts = [], [], [], ""

    def _message(self, fields: Fields) -> None:
        role, content = fields.need("role", str), read_content(fields, "content")
        if role == "assistant":
            self._said += blocks_of(content)
            return
        self.messages += self.pending()
        match role:
            case "user":
                self.messages.append(HumanMessage(content))
            case "system" | "developer":
                self.messages.append(SystemMessage(content))
            case _:
                raise invalid(f"Invalid value: '{role}'.", fields.place("role"))

    def _call(self, fields: Fields) -> None:
        id_, name = fields.need("call_id", str), fields.need("name", str)
        if (text := fields.take("input", str)) is not None:
            self._calls.append(tool_call(name=name, args={"input": text}, id=id_))
            return
        arguments = fields.take("arguments", str) or "{}"
        try:
            args = json.loads(arguments, strict=False)
        except ValueError:
            args = None
        if isinstance(args, dict):
            self._calls.append(tool_call(name=name, args=args, id=id_))
        else:
            self._unread.append(invalid_tool_call(name=name, args=arguments, id=id_, error=None))

    def _result(self, fields: Fields) -> None:
        self.messages += self.pending()
        id_ = fields.need("call_id", str)
        self.messages.append(ToolMessage(read_content(fields, "output"), tool_call_id=id_))


def _thoughts(fields: Fields) -> str:
    parts = [*(fields.take("content", list) or ()), *(fields.take("summary", list) or ())]
    return "\n".join(str(part.get("text") or "") for part in parts if isinstance(part, Mapping))


def read_content(fields: Fields, name: str) -> Content:
    """The content of an item: a string, or parts as LangChain's blocks."""
    content: str | list[Any] | None = fields.take(name, str, list)  # type: ignore[assignment]
    if not isinstance(content, list):
        return content or ""
    return simplest(list(_blocks(content, fields.place(name))))


def _blocks(parts: Sequence[Any], place: str) -> Iterator[str | dict[str, Any]]:
    for at, part in enumerate(parts):
        if not isinstance(part, dict):
            raise invalid(f"'{place}[{at}]' must be an object.", f"{place}[{at}]")
        yield from _block(part, f"{place}[{at}]")


def _block(part: Mapping[str, Any], place: str) -> Iterator[dict[str, Any]]:
    match part.get("type"):
        case kind if kind in _TEXTS:
            yield {"type": "text", "text": str(part.get("text") or "")}
        case "refusal":
            yield {"type": "text", "text": str(part.get("refusal") or "")}
        case "input_image":
            yield _image(part, place)
        case "input_file":
            yield _file(part)
        case "input_audio":
            yield dict(part)
        case kind:
            raise invalid(f"Invalid value: '{kind}'.", f"{place}.type")


def _image(part: Mapping[str, Any], place: str) -> dict[str, Any]:
    if not isinstance(url := part.get("image_url"), str):
        raise invalid("Only images with an 'image_url' are taken.", f"{place}.image_url")
    detail = {"detail": part["detail"]} if part.get("detail") else {}
    return {"type": "image_url", "image_url": {"url": url, **detail}}


def _file(part: Mapping[str, Any]) -> dict[str, Any]:
    names = ("file_data", "file_id", "filename")
    return {"type": "file", "file": {name: part[name] for name in names if part.get(name)}}
