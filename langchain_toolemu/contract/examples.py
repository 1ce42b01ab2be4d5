"""Few-shot turns made from the bound tools' own schemas. Examples teach small models more than rules do.

What is asked in them is what a tool's description says. A question that leads to a call is next to one answered in
words: whether to call must not hang on how a request begins. The last turn is a call: after a plain answer a small model
stopped calling. Arguments cannot be mistaken for the user's, so one that comes back in a call was copied.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import cycle
from typing import Any, TypeAlias

from langchain_toolemu.contract.dialects import Dialect, json_text, write_result
from langchain_toolemu.tools import ToolSet, ToolSpec
from langchain_toolemu.validation import fit
from langchain_toolemu.validation.schema import CompiledSchema, Shape

PLACEHOLDERS = ("Zorbel", "Quimfa", "Drunvik", "Fleppo", "Marrowin", "Tibbock", "Vasquil", "Krendo", "Pluvane", "Snarlet")  # fmt: skip
NUMBERS = (4173, 6281, 9357, 7483, 5914, 8526, 3871, 6342, 9165, 2613)

_SHOWN_NUMBERS = frozenset(map(str, NUMBERS))
_DIGITS = re.compile(r"\d+")
_MAX_DEPTH = 4
# For patterns that no placeholder matches: codes, dates, times, addresses.
_SPELLINGS = (
    "A1", "AB", "ab", "A", "1", "12", "123", "1234", "12345", "AB12", "AB-12", "AB-1234", "2024-01-31", "12:30", "12:30:00",
    "2024-01-31T12:30:00Z", "a@example.com", "https://example.com", "+15550123", "555-0123", "#a1b2c3", "1.0", "1.0.0",
    "127.0.0.1", "a-b", "a_b", "a.b", "/a", "00000000-0000-0000-0000-000000000000",
)  # fmt: skip


class Values:
    """Values for arguments, one after the other: a value seen twice is one worth copying."""

    def __init__(self) -> None:
        self._words = cycle(PLACEHOLDERS)
        self._numbers = cycle(NUMBERS)

    def arguments(self, tool: ToolSpec) -> dict[str, Any]:
        """The required arguments of a tool, or its first one if none is."""
        wanted = tool.required or tuple(tool.properties)[:1]
        return {name: self._value(tool.schema, tool.properties.get(name), 0) for name in wanted}

    def _value(self, schemas: CompiledSchema, schema: Any, depth: int) -> Any:
        """A value that the schema offers, an example or a default, if it fits; else one by its type."""
        shapes, examples = schemas.shapes(schema), schemas.annotation(schema, "examples")
        first = examples[0] if isinstance(examples, list) and examples else None
        members = (value for shape in shapes for value in (shape.members or {}).values())
        for offered in (first, next(members, None), schemas.annotation(schema, "default")):
            if offered is not None and _fits(offered, schemas, schema):
                return offered
        shape = next((candidate for candidate in shapes if candidate.type != "null"), None)
        if shape is None:
            return None if shapes else next(self._words)
        return self._of_shape(schemas, shape, depth)

    def _of_shape(self, schemas: CompiledSchema, shape: Shape, depth: int) -> Any:
        match shape.type:
            case "integer":
                return _within(next(self._numbers), shape)
            case "number":
                return _within(next(self._numbers) + 0.5, shape)
            case "boolean":
                return True
            case "array":
                return [] if depth > _MAX_DEPTH else self._array(schemas, shape, depth)
            case "object":
                names = shape.required if depth <= _MAX_DEPTH else ()
                inner = {name: shape.of_name(name) for name in names}
                return {name: self._value(schemas, inner[name], depth + 1) for name in names}
        return _spell(next(self._words), shape)

    def _array(self, schemas: CompiledSchema, shape: Shape, depth: int) -> list[Any]:
        least, most = _bounds(shape, "minItems", "maxItems")
        size = max(len(shape.prefix), 0 if shape.items is False else 2)
        size = max(int(least or 0), min(size, int(most) if most is not None else size))
        return [self._value(schemas, shape.of_index(index), depth + 1) for index in range(size)]


def fits(tool: ToolSpec, args: Mapping[str, Any]) -> bool:
    """Whether an example call is one that would be accepted."""
    fitted = fit(args, tool.schema)
    return not fitted.errors and not fitted.notes


def _fits(value: Any, schemas: CompiledSchema, schema: Any) -> bool:
    root = schemas.root if isinstance(schemas.root, Mapping) else {}
    known = {key: root[key] for key in ("$defs", "definitions") if key in root}
    return fits(ToolSpec("", "", {**known, "properties": {"x": schema}}), {"x": value})


def _bounds(shape: Shape, low: str, high: str) -> tuple[float | None, float | None]:
    bounds = {limit.keyword: limit.bound for limit in shape.limits}
    return bounds.get(low), bounds.get(high)


def _within(number: float, shape: Shape) -> float:
    """A number that a schema's limits admit: an example must not teach what would be refused."""
    low, high = _bounds(shape, "minimum", "maximum")
    above, below = _bounds(shape, "exclusiveMinimum", "exclusiveMaximum")
    low, high = above if low is None else low, below if high is None else high
    inside = _between(number, low, high)
    step = next((limit.bound for limit in shape.limits if limit.keyword == "multipleOf"), None)
    return inside // step * step if step and step > 0 else inside


