"""The content of a message, a string or a list of blocks, and the parts of a reply.

Reasoning goes next to the content, as in ChatOllama and ChatDeepSeek, or into a standard block if the content is standard
blocks: clients send unknown blocks to their servers, which refuse them.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, TypeAlias

from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.messages.tool import ToolCallChunk, tool_call, tool_call_chunk

from langchain_toolemu.reader.events import BadCall, Call, CallsDisowned, CallStarted, TextKind

Content: TypeAlias = str | list[str | dict[str, Any]]

PLAIN = frozenset({"type", "text"})
"""A block with nothing but these says no more than a string does."""

REASONING = "reasoning_content"  # where a message has its thought, next to its content

# LangChain merges blocks by such an index too. No provider's begins like this.
OWN_INDEX = "lc_toolemu"


def is_standard(message: BaseMessage) -> bool:
    """Whether a message's content is LangChain's standard blocks."""
    version = message.response_metadata.get("output_version")
    return version == "v1" and isinstance(message.content, list) and bool(message.content)


def in_standard_blocks(message: BaseMessage, *, gives_thoughts: bool = False) -> BaseMessage:
    """A message with LangChain's standard blocks as content, as for `output_version="v1"`.

    `gives_thoughts`: a thought next to the content becomes a block, as a call does, even if LangChain looks for neither in
    this provider's messages.
    """
    if is_standard(message):
        return message
    given, is_text = message.response_metadata, isinstance(message.content, str)
    calls = is_text and isinstance(message, AIMessage) and message.tool_calls
    kinds = ["tool_call"] if calls else []
    kinds += ["reasoning"] if gives_thoughts and REASONING in message.additional_kwargs else []
    read = message.model_copy(update={"response_metadata": without_blind_provider(given, *kinds)})
    metadata = {**given, "output_version": "v1"}
    update = {"content": read.content_blocks, "response_metadata": metadata}
    return message.model_copy(update=update)


class BlockNumbers:
    """Numbers the standard blocks of a stream: with LangChain's own numbers, words would merge with calls."""

    def __init__(self) -> None:
        self._type, self._number = "", -1

    def number(self, message: BaseMessage) -> None:
        """Give each block its number, in place: the message must not be shared."""
        for block in message.content:
            if isinstance(block, dict):
                self._number += block["type"] != self._type
                self._type = block["type"]
                block.setdefault("index", f"{OWN_INDEX}_{self._number}")


def needs_blocks(content: Content) -> bool:
    """Whether the content is a list that a string cannot replace. An empty list is the start of one."""
    if isinstance(content, str):
        return False
    return not content or any(set(block) - PLAIN for block in content if isinstance(block, dict))


def words_of(content: str | Sequence[str | Mapping[str, Any]]) -> str:
    """The words, without images, thoughts and the like."""
    if isinstance(content, str):
        return content
    return "".join(
        block if isinstance(block, str) else str(block.get("text") or "")
        for block in content
        # A block without a type is Bedrock's or Gemini's, which marks its thoughts.
        if isinstance(block, str)
        or (block.get("type", "text") == "text" and not block.get("thought"))
    )


_NO_WORDS = re.compile(
    r"^(type|status|media_type|cache_control|signature|tool_changes|encrypted_.*)$|(^|_)id$"
)


def all_words_in(value: Any) -> Iterator[str]:
    """The words in a block or an item: its strings, without ids, marks and encrypted or binary data."""
    match value:
        case str() if value.strip():
            yield value
        case list():
            yield from (word for inner in value for word in all_words_in(inner))
        case dict():
            is_data = value.get("type") == "base64"
            for key, inner in value.items():
                if not (_NO_WORDS.search(key) or (is_data and key == "data")):
                    yield from all_words_in(inner)


def is_reasoning(block: Mapping[str, Any]) -> bool:
    """Whether a block is a thought: LangChain's own, or Anthropic's."""
    return block.get("type") in ("reasoning", "thinking", "redacted_thinking")


