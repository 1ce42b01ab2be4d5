"""The small store of our own, held to what LangChain asks of every store."""

import pytest
from langchain_tests.integration_tests.base_store import BaseStoreSyncTests

from langchain_toolemu.capability.store import FileStore


class TestFileStore(BaseStoreSyncTests[bytes]):
    """LangChain's own tests of a store."""

    @pytest.fixture
    def kv_store(self, tmp_path):
        return FileStore(tmp_path / "verdicts")

    @pytest.fixture
    def three_values(self):
        return b"one", b"two", b"three"


def test_a_file_is_replaced_as_a_whole(tmp_path):
    """No draft is left in the folder, and none is taken for a key."""
    store = FileStore(tmp_path)
    store.mset([("a", b"1"), ("a", b"2")])
    (tmp_path / ".a.draft").write_bytes(b"half")
    assert list(store.yield_keys()) == ["a"]
    assert store.mget(["a"]) == [b"2"]


@pytest.mark.parametrize("key", ["../a", "a/b", "", ".a", "a" * 201])
def test_a_key_cannot_leave_the_folder(key, tmp_path):
    """A key is a plain file name."""
    with pytest.raises(ValueError, match="not a key"):
        FileStore(tmp_path).mset([(key, b"1")])
