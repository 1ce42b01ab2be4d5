"""What a history is made of: a record for each message, call and result, in exchanges."""

from typing import Any, Literal, TypeAlias

from pydantic import (
    BaseModel,
    ConfigDict,
    JsonValue,
    SerializerFunctionWrapHandler,
    model_serializer,
)

from langchain_toolemu.messages.content import words_of

Json: TypeAlias = dict[str, JsonValue]
RecordContent: TypeAlias = str | list[str | Json]


class Value(BaseModel):
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


class _Record(Value):
    """One message: who speaks, and what."""

    role: str
    content: RecordContent

    @property
    def text(self) -> str:
        """The words of the content, without images, thoughts and the like."""
        return words_of(self.content)


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

    more: Json = {}


class CallRecord(Value):
    """A call the model made.

    Example:
        ```python
        CallRecord(name="weather_lookup", args={"city": "Tokyo"}, id="call_1")
        ```
    """

    name: str
    args: Json
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
    more: Json = {}


class Round(_Record):
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
    more: Json = {}


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


Record: TypeAlias = TextRecord | Round | ResultRecord
"""Whatever represents a message."""
