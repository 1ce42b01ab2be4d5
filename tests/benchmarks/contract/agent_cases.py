"""Agents with tools that do something: tasks of two and three steps, judged by what was done."""

from collections.abc import Callable, Sequence
from typing import Any

from langchain.agents import create_agent
from langchain_core.messages import AIMessage
from langgraph.errors import GraphRecursionError

from tests.benchmarks.agents.twenty import TASKS, Task, World
from tests.benchmarks.contract.case import Case, Model, Outcome, written
from tests.benchmarks.contract.chains import CHAINS, Chain, Shop

_MAX_STEPS = 14  # of an agent's graph: seven turns of the model are more than any task needs


def task_cases() -> list[Case]:
    """Tasks whose steps are named."""
    return [Case(task.question, _doing(task)) for task in TASKS]


def _doing(task: Task) -> Callable[[Model], Outcome]:
    def run(model: Model) -> Outcome:
        world = World()
        said, called = _played(model, world.tools(), task.question)
        return Outcome(task.done(world), called, "\n".join(said))

    return run


def _played(model: Model, tools: Sequence[Any], question: str) -> tuple[list[str], bool]:
    """What an agent says and does, and whether it called anything."""
    agent = create_agent(model, list(tools), system_prompt="You are a helpful assistant.")
    seen: list[Any] = []
    try:
        for state in agent.stream(
            {"messages": [("user", question)]},
            {"recursion_limit": _MAX_STEPS},
            stream_mode="values",
        ):
            seen = state["messages"]
    except GraphRecursionError:
        pass
    said = [written(message) for message in seen if isinstance(message, AIMessage)]
    called = any(isinstance(message, AIMessage) and message.tool_calls for message in seen)
    return said, called


def chain_cases() -> list[Case]:
    """Tasks in which a step needs what the one before it gives."""
    return [Case(chain.question, _chained(chain)) for chain in CHAINS]


def _chained(chain: Chain) -> Callable[[Model], Outcome]:
    def run(model: Model) -> Outcome:
        shop = Shop()
        said, called = _played(model, shop.tools(), chain.question)
        return Outcome(chain.is_done(shop), called, "\n".join([*said, *shop.wrong]))

    return run
