"""Sample public data into one file: `python -m tests.benchmarks.contract.public_packages --packages DIR`.

    pip install --no-deps --target DIR bfcl-eval inspect-evals agentdojo
    pip install --no-deps --target DIR mpmath deepdiff orderly-set cachebox email-validator dnspython toml

Nothing of this data was written here: BFCL's questions, BFCL's conversations, tau2's service agents and AgentDojo's
users. The file is small, so that a machine that has none of the packages can run the suites; it is never committed.
"""

import argparse
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from langchain_core.messages import (
    BaseMessage,
    HumanMessage,
    ToolMessage,
    convert_to_openai_messages,
)

from tests.benchmarks.bfcl.cases import _schema, data_folder
from tests.benchmarks.contract.public_cases import DEFAULT_FILE, Judge, spread
from tests.benchmarks.trust.agentdojo_turns import agentdojo_turns
from tests.benchmarks.trust.bfcl_turns import multi_turns
from tests.benchmarks.trust.imports import add_folder
from tests.benchmarks.trust.sources import valid_turns
from tests.benchmarks.trust.tau2_turns import tau2_turns
from tests.benchmarks.trust.turns import Called, DataTurn, function_tool

_MAX_CHARS = 12_000  # of a conversation: a slot of a small server holds no more
_MAX_TOOLS = 400  # to pad with


def main() -> None:
    """Read the packages, write the file."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--packages", help="the folder with the packages; default: installed ones")
    parser.add_argument("--out", type=Path, default=DEFAULT_FILE)
    options = parser.parse_args()
    add_folder(options.packages)
    writer = CaseWriter()
    _write_questions(writer)
    _write_conversations(writer)
    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.write_text(writer.dump(), encoding="utf-8")
    for suite, cases in writer.suites.items():
        print(f"{suite}: {len(cases)}")
    print(f"{options.out}: {options.out.stat().st_size / 1e6:.1f} MB")


class CaseWriter:
    """Collects cases; each tool is kept once."""

    def __init__(self) -> None:
        self.suites: dict[str, list[dict[str, Any]]] = {}
        self._tools: dict[str, int] = {}

    def add(
        self,
        suite: str,
        name: str,
        tools: Iterable[Mapping[str, Any]],
        messages: Sequence[Any],
        judge: Judge,
        calls: Sequence[tuple[str, Mapping[str, Any]]] = (),
    ) -> None:
        """Add a case: what is bound and said, and the calls that are right."""
        case = {
            "id": name,
            "tools": [self.number(tool) for tool in tools],
            "messages": messages,
            "judge": judge,
            "calls": calls,
        }
        self.suites.setdefault(suite, []).append(case)

    def number(self, tool: Mapping[str, Any]) -> int:
        """The place of a tool in the file."""
        return self._tools.setdefault(json.dumps(tool), len(self._tools))

    def dump(self) -> str:
        """The file's text."""
        tools = [json.loads(tool) for tool in self._tools]
        return json.dumps({"tools": tools, "suites": self.suites}, ensure_ascii=False)


def _write_questions(writer: CaseWriter) -> None:
    """BFCL's questions with one answer."""
    for suite, category, count in (
        ("simple", "simple_python", 60),
        ("multiple", "multiple", 40),
        ("parallel", "parallel", 20),
        ("parallel", "parallel_multiple", 20),
        ("live simple", "live_simple", 60),
        ("live multiple", "live_multiple", 60),
        ("live parallel", "live_parallel", 16),
        ("live parallel", "live_parallel_multiple", 24),
    ):
        answers = _lines(data_folder() / "possible_answer" / f"BFCL_v4_{category}.json")
        pairs = list(zip(_questions(category), answers, strict=True))
        for question, answer in spread(pairs, count):
            calls = [call for one in answer["ground_truth"] for call in one.items()]
            _add_question(writer, suite, question, "calls", calls)
    for suite, category, judge in (
        ("irrelevance", "irrelevance", "none"),
        ("live irrelevance", "live_irrelevance", "none"),
        ("live relevance", "live_relevance", "some"),
    ):
        for question in spread(_questions(category), 60):
            _add_question(writer, suite, question, judge)
    for question in (*_questions("multiple"), *_questions("simple_python"))[:_MAX_TOOLS]:
        _add_question(writer, "padding", question, "some")


