"""How a call is written among the content blocks of models that speak in them."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from langchain_core.messages import AIMessage
from langchain_core.messages.tool import ToolCallChunk, tool_call_chunk


@dataclass(frozen=True, slots=True)
class CallBlock:
    """How a call is written in a content of blocks.

    Attributes:
        made_of: The block of a call, or of a piece of one.
        in_pieces: Whether it comes with each piece. Else it comes once, when the call is whole: LangChain would show
            it as a call though it cannot run.
    """

    made_of: Callable[[ToolCallChunk], dict[str, Any]]
    in_pieces: bool


def call_block(**said: Any) -> CallBlock | None:
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
    CallBlock(_openai_block, in_pieces=True),
    CallBlock(_anthropic_block, in_pieces=False),
    CallBlock(_standard_block, in_pieces=True),
)
