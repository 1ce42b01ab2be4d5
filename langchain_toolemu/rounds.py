"""A history as rounds: what was said before the calls, the calls, their results; then the final text.

A value that is JSON through and through, and back without loss: a record says in plain fields what a reader wants to see, and
holds in `more` whatever else its message carries. A message that JSON cannot give back is refused, with an error that says why.
"""

import json
from collections.abc import Iterator, Sequence
from copy import deepcopy
from typing import Any, Literal, TypeAlias, TypeVar

from langchain_core import messages as kinds
from langchain_core.messages import AIMessage, BaseMessage, ToolMessage
from pydantic import BaseModel, ConfigDict, JsonValue, model_serializer

from langchain_toolemu.errors import ToolSpecError
from langchain_toolemu.messages.content import words_of

__all__ = ["Rounds", "to_messages", "to_rounds"]

# LangChain's own classes of messages, by their `type`: these can be given back.
_MESSAGE_CLASSES: dict[str, type[BaseMessage]] = {
    cls.model_fields["type"].default: cls
    for cls in (
        kinds.AIMessage, kinds.AIMessageChunk, kinds.ChatMessage, kinds.ChatMessageChunk, kinds.FunctionMessage,
        kinds.FunctionMessageChunk, kinds.HumanMessage, kinds.HumanMessageChunk, kinds.RemoveMessage, kinds.SystemMessage,
        kinds.SystemMessageChunk, kinds.ToolMessage, kinds.ToolMessageChunk,
    )
}  # fmt: skip
_RESULT_FIELDS = ("content", "tool_call_id", "name", "status", "artifact")
# pydantic reads no JSON that is nested deeper than 200; a record is up to ten deep itself.
_DEEPEST = 150

JsonObject: TypeAlias = dict[str, JsonValue]
RecordContent: TypeAlias = str | list[str | JsonObject]


class _Value(BaseModel):
    """Written without the fields that say nothing, so that an ordinary history stays short."""

    # NaN and the infinities are written as Python's `json` writes them: as null they would be lost.
    model_config = ConfigDict(extra="forbid", ser_json_inf_nan="constants")

    @model_serializer(mode="wrap")
    def _leave_out_defaults(self, write: Any) -> dict[str, Any]:
        fields, written = type(self).model_fields, write(self)
        return {key: written[key] for key in written if getattr(self, key) != fields[key].default}


class _MessageRecord(_Value):
    role: str
    content: RecordContent

    @property
    def text(self) -> str:
        """The words of the content, without images, thoughts and the like."""
        return words_of(self.content)


class TextRecord(_MessageRecord):
    """A message that is neither a call nor a result: the user's, the system's, or a final answer.

    `role` is the message's `type`, such as `"human"`; `more` has what else it carries, by the names of the message's fields.
    """

    more: JsonObject = {}


class CallRecord(_Value):
    """A call the model made."""

    name: str
    args: JsonObject
    id: str | None = None


class InvalidCallRecord(_Value):
    """A call the model meant to make and that could not be read."""

    name: str | None = None
    args: str | None = None
    id: str | None = None
    error: str | None = None


class ResultRecord(_MessageRecord):
    """What a tool answered. Its `tool_call_id` may be one that the round does not have."""

    role: str = "tool"
    tool_call_id: str
    name: str | None = None
    status: Literal["success", "error"] = "success"
    artifact: JsonValue = None
    more: JsonObject = {}


class Round(_MessageRecord):
    """One step of an agent: text before the calls, the calls, and their results as they came in.

    `results` are all up to the next message of another kind: in any order, some missing, or of no call of this round.
    """

    role: str = "ai"
    content: RecordContent = ""
    calls: list[CallRecord] = []
    invalid_calls: list[InvalidCallRecord] = []
    results: list[ResultRecord] = []
    more: JsonObject = {}


class Exchange(_Value):
    """What was asked, the rounds that followed, and the answer.

    `opening` is what came before the model spoke; `final` is `None` while there is no answer, or if somebody else spoke first.
    """

    opening: list[TextRecord] = []
    rounds: list[Round] = []
    final: TextRecord | None = None


