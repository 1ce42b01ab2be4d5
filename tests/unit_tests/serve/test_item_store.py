"""The store of items: its bounds, and whose items go first."""

import pytest
from langchain_core.stores import InMemoryByteStore

from langchain_toolemu.serve import item_store
from langchain_toolemu.serve.item_store import ItemStore


def held(store, client, ids):
    return [id_ for id_ in ids if store.find(client, id_) is not None]


@pytest.mark.parametrize(("bound", "most"), [("_MOST_VALUES", 10), ("_MOST_BYTES", 10 * 1024)])
def test_whoever_holds_the_most_loses_its_oldest(monkeypatch, bound, most):
    """A client that writes without end drives out its own items, and nobody else's."""
    monkeypatch.setattr(item_store, bound, most)
    store = ItemStore()
    store.keep("quiet", {"a": "x" * 900, "b": "x" * 900})
    ids = [str(number) for number in range(50)]
    for id_ in ids:
        store.keep("loud", {id_: "x" * 1000})
    assert held(store, "quiet", "ab") == ["a", "b"]
    assert held(store, "loud", ids) == ids[-len(held(store, "loud", ids)) :]
    assert 5 <= len(held(store, "loud", ids)) <= 8


def test_a_value_that_is_replaced_counts_once(monkeypatch):
    """As a deleted response is: else what is gone would drive out what is there."""
    monkeypatch.setattr(item_store, "_MOST_BYTES", 10 * 1024)
    store = ItemStore()
    store.keep("me", {"other": 1})
    for value in ["x" * 1000, None] * 50:
        store.keep("me", {"same": value})
    assert held(store, "me", ["other", "same"]) == ["other", "same"]


def test_what_is_old_is_gone(monkeypatch):
    """An old value is not found, whatever the store still has."""
    store = ItemStore()
    now = 1_000.0
    monkeypatch.setattr(item_store.time, "time", lambda: now)
    store.keep("me", {"old": 1})
    now += item_store._MOST_SECONDS + 1
    assert store.find("me", "old") is None
    store.keep("you", {"new": 2})
    assert store.find("you", "new") == b"2"


class Broken(InMemoryByteStore):
    """A store whose server is away."""

    def mget(self, keys):
        """Fail."""
        raise ConnectionError

    def mset(self, pairs):
        """Fail."""
        raise ConnectionError


def test_a_store_that_fails_keeps_nothing(caplog):
    """The answer is not lost with it, and the log tells."""
    store = ItemStore(Broken())
    store.keep("me", {"a": 1})
    assert store.find("me", "a") is None
    assert "ConnectionError" in caplog.text
