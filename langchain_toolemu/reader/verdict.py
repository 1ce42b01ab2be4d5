"""Is a call made, doubtful, or only mentioned? What the words around it say.

The rules of this module: a reply that begins with its call has made it. Words before a call, and words after a call
that had words before it, can make it doubtful, or a mere mention. Structure counts first (quotes, back-ticks, a
sentence that goes on, more prose after it), and the words of `phrases` last: of several the nearest to the call wins. What
follows is looked at for two sentences at most, and the answer never depends on how the text was cut into pieces.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from langchain_toolemu.reader import phrases
from langchain_toolemu.reader.marks import SPOKEN_QUOTES

Verdict: TypeAlias = Literal["made", "doubtful", "mentioned"]
Leaning: TypeAlias = Literal[
    "announced",
    "neutral",
    "negative",
    "declined",
    "reported",
    "example",
    "suggested",
    "advised",
    "asked",
]

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
_SENTENCE_END = re.compile(r"[.!?…][\"')\]*_]*(?=\s+[^\sa-z])|。|\n[ \t]*\n")
_ENDS = (".", "!", "?", "…", "。", ")")
_ITEM = re.compile(r"(?:\A|\n)[ \t>]*(?:[-*+•]|\d{1,3}[.)]|\(?[a-zA-Z][.)])?[ \t]*\Z")
_MARKUP = re.compile(r"[*_#`]+")
# The line before a call: an assignment, the argument of a function, a comment of a page.
_CODE = re.compile(r"[\w\])][ \t]{0,8}=[ \t]*\Z|[\w.]\(\Z|<!--(?!.*-->)")
# A quotation, or a row of a table.
_QUOTED_LINE = re.compile(r"[ \t]{0,8}(?:>(?!>)|\|.*\|?)")
_PUNCTUATION = " \t\r\n.,;:!。"
_QUESTION = ("?", "\uff1f")
_COLON = (":", "\uff1a")
_LIKE: dict[Verdict, Leaning] = {
    "made": "announced",
    "doubtful": "suggested",
    "mentioned": "reported",
}
_STRONG: tuple[tuple[Leaning, re.Pattern[str]], ...] = (
    ("declined", phrases.REFUSE),
    ("negative", phrases.NEGATION),
    ("asked", phrases.ASK),
    ("reported", phrases.REPORT),
    ("example", phrases.EXAMPLE),
    ("suggested", phrases.SUGGEST),
    ("announced", phrases.INTEND),
)


@dataclass(frozen=True, slots=True)
class Lead:
    """The words before a call, and where they lean.

    Attributes:
        line: What is before the call on its line.
        bound: Whether the sentence runs into the call: it ends in a colon, or does not end at all.
    """

    leaning: Leaning
    line: str = ""
    bound: bool = True

    @property
    def quote(self) -> tuple[str, ...]:
        """What would close the quotation that opens right before the call, if one does."""
        return SPOKEN_QUOTES.get(self.line[-1:], ())

    @property
    def in_words(self) -> bool:
        """Whether a sentence has begun on the call's line."""
        mark = self.line.rstrip()[-1:]
        return mark.isalnum() or mark == ","

    @property
    def is_structural(self) -> bool:
        """Whether the line itself makes the call a quotation, or a piece of code."""
        return bool(_CODE.search(self.line) or _QUOTED_LINE.match(self.line))


def lead_to(before: str, is_tool: Callable[[str], bool], last: Verdict | None = None) -> Lead:
    """What the words before a call say of it; if nothing, it is what the last call of the reply was."""
    before = before.translate(_FOLDED)
    line = before.rpartition("\n")[2]
    text = _ITEM.sub("", before.rstrip(" \t")).rstrip()
    text = text[:-1].rstrip() if text[-1:] in SPOKEN_QUOTES and line.endswith(text[-1:]) else text
    earlier, sentence = _last_sentences(text)
    bound = not sentence.endswith(_ENDS)
    folded = _MARKUP.sub("", sentence).lower()
    if any(is_tool(word) for word in re.findall(r"[\w.-]+", sentence)):
        folded = f"tool {folded}"
    leaning = _strong_leaning(folded, bound=bound) or _weak_leaning(folded, earlier, bound=bound)
    if leaning == "asked" and last and not phrases.ACT.search(folded):
        leaning = "neutral"  # it asks about the call before
    return Lead(_LIKE[last] if last and leaning == "neutral" else leaning, line, bound)


