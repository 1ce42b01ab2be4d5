"""Few-shot turns made from the bound tools' own schemas. Examples teach small models more than rules do.

They show every step there is: a plain answer, a call, an answer to its result, another call after a result. What is asked
in them is what the tool's description says it does, so that they also teach which tool is for what. A question that
leads to a call stands beside one that is answered in words: whether to call must not hang on how a request begins. The
last turn is always a call: a plain answer next to the user's question made a small model stop calling.

Values are taken from the schema where it offers some. All others are words that no language has and numbers that
nobody means: none can be mistaken for the user's, and one that comes back in a call was copied.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import cycle
from typing import Any, TypeAlias

from langchain_toolemu.contract.dialects import Dialect, write_result
from langchain_toolemu.tools import ToolSet, ToolSpec

PLACEHOLDERS = ("Zorbel", "Quimfa", "Drunvik", "Fleppo", "Marrowin", "Tibbock", "Vasquil", "Krendo", "Pluvane", "Snarlet")  # fmt: skip
NUMBERS = (4173, 6281, 9357, 7483, 5914, 8526, 3871, 6342, 9165, 2613)
_RESULT = "example result"
_MAX_REPEATED = 1000  # characters of a question: what is asked for mostly stands at its end

_GREETING = ("Hello!", "Hello! How can I help you?")
_FACT = ("How do magnets work?", "Magnets pull on iron because of their magnetic field.")

_FIXED: Mapping[str, Any] = {"boolean": True, "object": {}, "null": None}

_SHOWN_NUMBERS = frozenset(map(str, NUMBERS))
_DIGITS = re.compile(r"\d+")

Example: TypeAlias = tuple[str, str]
"""What a user says, and what the assistant answers."""


def write_examples(tools: ToolSet, dialect: Dialect, continuation: str) -> tuple[Example, ...]:
    """A greeting, a task of two calls and its answer, a question of one call and its answer, one of no call, a call.

    Both answers are needed. With the task's alone, the embedded model went on calling after the first tool's results, in 11
    of 20 cases where one call was enough; with both in 1.
    """
    writer = ExampleWriter(dialect, continuation)
    first, second, third = (tools.specs[min(place, len(tools) - 1)] for place in range(3))
    return (
        _GREETING,
        *writer.task(first, second),
        *writer.question(third),
        _FACT,
        writer.call(first),
    )


def fill_in(continuation: str, question: str) -> str:
    """What is said after a result, with the user's question where it is to be repeated."""
    return continuation.replace("{question}", question[-_MAX_REPEATED:])


class ExampleWriter:
    """Writes turns, each with values of its own: a value seen twice is one worth copying."""

    def __init__(self, dialect: Dialect, continuation: str) -> None:
        self._dialect = dialect
        self._continuation = continuation
        self._values = Values()

    def call(self, tool: ToolSpec) -> Example:
        """A request and the call it leads to."""
        args = self._args(tool)
        return f"{_request(tool, args)}.", self._dialect.write(tool.name, args)

    def question(self, tool: ToolSpec) -> Iterator[Example]:
        """The same as a question, and the answer to its result: one call is mostly all that is wanted."""
        args = self._args(tool)
        asked = f"Can you {_uncapitalised(_request(tool, args))}?"
        yield asked, self._dialect.write(tool.name, args)
        yield self._answer(tool, asked)

    def task(self, first: ToolSpec, second: ToolSpec) -> Iterator[Example]:
        """A request for two things: a call, after its result another that needs it, after that the answer."""
        asked, called = self.call(first)
        args = self._args(second)
        needs = list(args)[-1:]
        result = _spoken(args[needs[0]]) if needs else _RESULT
        asked_too = _request(second, {**args, **dict.fromkeys(needs, "the result")})
        question = f"{asked} Then: {asked_too}."
        yield question, called
        yield self._after(first, result, question), self._dialect.write(second.name, args)
        yield self._answer(second, question)

    def _answer(self, tool: ToolSpec, question: str) -> Example:
        """The last result, and the answer to it."""
        return self._after(tool, _RESULT, question), f"Done: {_RESULT}."

    def _after(self, tool: ToolSpec, result: str, question: str) -> str:
        return f"{write_result(tool.name, result)}\n\n{fill_in(self._continuation, question)}"

    def _args(self, tool: ToolSpec) -> dict[str, Any]:
        wanted = tool.required or tuple(tool.properties)[:1]
        return {name: self._values.value(tool.properties.get(name)) for name in wanted}


def _request(tool: ToolSpec, args: Mapping[str, Any]) -> str:
    """What a user would say who knows the tool's description and its arguments' names."""
    purpose = " ".join(tool.description.split()).split(". ")[0].rstrip(".") or f"Use {tool.name}"
    said = ", ".join(f"{name} {_spoken(value)}" for name, value in args.items())
    return f"{purpose}: {said}" if said else purpose


def _uncapitalised(text: str) -> str:
    """A sentence as a part of another, unless it begins with a name."""
    first = text.split(" ", 1)[0]
    return f"{text[:1].lower()}{text[1:]}" if first[1:].islower() else text


def _spoken(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


class Values:
    """Values for arguments, in turn."""

    def __init__(self) -> None:
        self._words = cycle(PLACEHOLDERS)
        self._numbers = cycle(NUMBERS)

    def value(self, schema: Any) -> Any:
        """A value that a schema offers: an example, one of an enumeration, a default; else one by its type."""
        if not isinstance(schema, Mapping):
            return next(self._words)
        for offered in (schema.get("examples"), schema.get("enum")):
            if isinstance(offered, list) and offered:
                return offered[0]
        for key in ("const", "default"):
            if schema.get(key) is not None:
                return schema[key]
        return self._of_type(_kind(schema), schema)

    def _of_type(self, kind: str, schema: Mapping[str, Any]) -> Any:
        match kind:
            case "integer":
                return _within(next(self._numbers), schema)
            case "number":
                return _within(next(self._numbers) + 0.5, schema)
            case "array":
                return [self.value(schema.get("items")), self.value(schema.get("items"))]
        return _FIXED[kind] if kind in _FIXED else next(self._words)


def _within(number: float, schema: Mapping[str, Any]) -> float:
    """A number that a schema's limits admit: an example must not teach what would be refused."""
    low = _limit(schema, "minimum", "exclusiveMinimum")
    high = _limit(schema, "maximum", "exclusiveMaximum")
    if low is not None and high is not None and not low < number < high:
        middle = (low + high) / 2
        return int(middle) if isinstance(number, int) else middle
    if low is not None and number <= low:
        return low + 1
    return high - 1 if high is not None and number >= high else number


def _limit(schema: Mapping[str, Any], *keys: str) -> float | None:
    return next((schema[key] for key in keys if isinstance(schema.get(key), int | float)), None)


def _kind(schema: Mapping[str, Any]) -> str:
    kind = schema.get("type")
    if isinstance(kind, list):
        kind = next((one for one in kind if one != "null"), None)
    return str(kind)


def copied_values(args: Mapping[str, Any], said: Sequence[str]) -> tuple[str, ...]:
    """The arguments that were copied from an example: they hold the examples' values, and nobody said them."""
    return tuple(
        f"{name}: {shown} is only an example, take the value from the conversation"
        for name, value in args.items()
        for shown in _shown_in(_spoken(value))
        if not any(shown in text for text in said)
    )


def _shown_in(written: str) -> Iterator[str]:
    """The examples' values in what an argument holds."""
    yield from (word for word in PLACEHOLDERS if word in written)
    yield from (number for number in _DIGITS.findall(written) if number in _SHOWN_NUMBERS)
