"""Measure how well a chat model calls tools, and find the best settings: `toolemu check`.

Keys are read from the providers' own variables.

Exit codes: 0, tools can be used with this model; 1, no way of asking passed half of the trials;
2, invalid usage; 3, the model could not be asked; 130, it was stopped by Ctrl-C.
"""

import argparse
from typing import Any

from langchain_toolemu.check import model_options
from langchain_toolemu.check.trials import TRIALS

_OPTIONS: model_options.ArgumentTable = (
    (
        "--cases",
        {"type": int, "default": 6, "choices": range(1, len(TRIALS) + 1), "metavar": "N"},
        f"trials for each way of asking, 1 to {len(TRIALS)}; default: 6",
    ),
)


def run(options: argparse.Namespace) -> int:
    """Check a model as the options say; returns the exit code."""
    model_options.refuse_bad_address(options)
    from langchain_toolemu.check.check_run import run_check

    return run_check(options)


def add_command(commands: Any) -> None:
    """Add the subcommand and its options to a parser's subcommands."""
    words = "measure how well a chat model calls tools, and find the best settings"
    command = model_options.add_subcommand(commands, "check", words, __doc__, run)
    model_options.add_arguments(command, model_options.MODEL_OPTIONS)
    model_options.add_flags(command, "mode")
    model_options.add_arguments(command, _OPTIONS)