class Rounds(_Value):
    """A history as exchanges of rounds, ready to be stored as JSON and shown to people; `str(rounds)` is its `summary()`.

    Example:
        ```python
        stored = to_rounds(messages).model_dump_json()
        messages == to_messages(Rounds.model_validate_json(stored))
        ```
    """

    exchanges: list[Exchange] = []

    @property
    def rounds(self) -> list[Round]:
        """The rounds of all exchanges."""
        return [round_ for exchange in self.exchanges for round_ in exchange.rounds]

    @property
    def final(self) -> str | None:
        """The text of the last exchange's answer; `None` while there is no answer."""
        answer = self.exchanges[-1].final if self.exchanges else None
        return answer.text if answer else None

    def summary(self, width: int = 60) -> str:
        """One line for each round and for each message around them; rounds count from 1 per exchange.

        Args:
            width: The longest text, arguments or result shown whole; longer ones end in `…`.

        Example:
            ```python
            print(to_rounds(messages).summary())
            # human: What's the weather in Tokyo?
            # 1. Let me check... | weather_lookup(city="Tokyo") -> 22, sunny
            # ai: It is 22 degrees and sunny in Tokyo!
            ```
        """
        return "\n".join(line for exchange in self.exchanges for line in _lines(exchange, width))

    def __str__(self) -> str:
        return self.summary()


_Record: TypeAlias = TextRecord | Round | ResultRecord  # whatever represents a message
_Some = TypeVar("_Some", TextRecord, Round, ResultRecord)
_Position: TypeAlias = Literal["opening", "round", "result", "final"]


def to_rounds(messages: Sequence[BaseMessage]) -> Rounds:
    """A history as rounds; the messages are neither changed nor shared.

    An exchange ends with a message of the model that makes no call, or where somebody but the model
    and its tools speaks. `to_messages` gives back equal messages, also after a way through JSON.

    Args:
        messages: Any history of LangChain's own kinds of message, chunks included.

    Raises:
        ToolSpecError: A message holds what JSON cannot give back (an artifact that is an object, a
            tuple, half a surrogate pair), or is of a class of its own.

    Example:
        ```python
        history = to_rounds(agent.invoke({"messages": "Weather in Tokyo?"})["messages"])
        history.rounds[0].calls[0].name  # "weather_lookup"
        history.final  # "It is 22 degrees and sunny in Tokyo!"
        ```
    """
    exchanges: list[Exchange] = []
    before: _Position = "final"
    for number, message in enumerate(messages):
        _refuse_losses(message, number)
        place = _position(message, before)
        if before == "final" or (place == "opening" != before):
            exchanges.append(Exchange())
        _enter(exchanges[-1], place, message)
        before = place
    return Rounds(exchanges=exchanges)


def to_messages(rounds: Rounds) -> list[BaseMessage]:
    """The messages that rounds were made of, equal to what they were; nothing in them is shared.

    Example:
        ```python
        history = Rounds.model_validate_json(stored)
        agent.invoke({"messages": [*to_messages(history), HumanMessage("And in Oslo?")]})
        ```
    """
    return [_message(one) for exchange in rounds.exchanges for one in _records(exchange)]


def _position(message: BaseMessage, before: _Position) -> _Position:
    match message:
        case AIMessage():
            return "round" if message.tool_calls or message.invalid_tool_calls else "final"
        case ToolMessage() if before in ("round", "result"):
            return "result"
    return "opening"


def _enter(exchange: Exchange, place: _Position, message: Any) -> None:
    if place == "round":
        calls = _known(CallRecord, message.tool_calls)
        invalid = _known(InvalidCallRecord, message.invalid_tool_calls)
        fields = {"content": message.content, "calls": calls, "invalid_calls": invalid}
        exchange.rounds.append(_record(Round, message, **fields))
    elif place == "result":
        fields = {name: getattr(message, name) for name in _RESULT_FIELDS}
        exchange.rounds[-1].results.append(_record(ResultRecord, message, **fields))
    else:
        text = _record(TextRecord, message, content=message.content)
        exchange.opening.append(text) if place == "opening" else setattr(exchange, "final", text)


