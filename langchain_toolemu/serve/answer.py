"""The answer of a turn, for every protocol: parts as they come, and the whole that they add up to.

A reply in one piece and the parts of a stream give the same answer. A call counts as complete only
if its arguments are JSON.
"""

import json
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal, NamedTuple, TypeAlias
from uuid import uuid4

from langchain_core.messages import AIMessageChunk
from langchain_core.messages.ai import UsageMetadata, add_usage
from langchain_core.messages.tool import ToolCallChunk

from langchain_toolemu.chat_models import sse
from langchain_toolemu.messages.call_extras import extras_of
from langchain_toolemu.messages.metadata import CUT_WORDS, DECLINED_WORDS, FINISH_KEYS
from langchain_toolemu.messages.past_reasoning import REASONING_KEYS, reasoning_in
from langchain_toolemu.messages.tool_calls import BREAKER, BegunCall, CallPieces, own_text

# Only Anthropic's protocol has a place for encrypted reasoning.
PartKind: TypeAlias = Literal["text", "refusal", "reasoning", "encrypted", "call", "arguments"]
FinishReason: TypeAlias = Literal["stop", "length", "calls", "declined", "stop_sequence"]


@dataclass(frozen=True, slots=True)
class AnswerPart:
    """A part of an answer: words of some kind, the start of a call, or a piece of its arguments."""

    kind: PartKind
    text: str = ""
    name: str = ""  # of the called tool, or of the upstream's field for reasoning
    signature: str = ""  # the provider's, of the reasoning
    number: int = -1  # of the call in the answer, counted from 0
    id: str = ""  # of the call
    extras: Mapping[str, Any] = field(default_factory=dict)  # the provider's, next to the call


class AnswerCall:
    """A call of an answer. One that was cut off while it was sent is not complete."""

    def __init__(self, part: AnswerPart) -> None:
        self.id, self.name, self.extras = part.id, part.name, part.extras
        self._pieces: list[str] = []

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
        """The argument of a tool that takes a text; all that was written, if that is no text."""
        values = self.input()
        found = values.get("input", *values.values()) if len(values) == 1 else values.get("input")
        return found if isinstance(found, str) else self.arguments

    def missing(self) -> str:
        """What is left to write: `{}` if nothing is; a call that was cut off stays unreadable."""
        written = self.arguments
        if not written:
            return "{}"
        # LangChain would complete JSON that was cut off, but for too many closing brackets.
        broken = not (self.complete or written.endswith(BREAKER))
        return '\\"]]}"' + "]" * (written.count("[") + 1) if broken else ""


def read_arguments(text: str) -> dict[str, Any] | None:
    """Arguments as values, `{}` for an empty text; `None` if they are not a JSON object."""
    try:
        found = json.loads(text or "{}", strict=False, **sse.ONLY_FINITE)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


class Tokens(NamedTuple):
    """The tokens of a turn; of the input, some were read from a cache or written to one."""

    input: int = 0
    output: int = 0
    cached: int = 0
    created: int | None = None  # if the upstream counts it
    reasoning: int = 0
    audio: int | None = None  # of the input, if the upstream counts it
    spoken: int | None = None  # of the output, likewise


