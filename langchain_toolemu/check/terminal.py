"""Colours on a terminal; none in a file or a pipe, nor where `NO_COLOR` is set."""

import os
from typing import TextIO

BOLD, RED, GREEN = 1, 31, 32


def coloured(text: str, colour: int, out: TextIO) -> str:
    """A text in a colour, if it is written to a terminal."""
    shows = out.isatty() and not os.environ.get("NO_COLOR")
    return f"\x1b[{colour}m{text}\x1b[0m" if shows else text
