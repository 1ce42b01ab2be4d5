"""A history as rounds: the words before the calls, the calls, their results; then the final text.

A value that is JSON through and through, and back without loss: what a record's plain fields do not
say is in its `more`.
"""

import re
from collections.abc import Iterator, Sequence
from copy import deepcopy
from typing import Any, Literal, TypeAlias

from langchain_core import messages as kinds
from langchain_core.messages import AIMessage, BaseMessage, MessageLikeRepresentation, ToolMessage
from pydantic import BaseModel, ConfigDict, JsonValue, model_serializer

from langchain_toolemu.errors import ToolSpecError
from langchain_toolemu.messages.content import words_of

__all__ = ["Rounds", "to_messages", "to_rounds"]

_NAMES = [name for name in kinds.__all__ if re.fullmatch(r"(?!Any|Base)\w+Message(Chunk)?", name)]
_CLASSES: list[type[BaseMessage]] = [getattr(kinds, name) for name in _NAMES]
# LangChain's own classes of messages, by their `type`: these can be given back.
_BY_TYPE = {cls.model_fields["type"].default: cls for cls in _CLASSES}
_OF_RESULTS = ("tool_call_id", "name", "status", "artifact")
_DEEPEST = 150  # pydantic reads 200 levels of JSON, of which a record is up to ten
_Object: TypeAlias = dict[str, JsonValue]
_Content: TypeAlias = str | list[str | _Object]


class _Value(BaseModel):
    # NaN and the infinities are written as Python's `json` writes them: as null they would be lost.
    model_config = ConfigDict(extra="forbid", ser_json_inf_nan="constants")

    @model_serializer(mode="wrap")
    def _leave_out_defaults(self, write: Any) -> dict[str, Any]:
        fields, written = type(self).model_fields, write(self)
        return {key: written[key] for key in written if getattr(self, key) != fields[key].default}


class TextRecord(_Value):
    """A message: its `type`, its content, and in `more` its other fields by their names."""

    role: str
    content: _Content
    more: _Object = {}

    @property
    def text(self) -> str:
        """The words of the content, without images, thoughts and the like."""
        return words_of(self.content)


class CallRecord(_Value):
    """A call the model made."""

    name: str
    args: _Object
    id: str | None = None


class ResultRecord(TextRecord):
    """What a tool answered. Its `tool_call_id` may be one that the round does not have."""

    role: str = "tool"
    tool_call_id: str
    name: str | None = None
    status: Literal["success", "error"] = "success"
    artifact: JsonValue = None


class Round(TextRecord):
    """One step of an agent: text, calls, those that could not be read, and the results."""

    role: str = "ai"
    content: _Content = ""
    calls: list[CallRecord] = []
    invalid_calls: list[_Object] = []
    results: list[ResultRecord] = []


class Exchange(_Value):
    """What was asked, the rounds that followed, and the answer.

    The answer is `None` if there is none, or somebody else spoke first.
    """

    opening: list[TextRecord] = []
    rounds: list[Round] = []
    final: TextRecord | None = None


