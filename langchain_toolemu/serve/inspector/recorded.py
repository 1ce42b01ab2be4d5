"""`ChatToolEmu` that writes down what it sends and what comes back, for the turn that the task works on."""

import time
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing, contextmanager
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGenerationChunk, ChatResult
from typing_extensions import override

from langchain_toolemu.chat_models.toolemu import ChatToolEmu
from langchain_toolemu.messages.content import words_of, write_json
from langchain_toolemu.messages.metadata import FINISH_KEYS
from langchain_toolemu.options import redact
from langchain_toolemu.serve.inspector.recording import (
    UpstreamRequest,
    current_recording,
    message_json,
    shorten,
)
from langchain_toolemu.turn.turn_input import Request


class RecordedChatToolEmu(ChatToolEmu):
    """A `ChatToolEmu` under inspection."""

    @override
    async def _asend(self, request: Request, run_manager: Any = None) -> ChatResult:
        with _record(request) as sent:
            result = await super()._asend(request, run_manager)
            for generation in result.generations[:1]:
                _record_reply(sent, generation.message, generation.generation_info)
        return result

    @override
    async def _asend_streaming(self, request: Request) -> AsyncGenerator[ChatGenerationChunk, None]:
        if not self.llm._should_stream(async_api=True, **{**request.kwargs, "stream": True}):
            # The whole reply is asked for, and recorded there.
            async with aclosing(super()._asend_streaming(request)) as pieces:
                async for piece in pieces:
                    yield piece
            return
        with _record(request) as sent:
            async with aclosing(super()._asend_streaming(request)) as pieces:
                async for piece in pieces:
                    _record_reply(sent, piece.message, piece.generation_info)
                    yield piece


@contextmanager
def _record(request: Request) -> Iterator[UpstreamRequest]:
    settings = {"stop": request.stop, **redact(request.kwargs)}
    sent = UpstreamRequest(
        [message_json(message) for message in request.messages],
        {name: shorten(value) for name, value in settings.items() if value is not None},
        time.perf_counter(),
    )
    if (turn := current_recording.get()) is not None:
        turn.sent.append(sent)
    try:
        yield sent
    except BaseException as error:
        sent.error = type(error).__name__
        raise
    finally:
        sent.seconds = round(time.perf_counter() - sent.started, 4)


def _record_reply(
    sent: UpstreamRequest, message: BaseMessage, info: dict[str, object] | None
) -> None:
    """Record a piece of a reply."""
    if words := words_of(message.content):
        sent.reply.append(words)
    said = {**(info or {}), **message.response_metadata}
    sent.finish = next((str(said[key]) for key in FINISH_KEYS if said.get(key)), sent.finish)
    if not isinstance(message, AIMessage):
        return
    if message.usage_metadata:
        sent.usage = dict(message.usage_metadata)
    for call in getattr(message, "tool_call_chunks", None) or message.tool_calls:
        _record_call(sent, call["name"], call["args"])


def _record_call(sent: UpstreamRequest, name: str | None, args: Any) -> None:
    """Record a native call, or a further piece of one."""
    text = args if isinstance(args, str) else write_json(args or {})
    if name or not sent.calls:
        sent.calls.append({"name": name, "arguments": text})
    else:
        sent.calls[-1]["arguments"] += text
