"""Whether a call's values come from the conversation, or were made up.

Small models call a tool for "Do you like music?" with a city that was not named. Two signs together tell such a call from one
that is meant: a required value that is nowhere in the conversation, and a tool of which no word was said. Either alone
tells nothing: values are inferred, and a tool is asked for in other words than its own.

Only what can be told is judged: dates, truth values, values that the schema offers and texts that the model writes itself
are not, nor words of another script than the conversation's.
"""

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from langchain_toolemu.tools import ToolSpec
from langchain_toolemu.tools.stems import folded, stems
from langchain_toolemu.turn.values import is_date_or_time, scalars
from langchain_toolemu.validation.schema import Schemas

_ENDS = " \t\n.,;:!?'\""
_LONGEST = 60  # characters; longer texts are the model's own writing
_LONGEST_CODE = 3
_MOST_CHARS = 200_000  # of a conversation, from its end
_MOST_NUMBERS = 2000  # the same
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
}  # fmt: skip
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
    most many other others same just only than then yes our out over under after before between each every
        """
    )
)


class Heard:
    """What was said in a conversation, for looking things up in it."""

    def __init__(self, said: str, asked: str, question: str = "") -> None:
        """Take all that was said, what was said by the user and the assistant alone, and the user's last words."""
        self._said = folded(said[-_MOST_CHARS:])
        self._asked = asked[-_MOST_CHARS:]
        self._question = folded(question[:_LONGEST]).strip(_ENDS)

    @cached_property
    def _stems(self) -> frozenset[str]:
        return _stems(self._said)

    @cached_property
    def numbers(self) -> tuple[float, ...]:
        """The numbers that were said, in digits or in words."""
        said = (found.replace(",", "") for found in self._last(_NUMBER))
        parts = self._last(_PART)
        grouped = (re.sub(r"\D", "", found) for found in self._last(_GROUPED))
        words = _WORD.findall(self._said)
        spelled = (_SPELLED[word] for word in words if word in _SPELLED)
        return (*map(float, (*said, *parts, *grouped)), *spelled, *_in_words(words))

    def _last(self, form: re.Pattern[str]) -> list[str]:
        """What was said in this form, without what is long past: a table may hold thousands of numbers."""
        return form.findall(self._said)[-_MOST_NUMBERS:]

    @cached_property
    def _numbers(self) -> frozenset[float]:
        return frozenset(round(n * factor, 9) for n in self.numbers for factor in _FACTORS)

    @cached_property
    def topics(self) -> frozenset[str]:
        """The words, cut to their stems, that may tell which tool is meant."""
        return _stems(self._asked)

    @cached_property
    def _is_latin(self) -> bool:
        return len(_LATIN.findall(self._said)) >= len(_OTHER_SCRIPT.findall(self._said))

    def holds(self, value: Any) -> bool:
        """Whether a value was said, in these or similar words; true where that cannot be told."""
        if isinstance(value, int | float):
            # A number of hundreds of digits is too large for a float, and nobody said it.
            return abs(value) <= sys.float_info.max and round(float(value), 9) in self._numbers
        text = folded(str(value)).strip(_ENDS)
        if not self._is_latin or _OTHER_SCRIPT.search(text) or not _WORD.search(text):
            return True
        if " " in text and text == self._question:
            return False  # a whole sentence is no value: it is all that the model had to put there
        return self.holds_word(text) or not self._stems.isdisjoint(_stems(text))

    def holds_word(self, text: str) -> bool:
        """Whether these very words were said."""
        word = folded(str(text)).strip(_ENDS)
        return bool(re.search(rf"(?<!\w){re.escape(word)}(?!\w)", self._said))


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


def made_up(args: Mapping[str, Any], tool: ToolSpec, heard: Heard) -> tuple[str, Any] | None:
    """The argument and its value that was not given, if nothing that was said speaks of the tool either.

    Example:
        ```python
        made_up({"city": "Paris"}, get_weather, Heard("Do you like music?", "Do you like music?"))  # ("city", "Paris")
        ```
    """
    if echoed := _echoed(args, tool, heard):
        return echoed
    if not heard.topics.isdisjoint(_topics(tool)):
        return None
    invented = (pair for pair in _judged(args, tool) if not heard.holds(pair[1]))
    return next(invented, None)


def _echoed(args: Mapping[str, Any], tool: ToolSpec, heard: Heard) -> tuple[str, Any] | None:
    """An argument whose value is its own description, which nobody said or offered: the model had none."""
    schemas = Schemas(tool.parameters)
    for name, value in args.items():
        schema = tool.properties.get(name)
        description = schema.get("description") if isinstance(schema, Mapping) else None
        echoes = isinstance(value, str) and value.strip() and value == str(description).strip()
        if echoes and value not in _offered(schemas, schema) and not heard.holds_word(value):
            return name, value
    return None


def _judged(args: Mapping[str, Any], tool: ToolSpec) -> Iterator[tuple[str, Any]]:
    """The required values of which it can be told whether they were said."""
    schemas = Schemas(tool.parameters)
    for name in tool.required:
        offered = _offered(schemas, tool.properties.get(name))
        for _, value in scalars(args.get(name), name):
            plain = isinstance(value, bool) or value is None or value in offered or _is_code(value)
            if not plain and not is_date_or_time(value) and len(str(value)) <= _LONGEST:
                yield name, value


def _is_code(value: Any) -> bool:
    """Whether a text is too short to have been said: `it` for Italian, `EUR`."""
    return isinstance(value, str) and len(value.strip()) <= _LONGEST_CODE


def _offered(schemas: Schemas, schema: Any) -> list[Any]:
    """The values that a schema itself names."""
    members = [
        value for shape in schemas.shapes(schema) for value in (shape.members or {}).values()
    ]
    return [*members, schemas.stated(schema, "default")]


def _topics(tool: ToolSpec) -> frozenset[str]:
    """The stems of all words by which a tool describes itself."""
    described = [
        f"{name} {schema.get('description', '') if isinstance(schema, Mapping) else ''}"
        for name, schema in tool.properties.items()
    ]
    text = " ".join([tool.name, tool.description, *described])
    return _stems(text)


def _stems(text: str) -> frozenset[str]:
    return frozenset(stems(text)) - _COMMON
