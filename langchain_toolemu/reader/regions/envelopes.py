"""Reads the calls between an envelope's opening and closing tag.

The first character selects the notation. Any closing tag closes; without one the calls end where
other text begins.
"""

import re
from dataclasses import dataclass, field, replace

import regex

from langchain_toolemu.reader import vocabulary
from langchain_toolemu.reader.context import Context, OwnMarks
from langchain_toolemu.reader.intent import without_tokens
from langchain_toolemu.reader.notations import outcome
from langchain_toolemu.reader.notations.element_texts import begins_call
from langchain_toolemu.reader.notations.elements import ElementCall
from langchain_toolemu.reader.notations.named_calls import PRINT, NamedCall, may_be_called
from langchain_toolemu.reader.notations.objects import ObjectReader
from langchain_toolemu.reader.notations.outcome import Envelope, Outcome, conclude
from langchain_toolemu.reader.notations.python_calls import CallList
from langchain_toolemu.reader.regions import made_up_turns
from langchain_toolemu.reader.tags import Tag, TagSet, first_after, parse_tag, skip_fence
from langchain_toolemu.reader.window import Waiting

_BETWEEN = re.compile(r"[\s,;:]+")
_OPENING = re.compile(r"(?:<|&lt;|\[)\w")
_LONGEST_JUNK = 512
_LONGEST_NAME = 160
_LONGEST_MARK = 48
_PLAIN_LIST = re.compile(r"\[\s{0,40}([^\s#/])")
_LIST = regex.compile(
    r"\[\s*(?:(?:#|//)[^\n]*\n\s*|/\*(?:[^*]|\*(?!/))*\*/\s*)*+(\{|[^\s{#/]|/(?![/*]))"
)
_JSON_END = regex.compile("JSON_END")
# Two words at least, with one line break at most, and the token that begins a call.
_NOISE = regex.compile(
    r"\w(?:[^<\[{(\n]*+\n|(?:[^<\[{(\s]++|[^\S\n](?!\w))*+\s)\w[^<\[{(\n]*+(?=<[|\uff5c]\w)"
)
_IN_JUNK = re.compile(r"<|&lt;|\[|\{")
_TAGS = TagSet(vocabulary.ENVELOPES)
_LOST_BRACE = regex.compile(r"([\"'])(?:name|arguments)\1\s{0,8}:\s{0,8}[\"'{]")
_RESYNC = re.compile(r"\n[ \t]{0,40}\n|</|\[/|&lt;/|<[|\uff5c]")


