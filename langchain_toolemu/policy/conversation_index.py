"""`ConversationIndex`: was this value or topic mentioned?"""

import re
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from functools import cached_property, lru_cache
from itertools import accumulate, chain, islice, permutations, starmap
from typing import Any

from langchain_toolemu.language.english import ENGLISH
from langchain_toolemu.language.phrases import FOREIGN, SUM_IN_WORDS
from langchain_toolemu.policy.tool_kinds import verb_of
from langchain_toolemu.tools.stems import fold_text, stem_of, words_of

_ENDS = " \t\n.,;:!?'\""
_MOST_QUESTION = 2000  # characters of a question in which misspelt words are looked for
_LONG_WORD = 5
_ALIKE = 0.8  # of 1: Berkley and Berkeley
_MOST_CHARS = 200_000  # of a conversation, from its end
_MOST_NUMBERS = 2000  # the same
_LONGEST = 200  # characters of a value; longer ones count as not mentioned
_WORD = re.compile(r"[^\W_]{2,}")
_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")  # 4,173 is one number
_PART = re.compile(r"\d+(?:\.\d+)?")  # (3,4) are two
# 4,173 and 4 173, 4.173, 4'173, 4_173
_GROUPED = re.compile(r"(?<!\d)\d{1,3}(?:[,.'\u2019_ \u00a0\u202f]\d{3})+(?!\d)")
_DECIMAL_COMMA = re.compile(
    r"(?<![\d,.])\d{1,3}(?:(?:[. ]\d{3}){1,3}|\d{0,6}),\d\d(?![\d,])"
)  # 1.250,50
_WITH_COMMA = re.compile(r"(?<![\d.,])\d{1,9},\d{1,6}(?![\d,]|\.\d)")
# Digits, and the letters before and after them.
_DIGITS = re.compile(r"(?:(?<![a-z])([a-z]{1,8})[-_#]?)?(\d+)([a-z]{0,8})")
_LONGEST_REPLY = 3  # words of a message that may be a value as a whole: an answer to a question
_OTHER_SCRIPT = re.compile(r"[^\W\d_a-z]")
# What a number may become on its way into a call: a percentage, thousands, another unit of time.
_FACTORS = (1, 0.01, 100, 0.001, 1000, 1_000_000, 60, 1 / 60, 12, 7, 24, 3600, -1)
_SUM_FACTORS = (1, 100, 1000, 1_000_000, 60, 12, 7, 24, 3600)  # 10 % of a sum is none of 0.1
_MOST_COMBINED = 40  # numbers
_FEW_AMOUNTS = 3  # what two of so few numbers give is hardly a round number by chance
_HALF_A_CENT = 0.005
_TIME_FACTORS = (1, 60, 1 / 60, 12, 7, 24, 3600)
_SPELLED = ENGLISH.numbers
PRONOUNS = frozenset({"you", "him", "her", "they", "them"})  # `it` is Italian, `us` a country
"""Nobody and nothing is called so: a message to `you` is the model's way to answer."""