def _last_sentences(text: str) -> tuple[str, str]:
    """The last but one sentence, and the last."""
    ends = [found.end() for found in _SENTENCE_END.finditer(text) if found.end() < len(text)]
    before, start = [0, 0, *ends][-2:]
    return text[before:start].strip(), text[start:].strip()


def _strong_leaning(sentence: str, *, bound: bool) -> Leaning | None:
    """Where a sentence leans that says what is to happen."""
    found = {leaning: _last(pattern, sentence) for leaning, pattern in _STRONG}
    nearest = max(found, key=lambda leaning: found[leaning][1])
    start, end = found[nearest]
    if end < 0:
        return None
    asks = found["asked"][1] > start or sentence.rstrip("。").endswith("?")  # `should I run`
    if nearest == "announced" and asks:
        return "asked"
    if nearest == "announced" and phrases.NEGATION.search(_clause(sentence[:start])):
        nearest = "negative"
    if nearest == "negative":
        return _negative(sentence, bound=bound)
    if nearest == "reported" and not bound:
        return "declined" if phrases.SUSPECT.search(sentence) else "neutral"
    return _advice(sentence, end, bound=bound) if nearest == "suggested" else nearest


def _advice(sentence: str, end: int, *, bound: bool) -> Leaning:
    """Where a sentence leans that tells what could be done, up to there: to somebody else, unless its clause says `I`."""
    clause = _clause(sentence[:end])
    if phrases.EXAMPLE.search(sentence[:end]):
        return "example"
    if phrases.NEGATION.search(clause) and phrases.ACT.search(clause):
        return _negative(sentence, bound=bound)
    return "advised" if bound and not phrases.INTEND.search(clause) else "suggested"


def _weak_leaning(sentence: str, earlier: str, *, bound: bool) -> Leaning:
    """Where a sentence leans that only says what it is about; it may go on with advice or an example."""
    before = _strong_leaning(_MARKUP.sub("", earlier).lower(), bound=False)
    if before in ("suggested", "example"):
        return before
    if phrases.SUSPECT.search(sentence):
        return "reported" if bound else "example"
    if phrases.CALLING.search(sentence):
        return "announced"
    if bound and phrases.SOURCE.search(sentence):
        return "reported"
    known = phrases.PRESENT.search(sentence) or phrases.OUTCOME.search(sentence)
    return "announced" if known else "neutral"


def _last(pattern: re.Pattern[str], text: str) -> tuple[int, int]:
    """Where the last match of a pattern begins and ends."""
    spans = [found.span() for found in pattern.finditer(text)]
    return spans[-1] if spans else (-1, -1)


def _clause(text: str) -> str:
    """The last clause of a text, which alone a negation in it reaches."""
    return phrases.CLAUSE_END.split(text)[-1]


def _negative(sentence: str, *, bound: bool) -> Leaning:
    acts = phrases.ACT.search(sentence)
    if phrases.LIMIT.search(sentence):
        return "negative" if bound else "neutral"
    if acts:
        return "declined" if bound else "negative"
    return "negative" if bound else "neutral"


def declines(text: str) -> bool:
    """Whether words after a call say that it is not to be run."""
    for sentence in _SENTENCE_END.split(text):
        if phrases.REFUSE.search(sentence):
            return True
        negated = phrases.NEGATION.search(sentence) and phrases.ACT.search(sentence)
        if negated and not phrases.LIMIT.search(sentence):
            return True
    return False


def _asks(text: str) -> bool:
    """Whether words after a call ask whether to run it."""
    return "?" in text and bool(phrases.ASK.search(text) and phrases.ACT.search(text))


def _window(after: str, *, final: bool) -> str | None:
    """As much of what follows as counts, folded; `None` if more of it may come."""
    text = after.lstrip().translate(_FOLDED)
    ends = [found.end() for found in _SENTENCE_END.finditer(text[:_LOOKAHEAD])][:_SENTENCES]
    whole = len(ends) == _SENTENCES or len(text) > _LOOKAHEAD
    size = ends[-1] if len(ends) == _SENTENCES else _LOOKAHEAD
    return text[:size].lower() if whole or final else None


@dataclass(frozen=True, slots=True)
class ThoughtCase:
    """A call in a thought that has not ended: made only if the reply ends with it, so that its own mark ended the thought.

    Sample thought-that-ends-in-a-call.
    """

    is_sure = False

    def judge(self, after: str, *, final: bool) -> Verdict | None:
        """What the call is, given what follows it so far; `None` if more of that is needed."""
        if after.strip():
            return "mentioned"
        return "made" if final else None


