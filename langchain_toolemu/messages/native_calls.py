"""Native calls that are not passed on: of another tool than the one demanded, or after the only one that was asked for.

They are left out chunk by chunk. Where one tool is demanded, a call whose name has not come yet, or half of it, is held
with all that comes after it: a shown call is never taken back.
"""

from collections.abc import Mapping
from typing import Any

from langchain_core.messages import AIMessageChunk
from langchain_core.messages.ai import add_ai_message_chunks
from langchain_core.messages.tool import ToolCallChunk

from langchain_toolemu.messages.tool_calls import CallPieces


class NativeCalls:
    """Sifts the native calls of one reply.

    Args:
        demanded: The one tool that must be called, if one was demanded.
        only_one: Whether only one call was asked for.
    """

    def __init__(self, demanded: str | None, *, only_one: bool) -> None:
        self._demanded = demanded
        self._only_one = only_one
        self._pieces = CallPieces()
        self._names: dict[int, str] = {}  # as far as they have come
        self._nameless: set[int] = set()
        self._held: list[AIMessageChunk] = []
        self._kept: dict[int, bool] = {}
        self.left_out: list[str] = []

    def sifted(self, chunk: AIMessageChunk) -> AIMessageChunk:
        """The chunk without what is not passed on, and with what was held before it."""
        if self._demanded is None and not self._only_one:
            return chunk
        self._note_names(chunk)
        if self._nameless:
            self._held.append(chunk)
            return AIMessageChunk(content="" if isinstance(chunk.content, str) else [], id=chunk.id)
        return self._sift(*self._take_held(), chunk)

    def rest(self) -> AIMessageChunk | None:
        """What was held to the end of the reply, sifted by the names as they are."""
        held = self._take_held()
        return self._sift(*held) if held else None

    def _note_names(self, chunk: AIMessageChunk) -> None:
        """Find out whose names are still to come; a call without an index is whole."""
        for piece in chunk.tool_call_chunks:
            if piece.get("index") is None:
                continue
            number = self._pieces.number_of(piece)
            name = self._names[number] = self._names.get(number, "") + (piece.get("name") or "")
            begun = bool(name and piece.get("args"))
            if number in self._kept or begun or not self._may_become_demanded(name):
                self._nameless.discard(number)
            else:
                self._nameless.add(number)

    def _may_become_demanded(self, name: str) -> bool:
        demanded = self._demanded
        return demanded is not None and name != demanded and demanded.startswith(name)

    def _take_held(self) -> list[AIMessageChunk]:
        held, self._held = self._held, []
        self._nameless.clear()
        return held

    def _sift(self, *chunks: AIMessageChunk) -> AIMessageChunk:
        chunk = add_ai_message_chunks(*chunks) if len(chunks) > 1 else chunks[0]
        kept: list[ToolCallChunk] = []
        gone: list[ToolCallChunk] = []
        for piece in chunk.tool_call_chunks:
            (kept if self._keeps(piece) else gone).append(piece)
        return _without(chunk, kept, gone) if gone else chunk

    def _keeps(self, piece: ToolCallChunk) -> bool:
        number = self._pieces.number_of(piece)
        if number not in self._kept:
            self._kept[number] = self._is_wanted(piece.get("name"))
            if not self._kept[number]:
                self.left_out.append(piece.get("name") or "a tool")
        return self._kept[number]

    def _is_wanted(self, name: str | None) -> bool:
        if self._demanded is not None and name != self._demanded:
            return False
        return not (self._only_one and any(self._kept.values()))


def _without(
    chunk: AIMessageChunk, kept: list[ToolCallChunk], gone: list[ToolCallChunk]
) -> AIMessageChunk:
    raw = chunk.additional_kwargs.get("tool_calls") or []
    others = {key: value for key, value in chunk.additional_kwargs.items() if key != "tool_calls"}
    left = [one for one in raw if not _is_of(one, gone)]
    content = chunk.content
    if isinstance(content, list):
        content = [block for block in content if not _is_call_of(block, gone)]
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


def _is_call_of(block: Any, gone: list[ToolCallChunk]) -> bool:
    if not isinstance(block, Mapping) or block.get("type") not in _CALL_BLOCKS:
        return False
    return _is_of(block, gone)


def _is_of(one: Mapping[str, Any], gone: list[ToolCallChunk]) -> bool:
    """Whether a content block or a raw call belongs to a call that is left out."""
    return any(_is_same(one, piece) for piece in gone)


def _is_same(one: Mapping[str, Any], piece: ToolCallChunk) -> bool:
    """By the id where both have one: calls of some servers share an index."""
    ids = {one.get("id"), one.get("call_id")} - {None, ""}
    if ids and piece.get("id"):
        return piece["id"] in ids
    return piece.get("index") is not None and one.get("index") == piece["index"]
