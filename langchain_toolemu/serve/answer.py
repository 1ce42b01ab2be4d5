"""What a turn answers, whatever the protocol: parts as they come, and the whole that they add up to.

- A whole message and the parts of a stream give the same answer.
- A call counts as made only if its arguments are JSON; one that was cut off is kept apart.
"""

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias
from uuid import uuid4

from langchain_core.messages import AIMessage, AIMessageChunk
from langchain_core.messages.ai import UsageMetadata, add_usage

from langchain_toolemu.messages.content import write_json
from langchain_toolemu.messages.metadata import CUT_WORDS, DECLINED_WORDS, FINISH_KEYS
from langchain_toolemu.messages.past_reasoning import REASONING_KEYS, reasoning_in
from langchain_toolemu.messages.tool_calls import BREAKER, make_unreadable, own_text

FinishReason: TypeAlias = Literal["stop", "length", "calls", "declined", "stop_sequence"]


@dataclass(frozen=True, slots=True)
class AnswerPart:
    """A part of an answer: words of some kind, the start of a call, or a further piece of its arguments."""

    # Encrypted reasoning is Anthropic's: only its own protocol has a place for it.
    kind: Literal["text", "refusal", "reasoning", "encrypted", "call", "arguments"]
    text: str = ""
    name: str = ""  # of the called tool; or of the reasoning, as the upstream calls it
    signature: str = ""  # the provider's, of the reasoning
    number: int = -1  # of the call: the first, second ... of the answer, counted from 0
    id: str = ""  # of the call


class AnswerCall:
    """A call of an answer: its arguments are JSON, or it was cut off or cannot be read."""

    def __init__(self, id_: str, name: str, arguments: str = "") -> None:
        self.id = id_
        self.name = name
        self._pieces = [arguments]
        self._ending = ""  # what was left to write

    def add(self, piece: str) -> None:
        """Take a further piece of the arguments."""
        self._pieces.append(piece)

    @property
    def arguments(self) -> str:
        """The arguments as they were written."""
        return "".join(self._pieces)

    @property
    def complete(self) -> bool:
        """Whether the arguments are a JSON object, so that the call can be run."""
        return read_arguments(self.arguments) is not None

    def input(self) -> dict[str, Any]:
        """The arguments as values; none of a call that cannot be run."""
        return read_arguments(self.arguments) or {}

    def missing(self) -> str:
        """What is left to write: a call without arguments has `{}`, and one that was cut off must stay unreadable."""
        written = self.arguments
        if not written:
            return "{}"
        # LangChain's clients complete JSON that was cut off, and would run the call. More closing brackets than were ever
        # opened keep them from it.
        if not (self.complete or written.endswith(BREAKER)):
            self._ending = '\\"]]}"' + "]" * (written.count("[") + 1)
        return self._ending

    @property
    def own_text(self) -> str:
        """What the model wrote of a call that cannot be run."""
        return own_text(self.arguments.removesuffix(self._ending))


def read_arguments(text: str) -> dict[str, Any] | None:
    """Arguments as values; `None` if they are no JSON object. No text counts as an empty one."""
    try:
        found = json.loads(text or "{}", strict=False)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


@dataclass(slots=True)
class Answer:
    """The answer of a turn."""

    texts: list[str] = field(default_factory=list)
    thoughts: list[str] = field(default_factory=list)  # the reasoning, in pieces
    reasoning_key: str = REASONING_KEYS[0]  # the name under which the upstream sent it
    signature: str = ""  # of the reasoning
    encrypted: list[str] = field(default_factory=list)  # reasoning that Anthropic encrypted
    refusal: str = ""  # text that the provider marks as one
    calls: list[AnswerCall] = field(default_factory=list)
    usage: UsageMetadata | None = None  # of the whole turn
    metadata: dict[str, Any] = field(default_factory=dict)  # `response_metadata`
    left_out: int = 0  # calls that cannot be run, next to one that can

    def add(self, part: AnswerPart) -> None:
        """Take a further part."""
        match part.kind:
            case "text":
                self.texts.append(part.text)
            case "refusal":
                self.refusal += part.text
            case "reasoning":
                self.thoughts.append(part.text)
                self.reasoning_key = part.name
                self.signature += part.signature
            case "encrypted":
                self.encrypted.append(part.text)
            case "call":
                self.calls.append(AnswerCall(part.id, part.name))
            case "arguments":
                self.calls[part.number].add(part.text)

    @property
    def text(self) -> str:
        """The whole text."""
        return "".join(self.texts)

    @property
    def reasoning(self) -> str:
        """The whole reasoning."""
        return "".join(self.thoughts)

    @property
    def complete_calls(self) -> list[AnswerCall]:
        """The calls that can be run."""
        return [call for call in self.calls if call.complete]

    @property
    def unreadable_calls(self) -> str:
        """The text of calls that cannot be read, unless the limit cut them off."""
        if self.finish == "length":
            return ""
        return "\n".join(call.own_text for call in self.calls if not call.complete)

    @property
    def report(self) -> dict[str, Any]:
        """What `ChatToolEmu` says of the turn; nothing in mode off."""
        return dict(self.metadata.get("toolemu") or {})

    @property
    def finish(self) -> FinishReason:
        """How the answer ended."""
        details = self.metadata.get("incomplete_details")
        reasons = [self.metadata.get(key) for key in FINISH_KEYS]
        reasons.append(details.get("reason") if isinstance(details, Mapping) else None)
        ends = {str(end).lower() for end in reasons if end}
        if not ends.isdisjoint(CUT_WORDS):
            return "length"
        if self.calls:
            return "calls"
        if self.refusal or not ends.isdisjoint(DECLINED_WORDS):
            return "declined"
        return "stop_sequence" if "stop_sequence" in ends else "stop"


