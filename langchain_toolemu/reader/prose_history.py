"""The prose so far, as far as it tells what the next call is: the words before it, its line, and the line above."""

from langchain_toolemu.reader.intent import LOOKBACK

_LINE = 160  # of a line, what is remembered
_MOST_FRESH = 64  # pieces, before they are taken in


class ProseHistory:
    """The prose up to where the reader is. Pieces are looked at together, and only if somebody asks.

    Attributes:
        begun: Whether the answer has begun: with words, or with a call.
        has_call: Whether it holds a call.
        last_char: The character that came last; nothing after a call.
    """

    def __init__(self) -> None:
        self.begun = self.has_call = False
        self.last_char = self._recent = self._line_before = self._line = ""
        self._fresh: list[str] = []

    @property
    def recent(self) -> str:
        """The words since the last call, or since the answer began: their last characters."""
        if self._fresh:
            self._take_in()
        return self._recent

    @property
    def line_before(self) -> str:
        """How the last full line of prose begins; nothing after a call."""
        if self._fresh:
            self._take_in()
        return self._line_before

    def add(self, text: str) -> None:
        """Further words."""
        self._fresh.append(text)
        self.begun = self.begun or not text.isspace()
        self.last_char = text[-1]
        if len(self._fresh) > _MOST_FRESH:
            self._take_in()

    def add_call(self) -> None:
        """A call: what comes next is said after it."""
        self._forget()
        self.last_char = ""
        self.begun = self.has_call = True

    def begin_answer(self) -> None:
        """The end of a thought: the answer begins here."""
        self._forget()
        self.begun = self.has_call = False

    def _forget(self) -> None:
        self._fresh.clear()
        self._recent = self._line_before = self._line = ""

    def _take_in(self) -> None:
        text = "".join(self._fresh)
        self._fresh.clear()
        self._recent = (self._recent + text)[-LOOKBACK:]
        line = self._line + text
        if "\n" in text:
            lines, _, line = line.rpartition("\n")
            self._line_before = lines.rstrip().rpartition("\n")[2][:_LINE] or self._line_before
        self._line = line[:_LINE] + line[_LINE:].strip()[:1]  # blank only if all of it is
