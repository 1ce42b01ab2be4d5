"""Messages exactly as native ones: parts of replies as chunks, and chunks as the whole message.

`invoke` returns the sum of the chunks that `stream` would have shown, so the two cannot differ.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import uuid4

from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage, message_chunk_to_message
from langchain_core.messages.ai import UsageMetadata
from langchain_core.messages.tool import ToolCallChunk, tool_call_chunk
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk
from langchain_core.outputs.chat_generation import merge_chat_generation_chunks
from langchain_core.utils.json import parse_partial_json

from langchain_toolemu.progress import Delta, write_args
from langchain_toolemu.reply import Block, Part, Words
from langchain_toolemu.values import BadCall, Call, Unmeant

# LangChain merges content blocks and call chunks of one index. Text blocks count from 0, so calls count
# from where no reply's text gets to; without an index three calls became one in its v3 protocol.
_FIRST_INDEX = 1000

_MAX_BAD_ARGS = 2000
"""Longer unreadable calls are shortened: LangChain's reader of partial JSON is quadratic in bad text."""

# Merging chunks completes partial JSON, which would make a cut-off call a valid one: this breaks any.
_BREAKER = '\\"]]}"]]'


_OURS = "emulated_"


def new_call_id() -> str:
    """An id that is unique over threads and restarts, and short enough (OpenAI takes 40 characters)."""
    return f"{_OURS}{uuid4().hex[:24]}"


def with_new_ids(message: AIMessage) -> AIMessage:
    """A message out of a cache, its emulated calls with ids of their own: twice in a thread, they would be one."""
    made = [*message.tool_calls, *message.invalid_tool_calls]
    ids = {call["id"]: new_call_id() for call in made if _is_ours(call["id"])}

    def renamed(call: Any) -> Any:
        known = isinstance(call, dict) and call.get("id") in ids
        return {**call, "id": ids[call["id"]]} if known else call

    changed: dict[str, Any] = {
        "tool_calls": [renamed(call) for call in message.tool_calls],
        "invalid_tool_calls": [renamed(call) for call in message.invalid_tool_calls],
    }
    if isinstance(message.content, list):
        changed["content"] = [renamed(block) for block in message.content]
    return message.model_copy(update=changed) if ids else message


def _is_ours(id_: str | None) -> bool:
    return bool(id_ and id_.startswith(_OURS))


def _chunk(metadata: dict[str, Any], said: dict[str, Any]) -> AIMessageChunk:
    """One chunk.

    A further piece of a call is put in unread: LangChain would try to parse it as JSON of its own, in a time that grows
    with the square of its length.
    """
    deltas = said.get("tool_call_chunks") or ()
    if any(delta["id"] is None for delta in deltas):
        bare = AIMessageChunk(content=said["content"], response_metadata=metadata)
        return bare.model_copy(update={"tool_call_chunks": deltas})
    return AIMessageChunk(response_metadata=metadata, **said)


def _breaker(index: int | None) -> ToolCallChunk:
    return tool_call_chunk(name=None, args=_BREAKER, id=None, index=index)


def _breaking(index: int | None) -> AIMessageChunk:
    return AIMessageChunk(content="", tool_call_chunks=[_breaker(index)])


