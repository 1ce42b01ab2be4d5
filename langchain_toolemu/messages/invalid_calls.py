"""Calls that must not run: cut off, unreadable, of a tool that does not exist, or only thought.

In a stream their text ends in characters that the model did not write: LangChain completes partial JSON when it adds
chunks up. The reasons come with the last chunk, and adding that enters them. A whole message holds the model's own text,
and in `error` why the call cannot run.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from langchain_core.messages import (
    AIMessage,
    AIMessageChunk,
    BaseMessage,
    InvalidToolCall,
    ToolMessage,
)
from langchain_core.messages.ai import add_ai_message_chunks
from langchain_core.outputs import ChatGenerationChunk
from langchain_core.utils.json import parse_partial_json
from typing_extensions import override

_REASONS = "invalid"
"""The entry of a turn's report that says of each invalid call why it cannot run."""

BREAKER = '\\"]]}"]]'
"""What keeps arguments that were shown already from being read."""

_PREFIX = "unreadable: "

_MAX_CHARS = 2000
"""Longer texts are cut: LangChain's reader of partial JSON is quadratic in bad text."""

_Message = TypeVar("_Message", bound=BaseMessage)


def make_unreadable(text: str) -> str:
    """A call's text such that LangChain's lenient reader cannot read it."""
    shown = text[:_MAX_CHARS]
    return next((one for one in (shown, shown + BREAKER) if not _is_readable(one)), _PREFIX + shown)


def own_text(args: str) -> str:
    """What the model wrote of a call that was broken."""
    return args.removesuffix(BREAKER).removeprefix(_PREFIX)


def without_invalid_calls(messages: Sequence[BaseMessage]) -> list[BaseMessage]:
    """A history in which calls that never ran are text: as calls, servers refuse them, since no result follows.

    Clients send invalid calls as if they were calls, and their arguments are not JSON. An agent that answered one with an error
    keeps it as a call, so its text is wrapped: llama.cpp's server fails at every further turn of such a history.
    """
    answered = {one.tool_call_id for one in messages if isinstance(one, ToolMessage)}
    return [_with_calls_as_text(message, answered) for message in messages]


def _with_calls_as_text(message: BaseMessage, answered: set[str]) -> BaseMessage:
    if not isinstance(message, AIMessage) or not message.invalid_tool_calls:
        return message
    gone = [call for call in message.invalid_tool_calls if call.get("id") not in answered]
    texts = [own_text(str(call.get("args") or "")) for call in gone]
    words = "\n".join(text for text in (message.text, *texts) if text.strip())
    content = words if isinstance(message.content, str) else message.content
    kept = [_as_json(call) for call in message.invalid_tool_calls if call not in gone]
    raw = (
        {"tool_calls"} if not (kept or message.tool_calls) else set()
    )  # OpenAI's client falls back on these
    others = {key: value for key, value in message.additional_kwargs.items() if key not in raw}
    changed = {"content": content, "invalid_tool_calls": kept, "additional_kwargs": others}
    return message.model_copy(update=changed)


def _as_json(call: InvalidToolCall) -> InvalidToolCall:
    """A call whose arguments any server can read, whatever the model wrote."""
    text = own_text(str(call.get("args") or ""))
    return {**call, "args": text if _is_object(text) else json.dumps({"unreadable": text})}


def _is_object(text: str) -> bool:
    """Whether it is an object in strict JSON: Python's reader alone takes `NaN`, and it fails at a row of brackets."""
    try:
        return isinstance(json.loads(text, parse_constant=_refuse), dict)
    except (ValueError, RecursionError):
        return False


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON")


def reason_with_length(reason: str, text: str) -> str:
    """Why a call cannot run, and how much of its text is shown if that is not all."""
    if len(text) <= _MAX_CHARS:
        return reason
    return f"{reason} (the first {_MAX_CHARS} of {len(text)} characters are shown)"


def _is_readable(text: str) -> bool:
    try:
        # No arguments at all count as an empty set of them.
        return not text or isinstance(parse_partial_json(text), dict)
    except ValueError:
        return False


def report_with(report: Mapping[str, Any], reasons: Sequence[str]) -> dict[str, Any]:
    """A turn's report with the reasons, in the order of the calls."""
    return {**report, _REASONS: list(reasons)} if reasons else dict(report)


def with_reasons(message: _Message) -> _Message:
    """A message whose invalid calls hold the model's own text and why they cannot run, as its report says."""
    reasons = message.response_metadata.get("toolemu", {}).get(_REASONS)
    if not reasons or not isinstance(message, AIMessage):
        return message
    calls = message.invalid_tool_calls
    # In case somebody else added or removed one, the reasons belong to none.
    said = reasons if len(reasons) == len(calls) else [None] * len(calls)
    told: list[Any] = [
        {**call, "args": own_text(call["args"] or ""), "error": reason or call["error"]}
        for call, reason in zip(calls, said, strict=True)
    ]
    changed = {"invalid_tool_calls": told, "content": _update_blocks(message.content, told)}
    return message.model_copy(update=changed)


def _update_blocks(content: Any, calls: Sequence[Mapping[str, Any]]) -> Any:
    """The same in the blocks that stand for such calls."""
    if isinstance(content, str):
        return content
    by_id = {call["id"]: call for call in calls}
    return [_update_block(block, by_id) if isinstance(block, dict) else block for block in content]


def _update_block(block: dict[str, Any], calls: Mapping[Any, Mapping[str, Any]]) -> dict[str, Any]:
    call = calls.get(block.get("call_id") or block.get("id"))
    if call is None:
        return block
    if block.get("type") == "function_call":
        return {**block, "arguments": call["args"]}
    return dict(call) if block.get("type") == "tool_call_chunk" else block


class ShownChunk(ChatGenerationChunk):
    """A chunk to which LangChain adds all further ones as a list, for callbacks: it does not ask the last of them."""

    @override
    @classmethod
    def lc_id(cls) -> list[str]:
        return ChatGenerationChunk.lc_id()

    @override
    def __add__(
        self, other: ChatGenerationChunk | list[ChatGenerationChunk]
    ) -> ChatGenerationChunk:
        summed = super().__add__(other)
        if isinstance(other, list):
            summed.message = with_reasons(summed.message)
        return summed


class LastChunk(AIMessageChunk):
    """The last chunk of a stream with calls that must not run: added to the others, it gives what `invoke` gives.

    Python asks the right operand first where its class is derived from the left one's.
    """

    @override
    @classmethod
    def lc_id(cls) -> list[str]:
        return AIMessageChunk.lc_id()

    def __radd__(self, other: AIMessageChunk) -> AIMessageChunk:
        return with_reasons(add_ai_message_chunks(other, self))
