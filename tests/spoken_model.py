"""A chat model that says one reply, whole or in the pieces a test cuts it into, without a server or a thread."""

from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk
from langchain_core.messages.tool import tool_call, tool_call_chunk
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult

USAGE = {"input_tokens": 50, "output_tokens": 7, "total_tokens": 57}


class SpokenModel(BaseChatModel):
    """Says the same to whatever it is asked.

    Attributes:
        pieces: The reply's text.
        calls: Native calls, as name and JSON; a stream sends the JSON in two halves.
        thoughts: What it thought, as servers send it next to the content.
        finish: How it ends.
    """

    pieces: Sequence[str] = ()
    calls: Sequence[tuple[str, str]] = ()
    thoughts: str = ""
    finish: str = "stop"

    @property
    def _llm_type(self) -> str:
        return "spoken"

    def bind_tools(self, tools: Any, **kwargs: Any) -> Any:
        """Native tools, if it has native calls to make."""
        if not self.calls:
            raise NotImplementedError
        return self.bind(tools=tools, **kwargs)

    def _generate(self, *_: Any, **__: Any) -> ChatResult:
        import json

        message = AIMessage(
            "".join(self.pieces),
            tool_calls=[
                tool_call(name=name, args=json.loads(args), id=f"call_{number}")
                for number, (name, args) in enumerate(self.calls)
            ],
            additional_kwargs={"reasoning_content": self.thoughts} if self.thoughts else {},
            response_metadata={"finish_reason": self.finish},
            usage_metadata=USAGE,
        )
        return ChatResult(generations=[ChatGeneration(message=message)])

    async def _agenerate(self, *_: Any, **__: Any) -> ChatResult:
        return self._generate()

    def _stream(self, *_: Any, **__: Any) -> Iterator[ChatGenerationChunk]:
        for message in self._chunks():
            yield ChatGenerationChunk(message=message)

    async def _astream(self, *_: Any, **__: Any) -> AsyncIterator[ChatGenerationChunk]:
        for message in self._chunks():
            yield ChatGenerationChunk(message=message)

    def _chunks(self) -> Iterator[AIMessageChunk]:
        for half in (self.thoughts[:5], self.thoughts[5:]):
            if half:
                yield AIMessageChunk("", additional_kwargs={"reasoning_content": half})
        yield from map(AIMessageChunk, self.pieces)
        for number, (name, args) in enumerate(self.calls):
            opening = {"name": name, "args": args[:4], "id": f"call_{number}", "index": number}
            rest = {"name": None, "args": args[4:], "id": None, "index": number}
            for piece in (opening, rest):
                yield AIMessageChunk("", tool_call_chunks=[tool_call_chunk(**piece)])
        yield AIMessageChunk(
            "", response_metadata={"finish_reason": self.finish}, usage_metadata=USAGE
        )
