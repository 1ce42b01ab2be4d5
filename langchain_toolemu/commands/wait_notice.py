"""Prints a line now and then while something takes long. It imports nothing heavy, so that it can come first."""

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

SECONDS, LONGEST = 3.0, 30.0


def _to_stderr(words: str) -> None:
    sys.stderr.write(f"{words}\n")
    sys.stderr.flush()


@contextmanager
def wait_notice(
    what: str, say: Callable[[str], None] = _to_stderr, every: float = 0.0
) -> Iterator[None]:
    """Print what is waited for, and again while it lasts: after 3 seconds and then less often, or `every` few seconds."""
    start, over = time.monotonic(), threading.Event()

    def tell() -> None:
        pause = every or SECONDS
        while not over.wait(pause):
            pause = every or min(2 * pause, LONGEST)
            say(f"... still {what} ({time.monotonic() - start:.0f} s)")

    say(f"{what[0].upper()}{what[1:]} ...")
    teller = threading.Thread(target=tell, daemon=True)
    teller.start()
    try:
        yield
    finally:
        over.set()
        teller.join()
