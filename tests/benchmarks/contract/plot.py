"""Draw the rows of one or more runs: `python -m tests.benchmarks.contract.plot OUT.svg RUN.json ...`.

A point for each contestant: to the right, how often it called where no call was wanted; upwards, how often it called
where one was, and filled up to how many of those calls were right.
"""

import json
import sys
from collections import Counter, defaultdict
from html import escape
from pathlib import Path
from typing import Any

_SIZE, _EDGE, _SIDE = 420, 60, 330
_COLOURS = ("#2f6fba", "#c0532b", "#3c8a4e", "#7b4fa3", "#a8871f", "#20808d", "#b0396b", "#5b6570")


def shares(rows: list[dict[str, Any]]) -> dict[str, tuple[float, float, float]]:
    """For each contestant: calls where none was wanted, calls where one was, right calls where one was."""
    counts: dict[str, list[int]] = defaultdict(lambda: [0] * 5)
    for row in rows:
        if row["kind"] not in ("needed", "restraint"):
            continue
        one, of = counts[row["contestant"]], len(row["good"])
        if row["wanted"]:
            one[0], one[1], one[2] = one[0] + of, one[1] + row["called"], one[2] + sum(row["good"])
        else:
            one[3], one[4] = one[3] + of, one[4] + row["called"]
    return {
        name: (idle_called / max(1, idle), called / max(1, of), good / max(1, of))
        for name, (of, called, good, idle, idle_called) in counts.items()
    }


def draw(rows: list[dict[str, Any]]) -> str:
    """The plot."""
    points = shares(rows)
    drawn = [_point(number, name, *where) for number, (name, where) in enumerate(points.items())]
    drawn += _labels(list(points.values()))
    width, height = _SIZE + 2 * _EDGE + _SIDE, _SIZE + 2 * _EDGE
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'font-family="sans-serif" font-size="13"><rect width="{width}" height="{height}" fill="white"/>'
        f"{_axes()}{''.join(drawn)}</svg>\n"
    )


def _axes() -> str:
    ticks = "".join(
        f'<line x1="{_x(part / 4)}" y1="{_y(0)}" x2="{_x(part / 4)}" y2="{_y(1)}" stroke="#e3e6ea"/>'
        f'<line x1="{_x(0)}" y1="{_y(part / 4)}" x2="{_x(1)}" y2="{_y(part / 4)}" stroke="#e3e6ea"/>'
        f'<text x="{_x(part / 4)}" y="{_y(0) + 20}" text-anchor="middle">{part * 25} %</text>'
        f'<text x="{_x(0) - 8}" y="{_y(part / 4) + 4}" text-anchor="end">{part * 25} %</text>'
        for part in range(5)
    )
    middle = _EDGE + _SIZE / 2
    return (
        f'{ticks}<text x="{middle}" y="{_y(0) + 44}" text-anchor="middle">called though no call was wanted</text>'
        f'<text transform="translate(16 {middle}) rotate(-90)" text-anchor="middle">called where a call was wanted</text>'
    )


def _point(number: int, name: str, idle: float, called: float, right: float) -> str:
    colour, x, y = _COLOURS[number % len(_COLOURS)], _x(idle), _y(called)
    top = _EDGE + 20 * number
    return (
        f'<line x1="{x}" y1="{_y(right)}" x2="{x}" y2="{y}" stroke="{colour}" stroke-dasharray="3 3"/>'
        f'<circle cx="{x}" cy="{y}" r="6" fill="none" stroke="{colour}" stroke-width="2"/>'
        f'<circle cx="{x}" cy="{_y(right)}" r="5" fill="{colour}"/>'
        f'<circle cx="{_SIZE + _EDGE + 30}" cy="{top - 4}" r="5" fill="{colour}"/>'
        f'<text x="{_SIZE + _EDGE + 42}" y="{top}">{number + 1} {escape(name)}: {right:.0%} right of {called:.0%}</text>'
    )


def _labels(points: list[tuple[float, float, float]]) -> list[str]:
    """The points' numbers, side by side where several points are one."""
    taken: Counter[tuple[float, float]] = Counter()
    labels = []
    for number, (idle, _, right) in enumerate(points):
        x = _x(idle) + 9 + 18 * taken[idle, right]
        labels.append(f'<text x="{x}" y="{_y(right) + 4}" font-size="11">{number + 1}</text>')
        taken[idle, right] += 1
    return labels


def _x(share: float) -> float:
    return round(_EDGE + share * _SIZE, 1)


def _y(share: float) -> float:
    return round(_EDGE + (1 - share) * _SIZE, 1)


def main() -> None:
    """Read, draw, write."""
    out, *runs = map(Path, sys.argv[1:])
    rows = [row for run in runs for row in json.loads(run.read_text(encoding="utf-8"))]
    out.write_text(draw(rows), encoding="utf-8")


if __name__ == "__main__":
    main()
