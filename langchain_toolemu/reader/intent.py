"""Is a call made, or only spoken of? What the words around it say.

The rules of this module: a call is made, unless its form quotes it (`quoted`), the reply's own words decline or
withdraw it (`declined`), or it is conditional on the user, a report, advice, an example or a question (`asked`). A
reply that begins with its call has made it. The words before a call count for a sentence or two, those after it for two
sentences at most, and the answer never depends on how the text was cut into pieces.
"""

import re
from dataclasses import dataclass
from typing import Literal, TypeAlias

from langchain_toolemu.reader import phrases
from langchain_toolemu.reader.sentences import (
    ENDS,
    SENTENCE_END,
    Cue,
    Sentence,
    last_sentences,
    leaves_open,
    withdraws,
)
from langchain_toolemu.reader.vocabulary import SPOKEN_QUOTES

Intent: TypeAlias = Literal["made", "asked", "declined", "quoted"]

LOOKBACK = 480
_LOOKAHEAD = 240
_SENTENCES = 2

# Marks of other widths and writings, as the ones that the patterns know.
_FOLDED = str.maketrans(
    {
        "\uff1a": ":",
        "\uff0c": ",",
        "\uff1b": ";",
        "\uff01": "。",
        "\uff1f": "?。",
        "\u2019": "'",
    }
)
_ITEM = re.compile(r"(?:\A|\n)[ \t>]*(?:[-*+•]|\d{1,3}[.)]|\(?[a-zA-Z][.)])?[ \t]*\Z")
_TOKEN = re.compile(r"<[|\uff5c][^<>|\uff5c\n]{0,40}[|\uff5c]>")
# The line before a call: an assignment, the argument of a function, a comment of a page.
_CODE = re.compile(r"[\w\])][ \t]{0,8}=[ \t]*\Z|[\w.]\(\Z|<!--(?!.*-->)")
# A quotation, or a row of a table.
_QUOTED_LINE = re.compile(r"[ \t]{0,8}(?:>(?!>)|\|.*\|?)")
_SPACES = " \t\u00a0\u202f"
_PUNCTUATION = " \t\r\n.,;:!。`"
_LABEL = 12  # characters: a shorter sentence says nothing
_FEW_WORDS = 3  # of no language
_COLON = (":", "\uff1a")
_LIKE: dict[Intent, Cue] = {
    "made": "commitment",
    "asked": "report",
    "declined": "decline",
    "quoted": "examples",
}
_INTENTS: dict[Cue, Intent] = {
    "decline": "declined",
    "condition": "asked",
    "report": "asked",
    "advice": "asked",
    "example": "asked",
    "examples": "quoted",
}


def without_tokens(text: str) -> str:
    """A text without special tokens of the model that leaked into it."""
    return _TOKEN.sub("", text)


@dataclass(frozen=True, slots=True)
class Preamble:
    """The words before a call, and what they make of it.

    Attributes:
        line: What is before the call on its line.
        bound: Whether the sentence runs into the call: it ends in a colon, or does not end at all.
        known: Whether its language is one that cues are known in.
        labels: Whether it is so short that it says nothing.
        open: Whether it ends in the middle of a sentence, on whatever line.
        introduces: Whether it ends in a colon.
    """

    cue: Cue
    line: str = ""
    bound: bool = True
    known: bool = True
    labels: bool = False
    open: bool = False
    introduces: bool = False

    @property
    def quote(self) -> tuple[str, ...]:
        """What would close the quotation that opens right before the call, if one does."""
        mark = self.line[-1:]
        if mark in _SPACES:
            mark = "«" if self.line.rstrip()[-1:] == "«" else ""  # with a space, as in French
        return SPOKEN_QUOTES.get(mark, ())

    @property
    def in_words(self) -> bool:
        """Whether a sentence has begun on the call's line."""
        mark = self.line.rstrip()[-1:]
        return mark.isalnum() or mark == ","

    @property
    def is_glued(self) -> bool:
        """Whether a word, or a sentence's end, touches the call, as no writer of a sentence about it would have it."""
        mark = self.line[-1:]
        return self.line[-2:].isascii() and (mark.isalnum() or mark in tuple(".!?"))

    @property
    def is_structural(self) -> bool:
        """Whether the line itself makes the call a quotation, or a piece of code."""
        return bool(_CODE.search(self.line) or _QUOTED_LINE.match(self.line))


