"""Runs cases, several at once, and says how far it is.

Suites are mixed, and each case is asked in every way before the next one. So the time left can be told, and a run that ends
early has asked every way the same, from all suites in proportion.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Event, Lock
from typing import Any

from openai import APIConnectionError, APITimeoutError

from tests.benchmarks.contract.meter import Meter
from tests.benchmarks.leaderboard.results import ResultFile
from tests.benchmarks.leaderboard.suites import Case

Job = tuple[Case, str]
_ALONE = 3  # cases that run one by one: what they teach of the model, the others know
_SECONDS = 10  # between two lines


def in_turn(suites: Sequence[Sequence[Case]]) -> list[Case]:
    """The cases of all suites, mixed in proportion."""
    placed = [
        ((number + 0.5) / len(cases), case) for cases in suites for number, case in enumerate(cases)
    ]
    return [case for _, case in sorted(placed, key=lambda one: one[0])]


class Run:
    """A run over cases and ways, which ends early if the server is gone or the time is up."""

    def __init__(
        self,
        make: Callable[[str, Case], Any],
        files: Mapping[str, ResultFile],
        meter: Meter,
        minutes: float | None,
    ) -> None:
        self._make, self._files, self._meter = make, files, meter
        self._end = time.monotonic() + 60 * minutes if minutes else None
        self._over, self.lost = Event(), ""

    def run(self, cases: Sequence[Case], workers: int) -> None:
        """Run all that was not run before."""
        left = [
            (case, way)
            for case in cases
            for way, file in self._files.items()
            if (case.suite, case.id) not in file.row.known
        ]
        progress = Progress(len(left), len(cases) * len(self._files))
        alone = _ALONE * len(self._files)
        for job in left[:alone]:
            self._one(job, progress)
        with ThreadPoolExecutor(workers) as pool:
            list(pool.map(lambda job: self._one(job, progress), left[alone:]))
        progress.end()

    def _one(self, job: Job, progress: "Progress") -> None:
        if self._over.is_set() or (self._end and time.monotonic() > self._end):
            return
        case, way = job
        good, error = False, ""
        with self._meter.counting() as tally:
            try:
                good = case.run(self._make(way, case))
            except Exception as raised:  # noqa: BLE001 - no crash may end the run
                error = f"{type(raised).__name__}: {raised}"[:200]
                if _is_lost(raised):
                    self.lost = error
                    self._over.set()
                    return
        row = {"suite": case.suite, "category": case.category, "case": case.id, "good": good}
        cost = tally.cost
        row |= {"requests": cost.requests, "sent": cost.prompt_tokens, "written": cost.completion_tokens}  # fmt: skip
        self._files[way].add(row | ({"error": error} if error else {}))
        progress.add(way, case)


def _is_lost(error: BaseException) -> bool:
    """Whether the server cannot be reached: no fault of the way."""
    return any(
        isinstance(one, APIConnectionError) and not isinstance(one, APITimeoutError)
        for one in _causes(error)
    )


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error:
        yield error
        error = error.__cause__ or error.__context__


class Progress:
    """Prints, every few seconds, how many cases were run and how long the rest will take."""

    def __init__(self, count: int, of: int) -> None:
        self._count, self._before = count, of - count
        self._began = self._printed = time.monotonic()
        self._done, self._lock = 0, Lock()
        print(f"{count} cases to run, {self._before} run before", flush=True)

    def add(self, way: str, case: Case) -> None:
        """Note a case."""
        with self._lock:
            self._done += 1
            now = time.monotonic()
            if now - self._printed >= _SECONDS:
                self._printed = now
                self._print(now, f", last {case.suite} by {way}")

    def end(self) -> None:
        """Print the last line."""
        self._print(time.monotonic(), "")

    def _print(self, now: float, last: str) -> None:
        rate = self._done / max(now - self._began, 1e-6)
        left = (self._count - self._done) / rate if rate else 0.0
        print(
            f"{self._done}/{self._count}, {rate:.1f} a second, {left / 60:.1f} min left{last}",
            flush=True,
        )
