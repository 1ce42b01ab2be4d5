"""Prints a line now and then while something takes long.

It imports nothing heavy, so that it can come first.
"""

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

SECONDS, LONGEST = 3.0, 30.0


def _say(words: str) -> None:
    sys.stderr.write(f"{words}\n")
    sys.stderr.flush()


@contextmanager
def wait_notice(what: str) -> Iterator[None]:
    """Print what is waited for, and again while it lasts: after 3 seconds, and then less often."""
    start, over = time.monotonic(), threading.Event()

    def tell() -> None:
        pause = SECONDS
        while not over.wait(pause):
            pause = min(2 * pause, LONGEST)
            _say(f"... still {what} ({time.monotonic() - start:.0f} s)")

    _say(f"{what[0].upper()}{what[1:]} ...")
    teller = threading.Thread(target=tell, daemon=True)
    teller.start()
    try:
        yield
    finally:
        over.set()
        teller.join()
