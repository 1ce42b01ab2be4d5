"""Plays one task with an agent on any chat model, and says what came of it."""

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from langchain.agents import create_agent
from langchain_core.messages import AIMessage, BaseMessage, ToolMessage
from langchain_core.tools import BaseTool, StructuredTool, ToolException
from langgraph.errors import GraphRecursionError

from tests.benchmarks.agents import outside
from tests.benchmarks.agents.judge import is_made_up, verdict
from tests.benchmarks.agents.outside import OutsideTask
from tests.benchmarks.agents.world import World, parameters_of

_PROMPT = "You are a helpful assistant."
_OUTSIDE_STEPS = 20
_LEAST_STEPS = 8  # of an agent's graph, in which the model and the tools take turns


def tools_of(world: World) -> list[BaseTool]:
    """The tools of a world as LangChain has them."""
    return [_tool(world, tool) for tool in world.tools.values()]


def _tool(world: World, tool: Mapping[str, Any]) -> BaseTool:
    def run(**args: Any) -> str:
        made = world.call(tool["name"], args)
        if made.failed:
            raise ToolException(made.result)
        return made.result

    return StructuredTool(
        name=tool["name"],
        description=tool["description"],
        args_schema=parameters_of(tool),
        func=run,
        handle_tool_error=True,
    )


def play(domain: Mapping[str, Any], task: Mapping[str, Any], llm: Any) -> dict[str, Any]:
    """Play a task to its end."""
    world = World.of(domain)
    steps = max(_LEAST_STEPS, 2 * len(task["solution"]) + 3)
    began = time.perf_counter()
    messages, ended = run_agent(llm, tools_of(world), [task["ask"]], steps)
    given = _given(messages, len(world.log))
    return {
        "task": task["name"], "kind": task["kind"], "lang": task.get("lang", "en"), "author": domain["author"],
        **verdict(task, world, given),
        "ended": ended,
        **cost(messages),
        "seconds": round(time.perf_counter() - began, 1),
        "log": [[one.name, dict(one.args), one.result, one.failed] for one in world.log],
        "said": [brief(one) for one in messages],
    }  # fmt: skip


def run_agent(
    llm: Any, tools: Sequence[BaseTool], turns: Sequence[str], steps: int, system: str = _PROMPT
) -> tuple[list[BaseMessage], bool]:
    """All messages of a run, and whether each turn ended by an answer."""
    agent = create_agent(llm, list(tools), system_prompt=system or _PROMPT)
    seen: list[Any] = []
    for turn in turns:
        seen = [*seen, ("user", turn)]
        try:
            for state in agent.stream(
                {"messages": seen},
                {"recursion_limit": steps, "max_concurrency": 1},
                stream_mode="values",
            ):
                seen = state["messages"]
        except GraphRecursionError:  # it comes after an answer, too, if that took the last step
            break
    last = seen[-1]
    return seen, isinstance(last, AIMessage) and bool(last.text.strip()) and not last.tool_calls


def play_outside(make: Callable[[], OutsideTask], llm: Any) -> dict[str, Any]:
    """Play a task that others wrote; it is judged by their own code."""
    task = make()
    began = time.perf_counter()
    messages, ended = outside.play(task, llm, _OUTSIDE_STEPS)
    given = _given(messages, len(task.log))
    acts = [(name, args, before) for (name, args, failed), before in zip(task.log, given, strict=True) if name in task.acts]  # fmt: skip
    worked = [(name, args) for name, args, failed in task.log if name in task.acts and not failed]
    return {
        "task": task.name, "kind": task.name.rpartition("/")[0], "lang": "en", "author": task.name.partition("/")[0],
        "done": task.check(outside.answer_of(messages)),
        "made_up": any((name, args) not in task.given_acts and is_made_up(args, before) for name, args, before in acts),
        "unwanted": any(one not in task.given_acts for one in worked),
        "twice": any(worked.count(one) > max(1, task.given_acts.count(one)) for one in worked),
        "ended": ended,
        **cost(messages),
        "seconds": round(time.perf_counter() - began, 1),
        "log": [list(one) for one in task.log],
        "said": [brief(one) for one in messages],
    }  # fmt: skip


def _given(messages: Sequence[BaseMessage], calls: int) -> list[str]:
    """What was said before each call of the log: the tools run in the order of their messages."""
    given: list[str] = []
    so_far: list[str] = []
    for message in messages:
        if isinstance(message, AIMessage):
            given += ["\n".join(so_far)] * len(message.tool_calls)
        else:
            so_far.append(message.text)
    return (given + ["\n".join(so_far)] * calls)[:calls]


def cost(messages: Sequence[BaseMessage]) -> dict[str, int]:
    """How many requests a run took, and how many tokens."""
    said = [one for one in messages if isinstance(one, AIMessage)]
    reports = [one.response_metadata.get("toolemu", {}) for one in said]
    usage = [one.usage_metadata or {} for one in said]
    return {
        "requests": sum(one.get("requests", 1) for one in reports),
        "tokens": sum(one.get("total_tokens", 0) for one in usage),
    }


def brief(message: BaseMessage) -> dict[str, Any]:
    """A message as the results keep it."""
    told: dict[str, Any] = {"role": message.type, "text": message.text[:600]}
    if isinstance(message, AIMessage):
        report = message.response_metadata.get("toolemu", {})
        told["calls"] = [[one["name"], one["args"]] for one in message.tool_calls]
        told |= {
            key: report[key]
            for key in ("path", "requests", "reasks", "doubted", "warnings")
            if report.get(key)
        }
    if isinstance(message, ToolMessage):
        told["status"] = message.status
    return told
