"""What a protocol is to the gateway: a request in, an answer out, and errors.

A protocol is one folder, whose `__init__` is one `WireProtocol`:

- `request.py`, the request in: a JSON body becomes a `ClientRequest` in LangChain's terms, or a subclass with what the
  answer will depend on. `Fields` takes the body apart; a bad field raises a `RequestError`.
- `answer.py`, the answer out: an `Answer` as one JSON body, or its parts as events while they come (a `StreamWriter`).
- Errors: a `Fault` as the protocol's error body, and as the event that ends a stream (`StreamWriter.fail`).

To add a protocol: its folder, its name in `Wire`, its route in app.py, and a line in forwarding.py if upstreams speak it.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, Protocol, TypeAlias, TypeVar

from langchain_core.messages import BaseMessage

from langchain_toolemu.serve.answer import Answer, AnswerPart
from langchain_toolemu.serve.faults import Fault
from langchain_toolemu.serve.request_fields import RequestSettings

Wire: TypeAlias = Literal["openai_chat", "openai_responses", "anthropic_messages"]
"""A protocol, as a client or an upstream speaks it."""


@dataclass(frozen=True, slots=True)
class RawRequest:
    """A request as it arrived.

    Attributes:
        body: The JSON object.
        headers: The headers, by names in lower case.
        verbatim: Whether the upstream speaks this protocol, so that content need not be translated.
    """

    body: dict[str, Any]
    headers: Mapping[str, str] = field(default_factory=dict)
    verbatim: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientRequest:
    """A request in LangChain's terms, whatever protocol it came in.

    Attributes:
        wire: The protocol.
        model: The name of the model that is asked for.
        messages: The conversation.
        tools: The function tools on offer, as their protocol writes them.
        built_ins: The provider's own tools on offer, as their protocol writes them.
        tool_choice: As `bind_tools` takes it.
        parallel: Whether one reply may make several calls; `None` if nothing is said.
        response_format: The form of the answer, as OpenAI writes it.
        stop: Stop sequences.
        limit: The name and the value of the most tokens that a reply may have.
        sampling: `temperature` and `top_p`, which every protocol has.
        own: Fields that only this protocol knows.
        stream: Whether the answer is to be streamed.
        settings: What the request chooses of `ChatToolEmu`.
    """

    wire: Wire
    model: str
    messages: Sequence[BaseMessage]
    tools: Sequence[dict[str, Any]] = ()
    built_ins: Sequence[dict[str, Any]] = ()
    tool_choice: Any = None
    parallel: bool | None = None
    response_format: dict[str, Any] | None = None
    stop: list[str] | None = None
    limit: tuple[str, int] | None = None
    sampling: Mapping[str, Any] = field(default_factory=dict)
    own: Mapping[str, Any] = field(default_factory=dict)
    stream: bool = False
    settings: RequestSettings = field(default_factory=RequestSettings)


class StreamWriter(Protocol):
    """Writes one answer as server-sent events."""

    def open(self) -> bytes:
        """What comes before the first part."""

    def write(self, part: AnswerPart) -> bytes:
        """The events that show a part."""

    def close(
        self, answer: Answer, missing: Iterable[AnswerPart], report: Mapping[str, Any] | None
    ) -> bytes:
        """How the answer ends.

        Args:
            answer: The whole.
            missing: What no chunk of the turn held.
            report: What was done, if the client wants to know.
        """

    def fail(self, fault: Fault) -> bytes:
        """An error that came after the first byte."""

    def ping(self) -> bytes:
        """What tells the client, while nothing else is sent, that the turn goes on."""


R = TypeVar("R", bound=ClientRequest)


@dataclass(frozen=True, slots=True)
class WireProtocol(Generic[R]):
    """A protocol.

    Attributes:
        wire: Its name.
        read: Reads a request; raises a `RequestError` if it cannot be served as it is.
        write: Writes an answer in one piece.
        stream: Makes a writer of events.
        write_fault: Writes the body of an error response.
    """

    wire: Wire
    read: Callable[[RawRequest], R]
    write: Callable[[R, Answer], dict[str, Any]]
    stream: Callable[[R], StreamWriter]
    write_fault: Callable[[Fault], dict[str, Any]]
