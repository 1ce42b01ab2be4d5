"""A progress bar of one line, for terminals; elsewhere, nothing."""

from types import TracebackType
from typing import TextIO

from typing_extensions import Self

_WIDTH = 30
_WORDS = 44


class Bar:
    """Shows how far a row of steps has come, and what the present one is.

    Example:
        ```python
        with Bar(10, sys.stderr) as bar:
            bar.advance("the first step")
        ```
    """

    def __init__(self, steps: int, stream: TextIO) -> None:
        self._steps = steps
        self._begun = 0
        self._stream = stream

    def advance(self, step: str) -> None:
        """A further step begins."""
        done = _WIDTH * self._begun // max(1, self._steps)
        self._begun += 1
        bar = "#" * done + "." * (_WIDTH - done)
        self._write(f"\r[{bar}] {self._begun}/{self._steps} {step[:_WORDS]:<{_WORDS}}")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._write("\r" + " " * (_WIDTH + _WORDS + 12) + "\r")

    def _write(self, text: str) -> None:
        if self._stream.isatty():
            self._stream.write(text)
            self._stream.flush()
