"""JSON values: one object or list, in the open or inside an envelope.

The rule of this module: a value is judged once, when it is closed, when it cannot be read further, or when the reply
ends. Complete calls are calls; broken ones are bad calls where the envelope or a bound tool's name shows that a call
was meant; everything else is text.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import regex

from langchain_toolemu.reader.call_arguments import (
    FoundCall,
    are_known,
    fits,
    found_call,
    may_be_misplaced,
    resembles,
)
from langchain_toolemu.reader.call_format import OwnMarks
from langchain_toolemu.reader.call_shapes import (
    Resolve,
    find_calls,
    find_plain_calls,
    may_be_listing,
)
from langchain_toolemu.reader.context import Context
from langchain_toolemu.reader.events import BadCallReason
from langchain_toolemu.reader.forced_tools import NONE_FORCED, ForcedTools
from langchain_toolemu.reader.literals.frames import Frame, given_twice
from langchain_toolemu.reader.literals.parser import Parser
from langchain_toolemu.reader.notations.call_watch import CallWatch
from langchain_toolemu.reader.notations.outcome import (
    CUT,
    INCOMPLETE,
    NAMELESS,
    TWO_BRACKETINGS,
    TWO_QUOTINGS,
    Bad,
    Calls,
    Envelope,
    NotACall,
    Outcome,
)
from langchain_toolemu.reader.vocabulary import ARGUMENT_KEYS, ENVELOPE_END, LIST_KEYS, fold
from langchain_toolemu.reader.window import REST_OF_LINE, Waiting
from langchain_toolemu.tools import ToolSpec

_EXTRA_CLOSER = regex.compile(r"[ \t]*\n?[ \t]*[}\]]")
_EXTRA_CLOSERS = re.compile(r"(?:[ \t]{0,31}\n?[ \t]{0,31}[}\]])+")  # many at once
_JUNK = regex.compile(r"[ \t]*(?:[\"':]|,\s*\"[^\"]*\"\s*:)")
_LONGEST_END = 8


@dataclass(frozen=True, slots=True)
class Named:
    """A name that comes before its arguments.

    Attributes:
        certain: Whether what follows is its arguments whatever it looks like.
        before: The text of the name, where it may as well be a word of its own.
        among: The tools of which the arguments tell the one that is meant, where the name is only a number.
    """

    written: str
    certain: bool
    before: str = ""
    among: Sequence[ToolSpec] = ()

    def found(self, args: Any, resolve: Resolve) -> list[FoundCall]:
        """The call of this name with these arguments, unless they are a whole call themselves."""
        fitting = [one for one in self.among if isinstance(args, dict) and fits(args, one)]
        if len(fitting) == 1:  # sample kimi-index
            return [found_call(fitting[0].name, fitting[0], args)]
        spec, inner = resolve(self.written), find_calls(args, resolve)
        stated = any(call.meant for call in inner)
        if spec is None:
            return inner if stated else [FoundCall(self.written, None, {}, stated=self.certain)]
        takes = self.certain or resembles(args, spec)
        if not stated or are_known(args, spec):  # sample argument-names-a-tool
            return [found_call(self.written, spec, args)] if takes else []
        is_word = self.before and not takes
        if not is_word and any(call.spec is not spec for call in inner):
            return [FoundCall(self.written, spec, {}, (), "it names two tools")]
        return inner


class ObjectReader:
    """Reads one JSON value.

    Args:
        context: The reply.
        envelope: What it is in.
        named: The name that comes before it, if it is the arguments of one.
        paired: Whether it is a list or a tuple that begins with a name.
        quote: The quotation mark before it, if it is known.
    """

    def __init__(
        self,
        context: Context,
        envelope: Envelope,
        named: Named | None = None,
        *,
        paired: bool = False,
        quote: str = "",
    ) -> None:
        self._context = context
        self._named = named
        self._window = context.window
        self._envelope = envelope
        certain = named is not None and named.certain
        self._watch = CallWatch(
            context,
            envelope,
            # Where a call is demanded, an object of any names may be its arguments.
            releases=not (envelope.explicit or certain or context.forced_tools.specs),
            stated=paired or named is not None,
            named=context.tools.exact(named.written) if named and certain else None,
            before=named.before if named else "",
        )
        self._parser = Parser(context.window, context.keys, self._watch)
        self._quote = quote or context.prose.last_char

    def read(self) -> Waiting[Outcome]:
        """Consume the value."""
        if self._context.marks and self._named is None:
            yield from self._learn_keys(self._context.marks)
        yield from self._parser.read()
        if self._watch.released:
            return NotACall()
        if self._parser.closed and not (yield from self._ends_at_mark()):
            yield from self._take_extra_closers()
            if (yield from self._junk_follows()):
                self._parser.failed = "more follows where it should end"
        if self._parser.failed:
            yield from self._window.expect(ENVELOPE_END, _LONGEST_END)
        if self._parser.failed and not self._only_closers_missing():
            return (yield from self._refuse_broken())
        if self._parser.closed or self._only_closers_missing():
            return self._settle()
        return self._refuse_cut()

    def _learn_keys(self, marks: OwnMarks) -> Waiting[None]:
        """Read the keys of a dialect of one's own, in its envelope, or where they name a bound tool."""
        named = None
        if not self._envelope.is_own:
            named = yield from self._window.expect(marks.named)
        if self._envelope.is_own or (named and self._context.resolve(named[1])):
            self._watch.own_keys = marks.keys

    def _ends_at_mark(self) -> Waiting[bool]:
        """Whether a mark of a dialect of one's own comes next."""
        marks = self._context.marks if self._watch.own_keys else None
        for mark in (marks.closing, marks.opening) if marks else ():
            if mark and (yield from self._window.expect(mark)):
                return True
        return False

    def _only_closers_missing(self) -> bool:
        """Whether the value is complete but for closers, and not because the reply was cut."""
        parser = self._parser
        if parser.closed or not parser.complete:
            return False
        if not parser.failed:
            return not self._context.cut
        ahead, _ = self._window.ahead(_LONGEST_END)
        if ENVELOPE_END.match(ahead) or (self._envelope.explicit and ahead[:1] == "<"):
            return True
        if ahead[:1].isupper() and len(parser.frames) == 1 and parser.tail == "container":
            return True  # sample missing-closer-sentence
        plain = all(frame.kind == "object" for frame in parser.frames)
        begins_anew = ahead[:1].isalpha() or ahead[:1] == "{"
        enough = 0 if plain else 1  # sample missing-closer-prose
        return begins_anew and parser.line_breaks > enough

    def _settle(self) -> Outcome:
        parser = self._parser
        found = self._find(self._context.forced_tools)
        if self._is_only_talk(found):
            return self._text()
        if not found:
            return self._bad(NAMELESS)
        if (parser.implied or not parser.closed) and may_be_misplaced(found, parser.root):
            return self._bad(TWO_BRACKETINGS)
        if not self._envelope.explicit and may_be_listing(parser.root, found):
            return self._bad("it may only list tools: none of them has arguments")
        if not parser.closed and any(call.lacks for call in found):
            return self._bad(INCOMPLETE, "cut")
        if fault := self._ambiguity(found):
            elided = parser.elided and not self._envelope.explicit
            return self._text() if elided else self._bad(fault)
        fixed = () if parser.closed else ("missing closing brackets were added",)
        return self._calls(found, (*parser.notes, *fixed))

    def _calls(self, found: list[FoundCall], notes: tuple[str, ...]) -> Calls:
        """The calls. A word before them is part of them only if it names one of them."""
        named, slices = self._named, self._watch.slices
        if named is None or not named.before:
            return Calls(found, notes, slices)
        spec = self._context.resolve(named.written)
        if all(call.spec is not spec for call in found):
            return Calls(found, notes, slices, before=named.before)
        first, *others = slices or [""]
        return Calls(found, notes, [named.before + first, *others])

    def _is_only_talk(self, found: list[FoundCall]) -> bool:
        """Whether nothing of it counts as a call, or something names a tool and does not count."""
        counted = self._envelope.explicit
        for call in found:
            if call.meant or (call.stated and self._counts_stated(call)):
                counted = True
            elif call.spec and not self._envelope.explicit:
                return True
        return not counted

    def _counts_stated(self, call: FoundCall) -> bool:
        """Whether a call that cannot be run is told: one with a schema for arguments only if the reply begins with it."""
        return not self._context.prose.begun if call.spec else self._context.counts_unknown

    def _find(self, forced: ForcedTools = NONE_FORCED) -> list[FoundCall]:
        root, resolve = self._parser.root, self._context.resolve
        if self._watch.own_keys and (own := find_plain_calls(root, resolve)):
            return own
        return (
            self._named.found(root, resolve) if self._named else find_calls(root, resolve, forced)
        )

    def _ambiguity(self, found: list[FoundCall]) -> str:
        if self._parser.doubtful:
            return TWO_QUOTINGS
        if self._parser.repeated:  # sample key-given-twice
            return given_twice(self._parser.repeated)
        for word in self._parser.bare_words:
            if not any(word == call.written for call in found):
                return f"{word!r} has no quotes"
        return ""

    def _refuse_broken(self) -> Waiting[Outcome]:
        if not self._is_meant() or (self._parser.elided and not self._envelope.explicit):
            return self._text()
        if not self._envelope.explicit:  # inside an envelope its closer ends what is broken
            yield from self._window.run(REST_OF_LINE)
        return self._bad(self._parser.failed)

    def _refuse_cut(self) -> Outcome:
        if not self._is_meant():
            return self._text()
        parser = self._parser
        sure = not (parser.implied or parser.doubtful or parser.bare_words)
        if whole := self._closed_calls() if sure else []:
            return Calls(whole, tuple(parser.notes), self._watch.slices, Bad("cut", CUT))
        return self._bad(CUT, "cut")

    def _closed_calls(self) -> list[FoundCall]:
        """The calls of a list that were closed before the cut. Sample cut-list."""
        outer, *inner = self._parser.frames
        if outer.kind == "object" and inner and self._lists_calls(outer):
            outer, *inner = inner
        if self._named or outer.kind != "array":
            return []
        closed = outer.items[:-1] if inner else outer.items
        return find_calls(closed, self._context.resolve, self._context.forced_tools)

    def _lists_calls(self, frame: Frame) -> bool:
        """Whether the open member of an object is its list of calls, and not an argument. Sample cut-argument."""
        listed = fold(frame.key or "") in LIST_KEYS and frame.key not in self._context.parameters
        before = {key: value for key, value in frame.items.items() if key != frame.key}
        return listed and not find_calls(before, self._context.resolve)

    def _is_meant(self) -> bool:
        """Whether what is there of a broken value shows that a call was meant."""
        if self._envelope.explicit or self._named_tool() is not None or self._has_arguments():
            return True
        if self._watch.states_call(self._parser.frames):
            return True
        begun = self._watch.awaits_name and self._parser.partial
        return bool(begun) and self._context.may_be_name(self._parser.partial or "")

    def _named_tool(self) -> str | None:
        """The tool that a broken value speaks of: by its name, or being demanded by its arguments."""
        parser, forced = self._parser, self._context.forced_tools
        inner = find_calls(parser.root, self._context.resolve) if self._named else []
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
        outer, inner = [*self._parser.frames[:2], None, None][:2]
        spec = self._context.resolve(outer.key) if outer and outer.key else None
        if spec is None or inner is None or inner.kind != "object":
            return None
        return spec if inner.keys and inner.keys <= set(spec.properties) else None

    def _has_arguments(self) -> bool:
        """Whether a tool's arguments come before a name that never came."""
        root = self._parser.root if isinstance(self._parser.root, dict) else {}
        given = [
            set(v) for k, v in root.items() if fold(k) in ARGUMENT_KEYS and isinstance(v, dict)
        ]
        if len(self._parser.frames) > 1 and fold(self._parser.frames[0].key or "") in ARGUMENT_KEYS:
            given = [self._parser.frames[1].keys]
        known = [set(spec.properties) for spec in self._context.tools]
        return any(keys and keys <= properties for keys in given for properties in known)

    def _bad(self, detail: str, reason: BadCallReason = "unreadable") -> Bad:
        name = self._named_tool() or self._watch.unknown or None
        return Bad(reason, detail, name, self._watch.taken)

    def _text(self) -> Outcome:
        if self._watch.begun:
            return self._bad(self._parser.failed or "it is not a call after all")
        return NotACall(self._watch.taken)

    def _take_extra_closers(self) -> Waiting[None]:
        """Consume closers that close nothing; a semicolon is the last of them."""
        window = self._window
        while (yield from window.skip(_EXTRA_CLOSER, 64)):
            found = _EXTRA_CLOSERS.match(window.text, window.pos)
            window.pos = found.end() if found else window.pos
        ahead, _ = window.ahead(1)
        window.pos += ahead == ";"

    def _junk_follows(self) -> Waiting[bool]:
        """Whether the text goes on as if the value were still open: it was misread then."""
        found = yield from self._window.expect(_JUNK, 128)
        return found is not None and found.group().strip() != self._quote
