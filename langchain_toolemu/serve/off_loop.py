"""Work on a large request runs in threads: on the event loop, all other clients would wait for it.

- A request is large by the bytes of its body. What is done once for it runs in one of asyncio's threads.
- Of a very large one, each piece of a reply may take long, too. Few threads work on these, so that they take turns with the
  loop, and not with each other. The garbage collector waits meanwhile: it would look through all that they make.
"""

import asyncio
import gc
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from contextvars import ContextVar, copy_context
from functools import partial
from threading import Lock
from typing import Any, TypeVar

from typing_extensions import override

T = TypeVar("T")

LARGE, VERY_LARGE = 16 * 1024, 256 * 1024  # bytes
_MANY = 1_000  # messages and tools
_THREADS = ThreadPoolExecutor(3, "toolemu-very-large")
# The bytes of the request that this task answers.
request_bytes: ContextVar[int] = ContextVar("toolemu_request_bytes", default=0)


class _Pause(AbstractContextManager[None]):
    """Lets the garbage collector wait until all blocks have ended, in all threads, if it is not off anyway."""

    def __init__(self) -> None:
        self._blocks, self._was_on = 0, False
        self._lock = Lock()

    @override
    def __enter__(self) -> None:
        with self._lock:
            self._was_on = self._was_on if self._blocks else gc.isenabled()
            self._blocks += 1
            gc.disable()

    @override
    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._blocks -= 1
            if self._was_on and not self._blocks:
                gc.enable()


_without_collection = _Pause()


def working_on(body: Mapping[str, Any]) -> AbstractContextManager[Any]:
    """A block in which a request is worked on: of one with many messages or tools, the garbage collector waits for its end."""
    lists = (body.get(name) for name in ("messages", "input", "tools"))
    count = sum(len(value) for value in lists if isinstance(value, list))
    return _without_collection if count > _MANY else nullcontext()


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
    loop, context = asyncio.get_running_loop(), copy_context()

    def work_alone() -> T:
        with _without_collection:
            return context.run(work)

    return await loop.run_in_executor(_THREADS, work_alone)
