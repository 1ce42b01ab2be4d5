"""Print what the docs say of an error's code, without a network: `toolemu explain CODE`.

The code stands at the end of an error's or a warning's first line. Without one, all codes are listed.

Exit codes: 0, it was printed; 2, there is no such code.
"""

import argparse
import re
import sys
from difflib import get_close_matches
from importlib import resources
from typing import Any

from langchain_toolemu.check.model_options import add_subcommand

_SECTION = re.compile(r"^### (\w+)\n+(.*?)(?=^#|\Z)", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\[([^\]]+)\]\([^)]*\)")
_ROW = re.compile(r"^\| (`.+?) \| (.+?) \|$", re.MULTILINE)  # what some codes mean, and what to do
_CODE = re.compile(r"`(\w+)`")
_UNKNOWN = 2


def run(options: argparse.Namespace) -> int:
    """Print the paragraph of a code, or all codes; returns the exit code."""
    known = _paragraphs()
    if not options.code:
        sys.stdout.write("\n".join(known) + "\n")
        return 0
    code = options.code.strip("()").rpartition("#")[2]
    if code not in known:
        near = get_close_matches(code, known, 1)
        hint = f"Did you mean {near[0]}?" if near else "toolemu explain lists all codes."
        sys.stderr.write(f"toolemu: {code!r} is no code. {hint}\n")
        return _UNKNOWN
    sys.stdout.write(f"{code}\n\n{known[code]}\n")
    return 0


def _paragraphs() -> dict[str, str]:
    """The paragraphs of docs/errors.md by their codes, as plain text."""
    page = resources.files("langchain_toolemu.commands").joinpath("errors.md")
    text = _LINK.sub(r"\1", page.read_text(encoding="utf-8"))
    advice = {code: row[2] for row in _ROW.finditer(text) for code in _CODE.findall(row[1])}
    paragraphs = {code: words.strip() for code, words in _SECTION.findall(text)}
    return {
        code: f"{words}\n\n{advice[code]}" if code in advice else words
        for code, words in paragraphs.items()
    }


def add_command(commands: Any) -> None:
    """Add the subcommand to a parser's subcommands."""
    words = "print what the docs say of an error's code"
    parser = add_subcommand(commands, "explain", words, __doc__, run)
    parser.add_argument(
        "code",
        metavar="CODE",
        nargs="?",
        help="as at the end of the message; default: list all codes",
    )
