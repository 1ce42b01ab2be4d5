"""The answer of a turn, for every protocol: parts as they come, and the whole that they add up to.

A whole message and the parts of a stream give the same answer. A call counts as complete only if its arguments are JSON.
"""

import json
import re
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, TypeAlias
from uuid import uuid4

from langchain_core.messages import AIMessage, AIMessageChunk
from langchain_core.messages.ai import UsageMetadata, add_usage

from langchain_toolemu.messages.content import write_json
from langchain_toolemu.messages.metadata import CUT_WORDS, DECLINED_WORDS, FINISH_KEYS
from langchain_toolemu.messages.past_reasoning import REASONING_KEYS, reasoning_in
from langchain_toolemu.messages.tool_calls import BREAKER, CallPieces, make_unreadable, own_text

FinishReason: TypeAlias = Literal["stop", "length", "calls", "declined", "stop_sequence"]


@dataclass(frozen=True, slots=True)
class AnswerPart:
    """A part of an answer: words of some kind, the start of a call, or a further piece of its arguments."""

    # Only Anthropic's protocol has a place for encrypted reasoning.
    kind: Literal["text", "refusal", "reasoning", "encrypted", "call", "arguments"]
    text: str = ""
    name: str = ""  # of the called tool, or of the upstream's field for reasoning
    signature: str = ""  # the provider's, of the reasoning
    number: int = -1  # of the call in the answer, counted from 0
    id: str = ""  # of the call


class AnswerCall:
    """A call of an answer. One that was cut off or cannot be parsed is not complete."""

    def __init__(self, id_: str, name: str, arguments: str = "") -> None:
        self.id = id_
        self.name = name
        self._pieces = [arguments]
        self._ending = ""  # what was left to write

    def add(self, piece: str) -> None:
        """Take a further piece of the arguments."""
        self._pieces.append(piece)
        self.__dict__.pop("_values", None)

    @property
    def arguments(self) -> str:
        """The arguments as they were written."""
        return "".join(self._pieces)

    @cached_property
    def _values(self) -> dict[str, Any] | None:
        return read_arguments(self.arguments)

    @property
    def complete(self) -> bool:
        """Whether the arguments are a JSON object, so that the call can be run."""
        return self._values is not None

    def input(self) -> dict[str, Any]:
        """The arguments as values; none of a call that cannot be run."""
        return self._values or {}

    def text_input(self) -> str:
        """The only argument of a tool that takes a text."""
        return str(self.input().get("input") or "")

    def missing(self) -> str:
        """What is left to write: `{}` for a call without arguments; one that was cut off must stay unreadable."""
        written = self.arguments
        if not written:
            return "{}"
        # LangChain completes JSON that was cut off, and would run the call. Too many closing brackets prevent it.
        if not (self.complete or written.endswith(BREAKER)):
            self._ending = '\\"]]}"' + "]" * (written.count("[") + 1)
        return self._ending

    @property
    def own_text(self) -> str:
        """The model's own text of a call that cannot be run."""
        return own_text(self.arguments.removesuffix(self._ending))


def read_arguments(text: str) -> dict[str, Any] | None:
    """Arguments as values, `{}` for an empty text; `None` if they are not a JSON object."""
    try:
        found = json.loads(text or "{}", strict=False)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