def read_preamble(before: str, last: Intent | None = None) -> Preamble:
    """What the words before a call say of it; if nothing, it is what the last call of the reply was."""
    before = without_tokens(before).translate(_FOLDED)
    line = before.rpartition("\n")[2]
    text = _ITEM.sub("", before.rstrip(" \t")).rstrip()
    text = text[:-1].rstrip() if text[-1:] in SPOKEN_QUOTES and line.endswith(text[-1:]) else text
    earlier, sentence = (Sentence(words) for words in last_sentences(text))
    cue = sentence.cue or earlier.reach or "neutral"
    if last and (cue == "neutral" or (sentence.asks and not sentence.acts)):
        cue = _LIKE[last]  # what it asks is about the call before
    known = bool(phrases.KNOWN.search(sentence.text))
    labels, is_open = len(sentence.text) <= _LABEL, text[-1:].isalnum()
    return Preamble(cue, line, sentence.bound, known, labels, is_open, text.endswith(":"))


def _window(after: str, *, final: bool) -> str | None:
    """As much of what follows as counts, folded; `None` if more of it may come."""
    text = after.lstrip()
    ends = [found.end() for found in SENTENCE_END.finditer(text[:_LOOKAHEAD])][:_SENTENCES]
    whole = len(ends) == _SENTENCES
    if not (whole or final or len(text) > _LOOKAHEAD):
        return None
    text = text[: ends[-1] if whole else _LOOKAHEAD]
    return without_tokens(text).lstrip().translate(_FOLDED)


@dataclass(frozen=True, slots=True)
class ThoughtCase:
    """A call in a thought that has not ended: made only if the reply ends with it, so that its own mark ended the thought.

    Sample thought-that-ends-in-a-call.
    """

    is_sure = False

    def judge(self, after: str, *, final: bool) -> Intent | None:
        """What the call is, given what follows it so far; `None` if more of that is needed."""
        if after.strip():
            return "quoted"
        return "made" if final else None


