"""History as plain messages: any LangChain conversation, written so that a model without tools follows it.

What comes out is one system message at the start, if any, then users and assistants in turn. Calls are
written in the contract's dialect, results in frames. A message that needs no change is passed on as the
object it came as; nothing that came in is ever mutated.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from langchain_core.messages import (
    AIMessage,
    BaseMessage,
    ChatMessage,
    FunctionMessage,
    HumanMessage,
    SystemMessage,
    ToolMessage,
)

from langchain_toolemu.contract import Contract
from langchain_toolemu.dialects import Dialect, write_result

_Content = str | list[str | dict[str, Any]]

# Strict chat templates want the user to speak first; a history whose start was trimmed away does not.
_CUT_HISTORY = "(The conversation starts earlier than this.)"


def has_tool_history(messages: Sequence[BaseMessage]) -> bool:
    """Whether a conversation holds calls or results, which a plain chat model cannot be sent."""
    return any(_calls_of(message) or _holds_result(message) for message in messages)


def _holds_result(message: BaseMessage) -> bool:
    return isinstance(message, ToolMessage | FunctionMessage) or "tool_result" in _block_types(
        message
    )


def project(
    messages: Sequence[BaseMessage], dialect: Dialect, contract: Contract | None = None
) -> list[BaseMessage]:
    """The conversation as plain messages, with the contract placed in it."""
    called = {call["id"]: call["name"] for message in messages for call in _calls_of(message)}
    plain = _merge([_plain(message, dialect, called) for message in messages])
    system, talk = _split(plain)
    if contract is None:
        return [*system, *talk]
    if talk and isinstance(talk[0], AIMessage):
        talk.insert(0, HumanMessage(content=_CUT_HISTORY))
    after_result = bool(messages) and _holds_result(messages[-1])
    reminder = contract.reminder or (contract.continuation if after_result else "")
    return [
        _with_contract(system, contract),
        *_example_messages(contract),
        *_with_reminder(talk, reminder),
    ]


def corrected(messages: Sequence[BaseMessage], failed: str, correction: str) -> list[BaseMessage]:
    """A projected conversation, continued by a reply that failed and by what is wrong with it."""
    # Some servers refuse an empty assistant message.
    reply = [AIMessage(content=failed)] if failed.strip() else []
    return _merge([*messages, *reply, HumanMessage(content=correction)])


def _calls_of(message: BaseMessage) -> list[Any]:
    if not isinstance(message, AIMessage):
        return []
    return [*message.tool_calls, *message.invalid_tool_calls]


def _plain(
    message: BaseMessage, dialect: Dialect, called: Mapping[str | None, str | None]
) -> BaseMessage:
    """One message as a system, human or AI message that every chat model accepts."""
    match message:
        case AIMessage():
            return _plain_ai(message, dialect)
        case ToolMessage():
            name = message.name or called.get(message.tool_call_id) or "tool"
            return _result(name, message.content, failed=message.status == "error")
        case FunctionMessage():
            return _result(message.name, message.content)
        case HumanMessage():
            return _plain_human(message, called)
        case ChatMessage():
            return _ROLES.get(message.role, HumanMessage)(content=message.content)
    # A type of message this page does not know: what it says is passed on as the user's words.
    return message if isinstance(message, SystemMessage) else HumanMessage(content=message.content)


_ROLES: Mapping[str, type[BaseMessage]] = {
    "system": SystemMessage,
    "developer": SystemMessage,
    "assistant": AIMessage,
    "ai": AIMessage,
}


def _plain_ai(message: AIMessage, dialect: Dialect) -> BaseMessage:
    calls = [(call["name"] or "", _args(call)) for call in _calls_of(message)]
    if not calls and isinstance(message.content, str):
        return message
    said = _text(message.content)
    written = dialect.write_all(calls)
    return AIMessage(content="\n".join(part for part in (said, written) if part))


def _args(call: Any) -> Mapping[str, Any]:
    """A past call's arguments; those of an unreadable one as the text they were."""
    args = call["args"]
    return args if isinstance(args, Mapping) else {"unreadable": args}


