"""Does this quote end the string, or did the writer forget to escape it?

The rule of this room: a quote ends its string only if what follows can follow. What follows is
looked at for a bounded length, and the answer never depends on how the text was cut into pieces:
`None` means that more text is needed to tell. In valid JSON the answer is always the grammar's.
"""

import re
from collections.abc import Sequence

from langchain_toolemu.reader.frames import Frame

LOOKAHEAD = 256

# Opening quote -> the characters that may close it. Sample smart-quotes: models mix them.
CLOSING: dict[str, tuple[str, ...]] = {
    '"': ('"',),
    "'": ("'",),
    "`": ("`",),
    "“": ("”", "“", '"'),
    "”": ("”", "“", '"'),
    "„": ("”", "“", '"'),
    "\u2018": ("\u2019", "\u2018", "'"),
    "\u2019": ("\u2019", "\u2018", "'"),
    "&quot;": ("&quot;",),
}

_APOSTROPHES = "'\u2018\u2019"
# The bodies of strings in each kind of quotes. No alternative can match what another does, so none
# of these goes back over a text.
_DOUBLE = r"\"[^\"\\]*(?:\\.[^\"\\]*)*"
_SINGLE = r"'[^'\\]*(?:\\.[^'\\]*)*"
_SMART = r"[“”„][^“”„\"]*"
_SMART_SINGLE = "[\u2018\u2019][^\u2018\u2019']*"
_ENTITY = r"&quot;[^&]*"
_QUOTED = rf"{_DOUBLE}\"|{_SINGLE}'|{_SMART}[“”\"]|{_SMART_SINGLE}[\u2018\u2019']|{_ENTITY}&quot;"
_SPACE = re.compile(r"\s*")
_KEY = re.compile(rf"({_QUOTED})\s*:", re.DOTALL)
_CLOSED_KEY = re.compile(rf"(?:{_QUOTED})\s*\Z", re.DOTALL)
_OPEN_KEY = re.compile(
    rf"(?:{_DOUBLE}\\?|{_SINGLE}\\?|{_SMART}|{_SMART_SINGLE}|&\w{{0,4}}|{_ENTITY}&?\w*)\Z",
    re.DOTALL,
)
_BARE_KEY = re.compile(r"([A-Za-z_$][\w$.\\-]*)\s*(?::|=(?!=))")
_OPEN_BARE_KEY = re.compile(r"[A-Za-z_$][\w$.\\-]*\s*=?\Z")
_VALUE_START = re.compile(
    r"[\"'“”„\u2018\u2019`{\[(\d+.-]|&quot;|(?:true|false|null|NaN|Infinity|True|False|None)\b"
)
_EXPRESSION = re.compile(
    r"\s*(?:[-+*/%.=<>!|&^\[(;\"']|(?:if|for|in|is|and|or|not|else)\b)|[ \t]*\n"
)
_OPEN_EXPRESSION = re.compile(r"[ \t]*[a-z]{0,4}\Z")
_OPEN_WORD = re.compile(r"(?:&\w*|[A-Za-z]+)\Z")
_MARKERS = ("</", "<|", "<\uff5c", "```", "~~~", "[/", "[END", "&lt;/", "<tool")


class StringBody:
    """A string body as far as it was read.

    Attributes:
        inner: How many quotes of its own kind were taken as content. They come in pairs, so at an
            odd count the next one is likely the second of its pair.
        is_name: Whether it is the name of a tool, which never holds a quote.
        doubtful: Whether it could as well be read otherwise.
    """

    __slots__ = ("_counted", "_nesting", "doubtful", "inner", "is_name", "parts", "quote")

    def __init__(self, quote: str, *, is_name: bool = False) -> None:
        self.quote = quote
        self.is_name = is_name
        self.parts: list[str] = []
        self.inner = 0
        self.doubtful = False
        self._counted = 0
        self._nesting = 0

    @property
    def nesting(self) -> int:
        """How many more brackets it opened than it closed. Each part is counted once."""
        for part in self.parts[self._counted :]:
            self._nesting += part.count("{") + part.count("[") - part.count("}") - part.count("]")
        self._counted = len(self.parts)
        return self._nesting

    def keep(self, quote: str, following: str) -> None:
        """Append a quote that is content. An apostrophe in or behind a word has no partner."""
        before = self.parts[-1][-1:] if self.parts else ""
        in_word = before.isalnum() and following.isalnum()
        if not (quote in _APOSTROPHES and (in_word or before + following == "s ")):
            self.inner += 1
        self.parts.append(quote)

    @property
    def unpaired(self) -> bool:
        """Whether a quote inside still waits for its partner."""
        return self.inner % 2 == 1

    @property
    def text(self) -> str:
        """The content."""
        return "".join(self.parts)