def blocks_of(content: Content) -> list[str | dict[str, Any]]:
    """The content as a list of blocks; empty for an empty string."""
    if isinstance(content, str):
        return [{"type": "text", "text": content}] if content else []
    return list(content)


def simplest(blocks: list[str | dict[str, Any]]) -> Content:
    """A string if the blocks are plain text: many chat templates accept no list."""
    texts = []
    for block in blocks:
        if not isinstance(block, str) and set(block) - {"type", "text", "id", "index"}:
            return blocks
        texts.append(block if isinstance(block, str) else str(block.get("text")))
    return "\n\n".join(texts)


def with_one_text(message: BaseMessage) -> BaseMessage:
    """A message whose blocks are one text, where they are nothing else."""
    if isinstance(message.content, str):
        return message
    text = simplest(message.content)
    return message.model_copy(update={"content": text}) if isinstance(text, str) else message


@lru_cache(maxsize=64)
def _kinds_beside_text(provider: str | None) -> frozenset[str]:
    """The kinds of blocks that LangChain finds next to a text in this provider's messages. Tried once."""
    message = AIMessage(
        "Hi",
        additional_kwargs={REASONING: "Hm."},
        tool_calls=[tool_call(name="f", args={}, id="1")],
        response_metadata={"model_provider": provider} if provider else {},
    )
    return frozenset(block["type"] for block in message.content_blocks)


def without_blind_provider(metadata: dict[str, Any], *kinds: str) -> dict[str, Any]:
    """The metadata, without a provider in whose messages LangChain finds no such blocks next to a text."""
    if _kinds_beside_text(metadata.get("model_provider")).issuperset(kinds):
        return metadata
    return {key: value for key, value in metadata.items() if key != "model_provider"}


# --- calls among the blocks of models that speak in them ---


@dataclass(frozen=True, slots=True)
class CallBlockFormat:
    """How a call is written as a content block."""

    write: Callable[[ToolCallChunk], dict[str, Any]]
    in_pieces: bool  # a block for each, unless LangChain would show a piece as a call


def find_call_block_format(**fields: Any) -> CallBlockFormat | None:
    """The block format in which LangChain sees a call in such a message; `None` if it needs no block."""
    probe = tool_call_chunk(name="f", args="{}", id="1", index=0)
    for block in (None, *_CALL_BLOCKS):
        content: list[str | dict[str, Any]] = [block.write(probe)] if block else []
        message = AIMessage(content, tool_calls=[{"name": "f", "args": {}, "id": "1"}], **fields)
        seen = {block.get("type") for block in message.content_blocks}
        if seen & {"tool_call", "tool_call_chunk"}:
            return block
    return None


def _openai_block(call: ToolCallChunk) -> dict[str, Any]:
    fields = {"name": call["name"], "arguments": call["args"], "call_id": call["id"]}
    block = {"type": "function_call", **fields, "index": call["index"]}
    return {key: value for key, value in block.items() if value is not None}


def _anthropic_block(call: ToolCallChunk) -> dict[str, Any]:
    fields = {"id": call["id"], "name": call["name"], "input": json.loads(call["args"] or "{}")}
    return {"type": "tool_use", **fields, "index": call["index"]}


_CALL_BLOCKS = (
    CallBlockFormat(_openai_block, in_pieces=True),
    CallBlockFormat(_anthropic_block, in_pieces=False),
    CallBlockFormat(dict, in_pieces=True),
)


# --- the parts of a reply ---


@dataclass(frozen=True, slots=True)
class Words:
    """Text for the user: the answer, or a thought."""

    text: str
    block: dict[str, Any] | None = None  # that it came in
    kind: TextKind = "answer"


@dataclass(frozen=True, slots=True)
class Thought:
    """A thought without its marks, which is not part of the text."""

    text: str


@dataclass(frozen=True, slots=True)
class ContentBlock:
    """A content block that is not text, passed on unchanged."""

    block: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Delta:
    """A piece of the arguments of a call that is still being written, as JSON."""

    name: str
    args: str
    opens: bool = False
    ends: Call | BadCall | None = None  # with the last piece, what the call became


