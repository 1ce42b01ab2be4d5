"""How a language says that there are no tools, and that one is called next: data, and the patterns made of it.

To add a language: a file with its words, and its name in `LANGUAGES` of `suspicion`.
"""

import re
from dataclasses import dataclass
from functools import cached_property

# What people write with or without: curly apostrophes, Arabic vowel signs and forms of letters, the dot under Hindi letters.
_FOLDED = str.maketrans(
    {"\u2019": "'", "\u0640": "", "أ": "ا", "إ": "ا", "آ": "ا", "ى": "ي", "ة": "ه", "\u093c": ""}
    | {chr(sign): "" for sign in range(0x064B, 0x0653)}
    | dict(zip(map(chr, range(0x0958, 0x0960)), "कखगजडढफय", strict=True))
)


def fold_text(text: str) -> str:
    """A text in small letters, and without what makes no difference."""
    return text.lower().translate(_FOLDED)


@dataclass(frozen=True, slots=True)
class Denial:
    """Two things that deny a power if one follows the other, each a pattern."""

    first: str
    then: str
    apart: int = 60  # how many characters may be between them

    def pattern(self) -> str:
        """Both as one pattern."""
        return f"(?:{self.first}).{{0,{self.apart}}}?(?:{self.then})"


@dataclass(frozen=True)
class Language:
    """The words of one language, in small letters, as patterns; openers are words with `|` between them.

    A reply that does not begin with an opener is released at its first letters, so a word that answers begin with as well is
    written with the words that follow it.
    """

    name: str
    openers: str  # how a denial begins
    denials: tuple[Denial, ...]  # what denies the power to call a tool or to get at what is outside
    principles: str  # what shows that the model will not: never argued with
    announcements: tuple[str, ...] = ()  # "I'll call @ now": @ stands for a tool's name
    conditions: str = ""  # what makes it wait, or speak of another time or speaker

    @cached_property
    def beginnings(self) -> tuple[str, ...]:
        """How a reply begins that may be a denial."""
        return tuple(fold_text(self.openers).split("|"))

    @cached_property
    def cut_beginnings(self) -> frozenset[str]:
        """The same, cut off anywhere: a reply may still begin so."""
        return frozenset(one[:length] for one in self.beginnings for length in range(1, len(one)))

    @cached_property
    def denial(self) -> re.Pattern[str]:
        """Finds the denial of a power in an opening."""
        return re.compile("|".join(fold_text(denial.pattern()) for denial in self.denials))

    @cached_property
    def principle(self) -> re.Pattern[str]:
        """Finds a refusal on principle in an opening."""
        return re.compile(fold_text(self.principles))

    @cached_property
    def announcement(self) -> re.Pattern[str]:
        """Finds in a sentence that the speaker calls a tool next."""
        return re.compile(fold_text("|".join(self.announcements)))

    @cached_property
    def condition(self) -> re.Pattern[str]:
        """Finds what makes an announcement none."""
        return re.compile(fold_text(self.conditions))
