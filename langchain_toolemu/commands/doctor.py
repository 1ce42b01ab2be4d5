"""Say what a chat model and its server do with tools, and what to change: `toolemu doctor`.

It asks the server about itself and sends up to six short requests. Keys are read from the
providers' own environment variables, and never shown.

Exit codes: 0, tools can be used with this model; 1, they cannot, or nobody could be asked;
2, invalid usage; 130, it was stopped.
"""

import argparse
import json
import sys
import warnings
from contextlib import ExitStack
from typing import Any

from langchain_toolemu.check import model_options
from langchain_toolemu.check.model_options import BOLD, GREEN, RED, coloured

_SECONDS = model_options.number_between(0.1, 3600)
_OPTIONS: model_options.ArgumentTable = (
    (
        "--timeout",
        {"type": _SECONDS, "default": 60.0, "metavar": "SECONDS"},
        "how long each request may take; default: 60",
    ),
    ("--json", {"action": "store_true"}, "print one JSON object"),
)
_MAX_TOKENS = 256
_MAX_CHARS = 600
_STOPPED = 130
_COLOURS = {("usable", "yes"): GREEN, ("usable", "no"): RED}  # of a fact's name


def run(options: argparse.Namespace) -> int:
    """Print what is found out about a model; returns the exit code."""
    model_options.refuse_bad_address(options)
    try:
        with ExitStack() as stack, warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the facts include what they say
            return _run(options, stack)
    except KeyboardInterrupt:
        sys.stderr.write("\nStopped.\n")
        return _STOPPED


def _run(options: argparse.Namespace, stack: ExitStack) -> int:
    from langchain_toolemu.check.diagnosis import Diagnosis
    from langchain_toolemu.check.named_model import named_model
    from langchain_toolemu.errors import ToolEmuError

    shown: dict[str, Any] = {}
    is_usable, changes = False, []

    def show(name: str, words: str) -> None:
        shown[name.replace(" ", "_")] = words
        if not options.json:
            _print_fact(name, words)

    try:
        named = named_model(options, stack, temperature=0, max_tokens=_MAX_TOKENS)
        diagnosis = Diagnosis(named, model_options.given_flags(options), options.timeout)
        for fact in diagnosis.facts():
            show(*fact)
        is_usable, changes = diagnosis.is_usable, diagnosis.changes
    except ToolEmuError as error:
        show("model", str(error))
    for change in changes or ["nothing"] * is_usable:
        show("to change", change)
    show("usable", "yes" if is_usable else "no")
    if options.json:
        report = {**shown, "to_change": changes, "usable": is_usable}
        sys.stdout.write(json.dumps(report, indent=2, ensure_ascii=False) + "\n")
    return 0 if is_usable else 1


def _print_fact(name: str, words: str) -> None:
    # A server's text stays one line, and cannot control the terminal.
    line = "".join(letter if letter.isprintable() else " " for letter in words[:_MAX_CHARS])
    colour = _COLOURS.get((name, words), BOLD)
    head = coloured(f"{name + ':':<14}", colour, sys.stdout)
    sys.stdout.write(f"{head}{line}\n")
    sys.stdout.flush()


def add_command(commands: Any) -> None:
    """Add the subcommand and its options to a parser's subcommands."""
    words = "say what a chat model and its server do with tools, and what to change"
    command = model_options.add_subcommand(commands, "doctor", words, __doc__, run)
    model_options.add_arguments(command, (*model_options.MODEL_OPTIONS, *_OPTIONS))
    model_options.add_flags(command)
