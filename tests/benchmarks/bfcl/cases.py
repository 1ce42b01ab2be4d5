"""The truth: 1,000 cases of the Berkeley Function Calling Leaderboard, each with its tools and calls.

The package `bfcl-eval` (Apache-2.0) is only data here: it is found, never imported. A call takes the
first alternative of each argument that says anything; an argument whose only alternative is the empty
string was left to its default, and stays out. So do two arguments (in parallel_multiple_12 and _26)
that their tools do not declare: they are slips of the data. What becomes of an undeclared argument is
a fault of its own.
"""

import importlib.util
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from langchain_toolemu.tools import ToolSet, ToolSpec
from langchain_toolemu.validation import fit

CATEGORIES = ("simple_python", "multiple", "parallel", "parallel_multiple")
LIVE = ("live_simple", "live_multiple", "live_parallel", "live_parallel_multiple")
"""Questions of real users."""

_JSON_TYPES = {"dict": "object", "float": "number", "tuple": "array"}


@dataclass(frozen=True)
class Called:
    """A call: of the truth with the bound name, on paper with the name as the model spells it.

    Attributes:
        declared: All the arguments the tool declares, in order, for those who write them without names.
    """

    name: str
    args: Mapping[str, Any]
    declared: tuple[str, ...] = field(default=(), compare=False)


@dataclass(frozen=True)
class Case:
    """One question of the data: what was bound, and what should be called."""

    id: str
    tools: ToolSet
    calls: tuple[Called, ...]

    def spec(self, call: Called) -> ToolSpec:
        """The tool that a call of the truth calls."""
        return next(spec for spec in self.tools if spec.name == call.name)


def load_cases(categories: Sequence[str] = CATEGORIES) -> list[Case]:
    """Every case of these categories."""
    return [case for category in categories for case in _load(category)]


def load_questions() -> Iterator[tuple[str, Case]]:
    """Every question with true calls, real users' questions too, with what was said before it."""
    for category in (*CATEGORIES, *LIVE):
        questions = _lines(data_folder() / f"BFCL_v4_{category}.json")
        for question, case in zip(questions, _load(category), strict=True):
            yield "\n".join(said["content"] for turn in question["question"] for said in turn), case


def data_folder() -> Path:
    """Where the data of `bfcl-eval` lies."""
    found = importlib.util.find_spec("bfcl_eval")
    if found is None or not found.submodule_search_locations:
        raise SystemExit("The data is missing: pip install --no-deps bfcl-eval")
    return Path(found.submodule_search_locations[0]) / "data"


def _load(category: str) -> Iterator[Case]:
    file = f"BFCL_v4_{category}.json"
    questions = _lines(data_folder() / file)
    answers = _lines(data_folder() / "possible_answer" / file)
    for question, answer in zip(questions, answers, strict=True):
        tools = ToolSet([_tool(function) for function in question["function"]])
        calls = [Called(*item) for truth in answer["ground_truth"] for item in truth.items()]
        case = Case(question["id"], tools, ())
        yield replace(case, calls=tuple(_said(call, case) for call in calls))


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _tool(function: Mapping[str, Any]) -> ToolSpec:
    return ToolSpec(function["name"], function["description"], _schema(function["parameters"]))


def _schema(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The data's schema in JSON Schema's words."""
    kept = {
        key: value
        for key, value in schema.items()
        if key not in ("type", "items", "properties", "optional")
    }
    kind = schema.get("type", "any")
    if kind != "any":
        kept["type"] = _JSON_TYPES.get(kind, kind)
    if "items" in schema:
        kept["items"] = _schema(schema["items"])
    if "properties" in schema:
        kept["properties"] = {name: _schema(one) for name, one in schema["properties"].items()}
    return kept


def _said(call: Called, case: Case) -> Called:
    """The call with one value for each argument that has one.

    One answer (simple_python_307) does not fit its own schema and is mended without loss on every
    reading: the mended value is the truth. Two more (parallel_multiple_21 and _94) cannot be mended,
    and stay.
    """
    spec = case.spec(call)
    declared = {name: one for name, one in call.args.items() if name in spec.properties}
    args = fit(_chosen(declared), spec.schema).args
    return replace(call, args=args, declared=tuple(spec.properties))


def _chosen(alternatives: Mapping[str, Sequence[Any]]) -> dict[str, Any]:
    first = {
        name: next((one for one in _listed(values) if one != ""), None)
        for name, values in alternatives.items()
    }
    return {name: _plain(value) for name, value in first.items() if value is not None}


def _listed(values: Any) -> Sequence[Any]:
    """The alternatives; one of the data's is not in a list."""
    return values if isinstance(values, list) else [values]


def _plain(value: Any) -> Any:
    """A value without the alternatives that objects hold inside: there, every value is a list of them."""
    if isinstance(value, Mapping):
        return _chosen(value)
    return [_plain(item) for item in value] if isinstance(value, list) else value
