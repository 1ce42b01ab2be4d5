"""Other forms of a request's messages, for servers that refuse their order, one without text, or the name of a speaker.

Nothing that was said is left out: neighbours of one role become one message, and what a server misses is filled with a few words.
"""

from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import groupby

from langchain_core.messages import (
    AIMessage,
    BaseMessage,
    HumanMessage,
    SystemMessage,
    ToolMessage,
)

from langchain_toolemu.contract.history import join_two
from langchain_toolemu.messages.content import blocks_of

_OPENING = "Hello."
_AFTER_RESULTS = "I have read the results."
_GO_ON = "Go on."
_EMPTY = {"ai": "(no answer)", "tool": "(no output)"}
_EMPTY_CALL = "I call a tool."


def in_turns(messages: Sequence[BaseMessage]) -> list[BaseMessage]:
    """User and assistant take turns, and the user speaks first and last; system messages stay where they are."""
    ordered: list[BaseMessage] = []
    for kind, neighbours in groupby(messages, _kind):
        group = [*neighbours]
        ordered += [reduce(join_two, group)] if kind in ("human", "ai") else group
    return [*_completed(ordered)]


def _kind(message: BaseMessage) -> str:
    """What neighbours have in common that may be one message."""
    return "call" if isinstance(message, AIMessage) and message.tool_calls else message.type


def _completed(messages: Sequence[BaseMessage]) -> Iterator[BaseMessage]:
    """The messages, with what the order lacks at the start, after results, and at the end."""
    last = None
    for message in messages:
        if not isinstance(message, SystemMessage):
            if last is None and isinstance(message, AIMessage):
                yield HumanMessage(_OPENING)
            if isinstance(last, ToolMessage) and isinstance(message, HumanMessage):
                yield AIMessage(_AFTER_RESULTS)
            last = message
        yield message
    if isinstance(last, AIMessage) and not last.tool_calls:
        yield HumanMessage(_GO_ON)


def with_text(message: BaseMessage) -> BaseMessage:
    """A message that has some text, or anything else to show."""
    is_call = isinstance(message, AIMessage) and bool(message.tool_calls)
    blocks = [block for block in blocks_of(message.content) if not _is_blank(block)]
    if blocks:
        kept = len(blocks) == len(blocks_of(message.content))
        return message if kept else message.model_copy(update={"content": blocks})
    words = _EMPTY_CALL if is_call else _EMPTY.get(message.type, "(no text)")
    return message.model_copy(update={"content": words})


def _is_blank(block: object) -> bool:
    if isinstance(block, dict):
        return block.get("type") == "text" and not str(block.get("text") or "").strip()
    return not str(block).strip()


def without_name(message: BaseMessage) -> BaseMessage:
    """A message without its speaker's name, which a user's text begins with."""
    if not message.name or isinstance(message, ToolMessage):
        return message
    changed: dict[str, object] = {"name": None}
    if isinstance(message, HumanMessage):
        speaker, content = f"{message.name}:", message.content
        is_text = isinstance(content, str)
        changed["content"] = f"{speaker} {content}" if is_text else [speaker, *content]
    return message.model_copy(update=changed)
