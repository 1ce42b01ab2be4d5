"""Whether a reply opens with something that is not the model's answer, so that it is held back.

Only the first 160 characters are looked at: no more is held back in a stream. "I can't help with that" is never argued with.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from langchain_toolemu.contract.response_format import ResponseForm, suspect_opening
from langchain_toolemu.language.language import fold_letters
from langchain_toolemu.language.phrases import LANGUAGES

MAX_OPENING = 160

Suspicion: TypeAlias = Literal["none", "possible", "refusal", "copied", "echo"]
"""What an opening is: nothing to hold, something that may still become one of the others, a refusal, the answer of an
example, or our own words repeated."""

_BEFORE_WORDS = re.compile(r"\A[\W_]+")
_WORD = re.compile(r"\w+")
_RUN = 6  # so many words of ours in a row are no coincidence

_OPENING_SENTENCES = re.compile(r".{40,}?(?:[.!?]\s|[\n\u3002\uff01\uff1f])", re.DOTALL)
"""More than a few words, up to the end of a sentence."""


def suspicion(text: str, *, ended: bool = False) -> Suspicion:
    """Whether a reply that opens like this is a refusal, is none, or may still become one."""
    opening = text[:MAX_OPENING]
    decided = ended or len(text) >= MAX_OPENING
    start = fold_letters(_BEFORE_WORDS.sub("", opening, count=1))
    opened = [words for words in LANGUAGES if start.startswith(words.openings)]
    if not start:
        return "none" if decided else "possible"
    if any(words.principle.search(start) for words in opened):
        return "none"
    # A denial may still turn out to be one on principle, so it counts once the opening is whole.
    if decided:
        return "refusal" if any(words.denial.search(start) for words in opened) else "none"
    awaited = opened or any(start in words.cut_openings for words in LANGUAGES)
    return "possible" if awaited else "none"


@dataclass(frozen=True, slots=True)
class OpeningCheck:
    """What an opening is checked for; at least one of these."""

    detects_refusals: bool = False  # whether a refusal would lead to a further request
    example_answers: Sequence[str] = ()  # of our examples, that nobody in the conversation gave
    example_words: Sequence[str] = ()  # made up in our examples, that nobody said
    corrections: str = ""  # told to the model in this turn, not to come back as the answer
    form: ResponseForm | None = None  # of a native answer; all else is not checked then
    shows_form_early: bool = False  # whether an answer that opens in its form is shown from there

    def suspect(self, words: str, *, ended: bool) -> Suspicion:
        """What these words are, if the reply opens with them."""
        if self.form:
            if self.shows_form_early:
                return suspect_opening(words, self.form, MAX_OPENING)
            return "refusal" if ended else "possible"
        opening, whole = words.lstrip(), ended or len(words) >= MAX_OPENING
        if self.corrections and not whole:
            return "possible"
        if self.is_echo(words):
            return "echo"
        answer = self._suspect_answer(opening, ended=ended)
        example = answer if answer == "copied" else self._suspect_words(opening, whole=whole)
        if example == "copied" or not self.detects_refusals:
            return example if example != "none" else answer
        refusal = suspicion(words, ended=ended)
        return next((found for found in (refusal, example, answer) if found != "none"), "none")

    def is_echo(self, words: str) -> bool:
        """Whether words repeat a run of words of ours."""
        return bool(self.corrections) and repeats_words(words, self.corrections)

    def _suspect_answer(self, words: str, *, ended: bool) -> Suspicion:
        if words.startswith(tuple(self.example_answers)):
            return "copied"
        may_become = not ended and any(answer.startswith(words) for answer in self.example_answers)
        return "possible" if may_become else "none"

    def _suspect_words(self, words: str, *, whole: bool) -> Suspicion:
        """Holds the opening sentences back for as long as a word of an example may come in them."""
        # A thought may well speak of the examples, and what begins with a mark is mostly one.
        if not self.example_words or words.startswith(("<", "[")):
            return "none"
        sentences = _OPENING_SENTENCES.match(words)
        if any(word in (sentences[0] if sentences else words) for word in self.example_words):
            return "copied"
        return "none" if sentences or whole else "possible"


def repeats_words(text: str, ours: str) -> bool:
    """Whether a text repeats a run of words of ours."""
    return not _runs_of(text).isdisjoint(_runs_of(ours))


def _runs_of(text: str) -> set[tuple[str, ...]]:
    words = _WORD.findall(text.lower())
    return {tuple(words[start : start + _RUN]) for start in range(len(words) - _RUN + 1)}
