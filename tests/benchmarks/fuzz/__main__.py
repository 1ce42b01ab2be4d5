"""Texts nobody wrote, for some minutes: `make fuzz`, or `python -m tests.benchmarks.fuzz [--minutes N] [--seed N]`.

The reader gets mutations of the samples and of the corpus: texts whose like had not been read before are kept in it, so that
the next run starts where this one ended. Projection, validation and rounds get their hypothesis tests, over and over.
"""

import argparse
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from hypothesis import settings
from rich.console import Console
from rich.progress import Progress

from tests.benchmarks.fuzz.mutations import mutate
from tests.benchmarks.fuzz.promises import broken_promise
from tests.unit_tests import test_rounds
from tests.unit_tests.contract import test_history
from tests.unit_tests.samples import load
from tests.unit_tests.validation import test_fitting

CORPUS = Path(__file__).parent / "corpus.json"
_MOST = 600  # texts kept: enough to start from, few enough to read
_PROPERTIES: dict[str, Callable[[], None]] = {
    "projection": test_history.test_any_history_projects_to_turns_of_three_roles,
    "validation": test_fitting.test_any_schema_and_value,
    "rounds": test_rounds.test_any_history_comes_back_equal,
}


def main() -> int:
    """Run until the time is up; the exit code is the number of broken promises."""
    options = _options().parse_args()
    console = Console()
    counts: dict[str, int] = dict.fromkeys(["reader", *_PROPERTIES], 0)
    found: list[str] = []
    corpus = json.loads(CORPUS.read_text()) if CORPUS.exists() else []
    fuzz = _ReaderFuzz(options.seed, corpus)
    end = time.monotonic() + options.minutes * 60
    with Progress(console=console) as progress:
        task = progress.add_task("fuzzing", total=options.minutes * 60)
        while (left := end - time.monotonic()) > 0:
            counts["reader"] += fuzz.run(2_000)
            found += fuzz.complaints()
            for name in _PROPERTIES:
                counts[name] += _examples_of(_PROPERTIES[name])
                found += _property(name)
            progress.update(task, completed=options.minutes * 60 - left)
    if not options.dry:
        CORPUS.write_text(json.dumps(fuzz.kept, indent=0, ensure_ascii=True) + "\n")
    console.print(
        f"inputs: {counts}, {sum(counts.values()):,} in all; corpus: {len(fuzz.kept)} texts"
    )
    console.print(f"{len(found)} broken promises", *found, sep="\n", markup=False)
    return min(len(found), 100)


class _ReaderFuzz:
    """Mutations for the reader, and the corpus that they grow."""

    def __init__(self, seed: int, corpus: list[str]) -> None:
        self._random = Random(seed)
        self._samples = [one["text"] for group in load().values() for one in group]
        self.kept = corpus
        self._kinds = {broken_promise(Random(0), text)[1] for text in [*self._samples, *corpus]}
        self._complaints: list[str] = []

    def run(self, count: int) -> int:
        """Read so many texts."""
        for _ in range(count):
            text = mutate(self._random, [*self._samples, *self.kept])
            complaint, kind = broken_promise(self._random, text)
            if complaint:
                self._complaints.append(f"{complaint}: {text!r}")
            if kind not in self._kinds and len(self.kept) < _MOST:
                self._kinds.add(kind)
                self.kept.append(text)
        return count

    def complaints(self) -> list[str]:
        """What was found since the last time."""
        found, self._complaints = self._complaints, []
        return found


def _property(name: str) -> list[str]:
    try:
        _PROPERTIES[name]()
    except Exception as error:  # noqa: BLE001 - that is what is looked for
        return [f"{name}: {type(error).__name__}: {error}"]
    return []


def _examples_of(test: Any) -> int:
    """How many inputs hypothesis makes each time."""
    default: int = settings.default.max_examples
    return int(
        getattr(getattr(test, "_hypothesis_internal_use_settings", None), "max_examples", default)
    )


def _options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--dry", action="store_true", help="leave the corpus as it is")
    return parser


if __name__ == "__main__":
    sys.exit(main())
