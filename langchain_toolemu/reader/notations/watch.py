"""Whether an object that is still being written can be a call.

The rule of this module: an object is let go as soon as a key or a name says that it is not a call, so that a JSON
answer streams like any other.
"""

from collections.abc import Sequence
from typing import Any

from langchain_toolemu.reader.context import Context
from langchain_toolemu.reader.events import CallStarted
from langchain_toolemu.reader.literals.escapes import RunningDecoder
from langchain_toolemu.reader.literals.frames import Frame, Listener
from langchain_toolemu.reader.literals.texts import argument_kinds
from langchain_toolemu.reader.marks import TOKENS
from langchain_toolemu.reader.notations.long_texts import LongText, RunningText, beginning
from langchain_toolemu.reader.notations.reading import Envelope
from langchain_toolemu.reader.statements import find_calls, may_be_given, may_be_unknown, may_follow
from langchain_toolemu.reader.words import (
    ARGUMENT_KEYS,
    MESSAGE_KEYS,
    NAME_KEYS,
    PARALLEL,
    SHAPE_KEYS,
    fold,
)
from langchain_toolemu.tools import ToolSpec


class CallWatch(Listener):
    """Follows the members of an object.

    Attributes:
        released: Whether it was found not to be a call.
        slices: The text of each object of an outer list, as they closed.
        awaits_name: Whether the value being read is the tool's name.
        unknown: The name of a tool that is not bound, where one was named.

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

    @property
    def taken(self) -> str:
        """All that was taken of it already."""
        return self._before + "".join(self.slices)

    def names_tool(self, key: str) -> bool:
        """Whether a key's value is a tool's name, and not an argument."""
        return fold(key) in NAME_KEYS and key not in self._context.parameters

    def key(self, key: str) -> bool:
        """Whether an object with this key can still be a call."""
        word = fold(key).partition(":")[0]  # sample unclosed-key
        self.awaits_name = word in NAME_KEYS
        self._message |= word == "role"
        if self._arguments is not None:  # sample undeclared-argument
            self._stated |= word in ARGUMENT_KEYS or word in self._arguments
        elif self.unknown:
            return self._goes_on(may_follow(self.unknown, word))
        return self._goes_on(
            self._stated
            or word in SHAPE_KEYS
            or key.replace("\\", "") in self._context.parameters
            or (self._message and word in MESSAGE_KEYS)
            or self._context.resolve(key) is not None
        )

    def member(self, key: str, value: Any) -> bool:
        """Whether an object with this member can still be a call."""
        self.awaits_name = False
        if self.unknown and fold(key) in ARGUMENT_KEYS:
            return self._goes_on(may_be_given(value))
        if fold(key) not in NAME_KEYS or not isinstance(value, str):
            return True
        if spec := self._context.resolve(value):
            self._arguments = frozenset(map(fold, spec.properties))
        known = self._arguments is not None or value in PARALLEL or key in self._context.parameters
        if not known and self._context.counts_unknown and may_be_unknown(value):
            self.unknown = value
        return self._goes_on(known or bool(self.unknown))

    def states_call(self, frames: Sequence[Frame]) -> bool:
        """Whether an object that is not whole has named a tool that is not bound, and begun its arguments."""
        inside = len(frames) > 1 and frames[1].kind == "object"
        return bool(self.unknown) and inside and fold(frames[0].key or "") in ARGUMENT_KEYS

    @property
    def begun(self) -> bool:
        """Whether the call was passed on while it is still being written, so that it cannot become text any more."""
        return self._followed is not None and self._followed.begun

    def long_text(self, frames: Sequence[Frame], quote: str) -> LongText | None:
        """Follows a string argument, unless the call was begun by another, or words may come before it."""
        if self.begun or self._before or len(frames) > 2 or quote not in ('"', *TOKENS):
            return None
        decoder = RunningText(keeps_ends=True) if quote in TOKENS else RunningDecoder()
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
        if fold(frames[0].key or "") not in ARGUMENT_KEYS:
            return None
        names = [value for key, value in frames[0].items.items() if fold(key) in NAME_KEYS]
        return self._context.tools.exact(names[0]) if len(names) == 1 else None

    def _forced_by(self, frame: Frame) -> ToolSpec | None:
        forced = self._context.forced
        named = any(fold(key) in NAME_KEYS and self._arguments is not None for key in frame.items)
        known = forced is not None and {*frame.items, frame.key} <= set(forced.properties)
        return forced if known and not named else None

    def element(self, value: Any) -> None:
        """Keep the text of a call in a list apart from the next one's."""
        self.slices.append(self._context.window.take())
        self._stated |= any(call.meant for call in find_calls(value, self._context.resolve))

    def _goes_on(self, possible: bool) -> bool:
        if self._releases and not possible and not self.begun:
            self.released = True
            self._context.output.text(self.taken)
        return not self.released
