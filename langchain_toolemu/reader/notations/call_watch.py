"""A call that is still being written: whether it can be one, and its long arguments as they come.

The rules of this module: an object is let go as soon as a key or a name says that it is not a call, so that a JSON
answer streams like any other. What is passed on of an argument is never taken back, so nothing is before the text is
long enough to be worth it, nor if anything in it so far needs fixing. Where it begins depends on the text alone, not on
the pieces it comes in.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from langchain_toolemu.reader import vocabulary as words
from langchain_toolemu.reader.call_shapes import (
    find_calls,
    may_be_given,
    may_be_unknown,
    may_follow,
)
from langchain_toolemu.reader.context import Context
from langchain_toolemu.reader.events import CallStarted
from langchain_toolemu.reader.literals.frames import Frame, Listener
from langchain_toolemu.reader.literals.strings import LONGEST_ESCAPE, RunningDecoder
from langchain_toolemu.reader.literals.texts import argument_kinds
from langchain_toolemu.reader.notations.outcome import Envelope
from langchain_toolemu.reader.output import Output
from langchain_toolemu.reader.vocabulary import fold
from langchain_toolemu.tools import ToolSpec

_QUOTES = frozenset({'"', "'", *words.TRIPLE})
LONG = 512
"""So many characters make a text long. A shorter one comes whole at its end, and may still be asked for again."""

FIRST_BREAK = re.compile(r"\A\r?\n")
_LAST_BREAK = re.compile(r"\r?\n\Z|\r\Z")
_SMALLEST = 32
_SHARE = 32
_HUGE = 65_536


def beginning(
    context: Context, envelope: Envelope, spec: ToolSpec, args: Mapping[str, Any], key: str
) -> CallStarted | None:
    """The call whose text argument is being written, if it may be passed on before it is whole."""
    if argument_kinds(spec, key) != {"string"}:
        return None
    started = CallStarted(spec.name, args, key)
    may = context.output.may_start_call(started, envelope.label, explicit=envelope.explicit)
    return started if may else None


class RunningText:
    """A text without escapes as it comes; that of an element is without the line breaks at its ends."""

    def __init__(self, *, keeps_ends: bool = False) -> None:
        self._begun = keeps_ends
        self._on_own_lines = False
        self._rest = ""

    def knows(self, _body: str, _size: int) -> bool:
        """Whether every escape in it is known: there are none."""
        return True

    def feed(self, raw: str) -> str:
        """A further piece, up to a line break that may be the last."""
        if not self._begun and (first := FIRST_BREAK.match(raw)):
            raw, self._on_own_lines = raw[first.end() :], True
        self._begun = True
        raw = self._rest + raw
        last = _LAST_BREAK.search(raw) if self._on_own_lines else None
        self._rest = last.group() if last else ""
        return raw[: len(raw) - len(self._rest)]

    def end(self) -> str:
        """What was kept back, but for a line break."""
        return self._rest.rstrip("\n").rstrip("\r") if self._rest.endswith("\n") else self._rest


class LongText:
    """Follows one string; `begun` is whether it was long enough to be passed on.

    Args:
        output: Who it is passed on to.
        beginning: Asked once, when the text is long: what call it belongs to, if that is certain.
        decoder: Who undoes its escapes.
    """

    def __init__(
        self,
        output: Output,
        beginning: Callable[[], CallStarted | None],
        decoder: RunningDecoder | RunningText,
    ) -> None:
        self.begun = False
        self._output = output
        self._beginning = beginning
        self._size = 0
        self._raw: list[str] = []
        self._told: list[str] = []
        self._told_size = 0
        self._untold: list[str] = []
        self._untold_size = 0
        self._enough = _SMALLEST
        self._decoder = decoder
        self._refused = False

    def keep_ends(self) -> None:
        """Line breaks at its ends are part of it."""
        self._decoder = RunningText(keeps_ends=True)

    def take(self, raw: str, *, plain: bool) -> None:
        """A further piece of the string, never ending inside an escape of two characters."""
        self._size += len(raw)
        if self.begun:
            self._add(self._decoder.feed(raw))
        elif not self._refused:
            self._raw.append(raw)
            if self._size >= LONG:
                self._begin("".join(self._raw), plain=plain)

    def text(self) -> str:
        """The whole string, as it was told and with what was left to tell."""
        self._add(self._decoder.end())
        self._tell()
        return "".join(self._told)

    def _begin(self, raw: str, *, plain: bool) -> None:
        known = plain and self._decoder.knows(raw, LONG - LONGEST_ESCAPE)
        beginning = self._beginning() if known else None
        if beginning is None:
            self._refused = True
            return
        self.begun = True
        self._output.start_call(beginning)
        self._add(self._decoder.feed(raw))

    def _add(self, text: str) -> None:
        """Tell it as soon as it is worth it."""
        self._untold.append(text)
        self._untold_size += len(text)
        if self._untold_size >= self._enough:
            self._tell()

    def _tell(self) -> None:
        text = "".join(self._untold)
        self._untold, self._untold_size = [], 0
        self._told.append(text)
        self._told_size += len(text)
        # Whoever adds chunks up reads all that came before again each time.
        self._enough = max(_SMALLEST, self._told_size // _SHARE, (self._told_size - _HUGE) // 4)
        self._output.add_delta(text)


class CallWatch(Listener):
    """Follows the members of an object.

    Attributes:
        released: Whether it was found not to be a call.
        slices: The text of each object of an outer list, as they closed.
        awaits_name: Whether the value being read is the tool's name.
        unknown: The name of a tool that is not bound, where one was named.
        own_keys: What the keys of a dialect of one's own are called otherwise, where it is read.

    Args:
        context: The reply.
        envelope: What it is in.
        releases: Whether an object that is not a call is let go.
        stated: Whether it is known to be a call's arguments.
        named: The tool whose arguments it is.
        before: What was taken before it, which is text if it is not a call.
    """

    def __init__(
        self,
        context: Context,
        envelope: Envelope,
        *,
        releases: bool,
        stated: bool = False,
        named: ToolSpec | None = None,
        before: str = "",
    ) -> None:
        self.released = False
        self._tool_before = named
        self._before = before
        self._followed: LongText | None = None
        self.slices: list[str] = []
        self.awaits_name = False
        self._context = context
        self._envelope = envelope
        self._releases = releases
        self._arguments: frozenset[str] | None = None  # of the tool that was named
        self._stated = stated
        self._message = False
        self.unknown = ""
        self.own_keys: Mapping[str, str] = {}

    def standard_key(self, key: str) -> str:
        """What a key of a dialect of one's own is called otherwise."""
        return self.own_keys.get(key, key)

    @property
    def taken(self) -> str:
        """All that was taken of it already."""
        return self._before + "".join(self.slices)

    def names_tool(self, key: str) -> bool:
        """Whether a key's value is a tool's name, and not an argument."""
        return fold(key) in words.NAME_KEYS and key not in self._context.parameters

    def key(self, key: str) -> bool:
        """Whether an object with this key can still be a call."""
        word = fold(key).partition(":")[0]  # sample unclosed-key
        self.awaits_name = word in words.NAME_KEYS
        self._message |= word == "role"
        if self._arguments is not None:  # sample undeclared-argument
            self._stated |= word in words.ARGUMENT_KEYS or word in self._arguments
        elif self.unknown:
            return self._goes_on(may_follow(self.unknown, word))
        return self._goes_on(
            self._stated
            or word in words.SHAPE_KEYS
            or key.replace("\\", "") in self._context.parameters
            or (self._message and word in words.MESSAGE_KEYS)
            or self._context.resolve(key) is not None
        )

    def member(self, key: str, value: Any) -> bool:
        """Whether an object with this member can still be a call."""
        self.awaits_name = False
        if self.unknown and fold(key) in words.ARGUMENT_KEYS:
            return self._goes_on(may_be_given(value))
        if fold(key) not in words.NAME_KEYS or not isinstance(value, str):
            return True
        if spec := self._context.resolve(value):
            self._arguments = frozenset(map(fold, spec.properties))
        known = (
            self._arguments is not None
            or value in words.PARALLEL
            or key in self._context.parameters
        )
        if not known and self._context.counts_unknown and may_be_unknown(value):
            self.unknown = value
        return self._goes_on(known or bool(self.unknown))

    def states_call(self, frames: Sequence[Frame]) -> bool:
        """Whether an object that is not whole has named a tool that is not bound, and begun its arguments."""
        inside = len(frames) > 1 and frames[1].kind == "object"
        return bool(self.unknown) and inside and fold(frames[0].key or "") in words.ARGUMENT_KEYS

    @property
    def begun(self) -> bool:
        """Whether the call was passed on while it is still being written, so that it cannot become text any more."""
        return self._followed is not None and self._followed.begun

    def long_text(self, frames: Sequence[Frame], quote: str) -> LongText | None:
        """Follows a string argument, unless the call was begun by another, or words may come before it."""
        if self.begun or self._before or len(frames) > 2 or quote not in ('"', *words.TOKENS):
            return None
        decoder = RunningText(keeps_ends=True) if quote in words.TOKENS else RunningDecoder()
        self._followed = LongText(self._context.output, lambda: self._beginning(frames), decoder)
        return self._followed

    def takes_raw(self, frames: Sequence[Frame]) -> bool:
        """Whether a text argument comes next in a call as Gemma writes it, whose keys have no quotes."""
        spec, key = self._tool_before, frames[-1].key if frames else None
        if spec is None or key is None or len(frames) > 1 or not self._envelope.token:
            return False
        return frames[0].bare_keys and argument_kinds(spec, key) == {"string"}

    def _beginning(self, frames: Sequence[Frame]) -> CallStarted | None:
        """The one call that an object states, as far as it is there, if the string is an argument of it."""
        spec = self._tool_of(frames)
        if spec is None or frames[-1].key is None:
            return None
        args, key = dict(frames[-1].items), frames[-1].key
        return beginning(self._context, self._envelope, spec, args, key)

    def _tool_of(self, frames: Sequence[Frame]) -> ToolSpec | None:
        """The tool whose arguments the innermost object holds, if they are where they belong."""
        if any(frame.kind != "object" or frame.extra for frame in frames):
            return None
        if len(frames) == 1:
            return self._tool_before or self._forced_by(frames[0])
        if fold(frames[0].key or "") not in words.ARGUMENT_KEYS:
            return None
        names = [value for key, value in frames[0].items.items() if fold(key) in words.NAME_KEYS]
        return self._context.tools.exact(names[0]) if len(names) == 1 else None

    def _forced_by(self, frame: Frame) -> ToolSpec | None:
        forced = self._context.forced
        named = any(
            fold(key) in words.NAME_KEYS and self._arguments is not None for key in frame.items
        )
        known = forced is not None and {*frame.items, frame.key} <= set(forced.properties)
        return forced if known and not named else None

    def element(self, value: Any) -> None:
        """Keep the text of a call in a list apart from the next one's."""
        self.slices.append(self._context.window.take())
        self._stated |= any(call.meant for call in find_calls(value, self._context.resolve))

    def _goes_on(self, possible: bool) -> bool:
        if self._releases and not possible and not self.begun:
            self.released = True
            self._context.output.add_text(self.taken)
        return not self.released


class ArgumentWatch(Listener):
    """Passes on a long argument, in an envelope that can mean nothing but a call."""

    def __init__(self, context: Context, envelope: Envelope, written: str) -> None:
        self._context = context
        self._envelope = envelope
        self._spec = context.tools.exact(written) if envelope.explicit else None
        self._followed: LongText | None = None

    def long_text(self, frames: Sequence[Frame], quote: str) -> LongText | None:
        """Follows a string argument, unless the call was begun by another."""
        begun = self._followed is not None and self._followed.begun
        if begun or self._spec is None or len(frames) > 1 or quote not in _QUOTES:
            return None
        begin = partial(self._beginning, self._spec, frames[0])
        self._followed = LongText(self._context.output, begin, RunningDecoder(python=True))
        return self._followed

    def _beginning(self, spec: ToolSpec, frame: Frame) -> CallStarted | None:
        names, placed = list(spec.properties), frame.positional
        key = frame.key or "".join(names[len(placed) : len(placed) + 1])
        if "**" in frame.items:
            return None
        args = {**dict(zip(names, placed, strict=False)), **frame.items}
        return beginning(self._context, self._envelope, spec, args, key)
