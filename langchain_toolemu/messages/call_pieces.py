"""Which call a piece of a provider's call belongs to.

The rule here is LangChain's own when it adds chunks up: pieces of one call share an index, and no two ids. Some
servers (Gemini's and older Ollama's, in OpenAI's protocol) number every call 0, and only the ids tell them apart.
"""

from collections.abc import Mapping
from typing import Any

from langchain_core.messages.tool import ToolCallChunk


class CallPieces:
    """Numbers the calls of one reply by their pieces."""

    def __init__(self) -> None:
        self._begun: list[dict[str, Any]] = []

    def number_of(self, piece: ToolCallChunk) -> int:
        """The number of the call that a piece belongs to; one without an index, as Ollama's are, is a call by itself."""
        for number, begun in enumerate(self._begun):
            if _goes_on(piece, begun):
                begun["id"] = begun["id"] or piece.get("id")
                return number
        self._begun.append({"index": piece.get("index"), "id": piece.get("id")})
        return len(self._begun) - 1


def _goes_on(piece: ToolCallChunk, begun: Mapping[str, Any]) -> bool:
    if piece.get("index") is None or piece.get("index") != begun["index"]:
        return False
    return not (piece.get("id") and begun["id"]) or piece["id"] == begun["id"]
