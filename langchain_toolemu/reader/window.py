"""The reply as it is read: the text that is not consumed yet, and the prose so far.

Text is read once: nothing before `pos` is read again, except after `rewind`, which is counted. A
step that needs more text is a generator that yields until more is fed.
"""

import re
from collections import deque
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from typing import TypeAlias, TypeVar

import regex

T = TypeVar("T")

_LOOKBACK = 480  # characters of prose before a call that may tell what it is
_LINE = 160  # of a line, what is remembered
_MOST_FRESH = 64  # pieces of prose, before they are taken in

# What `run` consumes most often, and what `until` never finds.
SPACE = re.compile(r"\s+")
REST_OF_LINE = re.compile(r"[^\n]+")
NOTHING = re.compile(r"(?!)")

# A step of reading that may run out of text: it yields, and goes on when more was fed.
Waiting: TypeAlias = Generator[None, None, T]


def finish(step: Waiting[T]) -> None:
    """Run a step whose text is complete."""
    deque(step, maxlen=0)


@dataclass(slots=True)
class Window:
    """A window over the reply. Consumed text is kept until it is taken."""

    text: str = ""  # what was fed and not dropped yet; what is consumed of it ends at `pos`
    ended: bool = field(default=False, kw_only=True)  # whether no more text will come
    pos: int = field(default=0, init=False)
    mark: int = field(default=0, init=False)  # up to where it was taken
    flowing: bool = field(default=True, init=False)  # whether it is prose, and not held
    at_line_start: bool = field(default=True, init=False)  # but for white space
    line: int = field(default=0, init=False)  # how many lines were taken
    rewound: int = field(default=0, init=False)  # how often it went back
    _held: list[str] = field(default_factory=list, init=False)
    _dropped: int = field(default=0, init=False)  # how many characters came before `text`

    def feed(self, text: str) -> None:
        """Append a piece, dropping what was consumed."""
        if self.pos > self.mark:
            self._held.append(self.text[self.mark : self.pos])
        self._dropped += self.pos
        self.text = self.text[self.pos :] + text
        self.pos = self.mark = 0

    def take(self) -> str:
        """The text consumed since the last take."""
        if self.pos == self.mark and not self._held:
            return ""
        taken = self.text[self.mark : self.pos]
        self.mark = self.pos
        if self._held:
            taken = "".join(self._held) + taken
            self._held.clear()
        if "\n" in taken:
            self.line += taken.count("\n")
            self.at_line_start = not taken.rpartition("\n")[2].strip()
        elif self.at_line_start:
            self.at_line_start = not taken.strip()
        return taken

    def rewind(self, offset: int) -> None:
        """Go back to an earlier place of the reply, after which nothing was taken."""
        start = self.untaken_from
        self.text = "".join(self._held) + self.text[self.mark :]
        self._held.clear()
        self._dropped, self.mark, self.pos = start, 0, offset - start
        self.rewound += 1

    @property
    def untaken_from(self) -> int:
        """Where the text begins that was not taken yet."""
        return self._dropped + self.mark - sum(map(len, self._held))

    @property
    def char_before(self) -> str:
        """The last character that was consumed and not taken."""
        if self.pos > self.mark:
            return self.text[self.pos - 1]
        return self._held[-1][-1] if self._held else ""

    @property
    def untaken(self) -> str:
        """The text consumed since the last take, which stays there."""
        return "".join(self._held) + self.text[self.mark : self.pos]

    @property
    def offset(self) -> int:
        """How much of the reply is consumed."""
        return self._dropped + self.pos

    @property
    def exhausted(self) -> bool:
        """Whether everything fed so far is consumed."""
        return self.pos >= len(self.text)

    def ahead(self, size: int) -> tuple[str, bool]:
        """The next `size` characters or fewer, and whether that is final."""
        text = self.text[self.pos : self.pos + size]
        return text, self.ended or len(text) == size

    def peek(self) -> Waiting[str]:
        """The next character, or nothing at the end."""
        while self.pos >= len(self.text):
            if self.ended:
                return ""
            yield
        return self.text[self.pos]

    def past_space(self) -> Waiting[str]:
        """Consume white space and peek at the next character."""
        yield from self.run(SPACE)
        return (yield from self.peek())

    def ask(self, size: int, question: Callable[[str, bool], T | None]) -> Waiting[T]:
        """Ask about the next characters, again with more text while the answer is `None`."""
        while (answer := question(*self.ahead(size))) is None:
            yield
        return answer

    def expect(
        self, pattern: regex.Pattern[str], size: int = 256
    ) -> Waiting[regex.Match[str] | None]:
        """The match of a pattern here, not consumed, once more text cannot change it.

        The pattern must not end in an optional part.
        """
        while True:
            ahead, certain = self.ahead(size)
            found = pattern.match(ahead, partial=not certain)
            if found is None or certain or not (found.partial or found.end() == len(ahead)):
                return found
            yield

    def skip(self, pattern: regex.Pattern[str], size: int = 256) -> Waiting[str]:
        """Consume a pattern's match here, if there is one."""
        found = yield from self.expect(pattern, size)
        text = found.group() if found else ""
        self.pos += len(text)
        return text

    def run(self, pattern: re.Pattern[str]) -> Waiting[str]:
        """Consume all characters that a pattern, a repeated class, matches."""
        parts = []
        while True:
            found = pattern.match(self.text, self.pos)
            end = found.end() if found else self.pos
            parts.append(self.text[self.pos : end])
            self.pos = end
            if end < len(self.text) or self.ended:
                return "".join(parts)
            yield

    def until(self, pattern: re.Pattern[str]) -> Waiting[str]:
        """Consume up to a pattern of one character, at most one of lookahead, or the end."""
        parts: list[str] = []
        yield from self.pass_on(pattern, parts.append)
        return "".join(parts)

    def pass_on(self, pattern: re.Pattern[str], take: Callable[[str], None]) -> Waiting[None]:
        """Like `until`, but pass the text on as it arrives."""
        while True:
            found = pattern.search(self.text, self.pos)
            end = found.start() if found else len(self.text)
            take(self.text[self.pos : end])
            self.pos = end
            # What follows the last character may tell that it is none.
            if self.ended or (found and found.end() < len(self.text)):
                return
            yield

    def pass_to(self, mark: str, take: Callable[[str], None] = lambda _: None) -> Waiting[bool]:
        """Consume up to a mark and the mark, passing on the text; whether the mark came."""
        while (end := self.text.find(mark, self.pos)) < 0:
            end = max(self.pos, len(self.text) - (0 if self.ended else len(mark) - 1))
            take(self.text[self.pos : end])
            self.pos = end
            if self.ended:
                return False
            yield
        take(self.text[self.pos : end])
        self.pos = end + len(mark)
        return True

    def name(self, pattern: re.Pattern[str]) -> Waiting[str]:
        """Consume a name that begins with a letter or an underscore, if one is here."""
        char = yield from self.peek()
        return (yield from self.run(pattern)) if char.isalpha() or char == "_" else ""


