"""Python calls: a single one, from after its name, or a list of them.

A call is a bound tool's name with literal arguments: `get_weather(city)` and `print(f(1))` are not
calls. A list is emitted as calls only if it holds nothing else.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import regex

from langchain_toolemu.reader import call_arguments
from langchain_toolemu.reader.context import Context
from langchain_toolemu.reader.events import CallStarted
from langchain_toolemu.reader.literals import strings
from langchain_toolemu.reader.literals.frames import GIVEN_TWICE, BareWord, Frame, skip_comment
from langchain_toolemu.reader.literals.parser import Parser
from langchain_toolemu.reader.notations import outcome
from langchain_toolemu.reader.vocabulary import PLAIN_NAME, TRIPLE
from langchain_toolemu.reader.window import REST_OF_LINE, Waiting, Window, finish
from langchain_toolemu.tools import ToolSpec

_CALL = re.compile(r"\s*([\w.\-\\]+)\(")
_OUTSIDE = frozenset(f"unexpected {char!r}" for char in "=:)]}")
_QUOTES = frozenset({'"', "'", *TRIPLE})
_LOOKAHEAD = 512
_END = re.compile(r"[\s;)\]]*(?:#[^\n]*)?\s*\Z")


@dataclass(eq=False)
class ArgumentWatch(strings.Listener):
    """Streams a long argument, in an explicit envelope."""

    _context: Context
    _envelope: outcome.Envelope
    _written: str
    _begun: bool = False

    def long_text(self, frames: Sequence[Frame], quote: str) -> strings.LongText | None:
        """Streams a string argument, unless another was streamed."""
        if self._begun or not self._envelope.explicit or len(frames) > 1 or quote not in _QUOTES:
            return None
        begin, output = partial(self._begin, frames[0]), self._context.output
        return strings.LongText(output, begin, strings.RunningDecoder(python=True))

    def _begin(self, frame: Frame) -> CallStarted | None:
        if (spec := self._context.tools.exact(self._written)) is None:
            return None
        names, placed = list(spec.properties), frame.positional
        key = frame.key or "".join(names[len(placed) : len(placed) + 1])
        if "**" in frame.items:
            return None
        args = {**dict(zip(names, placed, strict=False)), **frame.items}
        started = outcome.beginning(self._context, self._envelope, spec, args, key)
        self._begun = started is not None
        return started


@dataclass(eq=False)
class PythonCall:
    """One call, read from after its name."""

    _context: Context
    _window: Window  # the text, that of the reply or one of its own
    _written: str
    _envelope: outcome.Envelope | None = None
    found: call_arguments.FoundCall | None = None  # the call, if it is a readable one
    fault: str = ""  # why it cannot be read, if what there is of it shows that a call was meant
    cut: bool = False  # whether the reply ended inside it
    closed: bool = False  # whether its parenthesis was closed
    unclosed: bool = False  # whether it lacks only that, and something else begins
    notes: tuple[str, ...] = ()  # what was fixed

    def __post_init__(self) -> None:
        self._spec = self._context.resolve(self._written)
        self.name = self._spec.name if self._spec else self._written

    @property
    def bad(self) -> outcome.Bad:
        """What is wrong with it."""
        return outcome.Bad("cut" if self.cut else "unreadable", self.fault, self.name)

    def read(self) -> Waiting[bool]:
        """Consume the arguments; whether they make a call."""
        envelope = self._envelope
        watch = ArgumentWatch(self._context, envelope, self._written) if envelope else None
        parser = Parser(self._window, self._context.keys, watch)
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
        named = self._spec is not None and frame.key in self._spec.properties
        if named and not (literal or self.fault):
            self.fault = outcome.COMPUTED if (yield from self._is_all(parser)) else ""
        return self.found is not None

    def _cut_word(self, parser: Parser) -> str:
        """The word in the middle of which the reply was cut: of a name, or of a literal."""
        if parser.failed or parser.closed or not self._context.cut:
            return ""
        frame = parser.frames[-1]
        named = frame.items.values() if frame.key else frame.positional
        last = [*(named if frame.keyed else frame.items)][-1:]
        return str(last[0]) if last and isinstance(last[0], BareWord) else ""

    def _is_all(self, parser: Parser) -> Waiting[bool]:
        """Whether the reply is one line and holds nothing but this call.

        Sample computed-argument.
        """

        def is_all(ahead: str, final: bool) -> bool | None:
            rest = ahead.rstrip()
            if "\n" in rest or len(ahead) == _LOOKAHEAD:
                return False
            return rest.endswith((")", "]")) or (parser.closed and not rest) if final else None

        return not self._context.prose.begun and (yield from self._window.ask(_LOOKAHEAD, is_all))

    def _judge(self, parser: Parser, frame: Frame, *, literal: bool, begun: str) -> None:
        spec = self._spec
        if literal and not parser.doubtful and parser.complete:
            found = bind(self._written, spec, frame)
            self.fault = self._doubt(parser, found, bool(frame.positional))
            self.found = None if self.fault else found
        elif self.cut:
            self.fault = outcome.CUT
        elif literal:
            self.fault = outcome.TWO_QUOTINGS
        elif self._another_begins(parser):  # sample call-inside-a-call
            self.fault = "another call begins inside it"
        elif len(parser.frames) > 1 and parser.failed in _OUTSIDE:  # sample unclosed-list
            known = spec is not None and set(parser.bare_words) <= set(spec.properties)
            self.fault = "a bracket is missing" if known else ""
        literals = [value for value in frame.positional if not isinstance(value, BareWord)]
        shown = frame.items or frame.key or literals or parser.partial
        begins = begun and spec and any(name.startswith(begun) for name in spec.properties)
        if spec is None or not (shown or begins):
            self.fault = ""

    def _doubt(self, parser: Parser, found: call_arguments.FoundCall, positional: bool) -> str:
        if parser.repeated:
            return GIVEN_TWICE.format(parser.repeated)
        if parser.implied and (positional or call_arguments.may_be_misplaced([found], None)):
            return outcome.TWO_BRACKETINGS
        if parser.closed:
            return ""
        if found.lacks:
            return outcome.INCOMPLETE
        return outcome.CUT if self.cut and self._context.cut else ""

    def _another_begins(self, parser: Parser) -> bool:
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


def bind(written: str, spec: ToolSpec | None, frame: Frame) -> call_arguments.FoundCall:
    """A call's positional and named arguments under the names of the schema."""
    if spec is None:
        return call_arguments.FoundCall(written, None, {})
    named: dict[str, Any] = dict(frame.items)
    unpacked = named.pop("**", {})
    positional = frame.positional
    only = positional[0] if len(positional) == 1 and not named else None
    if isinstance(only, dict) and (
        call_arguments.fits(only, spec) or (only and call_arguments.resembles(only, spec))
    ):
        unpacked, positional = only, []  # sample python-object-argument
    if not isinstance(unpacked, dict) or len(positional) > len(spec.properties):
        return call_arguments.FoundCall(
            written, spec, {}, fault="its arguments do not fit the tool"
        )
    placed = dict(zip(spec.properties, positional, strict=False))
    if placed.keys() & named.keys():
        return call_arguments.FoundCall(written, spec, {}, fault="an argument is given twice")
    return call_arguments.found_call(written, spec, {**placed, **unpacked, **named})


