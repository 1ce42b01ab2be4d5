"""A whole history: messages told apart into exchanges and rounds, and put together again; and lines for people to read."""

import json
from collections.abc import Iterator, Sequence
from typing import Any, Literal, TypeAlias

from langchain_core.messages import AIMessage, BaseMessage, ToolMessage

from langchain_toolemu.messages.content import words_of
from langchain_toolemu.rounds import records
from langchain_toolemu.rounds.records import Exchange, Round, Value

# Where a message is in its exchange: in this order, with rounds and their results repeating.
_Position: TypeAlias = Literal["opening", "round", "result", "final"]


class Rounds(Value):
    """A history as exchanges of rounds, ready to be stored as JSON and shown to people.

    `str(rounds)` is its `summary()`.

    Example:
        ```python
        stored = to_rounds(messages).model_dump_json()
        messages == to_messages(Rounds.model_validate_json(stored))
        ```
    """

    exchanges: list[Exchange] = []  # noqa: RUF012 - pydantic copies it

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
    before: _Position = "final"
    for number, message in enumerate(messages):
        records.refuse_losses(message, number)
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
    found = (record for exchange in rounds.exchanges for record in _records(exchange))
    return [records.message_of(record) for record in found]


def _position(message: BaseMessage, before: _Position) -> _Position:
    match message:
        case AIMessage():
            return "round" if message.tool_calls or message.invalid_tool_calls else "final"
        case ToolMessage() if before in ("round", "result"):
            return "result"
    return "opening"


def _enter(exchange: Exchange, place: _Position, message: Any) -> None:
    match place:
        case "opening":
            exchange.opening.append(records.text_record(message))
        case "round":
            exchange.rounds.append(records.round_record(message))
        case "result":
            exchange.rounds[-1].results.append(records.result_record(message))
        case "final":
            exchange.final = records.text_record(message)


def _records(exchange: Exchange) -> Iterator[records.Record]:
    yield from exchange.opening
    for round_ in exchange.rounds:
        yield round_
        yield from round_.results
    if exchange.final:
        yield exchange.final


def _lines(exchange: Exchange, width: int) -> Iterator[str]:
    """The lines of one exchange, with no text longer than so many characters."""
    for record in exchange.opening:
        yield _line(record, width)
    for number, round_ in enumerate(exchange.rounds, 1):
        said = [_shorten(round_.content, width)] if round_.content else []
        yield f"{number}. {' | '.join([*said, '; '.join(_steps(round_, width))])}"
    if exchange.final:
        yield _line(exchange.final, width)


def _line(record: records.TextRecord, width: int) -> str:
    return f"{_shorten(record.role, width)}: {_shorten(record.content, width)}"


def _steps(round_: Round, width: int) -> Iterator[str]:
    """Each call with its result, then the results that no call asked for."""
    waiting = list(round_.results)
    calls: list[records.AnyCallRecord] = [*round_.calls, *round_.invalid_calls]
    for call in calls:
        result = next((one for one in waiting if one.tool_call_id == call.id), None)
        if result:
            waiting.remove(result)
        yield f"{_call_text(call, width)} -> {_outcome(result, width)}"
    for result in waiting:
        yield f"unasked {_shorten(result.tool_call_id, width)} -> {_outcome(result, width)}"


def _call_text(call: records.AnyCallRecord, width: int) -> str:
    if isinstance(call, records.InvalidCallRecord):
        args = f"unreadable: {call.args or ''}"
    else:
        written = {key: json.dumps(value, ensure_ascii=False) for key, value in call.args.items()}
        args = ", ".join(f"{name}={value}" for name, value in written.items())
    return f"{_shorten(call.name or '?', width)}({_shorten(args, width)})"


def _outcome(result: records.ResultRecord | None, width: int) -> str:
    if result is None:
        return "(no result)"
    failed = "error: " if result.status == "error" else ""
    return failed + _shorten(result.content, width)


def _shorten(content: records.RecordContent, width: int) -> str:
    """The words as one line of printable text, cut where it says so; of what has no words, what it is made of."""
    text = words_of(content)
    if not text and not isinstance(content, str):
        blocks = ({"type": "text"} if isinstance(one, str) else one for one in content)
        text = f"[{', '.join(str(one.get('type', 'block')) for one in blocks)}]"
    line = " ".join(text.split())
    cut = line if len(line) <= width else f"{line[: max(width - 1, 0)]}…"
    return "".join(char if char.isprintable() else "?" for char in cut)
