"""A check from its options to what is said: the work of `toolemu check`, which only its start imports."""

import argparse
import os
import sys
import time
import warnings
from contextlib import ExitStack
from pathlib import Path

from langchain_core.language_models import BaseChatModel

from langchain_toolemu.check.advice import cautions, constructor, is_usable
from langchain_toolemu.check.bar import Bar, estimate
from langchain_toolemu.check.checking import Check, Findings
from langchain_toolemu.check.models import named_model
from langchain_toolemu.check.options import given_flags
from langchain_toolemu.check.page import write_page
from langchain_toolemu.check.tables import markdown, table
from langchain_toolemu.check.trials import TRIALS
from langchain_toolemu.check.troubles import CheckError, explained
from langchain_toolemu.errors import ToolEmuWarning

_MAX_TOKENS = 128
_UNUSABLE, _UNASKED, _STOPPED = 1, 3, 130


def run_check(options: argparse.Namespace) -> int:
    """Check a model as the options say; returns the exit code."""
    try:
        _refuse_folder(options.report)
        findings, lines = _checked(options)
        _tell(findings, lines, options)
    except CheckError as error:
        sys.stderr.write(f"toolemu: {error}\n")
        return _UNASKED
    except KeyboardInterrupt:
        sys.stderr.write("\nStopped before anything was measured.\n")
        return _STOPPED
    if findings.stopped:
        return _STOPPED
    return 0 if is_usable(findings, options.least) else _UNUSABLE


def _refuse_folder(report: Path | None) -> None:
    """Before minutes of asking: a page that cannot be written."""
    if report and (report.is_dir() or not os.access(report.parent, os.W_OK)):
        raise CheckError(
            f"The report cannot be written to {report}. Name a file in a folder that is there."
        )


def _checked(options: argparse.Namespace) -> tuple[Findings, str]:
    with ExitStack() as stack:
        # What is found out is in the summary.
        stack.enter_context(warnings.catch_warnings())
        warnings.simplefilter("ignore", ToolEmuWarning)
        named = named_model(options, stack, temperature=0, max_tokens=_MAX_TOKENS)
        seconds = _greet(named.llm)
        trials = TRIALS[: options.cases]
        check = Check(
            named.llm,
            named.name,
            trials,
            compare=options.markdown,
            full=options.full,
            settings=given_flags(options),
        )
        sys.stderr.write(estimate(check.steps, seconds))
        bar = stack.enter_context(Bar(check.steps, sys.stderr))
        findings = check.run(bar.advance)
        return findings, constructor(findings, named)


def _greet(llm: BaseChatModel) -> float:
    """One plain request first: what is wrong with the address, the key or the name shows here, and how fast it is."""
    start = time.monotonic()
    try:
        llm.invoke("Say hello.")
    except Exception as error:
        raise CheckError(explained(error, llm)) from error
    return time.monotonic() - start


# --- what is said ---


def _tell(findings: Findings, lines: str, options: argparse.Namespace) -> None:
    if options.markdown:
        sys.stdout.write(markdown(findings))
    # A table that is to be put into a file comes alone.
    out = sys.stderr if options.markdown else sys.stdout
    out.write(_summary(findings, lines))
    if options.report:
        _write(findings, lines, options.report)
        out.write(f"\nThe report is in {options.report}.\n")


def _summary(findings: Findings, lines: str) -> str:
    support = findings.support
    pasted = "".join(f"    {line}".rstrip() + "\n" for line in lines.splitlines())
    return (
        f"Model: {findings.model}\nNative tool calling: {support.verdict} ({support.reason})\n\n{table(findings)}\n\n"
        + "".join(f"{words}\n" for words in cautions(findings))
        + f"\nRecommended:\n\n{pasted}"
    )


def _write(findings: Findings, lines: str, report: Path) -> None:
    try:
        report.write_text(write_page(findings, lines), encoding="utf-8")
    except OSError as error:
        raise CheckError(f"The report cannot be written: {error}") from error
