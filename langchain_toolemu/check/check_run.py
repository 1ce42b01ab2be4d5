"""The work of `toolemu check`, imported when it runs."""

import argparse
import sys
import warnings
from contextlib import ExitStack

from langchain_core.language_models import BaseChatModel

from langchain_toolemu.check import check_report
from langchain_toolemu.check.model_options import GREEN, RED, coloured, given_flags
from langchain_toolemu.check.named_model import CheckError, explain_request_error, named_model
from langchain_toolemu.check.trial_runs import Check
from langchain_toolemu.check.trials import TRIALS
from langchain_toolemu.errors import ToolEmuError, ToolEmuWarning

_MAX_TOKENS = 128
_UNUSABLE, _UNASKED, _STOPPED = 1, 3, 130


def run_check(options: argparse.Namespace) -> int:
    """Check a model as the options say; returns the exit code."""
    try:
        with ExitStack() as stack:
            return _check(options, stack)
    except ToolEmuError as error:
        sys.stderr.write(f"toolemu: {error}\n")
        return _UNASKED
    except KeyboardInterrupt:
        sys.stderr.write("\nStopped before any way of asking was measured.\n")
        return _STOPPED


def _check(options: argparse.Namespace, stack: ExitStack) -> int:
    # The summary says what the warnings would.
    stack.enter_context(warnings.catch_warnings())
    warnings.simplefilter("ignore", ToolEmuWarning)
    named = named_model(options, stack, temperature=0, max_tokens=_MAX_TOKENS)
    _greet(named.llm)
    check = Check(named.llm, named.name, TRIALS[: options.cases], given_flags(options))
    ending = "Ctrl-C ends it and keeps what was measured."
    sys.stderr.write(f"Up to {check.steps} questions. {ending}\n")
    try:
        check.run(_show_step)
    except KeyboardInterrupt:
        sys.stderr.write("\nStopping ...\n")
        sys.stderr.flush()
    if not check.results:
        raise KeyboardInterrupt
    colour, words = GREEN if check.is_usable else RED, check_report.heading(check)
    heading = coloured(words, colour, sys.stdout)
    sys.stdout.write(check_report.write_text(check, named, heading))
    sys.stdout.flush()
    if check.stopped:
        return _STOPPED
    return 0 if check.is_usable else _UNUSABLE


def _greet(llm: BaseChatModel) -> None:
    """Send one plain request: it shows a wrong address, key or name."""
    try:
        llm.invoke("Say hello.")
    except Exception as error:
        raise CheckError(explain_request_error(error, llm)) from error


def _show_step(step: str, before: int, steps: int) -> None:
    sys.stderr.write(f"{before + 1}/{steps} {step}\n")
    sys.stderr.flush()
