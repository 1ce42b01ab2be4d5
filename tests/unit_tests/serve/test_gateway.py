"""Verdicts of the gateway's workers: shared through a folder where the command says so."""

from langchain_toolemu.capability.store import FileStore
from langchain_toolemu.serve.gateway import share_verdicts


def test_nothing_is_shared_unless_told(monkeypatch):
    """Without a place, no store is set; for a folder no further package is needed."""
    told = []
    monkeypatch.setattr("langchain_toolemu.serve.gateway.set_verdict_store", told.append)
    share_verdicts(None)
    assert told == []
    share_verdicts("somewhere")
    assert isinstance(told[0], FileStore)
