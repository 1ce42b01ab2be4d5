"""The calls and results of past messages, in any provider's format.

Foreign histories have them as content blocks only (Anthropic, Bedrock, Gemini, OpenAI's Responses API), or as
`function_call` and `FunctionMessage`. `tool_calls` wins over blocks next to it. Gemini has no ids before version 3, so a
result is found by its tool's name.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from langchain_core.messages import (
    AIMessage,
    BaseMessage,
    ChatMessage,
    FunctionMessage,
    HumanMessage,
    InvalidToolCall,
    ToolMessage,
)

from langchain_toolemu.messages.content import blocks_of, write_json
from langchain_toolemu.messages.tool_calls import is_call_block, own_text, strict_object
from langchain_toolemu.validation import read_json


@dataclass(frozen=True, slots=True)
class PastCall:
    """A call of a past message. If it could not run, its arguments are text."""

    name: str  # empty if it is not known
    args: Mapping[str, Any] | str
    id: str | None = None  # the API before tools has none

    @property
    def could_run(self) -> bool:
        """Whether the call was complete."""
        return not isinstance(self.args, str)


@dataclass(frozen=True, slots=True)
class PastResult:
    """A result in a past message."""

    content: Any
    id: str | None = None  # of the call it answers
    name: str | None = None  # of the tool, where the message says it
    failed: bool = False

    def answers(self, call: PastCall) -> bool:
        """Whether this is the result of a call: by id, or by the tool's name if one of them has no id."""
        return self.id == call.id if self.id and call.id else self.name == call.name


def calls_of(message: BaseMessage) -> list[PastCall]:
    """The calls of a message, in order; those that could not run come last."""
    if isinstance(message, ChatMessage):
        # LangChain reads a provider's own calls out of a message of this type only.
        if message.role not in ("assistant", "ai", "model"):
            return []
        kwargs = message.additional_kwargs
        return calls_of(AIMessage(content=message.content, additional_kwargs=kwargs))
    if not isinstance(message, AIMessage):
        return []
    bad = message.invalid_tool_calls
    made = [PastCall(call["name"], call["args"], call["id"]) for call in message.tool_calls]
    made += [PastCall(call["name"] or "", call["args"] or "", call["id"]) for call in bad]
    if made:
        return made
    blocks = message.content if isinstance(message.content, list) else []
    if in_blocks := [call for block in blocks if (call := _call_in(block))]:
        return in_blocks
    match message.additional_kwargs.get("function_call"):
        case {"name": str(name), **rest}:
            return [PastCall(name, _read_arguments(rest.get("arguments")))]
    return []


def _call_in(block: Any) -> PastCall | None:
    match block:
        case {"type": "tool_use", "name": str(name)}:
            # A streamed block has its arguments as the JSON that came, and an input that stayed empty.
            args = block.get("input") or block.get("partial_json")
            return PastCall(name, _read_arguments(args), block.get("id"))
        case {"type": "tool_call" | "invalid_tool_call", "name": str(name)}:
            return PastCall(name, _read_arguments(block.get("args")), block.get("id"))
        case {"toolUse": dict(use)} if isinstance(use.get("name"), str):
            return PastCall(use["name"], _read_arguments(use.get("input")), use.get("toolUseId"))
        case {"type": "function_call" | "functionCall", "name": str(name)}:
            args = block.get("arguments", block.get("args"))
            return PastCall(name, _read_arguments(args), block.get("call_id") or block.get("id"))
        case {"functionCall": dict(call)} | {"function_call": dict(call)}:  # Gemini's
            if isinstance(call.get("name"), str):
                return PastCall(call["name"], _read_arguments(call.get("args")), call.get("id"))
    return None


def _read_arguments(args: Any) -> Mapping[str, Any] | str:
    """Arguments, parsed if they are JSON text; unreadable text stays text."""
    if isinstance(args, str) and args.strip():
        read = read_json(args)
        return read if isinstance(read, dict) else args
    return args if isinstance(args, Mapping) else {}


def results_of(message: BaseMessage) -> list[PastResult]:
    """The results in a message, in order."""
    if isinstance(message, AIMessage):
        return []
    match message:
        case ToolMessage():
            failed = message.status == "error"
            call_id = message.tool_call_id
            return [_unwrap_result(PastResult(message.content, call_id, message.name, failed))]
        case FunctionMessage():
            return [_unwrap_result(PastResult(message.content, name=message.name))]
        case ChatMessage(role="tool" | "function"):
            id_ = message.additional_kwargs.get("tool_call_id")
            return [_unwrap_result(PastResult(message.content, id_, message.name))]
        case HumanMessage() | ChatMessage() if isinstance(message.content, list):
            return [result for block in message.content if (result := result_in(block))]
    return []


def _unwrap_result(result: PastResult) -> PastResult:
    """A result with a provider's result blocks replaced by their content."""
    blocks = result.content
    if not isinstance(blocks, list):
        return result
    inner = [result_in(block) for block in blocks]
    if not any(inner):
        return result
    pairs = zip(blocks, inner, strict=True)
    content = [
        part for block, found in pairs for part in (blocks_of(found.content) if found else [block])
    ]
    held = [found for found in inner if found]
    failed = result.failed or any(found.failed for found in held)
    name = result.name or held[0].name
    return replace(result, content=content, failed=failed, name=name, id=result.id or held[0].id)