@dataclass(slots=True)
class AnswerRun:
    """Neighbouring parts of one kind: words, or a call."""

    kind: PartKind
    call: AnswerCall | None = None
    signature: str = ""  # of the reasoning
    pieces: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The words."""
        return "".join(self.pieces)


@dataclass(slots=True)
class Answer:
    """The answer of a turn: what was said and called, in order."""

    runs: list[AnswerRun] = field(default_factory=list)
    reasoning_key: str = REASONING_KEYS[0]  # the upstream's field for it
    calls: list[AnswerCall] = field(default_factory=list)
    usage: UsageMetadata | None = None  # of the whole turn
    metadata: dict[str, Any] = field(default_factory=dict)  # `response_metadata`
    # Name and text of each call that cannot be run, and was not sent as a call.
    invalid_calls: list[tuple[str, str]] = field(default_factory=list)

    def add(self, part: AnswerPart) -> None:
        """Take a further part."""
        if part.kind == "arguments":
            self.calls[part.number].add(part.text)
            return
        if part.kind == "call":
            self.calls.append(AnswerCall(part))
            self.runs.append(AnswerRun("call", self.calls[-1]))
            return
        if not (self.runs and self.runs[-1].kind == part.kind != "encrypted"):
            self.runs.append(AnswerRun(part.kind))
        self.runs[-1].pieces.append(part.text)
        if part.kind == "reasoning":
            self.reasoning_key = part.name
            self.runs[-1].signature += part.signature

    def words(self, kind: PartKind) -> str:
        """All words of a kind."""
        return "".join(run.text for run in self.runs if run.kind == kind)

    def parts(self) -> Iterator[AnswerPart]:
        """The parts that it adds up to, without calls that cannot be run."""
        for run in self.runs:
            if (call := run.call) is None:
                yield AnswerPart(run.kind, run.text, signature=run.signature)
            elif call.complete:
                yield AnswerPart("call", name=call.name, id=call.id)
                yield AnswerPart("arguments", call.arguments or "{}")

    @property
    def complete_calls(self) -> list[AnswerCall]:
        """The calls that can be run."""
        return [call for call in self.calls if call.complete]

    @property
    def report(self) -> dict[str, Any]:
        """The report of `ChatToolEmu` on the turn; empty in mode off."""
        return dict(self.metadata.get("toolemu") or {})

    @property
    def tokens(self) -> Tokens | None:
        """What the upstream counted; `None` if it did not."""
        if (used := self.usage) is None:
            return None
        read, written = used.get("input_token_details", {}), used.get("output_token_details", {})
        return Tokens(
            used["input_tokens"],
            used["output_tokens"],
            read.get("cache_read") or 0,
            read.get("cache_creation"),
            written.get("reasoning") or 0,
            read.get("audio"),
            written.get("audio"),
        )

    @property
    def finish(self) -> FinishReason:
        """How the answer ended."""
        details = self.metadata.get("incomplete_details")
        reasons = [self.metadata.get(key) for key in FINISH_KEYS]
        reasons.append(details.get("reason") if isinstance(details, Mapping) else None)
        ends = {str(end).lower() for end in reasons if end}
        if not ends.isdisjoint(CUT_WORDS):
            return "length"
        if self.calls:  # half a call was cut off, whatever the upstream says
            return "calls" if self.complete_calls else "length"
        if self.words("refusal") or not ends.isdisjoint(DECLINED_WORDS):
            return "declined"
        return "stop_sequence" if "stop_sequence" in ends else "stop"


class AnswerReader:
    """Reads the parts out of a turn's chunks, and adds them up.

    A call that cannot be run is none: at the end its text is the model's words, if no call was
    made and nothing was cut off. Where the answer has a form, words beside a call are no part of
    it, and are shown as reasoning.
    """

    def __init__(self, *, is_whole: bool = False, in_form: bool = False) -> None:
        self.answer = Answer()
        self._is_whole = is_whole
        self._in_form = in_form  # whether clients read any text as JSON
        self._words: list[str] = []  # held, since they do not begin as JSON does
        # Calls of whole replies, by id: blocks tell where each stands.
        self._waiting: dict[Any, tuple[ToolCallChunk, Collection[Any]]] = {}
        self._pieces = CallPieces()
        self._numbers: dict[BegunCall, int] = {}  # of calls that are shown
        self._unnamed: dict[BegunCall, str] = {}  # ids of calls whose names have not come
        self._invalid: dict[BegunCall, tuple[str, list[str]]] = {}  # name and text of others
        self._space = ""  # after a call, until words follow
        self._extras: dict[str, Any] = {}  # of calls, by their ids

    def feed(self, chunk: AIMessageChunk) -> list[AnswerPart]:
        """The parts that a chunk holds."""
        self.answer.metadata |= chunk.response_metadata
        self._extras |= extras_of(chunk)
        if chunk.usage_metadata:
            self.answer.usage = add_usage(self.answer.usage, chunk.usage_metadata)
        return self._add(self._parts_of(chunk))

    def end(self) -> list[AnswerPart]:
        """The parts that are missing when the turn has ended."""
        answer, waiting = self.answer, self._waiting.values()
        self._add(part for pair in waiting for part in self._call_parts(*pair))
        held = self._add(self._held_words("reasoning" if answer.calls else "text"))
        missing = enumerate([call.missing() for call in answer.calls])
        parts = [AnswerPart("arguments", text, number=at) for at, text in missing if text]
        calls = self._invalid.values()
        answer.invalid_calls += [(name, own_text("".join(pieces))) for name, pieces in calls]
        texts = [text for _, text in answer.invalid_calls if text]
        if texts and not answer.calls and answer.finish != "length":
            words = answer.words("text")
            before = "\n" if words and not words.endswith("\n") else ""
            parts.append(AnswerPart("text", before + "\n".join(texts)))
        return held + self._add(parts)

    def _add(self, parts: Iterable[AnswerPart]) -> list[AnswerPart]:
        added: list[AnswerPart] = []
        for part in self._hold_words(parts) if self._in_form else parts:
            if part.kind in ("text", "call"):
                after_call = bool(self.answer.runs) and self.answer.runs[-1].kind == "call"
                if after_call and part.kind == "text" and part.text.isspace():
                    self._space += part.text
                    continue
                space, self._space = self._space, ""
                if space and part.kind == "text":
                    part = replace(part, text=space + part.text)
            self.answer.add(part)
            added.append(part)
        return added

    def _hold_words(self, parts: Iterable[AnswerPart]) -> Iterator[AnswerPart]:
        """The parts of an answer in a form; what is no JSON waits for a call or the end."""
        for part in parts:
            if part.kind != "text" or not self._in_form:
                if part.kind == "call":
                    yield from self._held_words("reasoning")
                yield part
                continue
            self._words.append(part.text)
            opens = part.text.lstrip().startswith(("{", "["))
            if opens and not any(map(str.strip, self._words[:-1])):
                yield from self._held_words("text")

    def _held_words(self, kind: PartKind) -> Iterator[AnswerPart]:
        words, self._words, self._in_form = "".join(self._words), [], kind == "reasoning"
        if words:
            yield AnswerPart(kind, words, self.answer.reasoning_key if self._in_form else "")

    def _parts_of(self, chunk: AIMessageChunk) -> Iterator[AnswerPart]:
        invalid = {(call["id"], call["args"]) for call in chunk.invalid_tool_calls}
        calls = chunk.tool_call_chunks
        if self._is_whole:
            for call in calls:
                known = call["id"] is None or call["id"] in self._waiting
                self._waiting[object() if known else call["id"]] = call, invalid
        extra = chunk.additional_kwargs
        for name, thought in reasoning_in(extra).items():
            yield AnswerPart("reasoning", thought, name)
        if isinstance(refusal := extra.get("refusal"), str) and refusal:
            yield AnswerPart("refusal", refusal)
        for block in [chunk.content] if isinstance(chunk.content, str) else chunk.content:
            content = {"type": "text", "text": block} if isinstance(block, str) else block
            yield from _parts_of_block(content)
            if waiting := self._waiting.pop(content.get("call_id") or content.get("id"), None):
                yield from self._call_parts(*waiting)
        for call in () if self._is_whole else calls:
            yield from self._call_parts(call, invalid)

    def _call_parts(self, piece: ToolCallChunk, invalid: Collection[Any]) -> Iterator[AnswerPart]:
        key, args = self._pieces.call_of(piece), piece["args"] or ""
        if key not in self._numbers:
            if key in self._invalid or (piece["id"], piece["args"]) in invalid:
                self._invalid.setdefault(key, (piece["name"] or "", []))[1].append(args)
                return
            if not piece["name"]:
                # Some servers send an id first; without a name nothing can be shown yet.
                self._unnamed[key] = self._unnamed.get(key, "") + (piece["id"] or "")
                return
            self._numbers[key] = len(self._numbers)
            id_ = piece["id"] or self._unnamed.get(key) or f"call_{uuid4().hex[:24]}"
            place = {"number": self._numbers[key], "extras": self._extras.get(id_, {})}
            yield AnswerPart("call", name=piece["name"], id=id_, **place)
        if args:
            yield AnswerPart("arguments", args, number=self._numbers[key])


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
            if thought := reasoning_text(block):
                yield AnswerPart("reasoning", thought, REASONING_KEYS[0])
        case {"type": "refusal", "refusal": str(text)} if text:
            yield AnswerPart("refusal", text)


def reasoning_text(block: Mapping[str, Any]) -> str:
    """The reasoning of a block, as LangChain's v1 or OpenAI's Responses API has it."""
    if isinstance(thought := block.get("reasoning"), str):
        return thought
    groups = [block.get("summary"), block.get("content")]
    parts = [part for group in groups if isinstance(group, list) for part in group]
    return "".join(str(part.get("text") or "") for part in parts if isinstance(part, Mapping))


class PartQueue:
    """Orders parts for protocols that end a call before the next thing begins.

    A call whose arguments are not whole when something else comes holds back all that follows,
    until the turn ends. A call that is to be sent whole comes when its arguments are there; one
    that was cut off is left out.
    """

    def __init__(self, sent_whole: Callable[[AnswerPart], bool]) -> None:
        self._sent_whole = sent_whole
        self._begun: AnswerPart | None = None  # the call that is being written
        self._call: AnswerCall | None = None  # that call
        self._held: list[AnswerPart] = []  # all but arguments
        self._later: dict[int, list[AnswerPart]] = defaultdict(list)  # arguments of held calls

    def feed(self, part: AnswerPart) -> list[AnswerPart]:
        """The parts that can be sent now."""
        begun, call = self._begun, self._call
        if part.kind == "arguments":
            if begun is None or call is None or part.number != begun.number:
                self._later[part.number].append(part)
                return []
            call.add(part.text)
            return [] if self._sent_whole(begun) else [part]
        # Looked at once: what is held back stays so.
        if self._held or not (call is None or (call.arguments and call.complete)):
            self._held.append(part)
            return []
        return self._begin(part)

    def end(self) -> list[AnswerPart]:
        """What was held back: each call with its arguments."""
        held, self._held, shown = self._held, [], []
        for part in held:
            shown += self._begin(part)
            shown += [piece for later in self._later[part.number] for piece in self.feed(later)]
        return shown + self._end_call()

    def _begin(self, part: AnswerPart) -> list[AnswerPart]:
        ended, self._begun, self._call = self._end_call(), None, None
        if part.kind != "call":
            return [*ended, part]
        self._begun, self._call = part, AnswerCall(part)
        return ended if self._sent_whole(part) else [*ended, part]

    def _end_call(self) -> list[AnswerPart]:
        """The call that was to be sent whole, unless it was cut off."""
        begun, call, self._begun = self._begun, self._call, None
        if begun is None or call is None or not (self._sent_whole(begun) and call.complete):
            return []
        return [begun, AnswerPart("arguments", call.arguments, number=begun.number)]
