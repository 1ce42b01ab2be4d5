"""`Reader`: pieces of a reply in, events out.

One search per piece finds the next opener. Text before it is emitted at once; the opener selects
the module that reads on.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import regex

from langchain_toolemu.reader import vocabulary
from langchain_toolemu.reader.context import Context, ReaderOptions
from langchain_toolemu.reader.events import Event, TextKind
from langchain_toolemu.reader.notations.element_texts import begins_call
from langchain_toolemu.reader.notations.objects import ObjectReader
from langchain_toolemu.reader.notations.outcome import BARE, Envelope, conclude, read_tail
from langchain_toolemu.reader.regions import (
    envelopes,
    fences,
    lines,
    made_up_turns,
    own_dialect,
    reasoning,
)
from langchain_toolemu.reader.tags import Tag
from langchain_toolemu.reader.window import Waiting, finish

# Each alternative is one character and what it must be followed by, if that is already there.
_MARKUP = "(?P<tag>[<◁](?![^\\w/|<\uff5c])|&(?=l|\\Z)|\\](?=<\\]|<?\\Z))|(?P<fence>`|~(?![^~]))"
_EXPLICIT = re.compile(rf"{_MARKUP}|(?P<list>\[(?![^A-Z/]))")
_OBJECT_OPENER = "(?P<object>\\{(?![^\\s\"'\u201c\u201d\u201e\u2018\u2019`&{}\\w$/#\\\\]))"
_OPENER = (
    rf"{_MARKUP}|{_OBJECT_OPENER}|(?P<address>>(?=>>\w|>{{0,2}}\Z))|(?P<list>\[(?![^\s{{\"'`\w/#]))"
)
_UNDECIDED = re.compile(r"[^\n]\Z")
_PLAIN_TAG = re.compile(r"</?\w{1,40}\Z")  # of HTML: its end begins no address
_PLAIN_BEGINNINGS = frozenset("{[<")
_RARE_BEGINNINGS = frozenset("act`\"'\u201c\u2018\u00ab")  # of a leaked header, or of a quotation
_LOOKAHEAD = 160
_BRACES = re.compile(r"\{+")
_PLAIN_OBJECT = re.compile(r"\{\s{0,8}\"(?!c|\Z)")  # `content` may wrap a call
# What an object must begin with: a key, if need be after a second brace or a comment.
_OBJECT = regex.compile(
    "\\{(?:\\s|\\\\[nrt]){0,32}(?:\\{\\s{0,32})?"
    '(?:["\'\u201c\u201d\u201e\u2018\u2019`]|\\\\"|//|/\\*|#|&quot;'
    "|[A-Za-z_$][\\w$.\\\\-]{0,64}\\s{0,8}:)"
)
_NO_ENVELOPE = Envelope(BARE, explicit=False)
_LEFT_FENCE = Envelope("fence", explicit=False)  # for a line of prose: sample prose-in-fence
_EMPTY = re.compile(r"\{\s{0,32}\}")
_NO_CALLS = vocabulary.MARKS - vocabulary.WEAK
# What is no call on a channel for answers: an envelope may be the one that calls were asked for in.
_IN_ANSWERS = {False: ("object", "list"), True: ("object", "list", "fence")}


@dataclass(eq=False)
class Reader(ReaderOptions):
    """Reads tool calls out of a reply, piece by piece; the whole reply is one piece."""

    @cached_property
    def _context(self) -> Context:
        """Created with the first text: most native replies have none."""
        return Context(**vars(self))

    @cached_property
    def _scan(self) -> Waiting[None]:
        begun = scan(self._context)
        next(begun)
        return begun

    @property
    def kinds(self) -> Sequence[tuple[int, TextKind]]:
        """The places in the reply, so far, where the kind of text changes."""
        return self._context.kinds

    @property
    def kind(self) -> TextKind:
        """The kind of the text that comes now."""
        return self._context.output.kind

    @property
    def is_holding(self) -> bool:
        """Whether the text that came last may be the beginning of a call."""
        return not self._context.window.flowing

    def read(self, text: str, *, cut: bool = False) -> list[Event]:
        """Read a whole reply; `cut`: it ended by the length limit."""
        return [*self.feed(text), *self.close(cut=cut)]

    def feed(self, text: str) -> list[Event]:
        """Read a piece; return the events that are now certain."""
        context, scanning = self._context, self._scan
        context.window.feed(text)
        next(scanning)
        if context.window.flowing:
            context.flush()
        return context.output.drain()

    def close(self, *, cut: bool = False) -> list[Event]:
        """End the reply, `cut` by the length limit or not; return the remaining events."""
        context, scanning = self._context, self._scan
        context.window.ended = True
        context.cut = context.output.cut = cut
        finish(scanning)
        return context.output.drain()


def scan(context: Context) -> Waiting[None]:
    """Read a whole reply."""
    window = context.window
    thoughts, explicit = context.only_thoughts, context.explicit_only
    opener = plain = _EXPLICIT if thoughts or explicit else _opener(context.tools.names)
    if context.marks and context.marks.opening and context.dialect and not thoughts:
        opener = own_dialect.with_opening(context.dialect.opening.strip(), plain.pattern)
    yield from _read_beginning(context)
    while True:
        found = None if context.output.full else opener.search(window.text, window.pos)
        window.pos = found.start() if found else len(window.text)
        if found and found.lastgroup == "address" and _ends_plain_tag(context):
            window.pos += 1
        elif found and not window.ended and _UNDECIDED.match(window.text, window.pos):
            yield  # what follows the opener may tell that it is none
        elif found:
            yield from _open(context, found.lastgroup or "", plain)
            yield from _read_line_starts(context)
        elif window.ended:
            context.flush()
            context.output.end()
            return
        else:
            yield


def _read_beginning(context: Context) -> Waiting[None]:
    window = context.window
    if context.starts_in_thought:
        yield from reasoning.pass_begun_thought(context)
    elif context.may_start_in_thought:
        yield from reasoning.pass_doubtful_beginning(context)
    if context.dialect:
        yield from own_dialect.read_whole_reply(context)
    while not (window.text or window.ended):
        yield
    if context.marks and (yield from own_dialect.at_opening(context)):
        return
    first = window.text[window.pos :].lstrip()[:1]
    if first in _PLAIN_BEGINNINGS:
        return
    if not first or first in _RARE_BEGINNINGS:
        yield from reasoning.pass_stripped_analysis(context)
        if not context.only_thoughts:
            yield from reasoning.read_begun_header(context)
            yield from fences.read_quotation(context)
    yield from _read_line_starts(context)


def _read_line_starts(context: Context) -> Waiting[None]:
    """Read calls at the start of a line, each of which may end at the start of another."""
    context.flush()
    window, line = context.window, -1
    is_off = context.explicit_only or context.only_thoughts
    while window.at_line_start and window.line > line:
        if is_off or context.output.full or context.is_answer:
            return
        line = window.line
        if context.marks and (yield from own_dialect.at_opening(context)):
            return
        yield from lines.read_line_start(context)


def _ends_plain_tag(context: Context) -> bool:
    context.flush()
    return _PLAIN_TAG.search(context.prose.recent) is not None


@lru_cache(maxsize=64)
def _opener(names: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(f"{_OPENER}|(?P<line>{lines.line_opener(names)})")


def _open(context: Context, kind: str, plain: re.Pattern[str]) -> Waiting[None]:
    """Read what an opener begins; consumes at least one character."""
    window = context.window
    if kind == "line" or (context.is_answer and kind in _IN_ANSWERS[context.native]):
        window.pos += 1
        return
    context.hold()
    start = window.offset
    if kind == "own" and not (yield from own_dialect.read_own(context)):
        while not window.ended and _UNDECIDED.match(window.text, window.pos):
            yield
        found = plain.match(window.text, window.pos)
        kind = (found.lastgroup or "") if found else "letter"
    match kind:
        case "own" | "letter":
            pass
        case "fence" if context.only_thoughts:
            yield from fences.pass_code(context)
        case "tag" | "list" if context.only_thoughts:
            yield from reasoning.read_reasoning_tag(context)
        case "tag":
            yield from _read_tag(context)
        case _:
            kinds = {"object": _read_object, "list": _read_list, "address": lines.read_addressed}
            if (yield from kinds.get(kind, fences.read_fence)(context)):
                yield from read_tail(context)
    window.pos += window.offset == start  # or the same opener would be found for ever
    context.release()
    context.output.settle(value_ends=True)


def _read_object(context: Context) -> Waiting[bool]:
    """An object, if it begins like one; whether it was a call."""
    window = context.window
    if context.explicit_only:
        window.pos += 1
        return False
    if (yield from made_up_turns.begins_result(context, as_object=True)):
        yield from made_up_turns.pass_made_up(context)
        return False
    plain = _PLAIN_OBJECT.match(window.text, window.pos)
    if not plain and (yield from fences.read_wrapped(context)):
        return True
    found = plain or (yield from window.expect(_OBJECT, _LOOKAHEAD))
    if found or (context.forced_tool and _EMPTY.match(window.ahead(_LOOKAHEAD)[0])):
        envelope = _LEFT_FENCE if context.open_fence else _NO_ENVELOPE
        return conclude(context, envelope, (yield from ObjectReader(context, envelope).read()))
    yield from window.run(_BRACES)
    return False


def _read_list(context: Context) -> Waiting[bool]:
    """A list, or a tag in brackets, `[TOOL_CALLS]`; whether it was a call."""
    tag = yield from context.opening_tags.peek(context.window)
    if tag and tag.raw.isupper():
        if tag.word in vocabulary.REGION | vocabulary.OTHERS:
            is_region = tag.word in vocabulary.REGION
            yield from (reasoning.pass_region if is_region else _read_turn)(context, tag)
            return False
        if tag.word in vocabulary.OPEN and not tag.closing:
            envelope = Envelope(tag.label, explicit=True, token=True)
            return (yield from envelopes.EnvelopeBody(context, envelope).read())
    if tag or context.explicit_only:
        context.window.pos += 1
        return False
    envelope = _LEFT_FENCE if context.open_fence else _NO_ENVELOPE
    return conclude(context, envelope, (yield from envelopes.read_list(context, envelope)))


def _read_tag(context: Context) -> Waiting[None]:
    tag = yield from context.opening_tags.peek(context.window)
    if tag is None:
        context.window.pos += 1
    elif tag.word in vocabulary.REGION:
        yield from reasoning.pass_region(context, tag)
    elif tag.is_mark or (context.in_message and vocabulary.ENDING.match(tag.raw)):
        context.pass_mark(len(tag.raw))
    elif tag.word in vocabulary.TURN | vocabulary.OTHERS:
        yield from _read_turn(context, tag)
    elif tag.word in vocabulary.CHANNEL:
        yield from reasoning.read_header(context, tag)
    elif tag.word in vocabulary.OWN:
        context.window.pos += len(tag.raw)
        if tag.raw.endswith("|>") and not made_up_turns.is_spoken_of(context):
            context.begin_answer()
    elif _may_hold_calls(context, tag):
        label = "element" if tag.word in context.tool_words else tag.label
        envelope = Envelope(label, begins_call(tag), tag.word in vocabulary.PRINTING, tag.is_token)
        if (yield from envelopes.EnvelopeBody(context, envelope).read()):
            yield from read_tail(context)
    else:
        context.window.pos += len(tag.raw)


def _may_hold_calls(context: Context, tag: Tag) -> bool:
    is_end = tag.closing or tag.word in vocabulary.CLOSE | vocabulary.SEPARATOR | _NO_CALLS
    is_read = not context.explicit_only or begins_call(tag)
    return is_read and not (is_end or (context.is_answer and context.native))


def _read_turn(context: Context, tag: Tag) -> Waiting[None]:
    """The start of a message: the model's own is read, anyone else's is made up."""
    context.window.pos += len(tag.raw)
    if (yield from made_up_turns.begins_turn(context, tag)):
        yield from made_up_turns.pass_made_up(context)
    elif tag.word == "start":
        yield from reasoning.read_channel(context)
