"""A domain of the agent suite: its tools, what they answer, and a log of what was done with them.

The domains are JSON files in `tasks/`, one for each author; `FORMAT.md` there describes them.
"""

import ast
import json
import operator
import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "tasks"
_TYPES = ("string", "integer", "number", "boolean")
_OPERATORS: Mapping[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Made:
    """A call that a tool received, and what it answered."""

    name: str
    args: Mapping[str, Any]
    result: str
    failed: bool


@dataclass
class World:
    """The tools of one domain, while one task runs."""

    tools: Mapping[str, Mapping[str, Any]]
    log: list[Made] = field(default_factory=list)

    @classmethod
    def of(cls, domain: Mapping[str, Any]) -> "World":
        """A fresh world of a domain."""
        return cls({tool["name"]: tool for tool in domain["tools"]})

    def call(self, name: str, args: Mapping[str, Any]) -> Made:
        """Answer a call as the domain says, and note it."""
        tool = self.tools[name]
        earlier = sum(one.name == name for one in self.log)
        worked = Counter(one.name for one in self.log if not one.failed)
        if earlier < len(tool.get("first_fails", ())):
            made = Made(name, dict(args), tool["first_fails"][earlier], failed=True)
        else:
            rules = (*tool.get("results", ()), {"result": tool.get("otherwise", "done")})
            rule = next(one for one in rules if _applies(one, args, worked))
            text = rule["error"] if "error" in rule else _result(rule, args)
            made = Made(name, dict(args), text, failed=text.startswith("Error") or "error" in rule)
        self.log.append(made)
        return made

    def kind_of(self, name: str) -> str:
        """Whether a tool tells something, acts, or may be repeated at will."""
        return str(self.tools[name]["kind"])


def _applies(rule: Mapping[str, Any], args: Mapping[str, Any], worked: Mapping[str, int]) -> bool:
    when, after = rule.get("when", {}), rule.get("after", {})
    fits = all(key in args and equals(args[key], wanted) for key, wanted in when.items())
    return fits and all(worked.get(name, 0) >= least for name, least in after.items())


def _result(rule: Mapping[str, Any], args: Mapping[str, Any]) -> str:
    if "compute" in rule:
        try:
            value = _compute(ast.parse(rule["compute"], mode="eval").body, args)
        except (TypeError, ValueError, KeyError, ZeroDivisionError):
            return "Error: the arguments must be numbers"
        return f"{round(value, 6):.10g}"
    result = rule["result"]
    text = result if isinstance(result, str) else json.dumps(result, ensure_ascii=False)
    return re.sub(r"\{(\w+)\}", lambda found: str(args.get(found[1], found[0])), text)


def _compute(node: Any, args: Mapping[str, Any]) -> float:
    match node:
        case ast.BinOp():
            return float(_OPERATORS[type(node.op)](_compute(node.left, args), _compute(node.right, args)))  # fmt: skip
        case ast.Name():
            return float(args[node.id])
        case ast.Constant():
            return float(node.value)
    raise ValueError(ast.dump(node))


def plain(value: Any) -> str:
    """A value as it is compared: without case, spaces that do not count, and marks at its ends."""
    return re.sub(r"\s+", " ", str(value)).strip(" \t\n.,;:!?'\"").casefold()


def equals(value: Any, wanted: Any) -> bool:
    """Whether a value is what a task or a rule asks for."""
    match wanted:
        case {"any": True}:
            return True
        case {"has": list(parts)}:
            text = re.sub(r"(?<=\d),(?=\d{3})", "", plain(value))
            return all(any(plain(one) in text for one in _either(part)) for part in parts)
        case {"in": list(several)}:
            return any(equals(value, one) for one in several)
        case bool():
            return plain(value) == plain(wanted)
        case int() | float():
            try:
                return abs(float(str(value).replace(",", "").strip(" $€£%")) - wanted) < 1e-6
            except ValueError:
                return False
    return plain(value) == plain(wanted)


def _either(part: Any) -> list[Any]:
    return part if isinstance(part, list) else [part]


def parameters_of(tool: Mapping[str, Any]) -> dict[str, Any]:
    """The JSON schema of a tool's arguments."""
    properties: dict[str, Any] = {}
    required = []
    for name, told in tool["parameters"].items():
        kind, _, description = str(told).partition(":")
        optional = kind.strip().endswith("?")
        base = kind.strip().rstrip("?")
        schema: dict[str, Any] = {"type": "array", "items": {"type": base[5:-1]}} if base.startswith("list[") else {"type": base}  # fmt: skip
        if description.strip():
            schema["description"] = description.strip()
        properties[name] = schema
        if not optional:
            required.append(name)
    return {"type": "object", "properties": properties, "required": required}


def load(*paths: Path) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """All tasks with their domains."""
    files = paths or sorted(FOLDER.glob("*.json"))
    found = []
    for path in files:
        data = json.loads(path.read_text())
        for domain in data["domains"]:
            for number, task in enumerate(domain["tasks"], 1):
                name = f"{path.stem}/{domain['name']}/{number}"
                found.append(({**domain, "author": path.stem}, {**task, "name": name}))
    return found
