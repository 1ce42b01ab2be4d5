"""`toolemu.toml`: several models with their settings, and the server's own.

    [server]
    port = 8787
    default = "small"

    [models.small]
    model = "openai:gemma2"
    base_url = "http://localhost:11434/v1"
    aliases = ["gpt-4o*"]
    mode = "force"
    options = { temperature = 0 }

A name that is not known is an error, with the nearest one that is.
"""

import difflib
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from langchain_toolemu.options import OPTIONS
from langchain_toolemu.serve.settings import (
    ModelSettings,
    ServerSettings,
    SettingsError,
    names_of,
)

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_COMMAND = ("host", "port", "workers", "drain", "log_level", "api_key_file")
"""Settings of the command, which starts a server, and not of the app."""

_TOOLEMU = tuple(name for name, option in OPTIONS.items() if option.in_config)


@dataclass(frozen=True)
class Config:
    """What a file says.

    Attributes:
        server: The settings of the app.
        command: Settings of the command: `host`, `port`, `workers`, `drain`, `log_level`, `api_key_file`.
    """

    server: ServerSettings
    command: Mapping[str, Any] = field(default_factory=dict)


def read_config(path: Path) -> Config:
    """The settings in a file.

    Raises:
        SettingsError: It cannot be read, or names something that is not known.

    Example:
        ```python
        read_config(Path("toolemu.toml")).server.models
        ```
    """
    try:
        said = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise SettingsError(f"{path} cannot be read: {error}") from error
    _check("", said, ("server", "models"))
    server = said.get("server", {})
    _check("server.", server, (*names_of(ServerSettings), *_COMMAND))
    models = said.get("models", {})
    if not models:
        raise SettingsError(f"{path} has no models: add a table such as [models.small].")
    own = {name: _value(value) for name, value in server.items() if name not in _COMMAND}
    made = tuple(_model(name, given) for name, given in models.items())
    command = {name: server[name] for name in _COMMAND if name in server}
    return Config(ServerSettings(**{**own, "models": made}), command)


def _model(name: str, given: Mapping[str, Any]) -> ModelSettings:
    known = [one for one in names_of(ModelSettings) if one not in ("name", "toolemu")]
    _check(f"models.{name}.", given, (*known, *_TOOLEMU))
    own = {key: _value(given[key]) for key in known if key in given}
    toolemu = {key: given[key] for key in _TOOLEMU if key in given}
    for key, value in toolemu.items():
        if complaint := OPTIONS[key].complaint(value, in_file=True):
            raise SettingsError(f"models.{name}: {complaint}")
    return ModelSettings(name, **own, toolemu=toolemu)


def _value(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _check(place: str, given: Mapping[str, Any], known: Iterable[str]) -> None:
    names = list(known)
    for name in given:
        if name not in names and name in OPTIONS:
            raise SettingsError(f"{place}{name} can only be set in Python.")
        if name not in names:
            near = difflib.get_close_matches(name, names, 1)
            hint = f"Did you mean {near[0]!r}?" if near else f"Known are: {', '.join(names)}."
            raise SettingsError(f"{place}{name} is not known. {hint}")
