"""A long string argument, passed on piece by piece while it is still being written.

The rule of this module: what is passed on is never taken back, so nothing is before the text is long enough to be
worth it, nor if anything in it so far needs fixing. Where it begins depends on the text alone, not on the pieces it
comes in.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any

from langchain_toolemu.reader.context import Context
from langchain_toolemu.reader.events import CallStarted
from langchain_toolemu.reader.literals.escapes import LONGEST_ESCAPE, RunningDecoder
from langchain_toolemu.reader.literals.texts import argument_kinds
from langchain_toolemu.reader.notations.reading import Envelope
from langchain_toolemu.reader.output import Output
from langchain_toolemu.tools import ToolSpec

LONG = 512
"""So many characters make a text long. A shorter one comes whole at its end, and may still be asked for again."""

FIRST_BREAK = re.compile(r"\A\r?\n")
_LAST_BREAK = re.compile(r"\r?\n\Z|\r\Z")
_SMALLEST = 32
_SHARE = 32
_HUGE = 65_536


def beginning(
    context: Context, envelope: Envelope, spec: ToolSpec, args: Mapping[str, Any], key: str
) -> CallStarted | None:
    """The call whose text argument is being written, if it may be passed on before it is whole."""
    if argument_kinds(spec, key) != {"string"}:
        return None
    started = CallStarted(spec.name, args, key)
    may = context.output.may_start(started, envelope.label, explicit=envelope.explicit)
    return started if may else None


class RunningText:
    """A text without escapes as it comes; that of an element is without the line breaks at its ends."""

    def __init__(self, *, keeps_ends: bool = False) -> None:
        self._begun = keeps_ends
        self._on_own_lines = False
        self._rest = ""

    def knows(self, _body: str, _size: int) -> bool:
        """Whether every escape in it is known: there are none."""
        return True

    def feed(self, raw: str) -> str:
        """A further piece, up to a line break that may be the last."""
        if not self._begun and (first := FIRST_BREAK.match(raw)):
            raw, self._on_own_lines = raw[first.end() :], True
        self._begun = True
        raw = self._rest + raw
        last = _LAST_BREAK.search(raw) if self._on_own_lines else None
        self._rest = last.group() if last else ""
        return raw[: len(raw) - len(self._rest)]

    def end(self) -> str:
        """What was kept back, but for a line break."""
        return self._rest.rstrip("\n").rstrip("\r") if self._rest.endswith("\n") else self._rest


class LongText:
    """Follows one string; `begun` is whether it was long enough to be passed on.

    Args:
        output: Who it is passed on to.
        beginning: Asked once, when the text is long: what call it belongs to, if that is certain.
        decoder: Who undoes its escapes.
    """

    def __init__(
        self,
        output: Output,
        beginning: Callable[[], CallStarted | None],
        decoder: RunningDecoder | RunningText,
    ) -> None:
        self.begun = False
        self._output = output
        self._beginning = beginning
        self._size = 0
        self._raw: list[str] = []
        self._told: list[str] = []
        self._told_size = 0
        self._untold: list[str] = []
        self._untold_size = 0
        self._enough = _SMALLEST
        self._decoder = decoder
        self._refused = False

    def keep_ends(self) -> None:
        """Line breaks at its ends are part of it."""
        self._decoder = RunningText(keeps_ends=True)

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
        known = plain and self._decoder.knows(raw, LONG - LONGEST_ESCAPE)
        beginning = self._beginning() if known else None
        if beginning is None:
            self._refused = True
            return
        self.begun = True
        self._output.start(beginning)
        self._add(self._decoder.feed(raw))

    def _add(self, text: str) -> None:
        """Tell it as soon as it is worth it."""
        self._untold.append(text)
        self._untold_size += len(text)
        if self._untold_size >= self._enough:
            self._tell()

    def _tell(self) -> None:
        text = "".join(self._untold)
        self._untold, self._untold_size = [], 0
        self._told.append(text)
        self._told_size += len(text)
        # Whoever adds chunks up reads all that came before again each time.
        self._enough = max(_SMALLEST, self._told_size // _SHARE, (self._told_size - _HUGE) // 4)
        self._output.more(text)
