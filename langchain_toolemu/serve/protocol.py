"""What a protocol is to this server: how a request is read, and how an answer is written.

The endpoints know nothing else of a protocol. Each has a folder of its own, which ends in one value of this kind.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from langchain_toolemu.serve.answer import Answer, Part
from langchain_toolemu.serve.ask import Ask, Wire
from langchain_toolemu.serve.faults import Fault

Json: TypeAlias = dict[str, Any]


class StreamWriter(Protocol):
    """Writes one answer as server-sent events."""

    def open(self) -> bytes:
        """What comes before anything was said."""

    def write(self, part: Part) -> bytes:
        """The events that show a part."""

    def close(
        self, answer: Answer, missing: Iterable[Part], report: Mapping[str, Any] | None
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
        """A sign of life."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """A request of a client, and how it is answered.

    Attributes:
        ask: What it asks for.
        whole: Writes an answer in one piece.
        stream: Makes a writer of events.
    """

    ask: Ask
    whole: Callable[[Answer], Json]
    stream: Callable[[], StreamWriter]


class ReadRequest(Protocol):
    """Reads a request."""

    def __call__(self, body: Json, headers: Mapping[str, str], *, verbatim: bool) -> Exchange:
        """What a body asks for.

        Args:
            body: The request.
            headers: Its headers, by names in lower case.
            verbatim: Whether the upstream speaks this protocol, so that content need not be translated.
        """


@dataclass(frozen=True, slots=True)
class WireProtocol:
    """A protocol.

    Attributes:
        wire: Its name.
        read: Reads a request.
        write_fault: Writes the body of an error response.
    """

    wire: Wire
    read: ReadRequest
    write_fault: Callable[[Fault], Json]