_ALONE = re.compile(
    r"(?<![\w-])(?!0\b)\d{1,2}(?!(?!ish\b)[\w-]|\s?(?:%|min|hour|hr|day|week|month))|\d[:/.]\d|\d{4}-\d\d|\d ?[ap]m\b"
)  # a number that may be a day or an hour, not "0 matches"
_ID_OR_DATE = re.compile(
    r"(?<![\w-])(?:[a-z]{1,8}[-_#]\d[\w-]*|\d{4}-\d\d-\d\d|\d\d?\.\d\d?\.\d{4}|\d\d?:\d\d)(?!\d)"
)
_NO_HOUR = re.compile(
    r"\b\d{4}-\d\d-\d\d\b|\":\s?-?\d[\d.]*"
)  # a date, a number in JSON such as a weight of 2.15
_HOUR_WORDS = frozenset(ENGLISH.hours.split())
_HOURS_BY_NAME = _HOUR_WORDS - frozenset(ENGLISH.parts_of_day.split())
_DAY_WORDS = _HOUR_WORDS | frozenset(ENGLISH.days.split())
_SMALL_NUMBER = 12
_LONG_NUMBER = 7  # digits
_BLANKS = r"[\s().-]{0,2}"
_SCALES = {"hundred": 100, "thousand": 1000, "million": 1_000_000}
_NUMBER_WORDS = "|".join(
    word for word, number in _SPELLED.items() if number >= 1 and word != "hour"
)
_SPOKEN_NUMBER = rf"\d{{1,9}}|(?:(?:an?|and|{_NUMBER_WORDS})[ -]){{0,6}}(?:an?|{_NUMBER_WORDS})"
_TWO_UNITS = re.compile(
    rf"\b(?P<whole>{_SPOKEN_NUMBER})[ -](?:(?P<money>{ENGLISH.money})|hours?|hrs?)(?: and)? (?P<part>{_SPOKEN_NUMBER})\b"
)
_COMMON = frozenset(ENGLISH.common_words.split())
_MOST_JUDGED = 10_000  # characters at the end of a text, by which its language is recognised
_LETTER = re.compile(r"[^\W\d_]")
_LATIN = re.compile(r"[a-z]")
_ACCENTED = re.compile(r"[^\W\d_]*[\u00c0-\u024f\u1ea0-\u1ef9][^\W\d_]*")
_PREFIX = re.compile(r"\w+[-_](?=\d)")  # of an id: IT-8841 is no English
_ENGLISH = frozenset(ENGLISH.small_words.split())


