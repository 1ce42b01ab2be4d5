"""How long a check will take, and how far it has come: a line at the start, and a bar of one line on terminals."""

import time
from types import TracebackType
from typing import TextIO

from typing_extensions import Self

_WIDTH = 24
_WORDS = 40
_LINE = _WIDTH + _WORDS + 34


def spoken(seconds: float) -> str:
    """A time in words, as exact as it is worth."""
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    return f"{round(seconds / 60)} min"


def estimate(steps: int, greeting: float) -> str:
    """What to say at the start, given how long one short request took.

    Each question comes with the contract and may be asked twice, so it takes longer than a greeting, by how much
    depends on the model.
    """
    low, high = spoken(steps * greeting), spoken(3 * steps * greeting)
    between = low if low == high else f"{low} to {high}"
    return (
        f"Up to {steps} questions, about {between}. Ctrl-C ends it and keeps what was measured.\n"
    )


class Bar:
    """Shows how far a row of steps has come, what the present one is, and how long the others will take.

    Example:
        ```python
        with Bar(10, sys.stderr) as bar:
            bar.advance("the first step", 0)
        ```
    """

    def __init__(self, steps: int, stream: TextIO) -> None:
        self._steps = steps
        self._stream = stream
        self._start = time.monotonic()
        self._taken = 0

    def advance(self, step: str, before: int) -> None:
        """A further step begins; so many were done or left out before it."""
        done = _WIDTH * before // max(1, self._steps)
        bar = "#" * done + "." * (_WIDTH - done)
        text = f"[{bar}] {before + 1}/{self._steps} {step[:_WORDS]:<{_WORDS}}{self._left(before)}"
        self._taken += 1
        self._write(f"\r{text:<{_LINE}}")

    def _left(self, before: int) -> str:
        """How long it will go on at most, once there is something to tell it by."""
        if self._taken < 2:
            return ""
        each = (time.monotonic() - self._start) / self._taken
        return f" at most {spoken(each * (self._steps - before))}"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._write("\r" + " " * _LINE + "\r")

    def _write(self, text: str) -> None:
        if self._stream.isatty():
            self._stream.write(text)
            self._stream.flush()
