"""A case that a chat model with tools is put through, and how it went."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from langchain_core.messages import AIMessage

Model: TypeAlias = Any
"""A chat model with `bind_tools` and `with_structured_output`."""


@dataclass(frozen=True)
class Outcome:
    """How a case went: whether well, whether any tool was called, and what the model did."""

    good: bool
    called: bool
    did: str


@dataclass(frozen=True)
class Case:
    """Something to put a model through."""

    id: str
    run: Callable[[Model], Outcome]


def asking(
    question: Any, tools: Sequence[Any], judge: Callable[[AIMessage], bool]
) -> Callable[[Model], Outcome]:
    """One turn: a question or a conversation, and whether the reply is right."""

    def run(model: Model) -> Outcome:
        message = model.bind_tools(list(tools)).invoke(question)
        return Outcome(judge(message), bool(message.tool_calls), written(message))

    return run


def is_answer(message: AIMessage) -> bool:
    """Whether a reply is words and no call."""
    return not message.tool_calls and bool(message.text.strip())


def written(message: AIMessage) -> str:
    """What a reply did: its calls, else its words."""
    calls = [{"name": call["name"], "args": call["args"]} for call in message.tool_calls]
    return json.dumps(calls, default=str) if calls else message.text
