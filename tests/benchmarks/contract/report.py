"""The table, and the plot of calls made when wanted against calls made when not wanted."""

from collections.abc import Sequence

from rich.table import Table

from tests.benchmarks.contract.interval import wilson
from tests.benchmarks.contract.running import Row

_COLUMNS = (
    "contestant",
    "suite",
    "half",
    "good",
    "first three",
    "95 %",
    "called",
    "crashed",
    "requests",
    "prompt",
    "completion",
    "s a turn",
)


def table(rows: Sequence[Row]) -> Table:
    """One line a row; costs are a case's average."""
    made = Table(*_COLUMNS)
    for row in rows:
        made.add_row(*cells(row))
    return made


def markdown(rows: Sequence[Row]) -> str:
    """The same for a page of documentation."""
    lines = [_COLUMNS, tuple("---" for _ in _COLUMNS), *(cells(row) for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def cells(row: Row) -> tuple[str, ...]:
    """A row in words."""
    good, of = sum(row.good), len(row.good)
    low, high = wilson(good, of)
    cost = row.cost
    return (
        row.contestant,
        row.suite,
        row.half,
        f"{good}/{of}",
        f"{sum(row.good[:3])}/{len(row.good[:3])}",
        f"{low:.0%} to {high:.0%}",
        str(row.called),
        str(len(row.crashed)),
        f"{cost.requests / max(of, 1):.1f}",
        f"{cost.prompt_tokens / max(of, 1):.0f}",
        f"{cost.completion_tokens / max(of, 1):.0f}",
        f"{cost.seconds / max(of, 1):.1f}",
    )
