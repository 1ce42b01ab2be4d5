"""The tables, and the texts behind their figures."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from tests.benchmarks.bfcl.dialects import Dialect
from tests.benchmarks.bfcl.faults import Fault
from tests.benchmarks.bfcl.reading import OUTCOMES, PASSED, Outcome, Reading, Reply

CLEAN = "no fault"


@dataclass(frozen=True)
class Failure:
    """A reply that was not read as it should be."""

    row: str
    column: str
    outcome: str
    reply: Reply
    reading: Reading
    remark: str = ""


@dataclass
class Score:
    """Outcomes by row (dialect or silence) and column (fault), and the failures in full."""

    cells: dict[tuple[str, str], Counter[Outcome]] = field(default_factory=dict)
    failures: list[Failure] = field(default_factory=list)
    off_texts: Counter[str] = field(default_factory=Counter)

    def add(self, row: str, column: str, outcome: Outcome, reply: Reply, reading: Reading) -> None:
        self.cells.setdefault((row, column), Counter())[outcome] += 1
        if outcome not in PASSED:
            self.failures.append(Failure(row, column, outcome, reply, reading))

    def add_off_text(self, row: str, remark: str, reply: Reply, reading: Reading) -> None:
        self.off_texts[row] += 1
        self.failures.append(Failure(row, CLEAN, "text", reply, reading, remark))

    def total(
        self, rows: Iterable[str] | None = None, columns: Iterable[str] | None = None
    ) -> Counter[Outcome]:
        """The sum over some rows and columns; over all of them if none are named."""
        in_rows, in_columns = rows and {*rows}, columns and {*columns}
        cells = (
            count
            for (row, column), count in self.cells.items()
            if (in_rows is None or row in in_rows) and (in_columns is None or column in in_columns)
        )
        return sum(cells, Counter())


def passed(count: Mapping[Outcome, int]) -> float:
    """The share that was read, or rightly refused; 1 if there was nothing to read."""
    whole = sum(count.values())
    return sum(count[one] for one in PASSED if one in count) / whole if whole else 1.0


def print_dialects(console: Console, score: Score, dialects: Sequence[Dialect]) -> None:
    table = _table("Dialects without a fault", "dialect", "words off")
    for dialect in dialects:
        count = score.total([dialect.name], [CLEAN])
        table.add_row(
            escape(dialect.name), *_figures(count), _nonzero(score.off_texts[dialect.name])
        )
    console.print(table)


def print_faults(
    console: Console, score: Score, dialects: Sequence[Dialect], faults: Sequence[Fault]
) -> None:
    table = _table("Faults, over all dialects", "fault", "may be refused")
    names = [dialect.name for dialect in dialects]
    for fault in faults:
        count = score.total(names, [fault.name])
        table.add_row(
            f"{fault.code}  {fault.name}", *_figures(count), "yes" if fault.may_refuse else ""
        )
    console.print(table)


def print_silences(console: Console, score: Score, silences: Iterable[str]) -> None:
    table = _table("What must stay text", "text", "")
    for name in silences:
        table.add_row(escape(name), *_figures(score.total([name])), "")
    console.print(table)


def print_matrix(
    console: Console, score: Score, dialects: Sequence[Dialect], faults: Sequence[Fault]
) -> None:
    """Failures by dialect and fault: `.` for none, `3` for three not read, `!2` for two wrong calls."""
    table = Table(
        title="Failures by dialect and fault (. none, 3 not read, !2 wrong)",
        box=None,
        padding=(0, 1, 0, 0),
    )
    table.add_column("dialect", no_wrap=True)
    for fault in faults:
        table.add_column(fault.code, justify="right", no_wrap=True)
    for dialect in dialects:
        cells = (score.cells.get((dialect.name, fault.name)) for fault in faults)
        table.add_row(escape(dialect.name), *map(_cell, cells))
    # As wide as it must be: a table that is cut off tells nothing.
    Console(file=console.file, width=max(console.width, 170)).print(table)


def print_summary(
    console: Console, score: Score, dialects: Sequence[Dialect], faults: Sequence[Fault]
) -> None:
    names = [dialect.name for dialect in dialects]
    clean, faulty = score.total(names, [CLEAN]), score.total(names, [one.name for one in faults])
    for label, count in (
        ("without a fault", clean),
        ("with a fault", faulty),
        ("overall", clean + faulty),
    ):
        console.print(
            f"{label:>16}: {passed(count):8.3%} of {sum(count.values())} texts, {count['wrong']} wrong calls"
        )


def print_failures(console: Console, score: Score, most: int) -> None:
    """The first texts of each kind of failure, the most harmful first."""
    for outcome in ("wrong", "noted", "missed", "text"):
        failures = [one for one in score.failures if one.outcome == outcome]
        for one in failures[:most]:
            console.rule(f"{outcome}: {escape(one.row)} / {one.column} / {one.reply.case.id}")
            console.print(escape(one.reply.text), highlight=False)
            console.print(f"[dim]truth[/]  {_said(one.reply.case.calls)}", highlight=False)
            console.print(
                f"[dim]read[/]   {_said((*one.reading.calls, *one.reading.noted))}", highlight=False
            )
            for bad in one.reading.bad:
                console.print(f"[dim]bad[/]    {bad.reason}: {escape(bad.detail)}", highlight=False)
            if one.remark:
                console.print(f"[dim]words[/]  {escape(one.remark)}", highlight=False)


def _said(calls: Sequence[object]) -> str:
    return escape(" ".join(f"{call.name}({dict(call.args)})" for call in calls))  # type: ignore[attr-defined]


def _table(title: str, first: str, last: str) -> Table:
    table = Table(title=title, box=None, padding=(0, 2, 0, 0))
    table.add_column(first, no_wrap=True)
    for name in ("texts", *OUTCOMES, "passed", last):
        table.add_column(name, justify="right", no_wrap=True)
    return table


def _figures(count: Counter[Outcome]) -> list[str]:
    figures = [_nonzero(count[outcome]) for outcome in OUTCOMES]
    return [str(sum(count.values())), *figures, f"{passed(count):.1%}"]


def _nonzero(number: int) -> str:
    return str(number) if number else ""


def _cell(count: Counter[Outcome] | None) -> str:
    if count is None:
        return ""
    unread = count["missed"] + count["noted"]
    marks = [f"!{count['wrong']}"] if count["wrong"] else []
    return "".join([*marks, *([str(unread)] if unread else [])]) or "."
