"""Where the reader stands in the reply.

The rule of this room: text is looked at once. Everything before `pos` is consumed and never read
again; the window holds only what is not consumed yet, so that a piece of four characters costs the
same at the end of a megabyte as at its start.
"""

import re
from collections import deque
from collections.abc import Generator
from typing import TypeAlias, TypeVar

T = TypeVar("T")

# What `run` consumes most often.
SPACE = re.compile(r"\s+")
REST_OF_LINE = re.compile(r"[^\n]+")

# A step of reading that may run out of text: it yields, and goes on when more was fed.
Waiting: TypeAlias = Generator[None, None, T]


def finish(step: Waiting[T]) -> None:
    """Run a step that has all its text to its end."""
    deque(step, maxlen=0)


class Cursor:
    """A window over the reply, with the consumed text kept until it is known what it was.

    Attributes:
        at_line_start: Whether only white space stands on the line before what was taken last.
        line: How many lines were taken.
        flowing: Whether consumed text is prose, free to go out, or held because it may be a call.
        ended: Whether no more text will come.
    """

    __slots__ = ("_held", "at_line_start", "ended", "flowing", "line", "mark", "pos", "window")

    def __init__(self, text: str = "", *, ended: bool = False) -> None:
        self.window = text
        self.pos = 0
        self.mark = 0
        self.ended = ended
        self.flowing = True
        self.at_line_start = True
        self.line = 0
        self._held: list[str] = []

    def feed(self, text: str) -> None:
        """Append a piece, dropping what was consumed from the window."""
        if self.pos > self.mark:
            self._held.append(self.window[self.mark : self.pos])
        self.window = self.window[self.pos :] + text
        self.pos = self.mark = 0

    def take(self) -> str:
        """The text consumed since the last take."""
        taken = self.window[self.mark : self.pos]
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

    @property
    def exhausted(self) -> bool:
        """Whether everything fed so far is consumed."""
        return self.pos >= len(self.window)

    def ahead(self, size: int) -> tuple[str, bool]:
        """Up to `size` characters that come next, and whether waiting would not change them."""
        text = self.window[self.pos : self.pos + size]
        return text, self.ended or len(text) == size

    def peek(self) -> Waiting[str]:
        """The next character, or nothing at the end."""
        while self.pos >= len(self.window):
            if self.ended:
                return ""
            yield
        return self.window[self.pos]

    def run(self, pattern: re.Pattern[str]) -> Waiting[str]:
        """Consume as many characters as a pattern matches, which must be a repeated class."""
        parts = []
        while True:
            found = pattern.match(self.window, self.pos)
            end = found.end() if found else self.pos
            parts.append(self.window[self.pos : end])
            self.pos = end
            if end < len(self.window) or self.ended:
                return "".join(parts)
            yield

    def name(self, pattern: re.Pattern[str]) -> Waiting[str]:
        """Consume a name, which begins with a letter or an underscore; nothing if none is here."""
        char = yield from self.peek()
        if not (char.isalpha() or char == "_"):
            return ""
        return (yield from self.run(pattern))

    def until(self, pattern: re.Pattern[str]) -> Waiting[str]:
        """Consume up to where a pattern matches, which must be one character, or to the end."""
        parts = []
        while True:
            found = pattern.search(self.window, self.pos)
            end = found.start() if found else len(self.window)
            parts.append(self.window[self.pos : end])
            self.pos = end
            if found or self.ended:
                return "".join(parts)
            yield
