"""The Berkeley Function Calling Leaderboard, version 4: single, parallel and multi-turn questions."""

import ast
import importlib
import json
from collections.abc import Iterator, Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any

from langchain_core.messages import AIMessage, HumanMessage, SystemMessage

from tests.benchmarks.bfcl.cases import CATEGORIES, LIVE, data_folder, load_cases
from tests.benchmarks.bfcl.cases import _schema as json_schema
from tests.benchmarks.trust.imports import enter
from tests.benchmarks.trust.steps import Conversation, result_of
from tests.benchmarks.trust.turns import Called, DataTurn, function_tool

MULTI_TURN = (
    "multi_turn_base",
    "multi_turn_miss_param",
    "multi_turn_miss_func",
    "multi_turn_long_context",
)
_ROLES = {"user": HumanMessage, "system": SystemMessage, "assistant": AIMessage}
_SOURCES = "bfcl_eval.eval_checker.multi_turn_eval.func_source_code"
_CLASSES = {
    "GorillaFileSystem": "gorilla_file_system",
    "MathAPI": "math_api",
    "MessageAPI": "message_api",
    "TwitterAPI": "posting_api",
    "TicketAPI": "ticket_api",
    "TradingBot": "trading_bot",
    "TravelAPI": "travel_booking",
    "VehicleControlAPI": "vehicle_control",
}
# What the leaderboard's own runner says where the data has no words: functions were added.
_ADDED = "I have updated some more functions you can choose from. What about now?"


def single_turns() -> Iterator[DataTurn]:
    """Questions with one call or several at once, nearly half of them real users'."""
    for category in (*CATEGORIES, *LIVE):
        rows = _lines(data_folder() / f"BFCL_v4_{category}.json")
        for row, case in zip(rows, load_cases([category]), strict=True):
            yield DataTurn(
                row["id"],
                category,
                [_tool(one.name, one.description, one.parameters) for one in case.tools],
                [_ROLES[said["role"]](said["content"]) for said in row["question"][0]],
                tuple(Called(call.name, dict(call.args)) for call in case.calls),
            )


def multi_turns() -> Iterator[DataTurn]:
    """Conversations in which the data's own classes run the calls."""
    for category in MULTI_TURN:
        rows = _lines(data_folder() / f"BFCL_v4_{category}.json")
        answers = _lines(data_folder() / "possible_answer" / f"BFCL_v4_{category}.json")
        for row, answer in zip(rows, answers, strict=True):
            yield from _conversation(category, row, answer["ground_truth"])


def _conversation(
    category: str, row: Mapping[str, Any], truth: list[list[str]]
) -> Iterator[DataTurn]:
    tools, machines = _tools_of(row), _machines(row, is_long="long_context" in category)
    talk = Conversation(row["id"], category, tools, lambda call: _run(machines, call))
    declared = {tool["function"]["name"]: list(_properties(tool)) for tool in tools}
    for said, calls in zip(row["question"], truth, strict=True):
        talk.messages += [_ROLES[one["role"]](one["content"]) for one in said] or [
            HumanMessage(_ADDED)
        ]
        yield from talk.steps([_parsed(call, declared) for call in calls])
        talk.messages.append(AIMessage("Done." if calls else "I need to know more for that."))


def _tools_of(row: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The tools of all classes; what the data adds later is there from the start."""
    return [
        _tool(one["name"], one["description"], json_schema(one["parameters"]))
        for one in docs_of(row)
    ]


def docs_of(row: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The functions of all classes, as the data describes them."""
    return [
        one
        for name in row["involved_classes"]
        for one in _lines(data_folder() / "multi_turn_func_doc" / f"{_CLASSES[name]}.json")
        if one["name"] not in row.get("excluded_function", ())
    ]


def _machines(row: Mapping[str, Any], *, is_long: bool) -> list[Any]:
    """Objects of the involved classes, in the state in which the conversation begins."""
    enter("bfcl_eval.eval_checker.multi_turn_eval")
    machines = []
    for name in row["involved_classes"]:
        module = importlib.import_module(f"{_SOURCES}.{_CLASSES[name]}")
        machine = getattr(module, name)()
        if name != "MathAPI":  # which has no state
            state = deepcopy(row["initial_config"].get(name, {}))
            machine._load_scenario(state, long_context=is_long)
        machines.append(machine)
    return machines


def _run(machines: list[Any], call: Called) -> tuple[str, str]:
    found = [one for machine in machines if (one := getattr(machine, call.name, None))]
    result, status = result_of(found[0], call)
    return result, "error" if result.startswith("{'error'") else status


def _parsed(text: str, declared: Mapping[str, list[str]]) -> Called:
    """A call that is written as Python."""
    call = ast.parse(text.strip(), mode="eval").body
    if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name)):
        raise ValueError(f"not a call: {text}")
    names = declared.get(call.func.id, [])
    args = {name: ast.literal_eval(value) for name, value in zip(names, call.args, strict=False)}
    args |= {str(one.arg): ast.literal_eval(one.value) for one in call.keywords}
    return Called(call.func.id, args)


def _properties(tool: Mapping[str, Any]) -> Mapping[str, Any]:
    return tool["function"]["parameters"].get("properties", {})


def _tool(name: str, description: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
    return function_tool({"name": name, "description": description, "parameters": dict(parameters)})


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
