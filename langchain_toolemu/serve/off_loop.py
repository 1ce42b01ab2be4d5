"""Work on a large request runs in threads: on the event loop, all other clients would wait for it.

Of a very large one, each piece of a reply may take long, too. Few threads work on these, so that
they take turns with the loop.
"""

import asyncio
import gc
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar, copy_context
from threading import Lock
from typing import TypeVar

T = TypeVar("T")

LARGE, _VERY_LARGE = 16 * 1024, 256 * 1024  # bytes of a body
_THREADS = ThreadPoolExecutor(3, "toolemu-very-large")
# The bytes of the request that this task answers.
request_bytes: ContextVar[int] = ContextVar("toolemu_request_bytes", default=0)
_lock = Lock()
_pauses: list[bool] = []  # of the collector, under way: whether it ran when each began


def count_as_large() -> None:
    """Have the next work of this task done in a thread."""
    request_bytes.set(max(request_bytes.get(), LARGE))


async def run(function: Callable[..., T], *given: object, often: bool = False) -> T:
    """Call a function, in a thread if the request is large: very large for what is done often."""
    size = request_bytes.get()
    if size < (_VERY_LARGE if often else LARGE):
        return function(*given)
    threads = _THREADS if size >= _VERY_LARGE else None
    loop, context = asyncio.get_running_loop(), copy_context()
    return await loop.run_in_executor(threads, lambda: context.run(function, *given))


@contextmanager
def without_collector() -> Iterator[None]:
    """Let the garbage collector wait: it would look through many objects again and again."""
    with _lock:
        _pauses.append(gc.isenabled())
        gc.disable()
    try:
        yield
    finally:
        with _lock:
            if _pauses[0] and len(_pauses) == 1:
                gc.enable()
            _pauses.pop()