@dataclass(slots=True)
class ProseHistory:
    """The prose so far. Pieces are joined only when needed."""

    begun: bool = False  # whether the answer has begun: with words, or with a call
    has_call: bool = False  # whether it holds a call
    last_char: str = ""  # the character that came last; nothing after a call
    _recent: str = ""
    _line_before: str = ""
    _line: str = ""
    _fresh: list[str] = field(default_factory=list)

    @property
    def recent(self) -> str:
        """The end of the words since the last call, or since the answer began."""
        self._take_in()
        return self._recent

    @property
    def line_before(self) -> str:
        """The beginning of the last full line of prose; empty after a call."""
        self._take_in()
        return self._line_before

    def add(self, text: str) -> None:
        """Add words."""
        self._fresh.append(text)
        self.begun = self.begun or not text.isspace()
        self.last_char = text[-1]
        if len(self._fresh) > _MOST_FRESH:
            self._take_in()

    def restart(self, *, has_call: bool = False) -> None:
        """A call ends what came before it, or a thought: the answer begins here."""
        self._fresh.clear()
        self._recent = self._line_before = self._line = ""
        self.last_char = "" if has_call else self.last_char
        self.begun = self.has_call = has_call

    def _take_in(self) -> None:
        if not self._fresh:
            return
        text = "".join(self._fresh)
        self._fresh.clear()
        self._recent = (self._recent + text)[-_LOOKBACK:]
        line = self._line + text
        if "\n" in text:
            lines, _, line = line.rpartition("\n")
            self._line_before = lines.rstrip().rpartition("\n")[2][:_LINE] or self._line_before
        self._line = line[:_LINE] + line[_LINE:].strip()[:1]  # blank only if all of it is