class AnswerReader:
    """Reads the parts out of a turn's chunks, and adds them up."""

    def __init__(self) -> None:
        self.answer = Answer()
        self._numbers: dict[Any, int] = {}
        self._unnamed: dict[Any, str] = {}

    def feed(self, chunk: AIMessageChunk) -> list[AnswerPart]:
        """The parts that a chunk holds."""
        self._add_metadata(chunk)
        return self._add([*_parts_of(chunk), *self._call_parts(chunk)])

    def end(self) -> list[AnswerPart]:
        """What is still to be sent when the turn has ended."""
        missing = [call.missing() for call in self.answer.calls]
        return self._add(_arguments(number, text) for number, text in enumerate(missing) if text)

    def take(self, message: AIMessage) -> Answer:
        """Read a whole message."""
        self._add_metadata(message)
        self._add(_parts_of(message))
        for call in message.tool_calls:
            made = AnswerCall(_id(call["id"]), call["name"], write_json(call["args"]))
            self.answer.calls.append(made)
        # Next to a call that can be run they are left out, of which the report tells: clients fail at what is no JSON.
        self.answer.left_out += len(message.invalid_tool_calls) if message.tool_calls else 0
        for unread in () if message.tool_calls else message.invalid_tool_calls:
            text = unread["args"] or ""
            # One that is not to be run, such as a call of an unknown tool, may have arguments that can be read.
            text = text if read_arguments(text) is None else make_unreadable(text)
            written = AnswerCall(_id(unread["id"]), unread["name"] or "", text)
            self.answer.calls.append(written)
        self.end()
        return self.answer

    def _add(self, parts: Iterable[AnswerPart]) -> list[AnswerPart]:
        added = list(parts)
        for part in added:
            self.answer.add(part)
        return added

    def _add_metadata(self, message: AIMessage) -> None:
        answer = self.answer
        if message.response_metadata:
            answer.metadata = {**answer.metadata, **message.response_metadata}
        if message.usage_metadata:
            answer.usage = add_usage(answer.usage, message.usage_metadata)

    def _call_parts(self, chunk: AIMessageChunk) -> Iterator[AnswerPart]:
        for piece in chunk.tool_call_chunks:
            key = piece["index"] if piece["index"] is not None else piece["id"] or object()
            if key not in self._numbers:
                if piece["id"] and self._is_left_out(piece["id"], chunk):
                    self.answer.left_out += 1
                    continue
                if not piece["name"]:
                    # Some servers send an id first: without a name nothing can be shown yet.
                    self._unnamed[key] = self._unnamed.get(key, "") + (piece["id"] or "")
                    continue
                self._numbers[key] = len(self._numbers)
                id_ = _id(piece["id"] or self._unnamed.get(key))
                yield AnswerPart("call", name=piece["name"], number=self._numbers[key], id=id_)
            if piece["args"]:
                yield _arguments(self._numbers[key], piece["args"])

    def _is_left_out(self, id_: str, chunk: AIMessageChunk) -> bool:
        """Whether a call came at once, cannot be run, and stands next to one that can."""
        unread = any(call["id"] == id_ for call in chunk.invalid_tool_calls)
        return unread and any(call.complete for call in self.answer.calls)


def _arguments(number: int, text: str) -> AnswerPart:
    return AnswerPart("arguments", text, number=number)


