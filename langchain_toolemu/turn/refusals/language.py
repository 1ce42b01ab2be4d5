"""How a language says that there are no tools: data, and what it means for an opening."""

import re
from collections.abc import Sequence
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
    """Two things that deny a power if one follows the other, each as alternatives of a pattern."""

    first: Sequence[str]
    then: Sequence[str]
    apart: int = 60  # how many characters may be between them

    def pattern(self) -> str:
        """Both as one pattern."""
        return f"(?:{'|'.join(self.first)}).{{0,{self.apart}}}?(?:{'|'.join(self.then)})"


@dataclass(frozen=True)
class Language:
    """The words of one language, in small letters.

    Attributes:
        name: What it is called.
        openers: How a denial begins. A reply that begins otherwise is released at its first letters, so a word that
            answers begin with as well is written with the words that follow it.
        denials: What denies the power to call a tool or to get at what is outside.
        principles: What shows that the model will not, which is never argued with.
    """

    name: str
    openers: tuple[str, ...]
    denials: tuple[Denial, ...]
    principles: tuple[str, ...]

    def opens(self, said: str) -> bool:
        """Whether a reply begins as a denial does."""
        return said.startswith(self._openers)

    def may_open(self, said: str) -> bool:
        """Whether a reply may still begin as a denial does."""
        return said in self._beginnings

    def denies(self, said: str) -> bool:
        """Whether an opening denies a power."""
        return self._denial.search(said) is not None

    def declines(self, said: str) -> bool:
        """Whether an opening refuses on principle."""
        return self._principle.search(said) is not None

    @cached_property
    def _openers(self) -> tuple[str, ...]:
        return tuple(fold_text(opener) for opener in self.openers)

    @cached_property
    def _beginnings(self) -> frozenset[str]:
        return frozenset(
            opener[:length] for opener in self._openers for length in range(1, len(opener))
        )

    @cached_property
    def _denial(self) -> re.Pattern[str]:
        return re.compile("|".join(fold_text(denial.pattern()) for denial in self.denials))

    @cached_property
    def _principle(self) -> re.Pattern[str]:
        return re.compile(fold_text("|".join(self.principles)))
