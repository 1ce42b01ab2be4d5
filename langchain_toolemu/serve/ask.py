"""What a client asks for, whatever its protocol: messages, tools and settings as LangChain knows them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from langchain_core.messages import BaseMessage

from langchain_toolemu.serve.request_settings import RequestSettings

Wire: TypeAlias = Literal["openai_chat", "openai_responses", "anthropic_messages"]
"""A protocol, as a client or an upstream speaks it."""


@dataclass(frozen=True, slots=True)
class Ask:
    """One request of a client.

    Attributes:
        wire: The protocol it came in.
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


_KINDS = ("auto", "any", "required", "none")


def named(name: str) -> str | dict[str, Any]:
    """The choice of one tool as every integration's `bind_tools` takes it: its name, unless that is a word of its own."""
    return {"type": "function", "function": {"name": name}} if name in _KINDS else name
