"""The suites: what is asked, and who judges.

BFCL's questions are judged by BFCL's checker, its conversations by its multi-turn checker after an agent played them, our
agent tasks by what their tools did. Of the agent tasks only those of authors whose tasks were held out are asked by default.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from langchain_core.messages import convert_to_messages

from tests.benchmarks.agents import bfcl_tasks, outside, playing
from tests.benchmarks.agents.outside import Factory, by_turns
from tests.benchmarks.agents.world import FOLDER, load
from tests.benchmarks.leaderboard import official
from tests.benchmarks.leaderboard.ways import BfclPrompt, Docs

Item = TypeVar("Item")
HELD_OUT = ("eli", "fay")
SINGLE: Mapping[str, tuple[str, ...]] = {
    "non-live": ("simple_python", "multiple", "parallel", "parallel_multiple"),
    "live": ("live_simple", "live_multiple", "live_parallel", "live_parallel_multiple"),
    "irrelevance": ("irrelevance", "live_irrelevance"),
}
"""BFCL's single questions, by the column that it publishes."""

SUITES = (*SINGLE, "multi-turn", "agents")
_BY_SIZE = (
    "live"  # BFCL weighs its categories by their size; the other columns are means of categories
)


@dataclass(frozen=True)
class Case:
    """One thing to ask a model."""

    suite: str
    category: str
    id: str
    run: Callable[[Any], bool]
    docs: Docs


def cases(suite: str, limit: int | None, authors: Sequence[str] = HELD_OUT) -> list[Case]:
    """The cases of a suite: all, or at most so many, taken evenly from the whole."""
    match suite:
        case "multi-turn":
            found = [_conversation(*one) for one in bfcl_tasks.conversations()]
            groups = [found]
        case "agents":
            files = [FOLDER / f"{name}.json" for name in authors]
            groups = [[_task(domain, task) for domain, task in load(*files)]]
        case _:
            asked = [[_question(suite, one, row) for row in official.entries(one)] for one in SINGLE[suite]]  # fmt: skip
            groups = [[one for group in asked for one in group]] if suite == _BY_SIZE else asked
    return list(by_turns(map(evenly, groups)))[:limit]


def evenly(items: Sequence[Item]) -> Iterator[Item]:
    """All items in an order of which every beginning is spread over the whole."""
    golden = (math.sqrt(5) - 1) / 2
    for number in sorted(range(len(items)), key=lambda place: place * golden % 1):
        yield items[number]


def _question(suite: str, category: str, row: Mapping[str, Any]) -> Case:
    docs = {one["name"].replace(".", "_"): one for one in row["function"]}
    return Case(suite, category, row["id"], partial(_ask, row), docs)


def _ask(row: Mapping[str, Any], model: Any) -> bool:
    asked = convert_to_messages(row["question"][0])
    message = model.bind_tools(official.declared(row["function"])).invoke(asked)
    dots = isinstance(model, BfclPrompt)
    return official.is_right(row, message.tool_calls, dots=dots)


def _conversation(name: str, docs: Docs, make: Factory) -> Case:
    return Case("multi-turn", "multi_turn_base", name, partial(_play, make), docs)


def _play(make: Factory, model: Any) -> bool:
    task = make()
    messages, ended = outside.play(task, model)
    # As for the leaderboard, a turn that was broken off fails the conversation.
    return ended and task.check(outside.answer_of(messages))


def _task(domain: Mapping[str, Any], task: Mapping[str, Any]) -> Case:
    def run(model: Any) -> bool:
        return bool(playing.play(domain, task, model)["done"])

    return Case("agents", task["kind"], task["name"], run, {})
