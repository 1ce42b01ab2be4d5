"""Write a page that shows the turns of a file: `toolemu inspect turns.jsonl`.

The file is what `get_toolemu_callback("turns.jsonl")` writes, or what the inspector of `toolemu serve` exports. The page holds
the turns, needs no server, and loads nothing from elsewhere. Exit codes: 0, it was written; 2, the file cannot be read.
"""

import argparse
import os
import sys
from pathlib import Path
from typing import Any

from langchain_toolemu.check.model_options import add_subcommand

_WRONG = 2


def run(options: argparse.Namespace) -> int:
    """Write the page; returns the exit code."""
    from langchain_toolemu.chat_models.recorded_runs import read_turns
    from langchain_toolemu.serve.inspector.page import page_of_file

    page = Path(options.output or f"{options.file}.html")
    try:
        turns = read_turns(options.file)
        # The page tells what the file tells: nobody else may read it either.
        opened = os.open(page, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(opened, "w", encoding="utf-8") as file:
            file.write(page_of_file(turns))
    except (OSError, ValueError) as error:
        place = getattr(error, "filename", None)
        words = f"{place}: {error.strerror}." if isinstance(error, OSError) and place else error
        sys.stderr.write(f"toolemu: {words}\n")
        return _WRONG
    count = "1 turn" if len(turns) == 1 else f"{len(turns)} turns"
    sys.stdout.write(f"{count}: open {page.resolve().as_uri()}\n")
    return 0


def add_command(commands: Any) -> None:
    """Add the subcommand to a parser's subcommands."""
    words = "write a page that shows recorded turns"
    parser = add_subcommand(commands, "inspect", words, __doc__, run)
    parser.add_argument("file", metavar="FILE", help="one turn per line, as JSON")
    parser.add_argument("--output", metavar="PAGE", help="the page to write; default: FILE.html")
