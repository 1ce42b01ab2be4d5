"""Work on a large request runs in threads: on the event loop, all other clients would wait for it.

- A request is large by the bytes of its body. What is done once for it runs in one of asyncio's threads.
- Of a very large one, each piece of a reply may take long, too. Few threads work on these, so that they take turns with the
  loop, and not with each other.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar, copy_context
from functools import partial
from typing import Any, TypeVar

T = TypeVar("T")

LARGE, VERY_LARGE = 16 * 1024, 256 * 1024  # bytes
_THREADS = ThreadPoolExecutor(3, "toolemu-very-large")
# The bytes of the request that this task answers.
request_bytes: ContextVar[int] = ContextVar("toolemu_request_bytes", default=0)


async def run(function: Callable[..., T], *given: Any) -> T:
    """Call a function: in a thread if the request is large."""
    size = request_bytes.get()
    if size < LARGE:
        return function(*given)
    return await _in_thread(size, partial(function, *given))


async def run_often(function: Callable[..., T], *given: Any) -> T:
    """The same for what is done for each piece of a reply: in a thread only if the request is very large."""
    size = request_bytes.get()
    if size < VERY_LARGE:
        return function(*given)
    return await _in_thread(size, partial(function, *given))


async def _in_thread(size: int, work: Callable[[], T]) -> T:
    if size < VERY_LARGE:
        return await asyncio.to_thread(work)
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(_THREADS, partial(copy_context().run, work))
