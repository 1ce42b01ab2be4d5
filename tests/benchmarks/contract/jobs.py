"""Rows as jobs, run in this process or in several: what is learned of a model is kept by process, so rows stay apart."""

import argparse
import warnings
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import ExitStack
from multiprocessing import get_context
from typing import Any, NamedTuple

from langchain_core.language_models import BaseChatModel

from tests.benchmarks.contract.meter import Meter
from tests.benchmarks.contract.running import Row, run_suite
from tests.benchmarks.contract.suites import SUITES
from tests.benchmarks.contract.variants import VARIANTS
from tests.benchmarks.models import chat_model

_LIMITS = ("max_tokens", "num_predict")
"""What chat models call the length limit of a reply."""


class Job(NamedTuple):
    """A row to make: a contestant and a suite, by name."""

    variant: str
    suite: str


class Bench:
    """The model that a process asks, and how."""

    def __init__(self, options: argparse.Namespace, llm: BaseChatModel, meter: Meter) -> None:
        self._options, self._llm, self._meter = options, llm, meter

    def run(self, job: Job) -> Row:
        """Make a row."""
        suite = SUITES[job.suite]
        llm = with_limit(self._llm, self._options.max_tokens or suite.max_tokens)
        row = Row(job.variant, suite.name, suite.half, suite.kind, suite.wanted, self._label())
        model, options = VARIANTS[job.variant](llm), self._options
        return run_suite(
            row, suite, model, self._meter, cases=options.cases, workers=options.workers
        )

    def _label(self) -> str:
        return self._options.label or self._options.model or "embedded"


def with_limit(llm: BaseChatModel, tokens: int) -> BaseChatModel:
    """The model with another length limit."""
    names = [name for name in _LIMITS if name in type(llm).model_fields]
    return llm.model_copy(update=dict.fromkeys(names, tokens))


def run_jobs(options: argparse.Namespace, jobs: Sequence[Job]) -> Iterator[Row]:
    """The rows, as they are made."""
    if options.processes == 1:
        with ExitStack() as stack:
            bench = _open(options, stack)
            yield from map(bench.run, jobs)
        return
    spawn = get_context("spawn")
    with ProcessPoolExecutor(options.processes, spawn, _start, (options,)) as pool:
        for made in as_completed([pool.submit(_run, job) for job in jobs]):
            yield made.result()


def _open(options: argparse.Namespace, stack: ExitStack) -> Bench:
    meter = Meter(options.replies)
    return Bench(options, stack.enter_context(chat_model(options, cache=meter)), meter)


_BENCH: dict[str, Any] = {}
"""The bench of a process of the pool."""


def _start(options: argparse.Namespace) -> None:
    warnings.simplefilter("ignore")
    _BENCH["bench"] = _open(options, ExitStack())


def _run(job: Job) -> Row:
    row: Row = _BENCH["bench"].run(job)
    return row
