"""Runs cases and adds up: one row for each contestant and suite."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from tests.benchmarks.contract.interval import wilson
from tests.benchmarks.contract.meter import Cost, Meter
from tests.benchmarks.contract.suites import Case, Model, Outcome


@dataclass
class Row:
    """How a contestant did in a suite."""

    contestant: str
    suite: str
    half: str
    wanted: bool
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


def run(case: Case, model: Model, row: Row, meter: Meter) -> None:
    """Put a model through a case, and add to the row how it went and what it cost."""
    meter.reset()
    outcome = _outcome(case, model, row)
    row.good.append(outcome.good)
    row.called += outcome.called
    _add(row.cost, meter.cost)
    row.turns.append({"case": case.id, **asdict(outcome), "log": meter.log})


def _outcome(case: Case, model: Model, row: Row) -> Outcome:
    """How a case went; an error is a failure and is written down, whoever's it is."""
    try:
        return case.run(model)
    except Exception as error:  # noqa: BLE001 - no rival's crash may end the run
        row.crashed.append(f"{case.id}: {type(error).__name__}: {error}")
        return Outcome(False, False, f"{type(error).__name__}: {error}")


def _add(total: Cost, cost: Cost) -> None:
    total.requests += cost.requests
    total.prompt_tokens += cost.prompt_tokens
    total.completion_tokens += cost.completion_tokens
    total.seconds += cost.seconds


def dump(rows: Sequence[Row]) -> str:
    """The rows as JSON."""
    return json.dumps([row.as_json() for row in rows], indent=1, ensure_ascii=False)
