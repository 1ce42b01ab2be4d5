"""A chat model without tools that says its replies in pieces, each made when it is asked for.

Where a test must know how much was read before something was shown, a server will not do: its socket runs ahead.
"""

from collections.abc import Iterator
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from pydantic import Field


class PiecewiseModel(BaseChatModel):
    """Says one reply after the other; the last one over and over.

    Attributes:
        replies: Text and finish reason of each.
        size: The length of a piece.
        asked: How many requests came.
        read: How many characters of the replies were taken.
    """

    replies: list[tuple[str, str]]
    size: int = 20
    asked: int = 0
    read: int = Field(default=0)

    @property
    def _llm_type(self) -> str:
        return "piecewise"

    def _next(self) -> tuple[str, str]:
        self.asked += 1
        return self.replies[min(self.asked, len(self.replies)) - 1]

    def _generate(self, *_: Any, **__: Any) -> ChatResult:
        text, finish = self._next()
        message = AIMessage(text, response_metadata={"finish_reason": finish})
        return ChatResult(generations=[ChatGeneration(message=message)])

    def _stream(self, *_: Any, **__: Any) -> Iterator[ChatGenerationChunk]:
        text, finish = self._next()
        for start in range(0, len(text), self.size):
            piece = text[start : start + self.size]
            self.read += len(piece)
            yield ChatGenerationChunk(message=AIMessageChunk(piece))
        end = AIMessageChunk("", response_metadata={"finish_reason": finish})
        yield ChatGenerationChunk(message=end)
