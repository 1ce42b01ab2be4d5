"""How a chat model is best asked for tool calls: `toolemu check`. Keys are taken from the providers' own variables.

Exit codes: 0, tools can be used with this model; 1, no way of asking did well enough; 2, the command was misspelt;
3, the model could not be asked, or the report not written; 130, it was stopped by Ctrl-C.
"""

import argparse
import os
import sys
import time
import warnings
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from langchain_core.language_models import BaseChatModel

from langchain_toolemu.check.advice import cautions, constructor, is_usable
from langchain_toolemu.check.bar import Bar, estimate
from langchain_toolemu.check.checking import Check, Findings
from langchain_toolemu.check.models import add_model_options, named_model, refuse_address_alone
from langchain_toolemu.check.page import write_page
from langchain_toolemu.check.tables import markdown, table
from langchain_toolemu.check.trials import TRIALS
from langchain_toolemu.check.troubles import CheckError, explained
from langchain_toolemu.errors import ToolEmuWarning

_MAX_TOKENS = 128
_UNUSABLE, _UNASKED, _STOPPED = 1, 3, 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code.

    Example:
        ```python
        main(["check", "--model", "openai:gemma2", "--base-url", "http://localhost:11434/v1"])
        ```
    """
    parser = argparse.ArgumentParser(prog="toolemu", description=__doc__)
    add_command(parser.add_subparsers(required=True, metavar="check"))
    return run(parser.parse_args(arguments))


def run(options: argparse.Namespace) -> int:
    """Check a model as the options say; returns the exit code."""
    refuse_address_alone(options)
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
        seconds = _greet(named.llm, options)
        trials = TRIALS[: options.cases]
        check = Check(named.llm, named.name, trials, compare=options.markdown, full=options.full)
        sys.stderr.write(estimate(check.steps, seconds))
        bar = stack.enter_context(Bar(check.steps, sys.stderr))
        findings = check.run(bar.advance)
        return findings, constructor(findings, named)


def _greet(llm: BaseChatModel, options: argparse.Namespace) -> float:
    """One plain request first: what is wrong with the address, the key or the name shows here, and how fast it is."""
    start = time.monotonic()
    try:
        llm.invoke("Say hello.")
    except Exception as error:
        raise CheckError(explained(error, options.model or "", options.base_url or "")) from error
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


# --- options ---


def add_command(commands: Any) -> None:
    """Add the subcommand and its options to a parser's subcommands."""
    command: argparse.ArgumentParser = commands.add_parser(
        "check", help="find out how a chat model is best asked for calls", description=__doc__
    )
    add_model_options(command)
    command.add_argument(
        "--cases",
        type=int,
        default=6,
        choices=range(1, len(TRIALS) + 1),
        metavar="N",
        help=f"trials for each way, 1 to {len(TRIALS)}; default: 6",
    )
    command.add_argument(
        "--full",
        action="store_true",
        help="go on with a way of asking even where it cannot be the best any more",
    )
    command.add_argument(
        "--report", type=Path, metavar="FILE", help="write an HTML page with every prompt and reply"
    )
    command.add_argument(
        "--markdown",
        action="store_true",
        help="ask the model by other means, too, and print a table of one row to compare models by",
    )
    command.add_argument(
        "--least",
        type=_share,
        default=0.5,
        metavar="SHARE",
        help="the share of trials that must go well for exit code 0, 0 to 1; default: 0.5",
    )
    command.set_defaults(run=run, refuse=command.error)


def _share(text: str) -> float:
    try:
        share = float(text)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        raise argparse.ArgumentTypeError(f"{text} is no share: give a number from 0 to 1")
    return share
