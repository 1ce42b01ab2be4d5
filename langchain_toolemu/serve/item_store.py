"""What Responses clients may refer to later, by its id: items of answers, and which response followed which.

- A value is found only with the client's key that it was stored under.
- Bounded in number, bytes and age. The client that holds the most loses its oldest values first.
"""

import asyncio
import hashlib
import json
import logging
import time
from collections import Counter, defaultdict, deque
from collections.abc import Callable
from threading import Lock
from typing import Any, TypeVar

from langchain_core.stores import ByteStore, InMemoryByteStore

from langchain_toolemu.serve import off_loop
from langchain_toolemu.serve.faults import Fault, RequestError

_log = logging.getLogger("langchain_toolemu.serve")
IN_MEMORY, OFF = "memory", "off"
_MOST_VALUES = 20_000
_MOST_BYTES = 64 * 1024 * 1024
_MOST_SECONDS = 24 * 3600
_LEAST_COST = 1024  # bytes that even a small value counts as when it is looked up
_PREFIX = "item-"
T = TypeVar("T")


class ItemStore:
    """Values by client and id, in memory or in a shared `ByteStore`. If the store fails, the log says so."""

    def __init__(self, shared: ByteStore | None = None) -> None:
        self.is_shared = shared is not None
        self._values: ByteStore = shared or InMemoryByteStore()
        # Key, size and time of the values that this process has to remove, by client, oldest first.
        self._kept: dict[str, deque[tuple[str, int, float]]] = defaultdict(deque)
        self._bytes: Counter[str] = Counter()
        self._count = 0
        self._lock = Lock()
        for key in sorted(self._values.yield_keys(prefix=_PREFIX)):  # of an earlier process
            if raw := self._get(key):
                self._note("", key, len(raw), time.time())

    def find(self, client: str, id_: str) -> bytes | None:
        """A value as JSON; `None` for an id that this client does not have."""
        raw = self._get(_key(client, id_))
        when, _, value = raw.partition(b"\n") if raw else (b"0", b"", b"")
        return value if time.time() - float(when) < _MOST_SECONDS else None

    def keep(self, client: str, values: dict[str, Any]) -> None:
        """Store new values by their ids."""
        now = time.time()
        made = [
            (_key(client, id_), f"{now}\n{json.dumps(value)}".encode())
            for id_, value in values.items()
        ]
        with self._lock:
            try:
                self._values.mset(made)
                for key, raw in made:
                    self._note(client, key, len(raw), now)
                self._remove_surplus(now)
            except Exception as error:  # noqa: BLE001 - any store's; the answer itself is complete
                _log.warning("items were not kept: %s", type(error).__name__)

    def _get(self, key: str) -> bytes | None:
        try:
            return self._values.mget([key])[0]
        except Exception as error:  # noqa: BLE001 - any store's
            _log.warning("an item was not read: %s", type(error).__name__)
            return None

    def _note(self, client: str, key: str, size: int, when: float) -> None:
        self._kept[client].append((key, size, when))
        self._bytes[client] += size
        self._count += 1

    def _remove_surplus(self, now: float) -> None:
        for client, kept in [*self._kept.items()]:
            while kept and now - kept[0][2] > _MOST_SECONDS:
                self._remove_oldest(client)
        while self._count > _MOST_VALUES or self._bytes.total() > _MOST_BYTES:
            self._remove_oldest(max(self._bytes, key=self._bytes.__getitem__))

    def _remove_oldest(self, client: str) -> None:
        key, size, _ = self._kept[client].popleft()
        self._bytes[client] -= size
        self._count -= 1
        if not self._kept[client]:
            del self._kept[client], self._bytes[client]
        self._values.mdelete([key])


def _key(client: str, id_: str) -> str:
    """Of fixed length, so that the client's key cannot be seen."""
    return _PREFIX + hashlib.sha256(json.dumps([client, id_]).encode()).hexdigest()


class ClientItems:
    """The values of one client, for one request that may look up `most_bytes` in all."""

    def __init__(self, store: ItemStore | None, client: str, most_bytes: int) -> None:
        self._store, self._client, self._most = store, client, most_bytes
        self._cost = 0
        self.bytes_found = 0  # of all values, which count as those of the request
        self._in_threads = store is not None and store.is_shared
        self._new: dict[str, Any] = {}
        self.is_enabled = store is not None

    def find(self, id_: str) -> Any:
        """A value; `None` if there is none."""
        raw = self._store.find(self._client, id_) if self._store else None
        if raw is None:
            return None
        self.bytes_found += len(raw)
        self._cost += max(len(raw), _LEAST_COST)
        if self._cost > self._most:
            raise RequestError(Fault(413, "What the request refers to is too large.", "too_large"))
        return json.loads(raw)

    def add(self, id_: str, value: Any) -> None:
        """Store a value at the next `write`."""
        self._new[id_] = value

    async def write(self) -> None:
        """Store what was added."""
        if self._store and self._new:
            await self.run(self._store.keep, self._client, self._new)

    async def run(self, function: Callable[..., T], *args: Any) -> T:
        """Call a function that looks up values or reads a request: in a thread if that may be slow."""
        if self._in_threads:
            return await asyncio.to_thread(function, *args)
        return await off_loop.run(function, *args)
