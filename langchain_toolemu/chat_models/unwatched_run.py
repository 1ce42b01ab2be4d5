"""Runs of a chat model that nobody is told of, without what LangChain does for callbacks.

That takes a seventh of an emulated turn. A run that LangChain would change is left to it.
"""

from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from typing import Any

from langchain_core.callbacks import AsyncCallbackManager
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import BaseMessage
from langchain_core.runnables import ensure_config


def is_watched(model: BaseChatModel) -> bool:
    """Whether a model's runs have callbacks: its own, inherited ones, or those of all runs."""
    inherited = ensure_config().get("callbacks")
    return bool(AsyncCallbackManager.configure(inherited, model.callbacks, model.verbose).handlers)


def stream_run(
    model: BaseChatModel,
    messages: list[BaseMessage],
    stop: list[str] | None,
    kwargs: Mapping[str, Any],
) -> AsyncGenerator[BaseMessage, None]:
    """What `astream` gives, but for the ids of its chunks."""
    is_text = all(isinstance(message.content, str) for message in messages)
    differs = model.output_version or model.rate_limiter or model.disable_streaming
    if differs or not is_text or is_watched(model):
        return model.astream(messages, stop=stop, **kwargs)  # type: ignore[return-value]
    return _stream_unwatched(model, messages, stop, kwargs)


async def _stream_unwatched(
    model: BaseChatModel,
    messages: list[BaseMessage],
    stop: list[str] | None,
    kwargs: Mapping[str, Any],
) -> AsyncGenerator[BaseMessage, None]:
    chunk, stream = None, model._astream(messages, stop, **kwargs)  # noqa: SLF001
    async with aclosing(stream) as chunks:  # type: ignore[type-var]
        async for chunk in chunks:
            message = chunk.message
            if info := chunk.generation_info:
                message.response_metadata = {**info, **message.response_metadata}
            yield message
    if chunk is None:
        raise ValueError("No generation chunks were returned")  # LangChain's words
