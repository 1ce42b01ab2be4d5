"""The text of one element, from its opening tag to its closing tag.

It is the argument, byte for byte, without a line break at both ends. It may hold any tags: it ends
at its own closing tag only if the text after that can follow. Without a closing tag it ends with
the call, or where the next argument begins on its own line; if both are possible, the call is
refused.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from html import unescape
from typing import TYPE_CHECKING, Any

import regex

from langchain_toolemu.reader.literals.strings import FIRST_BREAK, LongText, RunningText
from langchain_toolemu.reader.tags import BEGUN_MARKS, MAYBE_TAG, Tag, TagSet, word_of
from langchain_toolemu.reader.vocabulary import CLOSE, ITEM, OPEN, WEAK
from langchain_toolemu.reader.window import SPACE, Waiting, Window

if TYPE_CHECKING:
    from langchain_toolemu.reader.notations.elements import ElementCall

CALL_WORDS = OPEN | WEAK

_LOOKAHEAD = 256
_MAYBE_TAG = re.compile(MAYBE_TAG)
_NO_CDATA = re.compile(r"[^\s<]|<[^!]")
_CDATA = regex.compile(r"\s*<!\[CDATA\[")
_LINE_END = re.compile(r"\r?\n\Z")
_LAST_CLOSER = re.compile(r"</([\w.:-]{1,64})>\s*\Z")
_LINE_START = re.compile(r"(?:\A|\n)[ \t]*\Z")
_MOST_RETREATS = 4  # of one reply: after them a call's end ends its text at once
_PAIR = re.compile(
    r"<arg_key>([^<]*)(?:</arg_key>)?\s*<arg_value>(.*?)(?:</arg_value>\s*|\r?\n)?(?=<arg_key>|\Z)",
    re.DOTALL,
)
_CHILD = re.compile(r"<(/?)([A-Za-z_][\w.:-]*)[^<>]*?(/?)>|([^<]+)")


@dataclass(frozen=True, slots=True)
class _Retreat:
    """Where a text ends if no better end comes, and what was counted up to there."""

    offset: int
    parts: int
    pending: int
    repeated: bool
    splits: bool


@dataclass(eq=False)
class ElementText:
    """Reads one text."""

    _window: Window
    _tag: Tag
    _owner: "ElementCall"  # the call that the text belongs to
    _follower: LongText | None = None
    closed: bool = False  # whether it ended; otherwise the reply did
    doubtful: bool = False  # whether its end can be found in two ways
    others: list[tuple[Tag, str]] = field(default_factory=list)
    _parts: list[str] = field(default_factory=list)
    _elements: int = 0  # of the text's own word, opened inside it
    _closers: int = 0  # of its own word, taken as text
    _calls: int = 0
    _pending: list[tuple[Tag, int]] = field(default_factory=list)  # with their index in the parts
    _repeated: bool = False
    _is_data: bool = False
    _retreat: _Retreat | None = None
    _following: Tag | None = None  # what follows the closing tag that was seen last

    @property
    def text(self) -> str:
        """The text, without the line breaks at its ends."""
        if self._follower and self._follower.begun:
            return self._follower.text()
        text = "".join(self._parts)
        return text if self._is_data else _without_ends(text, escaped=self._tag.escaped)

    def read(self) -> Waiting[bool]:
        """Consume the element from its opening tag on; whether it ended."""
        window = self._window
        window.pos += len(self._tag.raw)
        no_data = _NO_CDATA.match(window.text, window.pos)
        if self._tag.empty:
            self.closed = True
        elif not no_data and (yield from window.skip(_CDATA)):
            yield from self._read_cdata()
        else:
            yield from self._read()
        if not self.closed and self._follower and self._follower.begun:
            self._follower.text()  # all of it is emitted, whatever the pieces
        return self.closed

    def _read(self) -> Waiting[None]:
        window, word = self._window, self._tag.word
        tags = TagSet({word, self._owner.container or word, "argkey"} | CALL_WORDS | CLOSE)
        while True:
            yield from window.pass_on(_MAYBE_TAG, self._keep)
            found = yield from tags.peek(window)
            if window.exhausted:
                self._go_back()
                return
            if found and (yield from self._ends_at(found)):
                return
            if found:
                self._pass(found)
            self._keep(window.text[window.pos])
            window.pos += 1

    def _go_back(self) -> None:
        """At the end of the reply, go back to where the text may have ended."""
        retreat = self._retreat
        if retreat and not self._owner.is_cut:
            del self._parts[retreat.parts :], self._pending[retreat.pending :]
            self._calls, self._repeated = 0, retreat.repeated
            self._window.rewind(retreat.offset)
            self.closed = True
            if retreat.splits:
                self._end_open()

    def _end_open(self) -> None:
        """End the text without a closing tag; one that was taken as text may be it.

        Samples open-line, closer-then-noise.
        """
        self.doubtful = self._closers > 0
        self._split("")
        if not self._pending:
            self._parts[:] = [self._open_end("".join(self._parts), self._tag)]

    def _open_end(self, text: str, tag: Tag) -> str:
        """The text of an element without a closing tag, or with one under the argument's name.

        Sample closer-by-name.
        """
        found = _LAST_CLOSER.search(text)
        if found and f"<{found[1]}" not in text:
            begun = self._follower is not None and self._follower.begun
            self.doubtful |= begun or found[1] != tag.value
            text = text[: found.start()]
        return _LINE_END.sub("", text)

    def _keep(self, text: str) -> None:
        if text:
            self._parts.append(text)
            if self._retreat is None:
                self._pass_on(text)

    def _pass_on(self, text: str) -> None:
        if self._follower:
            self._follower.take(text, plain=True)

    def _read_cdata(self) -> Waiting[None]:
        window, self._is_data = self._window, True
        if self._follower:
            self._follower.decoder = RunningText(keeps_ends=True)
        if not (yield from window.pass_to("]]>", self._keep)):
            return
        yield from window.run(SPACE)
        closer = yield from TagSet({self._tag.word}).peek(window)
        window.pos += len(closer.raw) if closer and closer.closing else 0
        self.closed = True

    def _ends_at(self, tag: Tag) -> Waiting[bool]:
        """Whether the text ends at a tag: its own closer is consumed, that of the call is not."""
        if tag.closing and tag.word == self._tag.word:
            inner = self._retreat and self._elements  # that of another call's argument
            ends = not inner and (yield from self._ends(tag))
            if ends and (self._following is None or self._owner.ends_with(self._following)):
                self._close(tag)
            elif ends and not self._retreat:  # another call's end follows: a better one may come
                self._end_unless_closed(len(tag.raw), splits=False)
        elif not (self._calls or self._retreat) and (tag.closing or tag.word in CLOSE):
            over = yield from self._is_over(tag)
            if over:
                self._end_unless_closed(0, splits=True)
        return self.closed

    def _close(self, tag: Tag) -> None:
        """End the text at its own closing tag; what may have been the call's end was part of it."""
        self.closed = True
        self._window.pos += len(tag.raw)
        begun = self._follower is not None and self._follower.begun
        if self._elements and not (begun or self._pending):  # sample doubled-tags
            self._parts[:] = ["".join(self._parts).removeprefix(self._tag.raw)]
        if self._elements:
            self._split(tag.raw)
        if self._retreat:
            self._pass_on("".join(self._parts[self._retreat.parts :]))

    def _end_unless_closed(self, size: int, *, splits: bool) -> None:
        """End the text after so many characters, unless its own closing tag follows."""
        window = self._window
        if window.rewound < _MOST_RETREATS:
            position = window.offset + size, len(self._parts), len(self._pending)
            self._retreat = _Retreat(*position, self._repeated, splits)
        else:
            window.pos += size
            self.closed = True
            if splits:
                self._end_open()

    def _pass(self, tag: Tag) -> None:
        """Count a tag of the text; an argument's may mean that a closer is missing."""
        if tag.word == self._tag.word:
            self._closers += tag.closing and not (self._elements or self._retreat)
            self._elements = max(self._elements + _step(tag), 0)
        elif tag.word != "argkey":
            self._calls = max(self._calls + _step(tag), 0)
        paired = tag.word == "argkey"
        if not tag.closing and (paired or self._owner.awaits(tag)):
            others = () if paired else self._pending
            self._repeated |= any(tag.value == other.value for other, _ in others)
            if not self._repeated:
                self._pending.append((tag, len(self._parts)))

    def _split(self, closer: str) -> None:
        if not self._pending:
            self.doubtful = self.doubtful or bool(closer and self._calls)
            return
        begun = self._follower is not None and self._follower.begun
        if self._tag.word == "argvalue" and not (begun or self._calls):
            self._split_pairs()
            return
        bounds = [start for _, start in self._pending]
        lines = all(_LINE_START.search("".join(self._parts[:start])) for start in bounds)
        paired = any(tag.word == "argkey" for tag, _ in self._pending)
        if begun or self._calls or self._repeated or paired or not lines:
            self.doubtful = True
            return
        slices = map(slice, [0, *bounds], [*bounds, None])
        pieces = ["".join(self._parts[span]) for span in slices]
        pieces[-1] += closer
        tags = [self._tag, *(tag for tag, _ in self._pending)]
        pieces = [self._open_end(piece, tag) for piece, tag in zip(pieces, tags, strict=True)]
        self._parts = [pieces[0]]
        pairs = zip(self._pending, pieces[1:], strict=True)
        self.others = [(tag, _inside(piece, tag)) for (tag, _), piece in pairs]

    def _split_pairs(self) -> None:
        """The same for GLM's pairs, which begin anywhere; each must be an argument still to come.

        Sample glm-open-tags.
        """
        tag, start = self._pending[0]
        text = "".join(self._parts[start:])
        found, parameter = [*_PAIR.finditer(text)], replace(tag, word="parameter")
        pairs = [(replace(parameter, value=match[1].strip()), match[2]) for match in found]
        whole = sum(match.end() - match.start() for match in found) == len(text)
        self.doubtful = not whole or not all(self._owner.awaits(tag) for tag, _ in pairs)
        if not self.doubtful:
            self._parts[:] = [_LINE_END.sub("", "".join(self._parts[:start]))]
            self.others = [(tag, _without_ends(value, escaped=tag.escaped)) for tag, value in pairs]

    def _ends(self, closer: Tag) -> Waiting[bool]:
        self._following = None
        if self._elements:
            return (yield from self._is_over(closer))

        def ends(ahead: str, final: bool) -> bool | None:
            rest = ahead[len(closer.raw) :].lstrip()
            rest = rest.removeprefix(closer.raw).lstrip()
            self._following = following = self._owner.parse(rest)
            if following is not None:
                return self._owner.may_follow(following)
            return _undecided(rest, final, at_end=True)

        return (yield from self._window.ask(_LOOKAHEAD, ends))

    def _is_over(self, closer: Tag) -> Waiting[bool]:
        """Whether only closing tags follow, and then the reply's end or another call."""
        over, judged = OPEN | CLOSE | {self._owner.container}, len(closer.raw)

        def is_over(ahead: str, final: bool) -> bool | None:
            nonlocal judged  # a tag is parsed once, however many pieces follow it
            rest = ahead[judged:].lstrip()
            while (tag := self._owner.parse(rest)) and (tag.closing or tag.word in CLOSE):
                if tag.word not in over:
                    return False
                rest = rest[len(tag.raw) :].lstrip()
                judged = len(ahead) - len(rest)
            if tag is not None:
                return begins_call(tag) and not self._calls
            if self._pending and self._tag.word == "argvalue" and rest[:1] not in BEGUN_MARKS:
                return judged > len(closer.raw)  # words after the call's own end
            return _undecided(rest, final, at_end=len(ahead) < _LOOKAHEAD)

        return self._window.ask(_LOOKAHEAD, is_over)


