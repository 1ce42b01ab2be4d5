"""What a protocol is to the gateway: a request in, an answer out, and errors.

A protocol is one folder, whose `__init__` is one `WireProtocol`:

- `request.py`, the request in: a JSON body becomes a `ClientRequest` in LangChain's terms, or a subclass with what the
  answer will depend on. `Fields` takes the body apart; a bad field raises a `RequestError`.
- `answer.py`, the answer out: an `Answer` as one JSON body, or its parts as events while they come (a `StreamWriter`).
- Errors: a `Fault` as the protocol's error body, and as the event that ends a stream (`StreamWriter.fail`).

To add a protocol: its folder, its name in `Wire`, its route in app.py, its path in `fault_body` of access.py (for errors
before a request is read), and a line in forwarding.py if upstreams speak it.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, Protocol, TypeAlias, TypeVar

from langchain_core.messages import BaseMessage

from langchain_toolemu.serve import sse
from langchain_toolemu.serve.answer import Answer, AnswerPart
from langchain_toolemu.serve.faults import Fault
from langchain_toolemu.serve.request_fields import RequestSettings

# A protocol, as a client or an upstream speaks it.
Wire: TypeAlias = Literal["openai_chat", "openai_responses", "anthropic_messages"]

# What was done for an answer, if the client wants to know.
Report: TypeAlias = Mapping[str, Any] | None


@dataclass(frozen=True, slots=True)
class RawRequest:
    """A request as it arrived, with its headers by names in lower case."""

    body: dict[str, Any]
    headers: Mapping[str, str] = field(default_factory=dict)
    verbatim: bool = False  # whether the upstream speaks this protocol: content is not translated


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientRequest:
    """A request in LangChain's terms, whatever protocol it came in."""

    wire: Wire
    model: str  # as the client calls it
    messages: Sequence[BaseMessage]
    tools: Sequence[dict[str, Any]] = ()  # function tools, as their protocol writes them
    built_ins: Sequence[dict[str, Any]] = ()  # the provider's own tools, likewise
    tool_choice: Any = None  # as `bind_tools` takes it
    parallel: bool | None = None  # whether one reply may make several calls
    response_format: dict[str, Any] | None = None  # as OpenAI writes it
    stop: list[str] | None = None
    limit: tuple[str, int] | None = None  # the most tokens of a reply, and the field that said it
    sampling: Mapping[str, Any] = field(default_factory=dict)  # `temperature` and `top_p`
    own: Mapping[str, Any] = field(default_factory=dict)  # fields that only this protocol knows
    stream: bool = False
    settings: RequestSettings = field(default_factory=RequestSettings)


class StreamWriter(Protocol):
    """Writes one answer as server-sent events."""

    def open(self) -> bytes:
        """What comes before the first part."""
        return b""

    def write(self, part: AnswerPart) -> bytes:
        """The events that show a part."""

    def close(self, answer: Answer, missing: Iterable[AnswerPart], report: Report) -> bytes:
        """How the answer ends: with what no chunk of the turn held, and a report if the client wants one."""

    def fail(self, fault: Fault) -> bytes:
        """An error that came after the first byte."""

    def ping(self) -> bytes:
        """What tells the client, while nothing else is sent, that the turn goes on."""
        return sse.KEEP_ALIVE


R = TypeVar("R", bound=ClientRequest)


@dataclass(frozen=True, slots=True)
class WireProtocol(Generic[R]):
    """A protocol: its name, and how requests are read, and answers and errors written."""

    wire: Wire
    read: Callable[[RawRequest], R]  # raises a `RequestError` for what cannot be served as it is
    write: Callable[[R, Answer], dict[str, Any]]  # an answer in one piece
    stream: Callable[[R], StreamWriter]
    write_fault: Callable[[Fault], dict[str, Any]]  # the body of an error response
