"""The provider's own calls of one reply: held while they come, fitted to their schemas, and judged like calls in text.

A call is released as soon as nothing but its end can reject it. A repaired call leaves its chunks and comes as a value; one that
cannot be run is kept for the turn to decide on. A model that was asked in text has all its calls read as values.
"""

import json
import re
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any, Literal, TypeAlias

from langchain_core.messages import AIMessageChunk, BaseMessage, ToolCall
from langchain_core.messages.ai import add_ai_message_chunks
from langchain_core.messages.tool import ToolCallChunk, tool_call
from langchain_core.messages.utils import message_chunk_to_message

from langchain_toolemu.messages import tool_calls
from langchain_toolemu.messages.content import write_json
from langchain_toolemu.messages.past_calls import sendable_name
from langchain_toolemu.reader import Reader
from langchain_toolemu.reader.events import BadCall, Call, CallStarted, Text
from langchain_toolemu.tools import ToolSet, ToolSpec
from langchain_toolemu.turn.reasks import FailedMessage
from langchain_toolemu.turn.reply_setup import EarlierCalls, Judge, ReplyCall
from langchain_toolemu.turn.turn_output import Doubt, TurnWarning
from langchain_toolemu.validation import read_json

Handling: TypeAlias = Literal["pass", "choose", "repair", "take"]
"""What is done with a call: nothing; dropped if it was not asked for, and held if its tool is not
bound; repaired and judged, too; or handed on as a value."""

NATIVE = "native"  # the envelope of a call that the provider made

_LONG = 500  # characters of arguments; more of them are looked at before they are whole
_NO_JSON = "its arguments were no JSON object"
_BYTE_ORDER_MARK = "\ufeff"
_NOT_RUN = "This call was not run."
_LOOSER = frozenset({"schema_keywords", "schema_unions", "strict"})  # forms that say less
_OBJECT = re.compile(r'\s*\{\s*"')


@dataclass(slots=True)
class _PiecedCall:
    """A call as far as it has come."""

    came_whole: bool  # without an index, as Ollama's do
    name: str = ""
    id: str | None = None
    args: list[str] = field(default_factory=list)
    size: int = 0
    tried_at: int = -1  # the size at which it was last looked at
    reader: Reader | Literal["none"] | None = None  # of long arguments
    read: int = 0  # how many pieces it has read
    state: Literal["open", "released", "left out", "replaced", "broken"] = "open"
    value: Call | BadCall | None = None  # that comes in the place of its pieces
    record: ReplyCall | None = None  # what it is worth, where that was judged
    grows: bool = True  # whether each piece holds all that came before it
    is_odd: bool = False  # whether its pieces are not to be added up as LangChain does

    def add(self, piece: ToolCallChunk, *, repeats_name: bool) -> None:
        args = piece.get("args") or ""
        if args and self.size:
            self.grows &= args.startswith(next(filter(None, reversed(self.args))))
        self.is_odd |= repeats_name or (self.grows and bool(self.size and args))
        self.name += "" if repeats_name else piece.get("name") or ""
        self.id = self.id or piece.get("id")
        self.args.append(args)
        self.size += len(args)

    @property
    def text(self) -> str:
        """Its arguments as they were written."""
        return "".join(self.args)

    def take_cumulative(self) -> bool:
        """Whether each piece holds all that came before it: then the last is the whole."""
        pieces = [piece for piece in self.args if piece]
        if len(pieces) < 2 or not self.grows:
            return False
        self.args, self.is_odd = pieces[-1:], True
        return True

    def unread(self) -> str:
        """The pieces that the reader has not read yet."""
        start, self.read = self.read, len(self.args)
        return "".join(self.args[start:])


