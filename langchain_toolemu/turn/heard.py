"""What was said in a conversation, for looking values and subjects up in it."""

import re
import sys
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from functools import cached_property
from typing import Any

from langchain_toolemu.tools.stems import folded, stems
from langchain_toolemu.turn.language import is_foreign

_ENDS = " \t\n.,;:!?'\""
_MOST_QUESTION = 2000  # characters of a question in which misspelt words are looked for
_LONG_WORD = 5
_ALIKE = 0.8  # of 1: Berkley and Berkeley
_MOST_CHARS = 200_000  # of a conversation, from its end
_MOST_NUMBERS = 2000  # the same
_QUOTE = "[\"'`\u2018\u2019\u201c\u201d\u201e\u00ab\u00bb]"
_WORD = re.compile(r"[^\W_]{2,}")
_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")  # 4,173 is one number
_PART = re.compile(r"\d+(?:\.\d+)?")  # (3,4) are two
# 4,173 and 4 173, 4.173, 4'173, 4_173
_GROUPED = re.compile(r"(?<!\d)\d{1,3}(?:[,.'\u2019_ \u00a0\u202f]\d{3})+(?!\d)")
_LATIN = re.compile(r"[a-z]")
_OTHER_SCRIPT = re.compile(r"[^\W\d_a-z]")
# What a number may become on its way into a call: a percentage, thousands, another unit of time.
_FACTORS = (1, 0.01, 0.001, 1000, 1_000_000, 60, 1 / 60, 12, 7, 24, 3600, -1)
_SPELLED = {
    "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
    "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18,
    "nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
    "hundred": 100, "thousand": 1000, "million": 1_000_000, "half": 0.5, "quarter": 0.25, "dozen": 12, "couple": 2, "pair": 2,
    "both": 2, "single": 1, "double": 2, "triple": 3, "once": 1, "twice": 2, "first": 1, "second": 2, "third": 3,
    "tomorrow": 1, "day": 1, "week": 1, "fortnight": 14, "month": 1, "year": 1, "hour": 1, "minute": 1,
    "january": 1, "february": 2, "march": 3, "april": 4, "may": 5, "june": 6, "july": 7, "august": 8, "september": 9,
    "october": 10, "november": 11, "december": 12,
}  # fmt: skip
PRONOUNS = frozenset({"you", "him", "her", "they", "them"})  # `it` is Italian, `us` a country
"""Nobody and nothing is called so: a message to `you` is the model's way to answer."""

_SCALES = {"hundred": 100, "thousand": 1000, "million": 1_000_000}
# Words that tell nothing of what is asked for, and words that stand in every tool's description.
_COMMON = frozenset(
    stems(
        """
    the and for are you your yours with from that this these those what which who whom how when where why can
    could would should will shall may might must not please tell give find get set show make need want take
    let know into about using use used user users function tool tools given return returns value values type
    string number integer list name names optional required default specific specified based such like any all
    some one two have has had was were been being does did its they them their there here also very much more
    most many other others same just only than then yes our out over under after before between each every new
        """
    )
)


