"""Native calls that are not passed on: of another tool than the one demanded, or after the only one that was asked for.

They are left out chunk by chunk: the first chunk of a call holds its name, and all its chunks share an index.
"""

from collections.abc import Mapping
from typing import Any

from langchain_core.messages import AIMessageChunk
from langchain_core.messages.tool import ToolCallChunk

from langchain_toolemu.turn.order import Order


class NativeCalls:
    """Sifts the native calls of one reply."""

    def __init__(self, order: Order) -> None:
        self._demanded = order.choice.name if order.choice.kind == "named" else None
        self._only_one = order.parallel is False
        self._kept: dict[Any, bool] = {}
        self.left_out: list[str] = []

    def sifted(self, chunk: AIMessageChunk) -> AIMessageChunk:
        """The chunk without what is not passed on."""
        if self._demanded is None and not self._only_one:
            return chunk
        kept = [part for part in chunk.tool_call_chunks if self._keeps(part)]
        if len(kept) == len(chunk.tool_call_chunks):
            return chunk
        gone = [part for part in chunk.tool_call_chunks if part not in kept]
        return _without(chunk, kept, gone)

    def _keeps(self, part: ToolCallChunk) -> bool:
        place = part.get("index") if part.get("index") is not None else part.get("id")
        if place not in self._kept:
            self._kept[place] = self._is_wanted(part.get("name"))
            if not self._kept[place]:
                self.left_out.append(part.get("name") or "a tool")
        return self._kept[place]

    def _is_wanted(self, name: str | None) -> bool:
        if self._demanded is not None and name != self._demanded:
            return False
        return not (self._only_one and any(self._kept.values()))


def _without(
    chunk: AIMessageChunk, kept: list[ToolCallChunk], gone: list[ToolCallChunk]
) -> AIMessageChunk:
    ids: set[str | None] = {part["id"] for part in gone if part.get("id")}
    places = {part["index"] for part in gone if part.get("index") is not None}
    raw = chunk.additional_kwargs.get("tool_calls") or []
    others = {key: value for key, value in chunk.additional_kwargs.items() if key != "tool_calls"}
    left = [one for one in raw if one.get("id") not in ids and one.get("index") not in places]
    content = chunk.content
    if isinstance(content, list):
        content = [block for block in content if not _is_of(block, ids, places)]
    return AIMessageChunk(
        content=content,
        tool_call_chunks=kept,
        additional_kwargs={**others, **({"tool_calls": left} if left else {})},
        response_metadata=chunk.response_metadata,
        usage_metadata=chunk.usage_metadata,
        id=chunk.id,
        name=chunk.name,
    )


_CALL_BLOCKS = ("tool_use", "tool_call", "tool_call_chunk", "function_call", "input_json_delta")


def _is_of(block: Any, ids: set[str | None], places: set[Any]) -> bool:
    """Whether a content block is part of a call that is left out."""
    if not isinstance(block, Mapping) or block.get("type") not in _CALL_BLOCKS:
        return False
    named = {block.get("id"), block.get("call_id")} - {None}
    return not ids.isdisjoint(named) or block.get("index") in places
