"""Put a chat model through the suites: `python -m tests.benchmarks.contract --variant "nothing set" --variant native`.

Everything is asked at temperature 0, and a run gives the same figures again, with one reserve: llama.cpp's replies
change a little with what its prompt cache holds, so the same cases in another order may differ in a case or two.
"""

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

from langchain_core.language_models import BaseChatModel
from rich.console import Console
from rich.progress import Progress

from langchain_toolemu import forget_tool_support
from tests.benchmarks.contract.meter import Meter
from tests.benchmarks.contract.report import markdown, table
from tests.benchmarks.contract.running import Row, dump, run
from tests.benchmarks.contract.suites import SUITES
from tests.benchmarks.contract.variants import VARIANTS
from tests.benchmarks.models import add_model_options, chat_model

_MAX_TOKENS = 320  # the longest of the right replies, several calls, has 280


def main(arguments: Sequence[str] | None = None) -> list[Row]:
    """Run, print, and write down."""
    options = _options().parse_args(arguments)
    console = Console(width=None if Console().is_terminal else 150)
    meter, rows = Meter(options.replies), []
    with chat_model(options, max_tokens=options.max_tokens, cache=meter) as llm:
        for row in _rows(options, llm, meter, console):
            rows.append(row)
            if options.json:
                options.json.write_text(dump(rows), encoding="utf-8")
    console.print(table(rows))
    for row in rows:
        for crash in row.crashed[: options.show]:
            console.print(f"[red]{row.contestant}, {row.suite}[/]: {crash}", markup=True)
    if options.markdown:
        options.markdown.write_text(markdown(rows), encoding="utf-8")
    return rows


def _rows(
    options: argparse.Namespace, llm: BaseChatModel, meter: Meter, console: Console
) -> Iterator[Row]:
    """One row after the other; a variant's cases follow each other, which suits a server's prompt cache."""
    suites = [SUITES[name] for name in options.suite or SUITES]
    halves = ("tune", "held") if options.half == "both" else (options.half,)
    with Progress(console=console, transient=True) as progress:
        for name in options.variant or ["nothing set"]:
            model = VARIANTS[name](llm)
            for suite in suites:
                for half in halves:
                    cases = suite.cases(half, options.cases)
                    bar = progress.add_task(f"{name}: {suite.name}, {half}", total=len(cases))
                    row = Row(name, suite.name, half, suite.wanted)
                    forget_tool_support()  # every row begins knowing nothing of the model
                    for case in cases:
                        run(case, model, row, meter)
                        progress.advance(bar)
                    yield row


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
    parser.add_argument("--cases", type=int, metavar="N", help="at most N cases of each half")
    add_model_options(parser)
    parser.add_argument("--max-tokens", type=int, default=_MAX_TOKENS, help="of a reply")
    parser.add_argument(
        "--json", type=Path, metavar="FILE", help="write everything there, prompts and replies too"
    )
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="write the table there")
    parser.add_argument(
        "--replies", type=Path, metavar="FILE", help="keep replies there; a run broken off goes on"
    )
    parser.add_argument(
        "--show", type=int, default=3, metavar="N", help="print the first N errors of each row"
    )
    return parser


if __name__ == "__main__":
    main()