def _plain_human(message: HumanMessage, called: Mapping[str | None, str | None]) -> BaseMessage:
    """A user's message, with results that stand in it as Anthropic writes them framed like others."""
    if "tool_result" not in _block_types(message):
        return message
    content: list[str | dict[str, Any]] = []
    for block in message.content:
        if isinstance(block, dict) and block.get("type") == "tool_result":
            name = called.get(block.get("tool_use_id")) or "tool"
            framed = _result(name, block.get("content") or "", failed=bool(block.get("is_error")))
            content += _blocks(framed.content)
        else:
            content.append(block)
    return HumanMessage(content=_simplest(content))


def _result(name: str, content: Any, *, failed: bool = False) -> HumanMessage:
    """A tool's result as a user's message: framed text, then what no text can hold (images, files)."""
    blocks = _blocks(content)
    lifted = [block for block in blocks if isinstance(block, dict) and block.get("type") != "text"]
    framed = write_result(name, _text(blocks), failed=failed)
    return HumanMessage(content=_simplest([{"type": "text", "text": framed}, *lifted]))


def _text(content: _Content) -> str:
    """The words of a message."""
    if isinstance(content, str):
        return content
    return "".join(
        block if isinstance(block, str) else str(block.get("text") or "")
        for block in content
        if isinstance(block, str) or block.get("type") == "text"
    )


def _blocks(content: Any) -> list[str | dict[str, Any]]:
    if isinstance(content, str):
        return [{"type": "text", "text": content}] if content else []
    return list(content)


def _block_types(message: BaseMessage) -> list[Any]:
    if isinstance(message.content, str):
        return []
    return [block.get("type") for block in message.content if isinstance(block, dict)]


def _simplest(blocks: list[str | dict[str, Any]]) -> _Content:
    """A string where the blocks are nothing but plain text: many chat templates take no list."""
    if all(
        isinstance(block, str) or set(block) <= {"type", "text", "id", "index"} for block in blocks
    ):
        return "\n\n".join(
            block if isinstance(block, str) else str(block.get("text")) for block in blocks
        )
    return blocks


def _merge(messages: Sequence[BaseMessage]) -> list[BaseMessage]:
    """Neighbours of one role as one message: strict chat templates demand that roles take turns."""
    merged: list[BaseMessage] = []
    for message in messages:
        if merged and _role(merged[-1]) is _role(message):
            merged[-1] = _joined(merged[-1], message)
        else:
            merged.append(message)
    return merged


def _joined(first: BaseMessage, second: BaseMessage) -> BaseMessage:
    content = _simplest([*_blocks(first.content), *_blocks(second.content)])
    return _role(first)(content=content)


def _role(message: BaseMessage) -> type[BaseMessage]:
    """Who speaks: chunks and subclasses count as what they are kinds of."""
    return next(
        role for role in (SystemMessage, AIMessage, HumanMessage) if isinstance(message, role)
    )


def _split(messages: Sequence[BaseMessage]) -> tuple[list[BaseMessage], list[BaseMessage]]:
    """System messages as one, wherever they stood, and the talk: templates refuse a later one."""
    system = _merge([message for message in messages if isinstance(message, SystemMessage)])
    talk = _merge([message for message in messages if not isinstance(message, SystemMessage)])
    return system, talk


def _with_contract(system: Sequence[BaseMessage], contract: Contract) -> BaseMessage:
    own = SystemMessage(content=contract.system)
    return _joined(system[0], own) if system else own


def _example_messages(contract: Contract) -> list[BaseMessage]:
    turns: list[BaseMessage] = []
    for asked, answered in contract.examples:
        turns += [HumanMessage(content=asked), AIMessage(content=answered)]
    return turns


def _with_reminder(talk: Sequence[BaseMessage], reminder: str) -> list[BaseMessage]:
    """What is to be done next, at the end of the last message, where small models still know it."""
    return _merge([*talk, HumanMessage(content=reminder)]) if reminder else list(talk)
