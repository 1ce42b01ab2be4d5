"""A check from its options to its output: the work of `toolemu check`, imported only when it runs."""

import argparse
import itertools
import os
import sys
import time
import warnings
from contextlib import ExitStack
from typing import TextIO

from langchain_core.language_models import BaseChatModel

from langchain_toolemu.capability.support import UNKNOWN
from langchain_toolemu.check import check_report
from langchain_toolemu.check.model_options import GREEN, RED, coloured, given_flags
from langchain_toolemu.check.named_model import CheckError, explain_request_error, named_model
from langchain_toolemu.check.trial_runs import Check, Findings, ShowStep
from langchain_toolemu.check.trials import TRIALS
from langchain_toolemu.errors import ToolEmuError, ToolEmuWarning, reason_of

_MAX_TOKENS = 128
_UNUSABLE, _UNASKED, _STOPPED = 1, 3, 130
_STEP_WIDTH = 60


def run_check(options: argparse.Namespace) -> int:
    """Check a model as the options say; returns the exit code."""
    try:
        report = options.report
        # Checked before minutes of asking.
        if report and (report.is_dir() or not os.access(report.parent, os.W_OK)):
            advice = "Name a file in an existing folder."
            raise CheckError(f"The report cannot be written to {report}. {advice}")
        # An embedded server closes last: it finishes the reply that it is writing, which may take a while.
        with ExitStack() as stack:
            try:
                return _check(options, stack)
            except KeyboardInterrupt:
                sys.stderr.write("\nStopped before any way of asking was measured.\n")
                return _STOPPED
    except ToolEmuError as error:
        sys.stderr.write(f"toolemu: {error}\n")
        return _UNASKED
    except KeyboardInterrupt:  # once more, while it closes
        return _STOPPED


def _check(options: argparse.Namespace, stack: ExitStack) -> int:
    # The summary says what the warnings would.
    stack.enter_context(warnings.catch_warnings())
    warnings.simplefilter("ignore", ToolEmuWarning)
    named = named_model(options, stack, temperature=0, max_tokens=_MAX_TOKENS)
    seconds = _greet(named.llm)
    what = (named.llm, named.name, TRIALS[: options.cases], given_flags(options))
    check = Check(*what, compare=options.markdown, full=options.full)
    sys.stderr.write(estimate(check.steps, seconds))
    try:
        check.run(_show_progress(sys.stderr))
    except KeyboardInterrupt:
        sys.stderr.write("\nStopping ...")
        sys.stderr.flush()
    sys.stderr.write("\n")
    findings = check.findings
    if not findings.all:
        if (known := findings.support) is not UNKNOWN:
            sys.stdout.write(f"Native tool calling: {known.verdict} ({known.reason})\n")
        raise KeyboardInterrupt
    _print(findings, check_report.advice(findings, named, options.least), options)
    if findings.stopped:
        return _STOPPED
    return 0 if findings.best.share >= options.least else _UNUSABLE


def _greet(llm: BaseChatModel) -> float:
    """Send one plain request: it shows a wrong address, key or name, and how fast the model is."""
    start = time.monotonic()
    try:
        llm.invoke("Say hello.")
    except Exception as error:
        raise CheckError(explain_request_error(error, llm)) from error
    return time.monotonic() - start


def _print(findings: Findings, advice: check_report.Advice, options: argparse.Namespace) -> None:
    if options.markdown:
        sys.stdout.write(check_report.markdown(findings))
    # Only the table goes to stdout, for redirection into a file.
    out = sys.stderr if options.markdown else sys.stdout
    colour = GREEN if advice.lines else RED
    text = check_report.write_text(findings, advice)
    out.write(text.replace(advice.heading, coloured(advice.heading, colour, out)))
    if options.report:
        try:
            options.report.write_text(check_report.write_page(findings, advice), encoding="utf-8")
        except OSError as error:
            why = f"The report {options.report} cannot be written: {reason_of(error)}."
            raise CheckError(why) from error
        out.write(f"\nThe report is in {options.report}.\n")
    out.flush()


# --- how long it will take ---


def format_seconds(seconds: float) -> str:
    """Seconds or minutes, rounded."""
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    return f"{round(seconds / 60)} min"


def estimate(steps: int, greeting: float) -> str:
    """What to say at the start, given how long one short request took."""
    # A question comes with the contract and may be asked twice; how much longer that takes depends on the model.
    low, high = format_seconds(steps * greeting), format_seconds(3 * steps * greeting)
    between = low if low == high else f"{low} to {high}"
    return f"Up to {steps} questions, about {between}. Ctrl-C ends it and keeps what was measured.\n"  # fmt: skip


def _show_progress(stream: TextIO) -> ShowStep:
    """Shows the current step and the time left: on one line of a terminal, else on many."""
    start, taken = time.monotonic(), itertools.count()
    clear, end = ("\r\x1b[K", "") if stream.isatty() else ("", "\n")

    def show(step: str, before: int, steps: int) -> None:
        # `before` counts the steps that were done or skipped.
        each = (time.monotonic() - start) / max(1, number := next(taken))
        left = f", at most {format_seconds(each * (steps - before))}" if number >= 2 else ""
        stream.write(f"{clear}{before + 1}/{steps} {step[:_STEP_WIDTH]}{left}{end}")
        stream.flush()

    return show
