"""What a history is made of: a record for each message, call and result, in exchanges.

A message comes back from its record as it was; one that JSON cannot give back is refused, with an error that names why.
"""

from collections.abc import Iterable, Iterator
from copy import deepcopy
from typing import Any, Literal, TypeAlias, TypeVar

from langchain_core import messages
from langchain_core.messages import AIMessage, BaseMessage, ToolMessage
from pydantic import (
    BaseModel,
    ConfigDict,
    JsonValue,
    SerializerFunctionWrapHandler,
    model_serializer,
)

from langchain_toolemu.errors import ToolSpecError
from langchain_toolemu.messages.content import words_of

_MESSAGE_CLASSES: dict[str, type[BaseMessage]] = {
    cls.model_fields["type"].default: cls
    for cls in (
        messages.AIMessage, messages.AIMessageChunk, messages.ChatMessage, messages.ChatMessageChunk,
        messages.FunctionMessage, messages.FunctionMessageChunk, messages.HumanMessage, messages.HumanMessageChunk,
        messages.RemoveMessage, messages.SystemMessage, messages.SystemMessageChunk, messages.ToolMessage,
        messages.ToolMessageChunk,
    )
}  # fmt: skip
"""LangChain's own classes of messages, by their `type`: these can be given back."""

_RESULT_FIELDS = ("content", "tool_call_id", "name", "status", "artifact")

# Pydantic reads no JSON that is nested deeper than 200; a record is up to ten deep itself.
_DEEPEST = 150

JsonObject: TypeAlias = dict[str, JsonValue]
RecordContent: TypeAlias = str | list[str | JsonObject]


class Value(BaseModel):
    """Written without the fields that say nothing, so that an ordinary history stays short."""

    # NaN and the infinities are written as Python's `json` writes them: as null they would be lost.
    model_config = ConfigDict(extra="forbid", ser_json_inf_nan="constants")

    @model_serializer(mode="wrap")
    def _leave_out_defaults(self, write: SerializerFunctionWrapHandler) -> dict[str, Any]:
        defaults = {name: one.default for name, one in type(self).model_fields.items()}
        written: dict[str, Any] = write(self)
        return {name: written[name] for name in written if getattr(self, name) != defaults[name]}


class _MessageRecord(Value):
    role: str
    content: RecordContent

    @property
    def text(self) -> str:
        """The words of the content, without images, thoughts and the like."""
        return words_of(self.content)


class TextRecord(_MessageRecord):
    """A message that is neither a call nor a result: the user's, the system's, or a final answer.

    Attributes:
        role: The message's `type`, such as `"human"`, `"system"` or `"ai"`.
        content: Its content; `text` has the words of it.
        more: Whatever else it carries, such as its `id`, by the names of the message's fields.

    Example:
        ```python
        TextRecord(role="human", content="What is the weather in Tokyo?")
        ```
    """

    more: JsonObject = {}


class CallRecord(Value):
    """A call the model made.

    Example:
        ```python
        CallRecord(name="weather_lookup", args={"city": "Tokyo"}, id="call_1")
        ```
    """

    name: str
    args: JsonObject
    id: str | None = None


class InvalidCallRecord(Value):
    """A call the model meant to make and that could not be read.

    Example:
        ```python
        InvalidCallRecord(name="weather_lookup", args='{"city": "Tok', id="call_1", error="cut off")
        ```
    """

    name: str | None = None
    args: str | None = None
    id: str | None = None
    error: str | None = None


class ResultRecord(_MessageRecord):
    """What a tool answered.

    Attributes:
        role: The message's `type`.
        content: What the model was told; `text` has the words of it.
        tool_call_id: The call it answers; it may be one that the round does not have.
        name: The tool's name, where the message has one.
        status: Whether the tool failed.
        artifact: What the tool kept from the model.
        more: Whatever else the message carries, such as its `id`.

    Example:
        ```python
        ResultRecord(tool_call_id="call_1", content='{"temp": 22, "condition": "sunny"}')
        ```
    """

    role: str = "tool"
    tool_call_id: str
    name: str | None = None
    status: Literal["success", "error"] = "success"
    artifact: JsonValue = None
    more: JsonObject = {}


class Round(_MessageRecord):
    """One step of an agent: text before the calls, the calls, and their results as they came in.

    Attributes:
        role: The `type` of the message that made the calls.
        content: What was said before the calls; `text` has the words of it.
        calls: The calls, in their order.
        invalid_calls: Those that could not be read.
        results: All results up to the next message of another kind: in any order, some missing, or
            of no call of this round.
        more: Whatever else the message that made the calls carries, such as `usage_metadata`.

    Example:
        ```python
        Round(
            content="Let me check the weather for you...",
            calls=[CallRecord(name="weather_lookup", args={"city": "Tokyo"}, id="call_1")],
            results=[ResultRecord(tool_call_id="call_1", content="22, sunny")],
        )
        ```
    """

    role: str = "ai"
    content: RecordContent = ""
    calls: list[CallRecord] = []
    invalid_calls: list[InvalidCallRecord] = []
    results: list[ResultRecord] = []
    more: JsonObject = {}


