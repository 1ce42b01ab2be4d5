"""JSON values: one object or list, inside or outside an envelope.

The value is released as text as soon as a key or a name shows that it is not a call, so a JSON
answer streams. Otherwise it is judged once, at its end: calls, bad calls if a call was clearly
meant, or text.
"""

import re
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, field
from functools import partial
from typing import Any

import regex

from langchain_toolemu.reader import call_shapes
from langchain_toolemu.reader import vocabulary as words
from langchain_toolemu.reader.call_arguments import FoundCall, may_be_misplaced
from langchain_toolemu.reader.context import Context, OwnMarks
from langchain_toolemu.reader.events import BadCallReason, CallStarted
from langchain_toolemu.reader.literals import strings
from langchain_toolemu.reader.literals.frames import GIVEN_TWICE, Frame
from langchain_toolemu.reader.literals.parser import Parser
from langchain_toolemu.reader.notations import outcome
from langchain_toolemu.reader.vocabulary import ENVELOPE_END, fold
from langchain_toolemu.reader.window import REST_OF_LINE, Waiting
from langchain_toolemu.tools import ToolSpec

_EXTRA_CLOSER = regex.compile(r"[ \t]*\n?[ \t]*[}\]]")
_EXTRA_CLOSERS = re.compile(r"(?:[ \t]{0,31}\n?[ \t]{0,31}[}\]])+")  # many at once
_JUNK = regex.compile(r"[ \t]*(?:[\"':]|,\s*\"[^\"]*\"\s*:)")
_SENTENCE_GOES_ON = regex.compile(r"[ \t]*:[ \t]+\p{L}")
_LONGEST_END = 16


@dataclass(eq=False)
class CallWatch(strings.Listener):
    """Follows the members of an object."""

    _context: Context
    _envelope: outcome.Envelope
    _: KW_ONLY
    releases: bool  # whether an object that is not a call is released
    stated: bool = False  # whether it is known to be a call's arguments
    named: ToolSpec | None = None  # before it
    before: str = ""  # what was taken before it, which is text if it is not a call
    released: bool = False  # whether it was found not to be a call
    slices: list[str] = field(default_factory=list)  # the objects of an outer list, as they closed
    awaits_name: bool = False  # whether the tool's name is being read
    unknown: str = ""  # the name of a tool that is not bound, if given
    begun: bool = False  # whether it is being streamed, so that it cannot become text any more
    _arguments: frozenset[str] | None = None  # of the named tool
    _message: bool = False

    @property
    def taken(self) -> str:
        """The text of it that was taken already."""
        return self.before + "".join(self.slices)

    def names_tool(self, key: str) -> bool:
        """Whether a key's value is a tool's name, and not an argument."""
        return fold(key) in words.NAME_KEYS and key not in self._context.parameters

    def key(self, key: str) -> bool:
        """Whether an object with this key can still be a call."""
        word = fold(key).partition(":")[0]  # sample unclosed-key
        self.awaits_name = word in words.NAME_KEYS
        self._message |= word == "role"
        if self._arguments is not None:  # sample undeclared-argument
            self.stated |= word in words.ARGUMENT_KEYS or word in self._arguments
        elif self.unknown:
            return self._goes_on(call_shapes.may_follow(self.unknown, word))
        return self._goes_on(
            self.stated
            or word in words.SHAPE_KEYS
            or key.replace("\\", "") in self._context.parameters
            or (self._message and word in words.MESSAGE_KEYS)
            or self._context.resolve(key) is not None
        )

    def member(self, key: str, value: Any) -> bool:
        """Whether an object with this member can still be a call."""
        self.awaits_name = False
        if self.unknown and fold(key) in words.ARGUMENT_KEYS:
            return self._goes_on(call_shapes.may_be_given(value))
        if fold(key) not in words.NAME_KEYS or not isinstance(value, str):
            return True
        if spec := self._context.resolve(value):
            self._arguments = frozenset(map(fold, spec.properties))
        bound = self._arguments is not None
        known = bound or value in words.PARALLEL or key in self._context.parameters
        if not known and self._context.counts_unknown and call_shapes.may_be_unknown(value):
            self.unknown = value
        return self._goes_on(known or bool(self.unknown))

    def long_text(self, frames: Sequence[Frame], quote: str) -> strings.LongText | None:
        """Streams the first string argument, unless words may come before the call."""
        if self.begun or self.before or len(frames) > 2 or quote not in ('"', *words.TOKENS):
            return None
        as_is, output = quote in words.TOKENS, self._context.output
        decoder = strings.RunningText(keeps_ends=True) if as_is else strings.RunningDecoder()
        return strings.LongText(output, partial(self._begin, frames), decoder)

    def takes_raw(self, frames: Sequence[Frame]) -> bool:
        """Whether a text argument without quotes comes next, as Gemma writes them."""
        spec, key = self.named, frames[-1].key if frames else None
        if spec is None or key is None or len(frames) > 1 or not self._envelope.token:
            return False
        return frames[0].bare_keys and spec.kinds_of(key) == {"string"}

    def _begin(self, frames: Sequence[Frame]) -> CallStarted | None:
        """The start of the object's only call, if the string is one of its arguments."""
        spec, (*_, frame), about = self._tool_of(frames), frames, (self._context, self._envelope)
        if spec is None or frame.key is None:
            return None
        started = outcome.beginning(*about, spec, dict(frame.items), frame.key)
        self.begun = started is not None
        return started

    def _tool_of(self, frames: Sequence[Frame]) -> ToolSpec | None:
        if any(frame.kind != "object" or frame.extra for frame in frames):
            return None
        if len(frames) == 1:
            return self.named or self._forced_by(frames[0])
        if fold(frames[0].key or "") not in words.ARGUMENT_KEYS:
            return None
        names = [value for key, value in frames[0].items.items() if fold(key) in words.NAME_KEYS]
        return self._context.tools.exact(names[0]) if len(names) == 1 else None

    def _forced_by(self, frame: Frame) -> ToolSpec | None:
        forced, bound = self._context.forced_tool, self._arguments is not None
        named = bound and any(fold(key) in words.NAME_KEYS for key in frame.items)
        known = forced is not None and {*frame.items, frame.key} <= set(forced.properties)
        return forced if known and not named else None

    def element(self, value: Any) -> None:
        """Keep the text of each call in a list apart."""
        self.slices.append(self._context.window.take())
        found = call_shapes.find_calls(value, self._context.resolve)
        self.stated |= any(call.meant for call in found)

    def _goes_on(self, possible: bool) -> bool:
        if self.releases and not possible and not self.begun:
            self.released = True
            self._context.output.add_text(self.taken)
        return not self.released