@dataclass(eq=False)
class NativeCalls:
    """Takes the chunks of a reply, and gives them back with the calls in them judged."""

    _judge: Judge
    _pieces: tool_calls.CallPieces = field(default_factory=tool_calls.CallPieces)
    _calls: dict[tool_calls.BegunCall, _PiecedCall] = field(default_factory=dict)
    _owners: dict[str, _PiecedCall] = field(default_factory=dict)  # of each id: its first call
    chunks: list[AIMessageChunk] = field(default_factory=list)  # of the reply, as they came
    _open: deque[_PiecedCall] = field(default_factory=deque)
    _held: list[tuple[AIMessageChunk, list[_PiecedCall]]] = field(default_factory=list)
    accepted: list[Call] = field(default_factory=list)
    broken: list[ReplyCall] = field(default_factory=list)  # cannot be run, or are doubted

    @property
    def _tools(self) -> ToolSet:
        return self._judge.turn_input.functions

    @property
    def _knows_names(self) -> bool:
        """Whether a call of a tool that this request does not offer is known, and held."""
        return bool(self._judge.turn_input.tools)

    @cached_property
    def _handling(self) -> Handling:
        judge, turn_input, settings = self._judge, self._judge.turn_input, self._judge.settings
        if judge.stage.phase != "native":
            return "take"
        # A server that was not told all of a schema is held to it, whoever it is.
        loosened = not _LOOSER.isdisjoint(judge.stage.forms)
        checks = loosened or not settings.on_vendor_host
        if checks and turn_input.offers_functions:
            return "repair"
        limits_calls = turn_input.parallel is False or turn_input.choice.kind == "none"
        chooses = self._knows_names or turn_input.demanded_tool or limits_calls
        return "choose" if chooses else "pass"

    def feed(self, chunk: AIMessageChunk) -> Sequence[AIMessageChunk | Call | BadCall]:
        """Take a chunk; returns what is decided by now, in its order."""
        self.chunks.append(chunk)
        pieces = chunk.tool_call_chunks
        if not (pieces or self._held) or self._handling == "pass":
            return (chunk,)
        self._held.append((chunk, [self._add(piece) for piece in pieces]))
        # In the order in which they began: on it depends which call is one too many.
        while self._open:
            self._decide_early(self._open[0], is_last=len(self._open) == 1)
            if self._open[0].state == "open":
                break
            self._open.popleft()
        return [*self._decided()]

    def end(self, *, cut: bool) -> Sequence[AIMessageChunk | Call | BadCall]:
        """The reply has ended; in one that was `cut` nothing is repaired."""
        for call in self._open:
            if self._handling == "choose":
                self._choose(call, ended=True)
            else:
                self._decide(call, ended=True, cut=cut)
        self._open.clear()
        return [*self._decided()] if self._held else ()

    @property
    def is_open(self) -> bool:
        """Whether a call has begun and is not decided on."""
        return bool(self._open)

    @property
    def has_pieces(self) -> bool:
        """Whether a piece of a call came."""
        return any(chunk.tool_call_chunks for chunk in self.chunks)

    def has_made(self, call: Call) -> bool:
        """Whether one of the provider's calls that stand is the same."""
        made = [*self._accepted_whole, *self._shown()]
        return any((call.name, call.args) == (known.name, known.args) for known in made)

    @property
    def _accepted_whole(self) -> Sequence[Call]:
        """The calls accepted with their arguments: one that is only chosen has a name alone."""
        return self.accepted if self._handling != "choose" else ()

    def _shown(self) -> Iterator[Call]:
        """The calls that were released as they came."""
        if self._handling == "pass" and not self._calls:
            for piece in (piece for chunk in self.chunks for piece in chunk.tool_call_chunks):
                self._add(piece).state = "released"
        for call in self._calls.values():
            args = _json_object(call.text) if call.state == "released" else None
            if args is not None:
                yield Call(call.name, args, call.text, NATIVE, explicit=True)

    def records(self) -> Sequence[ReplyCall]:
        """What calls in the text stand beside: those that are made, and those that cannot be."""
        made = self._accepted_whole or [*self._shown()]
        return [*(ReplyCall(call, "accepted") for call in made), *self.broken]

    @property
    def left_out(self) -> Sequence[str]:
        """The names of calls that were not asked for."""
        return [call.name or "a tool" for call in self._calls.values() if call.state == "left out"]

    @property
    def changed(self) -> bool:
        """Whether anything is not as it came."""
        return bool({call.state for call in self._calls.values()} - {"open", "released"})

    def _add(self, piece: ToolCallChunk) -> _PiecedCall:
        begun = self._pieces.call_of(piece)
        call = self._calls.get(begun)
        if call is None:
            call = self._calls[begun] = _PiecedCall(piece.get("index") is None)
            self._open.append(call)
        repeats = piece.get("name") == call.name and self._tools.exact(call.name) is not None
        call.add(piece, repeats_name=repeats)
        if call.id:
            self._owners.setdefault(call.id, call)
        return call

    def _own_id(self, call: _PiecedCall) -> str | None:
        """The id of a call; `None`, so that it is given a new one, where it has none or an earlier call's."""
        owns = call.id and self._owners[call.id] is call
        taken = call.id in self._judge.turn_input.conversation.call_ids
        return call.id if owns and not taken else None

    def _decided(self) -> Iterator[AIMessageChunk | Call | BadCall]:
        """What need not wait any more: all before the first chunk with a piece of an undecided call."""
        done = 0
        for chunk, calls in self._held:
            states = [call.state for call in calls]
            if "open" in states:
                break
            done += 1
            pieces = zip(chunk.tool_call_chunks, states, strict=True)
            gone = [piece for piece, state in pieces if state != "released"]
            if not gone:
                yield chunk
                continue
            for part in tool_calls.split_at_calls(chunk, gone):
                if isinstance(part, AIMessageChunk):
                    yield part
                elif value := calls[part].value:
                    calls[part].value = None
                    yield value
        del self._held[:done]

    # --- deciding on a call ---

    def _decide_early(self, call: _PiecedCall, *, is_last: bool) -> None:
        """Decide on a call before the end of the reply, where that cannot change it."""
        if self._handling == "choose":
            self._choose(call, ended=call.came_whole)
        elif is_last and not call.came_whole:
            if self._handling == "repair" and call.size >= _LONG:
                self._release_if_certain(call)
        # The next call shows that this one has ended, unless their pieces come in turns. Then it is looked at again when it
        # has doubled, which keeps the work linear.
        elif call.size >= 2 * call.tried_at + 1:
            call.tried_at = call.size
            self._decide(call, ended=False)

    def _decide(self, call: _PiecedCall, *, ended: bool, cut: bool = False) -> None:
        """Decide on a call; before the reply has `ended` only on one that is whole and passes as it is, or is unwanted."""
        args = exact = tool_calls.strict_object(call.text)
        if args is None and call.is_odd and call.take_cumulative():
            args = exact = tool_calls.strict_object(call.text)
        if args is None:
            args = _json_object(call.text)
        if not ended and (args is None or not (call.size or call.came_whole)):
            return
        if cut and args is not None and self._handling == "repair":
            self._pass_as_it_came(call, args)
            return
        found = self._read(call, args, cut=cut)
        if self._handling == "take":
            call.state, call.value = "replaced", found
        elif found is None:
            call.state = "released"
        elif isinstance(found, Call):
            if exact is None and args is not None:
                found = replace(found, notes=(*found.notes, _NO_JSON))
            self._judge_call(call, found, exact, ended=ended)
        elif ended:
            self._break(call, ReplyCall(found, "bad"))

    def _break(self, call: _PiecedCall, record: ReplyCall) -> None:
        """A call that cannot be made as it is."""
        call.state, call.record = "broken", record
        self.broken.append(record)

    def _names_no_tool(self, call: _PiecedCall) -> bool:
        """Whether a call that is not repaired is of no tool that this request offers."""
        is_bound = self._tools.exact(call.name) or self._judge.turn_input.is_providers(call.name)
        return self._knows_names and not is_bound

    def _pass_as_it_came(self, call: _PiecedCall, args: Mapping[str, Any]) -> None:
        """A whole call in a reply that was cut: only its name and the caller's choice count."""
        found = Call(call.name, args, call.text, NATIVE, explicit=True, id=self._own_id(call))
        if self._judge.find_unwanted(found, self.accepted, native=True):
            call.state = "left out"
            return
        if self._names_no_tool(call):
            self._break(call, ReplyCall(self._unknown(call, call.text, found.id), "bad"))
            return
        self.accepted.append(found)
        if self._handling == "choose" or (found.id and not call.is_odd):
            call.state = "released"
        else:
            call.state, call.value = "replaced", found

    def _choose(self, call: _PiecedCall, *, ended: bool) -> None:
        """Drop a call that was not asked for, as soon as its name says so: a call that was shown cannot be retracted."""
        named = ended or (call.name and call.size)
        demanded = self._judge.turn_input.demanded_tool or ""
        if not named and call.name != demanded and demanded.startswith(call.name):
            return
        if not ended and self._names_no_tool(call):
            return  # the model is told of the whole of it
        self._pass_as_it_came(call, {})

    def _judge_call(
        self, call: _PiecedCall, found: Call, args: Mapping[str, Any] | None, *, ended: bool
    ) -> None:
        """Pass, repair, leave out or keep a call; what changes it waits for the end: a reply that is cut is not repaired."""
        record = self._judge.classify(found, self._earlier_calls, native=True)
        call.record = record
        match record.verdict:
            case "accepted" if (
                found.name == call.name and found.id and _is_same(found, args) and not call.is_odd
            ):
                call.state = "released"
                self.accepted.append(found)
            case "unwanted" | "surplus":
                call.state = "left out"
            case _ if not ended:
                return
            case "accepted":
                self.accepted.append(found)
                call.state, call.value = "replaced", found
            case _:
                self._break(call, record)

    def _read(
        self, call: _PiecedCall, args: Mapping[str, Any] | None, *, cut: bool
    ) -> Call | BadCall | None:
        """The call with its arguments brought to the tool's schema; `None` if it may be a provider's own tool's."""
        tool = self._tools.resolve(call.name) if call.name else None
        id_ = self._own_id(call)
        # As a whole message has them, which tells nothing of how they were written.
        text = call.text if args is None else write_json(args)
        if cut and args is None:
            return BadCall(call.name, text, NATIVE, True, "cut", "the reply ends inside it", id_)
        if tool is None:
            is_providers = self._judge.turn_input.is_providers(call.name)
            return None if is_providers or not self._tools else self._unknown(call, text, id_)
        notes: tuple[str, ...] = ()
        if tool.name != call.name:
            notes = (f"the name {call.name!r} -> {tool.name!r}",)
        if args is None and (reread := _read_again(text, tool)):
            args, notes = reread.args, (*notes, *(reread.notes or (_NO_JSON,)))
        if args is None:
            why = "its arguments are no JSON object"
            return BadCall(tool.name, text, NATIVE, True, "unreadable", why, id_)
        found = Call(tool.name, args, text, NATIVE, explicit=True, notes=notes, id=id_)
        return self._fit(found, tool)

    def _unknown(self, call: _PiecedCall, text: str, id_: str | None) -> BadCall:
        why = f"no tool is named {call.name!r}" if call.name else "it names no tool"
        return BadCall(call.name, text, NATIVE, True, "unknown_tool", why, id_)

    def _fit(self, call: Call, tool: ToolSpec) -> Call:
        """A call with its arguments brought to the schema; a date that fits natively is left as it is spelt."""
        repair = partial(self._judge.repair, respells_dates=self._handling == "take")
        fitted = repair(call)
        for other in map(repair, self._retell(call, tool)) if fitted.errors else ():
            if not other.errors:
                return other
        return fitted

    def _retell(self, call: Call, tool: ToolSpec) -> Iterator[Call]:
        """What else a call with these arguments can be, where they do not fit."""
        if self._judge.settings.is_chat_ollama:
            texts = _as_texts(call.args, tool)
            notes = (*call.notes, *(f"{key}: written as text" for key in texts))
            yield replace(call, args={**call.args, **texts}, notes=notes)
        if (reread := _read_again(call.raw, tool)) and reread.args != call.args:
            notes = (*call.notes, "its arguments were in another object")
            yield replace(call, args=reread.args, notes=notes)

    def _release_if_certain(self, call: _PiecedCall) -> None:
        """Release a call whose last argument is a long text, as soon as nothing but its end can reject it."""
        if call.is_odd:
            return
        if call.reader is None:
            is_known = self._tools.exact(call.name) and self._own_id(call)
            begins = is_known and _OBJECT.match(call.text)
            call.reader = Reader(self._tools) if begins else "none"
            opening = f'<tool_call>\n{{"name": {json.dumps(call.name)}, "arguments": '
            if call.reader != "none":
                call.reader.feed(opening)
        if call.reader == "none":
            return
        for event in call.reader.feed(call.unread()):
            if not isinstance(event, CallStarted):
                continue
            args = self._judge.settled_args(event, self._earlier_calls, native=True)
            if args is not None and write_json(args) == write_json(event.args):
                call.state = "released"
                self.accepted.append(Call(call.name, event.args, "", NATIVE, explicit=True))

    @property
    def _earlier_calls(self) -> EarlierCalls:
        """The calls that are decided on so far, the broken ones only if a policy looks at them."""
        if not self._judge.settings.reviews_native:
            return EarlierCalls(
                (), self.accepted
            )  # else a reply of many calls would take quadratic time
        made = (ReplyCall(call, "accepted") for call in self.accepted)
        return EarlierCalls([*made, *self.broken], self.accepted)

    # --- calls that cannot be made as they are ---

    @property
    def invalid(self) -> Sequence[BadCall]:
        """The calls that cannot be run, where another one stands."""
        return [record.as_invalid for record in self.broken if not record.is_left_out]

    @property
    def left_out_warnings(self) -> Sequence[TurnWarning]:
        """What is told of those that the policy leaves out next to it: they are no part of the history."""
        return [record.warning for record in self.broken if record.is_left_out]

    @property
    def doubts(self) -> Sequence[Doubt]:
        """What the policy says against the provider's calls."""
        found = (call.record for call in self._calls.values() if call.record)
        return [call.doubt(self.accepted) for call in found if call.review.outcome != "accept"]

    def failed_message(self, correct: Callable[[ReplyCall], str]) -> FailedMessage:
        """The provider's own message, with its signatures and its reasoning, and what is wrong with each of its calls."""
        calls: dict[str | None, ToolCall] = {}
        faults = []
        for call in self._calls.values():
            name = sendable_name(call.name)
            id_ = call.id if call.id and call.id not in calls else tool_calls.new_call_id()
            args = tool_calls.strict_object(call.text) or {}
            calls[id_] = tool_call(name=name, args=args, id=id_)
            broken = call.record if call.state == "broken" else None
            faults.append(correct(broken) if broken else _NOT_RUN)
        message = message_of(tool_calls.without_arguments(self.chunks))
        return FailedMessage(tool_calls.with_calls(message, [*calls.values()]), tuple(faults))


