"""A turn in mode off: one request as the caller made it, one reply as it came, nothing added.

It answers to the same calls as a `Turn`, so that the drivers need not know the mode.
"""

from langchain_core.messages import BaseMessage
from langchain_core.outputs import ChatGenerationChunk, ChatResult

from langchain_toolemu.turn.turn_input import Request


class Passthrough:
    """Plain delegation."""

    def __init__(self, request: Request) -> None:
        self._request = request
        self._asked = False
        self._result = ChatResult(generations=[])

    def ask(self) -> Request | None:
        """The request, once."""
        self._asked, asked = True, self._asked
        return None if asked else self._request

    def feed(self, generation: ChatGenerationChunk) -> list[ChatGenerationChunk]:
        """The piece as it came."""
        return [generation]

    @property
    def overfed(self) -> bool:
        """How long a reply may be is the caller's matter."""
        return False

    def end(self) -> list[ChatGenerationChunk]:
        """Nothing is added."""
        return []

    def close(self) -> list[ChatGenerationChunk]:
        """Nothing is added."""
        return []

    def fail(self, error: Exception) -> bool:
        """Every error is the caller's."""
        return False

    def abandon(self) -> list[ChatGenerationChunk]:
        """Nothing is added to an error either."""
        return []

    def take(self, result: ChatResult) -> None:
        """The whole reply."""
        self._result = result

    def result(self) -> ChatResult:
        """The reply as it came."""
        return self._result

    def emulated_messages(self) -> list[BaseMessage]:
        """The messages as the caller gave them: nothing is emulated."""
        return self._request.messages