@dataclass(frozen=True, slots=True)
class Case:
    """One call, or several in a row, to be judged.

    Attributes:
        lead: The words before it.
        explicit: Whether its envelope can only mean a call.
        in_code: Whether it is between back-ticks in a line.
        native: Whether calls were not asked for in text.
        alone: Whether nothing but an opening quote comes before it in the reply.
        demanded: Whether a call of one tool was demanded, so that there is little doubt what is meant.
    """

    lead: Lead
    explicit: bool
    in_code: bool = False
    native: bool = False
    alone: bool = False
    demanded: bool = False

    @property
    def is_sure(self) -> bool:
        """Whether nothing that follows needs to be seen."""
        lead = self.lead
        if self.in_code or lead.quote or lead.in_words or lead.is_structural:
            return False
        told = self.explicit and lead.leaning == "neutral" and not lead.bound
        return lead.leaning == "announced" or told

    def judge(self, after: str, *, final: bool) -> Verdict | None:
        """What the call is, given what follows it so far; `None` if more of that is needed."""
        if _CODE.search(self.lead.line):
            return "doubtful"
        if _QUOTED_LINE.match(self.lead.line):
            return "mentioned"
        if self.lead.quote:
            return self._in_quotes(after, final=final)
        if self.in_code:
            return self._in_code(after, final=final)
        return self._in_prose(after, final=final)

    def _in_quotes(self, after: str, *, final: bool) -> Verdict | None:
        if not after and not final:
            return None
        if not after.startswith(self.lead.quote):
            return self._in_prose(after, final=final)
        return self._marked(after[1:], final=final, announced="doubtful")

    def _in_code(self, after: str, *, final: bool) -> Verdict | None:
        """Between back-ticks: on a line of its own a call like any other."""
        if not self.lead.line.strip():
            rest, newline, _ = after.partition("\n")
            if not (rest.strip(_PUNCTUATION) or newline or final):
                return None
            if not rest.strip(_PUNCTUATION):
                return self._in_prose(after, final=final)
        return self._marked(after, final=final, announced="made")

    def _marked(self, after: str, *, final: bool, announced: Verdict) -> Verdict | None:
        """Between quotes or back-ticks in a line: what it is if nothing follows, or else a mention."""
        if after.strip(_PUNCTUATION):
            asked = after.lstrip().startswith(_QUESTION) and self.lead.leaning == "announced"
            return "doubtful" if asked else "mentioned"
        if not final:
            return None
        if self.alone:
            return "mentioned" if self.native else "made"
        return announced if self.lead.leaning == "announced" else "mentioned"

    def _in_prose(self, after: str, *, final: bool) -> Verdict | None:
        leaning = self.lead.leaning
        if leaning == "declined":
            return "mentioned"
        if leaning in ("reported", "example") and not self.explicit:
            return "mentioned"
        window = _window(after, final=final)
        if window is None:
            return None
        if declines(window):
            return "mentioned"
        if leaning in ("negative", "asked", "reported", "example") or self._goes_on(after):
            return "doubtful"
        if leaning == "advised" and not self.demanded:
            return "doubtful"
        if _asks(window) or window.startswith("?") or phrases.SUSPECT.search(window):
            return "doubtful"
        if leaning == "announced":
            return "made"
        if self.lead.in_words and window.startswith(_ENDS):
            return "doubtful"  # a part of the sentence, which says nothing of it
        alone = not (self.lead.bound and window.strip(_PUNCTUATION))
        return "made" if self.explicit and alone else self._unannounced(window)

    def _unannounced(self, window: str) -> Verdict:
        """A call that the words before it do not announce."""
        if self.demanded:
            return "made"
        if self.lead.leaning == "suggested":
            return "doubtful"
        if not window.strip(_PUNCTUATION):
            return "doubtful" if self.native else "made"
        known = (phrases.INTEND, phrases.CALLING, phrases.OUTCOME)
        return "made" if any(cue.search(window) for cue in known) else "doubtful"

    def _goes_on(self, after: str) -> bool:
        """Whether the sentence before the call continues after it."""
        rest = after.lstrip(" \t")
        if self.lead.in_words and rest.startswith(_COLON):
            return True
        if not self.lead.in_words or self.explicit:
            return False
        word = rest.lstrip(", \t")[:1]
        return word.isalpha() and (rest.startswith(",") or not word.isupper())
