"""`Given`: whether a value stands in texts.

- A text stands if it does so in other letters or endings: all its words, or its digits. Of an id, a
  code or an address no single word will do.
- A number stands as it is written, in another usual unit, or as the sum, difference, product or
  quotient of two that were written.
"""

import re
from collections.abc import Iterator
from functools import cached_property
from typing import Any

from langchain_toolemu.tools.stems import fold_text

_WORD = re.compile(r"[^\W_]+")
_TOKEN = re.compile(r"[^\s\"'`,;()\[\]{}<>]+")
_NUMBER = re.compile(r"\d+(?:[.,'\u202f]\d+)*")
_DIGITS = re.compile(r"\d(?:[\s./()-]{0,2}\d){2,30}")
_IDENTIFIER = re.compile(r"(?=\S*[\d@])[^\s*^()=]{1,80}")
_TIME = re.compile(r"(\d{1,2})(?::\d\d){0,2}(?: ?([ap])m)?")
_UNITS = (7, 10, 12, 24, 60, 100, 1000, 3600, 10**6)
_SHORTEST_ENDLESS = 3  # letters of a word without its ending
_MOST_NUMBERS = 200


def is_identifier(value: Any) -> bool:
    """Whether a text is an id, a code or an address: one word with a digit or an @."""
    return isinstance(value, str) and bool(_IDENTIFIER.fullmatch(value.strip()))


class Given:
    """What stands in a text."""

    def __init__(self, text: str) -> None:
        self._text = fold_text(text)

    def has(self, value: Any) -> bool:
        """Whether a number or a text stands there."""
        if isinstance(value, int | float):
            return self._has_number(float(value))
        text = fold_text(str(value)).strip()
        if time := _TIME.fullmatch(text):
            return self._has_hour(int(time[1]))
        digits = re.sub(r"\D", "", text)
        if len(digits) > 2 and digits in self._digits:
            return True
        if is_identifier(text):
            return text in self._tokens or (text.isdecimal() and self._has_number(float(text)))
        return all(map(self._has_word, _WORD.findall(text)))

    def _has_hour(self, hour: int) -> bool:
        """Whether an hour stands there, by either clock."""
        return not self.numbers.isdisjoint((hour, hour - 12, hour + 12, hour % 12))

    def _has_word(self, word: str) -> bool:
        if not self._words.isdisjoint(_forms(word)):
            return True
        # Some scripts have no blanks between words.
        return not word.isascii() and word in self._text

    def _has_number(self, value: float) -> bool:
        size, numbers = round(abs(value), 6), self.numbers
        if size in numbers:
            return True
        if any(round(size * unit, 6) in numbers for unit in _UNITS):
            return True
        if any(round(size / unit, 6) in numbers for unit in _UNITS):
            return True
        return any(not numbers.isdisjoint(_counterparts(size, one)) for one in numbers)

    @cached_property
    def numbers(self) -> frozenset[float]:
        """The numbers that are written; of very many, the last ones."""
        found = _NUMBER.findall(self._text)[-_MOST_NUMBERS:]
        return frozenset(round(value, 6) for text in found for value in _readings(text))

    @cached_property
    def has_identifier(self) -> bool:
        """Whether an id, a code or an address stands there."""
        return any(map(is_identifier, self._tokens))

    @cached_property
    def _words(self) -> frozenset[str]:
        return frozenset(form for word in _WORD.findall(self._text) for form in _forms(word))

    @cached_property
    def _tokens(self) -> frozenset[str]:
        found = _TOKEN.findall(self._text)
        bare = (token.strip(".:!?#*_") for token in found)
        return frozenset([*found, *bare, *(_part_after_sign(token) for token in found)])

    @cached_property
    def _digits(self) -> frozenset[str]:
        found = _DIGITS.findall(self._text)
        groups = (part for text in found for part in re.findall(r"\d{3,}", text))
        return frozenset([*(re.sub(r"\D", "", text) for text in found), *groups])


def _part_after_sign(token: str) -> str:
    """What follows the last `=`, `:` or `/`, as in `id=A-1000`."""
    return re.split(r"[=:/]", token)[-1].strip(".:!?#*_")


def _forms(word: str) -> Iterator[str]:
    """A word, and what is left of it without an ending of one or two letters."""
    yield word
    for ending in (1, 2):
        if len(word) - ending >= _SHORTEST_ENDLESS:
            yield word[:-ending]


def _readings(number: str) -> Iterator[float]:
    """What a number may mean: `1,200` is 1200 or 1.2."""
    digits = re.sub(r"\D", "", number)
    yield float(digits)
    for point in ".,":
        whole, _, part = number.rpartition(point)
        if part.isdecimal():
            yield float(f"{re.sub(r'[^0-9]', '', whole) or 0}.{part}")


def _counterparts(size: float, one: float) -> Iterator[float]:
    """The numbers from which and this one a size is calculated."""
    yield round(size - one, 6)
    yield round(size + one, 6)
    yield round(one - size, 6)
    if one:
        yield round(size / one, 6)
        yield round(size * one, 6)
    if size:
        yield round(one / size, 6)