def result_in(block: Any) -> PastResult | None:
    """The result that a content block is."""
    match block:
        case {"type": "tool_result"}:
            failed = bool(block.get("is_error"))
            return PastResult(block.get("content") or "", block.get("tool_use_id"), failed=failed)
        case {"toolResult": dict(found)}:
            content = _converse_content(found.get("content"))
            return PastResult(
                content, found.get("toolUseId"), failed=found.get("status") == "error"
            )
        case {"type": "function_call_output"}:
            return PastResult(block.get("output") or "", block.get("call_id"))
        case {"functionResponse": dict(found)} | {"function_response": dict(found)}:
            return _gemini_result(found)
        case {"type": "function_response" | "functionResponse", "name": str()}:
            return _gemini_result(block)
    return None


def _gemini_result(block: Mapping[str, Any]) -> PastResult:
    """A result of Gemini's API: an object with `output`, `result` or `error`."""
    response, name = block.get("response"), block.get("name")
    failed = isinstance(response, Mapping) and set(response) == {"error"}
    if isinstance(response, Mapping) and len(response) == 1:
        key, value = next(iter(response.items()))
        response = value if key in _GEMINI_RESULTS else response
    # Images and the like are parts of the result.
    parts = [part for part in block.get("parts") or () if isinstance(part, dict)]
    response = {} if response is None else response
    text = response if isinstance(response, str) else write_json(response)
    content = [*blocks_of(text), *parts] if parts else text
    name = name if isinstance(name, str) else None
    return PastResult(content, block.get("id") or None, name, failed)


_GEMINI_RESULTS = ("output", "result", "content", "error")


def _converse_content(content: Any) -> Any:
    """The content of a result of Bedrock's Converse API, whose blocks have no `type`."""
    if not isinstance(content, list):
        return content or ""
    return [
        {"type": "text", "text": block["text"] if "text" in block else json.dumps(block["json"])}
        if isinstance(block, dict) and not {"text", "json"}.isdisjoint(block)
        else block
        for block in content
    ]


def speaks(message: BaseMessage) -> bool:
    """Whether a user says something: a message of results alone is not a user's."""
    is_user = isinstance(message, ChatMessage) and message.role in ("user", "human")
    if not (isinstance(message, HumanMessage) or is_user):
        return False
    if isinstance(message.content, str):
        return True
    return not message.content or not all(map(result_in, message.content))


def without_invalid_calls(messages: Sequence[BaseMessage]) -> list[BaseMessage]:
    """A history with calls that never ran as text: servers refuse calls without a result.

    Clients send invalid calls like calls, with arguments that are not JSON. An agent that answered one with an error
    keeps it as a call, so its text is wrapped as JSON: else llama.cpp's server fails on every later turn.
    """
    if not any(
        isinstance(message, AIMessage) and message.invalid_tool_calls for message in messages
    ):
        return list(messages)
    answered = {message.tool_call_id for message in messages if isinstance(message, ToolMessage)}
    return [
        _with_calls_as_text(message, answered)
        if isinstance(message, AIMessage) and message.invalid_tool_calls
        else message
        for message in messages
    ]


def _with_calls_as_text(message: AIMessage, answered: set[str]) -> BaseMessage:
    gone = [call for call in message.invalid_tool_calls if call.get("id") not in answered]
    texts = [own_text(str(call.get("args") or "")) for call in gone]
    words = "\n".join(text for text in (message.text, *texts) if text.strip())
    content: Any = words
    if isinstance(message.content, list):
        # After another call no words may follow: its result does.
        replacements = ("",) * len(gone) if message.tool_calls else texts
        by_id = {call.get("id"): text for call, text in zip(gone, replacements, strict=True)}
        content = [part for block in message.content for part in _call_as_text(block, by_id)]
    kept = [_as_json(call) for call in message.invalid_tool_calls if call not in gone]
    others = dict(message.additional_kwargs)
    if not (kept or message.tool_calls):
        others.pop("tool_calls", None)  # OpenAI's client falls back on these
    changed = {"content": content, "invalid_tool_calls": kept, "additional_kwargs": others}
    return message.model_copy(update=changed)


def _call_as_text(block: Any, texts: Mapping[str | None, str]) -> list[Any]:
    id_ = (block.get("call_id") or block.get("id")) if is_call_block(block) else None
    if id_ not in texts:
        return [block]
    return [{"type": "text", "text": texts[id_]}] if texts[id_].strip() else []


def sendable_name(name: str | None) -> str:
    """A tool's name as servers accept it; llama.cpp's fails on a call without one."""
    return name if name and _NAME.fullmatch(name) else "unknown_tool"


_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")


def _as_json(call: InvalidToolCall) -> InvalidToolCall:
    """A call with valid JSON, whatever the model wrote."""
    text = own_text(str(call.get("args") or ""))
    args = json.dumps({"unreadable": text}) if not text or strict_object(text) is None else text
    return {**call, "name": sendable_name(call.get("name")), "args": args}
