"""What was said so far, as far as it tells what the next call is: the words before it, its line, and the line above."""

from langchain_toolemu.reader.verdict import LOOKBACK

_LINE = 160  # of a line, what is remembered


class Said:
    """The prose up to where the reader is.

    Attributes:
        lead: The words since the last call, or since the answer began: their last characters.
        begun: Whether the answer has begun: with words, or with a call.
        called: Whether it holds a call.
        line_before: How the last full line of prose begins; nothing after a call.
        last_char: The character that came last; nothing after a call.
    """

    def __init__(self) -> None:
        self.lead = ""
        self.begun = False
        self.called = False
        self.line_before = ""
        self.last_char = ""
        self._line = ""

    def text(self, text: str) -> None:
        """Further words."""
        self.lead = (self.lead + text)[-LOOKBACK:]
        self.begun = self.begun or not text.isspace()
        self.last_char = text[-1]
        line = self._line + text
        if "\n" in text:
            lines, _, line = line.rpartition("\n")
            self.line_before = lines.rstrip().rpartition("\n")[2][:_LINE] or self.line_before
        self._line = line[:_LINE] + line[_LINE:].strip()[:1]  # blank only if all of it is

    def call(self) -> None:
        """A call: what comes next is said after it."""
        self.lead = self.line_before = self.last_char = self._line = ""
        self.begun = self.called = True

    def begin_answer(self) -> None:
        """The end of a thought: the answer begins here."""
        self.lead = self.line_before = self._line = ""
        self.begun = self.called = False
