"""`Given`: whether a value stands in texts.

- A text stands if all its words do, in any letters, or its digits. An id, a code or an address
  stands whole.
- A number stands as it is written, in another usual unit, or as the sum, difference, product or
  quotient of two that were written; a time by its hour, on either clock.
"""

import re
from collections.abc import Iterator
from functools import cached_property
from typing import Any

from langchain_toolemu.tools.stems import fold_text

_WORD = re.compile(r"[^\W_]+")
_TOKEN = re.compile(r"[\w@.+-]+")
_CODE = re.compile(r"[a-z\d@.+_-]+")  # also beside letters of scripts without blanks
_NUMBER = re.compile(r"\d+(?:[.,']\d+|[ _]\d{3}(?!\d))*")
_DIGITS = re.compile(r"\d(?:[\s./()-]{0,2}\d){2,30}|\d{3,}")
_IDENTIFIER = re.compile(r"(?=\S*[\d@])[^\s*^()=]{1,80}")
_TIME = re.compile(r"(\d{1,2})(?:(?::\d\d){1,2}(?: ?[ap]m)?| ?[ap]m)")
_UNITS = (1, 7, 10, 12, 24, 60, 100, 1000, 3600, 10**6)
_LARGEST = 10**15  # a larger number is a code
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
        if isinstance(value, int | float) and abs(value) < _LARGEST:
            return self._has_number(round(abs(value), 6))
        text = fold_text(str(value)).strip()
        if time := _TIME.fullmatch(text):
            hour = int(time[1])
            return not self._hours.isdisjoint((hour, hour - 12, hour + 12))
        digits = re.sub(r"\D", "", text)
        if len(digits) > 2 and digits in self._digits:
            return True
        if is_identifier(text):
            return text in self._tokens or (not _TOKEN.fullmatch(text) and text in self._text)
        # Some scripts have no blanks between words.
        words = _WORD.findall(text)
        return all(it in self._words or (not it.isascii() and it in self._text) for it in words)

    def _has_number(self, size: float) -> bool:
        found = [size * unit for unit in _UNITS] + [size / unit for unit in _UNITS]
        for part in self.numbers:
            found += (size - part, size + part, part - size, size * part)
            found += (size / part, part / size) if part and size else ()
        return any(round(made, 6) in self.numbers for made in found)

    @cached_property
    def numbers(self) -> frozenset[float]:
        """The numbers that are written; of very many, the last ones."""
        found = _NUMBER.findall(self._text)[-_MOST_NUMBERS:]
        return frozenset(round(value, 6) for text in found for value in _readings(text))

    @cached_property
    def _hours(self) -> frozenset[float]:
        """Those that may be hours, as in `6.15` or `1530h`."""
        return frozenset(hour for number in self.numbers for hour in (number // 1, number // 100))

    @cached_property
    def has_identifier(self) -> bool:
        """Whether an id, a code or an address stands there."""
        return any(map(is_identifier, self._tokens))

    @cached_property
    def _words(self) -> frozenset[str]:
        return frozenset(_WORD.findall(self._text))

    @cached_property
    def _tokens(self) -> frozenset[str]:
        found = {*_TOKEN.findall(self._text), *_CODE.findall(self._text)}
        return frozenset(token.strip("._+-") for token in found)

    @cached_property
    def _digits(self) -> frozenset[str]:
        return frozenset(re.sub(r"\D", "", text) for text in _DIGITS.findall(self._text))


def _readings(number: str) -> Iterator[float]:
    """What a number may mean: `1,200` is 1200 or 1.2."""
    for digits in (number, *re.split("[ _]", number)):  # `4 173` may be two
        yield float(re.sub(r"\D", "", digits))
    for point in ".,":
        whole, _, part = number.rpartition(point)
        if part.isdecimal():
            yield float(f"{re.sub(r'[^0-9]', '', whole) or 0}.{part}")
