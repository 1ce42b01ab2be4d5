"""The command `toolemu`, with its subcommands.

A subcommand is a module that adds its options to the parser. The function that runs it imports what
it needs, so that `toolemu --help` is fast.
"""

import argparse
import os
import re
import sys
from collections.abc import Sequence
from difflib import get_close_matches
from io import TextIOWrapper

from langchain_toolemu._version import __version__
from langchain_toolemu.check import command as check
from langchain_toolemu.commands import chat, demo, doctor, serve
from langchain_toolemu.serve.gone import explain_gone

_PIPE_CLOSED = 141  # as shells report SIGPIPE


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code.

    Example:
        ```python
        main(["serve", "--model", "openai:gemma2", "--base-url", "http://localhost:11434/v1"])
        ```
    """
    for stream in (sys.stdout, sys.stderr):
        # A model may say what a console's character set lacks, which must not end the command.
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
    parser = argparse.ArgumentParser(
        prog="toolemu", description="Tool calling for every chat model that lacks it."
    )
    parser.add_argument("--version", action="version", version=f"toolemu {__version__}")
    commands = parser.add_subparsers()
    for subcommand in (demo, chat, doctor, check, serve):
        subcommand.add_command(commands)
    given = list(sys.argv[1:] if arguments is None else arguments)
    names = [word.partition("=")[0] for word in given]
    if gone := explain_gone(name for name in names if name.startswith("-") or name is names[0]):
        parser.error(gone)
    options, unknown = parser.parse_known_args(given)
    if "run" not in options:
        if unknown:
            parser.error(f"{unknown[0]} is not known. See --help.")
        parser.print_help()
        return 0
    if unknown:
        known = re.findall(r"--[\w-]+", options.usage())
        near = get_close_matches(unknown[0], known, 1)
        hint = f"Did you mean {near[0]}?" if near else "See --help."
        options.refuse(f"{unknown[0]} is not known. {hint}")
    try:
        code = int(options.run(options))
        sys.stdout.flush()
    except BrokenPipeError:  # whoever read the output has seen enough, as `head` has
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _PIPE_CLOSED
    return code


if __name__ == "__main__":
    sys.exit(main())