@dataclass(slots=True)
class Answer:
    """The answer of a turn."""

    words: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))  # by kind
    reasoning_key: str = REASONING_KEYS[0]  # the upstream's field for it
    signature: str = ""  # of the reasoning
    calls: list[AnswerCall] = field(default_factory=list)
    usage: UsageMetadata | None = None  # of the whole turn
    metadata: dict[str, Any] = field(default_factory=dict)  # `response_metadata`
    left_out: int = 0  # calls that cannot be run, next to one that can

    def add(self, part: AnswerPart) -> None:
        """Take a further part."""
        match part.kind:
            case "call":
                self.calls.append(AnswerCall(part.id, part.name))
            case "arguments":
                self.calls[part.number].add(part.text)
            case kind:
                self.words[kind].append(part.text)
        if part.kind == "reasoning":
            self.reasoning_key = part.name
            self.signature += part.signature

    @property
    def text(self) -> str:
        """The whole text."""
        return "".join(self.words["text"])

    @property
    def refusal(self) -> str:
        """The text that the provider marks as a refusal."""
        return "".join(self.words["refusal"])

    @property
    def reasoning(self) -> str:
        """The whole reasoning."""
        return "".join(self.words["reasoning"])

    @property
    def complete_calls(self) -> list[AnswerCall]:
        """The calls that can be run."""
        return [call for call in self.calls if call.complete]

    @property
    def unreadable_calls(self) -> str:
        """The text of calls that cannot be parsed, unless the limit cut them off."""
        if self.finish == "length":
            return ""
        return "\n".join(call.own_text for call in self.calls if not call.complete)

    @property
    def report(self) -> dict[str, Any]:
        """The report of `ChatToolEmu` on the turn; empty in mode off."""
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
        self._pieces = CallPieces()
        self._numbers: dict[int, int] = {}  # of calls that are shown, by their numbers in the reply
        self._unnamed: dict[int, str] = {}  # ids of calls whose names have not come

    def feed(self, chunk: AIMessageChunk) -> list[AnswerPart]:
        """The parts that a chunk holds."""
        self._add_metadata(chunk)
        return self._add([*_parts_of(chunk), *self._call_parts(chunk)])

    def end(self) -> list[AnswerPart]:
        """The parts that are missing when the turn has ended."""
        missing = enumerate([call.missing() for call in self.answer.calls])
        return self._add(AnswerPart("arguments", text, number=at) for at, text in missing if text)

    def take(self, message: AIMessage) -> Answer:
        """Read a whole message."""
        self._add_metadata(message)
        self._add(_parts_of(message))
        made, unread = message.tool_calls, message.invalid_tool_calls
        calls = [AnswerCall(_id(one["id"]), one["name"], write_json(one["args"])) for one in made]
        if made:  # the others are left out, as the report says: clients fail on invalid JSON
            self.answer.left_out += len(unread)
        for one in () if made else unread:
            text = one["args"] or ""
            # A call that must not be run, such as one of an unknown tool, may have valid arguments.
            text = text if read_arguments(text) is None else make_unreadable(text)
            calls.append(AnswerCall(_id(one["id"]), one["name"] or "", text))
        self.answer.calls += calls
        self.end()
        return self.answer

    def _add(self, parts: Iterable[AnswerPart]) -> list[AnswerPart]:
        added = list(parts)
        for part in added:
            self.answer.add(part)
        return added

    def _add_metadata(self, message: AIMessage) -> None:
        self.answer.metadata |= message.response_metadata
        if message.usage_metadata:
            self.answer.usage = add_usage(self.answer.usage, message.usage_metadata)

    def _call_parts(self, chunk: AIMessageChunk) -> Iterator[AnswerPart]:
        unread = {call["id"] for call in chunk.invalid_tool_calls if call["id"]}
        for piece in chunk.tool_call_chunks:
            key = self._pieces.number_of(piece)
            if key not in self._numbers:
                # A call that cannot be run is left out next to one that can.
                if piece["id"] in unread and any(call.complete for call in self.answer.calls):
                    self.answer.left_out += 1
                    continue
                if not piece["name"]:
                    # Some servers send an id first; without a name nothing can be shown yet.
                    self._unnamed[key] = self._unnamed.get(key, "") + (piece["id"] or "")
                    continue
                self._numbers[key] = len(self._numbers)
                id_ = _id(piece["id"] or self._unnamed.get(key))
                yield AnswerPart("call", name=piece["name"], number=self._numbers[key], id=id_)
            if piece["args"]:
                yield AnswerPart("arguments", piece["args"], number=self._numbers[key])


def _id(id_: str | None) -> str:
    return id_ or f"call_{uuid4().hex[:24]}"


def _parts_of(message: AIMessage) -> Iterator[AnswerPart]:
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
        self._held: deque[AnswerPart] = deque()  # all but arguments
        self._later: dict[int, list[AnswerPart]] = defaultdict(list)  # arguments of held calls
        self._number = -1  # of the call that is being written
        self._open: _OpenArguments | None = None  # its arguments

    def feed(self, part: AnswerPart) -> list[AnswerPart]:
        """The parts that can be sent now."""
        if part.kind != "arguments":
            self._held.append(part)
        elif self._open and part.number == self._number:
            self._open.add(part.text)
            return [part]
        else:
            self._later[part.number].append(part)
        return self._release()

    def end(self) -> list[AnswerPart]:
        """What was held back."""
        return self._release(everything=True)

    def _release(self, *, everything: bool = False) -> list[AnswerPart]:
        released: list[AnswerPart] = []
        while self._held and (everything or not self._open or self._open.whole):
            part = self._held.popleft()
            self._number = part.number
            self._open = _OpenArguments() if part.kind == "call" else None
            released.append(part)
            for piece in self._later.pop(part.number, ()):
                released += self.feed(piece)
        return released


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
