"""What the endpoints share: the models, who may use them, how much, and what is recorded."""

from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

from langchain_core.language_models import BaseChatModel

from langchain_toolemu.capability import set_verdict_store
from langchain_toolemu.capability.store import FileStore
from langchain_toolemu.chat_models.toolemu import ChatToolEmu
from langchain_toolemu.errors import ToolEmuError
from langchain_toolemu.serve.access import Access, Gate
from langchain_toolemu.serve.inspector.recorded import RecordedChatToolEmu
from langchain_toolemu.serve.inspector.recording import Recordings
from langchain_toolemu.serve.served_models import ServedModel, ServedModels, settings_of
from langchain_toolemu.serve.settings import ModelSettings, ServerSettings, SettingsError
from langchain_toolemu.serve.upstreams import make_upstream


@dataclass(frozen=True)
class Gateway:
    """A gateway that is set up; `recordings` is `None` if nothing is recorded."""

    settings: ServerSettings
    models: ServedModels
    access: Access
    gate: Gate
    recordings: Recordings | None = None


def make_gateway(
    settings: ServerSettings, given: Mapping[str, BaseChatModel], stack: ExitStack
) -> Gateway:
    """A gateway for these settings; chat models that are given by name are served instead of those of the settings.

    Raises:
        SettingsError: A model could not be created, or the default is none of them.
    """
    kind = RecordedChatToolEmu if settings.inspect else ChatToolEmu
    served = [ServedModel(name, _wrap(llm, kind)) for name, llm in given.items()]
    if not given:
        served = [_make_model(one, kind, stack) for one in settings.models]
    return Gateway(
        settings=settings,
        models=ServedModels(served, settings.default),
        access=Access(settings.api_keys, settings.allow_hosts, settings.allow_origins),
        gate=Gate(settings.max_concurrency),
        recordings=Recordings() if settings.inspect else None,
    )


def _make_model(settings: ModelSettings, kind: type[ChatToolEmu], stack: ExitStack) -> ServedModel:
    llm = make_upstream(settings, stack)
    try:
        made = kind(llm=llm, **settings.toolemu)
    except (ToolEmuError, ValueError) as error:
        raise SettingsError(f"models.{settings.name}: {error}") from error
    return ServedModel(settings.name, made, settings.aliases)


def _wrap(llm: BaseChatModel, kind: type[ChatToolEmu]) -> ChatToolEmu:
    if not isinstance(llm, ChatToolEmu):
        return kind(llm=llm)
    return llm if isinstance(llm, kind) else kind(**settings_of(llm))


def share_verdicts(where: str | None) -> None:
    """Share what is learned of models with all workers and machines, through a folder or a Redis server."""
    if where is None:
        return
    try:
        set_verdict_store(_store(where))
    except ImportError as error:
        raise SettingsError(f"Verdicts cannot be shared through {where}: {error}") from error


def _store(where: str) -> Any:
    if where.startswith(("redis://", "rediss://", "unix://")):
        from langchain_community.storage import RedisStore

        return RedisStore(redis_url=where, namespace="toolemu")
    return FileStore(where)
