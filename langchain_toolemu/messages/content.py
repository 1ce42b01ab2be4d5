"""What a message says, a string or a list of blocks: its words, its blocks, and the simplest form of both."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from langchain_core.messages import BaseMessage

Content: TypeAlias = str | list[str | dict[str, Any]]

PLAIN = frozenset({"type", "text"})
"""A block with nothing but these says no more than a string does."""


def is_standard(message: BaseMessage) -> bool:
    """Whether a message's content is LangChain's standard blocks, so that they are read as they are."""
    version = message.response_metadata.get("output_version")
    return version == "v1" and isinstance(message.content, list) and bool(message.content)


def in_standard_blocks(message: BaseMessage) -> BaseMessage:
    """A message whose content is LangChain's standard blocks, as LangChain makes it for `output_version="v1"`."""
    metadata = {**message.response_metadata, "output_version": "v1"}
    told = {"content": message.content_blocks, "response_metadata": metadata}
    return message if is_standard(message) else message.model_copy(update=told)


def words_of(content: str | Sequence[str | Mapping[str, Any]]) -> str:
    """The words, without images, thoughts and the like."""
    if isinstance(content, str):
        return content
    return "".join(
        block if isinstance(block, str) else str(block.get("text") or "")
        for block in content
        if isinstance(block, str) or block.get("type") == "text"
    )


def blocks_of(content: Content) -> list[str | dict[str, Any]]:
    """The content as a list; no block for no words."""
    if isinstance(content, str):
        return [{"type": "text", "text": content}] if content else []
    return list(content)


def block_types(content: Content) -> list[Any]:
    """What the blocks call themselves; plain words are none."""
    return (
        [] if isinstance(content, str) else [b.get("type") for b in content if isinstance(b, dict)]
    )


def simplest(blocks: list[str | dict[str, Any]]) -> Content:
    """A string where the blocks are nothing but plain text: many chat templates take no list."""
    if all(
        isinstance(block, str) or set(block) <= {"type", "text", "id", "index"} for block in blocks
    ):
        return "\n\n".join(
            block if isinstance(block, str) else str(block.get("text")) for block in blocks
        )
    return blocks
