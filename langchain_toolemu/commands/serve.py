"""Serve chat models over OpenAI's and Anthropic's protocols, with tool calling for those that lack it: `toolemu serve`.

Exit codes: 0, the server was stopped; 2, the command was misspelt or asks for something unsafe; 3, a model cannot be had.
"""

import argparse
import sys
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from langchain_toolemu.check.options import add_flags, given_flags, refuse_bad_address

if TYPE_CHECKING:
    from langchain_toolemu.serve.settings import Config, ModelSettings, ServerSettings

_HOST, _PORT, _DRAIN_SECONDS = "127.0.0.1", 8787, 30
_MISSPELT, _UNABLE = 2, 3
_KEY_VARIABLE = "TOOLEMU_API_KEY"


def run(options: argparse.Namespace) -> int:
    """Serve as the options say; returns the exit code."""
    try:
        from langchain_toolemu.serve.settings import SettingsError
    except ImportError as error:
        return _say(str(error))
    try:
        with ExitStack() as stack:
            return _served(options, stack)
    except SettingsError as error:
        return _say(str(error))


def _say(words: str) -> int:
    sys.stderr.write(f"toolemu: {words}\n")
    return _UNABLE


def _served(options: argparse.Namespace, stack: ExitStack) -> int:
    from langchain_toolemu.serve.server_process import (
        ProcessSettings,
        embedded_once,
        serve_forever,
    )

    config = _config(options)
    command = {
        **config.command,
        **_given(options, ("host", "port", "workers", "drain", "log_level")),
    }
    host, workers = command.get("host", _HOST), command.get("workers", 1)
    settings = _settings(options, config)
    _refuse_unsafe(options, settings, host, workers)
    process = ProcessSettings(
        settings=embedded_once(settings, stack),
        host=host,
        port=command.get("port", _PORT),
        workers=workers,
        drain=command.get("drain", _DRAIN_SECONDS),
        log_level=command.get("log_level", "info"),
    )
    serve_forever(process, stack)
    return 0


def _refuse_unsafe(
    options: argparse.Namespace, settings: "ServerSettings", host: str, workers: int
) -> None:
    from langchain_toolemu.serve.access import as_seen_here, is_loopback

    if not is_loopback(host) and not settings.api_keys:
        options.refuse(
            f"{host} can be reached from elsewhere: set a key with --api-key, --api-key-file or {_KEY_VARIABLE}."
        )
    if settings.inspect and workers > 1:
        options.refuse("--inspect shows the turns of one worker: leave out --workers.")
    if settings.inspect and not is_loopback(as_seen_here(host)):
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

    refuse_bad_address(options)
    weights = {"gguf": str(options.gguf)} if options.gguf else {}
    return ModelSettings(
        name=options.name or default_name(options.model),
        model=options.model,
        base_url=options.base_url,
        options=weights,
        toolemu=given_flags(options),
    )


def _settings(options: argparse.Namespace, config: "Config") -> "ServerSettings":
    """The settings of the file, and over them those of the command line."""
    from langchain_toolemu.serve.settings import MEGABYTE, with_keys_of_environment

    given = _given(options, ("max_concurrency", "timeout", "verdicts", "forward_key", "inspect"))
    lists = {"api_keys": options.api_key, "allow_hosts": options.allow_host}
    lists["allow_origins"] = options.allow_origin
    given |= {name: tuple(values) for name, values in lists.items() if values}
    if options.max_body_mb:
        given["max_body_bytes"] = options.max_body_mb * MEGABYTE
    key_file = options.api_key_file or config.command.get("api_key_file")
    if key_file and "api_keys" not in given:
        given["api_keys"] = _keys_in(Path(key_file))
    made = replace(config.server, **given)
    flags = given_flags(options)
    models = (replace(one, toolemu={**one.toolemu, **flags}) for one in made.models)
    return with_keys_of_environment(replace(made, models=tuple(models)))


def _given(options: argparse.Namespace, names: tuple[str, ...]) -> dict[str, Any]:
    """The options that were really given."""
    return {name: value for name in names if (value := getattr(options, name)) is not None}


def _keys_in(path: Path) -> tuple[str, ...]:
    from langchain_toolemu.serve.settings import SettingsError

    try:
        lines = path.read_text(encoding="utf-8").split()
    except OSError as error:
        raise SettingsError(f"The keys cannot be read: {error}") from error
    if not lines:
        raise SettingsError(f"{path} holds no key.")
    return tuple(lines)


# --- options ---


def add_command(commands: Any) -> None:
    """Add the subcommand and its options to a parser's subcommands."""
    command: argparse.ArgumentParser = commands.add_parser(
        "serve",
        help="serve chat models over OpenAI's and Anthropic's protocols",
        description=__doc__,
    )
    _add_model(command.add_argument_group("what is served"))
    _add_place(command.add_argument_group("where"))
    _add_access(command.add_argument_group("who may use it, and how much"))
    command.set_defaults(run=run, refuse=command.error)


def _add_model(group: Any) -> None:
    group.add_argument(
        "--model",
        metavar="PROVIDER:NAME",
        help="such as openai:gemma2, or openai:* to pass the client's names on; default: the embedded model",
    )
    group.add_argument("--base-url", metavar="URL", help="where the model's server is")
    group.add_argument("--name", help="what clients call the model; any other name means it, too")
    add_flags(group)
    group.add_argument("--gguf", type=Path, metavar="FILE", help="weights for the embedded model")
    group.add_argument("--config", type=Path, metavar="FILE", help="several models, in a TOML file")
    group.add_argument(
        "--verdicts",
        metavar="WHERE",
        help="share what is learned of models: a folder, or redis://host:port",
    )


def _add_place(group: Any) -> None:
    group.add_argument("--host", help=f"the address to listen on; default: {_HOST}")
    group.add_argument("--port", type=int, help=f"default: {_PORT}; 0 for any that is free")
    group.add_argument("--workers", type=_count, metavar="N", help="processes; default: 1")
    group.add_argument(
        "--drain",
        type=int,
        metavar="SECONDS",
        help=f"how long turns may go on when the server is stopped; default: {_DRAIN_SECONDS}",
    )
    group.add_argument(
        "--inspect", action="store_true", default=None, help="show the last turns at /, on this machine only"
    )  # fmt: skip
    levels = ("debug", "info", "warning", "error")
    group.add_argument("--log-level", choices=levels, help="default: info; debug shows prompts")


def _add_access(group: Any) -> None:
    group.add_argument(
        "--api-key",
        action="append",
        metavar="KEY",
        help=f"a key that clients must bring; better in {_KEY_VARIABLE} or a file, which ps does not show",
    )
    group.add_argument("--api-key-file", type=Path, metavar="FILE", help="a file with keys")
    group.add_argument(
        "--forward-key",
        action="store_true",
        default=None,
        help="send the client's key to the model's server",
    )
    group.add_argument(
        "--allow-host", action="append", metavar="NAME", help="another name of this server; * for any"
    )  # fmt: skip
    group.add_argument(
        "--allow-origin", action="append", metavar="ORIGIN", help="a web page that may reach it"
    )
    group.add_argument(
        "--max-concurrency", type=_count, metavar="N", help="turns at once, in each worker; default: 512"
    )  # fmt: skip
    group.add_argument("--max-body-mb", type=_count, metavar="N", help="default: 32")
    group.add_argument(
        "--timeout", type=float, metavar="SECONDS", help="the longest turn; default: 600"
    )


def _count(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return number