class ConversationIndex:
    """Looks up values and topics in the messages."""

    def __init__(self, text: str, talk: str, question: str = "", users: str | None = None) -> None:
        """Take the whole text; of it, what user and assistant wrote, the user's last message, and all messages of the user."""
        self._text = fold_text(text[-_MOST_CHARS:])
        self._talk = talk[-_MOST_CHARS:]
        self._question = fold_text(question).strip(_ENDS)
        self._users = talk if users is None else users

    @cached_property
    def _stems(self) -> frozenset[str]:
        return topic_stems(self._text)

    @cached_property
    def numbers(self) -> tuple[float, ...]:
        """The numbers in the messages, in digits or in words."""
        return _all_numbers(self._text)

    @cached_property
    def _counted_text(self) -> str:
        """The text without ids such as `sn-44`, days and hours: nothing is calculated from their numbers."""
        return _ID_OR_DATE.sub(" ", self._text)

    @cached_property
    def _amounts(self) -> Sequence[float]:
        """The last of those with which somebody calculates."""
        numbers = _all_numbers(self._counted_text)
        return [*dict.fromkeys(reversed(numbers))][:_MOST_COMBINED]

    @cached_property
    def _numbers(self) -> frozenset[float]:
        # Half of something is a division by two.
        parts = (1 / number for number in self.numbers if 0 < number < 1)
        return frozenset(round(number, 9) for number in (*self.numbers, *parts))

    @cached_property
    def _says_one_in_digits(self) -> bool:
        return 1 in numbers_in(self._text)

    @cached_property
    def topics(self) -> frozenset[str]:
        """The stems of the words that may name a tool."""
        return topic_stems(self._talk)

    @cached_property
    def is_foreign(self) -> bool:
        """Whether the user probably writes another language than English, by the script or by small and accented words."""
        text = self._users[-_MOST_JUDGED:]
        plain = fold_text(text)
        letters, latin = len(_LETTER.findall(plain)), len(_LATIN.findall(plain))
        words = _WORD.findall(_PREFIX.sub(" ", plain))
        foreign = sum(word in FOREIGN for word in words) + len(_ACCENTED.findall(text))
        return letters > 2 * latin or foreign > sum(word in _ENGLISH for word in words)

    @cached_property
    def _question_words(self) -> dict[str, set[str]]:
        found: dict[str, set[str]] = {}
        for word in _WORD.findall(self._question[-_MOST_QUESTION:]):
            if len(word) >= _LONG_WORD - 1:
                found.setdefault(word[0], set()).add(word)
        return found

    def mentions(self, value: Any) -> bool:
        """Whether a value was mentioned, in these or similar words; true if that cannot be known."""
        if isinstance(value, int | float):
            # In other languages, small numbers are said in words that are not known here.
            return self.mentions_number(value) or (self.is_foreign and 0 <= value <= _SMALL_NUMBER)
        text = fold_text(str(value)[: _LONGEST + 1]).strip(_ENDS)
        if _OTHER_SCRIPT.search(text) or not _WORD.search(text):
            return True
        if text in PRONOUNS or (text == self._question and len(text.split()) > _LONGEST_REPLY):
            return False  # a whole sentence is no value: it is all that the model had to put there
        telling = topic_stems(text)
        if not telling and (numbers := numbers_in(text)):
            return all(map(self.mentions_number, numbers))
        if self.mentions_word(text) or not self._stems.isdisjoint(telling):
            return True
        words = re.findall(r"\w+", text.split(",")[0])
        if len(words) > 1 and self.mentions_word("".join(word[0] for word in words)):
            return True  # NYC, the UK
        return any(self._resembles(word) for word in words if len(word) >= _LONG_WORD)

    def _resembles(self, word: str) -> bool:
        """Whether the user wrote a long word, perhaps misspelt."""
        candidates = self._question_words.get(word[0], ())
        near = (candidate for candidate in candidates if abs(len(candidate) - len(word)) <= 2)
        return any(SequenceMatcher(None, word, candidate).ratio() >= _ALIKE for candidate in near)

    def mentions_number(self, value: float) -> bool:
        """Whether a number was mentioned, in digits, in English words, or in another unit."""
        # A number of hundreds of digits is too large for a float, and nobody said it.
        if abs(value) > sys.float_info.max:
            return False
        return self._was_said_in_units(value, _FACTORS) or self._is_written(value)

    def mentions_sum(self, value: float) -> bool:
        """The same for a sum; in other languages than English, one in words may be any."""
        in_words = self.is_foreign and bool(SUM_IN_WORDS.pattern.search(self._text))
        return in_words or self._is_written(value) or self._was_said_in_units(value, _SUM_FACTORS)

    def _is_written(self, value: float) -> bool:
        """Whether a number stands in the text as such: in a long table, before those that are kept."""
        return self.mentions_word(f"{value:.15g}")

    def can_calculate(self, value: float) -> bool:
        """Whether a number that is not round, as made-up ones are, is a sum, or a difference, product, quotient or percentage of two."""
        if self._is_total(value):
            return True
        is_certain = len(self._amounts) <= _FEW_AMOUNTS and _significant_digits(value) > 1
        if not (is_certain or _is_exact(value)):
            return False
        halves = (number / 2 for number in self._amounts)  # which many languages say in one word
        pairs = permutations(self._amounts, 2)
        results = chain(halves, (result for pair in pairs for result in _results(*pair)))
        return any(abs(result - value) < _HALF_A_CENT for result in results)

    def _is_total(self, value: float) -> bool:
        """Whether a number is the sum of three or more that follow each other, as in a list or a column."""
        if value % 5 == 0:
            return False
        return any(abs(total - value) < _HALF_A_CENT for total in self._totals)

    @cached_property
    def _totals(self) -> frozenset[float]:
        """The sums of three or more of the last numbers, in the order of the text."""
        numbers = [*map(float, _PART.findall(self._counted_text))][-_MOST_COMBINED:]
        rows = (numbers[start:] for start in range(len(numbers)))
        return frozenset(total for row in rows for total in islice(accumulate(row), 2, None))

    def _was_said_in_units(self, value: float, factors: Sequence[float]) -> bool:
        return any(self._was_said(round(value / factor, 9), factor) for factor in factors)

    def _was_said(self, number: float, factor: float) -> bool:
        """Whether a number was mentioned. One counts for factors of time and as a percentage: an hour is 60 minutes, "1 hit" is not 100."""
        if number not in self._numbers:
            return False
        is_percentage = factor < 1 and self._says_one_in_digits
        return number != 1 or factor in _TIME_FACTORS or is_percentage

    def mentions_numbers_of(self, text: str) -> bool:
        """Whether all numbers in a text's digits were mentioned."""
        return not any(True for _ in self._unmentioned_numbers(text))

    def accounts_for(self, text: str) -> bool:
        """Whether all of them were mentioned, or can be calculated from two that were."""
        return all(map(self.can_calculate, self._unmentioned_numbers(text)))

    def _unmentioned_numbers(self, text: str) -> Iterator[float]:
        for number in map(float, _PART.findall(_WITH_COMMA.sub(self._as_decimal, text))):
            if number not in (0, 1) and not self.mentions_number(number):
                yield number

    def _as_decimal(self, found: re.Match[str]) -> str:
        """The same with a point, if that makes it a number that somebody gave: `18,6`, as many languages write 18.6."""
        decimal = found[0].replace(",", ".")
        was_given = self.mentions_number(float(decimal)) or self.can_calculate(float(decimal))
        return decimal if was_given else found[0]

    def speaks_of_time(self, value: str) -> bool:
        """Whether any mentioned word may mean a date or a time of day; true for unknown languages."""
        if self.is_foreign or self.mentions_word(value):
            return True
        words = _HOUR_WORDS if ":" in value else _DAY_WORDS
        return bool(_ALONE.search(self._text)) or not words.isdisjoint(_WORD.findall(self._text))

    def names_hour(self, value: str) -> bool:
        """Whether an hour was mentioned, in digits or in words; true for unknown languages."""
        text = _NO_HOUR.sub(" ", self._text)
        if self.is_foreign or self.mentions_word(value) or _ALONE.search(text):
            return True
        return not _HOURS_BY_NAME.isdisjoint(_WORD.findall(self._text))

    def count(self, value: Any) -> int:
        """How often a number or a text was mentioned."""
        if isinstance(value, str):
            return self._text.count(fold_text(value).strip(_ENDS))
        words = (_SPELLED[word] for word in _WORD.findall(self._text) if word in _SPELLED)
        return [*map(float, _PART.findall(self._text)), *words].count(value)

    def mentions_word(self, text: str) -> bool:
        """Whether exactly these words were written."""
        word = fold_text(str(text)[: _LONGEST + 1]).strip(_ENDS)
        if not 0 < len(word) <= _LONGEST or word not in self._text:
            return False
        # Other scripts write an id without a blank before or after it.
        flags = re.ASCII if word.isascii() else re.UNICODE
        return bool(re.search(rf"(?<!\w){re.escape(word)}(?!\w)", self._text, flags))

    def mentions_digits(self, text: str) -> bool:
        """Whether a text has digits, and each group of them was mentioned: `48h` for 48 hours, `#W506` for W506, not 19W for 19E."""
        groups = _DIGITS.findall(fold_text(text[:_LONGEST]))
        digits = "".join(group for _, group, _ in groups)
        if len(digits) >= _LONG_NUMBER:  # a phone number or an IBAN may have been said with blanks
            letters = "".join(filter(str.isalnum, fold_text(text[:_LONGEST])))
            return any(re.search(_BLANKS.join(form), self._text) for form in {digits, letters})
        return bool(groups) and all(starmap(self._has_digits, groups))

    def _has_digits(self, before: str, digits: str, after: str) -> bool:
        known = self._letters_by_digits.get(digits, ())
        return any(_agree(before, first) and _agree(after, last) for first, last in known)

    @cached_property
    def _letters_by_digits(self) -> Mapping[str, set[tuple[str, str]]]:
        found = defaultdict[str, set[tuple[str, str]]](set)
        for before, digits, after in _DIGITS.findall(self._text):
            found[digits].add((before, after))
        return found


