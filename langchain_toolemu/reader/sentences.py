"""What one sentence next to a call makes of it.

The rules of this module: a sentence before a call may commit to it, decline it, or speak of it. A later clause that
commits to it overrules what an earlier one says, but never a condition. A sentence that does not run into the call must
point at it. The words are those of `phrases`.
"""

import re
from typing import Literal, TypeAlias

from langchain_toolemu.reader import phrases

Cue: TypeAlias = Literal[
    "commitment", "neutral", "decline", "condition", "report", "advice", "example", "examples"
]

SENTENCE_END = re.compile(
    r"[.!?…\uff01\uff1f][\"')\]*_]*(?=\s+[^\sa-z])|[。\uff01\uff1f]|\n[ \t]*\n"
)
ENDS = (".", "!", "?", "…", "。", ")")
_MARKUP = re.compile(r"[*_#`]+")
_FRAME = 8  # where a sentence still begins
_SPOKEN_OF: tuple[tuple[Cue, re.Pattern[str]], ...] = (
    ("examples", phrases.EXAMPLES),
    ("example", phrases.EXAMPLE),
    ("condition", phrases.HYPOTHESIS),
    ("advice", phrases.ADVICE),
    ("report", phrases.REPORT),
)


def last_sentences(text: str) -> tuple[str, str]:
    """The last but one sentence, and the last."""
    ends = [found.end() for found in SENTENCE_END.finditer(text) if found.end() < len(text)]
    before, start = [0, 0, *ends][-2:]
    return text[before:start].strip(), text[start:].strip()


class Sentence:
    """A sentence before a call, and what it makes of it."""

    def __init__(self, written: str) -> None:
        self.text = _MARKUP.sub("", written).lower()
        self.bound = not written.endswith(ENDS)
        self._ends = [found.start() for found in phrases.CLAUSE_END.finditer(self.text)]

    @property
    def asks(self) -> bool:
        """Whether it asks for something."""
        return bool(phrases.ASK.search(self.text))

    @property
    def acts(self) -> bool:
        """Whether it speaks of running something."""
        return bool(phrases.ACT.search(self.text))

    @property
    def cue(self) -> Cue | None:
        """What it says of the call, if anything."""
        refused = phrases.REFUSE.search(self.text)
        if self.asks or (phrases.CONDITION.search(self.text) and not refused):
            return "condition"
        if self._needs_call:
            return "commitment"
        return self._declines or self._spoken_of or self._commitment

    @property
    def _needs_call(self) -> bool:
        """Whether it says that there is no way without the call: `I can't tell without running it`."""
        declines = phrases.DECLINE.search(self.text) and not phrases.WITHOUT.search(self.text)
        return bool(phrases.NOT_WITHOUT.search(self.text) and not declines)

    @property
    def reach(self) -> Cue | None:
        """What it says of a call that the sentence after it leaves open."""
        cue = self.cue if self.text else None
        return cue if cue in ("decline", "condition", "advice", "example", "examples") else None

    @property
    def _commitment(self) -> Cue | None:
        return "commitment" if self._committed >= 0 else None

    @property
    def _committed(self) -> int:
        """The last clause in which the reply commits itself."""
        return max(map(self._clause, _starts(phrases.COMMIT, self.text)), default=-1)

    def _clause(self, start: int) -> int:
        """Which clause is at a place of the sentence."""
        return sum(end <= start for end in self._ends)

    def _stands(self, start: int) -> bool:
        """Whether no later clause commits to the call after all."""
        return self._committed <= self._clause(start)

    @property
    def _declines(self) -> Cue | None:
        suspects = _suspects(self.text) and self._committed < 0
        if not suspects and not any(map(self._stands, _refusals(self.text))):
            return None
        if not self.bound and phrases.PAST.search(self.text):
            return None
        return "condition" if phrases.LIMIT.search(self.text) else "decline"

    @property
    def _spoken_of(self) -> Cue | None:
        """Whether it reports the call, advises it, or shows it as an example."""
        for cue, pattern in _SPOKEN_OF:
            starts = _starts(pattern, self.text)
            stands = starts and (_frames(cue, starts) or self._stands(starts[-1]))
            if stands and (self.bound or self._points(cue)):
                return cue
        manner = phrases.MANNER.search(self.text)
        return "advice" if manner and not phrases.FIRST_PERSON.search(self.text) else None

    def _points(self, cue: Cue) -> bool:
        """Whether a sentence of its own is about the call that follows it."""
        acts = cue in ("advice", "condition") and self.acts
        shown = cue in ("example", "examples")
        return acts or shown or bool(phrases.POINTER.search(self.text))


def _starts(pattern: re.Pattern[str], text: str) -> list[int]:
    return [found.start() for found in pattern.finditer(text)]


def _frames(cue: Cue, starts: list[int]) -> bool:
    """Whether a sentence begins as an example, whatever it goes on with."""
    return cue in ("example", "examples") and starts[0] < _FRAME


def _refusals(text: str) -> list[int]:
    """Where a sentence says that the call is not to be run."""
    known = (phrases.REFUSE, phrases.UNSAFE, phrases.DECLINE, phrases.WITHOUT)
    return [start for pattern in known for start in _starts(pattern, text)]


def _suspects(text: str) -> bool:
    """Whether a sentence says that something about the call is wrong."""
    return bool(phrases.SUSPECT.search(text) and not phrases.WHETHER.search(text))


def withdraws(text: str) -> bool:
    """Whether words after a call decline or withdraw it."""
    for sentence in map(str.lower, SENTENCE_END.split(text)):
        if phrases.NOT_WITHOUT.search(sentence) or phrases.LIMIT.search(sentence):
            continue
        if _suspects(sentence) or _refusals(sentence):
            return True
    return False


def leaves_open(text: str) -> bool:
    """Whether words after a call ask whether to run it, or wait for the user."""
    text = text.lower()
    asks = "?" in text and phrases.ASK.search(text) and phrases.ACT.search(text)
    return bool(asks or text.startswith("?") or phrases.CONDITION.search(text))
