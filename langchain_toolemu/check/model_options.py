"""The flags that name a model on a command line, those of the chat model, and colours.

Nothing heavy is imported here.
"""

import argparse
import os
from collections.abc import Callable
from contextlib import suppress
from math import inf
from pathlib import Path
from typing import Any, TextIO, TypeAlias

from langchain_toolemu.options import OPTIONS, Option

# Rows of a flag, its settings and its help.
ArgumentTable: TypeAlias = tuple[tuple[str, dict[str, Any], str], ...]

MODEL_OPTIONS: ArgumentTable = (
    (
        "--model",
        {"metavar": "PROVIDER:NAME"},
        "such as openai:gemma2 or ollama:gemma2; default: the embedded model",
    ),
    ("--base-url", {"metavar": "URL"}, "where the model's server is"),
    ("--gguf", {"type": Path, "metavar": "FILE"}, "other weights for the embedded model"),
)


def add_subcommand(
    commands: Any, name: str, words: str, doc: str | None, run: Callable[..., int]
) -> argparse.ArgumentParser:
    """Add a subcommand: its name, its help, its whole description, and what runs it."""
    command: argparse.ArgumentParser = commands.add_parser(name, help=words, description=doc)
    command.set_defaults(run=run, refuse=command.error, usage=command.format_usage)
    return command


def add_arguments(command: Any, arguments: ArgumentTable) -> None:
    """Add options to a command, or to a group of one."""
    for flag, settings, text in arguments:
        command.add_argument(flag, help=text, **settings)


def add_flags(command: Any, *left_out: str) -> None:
    """Add the options of the chat model that are flags, without those that are left out."""
    for name, option in OPTIONS.items():
        if option.is_flag and name not in left_out:
            flag = f"--{name.replace('_', '-')}"
            form: dict[str, Any] = {"type": _reader_of(option), "metavar": "N"}
            if any(option.words):
                form = {"choices": list(filter(None, option.words))}
            default = f" Default: {option.default}." if option.default else ""
            command.add_argument(flag, help=option.sentence + default, **form)


def _reader_of(option: Option) -> Callable[[str], Any]:
    def read(text: str) -> Any:
        value: Any = text
        with suppress(ValueError):
            value = float(text)
            value = int(text)
        if complaint := option.complaint(value):
            raise argparse.ArgumentTypeError(complaint)
        return value

    return read


def number_between(
    least: float, most: float = inf, kind: type = float, unit: int = 1
) -> Callable[[str], Any]:
    """A reader of numbers within limits, for a flag; they are given in units."""

    def read(text: str) -> Any:
        with suppress(ValueError):
            if least <= (number := kind(text)) <= most:
                return unit * number
        limits = f"from {least:g} to {most:g}" if most < inf else f"of at least {least:g}"
        raise argparse.ArgumentTypeError(f"{text} is not a number {limits}")

    return read


def given_flags(options: argparse.Namespace) -> dict[str, Any]:
    """The options of the chat model that were given on the command line."""
    flags = (name for name, option in OPTIONS.items() if option.is_flag)
    return {name: value for name in flags if (value := getattr(options, name, None)) is not None}


def refuse_bad_address(options: argparse.Namespace) -> None:
    """Refuse a `--base-url` without a model, which would be ignored, or without `http://`."""
    address = options.base_url
    if address and not options.model:
        options.refuse("--base-url needs --model: which model of that server?")
    if address and not address.startswith(("http://", "https://")):
        options.refuse(
            "--base-url must begin with http:// or https://, as in http://localhost:11434/v1"
        )


# --- what a terminal shows ---

BOLD, RED, GREEN = 1, 31, 32  # colours


def coloured(text: str, colour: int, out: TextIO) -> str:
    """A text in a colour, if it is written to a terminal and `NO_COLOR` is not set."""
    shows = out.isatty() and not os.environ.get("NO_COLOR")
    return f"\x1b[{colour}m{text}\x1b[0m" if shows else text
