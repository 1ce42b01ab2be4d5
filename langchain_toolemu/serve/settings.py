"""What a server is set up with: its models, who may use it, and how much; from Python, a file, or the environment.

The settings are plain values: they can be written as JSON, so that worker processes get the same. A file, `toolemu.toml`,
has a table `[server]` and one for each model, such as `[models.small]`. A name that is not known is an error.
"""

import difflib
import json
import os
import sys
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from typing_extensions import Self

from langchain_toolemu.errors import ToolEmuError
from langchain_toolemu.options import OPTIONS

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ENVIRONMENT = "TOOLEMU_SERVE"  # where the command leaves the settings for its workers, as JSON
MEGABYTE = 1024 * 1024
# Settings of the command, which starts a server, and not of the app.
_COMMAND = ("host", "port", "workers", "drain", "log_level", "api_key_file")
_TOOLEMU = tuple(name for name, option in OPTIONS.items() if option.in_config)


class SettingsError(ToolEmuError):
    """The settings of a server are invalid; says what to change."""


@dataclass(frozen=True)
class ModelSettings:
    """One model of a server."""

    name: str  # what clients call it
    # What `init_chat_model` makes it of, such as `openai:gemma2`, or `openai:*` for whatever name the client sends;
    # `None` for the embedded model.
    model: str | None = None
    base_url: str | None = None  # where its server is
    api_key_env: str | None = None  # the variable that holds the upstream's key, if not its own
    aliases: tuple[str, ...] = ()  # other names it answers to; `*` in them means anything
    text_only: bool = False  # whether images in results of tools are replaced by a note
    options: Mapping[str, Any] = field(default_factory=dict)  # further arguments of the chat model
    toolemu: Mapping[str, Any] = field(default_factory=dict)  # settings of `ChatToolEmu`


@dataclass(frozen=True)
class ServerSettings:
    """All settings of a server."""

    models: tuple[ModelSettings, ...] = (ModelSettings("embedded"),)
    default: str | None = None  # answers to names that no model has, as one that is alone does
    api_keys: tuple[str, ...] = ()  # without any, only this machine may use the server
    allow_hosts: tuple[str, ...] = ()  # its names, besides those of this machine; `*` for any
    allow_origins: tuple[str, ...] = ()  # web pages that may reach it
    forward_key: bool = False  # whether a client's key goes to the upstream
    max_body_bytes: int = 32 * MEGABYTE
    max_concurrency: int = 512  # the most turns at once, in each worker
    timeout: float = 600.0  # the most seconds of a turn
    ping_seconds: float = 10.0  # of silence, after which a stream sends a ping
    inspect: bool = False  # whether turns are recorded and shown at `/`
    # Where items that clients may refer to are kept: "memory", "off", a folder, or a Redis server's address.
    items: str = "memory"
    verdicts: str | None = None  # where they are shared: a folder, or a Redis server's address

    def to_json(self) -> str:
        """The settings as worker processes read them."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Self:
        """The settings that `to_json` wrote."""
        given = _with_tuples(json.loads(text))
        models = tuple(ModelSettings(**_with_tuples(one)) for one in given["models"])
        return cls(**{**given, "models": models})


# --- the file ---


@dataclass(frozen=True)
class Config:
    """What a file says: the settings of the app, and those of the command, such as `port` and `workers`."""

    server: ServerSettings
    command: Mapping[str, Any] = field(default_factory=dict)


def read_config(path: Path) -> Config:
    """The settings in a file; raises a `SettingsError` if it cannot be read, or names something that is not known."""
    try:
        said = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise SettingsError(f"{path} cannot be read: {error}") from error
    _check_names("", said, ("server", "models"))
    server = said.get("server", {})
    _check_names("server.", server, (*(one.name for one in fields(ServerSettings)), *_COMMAND))
    models = said.get("models", {})
    if not models:
        raise SettingsError(f"{path} has no models: add a table such as [models.small].")
    own = _with_tuples({name: server[name] for name in server if name not in _COMMAND})
    own["models"] = tuple(_model(name, given) for name, given in models.items())
    command = {name: server[name] for name in _COMMAND if name in server}
    return Config(ServerSettings(**own), command)


def _model(name: str, given: Mapping[str, Any]) -> ModelSettings:
    known = [one.name for one in fields(ModelSettings) if one.name not in ("name", "toolemu")]
    _check_names(f"models.{name}.", given, (*known, *_TOOLEMU))
    toolemu = {key: given[key] for key in _TOOLEMU if key in given}
    for key, value in toolemu.items():
        if complaint := OPTIONS[key].complaint(value, in_file=True):
            raise SettingsError(f"models.{name}: {complaint}")
    own = _with_tuples({key: given[key] for key in known if key in given})
    return ModelSettings(name, **own, toolemu=toolemu)


def _with_tuples(given: Mapping[str, Any]) -> dict[str, Any]:
    return {key: tuple(one) if isinstance(one, list) else one for key, one in given.items()}


def _check_names(place: str, given: Mapping[str, Any], known: Iterable[str]) -> None:
    names = list(known)
    for name in given:
        if name not in names and name in OPTIONS:
            raise SettingsError(f"{place}{name} can only be set in Python.")
        if name not in names:
            near = difflib.get_close_matches(name, names, 1)
            hint = f"Did you mean {near[0]!r}?" if near else f"Known are: {', '.join(names)}."
            raise SettingsError(f"{place}{name} is not known. {hint}")


# --- the environment ---


def from_environment() -> ServerSettings:
    """The settings of a server that is not passed any: the command's own, a file's, a model's, or the embedded model's."""
    if left := os.environ.get(ENVIRONMENT):
        return ServerSettings.from_json(left)
    if path := os.environ.get("TOOLEMU_CONFIG"):
        return with_keys_of_environment(read_config(Path(path)).server)
    model, base_url = os.environ.get("TOOLEMU_MODEL"), os.environ.get("TOOLEMU_BASE_URL")
    named = ModelSettings(default_name(model), model, base_url)
    return with_keys_of_environment(ServerSettings(models=(named,)))


def default_name(model: str | None) -> str:
    """What clients call a model, such as `"openai:gemma2"`, that was given no name."""
    return model.partition(":")[2] or model if model else "embedded"


def with_keys_of_environment(settings: ServerSettings) -> ServerSettings:
    """The settings, with the keys of `TOOLEMU_API_KEY` (several are separated by commas) if there are no others."""
    if settings.api_keys:
        return settings
    keys = os.environ.get("TOOLEMU_API_KEY", "").split(",")
    return replace(settings, api_keys=tuple(key.strip() for key in keys if key.strip()))