def _agree(letters: str, others: str) -> bool:
    return letters.startswith(others) or others.startswith(letters)


def topic_stems(text: str) -> frozenset[str]:
    """The stems of the words of a text, without common words."""
    return frozenset(stem_of(word) for word in set(words_of(text)) - _COMMON)


cached_topic_stems = lru_cache(1024)(topic_stems)  # the same tools come at every step


@lru_cache(1024)
def name_stems(name: str) -> frozenset[str]:
    """The stems of a name's words, without common words unless there are no others."""
    return cached_topic_stems(name) or frozenset(map(stem_of, words_of(name)))


@lru_cache(1024)
def verb_stem(name: str) -> frozenset[str]:
    """The stem of a name's verb."""
    return frozenset(map(stem_of, verb_of(name)))


def _results(first: float, second: float) -> tuple[float, ...]:
    """What two numbers give; the last one is a percentage."""
    quotient = first / second if second else 0
    return first + second, first - second, first * second, quotient, first * second / 100


def _is_exact(value: float) -> bool:
    """Whether a number has three digits that count; two will do for a whole one that does not end in 0 or 5."""
    digits = _significant_digits(value)
    return digits > 2 or (digits == 2 and value % 1 == 0 and value % 5 != 0)


def _significant_digits(value: float) -> int:
    return len(f"{abs(value):.12g}".replace(".", "").strip("0"))