def _between(number: float, low: float | None, high: float | None) -> float:
    if low is not None and high is not None and not low < number < high:
        middle = (low + high) / 2
        return int(middle) if isinstance(number, int) else middle
    if low is not None and number <= low:
        return low + 1
    return high - 1 if high is not None and number >= high else number


def _spell(word: str, shape: Shape) -> str:
    """A word of an allowed length that matches the pattern, if one is known that does."""
    least, most = _bounds(shape, "minLength", "maxLength")
    long_enough = word * (1 + int(least or 0) // len(word)) if len(word) < (least or 0) else word
    sized = long_enough[: int(most)] if most is not None else long_enough
    for spelling in (sized, *_SPELLINGS):
        if not any(limit.miss(spelling, "string") for limit in shape.limits):
            return spelling
    return sized


# --- values that come back ---


def copied_values(args: Mapping[str, Any], texts: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The arguments with a value of the examples that nobody mentioned, each with that value."""
    for name, value in args.items():
        written = as_spoken(value)
        shown = [word for word in PLACEHOLDERS if word in written]
        shown += [number for number in _DIGITS.findall(written) if number in _SHOWN_NUMBERS]
        yield from ((name, copied) for copied in shown if not any(copied in text for text in texts))


def as_spoken(value: Any) -> str:
    """A value as a user would say it."""
    return value if isinstance(value, str) else json_text(value)


_RESULT = "example result"
_MAX_LOOKED_AT = 20  # tools
_MAX_REPEATED = 1000  # characters of a question: what is asked for is mostly at its end

_GREETING = ("Hello!", "Hello! How can I help you?")
# A politer answer makes models embellish the user's texts, too: "Good luck!" for good luck.
_BARE_GREETING = ("Hello", "Hello")
_FACT = ("How do magnets work?", "Magnets pull on iron because of their magnetic field.")
# Answers of the examples, and what somebody must have said for them to be a model's own.
_ANSWER = (
    f"Here is the result: {_RESULT}."  # the smallest models repeat it with results of their own
)
_MADE_UP_ANSWERS = {_ANSWER: _RESULT, _FACT[1]: "magnet"}

Example: TypeAlias = tuple[str, str]  # what a user says, and what the assistant answers

PLAIN_EXAMPLES: tuple[Example, ...] = (_BARE_GREETING, _FACT)
"""Those without a call: nothing in them can be copied into one."""


def write_examples(tools: ToolSet, dialect: Dialect, continuation: str) -> tuple[Example, ...]:
    """A greeting, a task of two calls and its answer, a question of one call and its answer, one of no call, a call.

    With the task's answer alone, the embedded model went on calling in 11 of 20 cases where one was enough; so in 1.
    """
    shown = [*_showable(tools)]
    if not shown:
        return _GREETING, _FACT
    writer = ExampleWriter(dialect, continuation)
    first, second, third = (shown[min(place, len(shown) - 1)] for place in range(3))
    # A tool without arguments that is called twice would be the very call that models are told not to repeat.
    repeats = first is second and not Values().arguments(first)
    task = () if repeats else tuple(writer.task(first, second))
    return (_GREETING, *task, *writer.question(third), _FACT, writer.call(first))


def write_three(tools: ToolSet, dialect: Dialect, continuation: str) -> tuple[Example, ...]:
    """A greeting, a question of no call, and a call: when to call and when not, and nothing that could be an answer."""
    shown = next(_showable(tools), None)
    called = (ExampleWriter(dialect, continuation).call(shown),) if shown else ()
    return (*PLAIN_EXAMPLES, *called)


def write_four(tools: ToolSet, dialect: Dialect, continuation: str) -> tuple[Example, ...]:
    """The same, and before the call a request for two things, for each of which a call is made at once.

    The last one is for two things, too, of which the second needs the first one's result. A model of 1.5 billion parameters
    calls for one thing without the first of these examples, and makes up the result without the second.
    """
    shown = [*_showable(tools)]
    if not shown:
        return PLAIN_EXAMPLES
    writer = ExampleWriter(dialect, continuation)
    # The shortest call: what is shown is how to call twice, not the tool.
    briefest = sorted(shown[:_MAX_LOOKED_AT], key=lambda tool: len(str(Values().arguments(tool))))
    pair = next((pair for tool in briefest if (pair := writer.calls(tool))), None)
    if pair is None:
        return (*PLAIN_EXAMPLES, writer.call(shown[0]))
    second = next((tool for tool in shown[1:] if Values().arguments(tool)), None)
    first_only = writer.two_steps(shown[0], second)[:2] if second else writer.call(shown[0])
    return (*PLAIN_EXAMPLES, pair, first_only)


def _showable(tools: ToolSet) -> Iterator[ToolSpec]:
    return (tool for tool in tools if fits(tool, Values().arguments(tool)))


def copied_answers(texts: Sequence[str]) -> tuple[str, ...]:
    """The examples' answers that are only copied, wherever they come: nobody in the conversation speaks of it."""
    heard = "\n".join(texts).lower()
    return tuple([answer for answer, subject in _MADE_UP_ANSWERS.items() if subject not in heard])


def copied_words(texts: Sequence[str]) -> tuple[str, ...]:
    """The words of the examples that are only copied, wherever they come: nobody in the conversation wrote them."""
    heard = "\n".join(texts).lower()
    return tuple(word for word in (*PLACEHOLDERS, _RESULT) if word.lower() not in heard)


def fill_in(continuation: str, question: str) -> str:
    """What is said after a result, with the user's question where it is to be repeated; an image alone has no words."""
    return continuation.replace("{question}", question[-_MAX_REPEATED:]).lstrip("\n")


class ExampleWriter:
    """Writes turns, each with values of its own: a value seen twice is one worth copying."""

    def __init__(self, dialect: Dialect, continuation: str) -> None:
        self._dialect = dialect
        self._continuation = continuation
        self._values = Values()

    def call(self, tool: ToolSpec) -> Example:
        """A request and the call it leads to."""
        args = self._values.arguments(tool)
        return f"{_request(tool, args)}.", self._dialect.write(tool.name, args)

    def calls(self, tool: ToolSpec) -> Example | None:
        """A request for two things that one tool does, and a call for each, if they differ."""
        first, second = (self._values.arguments(tool) for _ in range(2))
        if first == second or not (fits(tool, first) and fits(tool, second)):
            return None
        request = f"{_request(tool, first)}, and {_say(second)}."
        return request, self._dialect.write_all([(tool.name, first), (tool.name, second)])

    def question(self, tool: ToolSpec) -> Iterator[Example]:
        """The same as a question, and the answer to its result: one call is mostly all that is wanted."""
        args = self._values.arguments(tool)
        request = _request(tool, args)
        if request.split(" ", 1)[0][1:].islower():  # else it begins with a name
            request = f"{request[:1].lower()}{request[1:]}"
        question = f"Can you {request}?"
        yield question, self._dialect.write(tool.name, args)
        yield self._answer(tool, question)

    def task(self, first: ToolSpec, second: ToolSpec) -> Iterator[Example]:
        """A request for two things: a call, after its result another that needs it, after that the answer."""
        question, called, args = self.two_steps(first, second)
        result = as_spoken([*args.values()][-1]) if args else _RESULT
        yield question, called
        yield self._after(first, result, question), self._dialect.write(second.name, args)
        yield self._answer(second, question)

    def two_steps(self, first: ToolSpec, second: ToolSpec) -> tuple[str, str, dict[str, Any]]:
        """A request whose second part needs the result of the first; its first call; the arguments of its second."""
        request, called = self.call(first)
        args = self._values.arguments(second)
        unknown = dict.fromkeys([*args][-1:], "the result")
        return f"{request} Then: {_request(second, {**args, **unknown})}.", called, args

    def _answer(self, tool: ToolSpec, question: str) -> Example:
        return self._after(tool, _RESULT, question), _ANSWER

    def _after(self, tool: ToolSpec, result: str, question: str) -> str:
        return f"{write_result(tool.name, result)}\n\n{fill_in(self._continuation, question)}"


def _request(tool: ToolSpec, args: Mapping[str, Any]) -> str:
    """What a user would say who knows the tool's description and its arguments' names."""
    purpose = " ".join(tool.description.split()).split(". ")[0].rstrip(".") or f"Use {tool.name}"
    return f"{purpose}: {_say(args)}" if args else purpose


def _say(args: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {as_spoken(value)}" for name, value in args.items())
