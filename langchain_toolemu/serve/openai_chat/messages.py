"""The messages of a chat completion as LangChain's.

Every role is known: `system`, `developer`, `user`, `assistant`, `tool`, and `function` with its `function_call`, which
were there before tools. Content parts go through as they are.
"""

import json
from collections.abc import Sequence
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

from langchain_toolemu.serve.answer import THOUGHTS
from langchain_toolemu.serve.faults import invalid
from langchain_toolemu.serve.fields import Fields

_LEGACY_ID = "function_{}"
"""The id of a call that was made before calls had ids, by its place."""


def read_messages(messages: Sequence[Any]) -> list[BaseMessage]:
    """The conversation.

    Raises:
        RequestError: A message that is none; its place is named.
    """
    if not messages:
        raise invalid("[] is too short - 'messages'", "messages")
    reader = _Reader()
    return [reader.read(Fields(one, f"messages[{at}]"), at) for at, one in enumerate(messages)]


class _Reader:
    """Reads one message after the other; a legacy result belongs to the last call of its function."""

    def __init__(self) -> None:
        self._legacy: dict[str, str] = {}

    def read(self, fields: Fields, at: int) -> BaseMessage:
        role = fields.need("role", str)
        match role:
            case "user":
                return HumanMessage(_content(fields), name=fields.take("name", str))
            case "assistant":
                return self._assistant(fields, at)
            case "system" | "developer":
                mark = {"__openai_role__": role} if role == "developer" else {}
                name = fields.take("name", str)
                return SystemMessage(_content(fields), name=name, additional_kwargs=mark)
            case "tool":
                id_ = fields.need("tool_call_id", str)
                return ToolMessage(_content(fields), tool_call_id=id_)
            case "function":
                name = fields.need("name", str)
                return ToolMessage(
                    _content(fields), tool_call_id=self._legacy.get(name, name), name=name
                )
        known = "'system', 'developer', 'user', 'assistant', 'tool', 'function'"
        raise invalid(
            f"Invalid value: '{role}'. Supported values are: {known}.", fields.place("role")
        )

    def _assistant(self, fields: Fields, at: int) -> AIMessage:
        calls, unread = _calls(fields)
        if legacy := fields.take("function_call", dict):
            name, id_ = str(legacy.get("name") or ""), _LEGACY_ID.format(at)
            self._legacy[name] = id_
            _sort(name, legacy.get("arguments"), id_, calls, unread)
        extra = {
            name: fields.rest[name] for name in (*THOUGHTS, "refusal", "audio") if name in fields.rest
        }  # fmt: skip
        return AIMessage(
            _content(fields),
            name=fields.take("name", str),
            tool_calls=calls,
            invalid_tool_calls=unread,
            additional_kwargs=extra,
        )


def _content(fields: Fields) -> Any:
    """The content: a string, or parts; none counts as an empty one."""
    content = fields.take("content", str, list)
    for at, part in enumerate(content if isinstance(content, list) else ()):
        if not isinstance(part, dict) or not isinstance(part.get("type"), str):
            place = f"{fields.place('content')}[{at}]"
            raise invalid(f"'{place}' must be an object with a 'type'.", place)
        if part["type"] == "text":
            Fields(part, f"{fields.place('content')}[{at}]").need("text", str)
    return content or ""


def _calls(fields: Fields) -> tuple[list[ToolCall], list[InvalidToolCall]]:
    calls: list[ToolCall] = []
    unread: list[InvalidToolCall] = []
    for at, call in enumerate(fields.take("tool_calls", list) or ()):
        place = f"{fields.place('tool_calls')}[{at}]"
        one = Fields(call, place)
        id_ = one.need("id", str)
        if one.take("type", str) == "custom":
            # A tool whose only argument is a text.
            custom = Fields(one.need("custom", dict), f"{place}.custom")
            text = custom.take("input", str) or ""
            calls.append(tool_call(name=custom.need("name", str), args={"input": text}, id=id_))
            continue
        function = Fields(one.need("function", dict), f"{place}.function")
        arguments = function.take("arguments", str, dict)
        _sort(function.need("name", str), arguments, id_, calls, unread)
    return calls, unread


def _sort(
    name: str,
    arguments: Any,
    id_: str,
    calls: list[ToolCall],
    unread: list[InvalidToolCall],
) -> None:
    """Put a past call where LangChain keeps those that can be read, or those that cannot."""
    args = arguments
    if isinstance(arguments, str) or not arguments:
        try:
            args = json.loads(arguments or "{}", strict=False)
        except ValueError:
            args = None
    if isinstance(args, dict):
        calls.append(tool_call(name=name, args=args, id=id_))
    else:
        unread.append(invalid_tool_call(name=name, args=arguments, id=id_, error=None))
