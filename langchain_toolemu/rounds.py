"""A history as rounds: what was said before the calls, the calls, their results; then the final text.

Two pure functions, and a value that is JSON through and through. A record says in plain fields what a
reader wants to see, and holds in `more` whatever else its message carries and nothing that its fields
have said. What JSON cannot give back is refused with an error that names it; nothing is ever left out.
"""

import json
from collections.abc import Iterator, Sequence
from copy import deepcopy
from typing import Any, Literal, TypeAlias, TypeVar

from langchain_core.messages import (
    AIMessage,
    AIMessageChunk,
    BaseMessage,
    ChatMessage,
    ChatMessageChunk,
    FunctionMessage,
    FunctionMessageChunk,
    HumanMessage,
    HumanMessageChunk,
    RemoveMessage,
    SystemMessage,
    SystemMessageChunk,
    ToolMessage,
    ToolMessageChunk,
)
from pydantic import (
    BaseModel,
    ConfigDict,
    JsonValue,
    SerializerFunctionWrapHandler,
    model_serializer,
)

from langchain_toolemu.errors import ToolSpecError

_Json: TypeAlias = dict[str, JsonValue]
_Content: TypeAlias = str | list[str | _Json]

_KINDS: dict[str, type[BaseMessage]] = {
    kind.model_fields["type"].default: kind
    for kind in (
        AIMessage,
        AIMessageChunk,
        ChatMessage,
        ChatMessageChunk,
        FunctionMessage,
        FunctionMessageChunk,
        HumanMessage,
        HumanMessageChunk,
        RemoveMessage,
        SystemMessage,
        SystemMessageChunk,
        ToolMessage,
        ToolMessageChunk,
    )
}

# Pydantic reads no JSON that is nested deeper than 200; a record stands up to ten deep itself.
_DEEPEST = 150

# Where a message stands in its exchange: in this order, with rounds and their results repeating.
_Place: TypeAlias = Literal["opening", "round", "result", "final"]


class _Value(BaseModel):
    """Written without the fields that say nothing, so that an ordinary history stays short."""

    # NaN and the infinities are written as Python's `json` writes them: as null they would be lost.
    model_config = ConfigDict(extra="forbid", ser_json_inf_nan="constants")

    @model_serializer(mode="wrap")
    def _leave_out_defaults(self, write: SerializerFunctionWrapHandler) -> dict[str, Any]:
        fields = type(self).model_fields
        written: dict[str, Any] = write(self)
        return {
            name: value
            for name, value in written.items()
            if getattr(self, name) != fields[name].default
        }


class _Record(_Value):
    """One message: who speaks, and what."""

    role: str
    content: _Content

    @property
    def text(self) -> str:
        """The words of the content, without images, thoughts and the like."""
        return _text(self.content)


class TextRecord(_Record):
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

    more: _Json = {}


class CallRecord(_Value):
    """A call the model made.

    Example:
        ```python
        CallRecord(name="weather_lookup", args={"city": "Tokyo"}, id="call_1")
        ```
    """

    name: str
    args: _Json
    id: str | None = None


class InvalidCallRecord(_Value):
    """A call the model meant to make and nobody could read.

    Example:
        ```python
        InvalidCallRecord(name="weather_lookup", args='{"city": "Tok', id="call_1", error="cut off")
        ```
    """

    name: str | None = None
    args: str | None = None
    id: str | None = None
    error: str | None = None


class ResultRecord(_Record):
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
    more: _Json = {}


class Round(_Record):
    """One step of an agent: text before the calls, the calls, and their results as they came in.

    Attributes:
        role: The `type` of the message that made the calls.
        content: What was said before the calls; `text` has the words of it.
        calls: The calls, in their order.
        invalid_calls: Those that nobody could read.
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
    content: _Content = ""
    calls: list[CallRecord] = []
    invalid_calls: list[InvalidCallRecord] = []
    results: list[ResultRecord] = []
    more: _Json = {}


class Exchange(_Value):
    """What was asked, the rounds that followed, and the answer.

    Attributes:
        opening: What came before the model spoke: the user's and system messages, and results that
            no round stands before.
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


class Rounds(_Value):
    """A history as exchanges of rounds, ready to be stored as JSON and shown to people.

    `str(rounds)` is its `summary()`.

    Example:
        ```python
        stored = to_rounds(messages).model_dump_json()
        messages == to_messages(Rounds.model_validate_json(stored))
        ```
    """

    exchanges: list[Exchange] = []

    @property
    def rounds(self) -> list[Round]:
        """The rounds of all exchanges.

        Example:
            ```python
            calls = [call.name for round in history.rounds for call in round.calls]
            ```
        """
        return [round_ for exchange in self.exchanges for round_ in exchange.rounds]

    @property
    def final(self) -> str | None:
        """The text of the last exchange's answer; `None` while there is no answer.

        Example:
            ```python
            to_rounds([HumanMessage("Hi"), AIMessage("Hello!")]).final  # "Hello!"
            ```
        """
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
    before: _Place = "final"
    for position, message in enumerate(messages):
        _check(message, position)
        place = _place(message, before)
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
    return [_message(record) for exchange in rounds.exchanges for record in _records(exchange)]


def _place(message: BaseMessage, before: _Place) -> _Place:
    match message:
        case AIMessage():
            return "round" if message.tool_calls or message.invalid_tool_calls else "final"
        case ToolMessage() if before in ("round", "result"):
            return "result"
    return "opening"


