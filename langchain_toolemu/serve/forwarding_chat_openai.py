"""ChatOpenAI as a gateway needs it: nothing that a client or a server says is lost on the way.

- Reasoning that servers send next to the content (`reasoning_content`, `reasoning`) is kept, and goes back with the history.
- The limit of a reply keeps the name under which it was asked for: many servers know only `max_tokens`.
- The body is sent as it is. OpenAI's client would walk through every message of it, which takes longer than all the rest of
  a turn; and check a reply by the form that it was to have, and raise for one that was cut off.
"""

from collections.abc import Mapping
from typing import Any

from langchain_core.language_models import LanguageModelInput
from langchain_core.messages import AIMessage
from langchain_core.outputs import ChatGenerationChunk, ChatResult
from langchain_openai import ChatOpenAI
from typing_extensions import override

from langchain_toolemu.serve.answer import REASONING_KEYS


class ForwardingChatOpenAI(ChatOpenAI):
    """ChatOpenAI that forwards what it does not know."""

    @override
    def _get_request_payload(
        self, input_: LanguageModelInput, *, stop: list[str] | None = None, **kwargs: Any
    ) -> dict[str, Any]:
        payload: dict[str, Any] = super()._get_request_payload(input_, stop=stop, **kwargs)
        if "messages" not in payload:  # the Responses API
            return payload
        if "max_tokens" in kwargs:
            payload["max_tokens"] = payload.pop("max_completion_tokens")
        # Servers of reasoning models want their reasoning back while tools are called.
        messages = self._convert_input(input_).to_messages()
        for message, written in zip(messages, payload["messages"], strict=False):
            if isinstance(message, AIMessage):
                written.update(_reasoning_in(message.additional_kwargs))
        return _raw_payload(payload)

    @override
    def _create_chat_result(
        self, response: Any, generation_info: dict[str, Any] | None = None
    ) -> ChatResult:
        result = super()._create_chat_result(response, generation_info)
        choices = _get(response, "choices") or ()
        for generation, choice in zip(result.generations, choices, strict=False):
            thought = _reasoning_in(_get(choice, "message"))
            generation.message.additional_kwargs.update(thought)
        return result

    @override
    def _convert_chunk_to_generation_chunk(
        self,
        chunk: dict[str, Any],
        default_chunk_class: type,
        base_generation_info: dict[str, Any] | None,
    ) -> ChatGenerationChunk | None:
        generation = super()._convert_chunk_to_generation_chunk(
            chunk, default_chunk_class, base_generation_info
        )
        if generation is not None and (choices := chunk.get("choices")):
            generation.message.additional_kwargs.update(_reasoning_in(choices[0].get("delta")))
        return generation


# What OpenAI's client must see itself; all else is the body of the request.
_ARGUMENTS = frozenset({"model", "stream", "extra_headers", "extra_query", "extra_body", "timeout"})


def _raw_payload(payload: dict[str, Any]) -> dict[str, Any]:
    """The arguments of OpenAI's client for a body that it does not look into."""
    seen = {name: payload[name] for name in _ARGUMENTS if name in payload}
    body = {name: payload[name] for name in payload if name not in _ARGUMENTS}
    return {**seen, "messages": [], "extra_body": {**body, **(payload.get("extra_body") or {})}}


def _reasoning_in(said: Any) -> dict[str, str]:
    """The reasoning that a message or a delta holds, under its name."""
    for name in REASONING_KEYS:
        thought = _get(said, name)
        if isinstance(thought, str) and thought:
            return {name: thought}
    return {}


def _get(holder: Any, name: str) -> Any:
    return holder.get(name) if isinstance(holder, Mapping) else getattr(holder, name, None)
