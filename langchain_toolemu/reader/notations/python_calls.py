"""One Python call, from after its name: `(a=1)` of `f(a=1)`.

The rule of this module: a call is a bound tool's name and literal arguments, nothing computed, nothing named by a
variable. `use get_weather(city)` and `print(f(1))` are not calls.
"""

import re
from collections.abc import Sequence
from functools import partial
from typing import Any

from langchain_toolemu.reader.arguments import Found, fits, found_call, may_be_misplaced, resembles
from langchain_toolemu.reader.context import Context
from langchain_toolemu.reader.events import CallStarted
from langchain_toolemu.reader.literals.escapes import RunningDecoder
from langchain_toolemu.reader.literals.frames import Frame, Listener
from langchain_toolemu.reader.literals.parser import Parser
from langchain_toolemu.reader.literals.scalars import BareWord
from langchain_toolemu.reader.marks import TRIPLE
from langchain_toolemu.reader.notations.long_texts import LongText, beginning
from langchain_toolemu.reader.notations.reading import (
    COMPUTED,
    CUT,
    INCOMPLETE,
    TWO_BRACKETINGS,
    TWO_QUOTINGS,
    Bad,
    Envelope,
    given_twice,
)
from langchain_toolemu.reader.window import Waiting, Window, finish
from langchain_toolemu.tools import ToolSpec

_CALL = re.compile(r"\s*([\w.\-\\]+)\(")
_OUTSIDE = frozenset(f"unexpected {char!r}" for char in "=:)]}")
_LOOKAHEAD = 512
_QUOTES = frozenset({'"', "'", *TRIPLE})
_END = re.compile(r"[\s;)\]]*(?:#[^\n]*)?\s*\Z")


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


