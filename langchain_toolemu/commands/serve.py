"""Serve chat models over OpenAI's and Anthropic's protocols, with tool calling for those that lack it: `toolemu serve`.

Exit codes: 0, the server was stopped; 2, invalid usage or unsafe settings; 3, a model is unavailable.
With --check-config: 0, all is right; 1, something is wrong.
"""

import argparse
import gc
import sys
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import replace
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

from langchain_toolemu.check import model_options

if TYPE_CHECKING:
    from langchain_toolemu.serve.settings import Config, ModelSettings, ServerSettings

_DEFAULTS = {
    "host": "127.0.0.1", "port": 8787, "workers": 1, "drain": 30, "log_level": "info", "log": "plain",
}  # fmt: skip
_WRONG, _UNABLE = 1, 3
_KEY_VARIABLE = "TOOLEMU_API_KEY"


def run(options: argparse.Namespace) -> int:
    """Serve as the options say; returns the exit code."""
    gc.disable()  # until the server runs: what is loaded now stays, and need not be looked through
    from langchain_toolemu.serve import explain_missing

    try:
        from langchain_toolemu.serve import server_process  # noqa: F401 - needs every package of the extra
        from langchain_toolemu.serve.settings import SettingsError, naming_lines
    except ModuleNotFoundError as error:
        return _fail(explain_missing(error))
    if options.check_config:  # what is unsafe is wrong, too
        options.refuse = _raise_settings_error
    try:
        with ExitStack() as stack, naming_lines(options.config):
            _serve(options, stack)
    except SettingsError as error:
        return _fail(error, _WRONG if options.check_config else _UNABLE)
    finally:
        gc.enable()
    return 0


def _fail(error: Exception, code: int = _UNABLE) -> int:
    sys.stderr.write(f"toolemu: {error}\n")
    return code


def _raise_settings_error(message: str) -> None:
    from langchain_toolemu.serve.settings import SettingsError

    raise SettingsError(message)


def _serve(options: argparse.Namespace, stack: ExitStack) -> None:
    from langchain_toolemu.serve import server_process
    from langchain_toolemu.serve.settings import ProcessSettings

    config = _config(options)
    command = {**_DEFAULTS, **config.command, **_given_options(options, *_DEFAULTS)}
    settings = _settings(options, command.pop("api_key_file", None), config.server)
    _refuse_unsafe(options, settings, command["host"], command["workers"])
    if command["workers"] > 1 and settings.items == "memory":
        settings = replace(settings, items="off")  # what one worker keeps, another would not find
    if options.check_config:
        server_process.check_settings(ProcessSettings(settings, **command), stack)
        return
    settings = server_process.start_embedded_models(settings, stack)
    server_process.serve_forever(ProcessSettings(settings, **command), stack)


def _refuse_unsafe(
    options: argparse.Namespace, settings: "ServerSettings", host: str, workers: int
) -> None:
    from langchain_toolemu.serve.access import is_loopback, local_address

    if not is_loopback(host) and not settings.api_keys:
        options.refuse(
            f"{host} can be reached from elsewhere: set a key with --api-key, --api-key-file or {_KEY_VARIABLE}."
        )
    if settings.inspect and workers > 1:
        options.refuse("--inspect shows the turns of one worker: leave out --workers.")
    if settings.inspect and not is_loopback(local_address(host)):
        options.refuse(
            f"--inspect is for this machine only, which does not reach {host} as such: use --host 127.0.0.1 or 0.0.0.0."
        )


# --- settings ---


def _config(options: argparse.Namespace) -> "Config":
    from langchain_toolemu.serve.settings import Config, ServerSettings, read_config

    if options.config is None:
        return Config(ServerSettings(models=(_model(options),)))
    if options.model or options.base_url:
        options.refuse("--config names the models: leave out --model and --base-url.")
    return read_config(options.config)


def _model(options: argparse.Namespace) -> "ModelSettings":
    from langchain_toolemu.serve.settings import ModelSettings, default_name

    model_options.refuse_bad_address(options)
    weights = {"gguf": str(options.gguf)} if options.gguf else {}
    return ModelSettings(
        name=options.name or default_name(options.model),
        model=options.model,
        base_url=options.base_url,
        text_only=bool(options.text_only),
        options=weights,
        toolemu=model_options.given_flags(options),
    )


def _settings(
    options: argparse.Namespace, key_file: str | None, server: "ServerSettings"
) -> "ServerSettings":
    """The settings of the file, and over them those of the command line."""
    from langchain_toolemu.serve.settings import MEGABYTE, with_keys_of_environment

    names = ("max_concurrency", "timeout", "verdicts", "items", "forward_key", "inspect")
    given = _given_options(options, *names)
    lists = {"api_keys": options.api_key, "allow_hosts": options.allow_host}
    lists["allow_origins"] = options.allow_origin
    given |= {name: tuple(values) for name, values in lists.items() if values}
    if options.max_body_mb:
        given["max_body_bytes"] = options.max_body_mb * MEGABYTE
    key_file = options.api_key_file or key_file
    if key_file and "api_keys" not in given:
        given["api_keys"] = _read_keys(Path(key_file))
    flags = model_options.given_flags(options)
    models = (replace(one, toolemu={**one.toolemu, **flags}) for one in server.models)
    return with_keys_of_environment(replace(server, **given, models=tuple(models)))


