"""What was found out in figures: a table for a terminal, its cells for the page, and a row to compare models by."""

from collections.abc import Sequence

from langchain_toolemu.check.advice import best
from langchain_toolemu.check.checking import FALLBACK, FORCE, NAIVE, NATIVE, Findings, Result

HEADS = ("way", "right calls", "left alone", "requests", "tokens", "seconds")
_COLUMNS = ("model", "native", "naive prompt", "default (fallback)", "force", "best setting")


def cells(result: Result) -> tuple[str, ...]:
    """A way of asking in figures."""
    figures = (str(result.requests), str(result.tokens), f"{result.seconds:.1f}")
    ended = " (ended early)" if result.unasked else ""
    return (f"{result.name}{ended}", share(*result.calls), share(*result.silences), *figures)


def share(good: int, of: int) -> str:
    """So many of so many, in words."""
    return f"{good} of {of}" if of else "not tried"


def table(findings: Findings) -> str:
    """All ways of asking, a line each."""
    rows = [HEADS, *map(cells, [*findings.results, *findings.compared])]
    wide = [max(len(row[place]) for row in rows) for place in range(len(HEADS))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, wide, strict=True)).rstrip()
        for row in rows
    )


def markdown(findings: Findings) -> str:
    """A table of one row: how many trials went well by each means."""
    by_name = {one.name: one for one in [*findings.results, *findings.compared]}
    measured = [_brief(by_name.get(name)) for name in (NATIVE, NAIVE, FALLBACK, FORCE)]
    winner = best(findings)
    row = [findings.model, *measured, f"{_brief(winner)} ({winner.name})"]
    return "".join(map(_row, (_COLUMNS, ["---"] * len(_COLUMNS), row)))


def _brief(result: Result | None) -> str:
    """So many right calls of so many, and so many turns left alone."""
    if result is None:
        return "not tried"
    (right, wanted), (silent, idle) = result.calls, result.silences
    return f"{right}/{wanted} calls" + (f", {silent}/{idle} left alone" if idle else "")


def _row(row: Sequence[str]) -> str:
    return f"| {' | '.join(cell.replace('|', '/') for cell in row)} |\n"
