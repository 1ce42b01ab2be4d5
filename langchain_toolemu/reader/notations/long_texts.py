"""A long string argument, passed on piece by piece while it is still being written.

The rule of this module: what is passed on is never taken back, so nothing is before the text is long enough to be
worth it, nor if anything in it so far needs fixing. Where it begins depends on the text alone, not on the pieces it
comes in.
"""

from collections.abc import Callable

from langchain_toolemu.reader.events import CallStarted
from langchain_toolemu.reader.literals.escapes import LONGEST_ESCAPE, RunningDecoder, is_plain
from langchain_toolemu.reader.output import Output

LONG = 512
"""So many characters make a text long. A shorter one comes whole at its end, and may still be asked for again."""

_SMALLEST = 32
_SHARE = 32
_HUGE = 65_536


class LongText:
    """Follows one string; `begun` is whether it was long enough to be told.

    Args:
        output: Who is told.
        beginning: Asked once, when the text is long: what call it belongs to, if that is certain.
    """

    def __init__(self, output: Output, beginning: Callable[[], CallStarted | None]) -> None:
        self.begun = False
        self._output = output
        self._beginning = beginning
        self._size = 0
        self._raw: list[str] = []
        self._told: list[str] = []
        self._told_size = 0
        self._untold: list[str] = []
        self._untold_size = 0
        self._decoder = RunningDecoder()
        self._refused = False

    def take(self, raw: str, *, plain: bool) -> None:
        """A further piece of the string, never ending inside an escape of two characters."""
        self._size += len(raw)
        if self.begun:
            self._add(self._decoder.feed(raw))
        elif not self._refused:
            self._raw.append(raw)
            if self._size >= LONG:
                self._begin("".join(self._raw), plain=plain)

    def text(self) -> str:
        """The whole string, as it was told and with what was left to tell."""
        self._add(self._decoder.end())
        self._tell()
        return "".join(self._told)

    def _begin(self, raw: str, *, plain: bool) -> None:
        known = plain and is_plain(raw, LONG - LONGEST_ESCAPE)
        beginning = self._beginning() if known else None
        if beginning is None:
            self._refused = True
            return
        self.begun = True
        self._output.start(beginning)
        self._add(self._decoder.feed(raw))

    def _add(self, text: str) -> None:
        """Tell it as soon as it is worth it: whoever adds chunks up reads all that came before again each time."""
        self._untold.append(text)
        self._untold_size += len(text)
        told = self._told_size
        if self._untold_size >= max(_SMALLEST, told // _SHARE, (told - _HUGE) // 4):
            self._tell()

    def _tell(self) -> None:
        text = "".join(self._untold)
        self._untold, self._untold_size = [], 0
        self._told.append(text)
        self._told_size += len(text)
        self._output.more(text)
