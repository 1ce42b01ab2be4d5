"""`ReasoningChatOpenAI`: ChatOpenAI that keeps the reasoning which servers send next to the content.

ChatOpenAI drops it, and fails at calls in other forms than OpenAI's. What is sent back is not decided here, but by the turn, and added by the wrapper.
"""

import json
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from langchain_core.outputs import ChatGenerationChunk, ChatResult
from langchain_openai import ChatOpenAI
from typing_extensions import override

from langchain_toolemu.messages.content import write_json
from langchain_toolemu.messages.past_reasoning import all_reasoning_in


class ReasoningChatOpenAI(ChatOpenAI):
    """ChatOpenAI whose messages hold the server's reasoning in `additional_kwargs`, under the server's name for it."""

    @override
    def _create_chat_result(
        self, response: Any, generation_info: dict[str, Any] | None = None
    ) -> ChatResult:
        choices = _get(response, "choices") or ()
        for choice in choices:
            _read_arguments(_get(choice, "message"))
        result = super()._create_chat_result(response, generation_info)
        for generation, choice in zip(result.generations, choices, strict=False):
            message = _get(choice, "message")
            generation.message.additional_kwargs.update(all_reasoning_in(message))
            if refusal := _get(message, "refusal"):  # which ChatOpenAI takes from an object only
                generation.message.additional_kwargs["refusal"] = refusal
        return result

    @override
    def _convert_chunk_to_generation_chunk(
        self,
        chunk: dict[str, Any],
        default_chunk_class: type,
        base_generation_info: dict[str, Any] | None,
    ) -> ChatGenerationChunk | None:
        for choice in chunk.get("choices") or ():
            _read_arguments(choice.get("delta"), in_pieces=True)
        given = chunk, default_chunk_class, base_generation_info
        generation = super()._convert_chunk_to_generation_chunk(*given)
        if generation is not None and (choices := chunk.get("choices")):
            generation.message.additional_kwargs.update(all_reasoning_in(choices[0].get("delta")))
        return generation


def _read_arguments(message: Any, *, in_pieces: bool = False) -> None:
    """Make a message's calls such that ChatOpenAI does not fail at them.

    It takes arguments only as the text of an object: not as an object itself, nor, in a whole reply, as a text that was
    encoded twice. Each piece of a call must have a function.
    """
    for call in _get(message, "tool_calls") or ():
        function = _get(call, "function")
        if function is None and in_pieces:
            _set(call, "function", {})
            continue
        written = _get(function, "arguments")
        if isinstance(written, str) and not in_pieces and written.lstrip().startswith('"'):
            with suppress(ValueError):
                written = json.loads(written)
        if function is not None and written is not None:
            text = written if isinstance(written, str) else write_json(written)
            _set(function, "arguments", text)


def _get(holder: Any, name: str) -> Any:
    return holder.get(name) if isinstance(holder, Mapping) else getattr(holder, name, None)


def _set(holder: Any, name: str, value: Any) -> None:
    if isinstance(holder, dict):
        holder[name] = value
    else:
        setattr(holder, name, value)
