"""The tables of docs/leaderboard.md, from the files of results: `python -m tests.benchmarks.leaderboard.page`.

Ways are compared on the cases that all of them were asked.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

from tests.benchmarks.contract.interval import wilson
from tests.benchmarks.leaderboard.results import FOLDER, Row, read_all

PAGE = Path(__file__).parents[3] / "docs" / "generated" / "leaderboard.md"
_SINGLE = ("non-live", "live", "irrelevance")
_SUITES = (*_SINGLE, "multi-turn", "agents")
_BY_SIZE = "live"
_WAYS = ("native", "ad hoc", "BFCL prompt", "toolemu")

_ANCHORS = (
    ("Qwen3-0.6B", "70.0", "49.4", "82.5", "1.4"),
    ("Gemma-3-4B", "61.1", "60.8", "53.9", "0.4"),
    ("Qwen3-4B-2507", "86.4", "74.7", "75.9", "20.5"),
)
"""What BFCL publishes of small models in its prompt mode, over all cases."""

Cases = Sequence[Mapping[str, Any]]


def write_page(folder: Path = FOLDER) -> str:
    """All tables."""
    by_model = defaultdict[str, list[Row]](list)
    for row in read_all(folder):
        by_model[row.head["model"]].append(row)
    parts = [part for model in by_model for part in _model(model, by_model[model])]
    return "\n".join([*(parts or ["No model has been run yet.\n"]), *_anchors()])


def _model(model: str, rows: Sequence[Row]) -> Iterator[str]:
    rows = sorted(rows, key=lambda row: _WAYS.index(row.head["way"]))
    shared = set.intersection(*(row.known for row in rows))
    heads = [f"{suite} ({sum(one[0] == suite for one in shared)})" for suite in _SUITES]
    yield f"## {model}\n"
    yield _table(["way", *heads], [[row.head["way"], *_shares(row, shared)] for row in rows])
    costs = ["way", "requests", "tokens sent", "tokens written", "errors"]
    yield _table(costs, [[row.head["way"], *_costs(row, shared)] for row in rows])
    commands = "\n".join(row.head["command"].replace(" --name", " \\\n  --name") for row in rows)
    commits = ", ".join(sorted({row.head["commit"] for row in rows}))
    yield f"At {commits}:\n\n```\n{commands}\n```\n"


def _shares(row: Row, shared: set[tuple[str, str]]) -> list[str]:
    return [_share(suite, cases) for suite, cases in _by_suite(row, shared).items()]


def _costs(row: Row, shared: set[tuple[str, str]]) -> list[str]:
    by_suite = _by_suite(row, shared)
    questions = [one for suite in _SINGLE for one in by_suite[suite]]
    costs = [
        f"{_mean(questions, name)} / {_mean(by_suite['agents'], name)}"
        for name in ("requests", "sent", "written")
    ]
    return [*costs, str(sum("error" in one for cases in by_suite.values() for one in cases))]


def _by_suite(row: Row, shared: set[tuple[str, str]]) -> dict[str, Cases]:
    found = [one for one in row.cases if (one["suite"], one["case"]) in shared]
    return {suite: [one for one in found if one["suite"] == suite] for suite in _SUITES}


def _share(suite: str, cases: Cases) -> str:
    """The share of right cases in per cent: as BFCL has it, the mean of the categories, or of all cases."""
    if not cases:
        return "-"
    groups = defaultdict[str, list[bool]](list)
    for one in cases:
        groups["" if suite in (_BY_SIZE, "agents") else one["category"]].append(one["good"])
    share = fmean(fmean(group) for group in groups.values())
    low, high = wilson(round(share * len(cases)), len(cases))
    return f"{100 * share:.0f} ({100 * low:.0f}-{100 * high:.0f})"


def _mean(cases: Cases, name: str) -> str:
    if not cases:
        return "-"
    mean = fmean(one[name] for one in cases)
    return f"{mean:.1f}" if name == "requests" else f"{mean:,.0f}"


def _anchors() -> Iterator[str]:
    yield "## BFCL's own figures\n"
    yield _table(["published, prompt mode", "non-live", "live", "irrelevance", "multi-turn"], _ANCHORS)  # fmt: skip


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


if __name__ == "__main__":
    PAGE.write_text(write_page(), encoding="utf-8")
    print(f"{PAGE.name}: written from {len(read_all())} files of results")
