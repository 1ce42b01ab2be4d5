"""A small store of bytes in a folder, one file for each key: what `TOOLEMU_VERDICTS=path` keeps verdicts in.

A file is replaced as a whole, so that no reader ever finds half of one.
"""

import os
import re
import uuid
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from langchain_core.stores import ByteStore
from typing_extensions import override

_KEY = re.compile(r"[a-zA-Z0-9_-]{1,200}")


class FileStore(ByteStore):
    """A LangChain `ByteStore` in a folder, which is made when something is first written.

    Args:
        path: The folder.
    """

    def __init__(self, path: str | Path) -> None:
        self._folder = Path(path).expanduser()

    @override
    def mget(self, keys: Sequence[str]) -> list[bytes | None]:
        return [self._value_of(key) for key in keys]

    @override
    def mset(self, key_value_pairs: Sequence[tuple[str, bytes]]) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        for key, value in key_value_pairs:
            self._replace(self._file_of(key), value)

    @override
    def mdelete(self, keys: Sequence[str]) -> None:
        for key in keys:
            self._file_of(key).unlink(missing_ok=True)

    @override
    def yield_keys(self, *, prefix: str | None = None) -> Iterator[str]:
        with suppress(FileNotFoundError):
            names = (file.name for file in self._folder.iterdir())
            yield from (
                one for one in names if _KEY.fullmatch(one) and one.startswith(prefix or "")
            )

    def _value_of(self, key: str) -> bytes | None:
        try:
            return self._file_of(key).read_bytes()
        except FileNotFoundError:
            return None

    def _replace(self, file: Path, value: bytes) -> None:
        draft = file.with_name(f".{file.name}.{uuid.uuid4().hex}")
        try:
            draft.write_bytes(value)
            os.replace(draft, file)
        finally:
            draft.unlink(missing_ok=True)

    def _file_of(self, key: str) -> Path:
        if not _KEY.fullmatch(key):
            raise ValueError(
                f"{key!r} is not a key: only letters, digits, '-' and '_' may be in it."
            )
        return self._folder / key