class Exchange(Value):
    """What was asked, the rounds that followed, and the answer.

    Attributes:
        opening: What came before the model spoke: the user's and system messages, and results that
            no round comes before.
        rounds: The rounds, in their order.
        final: The answer; `None` while there is none, or if somebody else spoke first.

    Example:
        ```python
        exchange = to_rounds(messages).exchanges[-1]
        print(len(exchange.rounds), exchange.final and exchange.final.text)
        ```
    """

    opening: list[TextRecord] = []
    rounds: list[Round] = []
    final: TextRecord | None = None


AnyCallRecord: TypeAlias = CallRecord | InvalidCallRecord
Record: TypeAlias = TextRecord | Round | ResultRecord  # whatever represents a message


def text_record(message: BaseMessage) -> TextRecord:
    """A message that is neither a call nor a result."""
    return _with_more(TextRecord(role=message.type, content=message.content), message)


def round_record(message: AIMessage) -> Round:
    """A message with calls, as a round without results yet."""
    plain = Round(
        role=message.type,
        content=message.content,
        calls=_call_records(CallRecord, message.tool_calls),
        invalid_calls=_call_records(InvalidCallRecord, message.invalid_tool_calls),
    )
    return _with_more(plain, message)


def result_record(message: ToolMessage) -> ResultRecord:
    """A tool's result."""
    fields = {name: getattr(message, name) for name in _RESULT_FIELDS}
    return _with_more(ResultRecord(role=message.type, **fields), message)


_Call = TypeVar("_Call", CallRecord, InvalidCallRecord)
_Some = TypeVar("_Some", TextRecord, Round, ResultRecord)


def _call_records(cls: type[_Call], calls: Iterable[Any]) -> list[_Call]:
    return [cls(**{name: call.get(name) for name in cls.model_fields}) for call in calls]


def _with_more(plain: _Some, message: BaseMessage) -> _Some:
    """A record with all that its message holds beyond what the record gives back by itself."""
    given_back = dict(message_of(plain))
    missing = object()
    more = {name: value for name, value in message if given_back.get(name, missing) != value}
    return plain.model_copy(update={"more": deepcopy(more)})


def message_of(record: Record) -> BaseMessage:
    """The message that a record represents."""
    if record.role not in _MESSAGE_CLASSES:
        # Without the record: it holds what people said.
        raise ToolSpecError(
            f"{record.role!r} is not a known role of a message. Use one of: {', '.join(_MESSAGE_CLASSES)}."
        )
    fields = {"content": record.content, **_message_fields(record), **record.more}
    # Not by the constructor, which would read calls anew from what a provider has sent.
    return _MESSAGE_CLASSES[record.role].model_construct(**deepcopy(fields))


def _message_fields(record: Record) -> dict[str, Any]:
    """What a record says of its message besides the content, by the names of the message's fields."""
    match record:
        case Round():
            calls = [{**dict(call), "type": "tool_call"} for call in record.calls]
            invalid = [{**dict(call), "type": "invalid_tool_call"} for call in record.invalid_calls]
            return {"tool_calls": calls, "invalid_tool_calls": invalid}
        case ResultRecord():
            return {name: getattr(record, name) for name in _RESULT_FIELDS}
    return {}


def refuse_losses(message: BaseMessage, position: int) -> None:
    """Refuse a message that would not come back as it was."""
    if type(message) is not _MESSAGE_CLASSES.get(message.type):
        raise ToolSpecError(
            f"Message {position} is a {type(message).__name__}, which is not one of LangChain's "
            "own messages and would come back as another class. Convert it before `to_rounds`."
        )
    for name, value in message:
        for fault in _not_json(value):
            raise ToolSpecError(
                f"Message {position} ({message.type}): `{name}` holds {fault}, which JSON cannot "
                "give back. Replace it before `to_rounds`, for example by "
                f"`message.model_copy(update={{{name!r}: ...}})`."
            )


def _not_json(value: object, depth: int = 0) -> Iterator[str]:
    match value:
        case None | bool() | int() | float():
            return
        case str():
            if not _is_text(value):
                yield f"half a surrogate pair in {ascii(value)[:60]}"
        case list() | dict() if depth > _DEEPEST:
            yield f"something nested deeper than {_DEEPEST}"
        case list():
            for item in value:
                yield from _not_json(item, depth + 1)
        case dict():
            for key, item in value.items():
                yield from _not_json(key) if isinstance(key, str) else [f"the key {key!r:.60}"]
                yield from _not_json(item, depth + 1)
        case _:
            yield f"a {type(value).__name__}"


def _is_text(value: str) -> bool:
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True
