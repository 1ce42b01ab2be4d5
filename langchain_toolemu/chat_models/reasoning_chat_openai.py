"""`ReasoningChatOpenAI`: ChatOpenAI that keeps the reasoning which servers send next to the content.

ChatOpenAI drops it. What is sent back is not decided here, but by the turn, and added by the wrapper.
"""

from collections.abc import Mapping
from typing import Any

from langchain_core.outputs import ChatGenerationChunk, ChatResult
from langchain_openai import ChatOpenAI
from typing_extensions import override

from langchain_toolemu.messages.past_reasoning import reasoning_in


class ReasoningChatOpenAI(ChatOpenAI):
    """ChatOpenAI whose messages hold the server's reasoning in `additional_kwargs`, under the server's name for it."""

    @override
    def _create_chat_result(
        self, response: Any, generation_info: dict[str, Any] | None = None
    ) -> ChatResult:
        result = super()._create_chat_result(response, generation_info)
        choices = _get(response, "choices") or ()
        for generation, choice in zip(result.generations, choices, strict=False):
            thought = reasoning_in(_get(choice, "message"))
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
            generation.message.additional_kwargs.update(reasoning_in(choices[0].get("delta")))
        return generation


def _get(holder: Any, name: str) -> Any:
    return holder.get(name) if isinstance(holder, Mapping) else getattr(holder, name, None)
