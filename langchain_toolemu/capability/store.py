"""Where what is learned is kept for other processes: any LangChain `ByteStore`, or none.

Read before a turn, written after it if anything changed. A store never fails a turn: it has two
seconds, then a minute's pause. The log never quotes its error, which may hold a password. Keys are
hashes; an address on this machine belongs to this machine only.
"""

import asyncio
import hashlib
import json
import logging
import os
import platform
import re
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from threading import Lock, Thread
from typing import Any

from langchain_core.stores import ByteStore
from pydantic import ImportString, TypeAdapter, ValidationError

from langchain_toolemu.capability import memory
from langchain_toolemu.capability.endpoints import Endpoint, is_this_machine
from langchain_toolemu.errors import ToolSpecError

SECONDS = 2.0
PAUSE = 60.0
_PREFIX = "toolemu-"
_KEY = re.compile(r"[a-zA-Z0-9_-]{1,200}")

_log = logging.getLogger("langchain_toolemu")


def set_verdict_store(store: ByteStore | None) -> None:
    """Share what is learned of models with other processes, through any LangChain `ByteStore`.

    Without one, what is learned lives and ends with the process. The environment variable
    `TOOLEMU_VERDICTS` names a function that returns one, as `MODULE:FUNCTION`, where this function
    is not called.

    Args:
        store: Where to keep it; `None` for nowhere.

    Raises:
        ToolSpecError: What is given is not such a store.

    Example:
        ```python
        from langchain_core.stores import InMemoryByteStore

        set_verdict_store(InMemoryByteStore())
        ```
    """
    lacking = [name for name in ("mget", "mset", "mdelete") if not hasattr(store, name)]
    if store is not None and lacking:
        such = "langchain_classic.storage.LocalFileStore or langchain_community.storage.RedisStore"
        problem = f"{type(store).__name__} has no {lacking[0]}"
        message = f"{problem}: pass a langchain_core.stores.ByteStore, such as {such}."
        raise ToolSpecError(message, code="bad_store")
    with _lock:
        _chosen.client, _chosen.by_user = None if store is None else _StoreClient(store), True
    memory.forget_kept()


def recall(endpoint: Endpoint) -> None:
    """Read what other processes have learned of an endpoint."""
    if client := _client_for(endpoint):
        with client.tolerate_failure():
            memory.take_in(endpoint, client.held_at(key_of(endpoint)))


def keep(endpoint: Endpoint) -> None:
    """Write what this process has learned of an endpoint, merged with what is there by now."""
    client = _client_for(endpoint)
    if client and memory.has_changes(endpoint):
        key = key_of(endpoint)
        with client.tolerate_failure():
            held = client.held_at(key)
            if held is not None:
                memory.take_in(endpoint, held)
            record = memory.recall(endpoint).dump()
            client.run(lambda store: store.mset([(key, record)]))
            memory.note_kept(endpoint, record)


async def off_loop(work: Callable[[Endpoint], None], endpoint: Endpoint) -> None:
    """Recall or keep an endpoint off the event loop."""
    if _client_for(endpoint):
        await asyncio.wrap_future(start_thread(lambda: work(endpoint)))


def discard(endpoint: Endpoint | None) -> None:
    """Delete what is kept of one endpoint, or of all; if that fails, the log says so each time."""
    if client := _current_client():
        with client.tolerate_failure("what was to be forgotten is still there"):
            client.run(partial(_delete, endpoint))


def _delete(endpoint: Endpoint | None, store: ByteStore) -> None:
    # Stores differ in what a prefix is.
    keys = store.yield_keys() if endpoint is None else [key_of(endpoint)]
    if ours := [key for key in map(str, keys) if key.startswith(_PREFIX)]:
        store.mdelete(ours)


def key_of(endpoint: Endpoint) -> str:
    """What an endpoint is kept by."""
    machine = [platform.node()] if is_this_machine(endpoint.address) else []
    digest = hashlib.sha256(json.dumps([*endpoint, *machine]).encode()).hexdigest()
    return f"{_PREFIX}{digest}"


class _StoreClient:
    """A store with timeout and back-off."""

    def __init__(self, store: ByteStore) -> None:
        self._store = store
        self._resumes = 0.0
        self._reported = False

    @property
    def is_open(self) -> bool:
        return time.monotonic() >= self._resumes

    @contextmanager
    def tolerate_failure(self, loss: str | None = None) -> Iterator[None]:
        """A block in which the store may fail: reported once, or each time if something is lost."""
        try:
            yield
        except Exception as error:  # noqa: BLE001 - whatever a store raises is its own affair
            self._resumes = time.monotonic() + PAUSE
            if loss or not self._reported:
                consequence = loss or "what is learned is not shared while it does"
                _log.warning("the verdict store failed (%s): %s", type(error).__name__, consequence)
            self._reported = True

    def run(self, work: Callable[[ByteStore], Any]) -> Any:
        return start_thread(lambda: work(self._store)).result(SECONDS)

    def held_at(self, key: str) -> Any:
        [held] = self.run(lambda store: store.mget([key]))
        return held


@dataclass(slots=True)
class _Choice:
    """The store in use, and where it comes from: the user, or a name in the environment."""

    client: _StoreClient | None = None
    by_user: bool = False
    name: str = ""


_lock = Lock()
_chosen = _Choice()


def _current_client() -> _StoreClient | None:
    with _lock:
        name = os.environ.get("TOOLEMU_VERDICTS", "").strip()
        if not _chosen.by_user and name != _chosen.name:
            _chosen.client = _StoreClient(_store_by(name)) if name else None
            _chosen.name = name
            memory.forget_kept()
        return _chosen.client


def _store_by(name: str) -> ByteStore:
    """The store that a function returns, by the function's name."""
    try:
        store: ByteStore = TypeAdapter[Any](ImportString).validate_python(name)()
    except (TypeError, ValidationError) as error:
        message = (
            f"TOOLEMU_VERDICTS={name!r:.80} names no function MODULE:FUNCTION that returns a "
            "LangChain ByteStore. For a folder, return LocalFileStore of langchain_classic.storage."
        )
        raise ToolSpecError(message, code="bad_store") from error
    return store


def _client_for(endpoint: Endpoint) -> _StoreClient | None:
    """The store to share an endpoint through, if it has a name or an address."""
    client = _current_client() if (endpoint.model or endpoint.address) else None
    return client if client and client.is_open else None


def start_thread(work: Callable[[], Any]) -> "Future[Any]":
    """Work on a thread of its own, for which the program does not wait at its end."""
    future: Future[Any] = Future()

    def run() -> None:
        if not future.set_running_or_notify_cancel():
            return
        try:
            future.set_result(work())
        except BaseException as error:  # noqa: BLE001 - whoever waits for the work gets it
            future.set_exception(error)

    Thread(target=run, daemon=True, name="toolemu-verdicts").start()
    return future
