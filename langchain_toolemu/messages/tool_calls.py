"""The calls of a message: ids, pieces, calls shown so far, and calls left out.

Pieces of one call share an index and have at most one id, as in LangChain. Some servers (Gemini's and older Ollama's, in
OpenAI's protocol) number every call 0; only the ids tell those calls apart.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from secrets import randbits
from string import ascii_letters, digits
from typing import Any, NamedTuple, TypeGuard, TypeVar

from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage, ToolCall
from langchain_core.messages.tool import ToolCallChunk, tool_call_chunk
from langchain_core.utils.json import parse_partial_json

from langchain_toolemu.messages.content import OWN_INDEX, Delta, write_json
from langchain_toolemu.reader.events import BadCall, Call
from langchain_toolemu.validation import NOTHING, read_json

_OURS = re.compile(r"te[a-zA-Z0-9]{7}|emulated_.*", re.DOTALL)  # the second in stored threads
_ID_CHARS = ascii_letters + digits
_ID_KEYS = ("id", "call_id", "tool_use_id", "tool_call_id")
SomeMessage = TypeVar("SomeMessage", bound=BaseMessage)


def new_call_id() -> str:
    """An id that every server takes, unique over threads and restarts: Mistral's templates want nine letters and digits."""
    number, size = randbits(64), len(_ID_CHARS)
    return "te" + "".join([_ID_CHARS[number // size**place % size] for place in range(7)])


def holds_function_call(message: BaseMessage) -> bool:
    """Whether the only call of a reply, or a piece of it, has the form that came before `tool_calls`."""
    held = message.additional_kwargs.get("function_call")
    return isinstance(held, dict) and not (
        getattr(message, "tool_calls", ()) or getattr(message, "tool_call_chunks", ())
    )


def from_function_call(chunk: AIMessageChunk) -> AIMessageChunk:
    """A chunk of such a reply with the call as one of `tool_calls`; a piece with a name begins it."""
    others = dict(chunk.additional_kwargs)
    call = others.pop("function_call")
    name, args = call.get("name"), call.get("arguments") or ""
    piece = tool_call_chunk(name=name, args=args, id=new_call_id() if name else None, index=0)
    fields = ("content", "id", "name", "response_metadata", "usage_metadata", "chunk_position")
    kept = {field: getattr(chunk, field) for field in fields if hasattr(chunk, field)}
    return AIMessageChunk(additional_kwargs=others, tool_call_chunks=[piece], **kept)


def with_new_ids(message: AIMessage) -> AIMessage:
    """A cached message with new ids for its emulated calls: the same id twice in a thread would be one call."""
    made = [*message.tool_calls, *message.invalid_tool_calls]
    old = {call["id"] for call in made if call["id"] and _OURS.fullmatch(call["id"])}
    if not old:
        return message
    ids = {id_: new_call_id() for id_ in old}
    return change_calls(message, partial(rename_ids, lambda id_: ids.get(id_, id_)))


def rename_ids(rename: Callable[[str], str], call: Mapping[str, Any]) -> dict[str, Any]:
    """A call, its result or its block with another id, under whatever key it has one."""
    held = {key: call[key] for key in _ID_KEYS if isinstance(call.get(key), str)}
    return {**call, **{key: rename(id_) for key, id_ in held.items()}}


def change_calls(
    message: SomeMessage, change: Callable[[Any], Any], changed: Mapping[str, Any] | None = None
) -> SomeMessage:
    """A message whose calls are changed wherever it holds them: read, in pieces, raw and in blocks."""
    kwargs, parts = message.additional_kwargs, dict(changed or {})
    for part in ("tool_calls", "invalid_tool_calls", "tool_call_chunks"):
        if held := getattr(message, part, None):
            parts[part] = [*map(change, held)]
    if raw_calls := kwargs.get("tool_calls"):
        parts["additional_kwargs"] = {**kwargs, "tool_calls": [*map(change, raw_calls)]}
    if isinstance(message.content, list):
        blocks = message.content
        parts["content"] = [change(part) if _is_call_part(part) else part for part in blocks]
    differing = {key: value for key, value in parts.items() if getattr(message, key) != value}
    return message.model_copy(update=differing) if differing else message


def _is_call_part(block: Any) -> bool:
    kinds = ("tool_use", "tool_call", "tool_result", "function_call", "invalid_tool_call")
    return isinstance(block, dict) and block.get("type") in kinds


@dataclass(slots=True, eq=False)
class BegunCall:
    """A call of a reply, as far as its pieces tell it from others."""

    name: str  # in its first piece
    shares_index: bool  # with an earlier call
    awaits_id: bool
    args: list[str] = field(default_factory=list)

    def is_over(self, piece: ToolCallChunk) -> bool:
        """Whether a piece without an id begins another call at the same index, and does not only repeat the name."""
        name, args = piece.get("name"), piece.get("args") or ""
        before = "".join(self.args) if name and self.name else ""
        if not before or strict_object(before) is None:  # a name may come late, or in halves
            return False
        return name != self.name or (args.startswith("{") and not args.startswith(before))


@dataclass(slots=True, eq=False)
class CallPieces:
    """Tells which call of a reply a piece belongs to."""

    # By index and id. Without an id: the first call of the index, or what began after it without one.
    _calls: dict[tuple[int | str | None, str], BegunCall] = field(default_factory=dict)

    def call_of(self, piece: ToolCallChunk) -> BegunCall:
        """The call that a piece belongs to. A piece without an index (Ollama) is a whole call."""
        index, id_ = piece.get("index"), piece.get("id") or ""
        first, call = self._calls.get((index, "")), self._calls.get((index, id_))
        if call is None and first and first.awaits_id:
            call = first
        if call is None or (not id_ and call.is_over(piece)):
            call = BegunCall(piece.get("name") or "", first is not None, not (id_ or first))
        call.args.append(piece.get("args") or "")
        if index is not None:
            self._calls[index, id_] = call
            if id_:
                self._calls.setdefault((index, ""), call)
                call.awaits_id = False
        return call


# --- calls that must not run: cut off, unreadable, of a tool that does not exist, or only thought ---
# In a stream their text ends in characters that the model did not write: LangChain completes partial JSON when it adds
# chunks up, and would make a whole call of one that was cut off.

BREAKER = '\\"]]}"]]'  # what keeps arguments that were shown already from being read

_PREFIX = "unreadable: "

_MAX_CHARS = 2000  # longer texts are cut: LangChain's reader of partial JSON is quadratic


def make_unreadable(text: str) -> str:
    """A call's text, changed so that LangChain's lenient JSON parser cannot read it."""
    shown = text[:_MAX_CHARS]
    # What the model wrote like one of these marks gets a second one, which is taken off again.
    start = _PREFIX if shown.startswith(_PREFIX) else ""
    end = BREAKER if shown.endswith(BREAKER) else ""
    forms = (start + shown + end, start + shown + BREAKER)
    return next((form for form in forms if not _is_readable(form)), _PREFIX + shown + end)


def own_text(args: str) -> str:
    """The model's own text of an invalid call."""
    return args.removesuffix(BREAKER).removeprefix(_PREFIX)


def reason_with_length(reason: str, text: str) -> str:
    """Why a call cannot run, and how much of its text is shown if it was shortened."""
    if len(text) <= _MAX_CHARS:
        return reason
    return f"{reason} (the first {_MAX_CHARS} of {len(text)} characters are shown)"


def strict_object(text: str) -> dict[str, Any] | None:
    """Arguments that every JSON parser accepts as an object: Python's accepts `NaN`, and fails on deep nesting."""
    try:
        value = _STRICT.decode(text or "{}")
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON")


_STRICT = json.JSONDecoder(parse_constant=_refuse)


def _is_readable(text: str) -> bool:
    try:
        # No arguments at all count as an empty set of them.
        return not text or isinstance(parse_partial_json(text), dict)
    except RecursionError:
        return True  # it may be, with less on the stack
    except ValueError:
        return False


# --- the calls that a turn has shown ---

# LangChain merges content blocks and call chunks of one index. Text blocks count from 0, so calls count
# from where no reply's text gets to; without an index three calls became one in its v3 protocol.
FIRST_INDEX = 1000

_CUT_ARGUMENTS = "its arguments are no whole JSON object"
_THOUGHT = "it is in a thought"


@dataclass(frozen=True, slots=True)
class CallPlace:
    """Where LangChain adds up the pieces of a call."""

    index: int | None  # that they share; `None`: there is only one
    id: str | None = None  # where an earlier call has the same index

    def breaker(self) -> ToolCallChunk:
        """A chunk that keeps this call from running."""
        return tool_call_chunk(name=None, args=BREAKER, id=self.id, index=self.index)


class ShownCall(NamedTuple):
    """A call that was shown."""

    name: str | None
    why: str | None = None  # it cannot run, if so


@dataclass(eq=False)
class ShownCalls:
    """Numbers the calls that one turn shows, and remembers which cannot run."""

    _next_index: int = FIRST_INDEX
    _first_index: int = FIRST_INDEX  # of this reply
    shown: dict[CallPlace, ShownCall] = field(default_factory=dict)
    _args: dict[CallPlace, list[str]] = field(default_factory=dict)  # of calls in pieces
    _pieces: CallPieces = field(default_factory=CallPieces)
    _places: dict[BegunCall, CallPlace] = field(default_factory=dict)  # of a provider's calls
    _open: ToolCallChunk = field(init=False)  # the first piece of the call that is being written

    def open_reply(self) -> None:
        """Begin a further reply, with new calls."""
        self._first_index = self._next_index
        self._pieces, self._places = CallPieces(), {}

    def add(self, call: Call | BadCall | Delta) -> ToolCallChunk:
        """The chunk of a call or a piece; the first piece carries name and id."""
        match call:
            case Call():
                return self._begin(call.name, write_json(call.args), id_=call.id)
            case BadCall():
                why = reason_with_length(call.detail, call.raw)
                return self._begin(call.name, make_unreadable(call.raw), why, call.id)
        if call.opens:
            chunk = self._open = self._begin(call.name, call.args)
        else:
            index = self._open["index"]
            chunk = tool_call_chunk(name=None, args=call.args, id=None, index=index)
        place = CallPlace(self._open["index"])
        self._args.setdefault(place, []).append(call.args)
        if isinstance(call.ends, BadCall):
            self.shown[place] = ShownCall(call.name, call.ends.detail)
        return chunk

    def whole(self, call: Call | BadCall | Delta, chunk: ToolCallChunk) -> ToolCallChunk | None:
        """The call that this part, shown as `chunk`, completes; `None` if it cannot run."""
        if isinstance(call, Call):
            return chunk
        if not (isinstance(call, Delta) and isinstance(call.ends, Call)):
            return None
        args = write_json(call.ends.args)
        return {**self._open, "args": args}

    def add_native(self, piece: ToolCallChunk, *, in_blocks: bool) -> ToolCallChunk:
        """A piece of a provider's call with our index, or with the provider's if calls are also blocks."""
        place = self._native_place(piece, in_blocks=in_blocks)
        self.shown.setdefault(place, ShownCall(piece["name"]))
        self._args.setdefault(place, []).append(piece["args"] or "")
        return {**piece, "index": place.index}

    def disown(self) -> list[ToolCallChunk]:
        """Chunks that keep the last reply's calls from running. An unfinished one is handled at the close."""
        shown = [CallPlace(index) for index in range(self._first_index, self._next_index)]
        self.shown |= {place: self.shown[place]._replace(why=_THOUGHT) for place in shown}
        self._first_index = self._next_index
        return [place.breaker() for place in shown if _is_json("".join(self._args.get(place, ())))]

    def unended(self) -> Iterator[CallPlace]:
        """The places of calls that were cut off while shown."""
        for place, args in self._args.items():
            if not _is_json("".join(args)):
                yield place

    def reasons(self) -> list[str]:
        """Why calls cannot run, in the order of the calls."""
        reasons = []
        for place, (_, reason) in self.shown.items():
            cut = place in self._args and not _is_json("".join(self._args[place]), dict)
            if reason or cut:
                reasons.append(reason or _CUT_ARGUMENTS)
        return reasons

    def _begin(
        self, name: str | None, args: str, reason: str | None = None, id_: str | None = None
    ) -> ToolCallChunk:
        index = self._new_index()
        self.shown[CallPlace(index)] = ShownCall(name, reason)
        return tool_call_chunk(name=name, args=args, id=id_ or new_call_id(), index=index)

    def _new_index(self) -> int:
        self._next_index += 1
        return self._next_index - 1

    def _native_place(self, piece: ToolCallChunk, *, in_blocks: bool) -> CallPlace:
        """The place of a piece of a provider's call. A piece without an index (Ollama) is a whole call."""
        if piece["index"] is None:
            return CallPlace(self._new_index() if piece["name"] or piece["id"] else None)
        call = self._pieces.call_of(piece)
        if call not in self._places:
            shared = CallPlace(piece["index"], piece["id"] if call.shares_index else None)
            self._places[call] = shared if in_blocks else CallPlace(self._new_index())
        return self._places[call]


def _is_json(args: str, kind: type = object) -> bool:
    value = read_json(args or "{}", strict=False)
    return value is not NOTHING and isinstance(value, kind)


# --- calls that are left out ---

_CALL_BLOCKS = (
    "tool_use", "tool_call", "tool_call_chunk", "invalid_tool_call", "function_call", "input_json_delta",
)  # fmt: skip


def split_at_calls(
    chunk: AIMessageChunk, gone: Sequence[ToolCallChunk]
) -> Iterator[AIMessageChunk | int]:
    """A chunk without some of its calls' pieces. Each is replaced by its number, so that another call can take its place."""
    places = {id(piece): number for number, piece in enumerate(chunk.tool_call_chunks)}
    kwargs = dict(chunk.additional_kwargs)
    if raw := kwargs.pop("tool_calls", None):
        of_gone = _PieceIndex(gone)
        if left := [call for call in raw if of_gone.find(call) is None]:
            kwargs["tool_calls"] = left
    is_gone = {id(piece) for piece in gone}

    def rest() -> Iterator[AIMessageChunk]:
        left_content = content if isinstance(chunk.content, list) else "".join(content)
        if content or pieces or carried:
            yield AIMessageChunk(content=left_content, tool_call_chunks=pieces, **carried)

    carried: dict[str, Any] = {
        "additional_kwargs": kwargs, "response_metadata": chunk.response_metadata,
        "usage_metadata": chunk.usage_metadata, "id": chunk.id, "name": chunk.name,
    }  # fmt: skip
    content: list[Any] = []
    pieces: list[ToolCallChunk] = []
    for block, piece in _content_and_pieces(chunk):
        if piece is not None and id(piece) in is_gone:
            yield from rest()
            content, pieces, carried = [], [], {}
            yield places[id(piece)]
        else:
            content += [] if block is None else [block]
            pieces += [] if piece is None else [piece]
    yield from rest()


def _content_and_pieces(chunk: AIMessageChunk) -> Iterator[tuple[Any, ToolCallChunk | None]]:
    """The blocks of a chunk in order, each with its call's piece, then the pieces without a block."""
    content, pieces = chunk.content, chunk.tool_call_chunks
    if isinstance(content, str):
        yield content, None
        yield from ((None, piece) for piece in pieces)
        return
    index, seen = _PieceIndex(pieces), set()
    for block in content:
        piece = index.find(block) if is_call_block(block) else None
        seen.add(id(piece))
        yield block, piece
    yield from ((None, piece) for piece in pieces if id(piece) not in seen)


class _PieceIndex:
    """Finds the piece of a content block or raw call: by id if both have one, else by index."""

    def __init__(self, pieces: Sequence[ToolCallChunk]) -> None:
        self._by_id = {piece["id"]: piece for piece in pieces if piece.get("id")}
        numbered = (piece for piece in pieces if piece.get("index") is not None)
        self._by_index = {str(piece["index"]): piece for piece in numbered}

    def find(self, call: Mapping[str, Any]) -> ToolCallChunk | None:
        """The piece, if there is one."""
        ids = [call[key] for key in ("id", "call_id") if call.get(key)]
        known = next((self._by_id[id_] for id_ in ids if id_ in self._by_id), None)
        if known or call.get("index") is None:
            return known
        # In a standard block LangChain writes an index of OpenAI's so.
        piece = self._by_index.get(str(call["index"]).removeprefix("lc_tc_"))
        return None if ids and piece and piece.get("id") else piece


# --- calls that go back to their provider ---


def without_arguments(reply: Sequence[AIMessageChunk]) -> list[AIMessageChunk]:
    """A reply without its calls' arguments: LangChain needs quadratic time to add up and parse them."""
    kept: list[AIMessageChunk] = []
    for chunk in reply:
        if not chunk.tool_call_chunks:
            kept.append(chunk)
            continue
        content, kwargs = chunk.content, {**chunk.additional_kwargs}
        kwargs.pop("tool_calls", None)
        if isinstance(content, list):
            content = [block for block in content if not is_call_block(block) or block.get("name")]
        if content or kwargs or not kept:
            changed: dict[str, Any] = {"content": content, "additional_kwargs": kwargs}
            changed |= {"tool_call_chunks": [], "tool_calls": [], "invalid_tool_calls": []}
            kept.append(chunk.model_copy(update=changed))
    return kept


def with_calls(message: BaseMessage, calls: Sequence[ToolCall]) -> BaseMessage:
    """A message with these calls, also in its blocks."""
    content = message.content
    if isinstance(content, list):
        by_id = {call["id"]: call for call in calls}
        content = [filled for block in content if (filled := _filled(block, by_id)) is not None]
    changed = {"content": content, "tool_calls": [*calls], "invalid_tool_calls": []}
    return message.model_copy(update=changed)


def is_call_block(block: Any) -> TypeGuard[dict[str, Any]]:
    """Whether a content block stands for a call, or a piece of one."""
    return isinstance(block, dict) and block.get("type") in _CALL_BLOCKS


def _filled(block: Any, calls: Mapping[str | None, ToolCall]) -> Any:
    if not is_call_block(block):
        own = isinstance(block, dict) and str(block.get("index")).startswith(OWN_INDEX)
        return {key: block[key] for key in block if key != "index"} if own else block
    call = calls.get(block.get("call_id") or block.get("id"))
    if call is None:
        return None
    rest = {key: block[key] for key in block if key not in ("partial_json", "index", "error")}
    named = {**rest, "name": call["name"]}
    match block["type"]:
        case "tool_use":
            return {**named, "input": call["args"]}
        case "function_call":
            return {**named, "arguments": write_json(call["args"])}
    return {**named, "type": "tool_call", "args": call["args"]}
