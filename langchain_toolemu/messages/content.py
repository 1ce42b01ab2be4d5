"""What a message says: its content, a string or a list of blocks, and the parts that a reply is read into.

- A thought stands next to the content, as ChatOllama and ChatDeepSeek give theirs, or is a standard block among such. The
  content stays what it would be without it: clients send a block that they do not know on to their servers, which
  refuse it.
- A call may be shown while it is still being written. Every piece of its arguments ends between two characters of a
  string, so that the pieces of a call that never ends can be told from those of a whole one.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, TypeAlias

from langchain_core.messages import AIMessage, BaseMessage

from langchain_toolemu.reader.events import BadCall, Call, CallsDisowned, CallStarted, Kind

Content: TypeAlias = str | list[str | dict[str, Any]]

PLAIN = frozenset({"type", "text"})
"""A block with nothing but these says no more than a string does."""


def is_standard(message: BaseMessage) -> bool:
    """Whether a message's content is LangChain's standard blocks, so that they are read as they are."""
    version = message.response_metadata.get("output_version")
    return version == "v1" and isinstance(message.content, list) and bool(message.content)


def in_standard_blocks(message: BaseMessage) -> BaseMessage:
    """A message whose content is LangChain's standard blocks, as LangChain makes it for `output_version="v1"`."""
    metadata = {**message.response_metadata, "output_version": "v1"}
    told = {"content": message.content_blocks, "response_metadata": metadata}
    return message if is_standard(message) else message.model_copy(update=told)


def words_of(content: str | Sequence[str | Mapping[str, Any]]) -> str:
    """The words, without images, thoughts and the like."""
    if isinstance(content, str):
        return content
    return "".join(
        block if isinstance(block, str) else str(block.get("text") or "")
        for block in content
        if isinstance(block, str) or block.get("type") == "text"
    )


def blocks_of(content: Content) -> list[str | dict[str, Any]]:
    """The content as a list; no block for no words."""
    if isinstance(content, str):
        return [{"type": "text", "text": content}] if content else []
    return list(content)


def block_types(content: Content) -> list[Any]:
    """What the blocks call themselves; plain words are none."""
    return (
        [] if isinstance(content, str) else [b.get("type") for b in content if isinstance(b, dict)]
    )


def simplest(blocks: list[str | dict[str, Any]]) -> Content:
    """A string where the blocks are nothing but plain text: many chat templates take no list."""
    if all(
        isinstance(block, str) or set(block) <= {"type", "text", "id", "index"} for block in blocks
    ):
        return "\n\n".join(
            block if isinstance(block, str) else str(block.get("text")) for block in blocks
        )
    return blocks


REASONING = "reasoning_content"
"""Where a message has its thought, next to its content."""


@lru_cache(maxsize=64)
def reads_thoughts(provider: str | None) -> bool:
    """Whether LangChain finds thoughts next to the content of this provider's messages.

    It reads each provider's messages in a way of its own, so it is asked.
    """
    said = {"model_provider": provider} if provider else {}
    message = AIMessage("Hi", additional_kwargs={REASONING: "Hm."}, response_metadata=said)
    return any(block["type"] == "reasoning" for block in message.content_blocks)


def standard_block(text: str, index: str) -> dict[str, Any]:
    """A thought among LangChain's standard blocks."""
    return {"type": "reasoning", "reasoning": text, "index": index}


@dataclass(frozen=True, slots=True)
class Delta:
    """A piece of a call's arguments.

    Attributes:
        name: The tool's name.
        args: The piece of JSON.
        opens: Whether it is the first.
        ends: With the last piece, what the call became.
    """

    name: str
    args: str
    opens: bool = False
    ends: Call | BadCall | None = None


def joined(deltas: Sequence[Delta]) -> list[Delta]:
    """Neighbouring pieces of one call as one."""
    if not deltas:
        return []
    args = "".join(delta.args for delta in deltas)
    return [replace(deltas[0], args=args, ends=deltas[-1].ends)]


def write_json(value: Any) -> str:
    """Arguments, or an answer in its form, as the JSON that a message carries."""
    return json.dumps(value, ensure_ascii=False)


