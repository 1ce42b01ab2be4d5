"""Chat models without a server, each a convention that integrations and other projects' tests follow."""

from collections.abc import AsyncIterator, Iterator
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.runnables import RunnableLambda
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import Field


class Toy(BaseChatModel):
    """Cannot stream and has no `bind_tools`. Says one message after the other, the last one over and over.

    Attributes:
        said: The messages, or their texts.
        heard: What it was sent: messages, stop sequences and keyword arguments of each request.
    """

    said: list[Any]
    heard: Any = Field(default_factory=list)

    @property
    def _llm_type(self) -> str:
        return "toy"

    def _next(self, messages: list[BaseMessage], stop: Any, kwargs: dict[str, Any]) -> AIMessage:
        # No choice is no choice, whether it is said or not.
        kwargs = {name: value for name, value in kwargs.items() if value is not None}
        self.heard.append((messages, stop, kwargs))
        said = self.said[min(len(self.heard), len(self.said)) - 1]
        return AIMessage(said) if isinstance(said, str) else said.model_copy()

    def _generate(
        self, messages: list[BaseMessage], stop: Any = None, run_manager: Any = None, **kwargs: Any
    ) -> ChatResult:
        message = self._next(messages, stop, kwargs)
        return ChatResult(generations=[ChatGeneration(message=message)])


def _pieces(message: AIMessage) -> Iterator[ChatGenerationChunk]:
    for start in range(0, len(message.text), 5):
        yield ChatGenerationChunk(message=AIMessageChunk(message.text[start : start + 5]))
    calls = [
        {"name": call["name"], "args": _json(call["args"]), "id": call["id"], "index": number}
        for number, call in enumerate(message.tool_calls)
    ]
    end = AIMessageChunk(
        "", tool_call_chunks=calls, response_metadata=message.response_metadata, id=message.id
    )
    yield ChatGenerationChunk(message=end)


def _json(args: Any) -> str:
    return AIMessageChunk("", tool_calls=[{"name": "", "args": args, "id": ""}]).tool_call_chunks[
        0
    ]["args"]


class Streaming(Toy):
    """Streams its messages in pieces of five letters."""

    def _stream(
        self, messages: list[BaseMessage], stop: Any = None, run_manager: Any = None, **kwargs: Any
    ) -> Iterator[ChatGenerationChunk]:
        yield from _pieces(self._next(messages, stop, kwargs))


class AsyncStreaming(Toy):
    """Streams where it is awaited, and only there."""

    async def _astream(
        self, messages: list[BaseMessage], stop: Any = None, run_manager: Any = None, **kwargs: Any
    ) -> AsyncIterator[ChatGenerationChunk]:
        for piece in _pieces(self._next(messages, stop, kwargs)):
            yield piece


class Binding(Streaming):
    """`bind_tools` binds tool dicts, as provider packages do."""

    def bind_tools(self, tools: Any, **kwargs: Any) -> Any:
        return self.bind(tools=[convert_to_openai_tool(tool) for tool in tools], **kwargs)


class TakesAnyTool(Streaming):
    """`bind_tools` binds dicts as they come, as packages of providers with tools of their own do."""

    def bind_tools(self, tools: Any, **kwargs: Any) -> Any:
        return self.bind(
            tools=[one if isinstance(one, dict) else convert_to_openai_tool(one) for one in tools],
            **kwargs,
        )


class TakesToolsOnly(Streaming):
    """`bind_tools` has no parameter for a choice, nor for anything else."""

    def bind_tools(self, tools: Any) -> Any:
        return self.bind(tools=[convert_to_openai_tool(tool) for tool in tools])


class ReturnsItself(Streaming):
    """`bind_tools` returns the model, as most test doubles do."""

    def bind_tools(self, tools: Any, **kwargs: Any) -> Any:
        return self


class WholeReturnsItself(Toy):
    """The same, and cannot stream."""

    def bind_tools(self, tools: Any, **kwargs: Any) -> Any:
        return self


class ReturnsCopy(Streaming):
    """`bind_tools` returns a copy that knows the tools."""

    tools: list[Any] = Field(default_factory=list)

    def bind_tools(self, tools: Any, **kwargs: Any) -> Any:
        return self.model_copy(update={"tools": [convert_to_openai_tool(tool) for tool in tools]})

    def _next(self, messages: list[BaseMessage], stop: Any, kwargs: dict[str, Any]) -> AIMessage:
        known = {"known": self.tools} if self.tools else {}
        return super()._next(messages, stop, {**kwargs, **known})


class BindsCopy(ReturnsCopy):
    """`bind_tools` returns a copy that knows the tools, with settings bound to it."""

    def bind_tools(self, tools: Any, **kwargs: Any) -> Any:
        return super().bind_tools(tools).bind(**kwargs, seed=7)


class Configured(Binding):
    """`bind_tools` says something of its runs, too."""

    def bind_tools(self, tools: Any, **kwargs: Any) -> Any:
        return super().bind_tools(tools, **kwargs).with_config(tags=["bound"])


class ReturnsChain(Streaming):
    """`bind_tools` returns a chain around the model."""

    def bind_tools(self, tools: Any, **kwargs: Any) -> Any:
        return self.bind(seed=7) | RunnableLambda(lambda message: message)


class ReturnsFunction(Streaming):
    """`bind_tools` returns a runnable in which no model can be seen."""

    def bind_tools(self, tools: Any, **kwargs: Any) -> Any:
        return RunnableLambda(lambda messages: self.invoke(messages))


TOYS = [
    Toy,
    Streaming,
    AsyncStreaming,
    Binding,
    ReturnsItself,
    WholeReturnsItself,
    ReturnsCopy,
    BindsCopy,
    Configured,
    ReturnsChain,
    ReturnsFunction,
]