def message_of(chunks: Sequence[AIMessageChunk]) -> BaseMessage:
    """A reply as one message."""
    whole = add_ai_message_chunks(*chunks) if len(chunks) > 1 else chunks[0]
    return message_chunk_to_message(whole)


def _json_object(text: str) -> dict[str, Any] | None:
    """Arguments that Python reads as an object; no text, or null, stands for none."""
    value = read_json(text.removeprefix(_BYTE_ORDER_MARK) or "{}", strict=False)
    value = {} if value is None else value
    return value if isinstance(value, dict) else None


def _is_same(found: Call, args: Mapping[str, Any] | None) -> bool:
    """Whether the arguments are as they came; what is not declared is noted and stays."""
    return args is not None and (not found.notes or write_json(found.args) == write_json(args))


def _as_texts(args: Mapping[str, Any], tool: ToolSpec) -> dict[str, str]:
    """Objects and lists where a text is wanted: the client has read a text that is JSON, such as a file's content."""
    return {
        key: write_json(value)
        for key, value in args.items()
        if isinstance(value, dict | list) and tool.schema_of(key).get("type") == "string"
    }


def _read_again(text: str, tool: ToolSpec) -> Call | None:
    """Arguments that are no JSON, as the reader reads them; beside them only the same, or the empty object of some servers."""
    events = Reader(ToolSet([tool]), forced=tool.name).read(text)
    calls = [event for event in events if isinstance(event, Call)]
    words = "".join(event.text for event in events if isinstance(event, Text)).strip()
    others = [event for event in events if not isinstance(event, Call | Text)]
    if not calls or others or words not in ("", "{}"):
        return None
    return calls[0] if all(other.args == calls[0].args for other in calls) else None
