"""Verdicts of the gateway's workers: shared through a folder where the command says so."""

from langchain_toolemu.capability.store import FileStore
from langchain_toolemu.serve.gateway import _store, share_verdicts


def test_a_folder_is_a_store_of_our_own(tmp_path):
    """No further package is needed for it."""
    assert isinstance(_store(str(tmp_path)), FileStore)


def test_nothing_is_shared_unless_told(monkeypatch):
    """Without a place, no store is set."""
    told = []
    monkeypatch.setattr("langchain_toolemu.serve.gateway.set_verdict_store", told.append)
    share_verdicts(None)
    assert told == []
    share_verdicts("somewhere")
    assert isinstance(told[0], FileStore)