def _enter(exchange: Exchange, place: _Place, message: Any) -> None:
    match place:
        case "opening":
            exchange.opening.append(_text_record(message))
        case "round":
            exchange.rounds.append(_round(message))
        case "result":
            exchange.rounds[-1].results.append(_result(message))
        case "final":
            exchange.final = _text_record(message)


def _text_record(message: BaseMessage) -> TextRecord:
    return _with_more(TextRecord(role=message.type, content=message.content), message)


def _round(message: AIMessage) -> Round:
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


def _result(message: ToolMessage) -> ResultRecord:
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
    given_back = dict(_message(plain))
    more = {
        name: value
        for name, value in message
        if name not in given_back or given_back[name] != value
    }
    return plain.model_copy(update={"more": deepcopy(more)})


def _records(exchange: Exchange) -> Iterator[TextRecord | Round | ResultRecord]:
    """All that stands for a message, in the messages' order."""
    yield from exchange.opening
    for round_ in exchange.rounds:
        yield round_
        yield from round_.results
    if exchange.final:
        yield exchange.final


def _message(record: TextRecord | Round | ResultRecord) -> BaseMessage:
    """The message a record stands for."""
    if record.role not in _KINDS:
        # Without the record: it holds what people said.
        raise ToolSpecError(
            f"No kind of message is called {record.role!r}. Known are: {', '.join(_KINDS)}."
        )
    fields = {"content": record.content, **_fields(record), **record.more}
    # Not by the constructor, which would read calls anew from what a provider has sent.
    return _KINDS[record.role].model_construct(**deepcopy(fields))


def _fields(record: TextRecord | Round | ResultRecord) -> dict[str, Any]:
    """What a record says of its message beside the content, by the names of the message's fields."""
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


def _check(message: BaseMessage, position: int) -> None:
    """Refuse a message that would not come back as it was."""
    if type(message) is not _KINDS.get(message.type):
        raise ToolSpecError(
            f"Message {position} is a {type(message).__name__}, which is no message of LangChain's "
            "own and would come back as another. Make it one of those before `to_rounds`."
        )
    for name, value in message:
        for fault in _faults(value):
            raise ToolSpecError(
                f"Message {position} ({message.type}): `{name}` holds {fault}, which JSON cannot "
                "give back. Replace it before `to_rounds`, for example by "
                f"`message.model_copy(update={{{name!r}: ...}})`."
            )


def _faults(value: object, depth: int = 0) -> Iterator[str]:
    """What in a value is not JSON."""
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
                yield from _faults(item, depth + 1)
        case dict():
            for key, item in value.items():
                yield from _faults(key) if isinstance(key, str) else [f"the key {key!r:.60}"]
                yield from _faults(item, depth + 1)
        case _:
            yield f"a {type(value).__name__}"


def _is_text(value: str) -> bool:
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def _lines(exchange: Exchange, width: int) -> Iterator[str]:
    for record in exchange.opening:
        yield _line(record, width)
    for number, round_ in enumerate(exchange.rounds, 1):
        said = [_short(_shown(round_.content), width)] if round_.content else []
        yield f"{number}. {' | '.join([*said, '; '.join(_steps(round_, width))])}"
    if exchange.final:
        yield _line(exchange.final, width)


def _line(record: TextRecord, width: int) -> str:
    return f"{_short(record.role, width)}: {_short(_shown(record.content), width)}"


def _steps(round_: Round, width: int) -> Iterator[str]:
    """Each call with its result, then the results that no call asked for."""
    waiting = list(round_.results)
    calls: list[CallRecord | InvalidCallRecord] = [*round_.calls, *round_.invalid_calls]
    for call in calls:
        result = next((one for one in waiting if one.tool_call_id == call.id), None)
        if result:
            waiting.remove(result)
        yield f"{_written(call, width)} -> {_outcome(result, width)}"
    for result in waiting:
        yield f"unasked {_short(result.tool_call_id, width)} -> {_outcome(result, width)}"


def _written(call: CallRecord | InvalidCallRecord, width: int) -> str:
    match call:
        case CallRecord():
            pairs = (
                f"{name}={json.dumps(value, ensure_ascii=False)}"
                for name, value in call.args.items()
            )
            args = ", ".join(pairs)
        case InvalidCallRecord():
            args = f"unreadable: {call.args or ''}"
    return f"{_short(call.name or '?', width)}({_short(args, width)})"


def _outcome(result: ResultRecord | None, width: int) -> str:
    if result is None:
        return "(no result)"
    failed = "error: " if result.status == "error" else ""
    return failed + _short(_shown(result.content), width)


def _shown(content: _Content) -> str:
    """The words; of what has none, what it is made of."""
    if isinstance(content, str):
        return content
    return _text(content) or f"[{', '.join(_kind(block) for block in content)}]"


def _kind(block: str | _Json) -> str:
    return "text" if isinstance(block, str) else str(block.get("type", "block"))


def _text(content: _Content) -> str:
    if isinstance(content, str):
        return content
    return "".join(
        block if isinstance(block, str) else str(block.get("text") or "")
        for block in content
        if isinstance(block, str) or block.get("type") == "text"
    )


def _short(text: str, width: int) -> str:
    """One line of printable text, cut where it says so."""
    line = " ".join(text.split())
    cut = line if len(line) <= width else f"{line[: max(width - 1, 0)]}…"
    return "".join(char if char.isprintable() else "?" for char in cut)