def numbers_said(text: str) -> list[float]:
    """The numbers of a short text, in digits or in English words."""
    return [
        *numbers_in(text),
        *(_SPELLED[word] for word in _WORD.findall(fold_text(text)) if word in _SPELLED),
    ]


def _all_numbers(text: str) -> tuple[float, ...]:
    words = _WORD.findall(text)[-_MOST_NUMBERS:]
    spelled = (_SPELLED[word] for word in words if word in _SPELLED)
    return (*numbers_in(text), *spelled, *_in_words(words), *_in_two_units(text))


def numbers_in(text: str) -> list[float]:
    """The numbers of a text in digits, without what is long past: a table may hold thousands of numbers."""
    forms = (_NUMBER, _PART, _GROUPED)
    plain, parts, grouped = (form.findall(text)[-_MOST_NUMBERS:] for form in forms)
    written = [*(number.replace(",", "") for number in plain), *parts]
    written += [re.sub(r"\D", "", number) for number in grouped]
    commas = _DECIMAL_COMMA.findall(text)[-_MOST_NUMBERS:]
    written += [re.sub(r"[. ]", "", number).replace(",", ".") for number in commas]
    return [*map(float, written)]


def _in_two_units(text: str) -> Iterator[float]:
    """The sums and durations that are said in two units: "four pounds twenty", "an hour fifty"."""
    for found in _TWO_UNITS.finditer(text[-_MOST_JUDGED:]):
        whole, part = _said_number(found["whole"]) or 1, _said_number(found["part"])
        if 1 <= part < 100:
            yield round(whole + part / 100, 2) if found["money"] else whole * 60 + part


def _said_number(text: str) -> float:
    """The number in digits or in English words; 0 if there is none."""
    words = _WORD.findall(text)
    spelled = (_SPELLED[word] for word in words if word in _SPELLED)
    return float(text) if text.isdecimal() else max((*_in_words(words), *spelled), default=0)


def _in_words(words: Sequence[str]) -> Iterator[float]:
    """The numbers of several words: `four thousand one hundred and seventy three`."""
    total = part = 0.0
    length = 0
    for word in (*words, ""):
        if word in _SCALES:
            part = part if length else 1.0  # a hundred
            # A hundred multiplies what is read; a larger scale ends it.
            total += 0 if word == "hundred" else part * _SCALES[word]
            part = part * 100 if word == "hundred" else 0
        elif 0 < _SPELLED.get(word, 0) < 100:
            part += _SPELLED[word]
        elif word != "and" or not length:
            if length > 1:
                yield total + part
            total, part, length = 0.0, 0.0, -1
        length += 1
