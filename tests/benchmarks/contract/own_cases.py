"""The cases that were written here: requests, idle turns, several things at once, forms to fill."""

import inspect
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from langchain_core.messages import BaseMessage, HumanMessage

from langchain_toolemu.tools import to_openai_tools
from tests.benchmarks.contract import (
    errands,
    indirect,
    languages,
    near,
    plain,
    recall,
    structured,
)
from tests.benchmarks.contract.case import Case, Model, Outcome, asking, is_answer, written
from tests.benchmarks.contract.copies import from_examples
from tests.benchmarks.contract.loops import looping
from tests.benchmarks.contract.truth import Truth, are_right, is_right, same


def plain_cases() -> list[Case]:
    """Plain requests for three tools."""
    tools = to_openai_tools(plain.TOOLS)
    return [
        Case(question, asking(question, tools, _is(Truth(name, _alternatives(name, args)))))
        for question, name, args in plain.REQUESTS
    ]


def small_talk_cases() -> list[Case]:
    """Small talk beside the same tools."""
    tools = to_openai_tools(plain.TOOLS)
    return [Case(text, asking(text, tools, is_answer)) for text in plain.SMALL_TALK]


def _is(truth: Truth) -> Callable[[Any], bool]:
    return lambda message: is_right(message.tool_calls, truth)


def _alternatives(name: str, args: Mapping[str, Any]) -> dict[str, list[Any]]:
    """A sum is right either way round."""
    either = list(args.values()) if name == plain.SUM else []
    return {key: [value, *either] for key, value in args.items()}


def errand_cases() -> list[Case]:
    """Requests for ten tools."""
    return _errands(errands.REQUESTS)


def language_cases() -> list[Case]:
    """Requests for the same tools in other languages."""
    return _errands(languages.REQUESTS)


def _errands(requests: Sequence[tuple[str, str, Mapping[str, Any]]]) -> list[Case]:
    tools = to_openai_tools(errands.TOOLS)
    return [
        Case(text, asking(text, tools, _is(_errand(name, args)))) for text, name, args in requests
    ]


def _errand(name: str, args: Mapping[str, Any]) -> Truth:
    """A call of an errand's tool: what was not asked for may be left out, or be given as nothing."""
    tool = next(tool for tool in errands.TOOLS if tool.__name__ == name)
    optional = {key: ["", None] for key in inspect.signature(tool).parameters}
    return Truth(name, {**optional, **{key: _either(value) for key, value in args.items()}})


def _either(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def idle_cases(texts: Sequence[str]) -> list[Case]:
    """Messages that none of these tools is for."""
    tools = to_openai_tools(errands.TOOLS)
    return [Case(text, asking(text, tools, is_answer)) for text in texts]


def several_cases() -> list[Case]:
    """Requests for several things, to be called in one reply."""
    tools = to_openai_tools(errands.TOOLS)
    return [Case(text, asking(text, tools, _are(truths))) for text, truths in _several()]


def several_loop_cases() -> list[Case]:
    """The same, to be called by the end of an agent's loop."""
    tools = to_openai_tools(errands.TOOLS)
    return [Case(text, looping([HumanMessage(text)], tools, truths)) for text, truths in _several()]


def _several() -> list[tuple[str, list[Truth]]]:
    return [(text, [_errand(*one) for one in wanted]) for text, wanted in errands.SEVERAL]


def _are(truths: Sequence[Truth]) -> Callable[[Any], bool]:
    return lambda message: are_right(message.tool_calls, truths)


def recall_cases() -> list[Case]:
    """Questions about the conversation: nothing of the contract may come back."""
    tools = to_openai_tools(plain.TOOLS)
    return [
        Case(f"{name}: {question}", _recalling([*history, HumanMessage(question)], tools))
        for question in recall.QUESTIONS
        for name, history in recall.HISTORIES.items()
    ]


def _recalling(messages: Sequence[BaseMessage], tools: Sequence[Any]) -> Callable[[Model], Outcome]:
    """Whether nothing comes back that only an example of the contract says."""

    def run(model: Model) -> Outcome:
        message = model.bind_tools(list(tools)).invoke(list(messages))
        said = written(message)
        return Outcome(not from_examples(said, messages, tools), bool(message.tool_calls), said)

    return run


def indirect_cases() -> list[Case]:
    """Requests that name no tool."""
    return [
        Case(text, asking(text, tools, _needed_calls(needed)))
        for text, tools, needed in indirect.REQUESTS
    ]


def _needed_calls(needed: Sequence[indirect.Needed]) -> Callable[[Any], bool]:
    return lambda message: indirect.are_needed(message.tool_calls, needed)


def near_cases() -> list[Case]:
    """Messages that come near a tool and need none."""
    return [Case(text, asking(text, tools, is_answer)) for text, tools in near.MESSAGES]


def form_cases() -> list[Case]:
    """Schemas to fill from a text."""
    return [Case(case.schema.__name__, _filling(case)) for case in structured.CASES]


def _filling(case: structured.Filled) -> Callable[[Model], Outcome]:
    def run(model: Model) -> Outcome:
        asked = f"Extract the {case.schema.__name__} from this text: {case.text}"
        got = model.with_structured_output(case.schema).invoke(asked)
        values = got.model_dump() if got is not None else {}
        good = all(same(values.get(key), value) for key, value in case.values.items())
        return Outcome(good, bool(values), json.dumps(values, default=str))

    return run