@dataclass(frozen=True, slots=True)
class Case:
    """One call, or several in a row, to be judged.

    Attributes:
        preamble: The words before it.
        explicit: Whether its envelope can only mean a call.
        token: Whether its envelope is a special token of a model, which no sentence holds by chance.
        in_code: Whether it is between back-ticks in a line.
        native: Whether calls were not asked for in text.
        alone: Whether nothing but an opening quote comes before it in the reply.
        demanded: Whether a call of one tool was demanded, so that there is little doubt what is meant.
        bound: Whether its tool is bound.
    """

    preamble: Preamble
    explicit: bool
    token: bool = False
    in_code: bool = False
    native: bool = False
    alone: bool = False
    demanded: bool = False
    bound: bool = True

    @property
    def is_sure(self) -> bool:
        """Whether nothing that follows needs to be seen."""
        lead = self.preamble
        if self.in_code or lead.quote or lead.in_words or lead.is_structural:
            return False
        told = self.explicit and lead.cue == "neutral" and not lead.bound
        return lead.cue == "commitment" or told

    def judge(self, after: str, *, final: bool) -> Intent | None:
        """What the call is, given what follows it so far; `None` if more of that is needed."""
        if _CODE.search(self.preamble.line):
            return "asked"
        if _QUOTED_LINE.match(self.preamble.line):
            return "quoted"
        if self.preamble.quote:
            return self._in_quotes(after, final=final)
        if self.in_code:
            return self._in_code(after, final=final)
        return self._in_prose(after, final=final)

    def _in_quotes(self, after: str, *, final: bool) -> Intent | None:
        rest = after.lstrip(_SPACES)
        if not rest and not final:
            return None
        if not rest.startswith(self.preamble.quote):
            return self._in_prose(after, final=final)
        if not (self.alone and not self.native) or rest[1:].strip(_PUNCTUATION):
            return "quoted"
        return "made" if final else None

    def _in_code(self, after: str, *, final: bool) -> Intent | None:
        """Between back-ticks: on a line of its own a call like any other, at the end of a sentence if that commits to it."""
        if not self.preamble.line.strip():
            rest, newline, _ = after.partition("\n")
            if not (rest.strip(_PUNCTUATION) or newline or final):
                return None
            if not rest.strip(_PUNCTUATION):
                return self._in_prose(after, final=final)
        if after.strip(_PUNCTUATION):
            return "quoted"
        if not final:
            return None
        return "made" if self.alone or self.preamble.cue == "commitment" else "quoted"

    def _in_prose(self, after: str, *, final: bool) -> Intent | None:
        window = _window(after, final=final)
        if window is None:
            return None
        cue = self.preamble.cue
        if cue == "decline" or withdraws(self._near(after, window)):
            return "declined"
        if cue in _INTENTS and not (cue == "advice" and self.demanded):
            return _INTENTS[cue]
        if leaves_open(window) or not (self.token or self._stands_alone(after, window)):
            return "asked"
        return "made"

    def _near(self, after: str, window: str) -> str:
        """The rest of the call's own sentence and the next one."""
        ends = [found.end() for found in SENTENCE_END.finditer(window)]
        ends = [end for end in ends if window[:end].strip(_PUNCTUATION)]
        return window if self._goes_on(after) or not ends else window[: ends[0]]

    def _stands_alone(self, after: str, window: str) -> bool:
        """Whether the call is no part of a sentence, nor of a report, nor between words of an unknown language."""
        lead = self.preamble
        if self.explicit and self.bound and lead.is_glued:  # sample words-glued-to-a-call
            return True
        if self._goes_on(after) or (self.explicit and self._is_inside_line(after)):
            return False
        if lead.cue == "commitment" or self.demanded:
            return True
        if lead.in_words:
            return self.explicit or (lead.labels and not window.startswith(ENDS))
        if not lead.bound or not window.strip(_PUNCTUATION):
            return True
        words = window.lower()
        known = lead.known or phrases.KNOWN.search(words) or len(words.split()) < _FEW_WORDS
        return bool(known and not phrases.RETOLD.search(words))

    def _is_inside_line(self, after: str) -> bool:
        """Whether words come before the call on its line, and more of them after it."""
        before = self.preamble.line.strip(" \t`")
        return bool(before and _line_of(after).strip(_PUNCTUATION))

    def _goes_on(self, after: str) -> bool:
        """Whether the sentence before the call continues after it."""
        lead = self.preamble
        says_nothing = (
            lead.labels and self.explicit and not lead.line
        )  # sample minicpm-words-between
        across = lead.open and lead.cue != "commitment" and not says_nothing
        rest = after.lstrip(" \t\r\n" if across else " \t")
        if lead.introduces and not lead.labels and lead.cue != "commitment" and "\n" in after:
            return after.lstrip()[:1].islower()  # `Send this to them:`, the call, `and wait.`
        if not (lead.in_words or across):
            return False
        word = rest.lstrip(", \t")[:1]
        goes_on = word.isalpha() and (rest.startswith(",") or not word.isupper())
        return goes_on or rest.startswith(_COLON)


def _line_of(after: str) -> str:
    """What follows on the call's line as far as it counts, without leaked tokens."""
    return without_tokens(after.lstrip(" \t")[:_LOOKAHEAD].partition("\n")[0])
