"""Measure how well a chat model calls tools, and find the best settings: `toolemu check`. Keys are read from the providers' own variables.

Exit codes: 0, tools can be used with this model; 1, no way of asking did well enough; 2, invalid usage;
3, the model could not be asked, or the report could not be written; 130, it was stopped by Ctrl-C.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from langchain_toolemu.check import model_options
from langchain_toolemu.check.trials import TRIALS


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
    model_options.refuse_bad_address(options)
    from langchain_toolemu.check.check_run import run_check

    return run_check(options)


# fmt: off
_OPTIONS: model_options.ArgumentTable = (
    ("--cases", {"type": int, "default": 6, "choices": range(1, len(TRIALS) + 1), "metavar": "N"},
     f"trials for each way of asking, 1 to {len(TRIALS)}; default: 6"),
    ("--full", {"action": "store_true"}, "finish every way of asking, even one that can no longer be the best"),
    ("--report", {"type": Path, "metavar": "FILE"}, "write an HTML page with every prompt and reply"),
    ("--markdown", {"action": "store_true"},
     "also ask the model in other ways, and print a one-row table for comparing models"),
    ("--least", {"type": model_options.number_between(0, 1), "default": 0.5, "metavar": "SHARE"},
     "the share of trials that must pass for exit code 0, from 0 to 1; default: 0.5"),
)
# fmt: on


def add_command(commands: Any) -> None:
    """Add the subcommand and its options to a parser's subcommands."""
    words = "measure how well a chat model calls tools, and find the best settings"
    command = model_options.add_subcommand(commands, "check", words, __doc__, run)
    model_options.add_arguments(command, model_options.MODEL_OPTIONS)
    model_options.add_flags(command, "mode")
    model_options.add_arguments(command, _OPTIONS)
