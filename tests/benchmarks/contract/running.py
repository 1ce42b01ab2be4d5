"""Runs cases, several at once, and adds up: one row for each contestant and suite."""

import json
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from functools import partial
from typing import Any

from langchain_toolemu import forget_tool_support
from tests.benchmarks.contract.case import Case, Model, Outcome
from tests.benchmarks.contract.interval import wilson
from tests.benchmarks.contract.meter import Cost, Meter, Tally
from tests.benchmarks.contract.suites import Suite

_ALONE = 3  # cases at the start of a row that run one by one: what they teach of the model, the others know


@dataclass
class Row:
    """How a contestant did in a suite."""

    contestant: str
    suite: str
    half: str
    kind: str
    wanted: bool
    model: str = ""
    good: list[bool] = field(default_factory=list)
    called: int = 0
    crashed: list[str] = field(default_factory=list)
    cost: Cost = field(default_factory=Cost)
    turns: list[dict[str, Any]] = field(default_factory=list)

    @property
    def share(self) -> float:
        """The share of cases that went well."""
        return sum(self.good) / len(self.good) if self.good else 0.0

    def as_json(self) -> dict[str, Any]:
        """All of it, with the interval."""
        low, high = wilson(sum(self.good), len(self.good))
        return {**asdict(self), "low": low, "high": high}

    def add(self, case: Case, outcome: Outcome, tally: Tally, error: str = "") -> None:
        """Add a case: how it went and what it took."""
        self.good.append(outcome.good)
        self.called += outcome.called
        self.crashed += [f"{case.id}: {error}"] if error else []
        self.cost.add(tally.cost)
        self.turns.append({"case": case.id, **asdict(outcome), "log": tally.log})


def run_suite(
    row: Row, suite: Suite, model: Model, meter: Meter, *, cases: int | None, workers: int
) -> Row:
    """Put a model through a suite. It begins knowing nothing of the model."""
    forget_tool_support()
    found = suite.cases(cases)
    alone = len(found) if suite.in_order else _ALONE
    run = partial(run_case, model=model, meter=meter)
    results = [run(case) for case in found[:alone]]
    with ThreadPoolExecutor(workers) as pool:
        results += pool.map(run, found[alone:])
    for case, result in zip(found, results, strict=True):
        row.add(case, *result)
    return row


def run_case(case: Case, model: Model, meter: Meter) -> tuple[Outcome, Tally, str]:
    """How a case went, what it took, and the error that ended it: a failure, whoever's it is."""
    with meter.counting() as tally:
        try:
            return case.run(model), tally, ""
        except Exception as error:  # noqa: BLE001 - no rival's crash may end the run
            words = f"{type(error).__name__}: {error}"
            return Outcome(False, False, words), tally, words


def dump(rows: Sequence[Row], *, prompts: bool = False) -> str:
    """The rows as JSON, with or without what was sent."""
    made = [row.as_json() for row in rows]
    for turn in (turn for row in made for turn in row["turns"]):
        turn["log"] = [
            {key: one[key] for key in one if prompts or key != "prompt"} for one in turn["log"]
        ]
    return json.dumps(made, indent=1, ensure_ascii=False)


def load(text: str) -> list[Row]:
    """Rows that were written as JSON."""
    return [
        Row(
            **{key: row[key] for key in row if key not in ("low", "high")}
            | {"cost": Cost(**row["cost"])}
        )
        for row in json.loads(text)
    ]
