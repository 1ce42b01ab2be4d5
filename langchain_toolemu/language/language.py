"""What a language has words for: rows of plain phrases, and how they are searched for.

Between phrases stands `|`. In a phrase `*` is any letters, ` ... ` up to forty characters, `^` the
beginning of the sentence. Chinese, Japanese, Korean and Hindi match anywhere, others as words.
To add a language: a file with its `WORDS`, and its name in `LANGUAGES` of `phrases`.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

# What people write with or without: curly apostrophes, Arabic vowel signs and forms of letters,
# the dots of Hindi letters.
_FOLDED = str.maketrans(
    "\u2019\u0623\u0625\u0622\u0649\u0629\u0901\u0958\u0959\u095a\u095b\u095c\u095d\u095e\u095f",
    "'\u0627\u0627\u0627\u064a\u0647\u0902\u0915\u0916\u0917\u091c\u0921\u0922\u092b\u092f",
    "\u0640\u093c" + "".join(map(chr, range(0x064B, 0x0653))),
)
_JOINED = re.compile(r"[\u0900-\u097f\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7a3]")
_SAME = r"[^.!?\n\u3002\u0964]"  # in the same sentence


def fold_letters(text: str) -> str:
    """A text in small letters, and without what makes no difference."""
    return text.lower().translate(_FOLDED)


def phrases_of(row: str) -> list[str]:
    """The phrases of a row, folded."""
    return [phrase for part in row.split("|") if (phrase := " ".join(fold_letters(part).split()))]


def pattern_of(*rows: str) -> str:
    """A pattern for any phrase of some rows, to be searched for in folded text."""
    listed = sorted({phrase for row in rows for phrase in phrases_of(row)})
    joined = [_source(phrase) for phrase in listed if _JOINED.search(phrase)]
    spaced = [_source(phrase) for phrase in listed if not _JOINED.search(phrase)]
    whole_words = [rf"(?<!\w)(?:{'|'.join(spaced)})(?!\w)"] if spaced else []
    return "|".join(whole_words + joined)


def _source(phrase: str) -> str:
    parts = [re.escape(part).replace(r"\*", r"\w*") for part in phrase.lstrip("^").split(" ... ")]
    return (r"\A\W*" if phrase[0] == "^" else "") + f"{_SAME}{{0,40}}?".join(parts)


@dataclass(frozen=True, kw_only=True)
class Phrases:
    """The words of one language; each row has one meaning."""

    negation: str  # what is not done, or is not to be
    condition: str  # what a call waits for, and what would or could be done, by somebody
    report: str  # what somebody else says, what was, and what is an example
    question: str  # what asks whether to act
    refuses: str  # the speaker will not do it
    apologies: str  # how a denial of having tools begins: the answer is held back
    cannot: str  # what denies a power
    powers: str  # what is denied: tools, access to what is outside
    principles: str  # it will not, for its principles: never argued with
    announces: str  # the speaker's own next step: "I'll", "let me"
    steps: str  # what takes a call: "check", "search"
    tool: str
    again: str  # "twice", "again", "another", "each", "until"
    verb_last: bool = False  # whether what is denied comes before the denial
    name_keys: str = ""  # of a call that is written as an object
    argument_keys: str = ""

    @cached_property
    def openings(self) -> tuple[str, ...]:
        """How a reply begins that may be a denial."""
        return tuple(phrases_of(self.apologies))

    @cached_property
    def cut_openings(self) -> frozenset[str]:
        """The same, cut off anywhere: a reply may still begin so."""
        return frozenset(text[:end] for text in self.openings for end in range(1, len(text)))

    @cached_property
    def denial(self) -> re.Pattern[str]:
        """What denies a power, in one sentence."""
        first, then = pattern_of(self.cannot), pattern_of(self.powers)
        first, then = (then, first) if self.verb_last else (first, then)
        return re.compile(f"(?:{first}){_SAME}{{0,60}}?(?:{then})")

    @cached_property
    def principle(self) -> re.Pattern[str]:
        """What shows that the model will not."""
        return re.compile(pattern_of(self.principles))


def rows_of(languages: Iterable[Phrases], meaning: str) -> list[str]:
    """The rows of all languages with one meaning."""
    return [getattr(words, meaning) for words in languages]
