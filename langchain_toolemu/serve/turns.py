"""One turn of a client: what `ChatToolEmu` is given, and what it answers.

Every decision about tools is `ChatToolEmu`'s. Here is only what a request has and a chat model cannot know: a client's
key, the name it calls the model by, and tools that are built into a provider.
"""

from collections.abc import AsyncGenerator, Iterator, Mapping
from contextlib import aclosing, suppress
from dataclasses import dataclass
from typing import Any

from langchain_core.messages import AIMessageChunk, BaseMessage

from langchain_toolemu.chat_models.toolemu import ChatToolEmu
from langchain_toolemu.serve.answer import Answer, Part, Reading
from langchain_toolemu.serve.ask import Ask
from langchain_toolemu.serve.faults import invalid
from langchain_toolemu.serve.forwarding import forward, kind_of, wire_of
from langchain_toolemu.serve.models import ServedModel
from langchain_toolemu.tools.specs import function_name


class TurnError(Exception):
    """A turn ended with an error: its cause, which is the upstream's or the model's."""


@dataclass(frozen=True)
class PreparedTurn:
    """A turn that can begin.

    Attributes:
        model: The chat model, with what the request chooses.
        messages: The conversation.
        stop: Stop sequences.
        kwargs: All else that the chat model is called with.
        dropped: What of the request is not sent on.
        served: The model's name at the upstream.
    """

    model: ChatToolEmu
    messages: list[BaseMessage]
    stop: list[str] | None
    kwargs: dict[str, Any]
    dropped: tuple[str, ...]
    served: str

    async def whole(self) -> Answer:
        """The answer in one piece.

        Raises:
            TurnError: There is none.
        """
        try:
            message = await self.model.ainvoke(self.messages, stop=self.stop, **self.kwargs)
        except Exception as error:
            raise TurnError from error
        return Reading().take(message)

    async def streamed(self, reading: Reading) -> AsyncGenerator[list[Part], None]:
        """The parts of the answer as they come.

        Raises:
            TurnError: It broke off, or never came.
        """
        chunks = self.model.astream(self.messages, stop=self.stop, **self.kwargs)
        try:
            async with aclosing(chunks) as stream:  # type: ignore[type-var]
                async for chunk in stream:
                    if isinstance(chunk, AIMessageChunk) and (parts := reading.feed(chunk)):
                        yield parts
        except Exception as error:
            raise TurnError from error

    def asked(self) -> Iterator[str]:
        """All that the upstream may have been sent, as far as it can be told afterwards."""
        yield from (message.text for message in self.messages)
        with suppress(Exception):  # what cannot be written now was not sent either
            sent = self.model.preview(self.messages, tools=self.kwargs.get("tools") or ())
            yield from (message.text for message in sent)


def prepare(ask: Ask, served: ServedModel, key: str | None = None) -> PreparedTurn:
    """A turn for a request.

    Args:
        ask: The request.
        served: The model it asks for.
        key: The client's key, if it goes to the upstream.

    Raises:
        RequestError: It asks for what cannot be done.
        ToolSpecError: Its tools cannot be bound.
    """
    model = served.with_settings(ask.settings, ask.model)
    forwarded = forward(ask, served.upstream)
    left_out = _left_out(ask, model)
    tools = [*ask.tools, *(ask.built_ins if not left_out else ())]
    name = {"model": ask.model} if served.takes_any_name else {}
    return PreparedTurn(
        model=model,
        messages=list(ask.messages),
        stop=ask.stop,
        kwargs={
            **forwarded.kwargs,
            **_terms(ask, model, tools),
            **_key_header(served, key),
            **name,
        },
        dropped=(*forwarded.dropped, *(f"tools.{one}" for one in left_out)),
        served=ask.model if served.takes_any_name else served.upstream_name,
    )


def _left_out(ask: Ask, model: ChatToolEmu) -> list[str]:
    """The provider's own tools that cannot be offered: in mode off, a provider that knows them is asked itself.

    Raises:
        RequestError: Nothing else is offered, or one of them is demanded.
    """
    if model.mode == "off" and ask.wire == wire_of(model.llm):
        return []
    names = [function_name(tool) or str(tool.get("type")) for tool in ask.built_ins]
    words = {*names, *(str(tool.get("type")) for tool in ask.built_ins)}
    demanded = ask.tool_choice.get("type") if isinstance(ask.tool_choice, dict) else ask.tool_choice
    if names and (not ask.tools or demanded in words):
        raise invalid(
            f"Built into a provider, and nothing that this server can call: {', '.join(names)}. Offer function tools.",
            "tools",
        )
    return names


def _terms(ask: Ask, model: ChatToolEmu, tools: list[dict[str, Any]]) -> Mapping[str, Any]:
    """Tools, choice and form as a call of the chat model carries them."""
    form: dict[str, Any] = {"response_format": ask.response_format} if ask.response_format else {}
    if not tools:
        if ask.tool_choice not in (None, "auto", "none"):
            raise invalid(
                "'tool_choice' is only allowed when 'tools' are specified.", "tool_choice"
            )
        return form
    parallel = {} if ask.parallel is None else {"parallel_tool_calls": ask.parallel}
    try:
        bound = model.bind_tools(tools, tool_choice=_choice(ask, model), **parallel, **form)
    except (KeyError, TypeError) as error:
        raise invalid(f"The tools cannot be bound: {error}", "tools") from error
    return bound.kwargs


def _choice(ask: Ask, model: ChatToolEmu) -> Any:
    """The choice; ChatAnthropic would take the word "none" for a tool's name."""
    if ask.tool_choice == "none" and kind_of(model.llm) == "anthropic":
        return {"type": "none"}
    return ask.tool_choice


def _key_header(served: ServedModel, key: str | None) -> dict[str, Any]:
    """The header that hands the client's key to the upstream."""
    if not key:
        return {}
    name = "x-api-key" if kind_of(served.upstream) == "anthropic" else "Authorization"
    value = key if name == "x-api-key" else f"Bearer {key}"
    return {"extra_headers": {name: value}}
