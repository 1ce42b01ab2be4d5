"""What was said in a conversation, as rules of a grammar: a value that is held to them can only be quoted.

The smallest models call the right tool with values that were not said: a city misspelt, a number of their own, a text
that never ends. Held to what was said they can still quote the wrong words, but no others. The rules grow with the
conversation, so a long one has none.

A call may also hold nothing but an example's values: a small model that has nothing to call for calls in this way, and is
known by it. Half and half it cannot be.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise
from typing import Any

from langchain_toolemu.contract import NUMBERS, PLACEHOLDERS
from langchain_toolemu.tools import ToolSpec
from langchain_toolemu.validation.schema import CompiledSchema

MAX_WORDS = 400
"""Conversations with more words than these are not quoted from."""
_MAX_CHARS = 20 * MAX_WORDS  # so that the words of a book are not counted

# Scripts that put no spaces between words are quoted by the letter.
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff"
_WORD = re.compile(rf"[{_UNSPACED}]|[^\W{_UNSPACED}]+|[^\w\s]")
_NUMBER = re.compile(r"(?:(?<![\w.)])-)?[0-9][0-9,]*(?:\.[0-9]+)?")
_LONGEST_NUMBER = 16
_NO_BEGINNING = frozenset(".,;:!?)]}'\"\u2019\u201d\u00bb")
_AS_SHOWN = {"string": "shown", "integer": "shown-integer", "number": "shown-number"}


@dataclass(frozen=True, slots=True)
class Quotations:
    """What can be quoted.

    Attributes:
        rules: The rules for values, and for every word: it, and what may follow it.
        numbers: The numbers that were said; a percentage is a fraction, too.
        answer: The tool whose call is the answer in its form, if there is one: an answer is in the model's own words.
    """

    rules: Mapping[str, str]
    numbers: Sequence[str]
    answer: str | None = None

    def ways(self, tool: ToolSpec, *, copied: bool = True) -> Iterator[Mapping[str, str]]:
        """The ways to write a tool's values, as the rules that take the place of "string", "integer" and "number".

        Args:
            tool: What is called.
            copied: Whether all of them may be an example's.
        """
        if tool.name == self.answer:
            yield {}
            return
        yield {"string": "quoted", **self._numbers_for(tool)}
        if copied:
            yield _AS_SHOWN

    def _numbers_for(self, tool: ToolSpec) -> Mapping[str, str]:
        """The rules for a tool's numbers: none where fewer were said than it wants, for some were spelt out."""
        schemas = tool.schema
        wanted = [_wants_number(schemas, tool.properties.get(name)) for name in tool.required]
        if sum(wanted) > len(self.numbers):
            return {}
        said = {"integer": "said-integer", "number": "said-number"}
        return {kind: rule for kind, rule in said.items() if rule in self.rules}


def quotations(texts: Sequence[str], *, answer: str | None = None) -> Quotations | None:
    """What can be quoted from these texts, or `None` if there is nothing, or too much.

    Args:
        texts: What was said.
        answer: The tool whose call is the answer in its form.

    Example:
        ```python
        quotations(["Add 1,200 and 5%."]).numbers  # ["1200", "5", "0.05"]
        ```
    """
    words: dict[str, str] = {}
    beginnings: list[str] = []
    if sum(map(len, texts)) > _MAX_CHARS:
        return None
    for text in texts:
        found = _words(text)
        if len(words) + len(found) > MAX_WORDS:
            return None
        for number, (word, gap) in enumerate(found, start=len(words)):
            words[f"q{number}"] = f"{_quoted(word)}{_going_on(gap, number + 1)}"
            beginnings += _beginnings(word, gap, number)
    if not beginnings:
        return None
    numbers = list(dict.fromkeys(number for text in texts for number in _numbers(text)))
    rules = {**words, **_values(beginnings, numbers)}
    return Quotations(rules, numbers, answer=answer)


def _values(beginnings: Sequence[str], numbers: Sequence[str]) -> dict[str, str]:
    """The rules for values that were said, and for those that the examples show."""
    of_kind = {
        "said-integer": [one for one in numbers if "." not in one],
        "said-number": numbers,
        "shown-integer": [str(one) for one in NUMBERS],
        "shown-number": [f"{one}.5" for one in NUMBERS],
    }
    return {
        "quoted": _string(beginnings),
        "shown": _string([literal(word) for word in PLACEHOLDERS]),
        **{rule: " | ".join(map(literal, said)) for rule, said in of_kind.items() if said},
    }


def _string(ways: Sequence[str]) -> str:
    return rf'''"\"" ({" | ".join(ways)}) "\""'''


def _wants_number(schemas: CompiledSchema, schema: Any) -> bool:
    """Whether nothing but a number, or nothing at all, fits a schema."""
    kinds = [shape.type for shape in schemas.shapes(schema) if shape.type != "null"]
    return bool(kinds) and all(kind in ("integer", "number") for kind in kinds)


def _words(text: str) -> list[tuple[str, str | None]]:
    """Each word or sign with what is between it and the next; `None` after the last."""
    found = list(_WORD.finditer(text))
    gaps = [text[one.end() : two.start()] for one, two in pairwise(found)]
    # Lines may be broken anywhere: what is quoted goes on in one.
    return [
        (one.group(), None if gap is None else gap and " ")
        for one, gap in zip(found, [*gaps, None], strict=False)
    ]


def _going_on(gap: str | None, following: int) -> str:
    """What may come after a word: the gap and the next one, or nothing."""
    return "" if gap is None else f" ({_quoted(gap) + ' ' if gap else ''}q{following})?"


def _beginnings(word: str, gap: str | None, number: int) -> Iterator[str]:
    """The ways to begin with a word: as it is, or with a capital, as small models like to."""
    if word in _NO_BEGINNING:
        return
    yield f"q{number}"
    capital = word[0].upper() + word[1:]
    if capital != word:
        yield f"{_quoted(capital)}{_going_on(gap, number + 1)}"


def _quoted(text: str) -> str:
    """A literal of the grammar for a text within a JSON string."""
    return literal(json.dumps(text, ensure_ascii=False)[1:-1])


def literal(text: str) -> str:
    """A literal of the grammar: its strings know JSON's escapes for these and for nothing else."""
    escaped = (
        text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
    )
    return f'"{escaped}"'


def _numbers(text: str) -> Iterator[str]:
    for found in _NUMBER.finditer(text):
        if len(found.group()) > _LONGEST_NUMBER:
            continue
        number = Decimal(found.group().replace(",", ""))
        yield _written(number)
        if text[found.end() : found.end() + 1] == "%":
            yield _written(number / 100)


def _written(number: Decimal) -> str:
    """A number as JSON has it."""
    written = f"{number:f}"
    return written.rstrip("0").rstrip(".") if "." in written else written
