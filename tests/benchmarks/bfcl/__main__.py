"""Write every case in every dialect, with and without faults, read it back, and print the tables."""

import argparse
from collections.abc import Iterator, Sequence
from itertools import islice
from random import Random

from rich.console import Console
from rich.progress import Progress

from tests.benchmarks.bfcl import report
from tests.benchmarks.bfcl.cases import Case, load_cases
from tests.benchmarks.bfcl.dialects import DIALECTS, Dialect
from tests.benchmarks.bfcl.faults import FAULTS, Fault
from tests.benchmarks.bfcl.reading import Reply, judge, off_text, read
from tests.benchmarks.bfcl.silences import SILENCES
from tests.benchmarks.bfcl.writing import write, write_faulty, write_silence

_TRIES = 20  # cases looked at for each text wanted: many have no boolean, or no string, to break


def main(arguments: Sequence[str] | None = None) -> report.Score:
    """Run the benchmark and print what came of it."""
    options = _options().parse_args(arguments)
    dialects = [one for one in DIALECTS if options.dialect in one.name]
    faults = [one for one in FAULTS if options.fault in one.name]
    console = Console(width=None if Console().is_terminal else 170)
    score = run(dialects, faults, options, console)
    report.print_dialects(console, score, dialects)
    report.print_silences(console, score, SILENCES)
    report.print_faults(console, score, dialects, faults)
    report.print_matrix(console, score, dialects, faults)
    if options.show:
        report.print_failures(console, score, options.show)
    report.print_summary(console, score, dialects, faults)
    return score


def run(
    dialects: Sequence[Dialect],
    faults: Sequence[Fault],
    options: argparse.Namespace,
    console: Console,
) -> report.Score:
    """Read everything that the dialects and faults make of the cases."""
    cases, score = load_cases(), report.Score()
    with Progress(console=console, transient=True) as progress:
        whole = progress.add_task("dialects", total=len(dialects))
        for dialect in dialects:
            _run_clean(dialect, cases, options, score)
            progress.advance(whole)
        silent = progress.add_task("silences", total=len(SILENCES))
        for name in SILENCES:
            _run_silence(name, cases, options, score)
            progress.advance(silent)
        broken = progress.add_task("faults", total=len(dialects))
        for dialect in dialects:
            for fault in faults:
                _run_faulty(dialect, fault, cases, options, score)
            progress.advance(broken)
    return score


def _run_clean(
    dialect: Dialect, cases: Sequence[Case], options: argparse.Namespace, score: report.Score
) -> None:
    for case in cases:
        reply = write(case, dialect, f"{options.seed} {dialect.name} {case.id}")
        if reply is None:
            continue
        reading = read(reply, options.pieces)
        outcome = judge(reply, reading)
        score.add(dialect.name, report.CLEAN, outcome, reply, reading)
        if outcome == "correct" and (remark := off_text(reply, reading)):
            score.add_off_text(dialect.name, remark, reply, reading)


def _run_silence(
    name: str, cases: Sequence[Case], options: argparse.Namespace, score: report.Score
) -> None:
    for case in cases:
        reply = write_silence(case, SILENCES[name], f"{options.seed} {name} {case.id}")
        reading = read(reply, options.pieces)
        score.add(name, report.CLEAN, judge(reply, reading), reply, reading)


def _run_faulty(
    dialect: Dialect,
    fault: Fault,
    cases: Sequence[Case],
    options: argparse.Namespace,
    score: report.Score,
) -> None:
    for reply in islice(_faulty(dialect, fault, cases, options), options.cases):
        reading = read(reply, options.pieces)
        score.add(dialect.name, fault.name, judge(reply, reading), reply, reading)


def _faulty(
    dialect: Dialect, fault: Fault, cases: Sequence[Case], options: argparse.Namespace
) -> Iterator[Reply]:
    seed = f"{options.seed} {dialect.name} {fault.name}"
    for case in Random(seed).sample(cases, min(len(cases), _TRIES * options.cases)):
        if reply := write_faulty(case, dialect, fault, f"{seed} {case.id}"):
            yield reply


def _options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.bfcl", description=__doc__)
    parser.add_argument(
        "--cases", type=int, default=12, metavar="N", help="texts for each dialect and fault"
    )
    parser.add_argument("--seed", default="toolemu", help="what everything random is drawn from")
    parser.add_argument(
        "--dialect", default="", metavar="TEXT", help="only dialects whose name holds this"
    )
    parser.add_argument(
        "--fault", default="", metavar="TEXT", help="only faults whose name holds this"
    )
    parser.add_argument(
        "--pieces",
        type=int,
        default=0,
        metavar="N",
        help="feed N characters at a time; 0 is all at once",
    )
    parser.add_argument(
        "--show",
        type=int,
        nargs="?",
        const=20,
        default=0,
        metavar="N",
        help="print the first N texts of each kind of failure",
    )
    return parser


if __name__ == "__main__":
    main()
