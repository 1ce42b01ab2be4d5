"""Cases that nobody here wrote, read from the file that `public_packages` makes."""

import json
import os
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias

from langchain_core.messages import AIMessage, BaseMessage, convert_to_messages

from tests.benchmarks.contract.truth import Truth, are_among, are_right

DEFAULT_FILE = Path(__file__).parents[3] / ".benchmarks" / "public_cases.json"
FILE_VARIABLE = "TOOLEMU_BENCH_DATA"

Judge: TypeAlias = Literal["calls", "any", "some", "none"]
"""What is right: exactly these calls, one or more of these, any call at all, or an answer in words."""


class PublicCase(NamedTuple):
    """What is bound and said, and what is right."""

    id: str
    tools: list[dict[str, Any]]
    messages: list[BaseMessage]
    judge: Judge
    truths: list[Truth]

    def is_right(self, message: AIMessage) -> bool:
        """Whether a reply is right."""
        match self.judge:
            case "calls":
                return are_right(message.tool_calls, self.truths)
            case "any":
                return are_among(message.tool_calls, self.truths)
            case "some":
                return bool(message.tool_calls)
            case "none":
                return not message.tool_calls and bool(message.text.strip())


def public_cases(suite: str) -> list[PublicCase]:
    """The cases of a suite."""
    data = _read(data_file())
    return [_case(row, data["tools"]) for row in data["suites"][suite]]


def spread(items: Sequence[Any], count: int) -> list[Any]:
    """At most so many from the whole of a sequence, whose neighbours are alike."""
    count = min(count, len(items))
    return [items[number * len(items) // count] for number in range(count)]


def data_file() -> Path:
    """Where the file lies."""
    return Path(os.environ.get(FILE_VARIABLE) or DEFAULT_FILE)


@cache
def _read(file: Path) -> Any:
    if not file.exists():
        made_by = "python -m tests.benchmarks.contract.public_packages --packages DIR"
        raise SystemExit(f"{file} is missing. It is made by: {made_by}")
    return json.loads(file.read_text(encoding="utf-8"))


def _case(row: Any, tools: list[dict[str, Any]]) -> PublicCase:
    return PublicCase(
        row["id"],
        [tools[number] for number in row["tools"]],
        convert_to_messages(row["messages"]),
        row["judge"],
        [
            Truth(name, {key: _listed(right) for key, right in args.items()})
            for name, args in row["calls"]
        ],
    )


def _listed(right: Any) -> list[Any]:
    """The alternatives; one of the data's is not in a list."""
    return right if isinstance(right, list) else [right]
