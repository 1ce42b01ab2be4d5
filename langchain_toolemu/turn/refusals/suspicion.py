"""Whether a reply denies having tools, as far as it goes.

Only the opening of a reply is looked at, 160 characters at most: that much may be held back in a stream while it could
still become a refusal. "I can't help with that" is never argued with. A decision once made is kept, however the reply
goes on.
"""

import re
from collections.abc import Callable
from typing import Literal, TypeAlias

from langchain_toolemu.turn.refusals.arabic import ARABIC
from langchain_toolemu.turn.refusals.chinese import CHINESE
from langchain_toolemu.turn.refusals.english import ENGLISH
from langchain_toolemu.turn.refusals.french import FRENCH
from langchain_toolemu.turn.refusals.german import GERMAN
from langchain_toolemu.turn.refusals.hindi import HINDI
from langchain_toolemu.turn.refusals.italian import ITALIAN
from langchain_toolemu.turn.refusals.japanese import JAPANESE
from langchain_toolemu.turn.refusals.korean import KOREAN
from langchain_toolemu.turn.refusals.language import fold_text
from langchain_toolemu.turn.refusals.portuguese import PORTUGUESE
from langchain_toolemu.turn.refusals.russian import RUSSIAN
from langchain_toolemu.turn.refusals.spanish import SPANISH

MAX_OPENING = 160

LANGUAGES = (
    ENGLISH, CHINESE, GERMAN, FRENCH, SPANISH, PORTUGUESE, ITALIAN, RUSSIAN, JAPANESE, KOREAN, ARABIC, HINDI,
)  # fmt: skip

Suspicion: TypeAlias = Literal["none", "possible", "refusal", "copied", "echo"]
"""What an opening is: nothing to hold, something that may still become one of the others, a refusal, the answer of an
example, or our own words repeated."""

Detector: TypeAlias = Callable[[str], bool]

_BEFORE_WORDS = re.compile(r"[\W_]*")


def suspicion(text: str, detector: Detector | None = None, *, ended: bool = False) -> Suspicion:
    """Whether a reply that opens like this is a refusal, is none, or may still become one."""
    opening = text[:MAX_OPENING]
    decided = ended or len(text) >= MAX_OPENING
    if detector is not None:
        return ("refusal" if detector(opening) else "none") if decided else "possible"
    said = _from_first_letter(opening)
    if not said:
        return "none" if decided else "possible"
    opened = [language for language in LANGUAGES if language.opens(said)]
    if any(language.declines(said) for language in opened):
        return "none"
    # A denial may still turn out to be one on principle, so it counts once the opening is whole.
    if decided:
        return "refusal" if any(language.denies(said) for language in opened) else "none"
    awaited = opened or any(language.may_open(said) for language in LANGUAGES)
    return "possible" if awaited else "none"


def _from_first_letter(text: str) -> str:
    """A text from its first letter on, as the words of the languages are written."""
    found = _BEFORE_WORDS.match(text)
    return fold_text(text[found.end() if found else 0 :])