def read_call_text(context: Context, text: str) -> call_arguments.FoundCall | None:
    """The call that a complete text is."""
    start = _CALL.match(text)
    if start is None:
        return None
    window = Window(text, ended=True)
    window.pos = start.end(1)
    call = PythonCall(context, window, start.group(1))
    finish(call.read())
    return call.found if call.closed and _END.match(window.text, window.pos) else None


_AFTER_CALL = re.compile(r"[\s)]+")
_EXTRA = re.compile(r"[\])]+")
_CALL_IN_STRING = regex.compile(r"[\"'`]\s*([\w.\-\\]+)\(")


@dataclass(eq=False)
class CallList(outcome.Notation):
    """Reads `[f(a=1), g("x")]`, or `["f(a=1)", "g('x')"]`, from its bracket."""

    _row: outcome.Row = field(default_factory=lambda: outcome.Row("python"))
    _cut: bool = False
    _fault: str = ""
    _unclosed: bool = False

    def read(self) -> Waiting[outcome.Outcome]:
        """Consume the list."""
        self._window.pos += 1
        closed = False
        while (yield from self._element()):
            space = yield from self._window.run(_AFTER_CALL)
            mark = yield from self._window.peek()
            if mark and mark in ",;]":
                self._window.pos += 1
            if mark not in (",", ";"):  # its bracket, or none: sample unclosed-call-list
                anew = "\n" in space and mark.isalpha() if mark else not self._context.cut
                closed = mark in ("]", "`", "~", "<") or self._unclosed or anew
                break
        yield from self._window.run(_EXTRA)
        if not closed:
            return (yield from self._refuse())
        is_link = (yield from self._window.peek()) == "("  # the text of a markdown link
        return self._row.text() if is_link else self._row.calls()

    def _element(self) -> Waiting[bool]:
        char = yield from self._window.past_space()
        while char and char in "#/" and (yield from skip_comment(self._window)):
            char = yield from self._window.past_space()
        if char == "]" and self._row.found:  # after a trailing comma
            return True
        if char and char in "\"'`":
            found = yield from self._from_string()
        else:
            found = yield from self._plain()
        # It shows what calls look like, or is the first and of no bound tool.
        is_talk = found and (found.echo or (not self._row.found and not found.spec))
        if found is None or (is_talk and not self._envelope.explicit):
            return False
        self._row.add(found, self._window.take())
        return True

    def _plain(self) -> Waiting[call_arguments.FoundCall | None]:
        name = yield from self._window.name(PLAIN_NAME)
        known = self._row.found or self._envelope.explicit or self._context.resolve(name)
        char = yield from self._window.peek()
        if not name or char != "(" or not known:
            return None
        call = PythonCall(self._context, self._window, name)
        yield from call.read()
        self._row.notes.update(dict.fromkeys(call.notes))
        self._fault = call.fault
        self._cut = call.cut and bool(call.fault)
        self._unclosed = call.unclosed
        return call.found

    def _from_string(self) -> Waiting[call_arguments.FoundCall | None]:
        begins = yield from self._window.expect(_CALL_IN_STRING, 160)
        if begins is None or not (self._row.found or self._context.resolve(begins[1])):
            return None
        string = strings.StringReader(self._window, (), frozenset())
        yield from string.read(is_name=True)
        if not string.closed:
            self._cut, self._fault = True, outcome.CUT
            return None
        after = yield from self._window.peek()
        if after.isalnum():
            self._fault = outcome.TWO_QUOTINGS
        return read_call_text(self._context, string.decoded())

    def _refuse(self) -> Waiting[outcome.Outcome]:
        """Text if nothing was a call; else what came before the fault, and the fault.

        The length limit cuts the list as a whole.
        """
        if not (self._row.found or self._fault or self._envelope.explicit):
            return self._row.text()
        at_end = self._window.ended and self._window.exhausted and not self._fault
        source = self._row.text().text, self._row.label
        if self._cut or at_end:
            bad = outcome.Bad("cut", outcome.CUT, label=self._row.label)
            cut = self._context.cut
            return outcome.Bad("cut", outcome.CUT, None, *source) if cut else self._row.calls(bad)
        if not self._envelope.explicit:
            yield from self._window.run(REST_OF_LINE)
        return outcome.Bad("unreadable", self._fault or "not a list of calls", None, *source)
