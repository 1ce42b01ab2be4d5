"""AgentDojo: users' tasks in a workspace, a bank, a chat and a travel agency, with the right calls of each."""

import importlib
from collections.abc import Iterator, Mapping
from typing import Any

import yaml
from langchain_core.messages import HumanMessage, SystemMessage

from tests.benchmarks.trust.imports import enter, stand_in
from tests.benchmarks.trust.steps import Conversation
from tests.benchmarks.trust.turns import Called, DataTurn, function_tool

_VERSION = "v1.2.2"


def agentdojo_turns() -> Iterator[DataTurn]:
    """A turn for each right call of each user's task."""
    folder = enter("agentdojo")
    system = yaml.safe_load((folder / "data" / "system_messages.yaml").read_text("utf-8"))
    for name, suite in suites().items():
        for task in suite.user_tasks.values():
            yield from _task_turns(name, suite, task, system["default"])


def suites() -> Mapping[str, Any]:
    """The suites of tasks, by name."""
    enter("agentdojo.agent_pipeline.llms")
    # The data's own runner takes one name from a provider's client.
    stand_in(
        "agentdojo.agent_pipeline.llms.google_llm", EMPTY_FUNCTION_NAME="<empty-function-name>"
    )
    loading = importlib.import_module("agentdojo.task_suite.load_suites")
    found: Mapping[str, Any] = loading.get_suites(_VERSION)
    return found


def _task_turns(name: str, suite: Any, task: Any, system: str) -> Iterator[DataTurn]:
    runtime = importlib.import_module("agentdojo.functions_runtime").FunctionsRuntime(suite.tools)
    environment = task.init_environment(suite.load_and_inject_default_environment({}))
    tools = [described_tool(function) for function in suite.tools]
    talk = Conversation(
        f"{name}-{task.ID}", name, tools, lambda call: _run(runtime, environment, call)
    )
    talk.messages = [SystemMessage(system), HumanMessage(task.PROMPT)]
    calls = [Called(one.function, dict(one.args)) for one in task.ground_truth(environment)]
    yield from talk.steps(calls)


def described_tool(function: Any) -> dict[str, Any]:
    """A tool of a suite as OpenAI's dict."""
    schema = function.parameters.model_json_schema()
    described = {"name": function.name, "description": function.description, "parameters": schema}
    return function_tool(described)


def _run(runtime: Any, environment: Any, call: Called) -> tuple[str, str]:
    execution = importlib.import_module("agentdojo.agent_pipeline.tool_execution")
    result, error = runtime.run_function(environment, call.name, dict(call.args))
    return execution.tool_result_to_str(result), "error" if error else "success"