@dataclass(eq=False)
class EnvelopeBody(outcome.Notation):
    """Reads one envelope from its opening tag on."""

    _calls: int = 0
    _depth: int = 0
    _opened: set[str] = field(default_factory=set)  # the words of the tags around the calls
    _indent: str = ""
    _closed: bool = False
    _found: Tag | None = None
    _fresh: bool = True  # after an opening tag a call may begin with any name
    _judged: int = 0  # of the words after a call: before this none begins, whatever follows

    def read(self) -> Waiting[bool]:
        """Consume the envelope; whether it held calls."""
        while (yield from self._read_item()):
            self._calls += 1
            self._fresh = False
            self._window.flowing = False
            if self._context.output.full:
                break
            if self._context.output.is_broken:
                yield from self._resync()
        return self._leave()

    def _read_item(self) -> Waiting[bool]:
        while True:
            if self._context.marks and (yield from self._read_own_mark(self._context.marks)):
                return False
            space = yield from self._window.run(_BETWEEN)
            self._indent = space.rpartition("\n")[2] if "\n" in space else ""
            char = yield from self._window.peek()
            if not char:
                return False
            going_on = yield from self._read_mark(char)
            if going_on is None and (yield from self._pass_noise()):
                continue
            if going_on is None:
                reading = yield from self._read_value(char)
                if reading:
                    return conclude(self._context, self._envelope, reading)
                going_on = yield from self._pass_words()
            if going_on is False:
                return False

    def _read_own_mark(self, marks: OwnMarks) -> Waiting[bool]:
        """Consume a mark of a dialect of one's own; whether the envelope ends here."""
        window, own = self._window, self._envelope.is_own
        awaited = marks.closing if own and self._calls else None
        if awaited and (closing := (yield from window.expect(awaited))):
            self._closed = True
            window.pos += closing.end()
            return True
        found = (yield from window.expect(marks.opening)) if marks.opening else None
        if found and not own:  # in a fence, or a tag
            self._envelope = replace(self._envelope, explicit=True, token=True, is_own=True)
            window.pos += len(found.group().rstrip("[{`~").rstrip())
        return bool(found and own and self._calls)

    def _read_mark(self, char: str) -> Waiting[bool | None]:
        """Consume a tag or a fence; `None` if a call comes here, otherwise whether to go on."""
        self._found = None
        if char in "`~":
            return (yield from self._read_fence())
        if char == "J" and (yield from self._window.skip(_JSON_END)):
            self._closed = True
            return False
        if char not in "<&[]":
            return None
        self._found = yield from self._context.inner_tags.peek(self._window)
        if self._found is None:
            return None if char in "[]" else False
        return (yield from self._read_tag(self._found))

    def _read_fence(self) -> Waiting[bool]:
        """A fence inside the envelope says nothing, but must not be taken for another one later."""
        fence = yield from skip_fence(self._window)
        self._context.open_fence = "```" if fence and not self._context.open_fence else ""
        return fence

    def _read_tag(self, tag: Tag) -> Waiting[bool | None]:
        if (tag.closing and tag.word not in vocabulary.THOUGHTS) or tag.word in vocabulary.CLOSE:
            self._window.pos += len(tag.raw)
            self._depth -= 1
            self._closed = self._depth <= 0
            return not self._closed
        if tag.word in vocabulary.REGION:
            return False
        opens = tag.word in vocabulary.SEPARATOR or (tag.word in vocabulary.OPEN and not tag.value)
        wraps = tag.word in vocabulary.WEAK and not tag.value
        if wraps and not opens and tag.word in vocabulary.NAME:  # it may hold a call, or its name
            wraps = (yield from first_after(self._window, tag)) in ("{", "[", "<", "`")
        if not (opens or wraps):
            return None
        self._window.pos += len(tag.raw)
        self._depth += tag.word in vocabulary.OPEN | vocabulary.WEAK
        self._opened.add(tag.word)
        self._fresh = self._fresh or opens
        return True

    def _read_value(self, char: str) -> Waiting[Outcome | None]:
        if self._found is not None:
            return (yield from self._read_element(self._found))
        if char == "{":
            return (yield from ObjectReader(self._context, self._envelope).read())
        if char == "[":
            return (yield from read_list(self._context, self._envelope))
        if self._envelope.explicit and (yield from self._window.expect(_LOST_BRACE)):
            return outcome.Bad("unreadable", "its opening bracket is missing")  # sample lost-brace
        named = char.isalpha() or char in "_-" or (char.isdigit() and self._envelope.token)
        if named and (yield from self._names_call()):
            first, opened, indent = self._fresh, self._opened, self._indent
            call = NamedCall(self._context, self._envelope, first, opened, indent)
            return (yield from call.read())
        return None

    def _names_call(self) -> Waiting[bool]:
        """Whether a word begins a call; after another call, a tool's name or one that is called."""
        window = self._window
        while not self._fresh:
            found = vocabulary.WIDE_NAME.match(window.text, window.pos)
            word = found.group() if found else ""
            end = window.pos + len(word)
            if len(word) > _LONGEST_NAME:  # asked first: in pieces its end may not be there yet
                return False
            if window.ended or end < len(window.text):
                printed = word == PRINT and self._envelope.prints
                called = window.text.startswith("(", end)
                may_be = called and may_be_called(self._context, self._envelope, word)
                return printed or may_be or self._context.resolve(word) is not None
            yield
        return True

    def _read_element(self, tag: Tag) -> Waiting[Outcome]:
        """A call that begins with a tag: `<function=f>`, `<invoke name="f">`, `<f>`, `<name>`."""
        written = tag.written if tag.word in self._context.tool_words else tag.value
        names = tag.word not in vocabulary.ELEMENTS - vocabulary.WEAK and bool(written)
        written = written if names else None
        if names or tag.empty:  # nothing is inside an empty one to be read
            self._window.pos += len(tag.raw)
        return (yield from ElementCall(self._context, self._envelope, written, tag).read())

    def _pass_noise(self) -> Waiting[bool]:
        """Consume words before the first call of a section of special tokens.

        Sample noise-in-a-section.
        """
        if self._calls or not self._envelope.token:
            return False
        noise = yield from self._window.expect(_NOISE, _LONGEST_JUNK)
        self._window.pos += noise.end() if noise else 0
        return noise is not None

    def _pass_words(self) -> Waiting[bool]:
        """Emit words before another call or the closer on the same line; whether one is there.

        Sample extra-data.
        """
        if not self._calls:
            return False
        self._judged = 0
        words = yield from self._window.ask(_LONGEST_JUNK, self._count_words)
        if words >= 0:
            self._window.pos += words
            self._context.hold()
        return words > 0

    def _count_words(self, ahead: str, final: bool) -> int | None:
        """How many characters come before another call or the closer; -1 if none comes."""
        line, newline, below = ahead.partition("\n")
        for found in _IN_JUNK.finditer(line, self._judged):
            rest = line[found.start() :]
            tag = parse_tag(rest)
            if tag and tag.closing and tag.word in vocabulary.THOUGHTS:
                return -1
            if found.group() == "{" or (tag and _goes_on(tag)):
                return found.start()
            if not (tag or newline or final) and _TAGS.may_become(rest):
                return None  # what follows may be quoted in it
            self._judged = found.end()
        below = below.lstrip()
        tag = parse_tag(below)
        if tag and tag.closing and _goes_on(tag):
            return len(ahead) - len(below)
        return None if not (tag or final) and _TAGS.may_become(below) else -1

    def _resync(self) -> Waiting[None]:
        window = self._window
        while not (found := _RESYNC.search(window.text, window.pos)):
            if window.ended:
                window.pos = len(window.text)
                return
            window.pos = max(window.pos, len(window.text) - _LONGEST_MARK)
            yield
        window.pos = found.start()

    def _leave(self) -> bool:
        """Close the envelope: its closer belongs to the last call."""
        begins = _OPENING.match(self._window.text, self._window.pos)
        cut = self._envelope.explicit and not self._closed and self._context.reach_cut()
        if self._is_empty_section():
            self._context.pass_mark(0)
        raw = self._window.take()
        if cut and (begins or not self._calls):
            bad = outcome.Bad("cut", outcome.CUT, text=raw)
            return conclude(self._context, self._envelope, bad)
        output = self._context.output
        (output.extend if self._calls and raw.strip() else output.add_text)(raw)
        if not self._calls:
            self._context.release()
        return bool(self._calls)

    def _is_empty_section(self) -> bool:
        """Whether a section of special tokens is nothing but its marks, and not only mentioned."""
        if not (self._closed and self._envelope.token) or self._calls:
            return False
        words = without_tokens(self._window.untaken).strip()
        return not (words or made_up_turns.is_spoken_of(self._context))


def _goes_on(tag: Tag) -> bool:
    is_closer = tag.closing or tag.word in vocabulary.CLOSE
    return tag.word in vocabulary.ENVELOPES - vocabulary.THOUGHTS if is_closer else begins_call(tag)


def read_list(context: Context, envelope: Envelope) -> Waiting[Outcome]:
    """Read a list: of objects, or of Python calls."""
    window = context.window
    plain = _PLAIN_LIST.match(window.text, window.pos)
    found = plain or (yield from window.expect(_LIST, _LONGEST_JUNK))
    # The first character after white space and comments.
    reader = ObjectReader if found and found[1] == "{" else CallList
    return (yield from reader(context, envelope).read())
