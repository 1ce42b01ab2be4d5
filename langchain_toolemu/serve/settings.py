"""The settings of a server: its models, who may use it, and how much; from Python, a file, or the environment.

They can be written as JSON, for worker processes. A file, `toolemu.toml`, has a table `[server]` and one for each model, such
as `[models.small]`; an error names the file, the line and the key.
"""

import difflib
import json
import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from pydantic import Field, NonNegativeInt, PositiveFloat, PositiveInt, TypeAdapter, ValidationError
from typing_extensions import Self

from langchain_toolemu.errors import ToolEmuError, reason_of
from langchain_toolemu.options import OPTIONS

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ENVIRONMENT = "TOOLEMU_SERVE"  # holds the settings of the command for its workers, as JSON
S = TypeVar("S", bound="ServerSettings")
T = TypeVar("T")
# Settings that are gone, and what takes their place.
_GONE = {
    "forward_key": "name the upstream's key with api_key_env",
    "text_only": "leave images out in the client",
    "metrics_dir": "set the variable PROMETHEUS_MULTIPROC_DIR to an empty folder",
}
_TOOLEMU = tuple(name for name, option in OPTIONS.items() if option.in_config)


class SettingsError(ToolEmuError):
    """The settings of a server are invalid; says what to change. `place` is the wrong key of a file."""

    code = "settings"

    def __init__(self, message: str, *place: str) -> None:
        super().__init__(message)
        self.place = place


@dataclass(frozen=True)
class ModelSettings:
    """One model of a server."""

    name: str  # what clients call it
    # As `init_chat_model` takes it, such as `openai:gemma2`; `openai:*` for the client's own names; `None` for the
    # embedded model.
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

    models: tuple[ModelSettings, ...] = (ModelSettings("embedded"),)
    default: str | None = None  # the model for unknown names; an only model needs no default
    api_keys: tuple[str, ...] = ()  # without keys, only clients on this machine are allowed
    allow_hosts: tuple[str, ...] = ()  # further names of the server; `*` for any
    allow_origins: tuple[str, ...] = ()  # web pages that may reach it
    max_body_bytes: PositiveInt = 32 * 1024 * 1024  # the largest request
    max_messages: PositiveInt = 10_000  # the most messages, or input items, of a request
    max_tools: PositiveInt = 1_000  # the most tools of a request
    max_concurrency: PositiveInt = 512  # the most turns at once, in each worker
    timeout: PositiveFloat = 600.0  # how long a turn may take, in seconds
    ping_seconds: PositiveFloat = 10.0  # seconds of silence before a stream sends a ping
    inspect: bool = False  # whether turns are recorded and shown at `/`
    # Where the items that clients may refer to are stored: "memory", "off", a folder, or a Redis server's address.
    items: str = "memory"
    verdicts: str | None = None  # where to share findings about models: a folder or a Redis address

    @property
    def most_values(self) -> int:
        """The most JSON values of a body: what so many messages and tools need, and no more."""
        return 20 * self.max_messages + 50 * self.max_tools

    def to_json(self) -> str:
        """The settings as worker processes read them."""
        return TypeAdapter(ServerSettings).dump_json(self).decode()

    @classmethod
    def from_json(cls, text: str) -> Self:
        """The settings that `to_json` wrote."""
        return TypeAdapter(cls).validate_json(text)


@dataclass(frozen=True)
class ProcessSettings(ServerSettings):
    """The settings of a server, and how its processes run."""

    host: str = "127.0.0.1"  # the address to listen on
    port: Annotated[int, Field(ge=0, le=65535)] = 8787  # 0 for any free port
    workers: PositiveInt = 1  # processes
    drain: NonNegativeInt = 30  # seconds that turns may go on when the server is stopped
    log_level: Literal["debug", "info", "warning", "error"] = "info"  # debug shows prompts
    log: Literal["plain", "json"] = "plain"  # the format of a log line
    api_key_file: str | None = None  # a file with keys


SERVER_SETTINGS = [setting.name for setting in fields(ProcessSettings) if setting.name != "models"]


def read_config(path: Path) -> ProcessSettings:
    """The settings in a file, or a `SettingsError` that names all its mistakes: what is wrong is left out, and the rest read again."""
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        why = f"{path} cannot be read: {reason_of(error)}. Correct the file."
        raise SettingsError(why) from error
    mistakes: list[str] = []
    while True:
        try:
            read = _read_tables(tables)
        except SettingsError as error:
            if error.place or not mistakes:  # else it lacks only what was left out
                mistakes.append(_in_file(error, path))
            if _drop(tables, error.place):
                continue
        if mistakes:
            raise SettingsError("\n".join(mistakes))
        return read


def _drop(table: Any, place: Sequence[str]) -> bool:
    """Whether a key could be dropped, or the one that holds it."""
    for number, name in enumerate(place, 1):
        if number == len(place) or not isinstance(table.get(name), dict):
            return table.pop(name, None) is not None
        table = table[name]
    return False