def _undecided(rest: str, final: bool, *, at_end: bool) -> bool | None:
    """The answer if no tag comes next: `None` if one may, `at_end` if no text is left."""
    return None if not final and rest[:1] in BEGUN_MARKS else at_end and not rest


def begins_call(tag: Tag) -> bool:
    """Whether a tag can only begin a call."""
    return not tag.closing and (tag.word in OPEN or (tag.word in WEAK and bool(tag.value)))


def _step(tag: Tag) -> int:
    return -1 if tag.closing else int(not tag.empty)


def _inside(piece: str, tag: Tag) -> str:
    text = piece.partition(tag.raw)[2]
    closer = re.search(rf"<[^<>]*{re.escape(tag.written)}[^<>]*>\s*\Z", text)
    return _without_ends(text[: closer.start()] if closer else text, escaped=tag.escaped)


def _without_ends(text: str, *, escaped: bool) -> str:
    # With a bracket of its own the text was not escaped, whatever its tags were. Sample
    # brackets-between-escaped-tags.
    text = unescape(text) if escaped and "<" not in text else text
    first = FIRST_BREAK.match(text)
    return _LINE_END.sub("", text[first.end() :]) if first else text


def read_children(text: str) -> Any:
    """The value of nested elements: a list or an object, `None` if it is neither.

    Sample elements-as-items.
    """
    root: list[tuple[str, Any]] = []
    stack: list[tuple[str, list[tuple[str, Any]], list[str]]] = [("", root, [])]
    for found in _CHILD.finditer(text.strip()):
        closing, name, empty, words = found.groups()
        if words is not None:
            stack[-1][2].append(words)
        elif closing:
            if len(stack) == 1 or stack[-1][0] != name:
                return None
            done, children, texts = stack.pop()
            stack[-1][1].append((done, _value(children, texts)))
        elif empty:
            stack[-1][1].append((name, ""))
        else:
            stack.append((name, [], []))
    whole = len(stack) == 1 and root and not "".join(stack[0][2]).strip()
    return _value(root, []) if whole else None


def _value(children: Sequence[tuple[str, Any]], texts: Sequence[str]) -> Any:
    if not children:
        return unescape("".join(texts)).strip()
    names = {name for name, _ in children}
    if len(names) == 1 and (len(children) > 1 or word_of(children[0][0]) in ITEM):
        return [value for _, value in children]
    grouped: dict[str, list[Any]] = {}
    for name, value in children:
        grouped.setdefault(name, []).append(value)
    return {name: values if len(values) > 1 else values[0] for name, values in grouped.items()}
