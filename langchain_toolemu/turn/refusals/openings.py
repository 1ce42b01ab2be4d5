"""`OpeningCheck`: whether a reply opens with something that is not the model's answer, so that it is held back."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from langchain_toolemu.contract.response_format import ResponseForm, suspect_opening
from langchain_toolemu.turn.refusals.suspicion import MAX_OPENING, Detector, Suspicion, suspicion

_WORD = re.compile(r"\w+")
_RUN = 6
"""So many words of ours in a row are no coincidence."""

_OPENING_SENTENCES = re.compile(r".{40,}?(?:[.!?]\s|[\n\u3002\uff01\uff1f])", re.DOTALL)
"""More than a few words, up to the end of a sentence."""


@dataclass(frozen=True, slots=True)
class OpeningCheck:
    """What an opening is checked for; at least one of these.

    Attributes:
        detects_refusals: Whether a refusal would lead to a further request.
        detector: The caller's own detector of refusals.
        example_answers: The answers of our examples that nobody in the conversation gave.
        example_words: The made-up words of our examples that nobody said.
        corrections: What the model was told in this turn, which is not to come back as the answer.
        form: The form that a native answer must have. All else is not checked then.
        shows_form_early: Whether an answer that opens in its form is shown from there on.
    """

    detects_refusals: bool = False
    detector: Detector | None = None
    example_answers: Sequence[str] = ()
    example_words: Sequence[str] = ()
    corrections: str = ""
    form: ResponseForm | None = None
    shows_form_early: bool = False

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
        refusal = suspicion(words, self.detector, ended=ended)
        return next((one for one in (refusal, example, answer) if one != "none"), "none")

    def is_echo(self, words: str) -> bool:
        """Whether words repeat a run of words of ours."""
        if not self.corrections:
            return False
        return not _runs_of(words).isdisjoint(_runs_of(self.corrections))

    def _suspect_answer(self, words: str, *, ended: bool) -> Suspicion:
        if words.startswith(tuple(self.example_answers)):
            return "copied"
        may_become = not ended and any(one.startswith(words) for one in self.example_answers)
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


def _runs_of(text: str) -> set[tuple[str, ...]]:
    words = _WORD.findall(text.lower())
    return {tuple(words[start : start + _RUN]) for start in range(len(words) - _RUN + 1)}
