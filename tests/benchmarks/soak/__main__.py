"""Faults and loads, one table: `make soak`, or `python -m tests.benchmarks.soak [--turns N] [--without-model]`."""

import argparse
import sys
import time
from collections.abc import Callable

from rich.console import Console
from rich.table import Table

from langchain_toolemu.local import LocalServer
from tests.benchmarks.soak import loads
from tests.benchmarks.soak.faults import FAULTS, Fault, suffer, verdict
from tests.ways import WAYS


def main() -> int:
    """Run everything and print what came of it; the exit code is the number of wrong rows."""
    options = _options().parse_args()
    console = Console(width=None if Console().is_terminal else 140)
    table = Table("what", "what came of it", "seconds")
    wrong = 0
    for name, run in _rows(options):
        with console.status(name):
            start = time.perf_counter()
            said = _outcome(run)
        wrong += said.startswith("wrong")
        table.add_row(name, said, f"{time.perf_counter() - start:.1f}")
    console.print(table)
    console.print(f"{wrong} wrong")
    return wrong


def _rows(options: argparse.Namespace) -> list[tuple[str, Callable[[], str]]]:
    rows: list[tuple[str, Callable[[], str]]] = [
        (f"{fault.name} (four ways)", lambda fault=fault: _four_ways(fault)) for fault in FAULTS
    ]
    rows += [
        ("a stream without end", loads.stream_without_end),
        ("500 async turns at once", lambda: loads.tasks_at_once(500)),
        ("64 threads, one model object", lambda: loads.threads_at_once(64, 1000)),
        ("streams given up, tasks cancelled", lambda: loads.streams_given_up(50)),
        (f"{options.turns:,} turns in one process", lambda: loads.turns_in_a_row(options.turns)),
    ]
    if not options.without_model:
        rows.append(("the embedded llama.cpp server", _embedded))
    return rows


def _four_ways(fault: Fault) -> str:
    said = {verdict(fault, *suffer(fault, way)) for way in WAYS}
    return next((one for one in said if one.startswith("wrong")), "; ".join(sorted(said)))


def _embedded() -> str:
    with LocalServer() as server:
        return loads.on_the_embedded_model(server)


def _outcome(run: Callable[[], str]) -> str:
    try:
        return run()
    except Exception as error:  # noqa: BLE001 - the table must tell of every row
        return f"wrong: {type(error).__name__}: {error}"


def _options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.soak", description=__doc__)
    parser.add_argument("--turns", type=int, default=10_000, help="turns in one process")
    parser.add_argument("--without-model", action="store_true", help="leave out llama.cpp")
    return parser


if __name__ == "__main__":
    sys.exit(main())
