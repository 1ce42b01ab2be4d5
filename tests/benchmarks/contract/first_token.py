"""How long a plain answer takes beside tools: to its first token, and whole."""

import time
from collections.abc import Iterator, Mapping, Sequence
from statistics import median
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage

from langchain_toolemu import forget_tool_support
from langchain_toolemu.tools import to_openai_tools
from tests.benchmarks.contract import errands, plain
from tests.benchmarks.contract.public_cases import spread
from tests.benchmarks.contract.variants import VARIANTS

_WARM_UP = 3  # what is learned of the model, and the server's prompt cache
_BASELINE = "inline"
_HISTORY: list[BaseMessage] = [
    HumanMessage("I have a garden with an old apple tree, and it has hardly any apples this year."),
    AIMessage("Old trees often bear in every second year. Pruning in late winter helps it along."),
    HumanMessage("And the leaves have brown spots."),
    AIMessage("That is probably apple scab, a fungus. Rake up the leaves in autumn and burn them."),
]


def time_variants(llm: BaseChatModel, names: Sequence[str], cases: int) -> list[dict[str, Any]]:
    """For each variant the seconds of each answer; a reply that calls is left out, and counted."""
    return [_time_variant(VARIANTS[name](llm), name, cases) for name in names]


def _time_variant(model: Any, name: str, cases: int) -> dict[str, Any]:
    forget_tool_support()
    bound = model.bind_tools(to_openai_tools(errands.TOOLS))
    (*questions,) = spread(plain.SMALL_TALK, cases + _WARM_UP)
    timed = [
        time_answer(bound, [*(_HISTORY if number % 2 else []), HumanMessage(question)])
        for number, question in enumerate(questions)
    ][_WARM_UP:]
    answers = [one for one in timed if one]
    return {
        "variant": name,
        "first": [first for first, _ in answers],
        "whole": [whole for _, whole in answers],
        "called": len(timed) - len(answers),
    }


def time_answer(model: Any, messages: Sequence[BaseMessage]) -> tuple[float, float] | None:
    """Seconds to the first shown text, and to the end; nothing if a tool was called."""
    began, first, called = time.perf_counter(), 0.0, False
    for chunk in model.stream(list(messages)):
        called = called or bool(chunk.tool_calls or chunk.invalid_tool_calls)
        if not first and chunk.text.strip():
            first = time.perf_counter() - began
    return None if called or not first else (first, time.perf_counter() - began)


def ratios(timed: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """A line for each variant: medians, and how many times those of the baseline they are."""
    yield "| variant | answers | first token, s | whole, s | first, times | whole, times |"
    yield "|---|---|---|---|---|---|"
    base = next((one for one in timed if one["variant"] == _BASELINE), None)
    for one in timed:
        middle = [_median(one[key]) for key in ("first", "whole")]
        of = [_median(base[key]) if base else 0.0 for key in ("first", "whole")]
        times = [f"{a / b:.2f}" if b else "" for a, b in zip(middle, of, strict=True)]
        seconds = [f"{value:.3f}" for value in middle]
        yield f"| {' | '.join([one['variant'], str(len(one['first'])), *seconds, *times])} |"


def _median(values: Sequence[float]) -> float:
    return median(values) if values else 0.0