class PartialCall:
    """Writes the arguments of one call from its beginning on.

    Args:
        begun: The beginning, as it was read.
        args: The arguments before the one that is being written, as they are after validation.
    """

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
        """What is left of the call. One that cannot be run, or went on otherwise than it began, is left unended."""
        shown = "".join(self._shown)
        if isinstance(became, Call) and became.name == self._name:
            whole = write_json(became.args)
            if whole.startswith(shown):
                return Delta(self._name, whole[len(shown) :], ends=became)
        return Delta(self._name, "", ends=_bad(became))


def _bad(became: Call | BadCall) -> BadCall:
    if isinstance(became, BadCall):
        return became
    detail = "it went on otherwise than it began"
    return BadCall(became.name, became.raw, became.envelope, became.explicit, "unreadable", detail)


@dataclass(frozen=True, slots=True)
class Words:
    """Text for the user, and the content block it came in if it came in one.

    Attributes:
        text: What is said.
        block: The content block.
        kind: Whether it is the answer, or of a thought that is told from it.
    """

    text: str
    block: dict[str, Any] | None = None
    kind: Kind = "answer"


@dataclass(frozen=True, slots=True)
class Thought:
    """What the model thought, without the marks around it: no part of the text."""

    text: str


@dataclass(frozen=True, slots=True)
class ContentBlock:
    """A content block that is no text: passed on as it came."""

    block: dict[str, Any]


_PLACE = {"type", "index", "id"}
"""What tells which block a text belongs to: all else that a block carries is said once."""

Part: TypeAlias = Words | Thought | ContentBlock | Call | BadCall | Delta | CallsDisowned


def with_joined_calls(parts: Sequence[Part]) -> Iterator[Part]:
    """The parts, with neighbouring pieces of one call put together."""
    for run in _runs(parts, _is_more):
        deltas = [part for part in run if isinstance(part, Delta)]
        yield from joined(deltas) if deltas else run


def with_joined_words(parts: Sequence[Part]) -> Iterator[Part]:
    """The parts, with neighbouring words of one block put together."""
    for run in _runs(parts, _is_same_text):
        words = [part for part in run if isinstance(part, Words)]
        if words:
            yield Words("".join(part.text for part in words), words[0].block, words[0].kind)
        else:
            yield from run


def _runs(
    parts: Sequence[Part], goes_on: Callable[[Sequence[Part], Part], bool]
) -> Iterator[list[Part]]:
    """The parts in their order, those together that go on one another."""
    run: list[Part] = []
    for part in parts:
        if run and not goes_on(run, part):
            yield run
            run = []
        run.append(part)
    if run:
        yield run


def _is_more(run: Sequence[Part], part: Part) -> bool:
    last = run[-1]
    return isinstance(part, Delta) and isinstance(last, Delta) and not last.ends


def _is_same_text(run: Sequence[Part], part: Part) -> bool:
    first = run[0]
    if not (isinstance(part, Words) and isinstance(first, Words)):
        return False
    return part.kind == first.kind and _continues(part.block, first.block)


def _continues(block: dict[str, Any] | None, first: dict[str, Any] | None) -> bool:
    """Whether a text's block says no more than which block it goes on."""
    if block is None or first is None:
        return block is first
    return set(block) <= PLAIN | _PLACE and place_of(block) == place_of(first)


def place_of(block: dict[str, Any]) -> dict[str, Any]:
    """What tells which block a text belongs to."""
    return {key: value for key, value in block.items() if key in _PLACE}


def says_more(block: dict[str, Any]) -> bool:
    """Whether a text block carries more than its text and where that belongs, such as an id or citations."""
    return bool(set(block) - PLAIN - {"index"})


def _text_piece(block: dict[str, Any]) -> Words | ContentBlock:
    if not block["text"] and says_more(block):
        return ContentBlock(block)
    return Words(block["text"], None if set(block) <= PLAIN else block)


def pieces_of(content: Content) -> Iterator[Words | ContentBlock]:
    """A message's content as words and blocks."""
    if isinstance(content, str):
        if content:
            yield Words(content)
        return
    for block in content:
        if isinstance(block, str):
            yield Words(block)
        elif block.get("type") == "text" and isinstance(block.get("text"), str):
            yield _text_piece(block)
        else:
            yield ContentBlock(block)
