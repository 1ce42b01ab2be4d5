"""ChatOpenAI as a gateway needs it: nothing that a client or a server says is lost on the way.

- Reasoning in a client's history is sent, unless the turn removed it. The limit of a reply keeps
  its name: many servers only know `max_tokens`. `[DONE]` ends a reply: some give no reason.
- Bodies and replies stay plain JSON. OpenAI's client would walk through every message, which takes
  longer than the rest of a turn, and fail at a cut-off reply that has a response format.
"""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from functools import partial
from typing import Any

from langchain_core.language_models import LanguageModelInput
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langchain_core.outputs import ChatGenerationChunk, ChatResult
from langchain_core.prompt_values import ChatPromptValue
from pydantic import model_validator
from typing_extensions import Self, override

from langchain_toolemu.chat_models.plain_completions import PlainCompletions, ReplyStream
from langchain_toolemu.chat_models.reasoning_chat_openai import ReasoningChatOpenAI
from langchain_toolemu.messages.past_reasoning import reasoning_fields

__all__ = ["ForwardingChatOpenAI", "ReplyStream"]

_LONG = 256  # messages


class ForwardingChatOpenAI(ReasoningChatOpenAI):
    """ChatOpenAI that forwards what it does not know."""

    @model_validator(mode="after")
    def _take_plain_replies(self) -> Self:
        if self.root_async_client is not None:
            self.async_client = PlainCompletions(self.root_async_client)
        return self

    @override
    def _get_request_payload(
        self, input_: LanguageModelInput, *, stop: list[str] | None = None, **kwargs: Any
    ) -> dict[str, Any]:
        if self._use_responses_api({**self._default_params, **kwargs}):
            return super()._get_request_payload(input_, stop=stop, **kwargs)
        messages = self._convert_input(input_).to_messages()
        emptied = [*map(_without_text, messages)]
        given = ChatPromptValue.model_construct(messages=emptied)  # which is converted already
        payload: dict[str, Any] = super()._get_request_payload(given, stop=stop, **kwargs)
        if "max_tokens" in kwargs:
            payload["max_tokens"] = payload.pop("max_completion_tokens")
        for message, sent, written in zip(messages, emptied, payload["messages"], strict=True):
            written.update(reasoning_fields(message))
            if sent is not message:
                written["content"] = message.content
        if form := payload.pop("response_format", None):
            # ChatOpenAI would have the reply checked by it.
            payload["extra_body"] = {"response_format": form, **(payload.get("extra_body") or {})}
        return payload

    @override
    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: Any = None,
        **kwargs: Any,
    ) -> ChatResult:
        messages, kwargs = await self._written(messages, stop, kwargs)
        return await super()._agenerate(messages, stop, run_manager, **kwargs)

    @override
    async def _astream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: Any = None,
        **kwargs: Any,
    ) -> AsyncGenerator[ChatGenerationChunk, None]:
        messages, kwargs = await self._written(messages, stop, kwargs)
        stream: Any = super()._astream(messages, stop, run_manager, **kwargs)
        async with aclosing(stream) as chunks:
            async for chunk in chunks:
                yield chunk

    async def _written(
        self, messages: list[BaseMessage], stop: list[str] | None, kwargs: dict[str, Any]
    ) -> tuple[list[BaseMessage], dict[str, Any]]:
        """A long conversation as it is sent, written in a thread: the event loop goes on."""
        if len(messages) < _LONG:
            return messages, kwargs
        body = kwargs.get("extra_body") or self.extra_body or {}
        write = partial(self._get_request_payload, messages, stop=stop, **kwargs)
        payload = body if "messages" in body else await asyncio.to_thread(write)
        if "messages" not in payload:  # the Responses API
            return messages, kwargs
        extra_body = {**body, **(payload.get("extra_body") or {}), "messages": payload["messages"]}
        return [HumanMessage("")], {**kwargs, "extra_body": extra_body}


def _without_text(message: BaseMessage) -> BaseMessage:
    """An assistant's message without its text, which ChatOpenAI would read letter by letter."""
    is_text = isinstance(message, AIMessage) and isinstance(message.content, str)
    return message.model_copy(update={"content": ""}) if is_text and message.content else message
