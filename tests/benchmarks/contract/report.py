"""The tables: `python -m tests.benchmarks.contract.report RUN.json ...` prints those of several runs as Markdown."""

import sys
from collections.abc import Iterable, Sequence
from itertools import groupby
from pathlib import Path

from rich.table import Table

from tests.benchmarks.contract.interval import wilson
from tests.benchmarks.contract.meter import Cost
from tests.benchmarks.contract.running import Row, load

_COLUMNS = (
    "contestant",
    "suite",
    "half",
    "good",
    "95 %",
    "first three",
    "called",
    "crashed",
    "requests",
    "prompt",
    "cached",
    "completion",
    "s a turn",
)
SUMS = ("needed", "restraint", "agents", "parallel", "parallel loop")
"""The kinds that are added up."""
_SUM_COLUMNS = ("contestant", "half", *SUMS, "requests", "prompt", "cached")
_REQUEST_COLUMNS = ("contestant", "suites", "request of a turn", "turns", "prompt", "cached")


def table(rows: Sequence[Row]) -> Table:
    """One line a row; costs are a case's average."""
    return _table(_COLUMNS, map(cells, rows))


def sums_table(rows: Sequence[Row]) -> Table:
    """One line for each contestant and half: how it did in each kind of suites."""
    return _table(_SUM_COLUMNS, sums(rows))


def markdown(rows: Sequence[Row]) -> str:
    """For each model, how each contestant did in each kind of suites, and then suite by suite."""
    parts = list[str]()
    for model, group in groupby(sorted(rows, key=_model), _model):
        found = list(group)
        parts += [f"## {model}", _lines(_SUM_COLUMNS, sums(found)), _by_suite(found)]
        parts += [_lines(_REQUEST_COLUMNS, requests(found)), _lines(_COLUMNS, map(cells, found))]
    return "\n\n".join(parts) + "\n"


def cells(row: Row) -> tuple[str, ...]:
    """A row in words."""
    return (
        row.contestant,
        row.suite,
        row.half,
        f"{sum(row.good)}/{len(row.good)}",
        _interval(row.good),
        f"{sum(row.good[:3])}/{len(row.good[:3])}",
        str(row.called),
        str(len(row.crashed)),
        *_costs(row.cost, len(row.good)),
        f"{row.cost.completion_tokens / max(len(row.good), 1):.0f}",
        f"{row.cost.seconds / max(len(row.good), 1):.1f}",
    )


def sums(rows: Sequence[Row]) -> list[tuple[str, ...]]:
    """Good cases by kind, for each contestant and half; costs are those of all its suites."""
    keys = dict.fromkeys((row.contestant, row.half) for row in rows)
    return [
        (*key, *_sum([row for row in rows if (row.contestant, row.half) == key])) for key in keys
    ]


def _sum(rows: Sequence[Row]) -> tuple[str, ...]:
    cost = Cost()
    for row in rows:
        cost.add(row.cost)
    return (
        *(_good([one for row in rows if row.kind == kind for one in row.good]) for kind in SUMS),
        *_costs(cost, sum(len(row.good) for row in rows)),
    )


def requests(rows: Sequence[Row]) -> list[tuple[str, ...]]:
    """What a server's cache keeps of the first request of a turn and of the further ones; conversations apart."""
    found: dict[tuple[str, str, int], list[tuple[int, int]]] = {}
    for row in rows:
        if row.kind in ("needed", "restraint") or row.suite == "conversation":
            suites = "conversation" if row.suite == "conversation" else "single turns"
            for log in (turn["log"] for turn in row.turns):
                for number, one in enumerate(log[:3], 1):
                    found.setdefault((row.contestant, suites, number), []).append(one["tokens"])
    return [
        (
            name,
            suites,
            str(number),
            str(len(sent)),
            *(f"{sum(one) / len(sent):.0f}" for one in zip(*sent, strict=True)),
        )
        for (name, suites, number), sent in sorted(found.items())
    ]


def _by_suite(rows: Sequence[Row]) -> str:
    """A line for each suite, a column for each contestant."""
    contestants = list(dict.fromkeys(row.contestant for row in rows))
    suites = dict.fromkeys((row.half, row.kind, row.suite) for row in rows)
    found = {(row.suite, row.contestant): _good(row.good) for row in rows}
    lines = [
        (half, kind, suite, *(found.get((suite, name), "") for name in contestants))
        for half, kind, suite in sorted(suites)
    ]
    return _lines(("half", "kind", "suite", *contestants), lines)


def _good(good: Sequence[bool]) -> str:
    return f"{sum(good)}/{len(good)} ({_interval(good)})" if good else ""


def _interval(good: Sequence[bool]) -> str:
    low, high = wilson(sum(good), len(good))
    return f"{low:.0%} to {high:.0%}"


def _costs(cost: Cost, cases: int) -> tuple[str, str, str]:
    """A case's requests, prompt tokens, and those of them that the server still had."""
    of = max(cases, 1)
    return (
        f"{cost.requests / of:.2f}",
        f"{cost.prompt_tokens / of:.0f}",
        f"{cost.cached_tokens / of:.0f}",
    )


def _model(row: Row) -> str:
    return row.model


def _table(columns: Sequence[str], lines: Iterable[Sequence[str]]) -> Table:
    made = Table(*columns)
    for line in lines:
        made.add_row(*line)
    return made


def _lines(columns: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    every = [columns, ["---"] * len(columns), *lines]
    return "\n".join(f"| {' | '.join(line)} |" for line in every)


if __name__ == "__main__":
    runs = (load(Path(name).read_text(encoding="utf-8")) for name in sys.argv[1:])
    print(markdown([row for run in runs for row in run]))
