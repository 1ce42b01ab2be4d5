"""A check from its options to its output: the work of `toolemu check`, imported only when it runs."""

import argparse
import os
import sys
import time
import warnings
from contextlib import ExitStack
from typing import TextIO

from langchain_core.language_models import BaseChatModel
from typing_extensions import Self

from langchain_toolemu.check import check_report
from langchain_toolemu.check.model_options import given_flags
from langchain_toolemu.check.named_model import CheckError, explain_request_error, named_model
from langchain_toolemu.check.trial_runs import Check, Findings
from langchain_toolemu.check.trials import TRIALS
from langchain_toolemu.errors import ToolEmuWarning

_MAX_TOKENS = 128
_UNUSABLE, _UNASKED, _STOPPED = 1, 3, 130
_BAR_WIDTH = 24
_STEP_WIDTH = 40
_LINE_WIDTH = _BAR_WIDTH + _STEP_WIDTH + 34


def run_check(options: argparse.Namespace) -> int:
    """Check a model as the options say; returns the exit code."""
    try:
        report = options.report
        # Before minutes of asking: a page that cannot be written.
        if report and (report.is_dir() or not os.access(report.parent, os.W_OK)):
            advice = "Name a file in a folder that is there."
            raise CheckError(f"The report cannot be written to {report}. {advice}")
        findings, lines = _check(options)
        _print(findings, lines, options)
    except CheckError as error:
        sys.stderr.write(f"toolemu: {error}\n")
        return _UNASKED
    except KeyboardInterrupt:
        sys.stderr.write("\nStopped before anything was measured.\n")
        return _STOPPED
    if findings.stopped:
        return _STOPPED
    return 0 if check_report.is_usable(findings, options.least) else _UNUSABLE


def _check(options: argparse.Namespace) -> tuple[Findings, str]:
    with ExitStack() as stack:
        # What is found out is in the summary.
        stack.enter_context(warnings.catch_warnings())
        warnings.simplefilter("ignore", ToolEmuWarning)
        named = named_model(options, stack, temperature=0, max_tokens=_MAX_TOKENS)
        seconds = _greet(named.llm)
        check = Check(
            named.llm,
            named.name,
            TRIALS[: options.cases],
            compare=options.markdown,
            full=options.full,
            settings=given_flags(options),
        )
        sys.stderr.write(estimate(check.steps, seconds))
        bar = stack.enter_context(_ProgressBar(check.steps, sys.stderr))
        findings = check.run(bar.advance)
        return findings, check_report.constructor(findings, named)


def _greet(llm: BaseChatModel) -> float:
    """Send one plain request: it shows a wrong address, key or name, and how fast the model is."""
    start = time.monotonic()
    try:
        llm.invoke("Say hello.")
    except Exception as error:
        raise CheckError(explain_request_error(error, llm)) from error
    return time.monotonic() - start


def _print(findings: Findings, lines: str, options: argparse.Namespace) -> None:
    if options.markdown:
        sys.stdout.write(check_report.markdown(findings))
    # A table that is to be put into a file comes alone.
    out = sys.stderr if options.markdown else sys.stdout
    support = findings.support
    out.write(f"Model: {findings.model}\n")
    out.write(f"Native tool calling: {support.verdict} ({support.reason})\n\n")
    out.write(f"{check_report.table(findings)}\n\n")
    out.writelines(f"{words}\n" for words in check_report.cautions(findings))
    out.write("\nRecommended:\n\n")
    out.writelines(f"    {line}".rstrip() + "\n" for line in lines.splitlines())
    if options.report:
        try:
            options.report.write_text(check_report.write_page(findings, lines), encoding="utf-8")
        except OSError as error:
            raise CheckError(f"The report cannot be written: {error}") from error
        out.write(f"\nThe report is in {options.report}.\n")


# --- how long it will take ---


def format_seconds(seconds: float) -> str:
    """Seconds or minutes, rounded."""
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    return f"{round(seconds / 60)} min"


def estimate(steps: int, greeting: float) -> str:
    """What to say at the start, given how long one short request took."""
    # A question comes with the contract and may be asked twice. How much longer that takes depends on the model.
    low, high = format_seconds(steps * greeting), format_seconds(3 * steps * greeting)
    between = low if low == high else f"{low} to {high}"
    return f"Up to {steps} questions, about {between}. Ctrl-C ends it and keeps what was measured.\n"  # fmt: skip


class _ProgressBar:
    """A line on a terminal: how far a row of steps has come, the present one, and how long the others will take."""

    def __init__(self, steps: int, stream: TextIO) -> None:
        self._steps = steps
        self._stream = stream
        self._start = time.monotonic()
        self._taken = 0

    def advance(self, step: str, before: int) -> None:
        # `before` counts the steps that were done or skipped.
        done = _BAR_WIDTH * before // max(1, self._steps)
        bar = "#" * done + "." * (_BAR_WIDTH - done)
        left = ""
        if self._taken >= 2:  # there is something to tell it by
            each = (time.monotonic() - self._start) / self._taken
            left = f" at most {format_seconds(each * (self._steps - before))}"
        self._taken += 1
        text = f"[{bar}] {before + 1}/{self._steps} {step[:_STEP_WIDTH]:<{_STEP_WIDTH}}{left}"
        self._write(f"\r{text:<{_LINE_WIDTH}}")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._write("\r" + " " * _LINE_WIDTH + "\r")

    def _write(self, text: str) -> None:
        if self._stream.isatty():
            self._stream.write(text)
            self._stream.flush()
