"""Writes down what a chat model is sent and what it answers, word for word, by standing where LangChain has its cache."""

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from langchain_core.caches import BaseCache
from langchain_core.messages import AIMessage


@dataclass(frozen=True, slots=True)
class Exchange:
    """One request and its reply.

    Attributes:
        sent: The messages, each as who says it and what.
        reply: What came back.
        tokens: Those of the prompt and of the reply; 0 where the provider does not say.
        seconds: How long it took.
    """

    sent: Sequence[tuple[str, str]]
    reply: str
    tokens: tuple[int, int]
    seconds: float


class Recorder(BaseCache):
    """A cache that never has anything and forgets nothing."""

    def __init__(self) -> None:
        self._asked_at = 0.0
        self._exchanges: list[Exchange] = []

    def take(self) -> list[Exchange]:
        """What was written down since this was last asked."""
        taken, self._exchanges = self._exchanges, []
        return taken

    def lookup(self, prompt: str, llm_string: str) -> None:  # noqa: ARG002 - LangChain's signature
        """Nothing is ever answered from here."""
        self._asked_at = time.perf_counter()

    def update(self, prompt: str, llm_string: str, return_val: Sequence[Any]) -> None:  # noqa: ARG002
        """Write down an exchange."""
        seconds = time.perf_counter() - self._asked_at
        message = return_val[0].message
        usage = message.usage_metadata if isinstance(message, AIMessage) else None
        tokens = (usage["input_tokens"], usage["output_tokens"]) if usage else (0, 0)
        self._exchanges.append(Exchange(_messages(prompt), message.text, tokens, seconds))

    def clear(self, **_: Any) -> None:
        """Forget everything."""
        self._exchanges = []


def _messages(prompt: str) -> list[tuple[str, str]]:
    """The messages of a prompt as LangChain writes them for its caches."""
    described = [message["kwargs"] for message in json.loads(prompt)]
    return [(str(one.get("type")), _text(one.get("content"))) for one in described]


def _text(content: Any) -> str:
    return content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
