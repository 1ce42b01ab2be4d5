"""What a turn answers, whatever the protocol: parts as they come, and the whole that they add up to.

- A whole message and the parts of a stream give the same answer.
- A call counts as made only if its arguments are JSON; one that was cut off is kept apart.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias
from uuid import uuid4

from langchain_core.messages import AIMessage, AIMessageChunk
from langchain_core.messages.ai import UsageMetadata, add_usage

from langchain_toolemu.messages.content import write_json
from langchain_toolemu.messages.metadata import CUT_WORDS, DECLINED_WORDS, FINISH_KEYS

Finish: TypeAlias = Literal["stop", "length", "calls", "declined", "stop_sequence"]

THOUGHTS = ("reasoning_content", "reasoning")
"""The names under which servers that speak OpenAI's protocol send a model's thoughts."""


@dataclass(frozen=True, slots=True)
class Words:
    """Words of the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class Thought:
    """Words of the model's reasoning, under the name that the upstream gives them, and its provider's signature."""

    text: str
    name: str = THOUGHTS[0]
    signature: str = ""


@dataclass(frozen=True, slots=True)
class Sealed:
    """Reasoning that Anthropic encrypted: only its own protocol has a place for it."""

    data: str


@dataclass(frozen=True, slots=True)
class Declined:
    """Words that the provider marks as a refusal."""

    text: str


@dataclass(frozen=True, slots=True)
class CallBegun:
    """A call begins: the first, second ... of the answer, counted from 0."""

    number: int
    id: str
    name: str


@dataclass(frozen=True, slots=True)
class CallPiece:
    """A further piece of a call's arguments."""

    number: int
    text: str


Part: TypeAlias = Words | Thought | Sealed | Declined | CallBegun | CallPiece


class Call:
    """A call: its arguments are JSON, or it was cut off or cannot be read."""

    def __init__(self, id_: str, name: str, arguments: str = "") -> None:
        self.id = id_
        self.name = name
        self._pieces = [arguments] if arguments else []

    def add(self, piece: str) -> None:
        """Take a further piece of the arguments."""
        self._pieces.append(piece)

    @property
    def arguments(self) -> str:
        """The arguments as they were written."""
        return "".join(self._pieces)

    @property
    def complete(self) -> bool:
        """Whether it can be run."""
        return _arguments(self.arguments) is not None

    def input(self) -> dict[str, Any]:
        """The arguments as values; none of a call that cannot be run."""
        return _arguments(self.arguments) or {}

    def missing(self) -> str:
        """What is left to write: a call without arguments has `{}`, and one that was cut off must stay unreadable.

        LangChain's clients complete JSON that was cut off, and would run the call. More closing brackets than were ever
        opened keep them from it.
        """
        written = self.arguments
        if not written:
            return "{}"
        return "" if self.complete else '\\"]]}"' + "]" * (written.count("[") + 1)


@dataclass(slots=True)
class Answer:
    """What a turn answers.

    Attributes:
        words: The words, in pieces.
        thinking: The reasoning, in pieces.
        thoughts_name: Under which name the upstream sent it.
        signature: The provider's signature of the reasoning.
        sealed: Reasoning that Anthropic encrypted.
        declined: The words that the provider marks as a refusal.
        calls: The calls, in order.
        usage: The tokens of the whole turn.
        metadata: What the reply says about itself.
    """

    words: list[str] = field(default_factory=list)
    thinking: list[str] = field(default_factory=list)
    thoughts_name: str = THOUGHTS[0]
    signature: str = ""
    sealed: list[str] = field(default_factory=list)
    declined: str = ""
    calls: list[Call] = field(default_factory=list)
    usage: UsageMetadata | None = None
    metadata: dict[str, Any] = field(default_factory=dict)

    def add(self, part: Part) -> None:
        """Take a further part."""
        match part:
            case Words():
                self.words.append(part.text)
            case Thought():
                self.thinking.append(part.text)
                self.thoughts_name = part.name
                self.signature += part.signature
            case Sealed():
                self.sealed.append(part.data)
            case Declined():
                self.declined += part.text
            case CallBegun():
                self.calls.append(Call(part.id, part.name))
            case CallPiece():
                self.calls[part.number].add(part.text)

    @property
    def text(self) -> str:
        """The words."""
        return "".join(self.words)

    @property
    def thoughts(self) -> str:
        """The reasoning."""
        return "".join(self.thinking)

    @property
    def report(self) -> dict[str, Any]:
        """What `ChatToolEmu` says of the turn; nothing in mode off."""
        return dict(self.metadata.get("toolemu") or {})

    @property
    def finish(self) -> Finish:
        """How the answer ended."""
        ends = [str(end).lower() for end in _ends(self.metadata) if end]
        if any(end in CUT_WORDS for end in ends):
            return "length"
        if self.calls:
            return "calls"
        if self.declined or any(end in DECLINED_WORDS for end in ends):
            return "declined"
        return "stop_sequence" if "stop_sequence" in ends else "stop"


