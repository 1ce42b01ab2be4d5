"""Which call a piece of a provider's call belongs to.

The rule here is LangChain's own when it adds chunks up: pieces of one call share an index, and no two ids. Some
servers (Gemini's and older Ollama's, in OpenAI's protocol) number every call 0, and only the ids tell them apart.
"""

from langchain_core.messages.tool import ToolCallChunk


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