class Ending:
    """The question for one quote: its string, the open containers, and the text that follows."""

    def __init__(
        self,
        body: StringBody,
        frames: Sequence[Frame],
        keys: frozenset[str],
        after: str,
        final: bool,
    ) -> None:
        self.body = body
        self.frames = frames
        self.keys = keys
        self.after = after
        self.final = final

    def decide(self) -> bool | None:
        """Whether the quote closes its string; `None` if more text is needed to tell."""
        if self.body.is_name:
            return True
        pos = self._skip(0)
        if pos == len(self.after):
            return self._at_the_end()
        char = self.after[pos]
        level = len(self.frames) - 1
        if char == ",":
            closes = self._after_comma(pos + 1, level)
            # A first quote inside opens a pair; one before a comma does not look like it.
            self.body.doubtful |= closes is False and not self.body.inner
            return closes
        if char in "}])":
            return self._after_closer(pos, level)
        if self._frame(level) is None:
            return not self.body.unpaired
        if self.frames[0].kind == "call" and (expression := self._begins_expression()) is not False:
            return expression  # the parser will say that it is no plain value
        # A key where none can be: something before it is missing. Sample missing-list-closer.
        self.body.doubtful |= char == ":" and not self.body.inner
        return self._without_separator(pos, level)

    def _skip(self, pos: int) -> int:
        found = _SPACE.match(self.after, pos)
        return found.end() if found else pos

    def _at_the_end(self) -> bool | None:
        return True if self.final else None

    def _frame(self, level: int) -> Frame | None:
        return self.frames[level] if level >= 0 else None

    def _after_comma(self, pos: int, level: int, *, closed: bool = False) -> bool | None:
        pos = self._skip(pos)
        if pos == len(self.after):
            return self._at_the_end()
        frame = self._frame(level)
        if frame is None:
            return not self.body.unpaired
        if self.after[pos] in "}])":
            return self._after_closer(pos, level)
        comment = self._is_comment(pos)
        if comment is not False:
            return None if comment is None else not self.body.inner
        if frame.keyed:
            return self._key_at(pos, frame)
        if closed and self.after[pos] == "{" and self.body.nesting <= 0:
            return True  # the next object of a list
        return self._value_at(pos)

    def _key_at(self, pos: int, frame: Frame) -> bool | None:
        """Whether a key stands here, and is one we would expect."""
        if found := _KEY.match(self.after, pos):
            return self._believes(_unquoted(found.group(1)), plain=True)
        if found := _BARE_KEY.match(self.after, pos):
            plain = frame.bare_keys or frame.kind == "call" or not self.body.inner
            return self._believes(found.group(1), plain=plain)
        if any(p.match(self.after, pos) for p in (_OPEN_KEY, _CLOSED_KEY, _OPEN_BARE_KEY)):
            # A key longer than the lookahead is possible in valid JSON only.
            return not self.body.inner if self.final else None
        if frame.kind == "call":
            return self._value_at(pos)
        if self.after[pos] == "{" and any(outer.kind == "array" for outer in self.frames):
            return not self.body.inner  # sample missing-closer-in-list
        return False

    def _believes(self, key: str, *, plain: bool) -> bool:
        known = key.replace("\\", "") in self.keys
        if self.body.unpaired:
            return known and self.body.nesting <= 0
        return plain or known

    def _value_at(self, pos: int) -> bool | None:
        if _VALUE_START.match(self.after, pos):
            # Two readings of `["a "b", "c"]`, and nothing to choose by.
            self.body.doubtful |= self.body.unpaired
            return not self.body.unpaired
        if _OPEN_WORD.match(self.after, pos) and not self.final:
            return None
        return False

    def _after_closer(self, pos: int, level: int) -> bool | None:
        """Follow the closers outwards, as far as containers are open."""
        if not self.body.inner:
            return self._is_closer(self.after[pos])
        while pos < len(self.after) and self.after[pos] in "}])" and level >= 0:
            if self.after[pos] != self.frames[level].closer:
                return False
            level -= 1
            pos = self._skip(pos + 1)
        if pos == len(self.after):
            return self._at_the_end()
        if level < 0:
            return self._after_value(pos)
        if self.after[pos] == ",":
            return self._after_comma(pos + 1, level, closed=True)
        return self._marker_at(pos)

    def _is_closer(self, char: str) -> bool:
        return not self.frames or any(frame.closer == char for frame in self.frames)

    def _after_value(self, pos: int) -> bool:
        """Whether the text behind the whole value can stand there."""
        if self.after.startswith((self.body.quote, *CLOSING[self.body.quote]), pos):
            return False
        if not self.body.unpaired:
            return True
        may_stand = "\n" in self.after[:pos] or self.after[pos] in "<`[{];,"
        return may_stand and self.body.nesting <= 0

    def _begins_expression(self) -> bool | None:
        """Whether a first quote in a Python call is followed by an operator, not by a word."""
        if self.body.inner:
            return False
        if not self.final and _OPEN_EXPRESSION.match(self.after):
            return None
        return bool(_EXPRESSION.match(self.after))

    def _without_separator(self, pos: int, level: int) -> bool | None:
        """A forgotten comma before a key, a comment, or the end of the envelope."""
        comment = self._is_comment(pos)
        if comment is not False:
            return None if comment is None else not self.body.inner
        if self.after.startswith("&lt", pos) or "&lt;".startswith(self.after[pos:]):
            return self._marker_at(pos)
        if self.after[pos] in "\"'“\u2018&":
            if self.frames[level].keyed:
                return self._key_after_forgotten_comma(pos)
            return self._item_after_forgotten_comma(pos)
        if self.frames[level].keyed and "\n" in self.after[:pos]:
            if self._is_bare_key(pos):
                return self._key_at(pos, self.frames[level])
            if not self.body.inner:  # sample missing-closers-then-a-call
                return True
        return self._marker_at(pos)

    def _key_after_forgotten_comma(self, pos: int) -> bool | None:
        if found := _KEY.match(self.after, pos):
            return self._believes(_unquoted(found.group(1)), plain=not self.body.inner)
        if _OPEN_KEY.match(self.after, pos) or _CLOSED_KEY.match(self.after, pos):
            return False if self.final else None
        return False

    def _is_bare_key(self, pos: int) -> bool:
        return any(p.match(self.after, pos) for p in (_BARE_KEY, _OPEN_BARE_KEY))

    def _item_after_forgotten_comma(self, pos: int) -> bool:
        if "\n" in self.after[:pos]:  # sample missing-comma-in-list
            return not self.body.unpaired
        self.body.doubtful = True
        return False

    def _marker_at(self, pos: int) -> bool | None:
        if self.after.startswith(_MARKERS, pos):
            return not self.body.unpaired
        if not self.final and any(marker.startswith(self.after[pos:]) for marker in _MARKERS):
            return None
        return False

    def _is_comment(self, pos: int) -> bool | None:
        if self.after[pos:] == "/" and not self.final:
            return None
        return self.after.startswith(("//", "/*", "#"), pos)


def member_follows(text: str, *, final: bool) -> bool | None:
    """Whether a key and a colon come next; `None` if more text is needed to tell."""
    pos = len(text) - len(text.lstrip())
    if _KEY.match(text, pos) or _BARE_KEY.match(text, pos):
        return True
    if final or not any(p.match(text, pos) for p in (_OPEN_KEY, _CLOSED_KEY, _OPEN_BARE_KEY)):
        return False if final or text.strip() else None
    return None


def _unquoted(key: str) -> str:
    return key[6:-6] if key.startswith("&quot;") else key[1:-1]
