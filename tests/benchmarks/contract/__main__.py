"""Put a chat model through the suites: `python -m tests.benchmarks.contract --variant auto --variant native`.

Everything is asked at temperature 0, and a run gives the same figures again, with one reserve: llama.cpp's replies
change a little with what its prompt cache holds, so the same cases in another order may differ in a case or two.
"""

import argparse
import json
import os
import time
import warnings
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from tests.benchmarks.contract.first_token import ratios, time_variants
from tests.benchmarks.contract.jobs import Job, run_jobs
from tests.benchmarks.contract.public_cases import FILE_VARIABLE
from tests.benchmarks.contract.report import cells, markdown, sums_table, table
from tests.benchmarks.contract.running import Row, dump
from tests.benchmarks.contract.suites import SUITES
from tests.benchmarks.contract.variants import VARIANTS
from tests.benchmarks.models import add_model_options, chat_model

_WRITE_EVERY = 20.0  # seconds: a run that is ended from outside leaves what it has


def main(arguments: Sequence[str] | None = None) -> list[Row]:
    """Run, print, and write down."""
    warnings.simplefilter("ignore")  # what is learned of the model is in the figures
    parser = _options()
    options = parser.parse_args(arguments)
    if options.processes > 1 and not options.model:
        parser.error(
            "several processes share a server that is running: give --model and --base-url"
        )
    if options.data:
        os.environ[FILE_VARIABLE] = str(options.data)
    console = Console(width=None if Console().is_terminal else 170)
    if options.ttft:
        _time(options, console)
        return []
    return _measure(options, console)


def _measure(options: argparse.Namespace, console: Console) -> list[Row]:
    rows, jobs, written_at = list[Row](), _jobs(options), time.monotonic()
    for row in run_jobs(options, jobs):
        rows.append(row)
        console.print(" | ".join(cells(row)), highlight=False)
        if options.json and time.monotonic() - written_at > _WRITE_EVERY:
            _write(options, rows)
            written_at = time.monotonic()
    rows.sort(key=lambda row: jobs.index(Job(row.contestant, row.suite)))
    _write(options, rows)
    console.print(table(rows))
    console.print(sums_table(rows))
    for row in rows:
        for crash in row.crashed[: options.show]:
            console.print(f"{row.contestant}, {row.suite}: {crash}", markup=False)
    return rows


def _write(options: argparse.Namespace, rows: Sequence[Row]) -> None:
    if options.json:
        options.json.write_text(dump(rows, prompts=options.prompts), encoding="utf-8")
    if options.markdown:
        options.markdown.write_text(markdown(rows), encoding="utf-8")


def _time(options: argparse.Namespace, console: Console) -> None:
    with chat_model(options, max_tokens=options.max_tokens or 64) as llm:
        timed = time_variants(llm, options.variant or ["inline", "auto"], options.cases or 12)
    for line in ratios(timed):
        console.print(line, highlight=False)
    if options.json:
        options.json.write_text(json.dumps(timed, indent=1), encoding="utf-8")


def _jobs(options: argparse.Namespace) -> list[Job]:
    """A variant's suites follow each other; those that cannot run their cases at once come first."""
    suites = [
        suite
        for suite in SUITES.values()
        if suite.name in (options.suite or SUITES)
        and options.half in ("both", suite.half)
        and (not options.kind or suite.kind in options.kind)
    ]
    suites.sort(key=lambda suite: not suite.in_order)
    return [Job(name, suite.name) for name in options.variant or ["auto"] for suite in suites]


def _options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks.contract",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--suite", action="append", choices=SUITES, help="may be given again; default: all"
    )
    parser.add_argument("--variant", action="append", choices=VARIANTS, help="may be given again")
    parser.add_argument("--half", choices=("tune", "held", "both"), default="both")
    parser.add_argument(
        "--kind",
        action="append",
        choices=sorted({suite.kind for suite in SUITES.values()}),
        help="only suites of this kind; may be given again",
    )
    parser.add_argument("--cases", type=int, metavar="N", help="at most N cases of each suite")
    parser.add_argument("--workers", type=int, default=1, metavar="N", help="cases run at once")
    parser.add_argument(
        "--processes", type=int, default=1, metavar="N", help="suites run at once, each so"
    )
    parser.add_argument(
        "--data", type=Path, metavar="FILE", help="the public cases; see public_packages"
    )
    parser.add_argument(
        "--ttft", action="store_true", help="only time plain answers: first token and whole"
    )
    add_model_options(parser)
    parser.add_argument("--max-tokens", type=int, help="of a reply; default: the suite's own")
    parser.add_argument("--label", default="", help="the model's name in the tables")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write everything there")
    parser.add_argument("--prompts", action="store_true", help="what was sent, too")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="write the tables there")
    parser.add_argument(
        "--replies", type=Path, metavar="FILE", help="keep replies there; a run broken off goes on"
    )
    parser.add_argument(
        "--show", type=int, default=3, metavar="N", help="print the first N errors of each row"
    )
    return parser


if __name__ == "__main__":
    main()
