"""How a thought stands in a message: next to the content, as ChatOllama and ChatDeepSeek give theirs, or as a block.

The rule here: the content stays what it would be without the thought. Clients send a block of a thought that they do not
know on to their servers, which refuse it.
"""

from functools import lru_cache
from typing import Any

from langchain_core.messages import AIMessage

REASONING = "reasoning_content"
"""Where a message has its thought, next to its content."""


@lru_cache(maxsize=64)
def reads_thoughts(provider: str | None) -> bool:
    """Whether LangChain finds thoughts next to the content of this provider's messages.

    It reads each provider's messages in a way of its own, so it is asked.
    """
    said = {"model_provider": provider} if provider else {}
    message = AIMessage("Hi", additional_kwargs={REASONING: "Hm."}, response_metadata=said)
    return any(block["type"] == "reasoning" for block in message.content_blocks)


def standard_block(text: str, index: str) -> dict[str, Any]:
    """A thought among LangChain's standard blocks."""
    return {"type": "reasoning", "reasoning": text, "index": index}
