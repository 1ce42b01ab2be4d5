"""The settings of a server, from Python, a file or variables: its models, and who may use them.

A file, `toolemu.toml`, has a table `[server]` and one for each model, such as `[models.small]`.
"""

import difflib
import json
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, TypeVar

from pydantic import (
    ConfigDict,
    Field,
    NonNegativeInt,
    PositiveFloat,
    PositiveInt,
    TypeAdapter,
    ValidationError,
)
from typing_extensions import TypedDict

from langchain_toolemu.errors import ToolEmuError, reason_of
from langchain_toolemu.options import OPTIONS, REMOVED
from langchain_toolemu.serve.gone import explain_gone, explain_gone_key

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

S = TypeVar("S", bound="ServerSettings")
_STRICT = ConfigDict(extra="forbid", strict=True)
_TOOLEMU = tuple(name for name, option in OPTIONS.items() if option.in_config)


class SettingsError(ToolEmuError):
    """The settings of a server are invalid; says what to change."""

    code = "settings"


@dataclass(frozen=True)
class ModelSettings:
    """One model of a server."""

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT
    name: str  # what clients call it
    # As `init_chat_model` takes it, such as `openai:gemma2`; `openai:*` for the client's own names;
    # `None` for the embedded model.
    model: str | None = None
    base_url: str | None = None  # where its server is
    api_key_env: str | None = None  # the variable with the upstream's key, if not the usual one
    aliases: tuple[str, ...] = ()  # other names it answers to; `*` in them means anything
    keep_volatile: bool = False  # whether Claude Code's billing line stays in the system prompt
    options: Mapping[str, Any] = field(default_factory=dict)  # further arguments of the chat model
    toolemu: Mapping[str, Any] = field(default_factory=dict)  # settings of `ChatToolEmu`


@dataclass(frozen=True)
class ServerSettings:
    """All settings of a server."""

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT
    models: tuple[ModelSettings, ...] = (ModelSettings("embedded"),)
    default: str | None = None  # the model for unknown names; an only model needs no default
    api_keys: tuple[str, ...] = ()  # without keys, only clients on this machine are allowed
    allow_hosts: tuple[str, ...] = ()  # further names of the server; `*` for any
    allow_origins: tuple[str, ...] = ()  # web pages that may reach it
    max_body_bytes: PositiveInt = 32 * 1024 * 1024  # the largest request
    max_messages: PositiveInt = 10_000  # the most messages, or input items, of a request
    max_tools: PositiveInt = 1_000  # the most tools of a request
    max_concurrency: PositiveInt = 512  # the most turns at once, in each process
    timeout: PositiveFloat = 600.0  # how long a turn may take, in seconds
    ping_seconds: PositiveFloat = 10.0  # seconds of silence before a stream sends a ping
    inspect: bool = False  # whether turns are recorded and shown at `/`
    # Where responses that clients refer to, and what is learned of models, are kept: "memory";
    # "off" for no responses; or "module:function" of a LangChain `ByteStore`. From Python also the
    # store itself.
    store: Any = "memory"

    @property
    def most_values(self) -> int:
        """The most JSON values of a body: what so many messages and tools need, and no more."""
        return 20 * self.max_messages + 50 * self.max_tools


@dataclass(frozen=True)
class ProcessSettings(ServerSettings):
    """The settings of a server, and how its process runs."""

    host: str = "127.0.0.1"  # the address to listen on
    port: Annotated[int, Field(ge=0, le=65535)] = 8787  # 0 for any free port
    drain: NonNegativeInt = 30  # seconds that turns may go on when the server is stopped
    log_level: Literal["debug", "info", "warning", "error"] = "info"  # debug shows prompts
    log: Literal["plain", "json"] = "plain"  # the format of a log line
    api_key_file: str | None = None  # a file with keys


SERVER_SETTINGS = [setting.name for setting in fields(ProcessSettings) if setting.name != "models"]
_MODEL_SETTINGS = [setting.name for setting in fields(ModelSettings)][1:-1]


class _File(TypedDict, total=False):
    __pydantic_config__ = _STRICT  # type: ignore[misc]
    server: ProcessSettings
    models: dict[str, ModelSettings]


