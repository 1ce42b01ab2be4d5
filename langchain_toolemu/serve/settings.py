"""What a server is set up with: its models, who may use it, and how much.

Plain values: they can be written as JSON, so that worker processes get the same.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from typing_extensions import Self

from langchain_toolemu.errors import ToolEmuError

ENVIRONMENT = "TOOLEMU_SERVE"
"""Where the command leaves the settings for its workers, as JSON."""

MEGABYTE = 1024 * 1024


class SettingsError(ToolEmuError):
    """A server that cannot be set up so; says what to change.

    Example:
        ```python
        read_config(Path("toolemu.toml"))  # SettingsError: models.small.mode: ...
        ```
    """


@dataclass(frozen=True)
class ModelSettings:
    """One model.

    Attributes:
        name: What clients call it.
        model: What `init_chat_model` makes it of, such as `"openai:gemma2"`; a name `*` means whatever name the client
            sends. `None` for the embedded model.
        base_url: Where its server is.
        api_key_env: The environment variable that holds the upstream's key; by default the provider's own.
        aliases: Other names it answers to; `*` in them means anything.
        options: Further arguments for the chat model.
        toolemu: Settings of `ChatToolEmu`, such as `{"mode": "force"}`.
    """

    name: str
    model: str | None = None
    base_url: str | None = None
    api_key_env: str | None = None
    aliases: tuple[str, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    toolemu: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class ServerSettings:
    """A server.

    Attributes:
        models: What it serves.
        default: The model that answers to names that no model has; one that is alone does.
        api_keys: The keys that clients may come with; none lets only this machine in.
        allow_hosts: Names under which it may be reached in addition to those of this machine; `*` for any.
        allow_origins: Origins of web pages that may reach it.
        forward_key: Whether a client's key goes to the upstream.
        max_body_bytes: The largest request.
        max_concurrency: The most turns at once, in each worker.
        timeout: The most seconds that a turn may take.
        ping_seconds: How often a silent stream gives a sign of life.
        inspect: Whether turns are recorded and shown at `/`.
        verdicts: Where what is learned of models is shared: a folder, or the address of a Redis server.
    """

    models: tuple[ModelSettings, ...] = (ModelSettings("embedded"),)
    default: str | None = None
    api_keys: tuple[str, ...] = ()
    allow_hosts: tuple[str, ...] = ()
    allow_origins: tuple[str, ...] = ()
    forward_key: bool = False
    max_body_bytes: int = 32 * MEGABYTE
    max_concurrency: int = 512
    timeout: float = 600.0
    ping_seconds: float = 10.0
    inspect: bool = False
    verdicts: str | None = None

    def to_json(self) -> str:
        """The settings as worker processes read them."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Self:
        """The settings that `to_json` wrote."""
        given = json.loads(text)
        models = tuple(
            ModelSettings(**{**one, "aliases": tuple(one["aliases"])}) for one in given["models"]
        )
        lists = {name: tuple(value) for name, value in given.items() if isinstance(value, list)}
        return cls(**{**given, **lists, "models": models})


def names_of(kind: type[ModelSettings] | type[ServerSettings]) -> list[str]:
    """The names that settings of this kind have."""
    return [one.name for one in fields(kind)]
