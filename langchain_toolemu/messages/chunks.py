"""Replies as chunks, exactly as native ones, and chunks as the whole message.

`invoke` returns the sum of the chunks that `stream` would have shown, so the two cannot differ.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage, message_chunk_to_message
from langchain_core.messages.ai import UsageMetadata
from langchain_core.messages.tool import ToolCallChunk, tool_call_chunk
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk
from langchain_core.outputs.chat_generation import merge_chat_generation_chunks

from langchain_toolemu.messages.content import (
    PLAIN,
    REASONING,
    Content,
    ContentBlock,
    Delta,
    Part,
    Thought,
    Words,
    is_standard,
    place_of,
    reads_thoughts,
    says_more,
    standard_block,
    with_joined_words,
    write_json,
)
from langchain_toolemu.messages.invalid_calls import (
    LastChunk,
    ShownChunk,
    breaker,
    broken,
    report_with,
    shortened,
    with_reasons,
)
from langchain_toolemu.messages.metadata import usage_of
from langchain_toolemu.messages.tool_calls import (
    CallBlockFormat,
    CallPieces,
    find_call_block_format,
    new_call_id,
)
from langchain_toolemu.reader.events import BadCall, Call, CallsDisowned

# LangChain merges content blocks and call chunks of one index. Text blocks count from 0, so calls count
# from where no reply's text gets to; without an index three calls became one in its v3 protocol.
FIRST_INDEX = 1000

# LangChain merges blocks by such an index too. No provider's begins like this.
OWN_INDEX = "lc_toolemu"
_OWN_TEXT = {"type": "text", "index": OWN_INDEX}

# A message with one of these is not given what else its chunk carries, too.
_CARRIERS = {"tool_call_chunks", "additional_kwargs"}

_CUT_ARGUMENTS = "its arguments are no whole JSON object"
_THOUGHT = "it is in a thought"


def _chunk(metadata: dict[str, Any], said: dict[str, Any]) -> AIMessageChunk:
    """One chunk.

    A further piece of a call is put in unread: LangChain would try to parse it as JSON of its own, in a time that grows
    with the square of its length.
    """
    deltas = said.get("tool_call_chunks") or ()
    if any(delta["id"] is None for delta in deltas):
        rest = {key: value for key, value in said.items() if key != "tool_call_chunks"}
        bare = AIMessageChunk(response_metadata=metadata, **rest)
        return bare.model_copy(update={"tool_call_chunks": deltas})
    return AIMessageChunk(response_metadata=metadata, **said)


@dataclass(frozen=True, slots=True)
class _Place:
    """Where the pieces of a call add up.

    Attributes:
        index: The index they share; `None`: there is only one.
        id: The call's id, where an earlier call has the same index.
    """

    index: int | None
    id: str | None = None


def _breaker(place: _Place) -> ToolCallChunk:
    return tool_call_chunk(name=None, args=breaker(), id=place.id, index=place.index)


def _breaking(place: _Place, id_: str | None) -> AIMessageChunk:
    return AIMessageChunk(content="", id=id_, tool_call_chunks=[_breaker(place)])


class Chunker:
    """Makes the chunks of one turn.

    A turn of several replies is one message still: it has one id, what a reply carries besides its content comes from
    the first that carries it, and blocks of two replies are never merged.

    Args:
        gives_thoughts: Whether thoughts may be among the parts.
    """

    def __init__(self, *, gives_thoughts: bool = False) -> None:
        self.started = False
        self._gives_thoughts = gives_thoughts
        self._thoughts = 0  # how many times one has begun
        self._thinking = False
        self._next_index = FIRST_INDEX
        self._template: dict[str, Any] = _OWN_TEXT
        self._args: dict[_Place, list[str]] = {}
        self._pieces = CallPieces()
        self._places: dict[int, _Place] = {}  # of a provider's calls, by their number
        self._reasons: dict[_Place, str | None] = {}  # of all calls shown; `None`: it can run
        self._open_index = 0
        self._open_id = ""
        self._format: dict[str, Any] = {}
        self._in_blocks = False
        self._call_block: CallBlockFormat | Literal["unknown"] | None = "unknown"
        self._id: str | None = None
        self._carried: dict[str, Any] = {}
        self._carried_before: frozenset[str] = frozenset()
        self._earlier = 0
        self._last_index = -1
        self._offset = 0
        self._texts = 0  # how often words have followed a call
        self._after_call = False
        self._first_index = FIRST_INDEX  # of the calls of the last reply

    def open_reply(self) -> None:
        """A further reply begins: what was shown before stays."""
        self._first_index = self._next_index
        self._pieces, self._places = CallPieces(), {}
        self._template = _OWN_TEXT
        self._carried_before = frozenset(self._carried)
        self._earlier += self.started
        self._offset = self._last_index + 1

    def chunks(
        self,
        parts: Sequence[Part],
        carrying: BaseMessage | None,
        metadata: dict[str, Any],
        said: Mapping[str, Any] | None = None,
    ) -> list[ChatGenerationChunk]:
        """Chunks that show these parts, and what else the message they came in carries.

        Args:
            parts: What to show.
            carrying: The message they came in.
            metadata: The metadata of each chunk.
            said: All that is known so far of the metadata of the whole.
        """
        # What a first chunk said of its format holds for the whole message.
        metadata = self._format = {**metadata, **self._format}
        if carrying is not None:
            self._in_blocks |= is_standard(carrying) or needs_blocks(carrying.content)
        if self._gives_thoughts and not self._in_blocks:
            # Until it is known whether there is a thought: the last chunk says it.
            metadata = _without_blind_provider(metadata)
        extras = self._extras(carrying)
        messages = self._messages(parts, {**(said or {}), **metadata})
        if extras and messages and not _CARRIERS & messages[0].keys():
            messages[0] |= extras
        elif extras:
            messages.insert(0, {"content": self._nothing(), **extras})
        self.started |= bool(messages)
        return [
            ShownChunk(message=_chunk(metadata, {"id": self._id, **message}))
            for message in messages
        ]

    def closing(
        self, metadata: dict[str, Any], info: dict[str, Any], usage: UsageMetadata | None
    ) -> ChatGenerationChunk:
        """The last chunk of a turn, which alone carries its metadata, and the reasons of calls that cannot run."""
        reasons = self._all_reasons()
        if reasons:
            report = report_with(metadata.get("toolemu", {}), reasons)
            metadata = {**metadata, "toolemu": report}
        kind = LastChunk if reasons else AIMessageChunk
        return _closing_chunk(
            kind,
            self.said_of(metadata),
            info,
            usage_metadata=usage,
            id=self._id,
            content=self._nothing(),
        )

    def said_of(self, metadata: dict[str, Any]) -> dict[str, Any]:
        """What is said of the message, without a provider in whose messages LangChain looks for no thought."""
        if not self._thoughts or self._in_blocks:
            return metadata
        return _without_blind_provider(metadata)

    def _all_reasons(self) -> list[str]:
        """Why calls cannot run, in the order in which the calls were shown."""
        reasons = (
            reason or (None if self._is_whole(place) else _CUT_ARGUMENTS)
            for place, reason in self._reasons.items()
        )
        return [reason for reason in reasons if reason]

    def _is_whole(self, place: _Place) -> bool:
        """Whether arguments that came in pieces are a JSON object; a call that came at once is whole."""
        return place not in self._args or _is_object("".join(self._args[place]))

    def _nothing(self) -> str | list[Any]:
        """No content, in the form the model uses: a string would stand in the list for good."""
        return [] if self._in_blocks else ""

    def broken_calls(self) -> list[ChatGenerationChunk]:
        """A last delta for each call whose arguments were cut off after they were shown, so that it cannot run.

        LangChain completes partial JSON when it adds chunks up, and would make a call of it.
        """
        cut = [place for place, args in self._args.items() if not _is_json("".join(args))]
        return [ChatGenerationChunk(message=_breaking(place, self._id)) for place in cut]

    def _messages(self, parts: Sequence[Part], metadata: Mapping[str, Any]) -> list[dict[str, Any]]:
        messages: list[dict[str, Any]] = []
        for part in with_joined_words(parts):
            if isinstance(part, Thought):
                messages.append(self._thought(part))
                continue
            self._thinking = False
            if isinstance(part, Words | ContentBlock):
                messages.append(self._speech(part))
            elif isinstance(part, CallsDisowned):
                messages += [self._beside_words(delta) for delta in self._unsaid()]
            else:
                messages += self._shown(part, metadata)
        return messages

    def _shown(
        self, part: Call | BadCall | Delta, metadata: Mapping[str, Any]
    ) -> Iterator[dict[str, Any]]:
        """A call, and the block that represents it where the model speaks in blocks."""
        call = self._call_chunk(part)
        self._after_call = True
        block = self._block_of_calls(metadata)
        if block and block.in_pieces:
            yield {"content": [block.made_of(call)], "tool_call_chunks": [call]}
            return
        yield self._beside_words(call)
        if block and (whole := self._whole(part, call)):
            yield {"content": [block.made_of(whole)]}

    def _beside_words(self, call: ToolCallChunk) -> dict[str, Any]:
        return {"content": self._nothing(), "tool_call_chunks": [call]}

    def _unsaid(self) -> list[ToolCallChunk]:
        """What keeps the calls of the last reply from running; one that never ended is seen to at the close."""
        shown = [_Place(index) for index in range(self._first_index, self._next_index)]
        ended = [place for place in shown if _is_json("".join(self._args.get(place, ())))]
        self._reasons |= dict.fromkeys(shown, _THOUGHT)
        self._first_index = self._next_index
        return [_breaker(place) for place in ended]

    def _block_of_calls(self, metadata: Mapping[str, Any]) -> CallBlockFormat | None:
        if not self._in_blocks:
            return None
        if self._call_block == "unknown":
            self._call_block = find_call_block_format(
                id=self._id, additional_kwargs=self._carried, response_metadata=metadata
            )
        return self._call_block

    def _whole(self, part: Part, call: ToolCallChunk) -> ToolCallChunk | None:
        """The call that is whole with this part; none if it cannot run."""
        if isinstance(part, Call):
            return call
        if not (isinstance(part, Delta) and isinstance(part.ends, Call)):
            return None
        args = write_json(part.ends.args)
        return tool_call_chunk(name=part.name, args=args, id=self._open_id, index=call["index"])

    def _speech(self, part: Words | ContentBlock) -> dict[str, Any]:
        """Words or a block as the content of one message, in the form the model uses.

        Each block has its own: LangChain merges the blocks of two messages, but not those of one.
        """
        self._in_blocks |= isinstance(part, ContentBlock) or part.block is not None
        if isinstance(part, ContentBlock):
            return {"content": [self._placed(part.block)]}
        if not self._in_blocks:
            return {"content": part.text}
        block = part.block or self._template
        self._template = place_of(block)
        return {"content": [self._in_order(self._placed({**block, "text": part.text}))]}

    def _thought(self, part: Thought) -> dict[str, Any]:
        """A thought as LangChain's own models give it: a standard block among such, else next to the content."""
        self._thoughts += not self._thinking
        self._thinking = True
        if not (self._in_blocks and self._format.get("output_version") == "v1"):
            return {"content": self._nothing(), "additional_kwargs": {REASONING: part.text}}
        index = f"{OWN_INDEX}_thought_{self._thoughts}"
        return {"content": [standard_block(part.text, index)]}

    def _in_order(self, block: dict[str, Any]) -> dict[str, Any]:
        """Words after a call with an index of their own: LangChain would add them to the words before it.

        The words of OpenAI's Responses API are one item with an id, which a stream tells last: they stay together.
        """
        self._texts += self._after_call
        self._after_call = False
        index = block.get("index")
        is_item = isinstance(index, int) and self._format.get("model_provider") == "openai"
        if not self._texts or index is None or is_item or says_more(block):
            return block
        return {**block, "index": f"{OWN_INDEX}_{index}_after_{self._texts}"}

    def _placed(self, block: dict[str, Any]) -> dict[str, Any]:
        """A block with an index that no earlier reply's block has."""
        index = block.get("index")
        if isinstance(index, str) and self._earlier:
            return {**block, "index": f"{index}_{self._earlier}"}
        if not isinstance(index, int):
            return block
        self._last_index = max(self._last_index, index + self._offset)
        return {**block, "index": index + self._offset}

    def _call_chunk(self, part: Call | BadCall | Delta) -> ToolCallChunk:
        if isinstance(part, Delta):
            return self._delta(part)
        if isinstance(part, BadCall):
            args, reason = broken(part.raw), shortened(part.detail, part.raw)
        else:
            args, reason = write_json(part.args), None
        index = self._new_index(reason)
        return tool_call_chunk(name=part.name, args=args, id=new_call_id(), index=index)

    def _delta(self, part: Delta) -> ToolCallChunk:
        """A piece of a call that is still being written; the first one carries its name and id."""
        index = self._open_index = self._new_index() if part.opens else self._open_index
        self._args.setdefault(_Place(index), []).append(part.args)
        if isinstance(part.ends, BadCall):
            self._reasons[_Place(index)] = part.ends.detail
        if not part.opens:
            return tool_call_chunk(name=None, args=part.args, id=None, index=index)
        self._open_id = new_call_id()
        return tool_call_chunk(name=part.name, args=part.args, id=self._open_id, index=index)

    def _new_index(self, reason: str | None = None) -> int:
        index = self._next_index
        self._reasons[_Place(index)] = reason
        self._next_index += 1
        return index

    def _extras(self, message: BaseMessage | None) -> dict[str, Any]:
        """What a message carries besides its content and its metadata, as far as that is new."""
        if not isinstance(message, AIMessageChunk):
            return {}
        calls = [self._native(call) for call in message.tool_call_chunks]
        new_id, self._id = self._id is None, self._id or message.id
        kwargs = message.additional_kwargs
        self._carried = {**kwargs, **self._carried}
        extras = {
            "id": self._id if new_id else None,
            "additional_kwargs": {
                key: kwargs[key] for key in kwargs if key not in self._carried_before
            },
            "tool_call_chunks": calls,
        }
        return {key: value for key, value in extras.items() if value}

    def _native(self, call: ToolCallChunk) -> ToolCallChunk:
        """A piece of a provider's call, with an index of ours."""
        place = self._place_of(call)
        self._reasons.setdefault(place, None)
        self._args.setdefault(place, []).append(call["args"] or "")
        return {**call, "index": place.index}

    def _place_of(self, call: ToolCallChunk) -> _Place:
        """Where a piece of a provider's call belongs; one without an index, as Ollama's are, is whole."""
        if call["index"] is None:
            return _Place(self._new_index() if call["name"] or call["id"] else None)
        number = self._pieces.number_of(call)
        if number not in self._places:
            self._places[number] = self._new_place(call)
        return self._places[number]

    def _new_place(self, call: ToolCallChunk) -> _Place:
        """Where a provider's call begins. Where calls are blocks too, both keep the provider's index."""
        if not self._in_blocks:
            return _Place(self._new_index())
        taken = any(place.index == call["index"] for place in self._places.values())
        return _Place(call["index"], call["id"] if taken else None)


