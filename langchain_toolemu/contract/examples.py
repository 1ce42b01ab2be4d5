"""Few-shot turns made from the bound tools' own schemas. Examples teach small models more than rules do.

They show every step there is: a plain answer, a call, an answer to its result, another call after a result. What is asked
in them is what the tool's description says it does, so that they also teach which tool is for what. A question that
leads to a call is next to one that is answered in words: whether to call must not hang on how a request begins. The
last turn is always a call: a plain answer next to the user's question made a small model stop calling.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from langchain_toolemu.contract.dialects import Dialect, write_result
from langchain_toolemu.contract.values import PLACEHOLDERS, Values, fits, spoken
from langchain_toolemu.tools import ToolSet, ToolSpec

_RESULT = "example result"
_MAX_REPEATED = 1000  # characters of a question: what is asked for is mostly at its end

_GREETING = ("Hello!", "Hello! How can I help you?")
_BARE_GREETING = ("Hello", "Hello")
"""A politer answer makes models embellish the user's texts, too: "Good luck!" for good luck."""

_FACT = ("How do magnets work?", "Magnets pull on iron because of their magnetic field.")

_MADE_UP_ANSWERS = {f"Done: {_RESULT}.": _RESULT, _FACT[1]: "magnet"}
"""Answers of the examples, and what somebody must have said for them to be a model's own."""

Example: TypeAlias = tuple[str, str]
"""What a user says, and what the assistant answers."""

PLAIN_EXAMPLES: tuple[Example, ...] = (_BARE_GREETING, _FACT)
"""Those without a call: nothing in them can be copied into one."""


def write_examples(tools: ToolSet, dialect: Dialect, continuation: str) -> tuple[Example, ...]:
    """A greeting, a task of two calls and its answer, a question of one call and its answer, one of no call, a call.

    Both answers are needed. With the task's alone, the embedded model went on calling after the first tool's results, in 11
    of 20 cases where one call was enough; with both in 1.
    """
    shown = [tool for tool in tools if fits(tool, Values().arguments(tool))]
    if not shown:
        return _GREETING, _FACT
    writer = ExampleWriter(dialect, continuation)
    first, second, third = (shown[min(place, len(shown) - 1)] for place in range(3))
    # A tool without arguments that is called twice would be the very call that models are told not to repeat.
    repeats = first is second and not Values().arguments(first)
    return (
        _GREETING,
        *(() if repeats else writer.task(first, second)),
        *writer.question(third),
        _FACT,
        writer.call(first),
    )


def write_three(tools: ToolSet, dialect: Dialect, continuation: str) -> tuple[Example, ...]:
    """A greeting, a question of no call, and a call: when to call and when not, and nothing that could be an answer."""
    shown = next((tool for tool in tools if fits(tool, Values().arguments(tool))), None)
    called = (ExampleWriter(dialect, continuation).call(shown),) if shown else ()
    return (_BARE_GREETING, _FACT, *called)


def copied_answers(said: Sequence[str]) -> tuple[str, ...]:
    """The examples' answers that are only copied, wherever they come: nobody in the conversation speaks of it."""
    unsaid = _unsaid(tuple(_MADE_UP_ANSWERS.values()), said)
    return tuple(answer for answer, subject in _MADE_UP_ANSWERS.items() if subject in unsaid)


def copied_words(said: Sequence[str]) -> tuple[str, ...]:
    """The words of the examples that are only copied, wherever they come: nobody in the conversation has said them."""
    return _unsaid((*PLACEHOLDERS, _RESULT), said)


def _unsaid(words: Sequence[str], said: Sequence[str]) -> tuple[str, ...]:
    texts = [text.lower() for text in said]
    return tuple(word for word in words if not any(word.lower() in text for text in texts))


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
        result = spoken(args[needs[0]]) if needs else _RESULT
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
        return self._values.arguments(tool)


def _request(tool: ToolSpec, args: Mapping[str, Any]) -> str:
    """What a user would say who knows the tool's description and its arguments' names."""
    purpose = " ".join(tool.description.split()).split(". ")[0].rstrip(".") or f"Use {tool.name}"
    said = ", ".join(f"{name} {spoken(value)}" for name, value in args.items())
    return f"{purpose}: {said}" if said else purpose


def _uncapitalised(text: str) -> str:
    """A sentence as a part of another, unless it begins with a name."""
    first = text.split(" ", 1)[0]
    return f"{text[:1].lower()}{text[1:]}" if first[1:].islower() else text