def _id(id_: str | None) -> str:
    return id_ or f"call_{uuid4().hex[:24]}"


def _parts_of(message: AIMessage) -> Iterator[AnswerPart]:
    """What a message says, reasoning first."""
    extra = message.additional_kwargs
    for name, thought in reasoning_in(extra).items():
        yield AnswerPart("reasoning", thought, name)
    if isinstance(refusal := extra.get("refusal"), str) and refusal:
        yield AnswerPart("refusal", refusal)
    for block in [message.content] if isinstance(message.content, str) else message.content:
        said = {"type": "text", "text": block} if isinstance(block, str) else block
        yield from _parts_of_block(said)


def _parts_of_block(block: dict[str, Any]) -> Iterator[AnswerPart]:
    match block:
        case {"type": "text", "text": str(text)} if text:
            yield AnswerPart("text", text)
        case {"type": "thinking"}:
            thought, signature = block.get("thinking") or "", block.get("signature") or ""
            if thought or signature:
                yield AnswerPart("reasoning", thought, REASONING_KEYS[0], signature)
        case {"type": "redacted_thinking", "data": str(data)}:
            yield AnswerPart("encrypted", data)
        case {"type": "reasoning"}:
            if thought := _reasoning_in(block):
                yield AnswerPart("reasoning", thought, REASONING_KEYS[0])
        case {"type": "refusal", "refusal": str(text)} if text:
            yield AnswerPart("refusal", text)


def _reasoning_in(block: Mapping[str, Any]) -> str:
    """The reasoning of a block, as LangChain's v1 or OpenAI's Responses API has it."""
    if isinstance(thought := block.get("reasoning"), str):
        return thought
    texts = [*(block.get("summary") or ()), *(block.get("content") or ())]
    return "".join(str(one.get("text") or "") for one in texts if isinstance(one, Mapping))


class PartQueue:
    """Orders parts for protocols that end a call before the next thing begins.

    A call that is still being written holds back whatever comes after it, until its arguments are whole or the turn ends.
    """

    def __init__(self) -> None:
        self._number = -1  # of the call that is being written
        self._arguments: _OpenArguments | None = None  # its arguments
        self._held: list[AnswerPart] = []

    def feed(self, part: AnswerPart) -> list[AnswerPart]:
        """The parts that can be sent now."""
        if part.kind == "arguments" and part.number == self._number:
            return self._send([part])
        if self._arguments and not self._arguments.whole:
            self._held.append(part)
            return []
        return self._send([*self._release(), part])

    def end(self) -> list[AnswerPart]:
        """What was held back."""
        return self._send(self._release())

    def _release(self) -> list[AnswerPart]:
        """What was held back, with the arguments of each call together."""
        held, self._held = self._held, []
        arguments: dict[int, list[AnswerPart]] = defaultdict(list)
        for part in held:
            if part.kind == "arguments":
                arguments[part.number].append(part)
        released: list[AnswerPart] = []
        for part in held:
            if part.kind != "arguments":
                released.append(part)
            if part.kind == "call":
                released += arguments[part.number]
        return released

    def _send(self, parts: list[AnswerPart]) -> list[AnswerPart]:
        for part in parts:
            if part.kind != "arguments":
                is_call = part.kind == "call"
                self._arguments = _OpenArguments() if is_call else None
                self._number = part.number if is_call else -1
            elif self._arguments:
                self._arguments.add(part.text)
        return parts


_MARK = re.compile(r'\\.?|["{}\[\]]', re.DOTALL)


class _OpenArguments:
    """Arguments that are being written: each piece is scanned once, and all are parsed once, at the last bracket."""

    def __init__(self) -> None:
        self.whole = False  # whether they are a JSON object, with nothing but space after it
        self._pieces: list[str] = []
        self._carried = ""  # a backslash, whose character is in the next piece
        self._in_string = False
        self._depth = 0
        self._ended = False

    def add(self, piece: str) -> None:
        self._pieces.append(piece)
        if self._ended:
            self.whole = self.whole and not piece.strip(" \t\r\n")
            return
        text, self._carried = self._carried + piece, ""
        for mark in _MARK.findall(text):
            if mark == "\\":
                self._carried = mark
            elif mark == '"':
                self._in_string = not self._in_string
            elif not self._in_string and len(mark) == 1:
                self._depth += 1 if mark in "{[" else -1
                if self._depth <= 0:
                    self._ended = True
                    self.whole = read_arguments("".join(self._pieces)) is not None
                    return