def _without_blind_provider(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """The metadata without a provider in whose messages LangChain does not look for thoughts next to the content."""
    if reads_thoughts(metadata.get("model_provider")):
        return dict(metadata)
    return {key: value for key, value in metadata.items() if key != "model_provider"}


def _closing_chunk(
    kind: type[AIMessageChunk], metadata: dict[str, Any], info: dict[str, Any], **said: Any
) -> ChatGenerationChunk:
    message = kind(response_metadata=metadata, chunk_position="last", **said)
    return ChatGenerationChunk(message=message, generation_info=info or None)


def needs_blocks(content: Content) -> bool:
    """Whether the content is a list that no string can stand for; an empty one is the first of more."""
    return isinstance(content, list) and not (content and all(map(_is_plain, content)))


def _is_plain(block: str | dict[str, Any]) -> bool:
    return isinstance(block, str) or set(block) <= PLAIN


def _is_json(args: str) -> bool:
    return _parsed(args) is not _NOTHING


def _is_object(args: str) -> bool:
    return isinstance(_parsed(args), dict)


_NOTHING = object()


def _parsed(args: str) -> Any:
    try:
        return json.loads(args or "{}", strict=False)
    except ValueError:
        return _NOTHING


def as_chunk(generation: ChatGeneration) -> ChatGenerationChunk:
    """A whole reply as a stream of one chunk, numbered so that merging keeps its calls apart and its texts together."""
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
        content=_numbered(message),
        id=message.id,
        name=message.name,
        additional_kwargs=message.additional_kwargs,
        response_metadata=message.response_metadata,
        usage_metadata=usage_of(message),
        tool_call_chunks=[
            tool_call_chunk(name=name, args=args, id=id_, index=FIRST_INDEX + number)
            for number, (name, args, id_) in enumerate(calls)
        ],
    )
    return ChatGenerationChunk(message=chunk, generation_info=generation.generation_info)


