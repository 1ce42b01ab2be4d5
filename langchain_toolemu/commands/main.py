"""The command `toolemu`: one subcommand for each thing it does.

A subcommand is a module that adds its options to the parser and names the function that runs it. That function imports what
it needs, so that `toolemu --help` costs nothing.
"""

import argparse
import sys
from collections.abc import Sequence

from langchain_toolemu._version import __version__
from langchain_toolemu.check import command as check
from langchain_toolemu.commands import serve


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code.

    Example:
        ```python
        main(["serve", "--model", "openai:gemma2", "--base-url", "http://localhost:11434/v1"])
        ```
    """
    parser = _parser()
    options = parser.parse_args(arguments)
    return int(options.run(options))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="toolemu", description="Tool calling for every chat model that lacks it."
    )
    parser.add_argument("--version", action="version", version=f"toolemu {__version__}")
    commands = parser.add_subparsers(required=True, metavar="command")
    for subcommand in (check, serve):
        subcommand.add_command(commands)
    return parser


if __name__ == "__main__":
    sys.exit(main())
