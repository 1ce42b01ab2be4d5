"""What is learned of models, shared by all workers and machines: through a folder, or a Redis server."""

from typing import Any

from langchain_toolemu.capability import set_verdict_store
from langchain_toolemu.capability.store import FileStore
from langchain_toolemu.serve.settings import SettingsError

_REDIS = ("redis://", "rediss://", "unix://")


def share_verdicts(where: str | None) -> None:
    """Share what is learned.

    Args:
        where: A folder, or the address of a Redis server; nothing is shared without either.

    Raises:
        SettingsError: What this needs is not installed.
    """
    if where is None:
        return
    try:
        set_verdict_store(_store(where))
    except ImportError as error:
        raise SettingsError(f"Verdicts cannot be shared through {where}: {error}") from error


def _store(where: str) -> Any:
    if where.startswith(_REDIS):
        from langchain_community.storage import RedisStore

        return RedisStore(redis_url=where, namespace="toolemu")
    return FileStore(where)
