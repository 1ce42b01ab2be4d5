"""Agent tasks that other people wrote: `python -m tests.benchmarks.agents.outside --data DIR` checks that they can be judged.

    pip install --no-deps --target DIR agentdojo bfcl-eval
    pip install --no-deps --target DIR "deepdiff<9" orderly-set docstring-parser email-validator mpmath

The second line has small dependencies in pure Python (a later deepdiff needs a compiled one). What is judged is the state of
the tools' own world, by the code of those who wrote the task. The check: each ground truth, played by an agent whose model
has it by heart, does its task, and no task is done without a call, whatever is said.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from itertools import zip_longest
from threading import Lock
from typing import Any, TypeVar

from langchain.agents import create_agent
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import RunnableConfig
from langchain_core.tools import StructuredTool, ToolException
from langgraph.errors import GraphRecursionError

from tests.benchmarks.agents.acting import Called, World

Item = TypeVar("Item")
_STEPS = 42  # of an agent in one turn: 20 rounds of calls, as BFCL's own runner allows


@dataclass
class OutsideTask:
    """A task, with tools that work on its own world; it is good for one run.

    Attributes:
        name: Its name, which begins with the package's.
        turns: What the user says, turn by turn.
        tools: The tools, bound to this task's world.
        system: The suite's own system prompt, or nothing.
        check: Takes the final answer and tells whether the task is done; called once, after the last turn.
        log: Every call that the tools received, in order: name, arguments, whether it failed.
        acts: The names of the tools that change the world.
        given_acts: The acts of the ground truth.
        truth: All calls of the ground truth, turn by turn.
        answer: What the ground truth says in the end.
        reads_answer: Whether the check asks for words in the answer besides what it asks of the state.
        end_turn: To be called after each turn; without it, all turns are judged as one.
    """

    name: str
    turns: list[str]
    tools: list[StructuredTool]
    system: str
    check: Callable[[str], bool]
    log: list[tuple[str, dict[str, Any], bool]]
    acts: frozenset[str]
    given_acts: list[Called] = field(default_factory=list)
    truth: Sequence[Sequence[Called]] = ()
    answer: str = ""
    reads_answer: bool = False
    end_turn: Callable[[], None] = lambda: None


Factory = Callable[[], OutsideTask]


def tools_of(world: World, log: list[tuple[str, dict[str, Any], bool]]) -> list[StructuredTool]:
    """The tools of a world, which note every call in a log; what fails becomes an error text."""
    lock = Lock()
    return [_tool(described["function"], world, log, lock) for described in world.described]


def _tool(
    described: Mapping[str, Any],
    world: World,
    log: list[tuple[str, dict[str, Any], bool]],
    lock: Lock,
) -> StructuredTool:
    def call(**args: Any) -> str:
        with lock:
            received = deepcopy(args)
            text, failed = world.run(described["name"], args)
            log.append((described["name"], received, failed))
        if failed:
            raise ToolException(text)
        return text

    return StructuredTool(
        name=described["name"],
        description=described["description"],
        args_schema=described["parameters"],
        func=call,
        handle_tool_error=True,
    )


def acts_in(truth: Iterable[Iterable[Called]], acts: frozenset[str]) -> list[Called]:
    """The calls of a ground truth that are acts."""
    return [(name, dict(args)) for turn in truth for name, args in turn if name in acts]


def by_turns(groups: Iterable[Iterable[Item]]) -> Iterator[Item]:
    """The first of each group, then the second of each, and so on."""
    nothing = object()
    for row in zip_longest(*groups, fillvalue=nothing):
        yield from (one for one in row if one is not nothing)  # type: ignore[misc]


def play(
    task: OutsideTask, model: BaseChatModel, steps: int = _STEPS
) -> tuple[list[BaseMessage], bool]:
    """Say the user's turns to an agent, one after the other: the messages, and whether every turn came to its end.

    Calls of one reply run one after the other, in their order.
    """
    agent = create_agent(model, task.tools, system_prompt=task.system or None)
    config = RunnableConfig(recursion_limit=steps, max_concurrency=1)
    messages: list[BaseMessage] = []
    for said in task.turns:
        messages = [*messages, HumanMessage(said)]
        try:
            so_far: Any = {"messages": messages}
            for state in agent.stream(so_far, config, stream_mode="values"):
                messages = state["messages"]
        except GraphRecursionError:
            return messages, False
        task.end_turn()
    return messages, True


def answer_of(messages: Sequence[BaseMessage]) -> str:
    """The final answer of a conversation, or nothing if it has none."""
    last = messages[-1]
    return last.text if isinstance(last, AIMessage) and not last.tool_calls else ""


class ByHeart(BaseChatModel):
    """A model that has its replies by heart."""

    replies: list[AIMessage]

    @classmethod
    def of(cls, task: OutsideTask) -> "ByHeart":
        """The model that makes the calls of a task's ground truth."""
        replies: list[AIMessage] = []
        for turn in task.truth:
            for name, args in turn:
                call = {"name": name, "args": dict(args), "id": f"call_{len(replies)}"}
                replies.append(AIMessage("", tool_calls=[call]))
            replies.append(AIMessage(task.answer or "Done."))
        return cls(replies=replies)

    @property
    def _llm_type(self) -> str:
        return "by-heart"

    def bind_tools(self, tools: Any, **kwargs: Any) -> Any:
        """The model itself, which knows the tools."""
        return self

    def _generate(self, messages: list[BaseMessage], *args: Any, **kwargs: Any) -> ChatResult:
        return ChatResult(generations=[ChatGeneration(message=self.replies.pop(0))])


def faults(make: Factory) -> list[str]:
    """What is wrong with a task."""
    found = [
        f"done without a call, by saying {words!r}"
        for words in ("", make().answer)
        if make().check(words)
    ]
    task = make()
    messages, ended = play(task, ByHeart.of(task))
    if not (ended and task.check(answer_of(messages))):
        found.append("the ground truth does not do it")
    if not task.given_acts:
        found.append("no act in the ground truth")
    made = [(name, args) for name, args, _ in task.log]
    if made != [(name, args) for turn in task.truth for name, args in turn]:
        found.append("the log has other calls than were made")
    return found


def main() -> None:
    """Load the tasks of both packages, check them and print the counts."""
    # Both import this module.
    from tests.benchmarks.agents import agentdojo_tasks, bfcl_tasks

    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", help="the folder with the packages; default: installed ones")
    parser.add_argument("--cases", type=int, default=40, help="of each package")
    options = parser.parse_args()
    wrong = 0
    for module in (agentdojo_tasks, bfcl_tasks):
        factories = list(module.load(options.data, options.cases))
        for make in factories:
            for fault in faults(make):
                wrong += 1
                print(f"{make().name}: {fault}")
        _print_counts([make() for make in factories])
    print(f"{wrong} faults")
    sys.exit(bool(wrong))


def _print_counts(tasks: Sequence[OutsideTask]) -> None:
    package = tasks[0].name.partition("/")[0]
    groups = Counter(task.name.split("/")[1] for task in tasks)
    sizes = {
        "turns": [len(task.turns) for task in tasks],
        "tools": [len(task.tools) for task in tasks],
        "calls": [sum(map(len, task.truth)) for task in tasks],
        "acts": [len(task.given_acts) for task in tasks],
    }
    spans = ", ".join(f"{min(of)} to {max(of)} {name}" for name, of in sizes.items())
    print(f"{package}: {len(tasks)} tasks {dict(groups)}, {spans}")
    print(f"  the answer is read, too: {sum(task.reads_answer for task in tasks)}")


if __name__ == "__main__":
    main()