def read_config(path: Path) -> ProcessSettings:
    """The settings in a file, or a `SettingsError` that names the first key that is wrong."""
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
        models = tables.get("models")
        if isinstance(models, dict):
            tables["models"] = {name: _model_table(name, models[name]) for name in models}
        content = json.dumps(tables, default=str)
        read = TypeAdapter(_File).validate_json(content)
    except ValidationError as error:
        wrong = error.errors()[0]
        raise SettingsError(f"{path}: {_mistake(*wrong['loc'], message=wrong['msg'])}") from error
    except (OSError, ValueError) as error:
        why = f"{path} cannot be read: {reason_of(error)}. Correct the file."
        raise SettingsError(why) from error
    if not (served := tuple(read.get("models", {}).values())):
        raise SettingsError(f"{path} has no models: add a table such as [models.small].")
    for model in served:
        for key, value in model.toolemu.items():
            if complaint := OPTIONS[key].complaint(value, in_file=True):
                raise SettingsError(f"{path}: models.{model.name}: {complaint}")
    return replace(read.get("server", ProcessSettings()), models=served)


def _model_table(name: str, given: Any) -> Any:
    """The table of a model with our own options apart, as `ModelSettings` has them."""
    if not isinstance(given, dict):
        return given
    own = {key: given[key] for key in _TOOLEMU if key in given}
    return {"name": name, "toolemu": own, **{key: given[key] for key in given if key not in own}}


def _mistake(*place: int | str, message: str) -> str:
    """What is wrong with a key of a file, and the known key that is nearest to one that is not."""
    where, key = ".".join(map(str, place)), str(place[-1])
    if "Unexpected keyword" not in message and "Extra inputs" not in message:
        return f"{message.replace('Input', where)}."
    if gone := explain_gone_key(key):
        return f"{'.'.join(map(str, place[:-1]))}.{gone}"
    if key in REMOVED and place[0] == "models":
        return f"{where} is gone. {REMOVED[key]}"
    if key in OPTIONS and place[0] == "models":
        return f"{where} can only be set in Python."
    tables = {"server": SERVER_SETTINGS, "models": [*_MODEL_SETTINGS, *_TOOLEMU]}
    known = tables[str(place[0])] if len(place) > 1 else list(tables)
    near = difflib.get_close_matches(key, known, 1)
    hint = f"Did you mean {near[0]!r}?" if near else f"Known are: {', '.join(known)}."
    return f"{where} is not known. {hint}"


def refuse_gone(given: Mapping[str, Any]) -> None:
    """Raise a `SettingsError` for an argument or a variable that is gone."""
    if gone := explain_gone(os.environ) or next(filter(None, map(explain_gone_key, given)), ""):
        raise SettingsError(gone)


def from_environment() -> ServerSettings:
    """The settings in the environment: a file's, else a model's, else the embedded model's."""
    if path := os.environ.get("TOOLEMU_CONFIG"):
        return with_keys(read_config(Path(path)))
    model, base_url = os.environ.get("TOOLEMU_MODEL"), os.environ.get("TOOLEMU_BASE_URL")
    named = ModelSettings(default_name(model), model, base_url)
    return with_keys(ServerSettings(models=(named,)))


def default_name(model: str | None) -> str:
    """The clients' name for a model such as `openai:gemma2` without a name of its own."""
    return model.partition(":")[2] or model if model else "embedded"


def with_keys(settings: S) -> S:
    """The settings with keys: their own, else those of a file, else those of `TOOLEMU_API_KEY`."""
    keys, file = settings.api_keys, getattr(settings, "api_key_file", None)
    if not keys and file:
        try:
            keys = tuple(Path(file).read_text(encoding="utf-8").split())
        except OSError as error:
            why = f"The keys cannot be read: {file}: {error.strerror}. Name a file of keys."
            raise SettingsError(why) from error
        if not keys:
            raise SettingsError(f"{file} holds no key. Write one on each line.")
    variable = os.environ.get("TOOLEMU_API_KEY", "").replace(",", " ")
    return replace(settings, api_keys=keys or tuple(variable.split()))
