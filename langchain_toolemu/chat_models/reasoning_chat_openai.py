"""`ReasoningChatOpenAI`: ChatOpenAI that keeps the reasoning which servers send next to the content.

ChatOpenAI drops it. What is sent back is not decided here, but by the turn, and added by the wrapper.
"""

import json
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from langchain_core.outputs import ChatGenerationChunk, ChatResult
from langchain_openai import ChatOpenAI
from typing_extensions import override

from langchain_toolemu.messages.past_reasoning import all_reasoning_in


class ReasoningChatOpenAI(ChatOpenAI):
    """ChatOpenAI whose messages hold the server's reasoning in `additional_kwargs`, under the server's name for it."""

    @override
    def _create_chat_result(
        self, response: Any, generation_info: dict[str, Any] | None = None
    ) -> ChatResult:
        choices = _get(response, "choices") or ()
        for choice in choices:
            for call in _get(_get(choice, "message"), "tool_calls") or ():
                _decode_arguments(_get(call, "function"))
        result = super()._create_chat_result(response, generation_info)
        for generation, choice in zip(result.generations, choices, strict=False):
            thought = all_reasoning_in(_get(choice, "message"))
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
            generation.message.additional_kwargs.update(all_reasoning_in(choices[0].get("delta")))
        return generation


def _decode_arguments(function: Any) -> None:
    """Undo what a server encoded twice: ChatOpenAI fails at arguments that are a text in JSON."""
    written = _get(function, "arguments")
    if not isinstance(written, str) or not written.lstrip().startswith('"'):
        return
    with suppress(ValueError):
        arguments = json.loads(written)
        if isinstance(function, dict):
            function["arguments"] = arguments
        else:
            function.arguments = arguments


def _get(holder: Any, name: str) -> Any:
    return holder.get(name) if isinstance(holder, Mapping) else getattr(holder, name, None)
