"""Whole replies as chunks, and chunks as the whole message.

`invoke` returns the sum of the chunks that `stream` would have shown, so the two cannot differ.
"""

import json
from collections.abc import Sequence
from typing import Any

from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage, message_chunk_to_message
from langchain_core.messages.tool import tool_call_chunk
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk
from langchain_core.outputs.chat_generation import merge_chat_generation_chunks

from langchain_toolemu.messages.chunks import FIRST_INDEX, OWN_INDEX, needs_blocks
from langchain_toolemu.messages.content import Content, is_standard
from langchain_toolemu.messages.invalid_calls import with_reasons
from langchain_toolemu.messages.usage import usage_of


def as_chunk(generation: ChatGeneration) -> ChatGenerationChunk:
    """A whole reply as a stream of one chunk, numbered so that merging keeps its calls apart and its texts together."""
    message = generation.message
    if isinstance(generation, ChatGenerationChunk):
        return generation
    if not isinstance(message, AIMessage):
        message = AIMessage(content=message.content)
    calls = [(call["name"], json.dumps(call["args"]), call["id"]) for call in message.tool_calls]
    calls += [
        (call["name"] or "", call["args"] or "", call["id"]) for call in message.invalid_tool_calls
    ]
    chunk = AIMessageChunk(
        content=_numbered(message),
        id=message.id,
        name=message.name,
        additional_kwargs=message.additional_kwargs,
        response_metadata=message.response_metadata,
        usage_metadata=usage_of(message),
        tool_call_chunks=[
            tool_call_chunk(name=name, args=args, id=id_, index=FIRST_INDEX + number)
            for number, (name, args, id_) in enumerate(calls)
        ],
    )
    return ChatGenerationChunk(message=chunk, generation_info=generation.generation_info)


def sum_of(chunks: Sequence[ChatGenerationChunk]) -> ChatGeneration:
    """The whole generation that a turn's chunks add up to."""
    merged = merge_chat_generation_chunks(list(chunks))
    if merged is None:
        raise ValueError("a turn without chunks")
    message = message_chunk_to_message(merged.message)
    unnumbered = message.model_copy(update={"content": _unnumbered(message.content)})
    return ChatGeneration(message=with_reasons(unnumbered), generation_info=merged.generation_info)


def _numbered(message: BaseMessage) -> Content:
    """Whole blocks of text with an index each: they may be shown in pieces, which are then one block again."""
    content = message.content
    if isinstance(content, str) or not (is_standard(message) or needs_blocks(content)):
        return content
    return [
        {"index": f"{OWN_INDEX}_{number}", **block}
        if isinstance(block, dict) and block.get("type") == "text"
        else block
        for number, block in enumerate(content)
    ]


def _unnumbered(content: Content) -> Content:
    if isinstance(content, str):
        return content
    return [
        {key: value for key, value in block.items() if key != "index"}
        if isinstance(block, dict) and _is_own_index(block.get("index"))
        else block
        for block in content
    ]


def _is_own_index(index: Any) -> bool:
    if isinstance(index, str):
        return index.startswith(OWN_INDEX)
    return isinstance(index, int) and index >= FIRST_INDEX