def _read_tables(content: Mapping[str, Any]) -> ProcessSettings:
    """The settings in the tables of a file; raises a `SettingsError` for the first mistake."""
    _check_names(content, ("server", "models"))
    tables = _checked(dict[str, dict[str, Any]], content)
    server, models = tables.get("server", {}), tables.get("models", {})
    _check_names(server, SERVER_SETTINGS, "server")
    if not models:
        raise SettingsError("The file has no models: add a table such as [models.small].")
    models = _checked(dict[str, dict[str, Any]], models, "models")
    served = tuple(_model(name, given) for name, given in models.items())
    return replace(_checked(ProcessSettings, server, "server"), models=served)


@contextmanager
def naming_lines(path: Path | None) -> Iterator[None]:
    """Make errors about settings name the file and the line."""
    try:
        yield
    except SettingsError as error:
        if path is None or not error.place:
            raise
        raise SettingsError(_in_file(error, path)) from error


def _in_file(error: SettingsError, path: Path) -> str:
    """An error's message with the file, and the line if it is about a key."""
    lines = path.read_text(encoding="utf-8").split("\n")
    line = f", line {_line_of(lines, error.place)}" if error.place else ""
    return f"{path}{line}: {error.args[0]}"


def _line_of(lines: list[str], place: tuple[str, ...]) -> int:
    """The line of a key, else that of the table around it: the key is there once this line is parsed."""
    whole = 0
    for at in range(1, len(lines) + 1):
        try:
            value: Any = tomllib.loads("\n".join(lines[:at]))
        except ValueError:  # within a value of several lines
            continue
        for name in place:
            value = value.get(name) if isinstance(value, dict) else None
        if value is not None:
            return whole + 1
        whole = at
    return _line_of(lines, place[:-1])


def _checked(kind: type[T], given: Mapping[str, Any], *place: str) -> T:
    try:
        return TypeAdapter(kind).validate_json(json.dumps(given, default=str), strict=True)
    except ValidationError as error:
        wrong = error.errors()[0]
        where = (*place, *map(str, wrong["loc"]))
        raise SettingsError(f"{wrong['msg'].replace('Input', '.'.join(where))}.", *where) from error


def _model(name: str, given: Mapping[str, Any]) -> ModelSettings:
    known = [
        setting.name for setting in fields(ModelSettings) if setting.name not in ("name", "toolemu")
    ]
    _check_names(given, (*known, *_TOOLEMU), "models", name)
    toolemu = {key: given[key] for key in _TOOLEMU if key in given}
    for key, value in toolemu.items():
        if complaint := OPTIONS[key].complaint(value, in_file=True):
            raise SettingsError(f"models.{name}: {complaint}", "models", name, key)
    own = {key: given[key] for key in known if key in given}
    return replace(_checked(ModelSettings, {"name": name, **own}, "models", name), toolemu=toolemu)


def refuse_gone(given: Iterable[str], *place: str) -> None:
    """Raise a `SettingsError` for a setting that is gone; it says what takes its place."""
    for name in given:
        if name in _GONE:
            where = ".".join((*place, name))
            raise SettingsError(f"{where} is gone: {_GONE[name]}.", *place, name)


def _check_names(given: Mapping[str, Any], known: Iterable[str], *place: str) -> None:
    refuse_gone(given, *place)
    names = list(known)
    for name in given:
        where = ".".join((*place, name))
        if name not in names and name in OPTIONS:
            raise SettingsError(f"{where} can only be set in Python.", *place, name)
        if name not in names:
            near = difflib.get_close_matches(name, names, 1)
            hint = f"Did you mean {near[0]!r}?" if near else f"Known are: {', '.join(names)}."
            raise SettingsError(f"{where} is not known. {hint}", *place, name)


def from_environment() -> ServerSettings:
    """The settings in the environment: the command's own, a file's, a model's, or the embedded model's."""
    if left := os.environ.get(ENVIRONMENT):
        return ServerSettings.from_json(left)
    if path := os.environ.get("TOOLEMU_CONFIG"):
        return with_keys_of_environment(read_config(Path(path)))
    model, base_url = os.environ.get("TOOLEMU_MODEL"), os.environ.get("TOOLEMU_BASE_URL")
    named = ModelSettings(default_name(model), model, base_url)
    return with_keys_of_environment(ServerSettings(models=(named,)))


def default_name(model: str | None) -> str:
    """The clients' name for a model such as `openai:gemma2` without a name of its own."""
    return model.partition(":")[2] or model if model else "embedded"


def with_keys_of_environment(settings: S) -> S:
    """The settings, with the keys of `TOOLEMU_API_KEY` (separated by commas) if there are no others."""
    if settings.api_keys:
        return settings
    keys = os.environ.get("TOOLEMU_API_KEY", "").split(",")
    return replace(settings, api_keys=tuple(key.strip() for key in keys if key.strip()))
