"""How calls stand in messages: their ids, the pieces they come in, and the content blocks that represent them.

- The id of an emulated call is unique, also where a message comes out of a cache.
- Which call a piece belongs to is decided as LangChain does when it adds chunks up: pieces of one call share an index,
  and no two ids. Some servers (Gemini's and older Ollama's, in OpenAI's protocol) number every call 0, and only the ids
  tell them apart.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from langchain_core.messages import AIMessage
from langchain_core.messages.tool import ToolCallChunk, tool_call_chunk

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


class CallPieces:
    """Numbers the calls of one reply by their pieces."""

    def __init__(self) -> None:
        self._count = 0
        self._begun: dict[int | str, dict[int, str | None]] = {}  # by index: numbers and their ids

    def number_of(self, piece: ToolCallChunk) -> int:
        """The number of the call that a piece belongs to; one without an index, as Ollama's are, is a call by itself."""
        index, id_ = piece.get("index"), piece.get("id")
        if index is None:
            return self._next()
        begun = self._begun.setdefault(index, {})
        number = next((one for one, its in begun.items() if not (id_ and its) or id_ == its), None)
        if number is None:
            number = self._next()
        begun[number] = begun.get(number) or id_
        return number

    def _next(self) -> int:
        self._count += 1
        return self._count - 1


@dataclass(frozen=True, slots=True)
class CallBlockFormat:
    """How a call is written in a content of blocks.

    Attributes:
        made_of: The block of a call, or of a piece of one.
        in_pieces: Whether it comes with each piece. Else it comes once, when the call is whole: LangChain would show
            it as a call though it cannot run.
    """

    made_of: Callable[[ToolCallChunk], dict[str, Any]]
    in_pieces: bool


def find_call_block_format(**said: Any) -> CallBlockFormat | None:
    """How a call must stand in the blocks of such a message for LangChain to see it there; `None`: it need not.

    LangChain reads the blocks of each provider in a way of its own, so it is asked.
    """
    probe = tool_call_chunk(name="f", args="{}", id="1", index=0)
    for block in (None, *_CALL_BLOCKS):
        content: list[str | dict[str, Any]] = [block.made_of(probe)] if block else []
        message = AIMessage(content, tool_calls=[{"name": "f", "args": {}, "id": "1"}], **said)
        if any(seen.get("type") in _CALL_TYPES for seen in message.content_blocks):
            return block
    return None


_CALL_TYPES = ("tool_call", "tool_call_chunk")


def _standard_block(call: ToolCallChunk) -> dict[str, Any]:
    return dict(call)


def _openai_block(call: ToolCallChunk) -> dict[str, Any]:
    block = {
        "type": "function_call",
        "name": call["name"],
        "arguments": call["args"],
        "call_id": call["id"],
        "index": call["index"],
    }
    return {key: value for key, value in block.items() if value is not None}


def _anthropic_block(call: ToolCallChunk) -> dict[str, Any]:
    return {
        "type": "tool_use",
        "id": call["id"],
        "name": call["name"],
        "input": json.loads(call["args"] or "{}"),
        "index": call["index"],
    }


_CALL_BLOCKS = (
    CallBlockFormat(_openai_block, in_pieces=True),
    CallBlockFormat(_anthropic_block, in_pieces=False),
    CallBlockFormat(_standard_block, in_pieces=True),
)