def _given_options(options: argparse.Namespace, *names: str) -> dict[str, Any]:
    return {name: value for name in names if (value := getattr(options, name)) is not None}


def _read_keys(path: Path) -> tuple[str, ...]:
    from langchain_toolemu.serve.settings import SettingsError

    try:
        keys = path.read_text(encoding="utf-8").split()
    except OSError as error:
        raise SettingsError(f"The keys cannot be read: {error}. Name a file of keys.") from error
    if not keys:
        raise SettingsError(f"{path} holds no key: write one on each line.")
    return tuple(keys)


# --- options ---


def _within(least: int, most: float = inf, kind: type = int) -> Callable[[str], Any]:
    """Reads a number in these limits."""

    def read(text: str) -> Any:
        with suppress(ValueError):
            if least <= kind(text) <= most:
                return kind(text)
        limits = f"from {least} to {most}" if most < inf else f"of at least {least}"
        raise argparse.ArgumentTypeError(f"{text} is not a number {limits}")

    return read


_COUNT = _within(1)
_FLAG = {"action": "store_true", "default": None}
_LEVELS = ("debug", "info", "warning", "error")
# fmt: off
_MODEL: model_options.ArgumentTable = (
    ("--model", {"metavar": "PROVIDER:NAME"},
     "such as openai:gemma2, or openai:* to pass the client's names on; default: the embedded model"),
    ("--base-url", {"metavar": "URL"}, "where the model's server is"),
    ("--name", {}, "what clients call the model; any other name means it, too"),
    ("--text-only", _FLAG, "replace images in the results of tools by a note"),
)
_MORE_MODELS: model_options.ArgumentTable = (
    ("--gguf", {"type": Path, "metavar": "FILE"}, "weights for the embedded model"),
    ("--config", {"type": Path, "metavar": "FILE"}, "several models, in a TOML file"),
    ("--check-config", _FLAG, "say what would be served, and how, and start nothing"),
    ("--verdicts", {"metavar": "WHERE"}, "share what is learned of models: a folder, or redis://host:port"),
    ("--items", {"metavar": "WHERE"},
     "where items that clients of Responses refer to are kept: memory (default), off, a folder, or redis://host:port"),
)
_PLACE: model_options.ArgumentTable = (
    ("--host", {}, f"the address to listen on; default: {_DEFAULTS['host']}"),
    ("--port", {"type": _within(0, 65535)}, f"default: {_DEFAULTS['port']}; 0 for any that is free"),
    ("--workers", {"type": _COUNT, "metavar": "N"}, "processes; default: 1"),
    ("--drain", {"type": _within(0), "metavar": "SECONDS"},
     f"how long turns may go on when the server is stopped; default: {_DEFAULTS['drain']}"),
    ("--inspect", _FLAG, "show the last turns at /, on this machine only"),
    ("--log-level", {"choices": _LEVELS}, "default: info; debug shows prompts"),
    ("--log", {"choices": ("plain", "json")}, "what a line of the log is; default: plain"),
)
_ACCESS: model_options.ArgumentTable = (
    ("--api-key", {"action": "append", "metavar": "KEY"},
     f"a key that clients must bring; better in {_KEY_VARIABLE} or a file, which ps does not show"),
    ("--api-key-file", {"type": Path, "metavar": "FILE"}, "a file with keys"),
    ("--forward-key", _FLAG, "send the client's key to the model's server"),
    ("--allow-host", {"action": "append", "metavar": "NAME"}, "another name of this server; * for any"),
    ("--allow-origin", {"action": "append", "metavar": "ORIGIN"}, "a web page that may reach it"),
    ("--max-concurrency", {"type": _COUNT, "metavar": "N"}, "turns at once, in each worker; default: 512"),
    ("--max-body-mb", {"type": _COUNT, "metavar": "N"}, "default: 32"),
    ("--timeout", {"type": _within(0, kind=float), "metavar": "SECONDS"}, "the longest turn; default: 600"),
)
# fmt: on


def add_command(commands: Any) -> None:
    """Add the subcommand and its options to a parser's subcommands."""
    words = "serve chat models over OpenAI's and Anthropic's protocols"
    command = model_options.add_subcommand(commands, "serve", words, __doc__, run)
    served = command.add_argument_group("what is served")
    model_options.add_arguments(served, _MODEL)
    model_options.add_flags(served)
    model_options.add_arguments(served, _MORE_MODELS)
    model_options.add_arguments(command.add_argument_group("where"), _PLACE)
    model_options.add_arguments(command.add_argument_group("who may use it, and how much"), _ACCESS)
