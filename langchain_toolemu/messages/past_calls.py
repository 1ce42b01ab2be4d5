"""The calls and results of a past message, whichever provider's way it was written in.

Histories from elsewhere have them as content blocks alone (Anthropic's, Bedrock's, OpenAI's Responses API), or as
`function_call` and `FunctionMessage`. What is in `tool_calls` wins: blocks next to it only repeat it.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from langchain_core.messages import (
    AIMessage,
    BaseMessage,
    ChatMessage,
    FunctionMessage,
    HumanMessage,
    ToolMessage,
)

from langchain_toolemu.messages.content import blocks_of


@dataclass(frozen=True, slots=True)
class PastCall:
    """A call that a past message made; the arguments of one that could not run are text."""

    name: str  # empty if it is not known
    args: Mapping[str, Any] | str
    id: str | None = None  # the API before tools has none

    @property
    def could_run(self) -> bool:
        """Whether the call was whole."""
        return not isinstance(self.args, str)


@dataclass(frozen=True, slots=True)
class PastResult:
    """A result that a past message holds."""

    content: Any
    id: str | None = None  # of the call it answers
    name: str | None = None  # of the tool, where the message says it
    failed: bool = False

    def answers(self, call: PastCall) -> bool:
        """Whether this is the result of a call: by its id, or by its name in the API before tools."""
        return self.id == call.id if self.id or call.id else self.name == call.name


def calls_of(message: BaseMessage) -> list[PastCall]:
    """The calls of a message, in order; those that could not run come last."""
    if isinstance(message, ChatMessage):
        # LangChain reads a provider's own calls out of a message of this type only.
        if message.role not in ("assistant", "ai"):
            return []
        kwargs = message.additional_kwargs
        return calls_of(AIMessage(content=message.content, additional_kwargs=kwargs))
    if isinstance(message, AIMessage) and (message.tool_calls or message.invalid_tool_calls):
        return [
            *(PastCall(call["name"], call["args"], call["id"]) for call in message.tool_calls),
            *(
                PastCall(call["name"] or "", call["args"] or "", call["id"])
                for call in message.invalid_tool_calls
            ),
        ]
    if not isinstance(message, AIMessage):
        return []
    in_blocks = [call for block in _blocks(message) if (call := _call_in(block))]
    return in_blocks or list(_legacy_call(message))


def _call_in(block: Mapping[str, Any]) -> PastCall | None:
    match block:
        case {"type": "tool_use", "name": str(name)}:
            # A streamed block has its arguments as the JSON that came, and an input that stayed empty.
            args = block.get("input") or block.get("partial_json")
            return PastCall(name, _read_arguments(args), block.get("id"))
        case {"type": "tool_call" | "invalid_tool_call", "name": str(name)}:
            return PastCall(name, _read_arguments(block.get("args")), block.get("id"))
        case {"toolUse": dict(use)} if isinstance(use.get("name"), str):
            return PastCall(use["name"], _read_arguments(use.get("input")), use.get("toolUseId"))
        case {"type": "function_call", "name": str(name)}:
            return PastCall(name, _read_arguments(block.get("arguments")), block.get("call_id"))
    return None


def _legacy_call(message: BaseMessage) -> Iterator[PastCall]:
    match message.additional_kwargs.get("function_call"):
        case {"name": str(name), **rest}:
            yield PastCall(name, _read_arguments(rest.get("arguments")))


def _read_arguments(args: Any) -> Mapping[str, Any] | str:
    """Arguments that may be JSON still; what cannot be read stays text."""
    if isinstance(args, str) and args.strip():
        try:
            read = json.loads(args)
        except ValueError:
            return args
        return read if isinstance(read, dict) else args
    return args if isinstance(args, Mapping) else {}


def results_of(message: BaseMessage) -> list[PastResult]:
    """The results that a message holds, in order."""
    match message:
        case ToolMessage():
            failed = message.status == "error"
            said = PastResult(message.content, message.tool_call_id, message.name, failed)
            return [_unwrap_result(said)]
        case FunctionMessage():
            return [_unwrap_result(PastResult(message.content, name=message.name))]
        case ChatMessage(role="tool" | "function"):
            id_ = message.additional_kwargs.get("tool_call_id")
            return [_unwrap_result(PastResult(message.content, id_, message.name))]
        case HumanMessage() | ChatMessage() if isinstance(message.content, list):
            return [result for block in message.content if (result := result_in(block))]
    return []


def _unwrap_result(result: PastResult) -> PastResult:
    """A result whose content is a provider's blocks of results, with what they say in their place."""
    blocks = result.content if isinstance(result.content, list) else []
    inner = [result_in(block) for block in blocks]
    if not any(inner):
        return result
    content = [
        part
        for block, told in zip(blocks, inner, strict=True)
        for part in (blocks_of(told.content) if told else [block])
    ]
    failed = result.failed or any(told.failed for told in inner if told)
    return replace(result, content=content, failed=failed)


def result_in(block: Any) -> PastResult | None:
    """The result that a content block is."""
    match block:
        case {"type": "tool_result"}:
            failed = bool(block.get("is_error"))
            return PastResult(block.get("content") or "", block.get("tool_use_id"), failed=failed)
        case {"toolResult": dict(told)}:
            content, failed = _converse_content(told.get("content")), told.get("status") == "error"
            return PastResult(content, told.get("toolUseId"), failed=failed)
        case {"type": "function_call_output"}:
            return PastResult(block.get("output") or "", block.get("call_id"))
    return None


def _converse_content(content: Any) -> Any:
    """The content of a result in Bedrock's Converse API, whose blocks have a key in place of a type."""
    if not isinstance(content, list):
        return content or ""
    return [
        {"type": "text", "text": block["text"] if "text" in block else json.dumps(block["json"])}
        if isinstance(block, dict) and not {"text", "json"}.isdisjoint(block)
        else block
        for block in content
    ]


def speaks(message: BaseMessage) -> bool:
    """Whether a user says something: a message of nothing but results is no user's."""
    if not isinstance(message, HumanMessage):
        return False
    if isinstance(message.content, str):
        return True
    return not message.content or not all(map(result_in, message.content))


def _blocks(message: BaseMessage) -> list[dict[str, Any]]:
    if isinstance(message.content, str):
        return []
    return [block for block in message.content if isinstance(block, dict)]