def _add_question(
    writer: CaseWriter, suite: str, question: Mapping[str, Any], judge: Judge, calls: Any = ()
) -> None:
    tools = [_tool(function) for function in question["function"]]
    writer.add(suite, question["id"], tools, question["question"][0], judge, calls)


def _questions(category: str) -> list[Any]:
    return _lines(data_folder() / f"BFCL_v4_{category}.json")


def _tool(function: Mapping[str, Any]) -> dict[str, Any]:
    return function_tool({**function, "parameters": _schema(function["parameters"])})


def _lines(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _write_conversations(writer: CaseWriter) -> None:
    """Steps of conversations whose right calls are known: the first after a user's message, and those after a result."""
    turns = [turn for turn in multi_turns() if turn.category == "multi_turn_base"]
    _write_steps(writer, "turns", turns, 40)
    _write_done(writer, "turns done", turns, 30)
    _write_steps(writer, "dojo", list(agentdojo_turns()), 40)
    service = [turn for turn in tau2_turns() if turn.category != "telecom"]
    _write_steps(writer, "tau2", service, 40)


def _write_steps(writer: CaseWriter, name: str, turns: Sequence[DataTurn], count: int) -> None:
    steps = list(_steps(turns))
    first = [step for step in steps if isinstance(step[0].messages[-1], HumanMessage)]
    later = [step for step in steps if isinstance(step[0].messages[-1], ToolMessage)]
    for suite, found in ((f"{name} first", first), (f"{name} later", later)):
        for turn, calls in spread(found, count):
            right = [(call.name, _alternatives(call, turn.tools)) for call in calls]
            writer.add(suite, turn.id, turn.tools, _written(turn.messages), "any", right)


def _steps(turns: Sequence[DataTurn]) -> Iterator[tuple[DataTurn, list[Called]]]:
    """Each step with the calls that may come next: those still to be made for the same message whose values were told."""
    for _, group in groupby(valid_turns(turns), _message_of):
        found = list(group)
        for number, turn in enumerate(found):
            rest = [call for later in found[number:] for call in later.calls]
            told = [call for call in rest if is_told(call, turn.messages)]
            if told and told[0] == rest[0] and _is_short(turn.messages):
                yield turn, told


def _message_of(turn: DataTurn) -> tuple[str, int]:
    """Which message of which conversation a step belongs to."""
    said = sum(isinstance(message, HumanMessage) for message in turn.messages)
    return turn.id.rpartition("-")[0], said


def is_told(call: Called, messages: Sequence[BaseMessage]) -> bool:
    """Whether every value of a call stands in the conversation; what nobody said could be another value, too."""
    said = "\n".join(message.text for message in messages if message.type != "system").lower()
    return all(str(value).lower() in said for value in _leaves(call.args))


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, Mapping | list):
        for one in value.values() if isinstance(value, Mapping) else value:
            yield from _leaves(one)
    elif value is not None and not isinstance(value, bool):
        yield value


def _alternatives(call: Called, tools: Sequence[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """The right values of each argument; an optional one may be left out or be its default."""
    schema = next(
        tool["function"]["parameters"] for tool in tools if tool["function"]["name"] == call.name
    )
    required = schema.get("required", ())
    optional = {
        key: ["", None, *([about["default"]] if "default" in about else [])]
        for key, about in schema.get("properties", {}).items()
        if key not in required
    }
    given = {
        key: [value, *(optional.get(key, ()) if value in optional.get(key, ()) else ())]
        for key, value in call.args.items()
    }
    return {**optional, **given}


def _write_done(writer: CaseWriter, suite: str, turns: Sequence[DataTurn], count: int) -> None:
    """A conversation up to the last result of a message: all was done, and only words are wanted."""
    done = [
        (turn, turn.messages[:-2])
        for turn in turns
        if isinstance(turn.messages[-1], HumanMessage)
        and len(turn.messages) > 2
        and isinstance(turn.messages[-3], ToolMessage)
        and _is_short(turn.messages)
    ]
    for turn, messages in spread(done, count):
        writer.add(suite, turn.id, turn.tools, _written(messages), "none")


def _is_short(messages: Sequence[BaseMessage]) -> bool:
    return sum(len(message.text) for message in messages) <= _MAX_CHARS


def _written(messages: Sequence[BaseMessage]) -> Any:
    return convert_to_openai_messages(messages)


if __name__ == "__main__":
    main()
