"""The scripted chat model: replies as it is told, whole and in pieces, and keeps what it was asked."""

import json
from collections.abc import AsyncIterator, Iterator
from itertools import cycle
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import Field

from tests.benchmarks.compare.replies import Failure, Reply, read_args

_NEEDS = {"tools": "tools", "choice": "tool_choice", "format": "response_format"}


class ProviderError(Exception):
    """An error as a provider's client raises it."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(f"Error code: {failure.status} - {failure.message}")
        self.status_code = failure.status
        self.body = {"error": {"message": failure.message}}


class TextModel(BaseChatModel):
    """A chat model without tools.

    Attributes:
        replies: What it replies, the last one over and over.
        sizes: The lengths of a stream's pieces.
        model_name: Its name.
        requests: What was asked: the messages, the stop sequences, and all keyword arguments.
    """

    replies: Any = ()
    sizes: tuple[int, ...] = (1,)
    model_name: str = "scripted"
    requests: list[tuple[list[BaseMessage], Any, dict[str, Any]]] = Field(default_factory=list)
    place: int = 0

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def _next(self, messages: list[BaseMessage], stop: Any, kwargs: dict[str, Any]) -> Reply:
        self.requests.append((list(messages), stop, kwargs))
        reply: Reply = self.replies[min(self.place, len(self.replies) - 1)]
        self.place += 1
        failure = reply.error
        if failure and not kwargs.get(_NEEDS.get(failure.when, ""), failure.when == "always"):
            return Reply(reply.text, finish="stop")
        if reply.calls and not kwargs.get("tools"):
            calls = [{"name": name, "arguments": args} for name, args in reply.calls]
            text = "\n".join([reply.text, *map(json.dumps, calls)]).strip()
            return Reply(text, finish="stop", tokens=reply.tokens)
        return reply

    # --- whole ---

    def _generate(
        self, messages: list[BaseMessage], stop: Any = None, run_manager: Any = None, **kwargs: Any
    ) -> ChatResult:
        reply = self._next(messages, stop, kwargs)
        if reply.error:
            raise ProviderError(reply.error)
        return ChatResult(generations=[ChatGeneration(message=_whole(reply))])

    async def _agenerate(
        self, messages: list[BaseMessage], stop: Any = None, run_manager: Any = None, **kwargs: Any
    ) -> ChatResult:
        return self._generate(messages, stop, run_manager, **kwargs)

    # --- in pieces ---

    def _stream(
        self, messages: list[BaseMessage], stop: Any = None, run_manager: Any = None, **kwargs: Any
    ) -> Iterator[ChatGenerationChunk]:
        reply = self._next(messages, stop, kwargs)
        if not (reply.error and not reply.error.in_stream):
            for piece in _pieces(reply, self.sizes):
                yield ChatGenerationChunk(message=piece)
        if reply.error:
            raise ProviderError(reply.error)

    async def _astream(
        self, messages: list[BaseMessage], stop: Any = None, run_manager: Any = None, **kwargs: Any
    ) -> AsyncIterator[ChatGenerationChunk]:
        for piece in self._stream(messages, stop, run_manager, **kwargs):
            yield piece


class ToolModel(TextModel):
    """A chat model that takes tools, whatever it does with them."""

    def bind_tools(self, tools: Any, *, tool_choice: Any = None, **kwargs: Any) -> Any:
        """Bind tools as most integrations do."""
        choice = {"tool_choice": tool_choice} if tool_choice is not None else {}
        described = [convert_to_openai_tool(tool) for tool in tools]
        return self.bind(tools=described, **choice, **kwargs)


def _details(reply: Reply) -> dict[str, Any]:
    details: dict[str, Any] = {}
    if reply.finish:
        details["response_metadata"] = {"finish_reason": reply.finish, "model_name": "scripted"}
    if reply.tokens:
        counted = {
            "input_tokens": reply.tokens,
            "output_tokens": 5,
            "total_tokens": reply.tokens + 5,
        }
        details["usage_metadata"] = counted
    return details  # fmt: skip


def _content(text: str, reply: Reply) -> Any:
    """Text or blocks, and blocks only: LangChain's sum of the two has an empty text among the blocks."""
    if not reply.in_blocks:
        return text
    return [{"type": "text", "text": text, "index": 0}] if text else []


def _written(args: Any) -> str:
    return args if isinstance(args, str) else json.dumps(args)


def _whole(reply: Reply) -> AIMessage:
    good, bad = [], []
    for number, (name, args) in enumerate(reply.calls):
        read = read_args(args)
        if read is not None:
            good.append({"name": name, "args": read, "id": f"call_{number}"})
        else:
            bad.append(
                {"name": name, "args": _written(args), "id": f"call_{number}", "error": None}
            )
    thought = {"reasoning_content": reply.thought} if reply.thought else {}
    return AIMessage(
        _content(reply.text, reply),
        tool_calls=good,
        invalid_tool_calls=bad,
        additional_kwargs=thought,
        **_details(reply),
    )


def _pieces(reply: Reply, sizes: tuple[int, ...]) -> Iterator[AIMessageChunk]:
    if reply.thought:
        thought = {"reasoning_content": reply.thought}
        yield AIMessageChunk(_content("", reply), additional_kwargs=thought)
    lengths = cycle(sizes)
    for piece in _cut(reply.text, lengths):
        yield AIMessageChunk(_content(piece, reply))
    for number, (name, args) in enumerate(reply.calls):
        begun = {"name": name, "args": "", "id": f"call_{number}", "index": number}
        yield AIMessageChunk(_content("", reply), tool_call_chunks=[begun])
        for piece in _cut(_written(args), lengths):
            more = {"name": None, "args": piece, "id": None, "index": number}
            yield AIMessageChunk(_content("", reply), tool_call_chunks=[more])
    yield AIMessageChunk(_content("", reply), **_details(reply))


def _cut(text: str, lengths: Iterator[int]) -> Iterator[str]:
    start = 0
    while start < len(text):
        end = start + next(lengths)
        yield text[start:end]
        start = end