class Chunker:
    """Makes the chunks of one turn."""

    def __init__(self) -> None:
        self.started = False
        self._next_index = _FIRST_INDEX
        self._template: Mapping[str, Any] | None = None
        self._args: dict[int | None, list[str]] = {}
        self._open_index = 0
        self._first_index = _FIRST_INDEX  # of the calls of the last reply

    def open_reply(self) -> None:
        """A further reply begins: what was shown before stands."""
        self._first_index = self._next_index

    def chunks(
        self, parts: Sequence[Part], carrying: BaseMessage | None, metadata: dict[str, Any]
    ) -> list[ChatGenerationChunk]:
        """Chunks that show these parts, and what else the message they came in carries."""
        extras = self._extras(carrying)
        messages = self._messages(parts)
        if extras and messages and not messages[0].get("tool_call_chunks"):
            messages[0] |= extras
        elif extras:
            messages.insert(0, {"content": "", **extras})
        self.started |= bool(messages)
        return [ChatGenerationChunk(message=_chunk(metadata, message)) for message in messages]

    def broken_calls(self) -> list[ChatGenerationChunk]:
        """A last delta for each call whose arguments were cut off after they were shown, so that it cannot run.

        LangChain completes partial JSON when it adds chunks up, and would make a call of it.
        """
        broken = [index for index, args in self._args.items() if not _is_json("".join(args))]
        return [ChatGenerationChunk(message=_breaking(index)) for index in broken]

    def _messages(self, parts: Sequence[Part]) -> list[dict[str, Any]]:
        messages: list[dict[str, Any]] = []
        spoken: list[Words | Block] = []
        for part in parts:
            if isinstance(part, Words | Block):
                spoken.append(part)
                continue
            messages += self._speech(spoken)
            spoken = []
            if isinstance(part, Unmeant):
                messages += self._unsaid()
                continue
            messages.append({"content": "", "tool_call_chunks": [self._call_chunk(part)]})
        return messages + self._speech(spoken)

    def _unsaid(self) -> list[dict[str, Any]]:
        """What keeps the calls of the last reply from running; one that never ended is seen to at the close."""
        shown = range(self._first_index, self._next_index)
        ended = [index for index in shown if _is_json("".join(self._args.get(index, ())))]
        self.open_reply()
        return [{"content": "", "tool_call_chunks": [_breaker(index)]} for index in ended]

    def _speech(self, spoken: Sequence[Words | Block]) -> list[dict[str, Any]]:
        """Neighbouring words and blocks as the content of one message, in the form the model uses."""
        if not spoken:
            return []
        for part in spoken:
            self._template = (
                part.block if isinstance(part, Words) and part.block else self._template
            )
        if all(isinstance(part, Words) for part in spoken) and self._template is None:
            return [{"content": "".join(part.text for part in spoken if isinstance(part, Words))}]
        return [{"content": [self._as_block(part) for part in spoken]}]

    def _as_block(self, part: Words | Block) -> dict[str, Any]:
        if isinstance(part, Block):
            return part.block
        return {**(part.block or self._template or {"type": "text"}), "text": part.text}

    def _call_chunk(self, part: Call | BadCall | Delta) -> ToolCallChunk:
        if isinstance(part, Delta):
            return self._delta(part)
        args = _unparsable(part.raw) if isinstance(part, BadCall) else write_args(part.args)
        return tool_call_chunk(name=part.name, args=args, id=new_call_id(), index=self._new_index())

    def _delta(self, part: Delta) -> ToolCallChunk:
        """A piece of a call that is still being written; the first one carries its name and id."""
        index = self._open_index = self._new_index() if part.opens else self._open_index
        self._args.setdefault(index, []).append(part.args)
        if not part.opens:
            return tool_call_chunk(name=None, args=part.args, id=None, index=index)
        return tool_call_chunk(name=part.name, args=part.args, id=new_call_id(), index=index)

    def _new_index(self) -> int:
        self._next_index += 1
        return self._next_index - 1

    def _extras(self, message: BaseMessage | None) -> dict[str, Any]:
        """What a message carries beside its content and its metadata."""
        if not isinstance(message, AIMessageChunk):
            return {}
        for call in message.tool_call_chunks:
            self._args.setdefault(call["index"], []).append(call["args"] or "")
        extras = {
            "id": message.id,
            "additional_kwargs": message.additional_kwargs,
            "tool_call_chunks": message.tool_call_chunks,
        }
        return {key: value for key, value in extras.items() if value}


def as_chunk(generation: ChatGeneration) -> ChatGenerationChunk:
    """A whole reply as a stream of one chunk, its calls numbered so that merging keeps them apart."""
    message = generation.message
    if isinstance(generation, ChatGenerationChunk):
        return generation
    if not isinstance(message, AIMessage):
        message = AIMessage(content=message.content)
    calls = [(call["name"], json.dumps(call["args"]), call["id"]) for call in message.tool_calls]
    calls += [
        (call["name"] or "", call["args"] or "", call["id"]) for call in message.invalid_tool_calls
    ]
    chunk = AIMessageChunk(
        content=message.content,
        id=message.id,
        name=message.name,
        additional_kwargs=message.additional_kwargs,
        response_metadata=message.response_metadata,
        usage_metadata=message.usage_metadata,
        tool_call_chunks=[
            tool_call_chunk(name=name, args=args, id=id_, index=_FIRST_INDEX + number)
            for number, (name, args, id_) in enumerate(calls)
        ],
    )
    return ChatGenerationChunk(message=chunk, generation_info=generation.generation_info)


def closing_chunk(
    metadata: dict[str, Any], info: dict[str, Any], usage: UsageMetadata | None
) -> ChatGenerationChunk:
    """The last chunk of a turn, which alone carries its metadata."""
    message = AIMessageChunk(
        content="", response_metadata=metadata, usage_metadata=usage, chunk_position="last"
    )
    return ChatGenerationChunk(message=message, generation_info=info or None)


def sum_of(chunks: Sequence[ChatGenerationChunk]) -> ChatGeneration:
    """The whole generation that a turn's chunks add up to."""
    merged = merge_chat_generation_chunks(list(chunks))
    if merged is None:
        raise ValueError("a turn without chunks")
    return ChatGeneration(
        message=message_chunk_to_message(merged.message), generation_info=merged.generation_info
    )


def _is_json(args: str) -> bool:
    try:
        json.loads(args or "{}", strict=False)
    except ValueError:
        return False
    return True


def _unparsable(raw: str) -> str:
    """The text of a call that must not run, such that LangChain's lenient reader cannot read it either."""
    shown = (
        raw
        if len(raw) <= _MAX_BAD_ARGS
        else f"{raw[:_MAX_BAD_ARGS]}… ({len(raw)} characters in all)"
    )
    for candidate in (shown, shown + _BREAKER):
        try:
            # No arguments at all count as an empty set of them.
            readable = not candidate or isinstance(parse_partial_json(candidate), dict)
        except ValueError:
            readable = False
        if not readable:
            return candidate
    return f"unreadable: {shown}"
