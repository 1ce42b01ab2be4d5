"""Few-shot turns made from the bound tools' own schemas. Examples teach small models more than rules do.

What is asked in them is what a tool's description says. A question that leads to a call is next to one answered in
words: whether to call must not hang on how a request begins. The last turn is a call: after a plain answer a small model
stopped calling. Arguments cannot be mistaken for the user's, so one that comes back in a call was copied.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from langchain_toolemu.contract.dialects import Dialect, write_result
from langchain_toolemu.contract.example_values import PLACEHOLDERS, Values, as_spoken, fits
from langchain_toolemu.tools import ToolSet, ToolSpec

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
        return f"{self._request(tool, args)}.", self._dialect.write(tool.name, args)

    def calls(self, tool: ToolSpec) -> Example | None:
        """A request for two things that one tool does, and a call for each, if they differ."""
        first, second = (self._values.arguments(tool) for _ in range(2))
        if first == second or not (fits(tool, first) and fits(tool, second)):
            return None
        request = f"{self._request(tool, first)}, and {self._values.say(second)}."
        return request, self._dialect.write_all([(tool.name, first), (tool.name, second)])

    def question(self, tool: ToolSpec) -> Iterator[Example]:
        """The same as a question, and the answer to its result: one call is mostly all that is wanted."""
        args = self._values.arguments(tool)
        request = self._request(tool, args)
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
        return f"{request} Then: {self._request(second, {**args, **unknown})}.", called, args

    def _answer(self, tool: ToolSpec, question: str) -> Example:
        return self._after(tool, _RESULT, question), _ANSWER

    def _after(self, tool: ToolSpec, result: str, question: str) -> str:
        return f"{write_result(tool.name, result)}\n\n{fill_in(self._continuation, question)}"

    def _request(self, tool: ToolSpec, args: Mapping[str, Any]) -> str:
        """What a user would say who knows the tool's description and its arguments' names."""
        purpose = " ".join(tool.description.split()).split(". ")[0].rstrip(".")
        purpose = purpose or f"Use {tool.name}"
        return f"{purpose}: {self._values.say(args)}" if args else purpose
