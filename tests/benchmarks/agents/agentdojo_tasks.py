"""AgentDojo's user tasks, without injections, as tasks for any agent: see outside.py for what to install.

A task's own `utility` judges the environment before and after. Left out are tasks whose ground truth changes nothing,
since only words could be judged there, and tasks whose check passes when nothing was done. Some of the rest ask for words
in the answer, too; they come last in their suite, with the tasks of more than four calls.
"""

import importlib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import islice
from typing import Any

import yaml

from tests.benchmarks.agents.acting import Called, acts_of
from tests.benchmarks.agents.outside import Factory, OutsideTask, acts_in, by_turns, tools_of
from tests.benchmarks.trust.agentdojo_turns import described_tool, suites
from tests.benchmarks.trust.imports import add_folder, enter

# Marks that reading leaves: an email was read, a page was asked for.
_MARKS = ("read", "web_requests")
_CALLS = 4  # of a ground truth; longer ones come last


def load(folder: str | None, limit: int) -> Iterator[Factory]:
    """Factories of the tasks, from each suite in turn."""
    add_folder(folder)
    yield from islice(by_turns(_suite_tasks(name) for name in suites()), limit)


def _suite_tasks(suite: str) -> list[Factory]:
    """A suite's tasks that the state decides, the plainest first."""
    ranks = {name: rank for name in suites()[suite].user_tasks if (rank := _rank(suite, name))}
    return [partial(_task, suite, name) for name in sorted(ranks, key=ranks.__getitem__)]


def _task(suite: str, name: str) -> OutsideTask:
    world = _World(suite, suites()[suite].user_tasks[name])
    log: list[tuple[str, dict[str, Any], bool]] = []
    return OutsideTask(
        name=f"agentdojo/{suite}/{name}",
        turns=[world.task.PROMPT],
        tools=tools_of(world, log),
        system=_system(),
        check=lambda answer: world.is_done(answer, [(name, args) for name, args, _ in log]),
        log=log,
        acts=_acts(suite),
        given_acts=acts_in(world.truth, _acts(suite)),
        truth=world.truth,
        answer=world.task.GROUND_TRUTH_OUTPUT,
        reads_answer=bool((rank := _rank(suite, name)) and rank[0]),
    )


class _World:
    """A task's environment and the suite's functions, which work on it."""

    def __init__(self, suite: str, task: Any) -> None:
        self.task, self._suite = task, suites()[suite]
        environment = _environment(suite).model_copy(deep=True)
        # Injections, of which only the ground truth is of use here, begin with the suite's environment.
        self._now = getattr(task, "init_environment", lambda given: given)(environment)
        self._before = self._now.model_copy(deep=True)
        runtime = _module("functions_runtime").FunctionsRuntime
        self._runtime = runtime(self._suite.tools)
        self.described = _described(suite)
        right = task.ground_truth(self._before.model_copy(deep=True))
        self.truth = [[(one.function, dict(one.args)) for one in right]]

    def run(self, name: str, args: Mapping[str, Any]) -> tuple[str, bool]:
        """Run a call as the package's own runner does."""
        executor = _module("agent_pipeline.tool_execution").ToolsExecutor()
        message = {"role": "assistant", "content": None, "tool_calls": [_function_call(name, args)]}
        try:
            done = executor.query("", self._runtime, self._now, [message])[3][-1]
        except Exception as error:  # noqa: BLE001 - whatever the suite's function raises
            return f"{type(error).__name__}: {error}", True
        text = _module("types").get_text_content_as_str(done["content"])
        return done["error"] or text, bool(done["error"])

    def state(self) -> Any:
        """The environment, without the marks that reading leaves."""
        return _unmarked(self._now.model_dump())

    def is_done(self, answer: str, calls: Sequence[Called]) -> bool:
        """The suite's own verdict."""
        said = [_module("types").text_content_block_from_string(answer)]
        traces = [_function_call(name, args) for name, args in calls]
        try:
            return bool(
                self._suite._check_task_result(self.task, said, self._before, self._now, traces)
            )
        except Exception:  # noqa: BLE001 - a check that trips over what was done has not passed
            return False


@cache
def _rank(suite: str, name: str) -> tuple[bool, bool, int] | None:
    """Where a task belongs among the suite's, if its state decides: the check reads words, it is long, its number."""
    task = suites()[suite].user_tasks[name]
    world = _World(suite, task)
    start, calls = world.state(), world.truth[0]
    if world.is_done(task.GROUND_TRUTH_OUTPUT, []):
        return None
    for call in calls:
        world.run(*call)
    if world.state() == start:
        return None
    reads = not world.is_done("", calls)
    return reads, len(calls) > _CALLS, int(name.rpartition("_")[2])


@cache
def _acts(suite: str) -> frozenset[str]:
    """The suite's functions that change an environment, in this suite or in another."""
    return _all_acts() & {function.name for function in suites()[suite].tools}


@cache
def _all_acts() -> frozenset[str]:
    found: set[str] = set()
    for name, suite in suites().items():
        tasks = (*suite.user_tasks.values(), *suite.injection_tasks.values())
        found |= acts_of([_World(name, task) for task in tasks], tried_in=2)
    return frozenset(found)


@cache
def _described(suite: str) -> list[dict[str, Any]]:
    return [described_tool(function) for function in suites()[suite].tools]


@cache
def _environment(suite: str) -> Any:
    return suites()[suite].load_and_inject_default_environment({})


@cache
def _system() -> str:
    """The package's own system prompt."""
    text = (enter("agentdojo") / "data" / "system_messages.yaml").read_text("utf-8")
    return str(yaml.safe_load(text)["default"]).strip()


def _function_call(name: str, args: Mapping[str, Any]) -> Any:
    return _module("functions_runtime").FunctionCall(function=name, args=dict(args))


def _module(name: str) -> Any:
    return importlib.import_module(f"agentdojo.{name}")


def _unmarked(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _unmarked(one) for key, one in value.items() if key not in _MARKS}
    return [_unmarked(one) for one in value] if isinstance(value, list) else value