class Heard:
    """What was said in a conversation, for looking things up in it."""

    def __init__(self, said: str, asked: str, question: str = "") -> None:
        """Take all that was said, what was said by the user and the assistant alone, and the user's last words."""
        self._said = folded(said[-_MOST_CHARS:])
        self._asked = asked[-_MOST_CHARS:]
        self._question = folded(question).strip(_ENDS)

    @cached_property
    def _stems(self) -> frozenset[str]:
        return telling_stems(self._said)

    @cached_property
    def numbers(self) -> tuple[float, ...]:
        """The numbers that were said, in digits or in words."""
        words = _WORD.findall(self._said)
        spelled = (_SPELLED[word] for word in words if word in _SPELLED)
        return (*numbers_in(self._said), *spelled, *_in_words(words))

    @cached_property
    def _numbers(self) -> frozenset[float]:
        # Who wants half of something divides by two.
        parts = [1 / number for number in self.numbers if 0 < number < 1]
        return frozenset(
            round(n * factor, 9) for n in (*self.numbers, *parts) for factor in _FACTORS
        )

    @cached_property
    def topics(self) -> frozenset[str]:
        """The words, cut to their stems, that may tell which tool is meant."""
        return telling_stems(self._asked)

    @cached_property
    def is_foreign(self) -> bool:
        """Whether they rather speak another language than English, in which tools are mostly described."""
        return is_foreign(self._asked)

    @cached_property
    def _question_words(self) -> list[str]:
        return _WORD.findall(self._question[-_MOST_QUESTION:])

    @cached_property
    def _is_latin(self) -> bool:
        return len(_LATIN.findall(self._said)) >= len(_OTHER_SCRIPT.findall(self._said))

    def holds(self, value: Any) -> bool:
        """Whether a value was said, in these or similar words; true where that cannot be told."""
        if isinstance(value, int | float):
            return self._holds_number(value)
        text = folded(str(value)).strip(_ENDS)
        if not self._is_latin or _OTHER_SCRIPT.search(text) or not _WORD.search(text):
            return True
        if text in PRONOUNS or (" " in text and text == self._question):
            return False  # a whole sentence is no value: it is all that the model had to put there
        telling = telling_stems(text)
        if not telling and (numbers := numbers_in(text)):
            return all(map(self._holds_number, numbers))
        if self.holds_word(text) or not self._stems.isdisjoint(telling):
            return True
        words = re.findall(r"\w+", text.split(",")[0])
        if len(words) > 1 and self.holds_word("".join(word[0] for word in words)):
            return True  # NYC, the UK
        return any(self._resembles(word) for word in words if len(word) >= _LONG_WORD)

    def _resembles(self, word: str) -> bool:
        """Whether a long word was said by the user, perhaps misspelt."""
        return bool(get_close_matches(word, self._question_words, 1, _ALIKE))

    def _holds_number(self, value: float) -> bool:
        # A number of hundreds of digits is too large for a float, and nobody said it.
        return abs(value) <= sys.float_info.max and round(float(value), 9) in self._numbers

    def quotes(self, text: str) -> bool:
        """Whether somebody put these very words in quotation marks."""
        return bool(re.search(rf"{_QUOTE}{re.escape(folded(text).strip())}{_QUOTE}", self._said))

    def holds_word(self, text: str) -> bool:
        """Whether these very words were said."""
        word = folded(str(text)).strip(_ENDS)
        return bool(re.search(rf"(?<!\w){re.escape(word)}(?!\w)", self._said))


def telling_stems(text: str) -> frozenset[str]:
    """The stems of a text's words, without those that tell nothing."""
    return frozenset(stems(text)) - _COMMON


def numbers_in(text: str) -> list[float]:
    """The numbers of a text in digits, without what is long past: a table may hold thousands of numbers."""
    said = [found.replace(",", "") for found in _last(_NUMBER, text)]
    grouped = [re.sub(r"\D", "", found) for found in _last(_GROUPED, text)]
    return [float(one) for one in (*said, *_last(_PART, text), *grouped)]


def _last(form: re.Pattern[str], text: str) -> list[str]:
    return form.findall(text)[-_MOST_NUMBERS:]


def _in_words(words: Sequence[str]) -> Iterator[float]:
    """The numbers of several words: `four thousand one hundred and seventy three`."""
    total = part = 0.0
    length = 0
    for word in (*words, ""):
        if word in _SCALES and length:
            part, total = (
                (part * 100, total) if word == "hundred" else (0, total + part * _SCALES[word])
            )
        elif 0 < _SPELLED.get(word, 0) < 100:
            part += _SPELLED[word]
        elif word != "and" or not length:
            if length > 1:
                yield total + part
            total, part, length = 0.0, 0.0, -1
        length += 1
