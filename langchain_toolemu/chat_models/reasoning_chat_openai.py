"""`ReasoningChatOpenAI`: ChatOpenAI that keeps the reasoning and the signatures which servers send next to content and calls.

ChatOpenAI drops them, and fails at calls in other forms than OpenAI's. What is sent back is not decided here, but by the turn, and added by the wrapper.
"""

import json
from contextlib import suppress
from typing import Any

from langchain_core.outputs import ChatGenerationChunk, ChatResult
from langchain_openai.chat_models.base import ChatOpenAI
from pydantic import ConfigDict
from typing_extensions import override

from langchain_toolemu.messages.call_extras import extras_in, get_field, set_field
from langchain_toolemu.messages.content import write_json
from langchain_toolemu.messages.past_reasoning import all_reasoning_in

_PLAIN = frozenset({"role", "content"})  # fields of a delta of which nothing is lost


class ReasoningChatOpenAI(ChatOpenAI):
    """ChatOpenAI whose messages hold the server's reasoning in `additional_kwargs`, under the server's name for it."""

    model_config = ConfigDict(defer_build=True)

    @override
    def _create_chat_result(
        self, response: Any, generation_info: dict[str, Any] | None = None
    ) -> ChatResult:
        choices = get_field(response, "choices") or ()
        extras = [extras_in(get_field(choice, "message")) for choice in choices]
        for choice in choices:
            _read_arguments(get_field(choice, "message"))
        result = super()._create_chat_result(response, generation_info)
        for generation, choice, extra in zip(result.generations, choices, extras, strict=False):
            message = get_field(choice, "message")
            generation.message.additional_kwargs.update(all_reasoning_in(message) | extra)
            if refusal := get_field(
                message, "refusal"
            ):  # which ChatOpenAI takes from an object only
                generation.message.additional_kwargs["refusal"] = refusal
        return result

    @override
    def _convert_chunk_to_generation_chunk(
        self,
        chunk: dict[str, Any],
        default_chunk_class: type,
        base_generation_info: dict[str, Any] | None,
    ) -> ChatGenerationChunk | None:
        given = chunk, default_chunk_class, base_generation_info
        deltas = [choice.get("delta") for choice in chunk.get("choices") or ()]
        if all(isinstance(delta, dict) and delta.keys() <= _PLAIN for delta in deltas):
            return super()._convert_chunk_to_generation_chunk(*given)
        for delta in deltas:
            _read_arguments(delta, in_pieces=True)
        kept = {**all_reasoning_in(deltas[0]), **extras_in(deltas[0])}
        generation = super()._convert_chunk_to_generation_chunk(*given)
        if generation is not None:
            generation.message.additional_kwargs.update(kept)
        return generation


def _read_arguments(message: Any, *, in_pieces: bool = False) -> None:
    """Make a message's calls such that ChatOpenAI does not fail at them.

    It takes arguments only as the text of an object: not as an object itself, nor, in a whole reply, as a text that was
    encoded twice. Each piece of a call must have a function.
    """
    for call in get_field(message, "tool_calls") or ():
        function = get_field(call, "function")
        if function is None and in_pieces:
            set_field(call, "function", {})
            continue
        written = get_field(function, "arguments")
        if isinstance(written, str) and not in_pieces and written.lstrip().startswith('"'):
            with suppress(ValueError):
                written = json.loads(written)
        if function is not None and written is not None:
            text = written if isinstance(written, str) else write_json(written)
            set_field(function, "arguments", text)