@dataclass(eq=False)
class ObjectReader(outcome.Notation):
    """Reads one JSON value."""

    _named: call_shapes.Named | None = None  # the name before it, if it is the arguments of one
    _quote: str = ""  # before it

    def __post_init__(self) -> None:
        super().__post_init__()
        context, named = self._context, self._named
        certain = named is not None and named.certain
        self._watch = CallWatch(
            context,
            self._envelope,
            # Where a call is demanded, an object of any names may be its arguments.
            releases=not (self._envelope.explicit or certain or context.forced_tools.specs),
            stated=named is not None,
            named=context.tools.exact(named.written) if named and certain else None,
            before=named.before if named else "",
        )
        self._parser = Parser(context.window, context.keys, self._watch)

    def read(self) -> Waiting[outcome.Outcome]:
        """Consume the value."""
        if (marks := self._context.marks) and self._named is None:
            own = self._envelope.is_own
            named = None if own else (yield from self._window.expect(marks.named))
            if own or (named and self._context.resolve(named[1])):
                self._watch.own_keys = marks.keys
        yield from self._parser.read()
        if self._watch.released:
            return outcome.NotACall()
        marks = marks if self._watch.own_keys else None
        if self._parser.closed and not (marks and (yield from self._ends_at_mark(marks))):
            yield from self._take_extra_closers()
            junk = yield from self._window.expect(_JUNK, 128)
            before = self._context.prose.last_char
            # In a sentence that goes on, as in: the page planted this call: it did nothing.
            if junk and before and (yield from self._window.expect(_SENTENCE_GOES_ON, 128)):
                junk = None
            if junk and junk.group().strip() != (self._quote or before):  # it was misread then
                self._parser.failed = "more follows where it should end"
        if self._parser.failed:
            again = yield from self._window.expect(words.LONG_QUOTE, _LONGEST_END)
            self._parser.doubtful |= again is not None  # sample gemma-token-twice
            yield from self._window.expect(ENVELOPE_END, _LONGEST_END)
        if self._parser.failed and not self._only_closers_missing():
            return (yield from self._refuse_broken())
        if self._parser.closed or self._only_closers_missing():
            return self._settle()
        return self._refuse_cut()

    def _ends_at_mark(self, marks: OwnMarks) -> Waiting[bool]:
        for mark in (marks.closing, marks.opening):
            if mark and (yield from self._window.expect(mark)):
                return True
        return False

    def _only_closers_missing(self) -> bool:
        """Whether the value is complete but for closers, and not because the reply was cut."""
        parser = self._parser
        if parser.closed or not parser.complete or (parser.failed and parser.doubtful):
            return False
        if not parser.failed:
            return not self._context.cut
        ahead, _ = self._window.ahead(_LONGEST_END)
        return bool(ENVELOPE_END.match(ahead)) or (self._envelope.explicit and ahead[:1] == "<")

    def _settle(self) -> outcome.Outcome:
        parser = self._parser
        found = self._find(self._context.forced_tools)
        if self._is_only_talk(found):
            return self._text()
        if not found:
            return self._bad(outcome.NAMELESS)
        if (parser.implied or not parser.closed) and may_be_misplaced(found, parser.root):
            return self._bad(outcome.TWO_BRACKETINGS)
        may_list = len(found) > 1 and not self._envelope.explicit
        if may_list and call_shapes.may_be_listing(parser.root, found):
            return self._bad("it may only list tools: none of them has arguments")
        if not parser.closed and any(call.lacks for call in found):
            return self._bad(outcome.INCOMPLETE, "cut")
        if fault := self._ambiguity(found):
            elided = parser.elided and not self._envelope.explicit
            return self._text() if elided else self._bad(fault)
        fixed = () if parser.closed else ("missing closing brackets were added",)
        return self._calls(found, (*parser.notes, *fixed))

    def _calls(self, found: list[FoundCall], notes: tuple[str, ...]) -> outcome.Calls:
        """The calls. A word before them is part of them only if it names one of them."""
        named, slices = self._named, self._watch.slices
        if named is None or not named.before:
            return outcome.Calls(found, notes, slices)
        spec = self._context.resolve(named.written)
        if all(call.spec is not spec for call in found):
            return outcome.Calls(found, notes, slices, before=named.before)
        first, *others = slices or [""]
        return outcome.Calls(found, notes, [named.before + first, *others])

    def _is_only_talk(self, found: list[FoundCall]) -> bool:
        """Whether nothing in it counts as a call, or it names a tool without calling it."""
        counted = self._envelope.explicit
        for call in found:
            # One with a schema for arguments is reported only if the reply begins with it.
            begins = not self._context.prose.begun
            is_reported = call.stated and (begins if call.spec else self._context.counts_unknown)
            if call.meant or is_reported:
                counted = True
            elif call.spec and not self._envelope.explicit:
                return True
        return not counted

    def _find(self, forced: call_shapes.ForcedTools = call_shapes.NONE_FORCED) -> list[FoundCall]:
        root, resolve = self._parser.root, self._context.resolve
        if self._watch.own_keys and (own := call_shapes.find_plain_calls(root, resolve)):
            return own
        named = self._named
        return (
            named.found(root, resolve) if named else call_shapes.find_calls(root, resolve, forced)
        )

    def _ambiguity(self, found: list[FoundCall]) -> str:
        if self._parser.doubtful:
            return outcome.TWO_QUOTINGS
        if self._parser.repeated:  # sample key-given-twice
            return GIVEN_TWICE.format(self._parser.repeated)
        for word in self._parser.bare_words:
            if not any(word == call.written for call in found):
                return f"{word!r} has no quotes"
        return ""

    def _refuse_broken(self) -> Waiting[outcome.Outcome]:
        if not self._is_meant() or (self._parser.elided and not self._envelope.explicit):
            return self._text()
        if not self._envelope.explicit:  # inside an envelope its closer ends what is broken
            yield from self._window.run(REST_OF_LINE)
        return self._bad(self._parser.failed)

    def _refuse_cut(self) -> outcome.Outcome:
        if not self._is_meant():
            return self._text()
        parser = self._parser
        sure = not (parser.implied or parser.doubtful or parser.bare_words)
        if whole := self._closed_calls() if sure else []:
            rest = outcome.Bad("cut", outcome.CUT)
            return outcome.Calls(whole, tuple(parser.notes), self._watch.slices, rest)
        return self._bad(outcome.CUT, "cut")

    def _closed_calls(self) -> list[FoundCall]:
        """The calls of a list that were closed before the cut. Sample cut-list."""
        outer, *inner = self._parser.frames
        if outer.kind == "object" and inner and self._lists_calls(outer):
            outer, *inner = inner
        if self._named or outer.kind != "array":
            return []
        closed = outer.items[:-1] if inner else outer.items
        return call_shapes.find_calls(closed, self._context.resolve, self._context.forced_tools)

    def _lists_calls(self, frame: Frame) -> bool:
        """Whether the open member of an object is its list of calls, and not an argument.

        Sample cut-argument.
        """
        if fold(frame.key or "") not in words.LIST_KEYS or frame.key in self._context.parameters:
            return False
        before = {key: value for key, value in frame.items.items() if key != frame.key}
        return not call_shapes.find_calls(before, self._context.resolve)

    def _is_meant(self) -> bool:
        if self._envelope.explicit or self._named_tool() is not None or self._has_arguments():
            return True
        frames, begun = self._parser.frames, self._parser.partial
        inside = len(frames) > 1 and frames[1].kind == "object"
        if self._watch.unknown and inside and fold(frames[0].key or "") in words.ARGUMENT_KEYS:
            return True  # the arguments of an unknown tool have begun
        return self._watch.awaits_name and bool(begun) and self._context.may_be_name(begun or "")

    def _named_tool(self) -> str | None:
        parser, forced = self._parser, self._context.forced_tools
        inner = call_shapes.find_calls(parser.root, self._context.resolve) if self._named else []
        for call in [*self._find(), *inner]:
            if call.spec and not call.echo:
                return call.spec.name
        if keyed := self._begun_by_key():
            return keyed.name
        if forced.only is None or not isinstance(parser.root, dict):
            return None
        keys = {*parser.root, *(frame.key for frame in parser.frames[:1] if frame.key)}
        return forced.only.name if forced.may_hold(keys) else None

    def _begun_by_key(self) -> ToolSpec | None:
        """The tool in `{"get_weather": {"ci`, whose arguments have only begun."""
        if len(self._parser.frames) < 2:
            return None
        outer, inner = self._parser.frames[:2]
        spec = self._context.resolve(outer.key) if outer.key else None
        if spec is None or inner.kind != "object":
            return None
        return spec if inner.keys and inner.keys <= set(spec.properties) else None

    def _has_arguments(self) -> bool:
        root = self._parser.root if isinstance(self._parser.root, dict) else {}
        dicts = [(fold(key), set(value)) for key, value in root.items() if isinstance(value, dict)]
        given = [keys for word, keys in dicts if word in words.ARGUMENT_KEYS]
        frames = self._parser.frames
        if len(frames) > 1 and fold(frames[0].key or "") in words.ARGUMENT_KEYS:
            given = [frames[1].keys]
        known = [set(spec.properties) for spec in self._context.tools]
        return any(keys and keys <= properties for keys in given for properties in known)

    def _bad(self, detail: str, reason: BadCallReason = "unreadable") -> outcome.Bad:
        name = self._named_tool() or self._watch.unknown or None
        return outcome.Bad(reason, detail, name, self._watch.taken)

    def _text(self) -> outcome.Outcome:
        if self._watch.begun:
            return self._bad(self._parser.failed or "it is not a call after all")
        return outcome.NotACall(self._watch.taken)

    def _take_extra_closers(self) -> Waiting[None]:
        """Consume closers that close nothing; a semicolon is the last of them."""
        window = self._window
        while (yield from window.skip(_EXTRA_CLOSER, 64)):
            found = _EXTRA_CLOSERS.match(window.text, window.pos)
            window.pos = found.end() if found else window.pos
        ahead, _ = window.ahead(1)
        window.pos += ahead == ";"