class PythonCall:
    """One call, read from after its name.

    Attributes:
        found: The call, if it is a readable one.
        fault: Why it cannot be read, if what there is of it shows that a call was meant.
        cut: Whether the reply ended inside it.
        closed: Whether its parenthesis was closed.
        unclosed: Whether it lacks only that, and something else begins.
        notes: What was fixed.

    Args:
        context: The reply.
        window: The text, that of the reply or one of its own.
        written: The name.
        envelope: What it is in, where whatever comes of it is no text.
    """

    def __init__(
        self, context: Context, window: Window, written: str, envelope: Envelope | None = None
    ) -> None:
        self.found: Found | None = None
        self.fault = ""
        self.cut = False
        self.closed = False
        self.unclosed = False
        self.notes: tuple[str, ...] = ()
        self._context = context
        self._window = window
        self._written = written
        self._envelope = envelope

    @property
    def bad(self) -> Bad:
        """What is wrong with it."""
        return Bad("cut" if self.cut else "unreadable", self.fault, self.name)

    @property
    def name(self) -> str:
        """The bound tool's own name, if there is one."""
        spec = self._context.resolve(self._written)
        return spec.name if spec else self._written

    def read(self) -> Waiting[bool]:
        """Consume the arguments; whether they make a call."""
        parser = Parser(self._window, self._context.keys, self._watch())
        self._window.pos += 1
        yield from parser.read_arguments()
        self.notes = tuple(parser.notes)
        self.closed = parser.closed
        self.unclosed = bool(parser.failed) and self._is_unclosed(parser)
        frame = parser.call or Frame("call")
        cut_word = self._cut_word(parser)
        words = parser.bare_words[:-1] if cut_word else parser.bare_words
        literal = (self.unclosed or not parser.failed) and not words
        self.cut = literal and not (parser.closed or self.unclosed or parser.doubtful)
        self._judge(parser, frame, literal=literal, begun=cut_word)
        if not (literal or self.fault) and self._names_argument(frame):
            self.fault = COMPUTED if (yield from self._is_all(parser)) else ""
        return self.found is not None

    def _watch(self) -> ArgumentWatch | None:
        if self._envelope is None:
            return None
        return ArgumentWatch(self._context, self._envelope, self._written)

    def _cut_word(self, parser: Parser) -> str:
        """The word in the middle of which the reply was cut: of a name, or of a literal."""
        if parser.failed or parser.closed or not self._context.cut:
            return ""
        frame = parser.frames[-1]
        named = frame.items.values() if frame.key else frame.positional
        last = [*(named if frame.keyed else frame.items)][-1:]
        return str(last[0]) if last and isinstance(last[0], BareWord) else ""

    def _names_argument(self, frame: Frame) -> bool:
        spec = self._context.resolve(self._written)
        return spec is not None and frame.key in spec.properties

    def _is_all(self, parser: Parser) -> Waiting[bool]:
        """Whether the reply is one line and holds nothing but this call. Sample computed-argument."""

        def is_all(ahead: str, final: bool) -> bool | None:
            rest = ahead.rstrip()
            if "\n" in rest or len(ahead) == _LOOKAHEAD:
                return False
            return rest.endswith((")", "]")) or (parser.closed and not rest) if final else None

        return not self._context.said.begun and (yield from self._window.ask(_LOOKAHEAD, is_all))

    def _judge(self, parser: Parser, frame: Frame, *, literal: bool, begun: str) -> None:
        spec = self._context.resolve(self._written)
        if literal and not parser.doubtful and parser.complete:
            found = bind(self._written, spec, frame)
            self.fault = self._doubt(parser, found, bool(frame.positional))
            self.found = None if self.fault else found
        elif self.cut:
            self.fault = CUT
        elif literal:
            self.fault = TWO_QUOTINGS
        elif self._another_begins(parser):  # sample call-inside-a-call
            self.fault = "another call begins inside it"
        elif self._lacks_bracket(parser, spec):
            self.fault = "a bracket is missing"
        literals = [one for one in frame.positional if not isinstance(one, BareWord)]
        shown = frame.items or frame.key or literals or parser.partial
        if spec is None or not (shown or (begun and _begins_argument(begun, spec))):
            self.fault = ""

    def _doubt(self, parser: Parser, found: Found, positional: bool) -> str:
        if parser.repeated:
            return given_twice(parser.repeated)
        if parser.implied and (positional or may_be_misplaced([found], None)):
            return TWO_BRACKETINGS
        if parser.closed:
            return ""
        if found.lacks:
            return INCOMPLETE
        return CUT if self.cut and self._context.cut else ""

    def _another_begins(self, parser: Parser) -> bool:
        """Whether arguments are followed by the name of a tool, or by a word on a new line."""
        names = parser.bare_words
        if parser.failed == "unexpected '('" and len(names) == 1:
            return self._context.resolve(names[0]) is not None
        ahead, _ = self._window.ahead(1)
        return parser.complete and not names and parser.line_breaks > 0 and ahead.isalpha()

    def _is_unclosed(self, parser: Parser) -> bool:
        """Whether only the parenthesis is missing before a new line. Sample unclosed-call."""
        ahead, _ = self._window.ahead(1)
        enough = 0 if len(parser.frames) == 1 else 1
        begins_anew = parser.line_breaks > enough and (ahead.isalpha() or ahead == "[")
        return parser.complete and (begins_anew or ahead in ("`", "<", "]", ";"))

    def _lacks_bracket(self, parser: Parser, spec: ToolSpec | None) -> bool:
        """Whether something inside a container can only be outside. Sample unclosed-list."""
        nested = len(parser.frames) > 1 and parser.failed in _OUTSIDE
        return nested and spec is not None and set(parser.bare_words) <= set(spec.properties)


def _begins_argument(word: str, spec: ToolSpec) -> bool:
    return any(name.startswith(word) for name in spec.properties)


def bind(written: str, spec: ToolSpec | None, frame: Frame) -> Found:
    """A call's positional and named arguments under the names of the schema."""
    if spec is None:
        return Found(written, None, {})
    named: dict[str, Any] = dict(frame.items)
    unpacked = named.pop("**", {})
    positional = frame.positional
    if len(positional) == 1 and not named and _is_arguments(positional[0], spec):
        unpacked, positional = positional[0], []  # sample python-object-argument
    if not isinstance(unpacked, dict) or len(positional) > len(spec.properties):
        return Found(written, spec, {}, fault="its arguments do not fit the tool")
    placed = dict(zip(spec.properties, positional, strict=False))
    if placed.keys() & named.keys():
        return Found(written, spec, {}, fault="an argument is given twice")
    return found_call(written, spec, {**placed, **unpacked, **named})


def _is_arguments(value: Any, spec: ToolSpec) -> bool:
    if not isinstance(value, dict):
        return False
    return fits(value, spec) or (bool(value) and resembles(value, spec))


def read_call_text(context: Context, text: str) -> Found | None:
    """The call that a complete text spells, and nothing else."""
    start = _CALL.match(text)
    if start is None:
        return None
    window = Window(text, ended=True)
    window.pos = start.end(1)
    call = PythonCall(context, window, start.group(1))
    finish(call.read())
    whole = call.closed and _END.match(window.text, window.pos)
    return call.found if whole else None
