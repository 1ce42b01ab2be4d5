"""Runs that nobody is told of give what `astream` gives."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Any

import pytest
from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.language_models import BaseChatModel, FakeListChatModel, GenericFakeChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage, HumanMessage
from langchain_core.outputs import ChatGenerationChunk
from langchain_core.runnables import RunnableLambda

from langchain_toolemu import ChatToolEmu
from langchain_toolemu.chat_models.unwatched_run import is_watched, stream_run
from tests.benchmarks.serve.load import TOOL

CALL = 'I look. {"name": "get_weather", "arguments": {"city": "Paris"}}'
QUESTION = HumanMessage("What is the weather in Paris?")


class _Listener(BaseCallbackHandler):
    def __init__(self) -> None:
        self.starts = 0

    def on_chat_model_start(self, *_: Any, **__: Any) -> None:
        self.starts += 1


class _Silent(FakeListChatModel):
    async def _astream(self, *_: Any, **__: Any) -> AsyncIterator[ChatGenerationChunk]:
        for chunk in ():
            yield chunk


async def _chunks(model: BaseChatModel, question: BaseMessage = QUESTION) -> list[dict[str, Any]]:
    async with aclosing(stream_run(model, [question], None, {"tools": [TOOL]})) as run:
        return [_essence(message) async for message in run]


def _essence(message: BaseMessage) -> dict[str, Any]:
    """A chunk without its id, and without those of its calls."""
    assert isinstance(message, AIMessageChunk)
    fields = message.model_dump(exclude={"id"})
    return {name: value for name, value in fields.items() if "tool_call" not in name} | {
        "calls": [(call["name"], call["args"]) for call in message.tool_call_chunks]
    }


@pytest.mark.parametrize("reply", [CALL, "It rains."])
def test_chunks(reply: str) -> None:
    """The chunks are those of `astream`, with the same metadata."""
    model = ChatToolEmu(FakeListChatModel(responses=[reply]), mode="force")

    async def native() -> list[dict[str, Any]]:
        stream = model.astream([QUESTION], tools=[TOOL])
        return [_essence(chunk) async for chunk in stream]

    assert asyncio.run(_chunks(model)) == asyncio.run(native())


def test_callbacks() -> None:
    """A callback is told, be it the model's own or that of a run around it."""
    own, outer = _Listener(), _Listener()
    llm = FakeListChatModel(responses=["It rains."], callbacks=[own])
    asyncio.run(_chunks(ChatToolEmu(llm, mode="force")))
    assert own.starts == 1

    plain = ChatToolEmu(FakeListChatModel(responses=["It rains."]), mode="force")
    assert not is_watched(plain)
    around = RunnableLambda(lambda _: None, afunc=lambda _: _chunks(plain))
    asyncio.run(around.ainvoke("go", {"callbacks": [outer]}))
    assert outer.starts == 1


def test_blocks() -> None:
    """Content in blocks is left to LangChain, which translates some."""
    llm = GenericFakeChatModel(messages=iter([AIMessage("A cat.")]))
    picture = {"type": "image", "source_type": "url", "url": "https://x.test/cat.png"}
    question = HumanMessage([{"type": "text", "text": "What is it?"}, picture])
    chunks = asyncio.run(_chunks(ChatToolEmu(llm, mode="off"), question))
    assert "".join(chunk["content"] for chunk in chunks) == "A cat."


def test_nothing() -> None:
    """A model that gives no chunk is an error, as in `astream`."""
    with pytest.raises(ValueError, match="No generation chunks"):
        asyncio.run(_chunks(_Silent(responses=[""])))
