"""Replies as chunks, exactly like native ones, and chunks as whole messages.

`invoke` returns the sum of the chunks that `stream` would show, so the two cannot differ.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar

from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage, message_chunk_to_message
from langchain_core.messages.ai import UsageMetadata, add_ai_message_chunks
from langchain_core.messages.tool import ToolCallChunk, tool_call_chunk
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk
from langchain_core.outputs.chat_generation import merge_chat_generation_chunks
from typing_extensions import override

from langchain_toolemu.messages.call_extras import CALL_EXTRAS
from langchain_toolemu.messages.content import (
    OWN_INDEX,
    REASONING,
    CallBlockFormat,
    Content,
    ContentBlock,
    Delta,
    Part,
    Thought,
    Words,
    find_call_block_format,
    is_standard,
    join_parts,
    needs_blocks,
    place_of,
    says_more,
    without_blind_provider,
)
from langchain_toolemu.messages.metadata import format_of, usage_of
from langchain_toolemu.messages.tool_calls import FIRST_INDEX, ShownCall, ShownCalls, own_text
from langchain_toolemu.reader.events import BadCall, Call, CallsDisowned

Chunks: TypeAlias = list[ChatGenerationChunk]

_BETWEEN = "\n\n"  # what separates a thought in the text from one that the provider gave apart
_OWN_TEXT = {"type": "text", "index": OWN_INDEX}

# A message with one of these is not given what else its chunk carries, too.
_CARRIERS = {"tool_call_chunks", "additional_kwargs"}


class _Place(NamedTuple):
    """Where the next block goes (LangChain merges blocks of one index), and what the message has so far."""

    started: bool = False  # whether anything was shown
    id: str | None = None
    template: dict[str, Any] = _OWN_TEXT  # of words that came without a block
    replies: int = 0  # earlier ones, from the first that showed something
    carried: frozenset[str] = frozenset()  # by them, besides their content
    offset: int = 0  # of this reply's indexes
    last_index: int = -1
    thoughts: int = 0  # how many times one has begun
    in_thought: bool = False
    texts: int = 0  # how often words have followed a call
    after_call: bool = False


@dataclass(eq=False)
class Chunker:
    """Makes the chunks of one turn.

    A turn with several replies is one message: it has one id, what a reply carries besides its content comes from
    the first that carries it, and blocks of two replies are never merged.
    """

    _: KW_ONLY
    gives_thoughts: bool = False
    _calls: ShownCalls = field(default_factory=ShownCalls)
    _format: dict[str, Any] = field(default_factory=dict)
    _in_blocks: bool = False
    _call_block: CallBlockFormat | Literal["unknown"] | None = "unknown"
    _carried: dict[str, Any] = field(default_factory=dict)
    _place: _Place = field(default_factory=_Place)

    def open_reply(self) -> None:
        """Begin a further reply; what was shown stays."""
        self._calls.open_reply()
        place = self._place
        self._place = place._replace(
            template=_OWN_TEXT,
            replies=place.replies + place.started,
            carried=frozenset(self._carried) - {CALL_EXTRAS},
            offset=place.last_index + 1,
        )

    def chunks(
        self, parts: Sequence[Part], carrying: BaseMessage | None, received: Mapping[str, Any]
    ) -> Chunks:
        """The chunks for these parts and for what else their message carries; `received`: the metadata so far."""
        # The format that a first chunk names is the whole message's.
        metadata = self._format = {**format_of(received), **self._format}
        if carrying is not None:
            self._in_blocks |= is_standard(carrying) or needs_blocks(carrying.content)
        if not self._in_blocks:
            # Until it is known whether there is a call or a thought: the last chunk says it.
            kinds = ("tool_call", "reasoning") if self.gives_thoughts else ("tool_call",)
            metadata = without_blind_provider(metadata, *kinds)
        extras = self._extras(carrying) if isinstance(carrying, AIMessageChunk) else {}
        known = {**received, **metadata}
        joined = join_parts(parts)
        messages = [message for part in joined for message in self._messages(part, known)]
        if extras and messages and not _CARRIERS & messages[0].keys():
            messages[0] |= extras
        elif extras:
            messages.insert(0, {"content": self._nothing(), **extras})
        if joined and messages and not self._place.started:
            self._place = self._place._replace(started=True)
        return [self._chunk(message, metadata, carrying) for message in messages]

    @property
    def started(self) -> bool:
        """Whether anything was shown."""
        return self._place.started

    @property
    def calls(self) -> list[ShownCall]:
        """The calls that were shown, valid or not."""
        return [*self._calls.shown.values()]

    def broken_calls(self) -> Chunks:
        """A delta that invalidates each call that was cut off while shown: LangChain would complete its partial JSON."""
        broken: Chunks = []
        for place in self._calls.unended():
            pieces = [place.breaker()]
            message = AIMessageChunk(content="", id=self._place.id, tool_call_chunks=pieces)
            broken.append(ChatGenerationChunk(message=message))
        return broken

    def closing(
        self, metadata: dict[str, Any], info: dict[str, Any], usage: UsageMetadata | None
    ) -> ChatGenerationChunk:
        """The last chunk of a turn. Only this one carries the metadata, and why calls cannot run."""
        if reasons := self._calls.reasons():
            metadata = {**metadata, "toolemu": {**metadata.get("toolemu", {}), _REASONS: reasons}}
        message = (LastChunk if reasons else AIMessageChunk)(
            response_metadata=self.readable_metadata(metadata),
            chunk_position="last",
            usage_metadata=usage,
            id=self._place.id,
            content=self._nothing(),
        )
        return ChatGenerationChunk(message=message, generation_info=info or None)

    @property
    def has_hidden_thought(self) -> bool:
        """Whether a thought next to the content should be a block, but LangChain would not find it."""
        return self.gives_thoughts and REASONING in self._carried and not self._in_blocks

    def readable_metadata(self, metadata: dict[str, Any]) -> dict[str, Any]:
        """The metadata, without a provider for which LangChain does not find what stands next to the content."""
        if self._in_blocks:
            return metadata
        kinds = ["tool_call"] if self._calls.shown else []
        has_thought = self._place.thoughts or REASONING in self._carried
        kinds += ["reasoning"] if self.gives_thoughts and has_thought else []
        return without_blind_provider(metadata, *kinds)

    def _chunk(
        self, fields: dict[str, Any], metadata: dict[str, Any], carrying: BaseMessage | None
    ) -> ChatGenerationChunk:
        fields = {"id": self._place.id, **fields, "response_metadata": metadata}
        calls = fields.pop("tool_call_chunks", ())
        native = isinstance(carrying, AIMessageChunk) and carrying.tool_call_chunks
        if calls and not native and all(call["id"] for call in calls):
            return ShownChunk(message=AIMessageChunk(**fields, tool_call_chunks=calls))
        message = AIMessageChunk(**fields)
        if calls:
            _put_calls_unread(message, calls, carrying if native else message)
        return ShownChunk(message=message)

    def _nothing(self) -> str | list[Any]:
        """Empty content in the model's form: an empty string would stay in a list of blocks."""
        return [] if self._in_blocks else ""

    def _messages(self, part: Part, metadata: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        if isinstance(part, Thought):
            yield self._thought(part)
            return
        if self._place.in_thought:
            self._place = self._place._replace(in_thought=False)
        if isinstance(part, Words | ContentBlock):
            yield self._speech(part)
        elif isinstance(part, CallsDisowned):
            for breaker in self._calls.disown():
                yield {"content": self._nothing(), "tool_call_chunks": [breaker]}
        else:
            yield from self._call(part, metadata)

    def _call(
        self, part: Call | BadCall | Delta, metadata: Mapping[str, Any]
    ) -> Iterator[dict[str, Any]]:
        call = self._calls.add(part)
        self._place = self._place._replace(after_call=True)
        if self._in_blocks and self._call_block == "unknown":
            carried = {"id": self._place.id, "additional_kwargs": self._carried}
            self._call_block = find_call_block_format(**carried, response_metadata=metadata)
        block = self._call_block if self._in_blocks else None
        if block is None or block == "unknown":
            yield {"content": self._nothing(), "tool_call_chunks": [call]}
        elif block.in_pieces:
            yield {"content": [block.write(call)], "tool_call_chunks": [call]}
        else:
            yield {"content": [], "tool_call_chunks": [call]}
            if whole := self._calls.whole(part, call):
                yield {"content": [block.write(whole)]}

    def _speech(self, part: Words | ContentBlock) -> dict[str, Any]:
        """Words or a block as a message: LangChain does not merge blocks within one message."""
        self._in_blocks |= isinstance(part, ContentBlock) or part.block is not None
        if isinstance(part, ContentBlock):
            return {"content": [self._placed_block(part.block)]}
        if not self._in_blocks:
            return {"content": part.text}
        block = part.block or self._place.template
        self._place = self._place._replace(template=place_of(block))
        placed = self._placed_block({**block, "text": part.text})
        return {"content": [self._separate_after_call(placed)]}

    def _thought(self, part: Thought) -> dict[str, Any]:
        """A thought as in LangChain's own models: a standard block among standard blocks, else next to the content."""
        starts = not self._place.in_thought
        thoughts = self._place.thoughts + starts
        self._place = self._place._replace(thoughts=thoughts, in_thought=True)
        between = _BETWEEN if starts and thoughts == 1 and REASONING in self._carried else ""
        apart = {REASONING: between + part.text}
        if not (self._in_blocks and self._format.get("output_version") == "v1"):
            return {"content": self._nothing(), "additional_kwargs": apart}
        # Words after it are a block of their own.
        self._place = self._place._replace(after_call=True)
        index = f"{OWN_INDEX}_thought_{thoughts}"
        text = part.text.lstrip() if starts else part.text  # no other thought is before it here
        block = {"type": "reasoning", "reasoning": text, "index": index}
        return {"content": [block], "additional_kwargs": apart}

    def _separate_after_call(self, block: dict[str, Any]) -> dict[str, Any]:
        """Words after a call, with their own index: else LangChain appends them to the words before it. OpenAI's are one item."""
        texts, index = self._place.texts + self._place.after_call, block.get("index")
        self._place = self._place._replace(texts=texts, after_call=False)
        is_item = self._format.get("model_provider") == "openai" and not _is_own_index(index)
        if not texts or index is None or is_item or says_more(block):
            return block
        return {**block, "index": f"{OWN_INDEX}_{index}_after_{texts}"}

    def _placed_block(self, block: dict[str, Any]) -> dict[str, Any]:
        """A block with an index that no earlier reply used."""
        index, place = block.get("index"), self._place
        if isinstance(index, str) and place.replies:
            return {**block, "index": f"{index}_{place.replies}"}
        if not isinstance(index, int):
            return block
        placed = index + place.offset
        self._place = place._replace(last_index=max(place.last_index, placed))
        return {**block, "index": placed}

    def _extras(self, message: AIMessageChunk) -> dict[str, Any]:
        extras: dict[str, Any] = {}
        if message.id and not self._place.id:
            extras["id"] = message.id
            self._place = self._place._replace(id=message.id)
        kwargs = message.additional_kwargs
        self._carried = {**kwargs, **self._carried}
        if new := {key: kwargs[key] for key in kwargs if key not in self._place.carried}:
            extras["additional_kwargs"] = new
        if pieces := message.tool_call_chunks:
            add = self._calls.add_native
            extras["tool_call_chunks"] = [add(piece, in_blocks=self._in_blocks) for piece in pieces]
        return extras


def _put_calls_unread(new: AIMessageChunk, pieces: list[ToolCallChunk], read: Any) -> None:
    """Put pieces of calls into a chunk that was just made, as LangChain has `read` them in the provider's message.

    It would parse each further piece as JSON of its own, in a time that grows with the square of its length.
    """
    new.tool_call_chunks = pieces
    new.tool_calls, new.invalid_tool_calls = read.tool_calls, read.invalid_tool_calls


# --- whole replies ---


def as_chunk(generation: ChatGeneration) -> ChatGenerationChunk:
    """A whole reply as one chunk, with indexes that keep its calls apart and its texts together."""
    message = generation.message
    if isinstance(generation, ChatGenerationChunk):
        return generation
    if not isinstance(message, AIMessage):
        message = AIMessage(content=message.content)
    chunks: list[ToolCallChunk] = []
    for call in (*message.tool_calls, *message.invalid_tool_calls):
        args, index, name = call["args"], FIRST_INDEX + len(chunks), call["name"] or ""
        text = json.dumps(args) if isinstance(args, dict) else args or ""
        chunks.append(tool_call_chunk(name=name, args=text, id=call["id"], index=index))
    chunk = AIMessageChunk(
        content=message.content if isinstance(message.content, str) else _with_indexes(message),
        id=message.id,
        name=message.name,
        additional_kwargs=message.additional_kwargs,
        response_metadata=message.response_metadata,
        usage_metadata=usage_of(message),
    )
    if chunks:
        _put_calls_unread(chunk, chunks, message)
    return ChatGenerationChunk(message=chunk, generation_info=generation.generation_info)


def sum_of(chunks: Sequence[ChatGenerationChunk]) -> ChatGeneration:
    """The generation that a turn's chunks add up to."""
    merged = merge_chat_generation_chunks(list(chunks))
    if merged is None:
        raise ValueError("a turn without chunks")
    message = with_reasons(_without_indexes(message_chunk_to_message(merged.message)))
    return ChatGeneration(message=message, generation_info=merged.generation_info)


def _with_indexes(message: BaseMessage) -> Content:
    """Text blocks with an index each, so that their pieces become one block again."""
    content = message.content
    if not (is_standard(message) or needs_blocks(content)):
        return content
    return [
        {"index": f"{OWN_INDEX}_block_{number}", **block}
        if isinstance(block, dict) and block.get("type") == "text"
        else block
        for number, block in enumerate(content)
    ]


def _without_indexes(message: BaseMessage) -> BaseMessage:
    if isinstance(message.content, str):
        return message
    content = [*map(_plain_block, message.content)]
    return message.model_copy(update={"content": content})


def _plain_block(block: str | dict[str, Any]) -> dict[str, Any]:
    """A block without an index of ours; a text before the first block is one, too: LangChain skips a bare one."""
    if isinstance(block, str):
        return {"type": "text", "text": block}
    if _is_own_index(block.get("index")):
        return {key: value for key, value in block.items() if key != "index"}
    return block


def _is_own_index(index: Any) -> bool:
    if isinstance(index, str):
        return index.startswith(OWN_INDEX)
    return isinstance(index, int) and index >= FIRST_INDEX


# --- why calls cannot run ---
# A whole message says it in `error` of each such call. In a stream the reasons come with the last chunk, in the turn's
# report, and adding that chunk enters them.

_REASONS = "invalid"
"""The entry of a turn's report that says of each invalid call why it cannot run."""

_Message = TypeVar("_Message", bound=BaseMessage)


def with_reasons(message: _Message) -> _Message:
    """A message whose invalid calls hold the model's own text, and the reasons from its report."""
    reasons = message.response_metadata.get("toolemu", {}).get(_REASONS)
    if not reasons or not isinstance(message, AIMessage):
        return message
    calls = message.invalid_tool_calls
    # If a call was added or removed elsewhere, the reasons fit none.
    known = reasons if len(reasons) == len(calls) else [None] * len(calls)
    explained: list[Any] = [
        {**call, "args": own_text(call["args"] or ""), "error": reason or call["error"]}
        for call, reason in zip(calls, known, strict=True)
    ]
    content = message.content
    if isinstance(content, list):
        by_id = {call["id"]: call for call in explained}
        content = [_update_block(block, by_id) for block in content]
    return message.model_copy(update={"invalid_tool_calls": explained, "content": content})


def _update_block(block: Any, calls: Mapping[Any, Mapping[str, Any]]) -> Any:
    call = calls.get(block.get("call_id") or block.get("id")) if isinstance(block, dict) else None
    if call is None:
        return block
    if block.get("type") == "function_call":
        return {**block, "arguments": call["args"]}
    return dict(call) if block.get("type") == "tool_call_chunk" else block


class ShownChunk(ChatGenerationChunk):
    """A first chunk. For callbacks LangChain adds a list of chunks to it, without asking the last one."""

    @override
    @classmethod
    def lc_id(cls) -> list[str]:
        return ChatGenerationChunk.lc_id()

    @override
    def __add__(
        self, other: ChatGenerationChunk | list[ChatGenerationChunk]
    ) -> ChatGenerationChunk:
        summed = super().__add__(other)
        if isinstance(other, list):
            summed.message = with_reasons(summed.message)
        return summed


class LastChunk(AIMessageChunk):
    """The last chunk of a stream with invalid calls. Python asks a right operand of a subclass first."""

    @override
    @classmethod
    def lc_id(cls) -> list[str]:
        return AIMessageChunk.lc_id()

    def __radd__(self, other: AIMessageChunk) -> AIMessageChunk:
        return with_reasons(add_ai_message_chunks(other, self))
