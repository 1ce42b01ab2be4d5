"""BFCL's conversations (version 4, multi_turn_base) as tasks for any agent: see outside.py for what to install.

The leaderboard's own simulators run the calls, and its own `multi_turn_checker` judges: after each turn, the state must be
the ground truth's, and the results so far must contain those of the ground truth's calls. It runs all calls again, on fresh
simulators, as it does for the leaderboard. Left out are the conversations whose ground truth changes nothing. None has fewer
than 17 tools; those with at most three turns and the fewest tools come first.
"""

import importlib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import count, groupby, islice, pairwise
from typing import Any

from tests.benchmarks.agents.acting import Called, acts_of, changes
from tests.benchmarks.agents.outside import Factory, OutsideTask, acts_in, by_turns, tools_of
from tests.benchmarks.bfcl.cases import data_folder
from tests.benchmarks.trust.bfcl_turns import (
    _lines,
    _parsed,
    _properties,
    _tools_of,
    docs_of,
)
from tests.benchmarks.trust.imports import add_folder, enter

_CATEGORY = "multi_turn_base"
_CHECKERS = "bfcl_eval.eval_checker.multi_turn_eval"
_DOMAINS = ("GorillaFileSystem", "VehicleControlAPI", "TradingBot", "TravelAPI")
_TURNS = 3  # longer conversations come last
_NUMBERS = count()


def load(folder: str | None, limit: int) -> Iterator[Factory]:
    """Factories of the tasks, from each domain in turn."""
    add_folder(folder)
    rows = sorted((row for row in _rows() if _changes(row)), key=_domain)
    groups = [sorted(group, key=_size) for _, group in groupby(rows, _domain)]
    yield from islice((partial(_task, row) for row in by_turns(groups)), limit)


def conversations() -> Iterator[tuple[str, Mapping[str, Any], Factory]]:
    """Every conversation: its name, BFCL's descriptions of its functions, and its factory. Its acts are not looked for."""
    for row in _rows():
        docs = {one["name"]: one for one in docs_of(row)}
        yield row["id"], docs, partial(_task, row, frozenset())


def _task(row: Mapping[str, Any], acts: frozenset[str] | None = None) -> OutsideTask:
    world, log, ends = _World(row), list[tuple[str, dict[str, Any], bool]](), list[int]()
    acts = _acts() if acts is None else acts
    return OutsideTask(
        name=f"bfcl/{_domain(row)}/{row['id']}",
        turns=[said["content"] for turn in row["question"] for said in turn],
        tools=tools_of(world, log),
        system="",
        check=lambda _: world.is_done(_by_turn([(name, args) for name, args, _ in log], ends)),
        log=log,
        acts=acts & {tool["function"]["name"] for tool in world.described},
        given_acts=acts_in(world.truth, acts),
        truth=world.truth,
        end_turn=lambda: ends.append(len(log)),
    )


class _World:
    """The simulators of a conversation, in the state in which it begins."""

    def __init__(self, row: Mapping[str, Any]) -> None:
        self._row, self._name = row, f"outside{next(_NUMBERS)}"
        self.described = _tools_of(row)
        declared = {one["function"]["name"]: list(_properties(one)) for one in self.described}
        parsed = [[_parsed(call, declared) for call in turn] for turn in row["truth"]]
        self.truth = [[(call.name, dict(call.args)) for call in turn] for turn in parsed]
        self._simulators = self._execute([])[1]

    def run(self, name: str, args: Mapping[str, Any]) -> tuple[str, bool]:
        """Run a call as the leaderboard does."""
        if not _is_sayable(args):
            return f"Error during execution: no such parameters: {', '.join(args)}", True
        text = str(self._execute([_written(name, args)])[0][0])
        return text, text.startswith(("Error during execution", '{"error"'))

    def state(self) -> Any:
        """What the leaderboard's state check compares: all that is not private."""
        return {
            name: {key: one for key, one in vars(simulator).items() if not key.startswith("_")}
            for name, simulator in self._simulators.items()
        }

    def is_done(self, made: Sequence[Sequence[Called]]) -> bool:
        """The leaderboard's own verdict on the calls of each turn."""
        truth = self._row["truth"]
        if len(made) == 1:
            truth = [[call for turn in truth for call in turn]]
        steps = [[[_written(*call)] for call in turn if _is_sayable(call[1])] for turn in made]
        steps += [[] for _ in truth[len(steps) :]]
        check = _module("multi_turn_checker").multi_turn_checker
        return bool(check(steps, truth, self._row, _CATEGORY, f"{self._name}check")["valid"])

    def _execute(self, calls: list[str]) -> Any:
        return _module("multi_turn_utils").execute_multi_turn_func_call(
            calls,
            self._row["initial_config"],
            self._row["involved_classes"],
            self._name,
            self._row["id"],
        )


def _by_turn(calls: Sequence[Called], ends: Sequence[int]) -> list[Sequence[Called]]:
    """The calls of each turn; a last turn that did not end is one, too."""
    return [calls[start:end] for start, end in pairwise((0, *ends, len(calls)))]


def _is_sayable(args: Mapping[str, Any]) -> bool:
    """Whether a call can be written as Python, in which the leaderboard runs it."""
    return all(name.isidentifier() for name in args)


def _written(name: str, args: Mapping[str, Any]) -> str:
    return f"{name}({', '.join(f'{key}={value!r}' for key, value in args.items())})"


@cache
def _rows() -> list[dict[str, Any]]:
    """The conversations, each with its ground truth."""
    file = f"BFCL_v4_{_CATEGORY}.json"
    answers = _lines(data_folder() / "possible_answer" / file)
    rows = zip(_lines(data_folder() / file), answers, strict=True)
    return [{**row, "truth": answer["ground_truth"]} for row, answer in rows]


@cache
def _acts() -> frozenset[str]:
    return acts_of([_World(row) for row in _rows()], tried_in=12)


def _changes(row: Mapping[str, Any]) -> bool:
    world = _World(row)
    return any(list(changes(world, [call for turn in world.truth for call in turn])))


def _domain(row: Mapping[str, Any]) -> str:
    """The one class of a conversation that is no companion of others."""
    return next(name for name in _DOMAINS if name in row["involved_classes"])


def _size(row: Mapping[str, Any]) -> tuple[bool, int]:
    return len(row["question"]) > _TURNS, len(_tools_of(row))


def _module(name: str) -> Any:
    enter(_CHECKERS)
    return importlib.import_module(f"{_CHECKERS}.{name}")
