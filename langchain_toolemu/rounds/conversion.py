"""Messages as records, and records as the messages they were; nothing in either is shared."""

from copy import deepcopy
from typing import Any, TypeVar

from langchain_core.messages import AIMessage, BaseMessage, ToolMessage

from langchain_toolemu.errors import ToolSpecError
from langchain_toolemu.rounds.kinds import KINDS
from langchain_toolemu.rounds.records import (
    CallRecord,
    InvalidCallRecord,
    Record,
    ResultRecord,
    Round,
    TextRecord,
)


def text_of(message: BaseMessage) -> TextRecord:
    """A message that is neither a call nor a result."""
    return _with_more(TextRecord(role=message.type, content=message.content), message)


def round_of(message: AIMessage) -> Round:
    """A message with calls, as a round without results yet."""
    calls = [
        CallRecord(name=call["name"], args=call["args"], id=call.get("id"))
        for call in message.tool_calls
    ]
    invalid = [
        InvalidCallRecord(
            name=call.get("name"),
            args=call.get("args"),
            id=call.get("id"),
            error=call.get("error"),
        )
        for call in message.invalid_tool_calls
    ]
    plain = Round(role=message.type, content=message.content, calls=calls, invalid_calls=invalid)
    return _with_more(plain, message)


def result_of(message: ToolMessage) -> ResultRecord:
    """A tool's result."""
    plain = ResultRecord(
        role=message.type,
        content=message.content,
        tool_call_id=message.tool_call_id,
        name=message.name,
        status=message.status,
        artifact=message.artifact,
    )
    return _with_more(plain, message)


_Some = TypeVar("_Some", TextRecord, Round, ResultRecord)


def _with_more(plain: _Some, message: BaseMessage) -> _Some:
    """A record with all that its message holds beyond what the record gives back by itself."""
    given_back = dict(message_of(plain))
    more = {
        name: value
        for name, value in message
        if name not in given_back or given_back[name] != value
    }
    return plain.model_copy(update={"more": deepcopy(more)})


def message_of(record: Record) -> BaseMessage:
    """The message that a record represents."""
    if record.role not in KINDS:
        # Without the record: it holds what people said.
        raise ToolSpecError(
            f"No kind of message is called {record.role!r}. Known are: {', '.join(KINDS)}."
        )
    fields = {"content": record.content, **_fields(record), **record.more}
    # Not by the constructor, which would read calls anew from what a provider has sent.
    return KINDS[record.role].model_construct(**deepcopy(fields))


def _fields(record: Record) -> dict[str, Any]:
    """What a record says of its message besides the content, by the names of the message's fields."""
    match record:
        case Round():
            return {
                "tool_calls": [{**dict(call), "type": "tool_call"} for call in record.calls],
                "invalid_tool_calls": [
                    {**dict(call), "type": "invalid_tool_call"} for call in record.invalid_calls
                ],
            }
        case ResultRecord():
            names = ("tool_call_id", "name", "status", "artifact")
            return {name: getattr(record, name) for name in names}
        case TextRecord():
            return {}
