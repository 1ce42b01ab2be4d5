"""Runs the agent suite: `python -m tests.benchmarks.agents --model openai:NAME --base-url URL --way default --json FILE`.

A run that was broken off goes on where it stopped. `--authors` chooses the files of `tasks/`; `eli`, `fay`, `jon` and `kim` are held out.
"""

import argparse
import json
import warnings
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from threading import Lock
from typing import Any

from rich.console import Console
from rich.table import Table

from langchain_toolemu import ChatToolEmu
from tests.benchmarks.agents import agentdojo_tasks, bfcl_tasks, playing
from tests.benchmarks.agents.world import FOLDER, load
from tests.benchmarks.contract.interval import wilson
from tests.benchmarks.contract.rivals import AdHoc, FewShot
from tests.benchmarks.models import add_model_options, chat_model

Play = Callable[[Any], dict[str, Any]]
HELD_OUT = ("eli", "fay", "jon", "kim")
FIGURES = ("done", "made_up", "unwanted", "twice", "ended")
WAYS: Mapping[str, Callable[[Any], Any]] = {
    "default": lambda llm: ChatToolEmu(llm=llm),
    "force": lambda llm: ChatToolEmu(llm=llm, mode="force"),
    "trust": lambda llm: ChatToolEmu(llm=llm, policy="trust"),
    "decision": lambda llm: ChatToolEmu(llm=llm, flow="decision"),
    "native": lambda llm: llm,
    "ad hoc": lambda llm: AdHoc(llm=llm),
    "few-shot": lambda llm: FewShot(llm=llm),
}
_ALONE = 3  # tasks that run one by one: what they teach of the model, the others know


def main() -> None:
    """Run and print."""
    warnings.simplefilter("ignore")
    options = _parser().parse_args()
    tasks = [one for one in _tasks(options) if not options.only or one[0] in options.only]
    tasks = tasks[:: options.every][: options.cases]
    kept = json.loads(options.json.read_text()) if options.json and options.json.exists() else []
    done = {row["task"] for row in kept}
    left = [(name, play) for name, play in tasks if name not in done]
    with chat_model(options, max_tokens=options.max_tokens) as asked:
        rows = _run(left, WAYS[options.way](asked), options, kept)
    Console(width=160).print(table({options.way: rows}))


def _tasks(options: argparse.Namespace) -> list[tuple[str, Play]]:
    """The tasks that the options name, each with what plays it."""
    if options.suite == "own":
        files = [FOLDER / f"{name}.json" for name in options.authors]
        return [
            (task["name"], partial(playing.play, domain, task)) for domain, task in load(*files)
        ]
    loader = agentdojo_tasks if options.suite == "agentdojo" else bfcl_tasks
    made = enumerate(loader.load(options.data, options.most))
    return [
        (f"{options.suite}/{number}", partial(playing.play_outside, make)) for number, make in made
    ]


def _run(
    tasks: Sequence[tuple[str, Play]], llm: Any, options: argparse.Namespace, kept: list[Any]
) -> list[dict[str, Any]]:
    rows = list(kept)
    lock = Lock()

    def run(one: tuple[str, Play]) -> None:
        name, play = one
        try:
            row = play(llm)
        except Exception as error:  # noqa: BLE001 - no crash may end the run
            author, _, kind = name.partition("/")
            row = {"kind": kind, "author": author, "error": repr(error)[:500]}
            row |= dict.fromkeys(FIGURES, False) | {"requests": 0, "tokens": 0}
        with lock:
            rows.append({**row, "task": name, "way": options.way})
            print(
                f"{len(rows)}/{len(tasks)} {name} {[one for one in FIGURES if row[one]]}",
                flush=True,
            )
            if options.json:
                options.json.write_text(json.dumps(rows, ensure_ascii=False))

    for one in tasks[:_ALONE]:
        run(one)
    with ThreadPoolExecutor(options.workers) as pool:
        list(pool.map(run, tasks[_ALONE:]))
    return rows


def table(results: Mapping[str, Sequence[Mapping[str, Any]]]) -> Table:
    """One row for each way: how many runs were done, with the interval, and what went wrong."""
    made = Table("way", "tasks", *FIGURES, "requests", "tokens", "kinds done")
    for way, rows in results.items():
        count = len(rows) or 1
        cells = [_cell(sum(bool(row[name]) for row in rows), count) for name in FIGURES]
        spent = [f"{sum(row[name] for row in rows) / count:.1f}" for name in ("requests", "tokens")]
        kinds = Counter(row["kind"] for row in rows)
        right = Counter(row["kind"] for row in rows if row["done"])
        told = ", ".join(f"{kind} {right[kind]}/{kinds[kind]}" for kind in sorted(kinds))
        made.add_row(way, str(len(rows)), *cells, *spent, told)
    return made


def _cell(good: int, count: int) -> str:
    low, high = wilson(good, count)
    return f"{good} ({100 * good / count:.0f} %, {100 * low:.0f}-{100 * high:.0f})"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m tests.benchmarks.agents", description=__doc__)
    authors = sorted(path.stem for path in FOLDER.glob("*.json"))
    parser.add_argument(
        "--authors",
        nargs="+",
        default=[one for one in authors if one not in HELD_OUT],
        choices=authors,
    )
    parser.add_argument("--suite", default="own", choices=("own", "agentdojo", "bfcl"))
    parser.add_argument("--data", help="a folder with agentdojo and bfcl_eval: see outside.py")
    parser.add_argument("--most", type=int, default=40, help="tasks of a suite that others wrote")
    parser.add_argument("--way", default="default", choices=list(WAYS))
    parser.add_argument("--only", nargs="+", help="names of tasks")
    parser.add_argument("--every", type=int, default=1, help="run every so many tasks only")
    parser.add_argument("--cases", type=int)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--max-tokens", type=int, default=300)
    parser.add_argument("--json", type=Path)
    add_model_options(parser)
    return parser


if __name__ == "__main__":
    main()
