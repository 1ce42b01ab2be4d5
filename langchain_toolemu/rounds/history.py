"""A whole history: messages told apart into exchanges and rounds, and put together again."""

from collections.abc import Iterator, Sequence
from typing import Any, Literal, TypeAlias

from langchain_core.messages import AIMessage, BaseMessage, ToolMessage

from langchain_toolemu.rounds.conversion import message_of, result_of, round_of, text_of
from langchain_toolemu.rounds.losses import refuse_losses
from langchain_toolemu.rounds.records import Exchange, Record, Round, Value
from langchain_toolemu.rounds.summary import lines_of

# Where a message is in its exchange: in this order, with rounds and their results repeating.
_Place: TypeAlias = Literal["opening", "round", "result", "final"]


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
        return "\n".join(line for exchange in self.exchanges for line in lines_of(exchange, width))

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
        refuse_losses(message, position)
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
    return [message_of(record) for exchange in rounds.exchanges for record in _records(exchange)]


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
            exchange.opening.append(text_of(message))
        case "round":
            exchange.rounds.append(round_of(message))
        case "result":
            exchange.rounds[-1].results.append(result_of(message))
        case "final":
            exchange.final = text_of(message)


def _records(exchange: Exchange) -> Iterator[Record]:
    """All that represents a message, in the messages' order."""
    yield from exchange.opening
    for round_ in exchange.rounds:
        yield round_
        yield from round_.results
    if exchange.final:
        yield exchange.final
