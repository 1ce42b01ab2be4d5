"""What Responses clients may refer to later, by id: items of answers, and what came before.

- A value is found only with the client's key that it was stored under.
- In memory it is bounded in number, bytes and age: the client that holds the most loses its oldest
  values first. A `ByteStore` of the operator's has its own bounds.
"""

import asyncio
import hashlib
import json
import logging
import time
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Sequence
from threading import Lock
from typing import Any, TypeVar

from langchain_core.stores import ByteStore, InMemoryByteStore
from typing_extensions import override

from langchain_toolemu.serve import off_loop
from langchain_toolemu.serve.faults import Fault, RequestError

_log = logging.getLogger("langchain_toolemu.serve")
_MOST_VALUES = 20_000
_MOST_BYTES = 64 * 1024 * 1024
_MOST_SECONDS = 24 * 3600
_LEAST_COST = 1024  # bytes that even a small value counts as when it is looked up
_OWNER = 32  # characters of a key that stand for its client
T = TypeVar("T")


class BoundedStore(InMemoryByteStore):
    """A `ByteStore` in memory that holds only so much."""

    def __init__(self) -> None:
        super().__init__()
        # Keys by client, oldest first, and the bytes of each client.
        self._keys: dict[str, OrderedDict[str, int]] = defaultdict(OrderedDict)
        self._bytes: dict[str, int] = defaultdict(int)
        self._lock = Lock()

    @override
    def mset(self, key_value_pairs: Sequence[tuple[str, bytes]]) -> None:
        with self._lock:
            super().mset(key_value_pairs)
            for key, value in key_value_pairs:
                owner = key[:_OWNER]
                self._bytes[owner] += len(value) - self._keys[owner].pop(key, 0)
                self._keys[owner][key] = len(value)
            while len(self.store) > _MOST_VALUES or sum(self._bytes.values()) > _MOST_BYTES:
                self._remove_oldest(max(self._bytes, key=self._bytes.__getitem__))

    def _remove_oldest(self, client: str) -> None:
        key, size = self._keys[client].popitem(last=False)
        self._bytes[client] -= size
        if not self._keys[client]:
            del self._keys[client], self._bytes[client]
        self.mdelete([key])


class ItemStore:
    """Values by client and id, in memory or in a `ByteStore`. If that fails, the log says so."""

    def __init__(self, shared: ByteStore | None = None) -> None:
        self.is_shared = shared is not None
        self._values = shared if shared is not None else BoundedStore()

    def find(self, client: str, id_: str) -> bytes | None:
        """A value as JSON; `None` for an id that this client does not have."""
        try:
            [raw] = self._values.mget([_key(client, id_)])
        except Exception as error:  # noqa: BLE001 - any store's
            _log.warning("an item was not read: %s", type(error).__name__)
            return None
        when, _, value = raw.partition(b"\n") if raw else (b"0", b"", b"")
        return value if time.time() - float(when) < _MOST_SECONDS else None

    def keep(self, client: str, values: dict[str, Any]) -> None:
        """Store new values by their ids."""
        now = time.time()
        made = [
            (_key(client, id_), f"{now}\n{json.dumps(value)}".encode())
            for id_, value in values.items()
        ]
        try:
            self._values.mset(made)
        except Exception as error:  # noqa: BLE001 - any store's; the answer itself is complete
            _log.warning("items were not kept: %s", type(error).__name__)


def _key(client: str, id_: str) -> str:
    """Of fixed length, so that the client's key cannot be seen."""
    owner, own = (hashlib.sha256(text.encode()).hexdigest() for text in (client, f"{client} {id_}"))
    return owner[:_OWNER] + own


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
        """Call a function that looks up values: in a thread if that may be slow."""
        if self._in_threads:
            return await asyncio.to_thread(function, *args)
        return await off_loop.run(function, *args)