def sum_of(chunks: Sequence[ChatGenerationChunk]) -> ChatGeneration:
    """The whole generation that a turn's chunks add up to."""
    merged = merge_chat_generation_chunks(list(chunks))
    if merged is None:
        raise ValueError("a turn without chunks")
    message = message_chunk_to_message(merged.message)
    unnumbered = message.model_copy(update={"content": _unnumbered(message.content)})
    return ChatGeneration(message=with_reasons(unnumbered), generation_info=merged.generation_info)


def _numbered(message: BaseMessage) -> Content:
    """Whole blocks of text with an index each: they may be shown in pieces, which are then one block again."""
    content = message.content
    if isinstance(content, str) or not (is_standard(message) or needs_blocks(content)):
        return content
    return [
        {"index": f"{OWN_INDEX}_{number}", **block}
        if isinstance(block, dict) and block.get("type") == "text"
        else block
        for number, block in enumerate(content)
    ]


def _unnumbered(content: Content) -> Content:
    if isinstance(content, str):
        return content
    return [
        {key: value for key, value in block.items() if key != "index"}
        if isinstance(block, dict) and _is_own_index(block.get("index"))
        else block
        for block in content
    ]


def _is_own_index(index: Any) -> bool:
    if isinstance(index, str):
        return index.startswith(OWN_INDEX)
    return isinstance(index, int) and index >= FIRST_INDEX