def _ends(metadata: Mapping[str, Any]) -> Iterator[Any]:
    yield from (metadata.get(key) for key in FINISH_KEYS)
    details = metadata.get("incomplete_details")
    yield details.get("reason") if isinstance(details, Mapping) else None


class Reading:
    """Reads the parts out of a turn's chunks, and adds them up."""

    def __init__(self) -> None:
        self.answer = Answer()
        self._numbers: dict[Any, int] = {}
        self._unnamed: dict[Any, str] = {}

    def feed(self, chunk: AIMessageChunk) -> list[Part]:
        """The parts that a chunk holds."""
        self._note(chunk)
        parts = [*_spoken(chunk), *self._called(chunk)]
        for part in parts:
            self.answer.add(part)
        return parts

    def end(self) -> list[Part]:
        """What is still to be said when the turn has ended."""
        missing = [(number, call.missing()) for number, call in enumerate(self.answer.calls)]
        parts: list[Part] = [CallPiece(number, text) for number, text in missing if text]
        for part in parts:
            self.answer.add(part)
        return parts

    def take(self, message: AIMessage) -> Answer:
        """The answer that a whole message is."""
        self._note(message)
        for part in _spoken(message):
            self.answer.add(part)
        self.answer.calls = _calls(message)
        self.end()
        return self.answer

    def _note(self, message: AIMessage) -> None:
        answer = self.answer
        if message.response_metadata:
            answer.metadata = {**answer.metadata, **message.response_metadata}
        if message.usage_metadata:
            answer.usage = add_usage(answer.usage, message.usage_metadata)

    def _called(self, chunk: AIMessageChunk) -> Iterator[Part]:
        for piece in chunk.tool_call_chunks:
            key = piece["index"] if piece["index"] is not None else piece["id"] or object()
            if key not in self._numbers and not piece["name"]:
                # Some servers send an id first: without a name nothing can be shown yet.
                self._unnamed[key] = self._unnamed.get(key, "") + (piece["id"] or "")
                continue
            if key not in self._numbers:
                self._numbers[key] = len(self._numbers)
                id_ = _id(piece["id"] or self._unnamed.get(key))
                yield CallBegun(self._numbers[key], id_, piece["name"] or "")
            if piece["args"]:
                yield CallPiece(self._numbers[key], piece["args"])


def _calls(message: AIMessage) -> list[Call]:
    made = [
        Call(_id(call["id"]), call["name"], write_json(call["args"])) for call in message.tool_calls
    ]
    unread = message.invalid_tool_calls
    return made + [Call(_id(call["id"]), call["name"] or "", call["args"] or "") for call in unread]


def _arguments(text: str) -> dict[str, Any] | None:
    """Arguments as values; `None` if they are no JSON object. None at all count as an empty one."""
    try:
        found = json.loads(text or "{}", strict=False)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def _id(id_: str | None) -> str:
    return id_ or f"call_{uuid4().hex[:24]}"


# --- content ---


def _spoken(message: AIMessage) -> Iterator[Part]:
    """What a message says, thoughts first."""
    extra = message.additional_kwargs
    for name in THOUGHTS:
        if isinstance(thought := extra.get(name), str) and thought:
            yield Thought(thought, name)
            break
    if isinstance(refusal := extra.get("refusal"), str) and refusal:
        yield Declined(refusal)
    if isinstance(message.content, str):
        if message.content:
            yield Words(message.content)
        return
    for block in message.content:
        yield from _of_block(block)


def _of_block(block: str | dict[str, Any]) -> Iterator[Part]:
    if isinstance(block, str):
        block = {"type": "text", "text": block}
    match block:
        case {"type": "text", "text": str(text)} if text:
            yield Words(text)
        case {"type": "thinking"}:
            thought, signature = block.get("thinking") or "", block.get("signature") or ""
            if thought or signature:
                yield Thought(thought, signature=signature)
        case {"type": "redacted_thinking", "data": str(data)}:
            yield Sealed(data)
        case {"type": "reasoning"}:
            if thought := _summary(block):
                yield Thought(thought)
        case {"type": "refusal", "refusal": str(text)} if text:
            yield Declined(text)


def _summary(block: Mapping[str, Any]) -> str:
    """The reasoning of a block, as LangChain's v1 or OpenAI's Responses API has it."""
    if isinstance(thought := block.get("reasoning"), str):
        return thought
    texts = [*(block.get("summary") or ()), *(block.get("content") or ())]
    return "".join(str(one.get("text") or "") for one in texts if isinstance(one, Mapping))
