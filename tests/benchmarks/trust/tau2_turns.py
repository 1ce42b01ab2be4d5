"""tau2-bench as `inspect-evals` carries it: the right actions of service agents, run on the data's own databases.

The user's instructions are the user's message, all at once. In telecom the agent works on its own, from a ticket and with the
user's tools, too. Banking is left out: its tools are found in documents, which no message of the data shows.
"""

import asyncio
import importlib
import json
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from langchain_core.messages import HumanMessage, SystemMessage
from langchain_core.utils.function_calling import convert_to_openai_function

from tests.benchmarks.trust.imports import Store, enter_inspect_evals
from tests.benchmarks.trust.steps import Conversation, result_of
from tests.benchmarks.trust.turns import Called, DataTurn, function_tool

_DOMAINS = {
    "airline": ("tasks.json", "policy.txt", ("airline.tools", "common.tools")),
    "retail": ("tasks.json", "policy.txt", ("retail.tools", "common.tools")),
    "telecom": (
        "tasks_small.json",
        "main_policy_solo.txt",
        ("telecom.tools", "telecom.user_tools", "common.tools"),
    ),
}
_STORE = Store()
_INSTRUCTIONS = ("reason_for_call", "known_info", "task_instructions")


def tau2_turns() -> Iterator[DataTurn]:
    """A turn for each right action of the three domains."""
    folder = enter_inspect_evals(_STORE)
    for domain, (tasks, policy, modules) in _DOMAINS.items():
        files = folder / "data" / "domains" / domain
        functions = _functions(modules)
        tools = [_tool(name, function) for name, function in functions.items()]
        system = SystemMessage((files / policy).read_text(encoding="utf-8"))
        for task in json.loads((files / tasks).read_text(encoding="utf-8")):
            _STORE.clear()
            name = f"{domain}-{task['id']}"
            talk = Conversation(name, domain, tools, partial(_run, functions))
            talk.messages = [system, HumanMessage(_said(task))]
            yield from talk.steps(_actions(task, functions))


def _actions(task: Mapping[str, Any], functions: Mapping[str, Any]) -> list[Called]:
    actions = task["evaluation_criteria"].get("actions") or []
    return [Called(one["name"], one["arguments"]) for one in actions if one["name"] in functions]


def _said(task: Mapping[str, Any]) -> str:
    if "ticket" in task:
        return str(task["ticket"])
    instructions = task["user_scenario"]["instructions"]
    return "\n".join(instructions[key] for key in _INSTRUCTIONS if instructions.get(key))


def _functions(modules: tuple[str, ...]) -> dict[str, Callable[..., Any]]:
    """The functions that the tools of some modules run, by the names of the tools."""
    found = {}
    for name in modules:
        module = importlib.import_module(f"inspect_evals.tau2.{name}")
        for tool, make in vars(module).items():
            if callable(make) and getattr(make, "__annotations__", {}) == {"return": Any}:
                found[tool] = make()
    return found


def _tool(name: str, function: Callable[..., Any]) -> dict[str, Any]:
    return function_tool({**convert_to_openai_function(function), "name": name})


def _run(functions: Mapping[str, Callable[..., Any]], call: Called) -> tuple[str, str]:
    return result_of(lambda **args: asyncio.run(functions[call.name](**args)), call)
