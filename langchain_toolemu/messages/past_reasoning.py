"""The reasoning of past assistant messages: found, left out, or sent back.

Servers and clients put it next to the content under one of two names, or into content blocks. Messages are copied, never
changed.
"""

import re
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage

from langchain_toolemu.messages.call_extras import get_field
from langchain_toolemu.messages.content import REASONING
from langchain_toolemu.model_facts import PastReasoning
from langchain_toolemu.reader import Reader
from langchain_toolemu.reader.events import HalfThought, Text
from langchain_toolemu.tools import ToolSet

REASONING_KEYS = (REASONING, "reasoning")
"""The names under which servers that speak OpenAI's protocol send a model's reasoning."""

DETAILS = "reasoning_details"
"""Where MiniMax and OpenRouter send reasoning as a list, with ids and signatures, which goes back as it came."""

_BLOCKS = ("reasoning", "thinking")
"""The types of reasoning blocks, LangChain's own and Anthropic's, and the keys that hold their text."""

_MAYBE_THOUGHT = re.compile(r"[<\[\u25c1]|\Aanalysis")  # a quick look, before the text is read


def reasoning_in(message: Any) -> dict[str, str]:
    """The reasoning in a server's message or delta, under its name."""
    for name in REASONING_KEYS:
        thought = get_field(message, name)
        if isinstance(thought, str) and thought:
            return {name: thought}
    return {}


def all_reasoning_in(message: Any) -> dict[str, Any]:
    """The same, with the list of details next to it."""
    details = get_field(message, DETAILS)
    return {**reasoning_in(message), **({DETAILS: details} if isinstance(details, list) else {})}


def reasoning_of(message: AIMessage) -> dict[str, str]:
    """The reasoning of a message, under its name: next to the content, else in its blocks."""
    if found := reasoning_in(message.additional_kwargs):
        return found
    blocks = message.content if isinstance(message.content, list) else []
    typed = ((block, block.get("type")) for block in blocks if isinstance(block, dict))
    thoughts = (block.get(kind) for block, kind in typed if kind in _BLOCKS)
    text = "\n\n".join(str(thought) for thought in thoughts if thought)
    return {REASONING: text} if text else {}


def reasoning_fields(message: BaseMessage) -> dict[str, Any]:
    """The reasoning next to a message's content, even if empty: a server may require the field."""
    kwargs = message.additional_kwargs if isinstance(message, AIMessage) else {}
    fields = {name: kwargs[name] for name in REASONING_KEYS if isinstance(kwargs.get(name), str)}
    if isinstance(details := kwargs.get(DETAILS), list):
        fields[DETAILS] = [_once_formatted(detail) for detail in details]
    return fields


def _once_formatted(detail: Any) -> Any:
    """A detail with its format once: LangChain concatenates the formats of a stream's pieces."""
    if not isinstance(detail, Mapping) or not isinstance(written := detail.get("format"), str):
        return detail
    return {**detail, "format": written[: (written + written).find(written, 1)]}


def has_lost_reasoning(messages: Sequence[BaseMessage]) -> bool:
    """Whether the last call of a history has no reasoning, because its client dropped it."""
    for message in reversed(messages):
        if isinstance(message, AIMessage) and message.tool_calls:
            return not reasoning_of(message)
    return False


reasoning_reader = partial(Reader, ToolSet(), tells_thoughts=True, only_thoughts=True)
"""Makes a reader that only separates thoughts from the answer."""


def without_thoughts(text: str, *, halves: bool = False) -> str:
    """A text without its thoughts and their marks, with `halves` also without one that only ends in it."""
    if not _MAYBE_THOUGHT.search(text):
        return text
    words: list[str] = []
    for event in reasoning_reader().read(text):
        if halves and isinstance(event, HalfThought) and event.lacks == "beginning":
            words = []
        elif isinstance(event, Text) and event.kind == "answer":
            words.append(event.text)
    answer = "".join(words)
    return text if len(answer) == len(text) else answer.strip()


def prepare_reasoning(messages: Sequence[BaseMessage], wanted: PastReasoning) -> list[BaseMessage]:
    """A history with its reasoning in the form that the server wants."""
    if wanted == "as_is":
        return list(messages)
    return [_prepare(message, wanted) for message in messages]


def _prepare(message: BaseMessage, treatment: PastReasoning) -> BaseMessage:
    if not isinstance(message, AIMessage):
        return message
    kwargs, found = message.additional_kwargs, reasoning_of(message)
    others = {key: kwargs[key] for key in kwargs if key not in REASONING_KEYS}
    match treatment:
        case "leave_out":
            others.pop(DETAILS, None)
            return message if len(others) == len(kwargs) else _with_kwargs(message, others)
        case "fill":
            # A server that insists does so by this name, also of messages that came without.
            found = {REASONING: next(iter(found.values()), "")}
    return message if found.items() <= kwargs.items() else _with_kwargs(message, others | found)


def _with_kwargs(message: AIMessage, kwargs: dict[str, Any]) -> AIMessage:
    return message.model_copy(update={"additional_kwargs": kwargs})
