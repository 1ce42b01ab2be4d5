"""What is on a line around a call in the open: a sentence about it, a program, a quotation.

The rule of this module: a sentence that goes on after a call speaks of it, as code and quotations do. None of these
shows that the call is meant now, so it stays where it is as text, and is asked about. A colon, or the end of a
sentence, before the call announces it.
"""

import re

from langchain_toolemu.reader.context import Context
from langchain_toolemu.reader.window import Waiting

_IN_SENTENCE = "it stands inside a sentence"
_IN_CODE = "it stands inside code or a quotation"
_CODE = re.compile(r"[\w\])][ \t]{0,8}=[ \t]*\Z|[\w.]\(\Z|\A[ \t]{0,8}>(?!>)|<!--(?!.*-->)")
_QUOTES = {'"': '"', "'": "'", "\u201c": "\u201d", "\u2018": "\u2019", "\u00ab": "\u00bb"}
_LOOKAHEAD = 16


class Place:
    """What a call's line says of it; made before the call is read, asked behind it."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._line = context.output.line
        mark = context.output.last_mark if self._line.strip() else ""
        self._in_words = mark.isalnum() or mark == ","
        self._quote = _QUOTES.get(context.output.last_char, "")

    def judge(self) -> Waiting[None]:
        """Make of the calls that were just read what their place leaves of them."""
        if _CODE.search(self._line):
            self._context.output.quote(_IN_CODE)
        elif self._in_words and (yield from self._goes_on()):
            self._context.output.quote(_IN_SENTENCE)

    def judge_tag(self) -> Waiting[None]:
        """The same for a tag, which between quotes is no more than text. Sample tag-in-quotes."""
        if len(self._line.strip()) < 2 or not self._quote:
            yield from self.judge()
        elif (yield from self._context.window.peek()) == self._quote:
            self._context.output.retract()

    def _goes_on(self) -> Waiting[bool]:
        """Whether the sentence before the call continues behind it."""
        while True:
            ahead, certain = self._context.window.ahead(_LOOKAHEAD)
            behind = ahead.lstrip(" \t")
            word = behind.lstrip(", \t")[:1]
            if word or certain:
                return word.isalpha() and (behind.startswith(",") or not word.isupper())
            yield