def _known(cls: type[BaseModel], calls: Sequence[Any]) -> list[dict[str, Any]]:
    """The fields of calls that a record has; others are kept in `more`."""
    return [{name: call.get(name) for name in cls.model_fields} for call in calls]


def _record(cls: type[_Some], message: BaseMessage, **fields: Any) -> _Some:
    """A record, with all that its message holds beyond what the record gives back by itself."""
    plain = cls(role=message.type, **fields)
    given_back, missing = dict(_message(plain)), object()
    more = {name: value for name, value in message if given_back.get(name, missing) != value}
    return plain.model_copy(update={"more": deepcopy(more)})


def _message(record: _Record) -> BaseMessage:
    if record.role not in _MESSAGE_CLASSES:
        # Without the record: it holds what people said.
        raise ToolSpecError(
            f"{record.role!r} is not a known role of a message. Use one of: {', '.join(_MESSAGE_CLASSES)}."
        )
    fields: dict[str, Any] = {"content": record.content}
    match record:
        case Round():
            fields["tool_calls"] = [{**dict(call), "type": "tool_call"} for call in record.calls]
            invalid = [{**dict(call), "type": "invalid_tool_call"} for call in record.invalid_calls]
            fields["invalid_tool_calls"] = invalid
        case ResultRecord():
            fields = {name: getattr(record, name) for name in _RESULT_FIELDS}
    # Not by the constructor, which would read calls anew from what a provider has sent.
    return _MESSAGE_CLASSES[record.role].model_construct(**deepcopy({**fields, **record.more}))


def _records(exchange: Exchange) -> Iterator[_Record]:
    yield from exchange.opening
    for round_ in exchange.rounds:
        yield round_
        yield from round_.results
    if exchange.final:
        yield exchange.final


# --- what would be lost ---


def _refuse_losses(message: BaseMessage, position: int) -> None:
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
            if value != value.encode(errors="ignore").decode():
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


# --- lines for people to read ---


def _lines(exchange: Exchange, width: int) -> Iterator[str]:
    yield from (_line(record, width) for record in exchange.opening)
    for number, round_ in enumerate(exchange.rounds, 1):
        said = [_shorten(round_.content, width)] if round_.content else []
        yield f"{number}. {' | '.join([*said, '; '.join(_steps(round_, width))])}"
    if exchange.final:
        yield _line(exchange.final, width)


def _line(record: TextRecord, width: int) -> str:
    return f"{_shorten(record.role, width)}: {_shorten(record.content, width)}"


def _steps(round_: Round, width: int) -> Iterator[str]:
    """Each call with its result, then the results that no call asked for."""
    waiting = list(round_.results)
    calls: list[CallRecord | InvalidCallRecord] = [*round_.calls, *round_.invalid_calls]
    for call in calls:
        if result := next((one for one in waiting if one.tool_call_id == call.id), None):
            waiting.remove(result)
        yield f"{_call_text(call, width)} -> {_outcome(result, width)}"
    for result in waiting:
        yield f"unasked {_shorten(result.tool_call_id, width)} -> {_outcome(result, width)}"


def _call_text(call: CallRecord | InvalidCallRecord, width: int) -> str:
    if isinstance(call, InvalidCallRecord):
        args = f"unreadable: {call.args or ''}"
    else:
        written = ((key, json.dumps(value, ensure_ascii=False)) for key, value in call.args.items())
        args = ", ".join(f"{name}={value}" for name, value in written)
    return f"{_shorten(call.name or '?', width)}({_shorten(args, width)})"


def _outcome(result: ResultRecord | None, width: int) -> str:
    if result is None:
        return "(no result)"
    return ("error: " if result.status == "error" else "") + _shorten(result.content, width)


def _shorten(content: RecordContent, width: int) -> str:
    """The words as one line of printable text, cut where it says so; of what has no words, what it is made of."""
    text = words_of(content)
    if not text and not isinstance(content, str):
        types = ("text" if isinstance(one, str) else one.get("type", "block") for one in content)
        text = f"[{', '.join(map(str, types))}]"
    line = " ".join(text.split())
    cut = line if len(line) <= width else f"{line[: max(width - 1, 0)]}…"
    return "".join(char if char.isprintable() else "?" for char in cut)