class Rounds(_Value):
    """A history as exchanges of rounds.

    `model_dump_json()` stores it, and `Rounds.model_validate_json(...)` reads it again.
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


def to_rounds(messages: Sequence[MessageLikeRepresentation]) -> Rounds:
    """A history as rounds; the messages are neither changed nor shared.

    Dicts and pairs are read as LangChain reads them. An exchange ends with a message of the model
    that makes no call, or where somebody but the model and its tools speaks. Raises a
    `ToolSpecError` for what JSON cannot give back: an artifact that is an object, a tuple, half a
    character.

    Example:
        ```python
        history = to_rounds(agent.invoke({"messages": "Weather in Tokyo?"})["messages"])
        history.rounds[0].calls[0].name  # "weather_lookup"
        messages = to_messages(Rounds.model_validate_json(history.model_dump_json()))
        ```
    """
    exchanges: list[Exchange] = []
    before: Any = None
    for number, message in enumerate(kinds.convert_to_messages(messages)):
        _refuse_losses(message, number)
        record = _record(message, follows_round=isinstance(before, Round | ResultRecord))
        answers = isinstance(record, Round | ResultRecord) or isinstance(message, AIMessage)
        if not exchanges or exchanges[-1].final or (before is not None and not answers):
            exchanges.append(Exchange())
        match record:
            case Round():
                exchanges[-1].rounds.append(record)
            case ResultRecord():
                exchanges[-1].rounds[-1].results.append(record)
            case _ if answers:
                exchanges[-1].final = record
            case _:
                exchanges[-1].opening.append(record)
        before = record if answers else None
    return Rounds(exchanges=exchanges)


def to_messages(rounds: Rounds) -> list[BaseMessage]:
    """The messages that rounds were made of, equal to what they were; nothing in them is shared."""
    records: list[TextRecord] = []
    for exchange in rounds.exchanges:
        steps = (record for step in exchange.rounds for record in (step, *step.results))
        records += (*exchange.opening, *steps, *filter(None, [exchange.final]))
    return [*map(_message, records)]


def _record(message: Any, *, follows_round: bool) -> TextRecord:
    """A record, with all that its message holds beyond what the record gives back by itself."""
    fields: Any = {"role": message.type, "content": message.content}
    plain = TextRecord(**fields)
    if isinstance(message, AIMessage) and (message.tool_calls or message.invalid_tool_calls):
        fields["invalid_calls"], known = message.invalid_tool_calls, CallRecord.model_fields
        fields["calls"] = [{key: call.get(key) for key in known} for call in message.tool_calls]
        plain = Round(**fields)
    elif isinstance(message, ToolMessage) and follows_round:
        plain = ResultRecord(**fields, **{name: getattr(message, name) for name in _OF_RESULTS})
    given_back, missing = dict(_message(plain)), object()
    more = {name: value for name, value in message if given_back.get(name, missing) != value}
    return plain.model_copy(update={"more": deepcopy(more)})


def _message(record: TextRecord) -> BaseMessage:
    if record.role not in _BY_TYPE:  # the record is not shown: it holds what people said
        roles = ", ".join(_BY_TYPE)
        raise ToolSpecError(f"{record.role!r} is no role: use {roles}.", code="not_storable")
    fields: dict[str, Any] = {"content": record.content}
    if isinstance(record, Round):
        fields["tool_calls"] = [{**dict(call), "type": "tool_call"} for call in record.calls]
        fields["invalid_tool_calls"] = record.invalid_calls
    elif isinstance(record, ResultRecord):
        fields |= {name: getattr(record, name) for name in _OF_RESULTS}
    # Not by the constructor, which would read calls anew from what a provider has sent.
    return _BY_TYPE[record.role].model_construct(**deepcopy({**fields, **record.more}))


def _refuse_losses(message: BaseMessage, position: int) -> None:
    faults = [f"`{name}` holds {fault}" for name, value in message for fault in _not_json(value)]
    if type(message) is not _BY_TYPE.get(message.type):
        faults = [f"{type(message).__name__} is not one of LangChain's own classes"]
    if faults:
        text = (
            f"Message {position} ({message.type}) would not come back from JSON: {faults[0]}. "
            "Replace that by a text, a list or a dict."
        )
        raise ToolSpecError(text, code="not_storable")


def _not_json(value: object, depth: int = 0) -> Iterator[str]:
    match value:
        case str() if value != value.encode(errors="ignore").decode():
            yield f"half a surrogate pair in {ascii(value)[:60]}"
        case None | bool() | int() | float() | str():
            return
        case list() | dict() if depth > _DEEPEST:
            yield f"something nested deeper than {_DEEPEST}"
        case list() | dict():
            keys = value if isinstance(value, dict) else ()
            yield from (f"the key {key!r:.60}" for key in keys if not isinstance(key, str))
            for item in (*keys, *value.values()) if isinstance(value, dict) else value:
                yield from _not_json(item, depth + 1)
        case _:
            yield f"a {type(value).__name__}"