Part: TypeAlias = Words | Thought | ContentBlock | Call | BadCall | Delta | CallsDisowned

_PLACE = frozenset({"type", "index", "id"})
"""What tells which block a text belongs to: all else that a block carries is said once."""


def parts_of(content: Content) -> Iterator[Words | ContentBlock]:
    """A message's content as words and blocks."""
    if isinstance(content, str):
        if content:
            yield Words(content)
        return
    for block in content:
        if isinstance(block, str):
            yield Words(block)
            continue
        text = block.get("text") if block.get("type") == "text" else None
        if isinstance(text, str) and (text or not says_more(block)):
            yield Words(text, None if set(block) <= PLAIN else block)
        else:
            yield ContentBlock(block)


def place_of(block: dict[str, Any]) -> dict[str, Any]:
    """The keys that identify a text's block."""
    return {key: value for key, value in block.items() if key in _PLACE}


def says_more(block: dict[str, Any]) -> bool:
    """Whether a text block carries more than its text and index, such as an id or citations."""
    return bool(set(block) - PLAIN - {"index"})


def speaks(part: Part) -> bool:
    """Whether a part is words, and not only white space."""
    return isinstance(part, Words) and bool(part.text.strip())


def join_parts(parts: Sequence[Part]) -> list[Part]:
    """The parts, with neighbouring words of one block joined, and neighbouring pieces of one call."""
    if len(parts) < 2:
        return list(parts)
    runs: list[list[Part]] = []
    for part in parts:
        if runs and _continues(runs[-1], part):
            runs[-1].append(part)
        else:
            runs.append([part])
    return [run[0] if len(run) == 1 else _join(run) for run in runs]


def _continues(run: Sequence[Part], part: Part) -> bool:
    first, last = run[0], run[-1]
    if isinstance(part, Delta) and isinstance(last, Delta):
        return not last.ends
    if not (isinstance(part, Words) and isinstance(first, Words)) or part.kind != first.kind:
        return False
    if part.block is None or first.block is None:
        return part.block is first.block
    # A block that says no more than which block it goes on.
    return set(part.block) <= PLAIN | _PLACE and place_of(part.block) == place_of(first.block)


def _join(run: Sequence[Part]) -> Part:
    first, last = run[0], run[-1]
    if isinstance(first, Delta) and isinstance(last, Delta):
        args = "".join(part.args for part in run if isinstance(part, Delta))
        return replace(first, args=args, ends=last.ends)
    text = "".join(part.text for part in run if isinstance(part, Words))
    return replace(first, text=text) if isinstance(first, Words) else first


# --- a call that is shown while it is being written ---


def write_json(value: Any) -> str:
    """Arguments, or a structured answer, as JSON."""
    return _ENCODER.encode(value)


_ENCODER = json.JSONEncoder(ensure_ascii=False)


class PartialCall:
    """Writes a call in pieces. Each ends inside a string, so an unfinished call is not valid JSON."""

    def __init__(self, begun: CallStarted, args: Mapping[str, Any]) -> None:
        self._name = begun.name
        self._shown = [write_json({**args, begun.key: ""}).removesuffix('"}')]

    def opening(self) -> Delta:
        """Everything up to the string that is being written."""
        return Delta(self._name, self._shown[0], opens=True)

    def more(self, text: str) -> Delta:
        """A further piece of the string."""
        self._shown.append(json.dumps(text, ensure_ascii=False)[1:-1])
        return Delta(self._name, self._shown[-1])

    def end(self, became: Call | BadCall) -> Delta:
        """The rest of the call. A bad call, or one that differs from its beginning, is left unfinished."""
        shown = "".join(self._shown)
        if isinstance(became, Call):
            whole = write_json(became.args)
            if became.name == self._name and whole.startswith(shown):
                return Delta(self._name, whole[len(shown) :], ends=became)
            place = became.raw, became.envelope, became.explicit
            detail = "it went on otherwise than it began"
            became = BadCall(became.name, *place, "unreadable", detail)
        return Delta(self._name, "", ends=became)
