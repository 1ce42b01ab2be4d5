"""The ids of emulated calls: each is unique, also where a message comes out of a cache."""

from collections.abc import Mapping
from typing import Any
from uuid import uuid4

from langchain_core.messages import AIMessage

_OURS = "emulated_"


def new_call_id() -> str:
    """An id that is unique over threads and restarts, and short enough (OpenAI takes 40 characters)."""
    return f"{_OURS}{uuid4().hex[:24]}"


def with_new_ids(message: AIMessage) -> AIMessage:
    """A message out of a cache, its emulated calls with ids of their own: twice in a thread, they would be one."""
    made = [*message.tool_calls, *message.invalid_tool_calls]
    ids = {call["id"]: new_call_id() for call in made if _is_ours(call["id"])}

    changed: dict[str, Any] = {
        "tool_calls": [_renamed_block(call, ids) for call in message.tool_calls],
        "invalid_tool_calls": [_renamed_block(call, ids) for call in message.invalid_tool_calls],
    }
    if isinstance(message.content, list):
        changed["content"] = [_renamed_block(block, ids) for block in message.content]
    return message.model_copy(update=changed) if ids else message


def _renamed_block(block: Any, ids: Mapping[str | None, str]) -> Any:
    """A call, or the block that represents it, with its new id; OpenAI keeps that under a name of its own."""
    if not isinstance(block, dict):
        return block
    return block | {key: ids[block[key]] for key in ("id", "call_id") if block.get(key) in ids}


def _is_ours(id_: str | None) -> bool:
    return bool(id_ and id_.startswith(_OURS))
