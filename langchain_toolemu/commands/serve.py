"""Serve chat models over OpenAI's, Anthropic's and Ollama's protocols, with tool calling for all.

Exit codes: 0, it was stopped; 2, invalid usage or unsafe settings; 3, a model is unavailable.
With --check-config: 0, all is right; 1, something is wrong.
"""

import argparse
import gc
import socket
import sys
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit
from urllib.request import getproxies

from langchain_toolemu.check import model_options

if TYPE_CHECKING:
    from langchain_toolemu.serve.gateway import Gateway, ServedModel
    from langchain_toolemu.serve.settings import ProcessSettings

_WRONG, _UNABLE = 1, 3
_CONNECT_SECONDS = 2.0
_KEY_VARIABLE = "TOOLEMU_API_KEY"


def run(options: argparse.Namespace) -> int:
    """Serve as the options say; returns the exit code."""
    gc.disable()  # until the server runs: what is loaded now stays
    from langchain_toolemu.serve import explain_missing

    try:
        from langchain_toolemu.serve import server_process
        from langchain_toolemu.serve.settings import SettingsError
    except ModuleNotFoundError as error:
        return _fail(explain_missing(error))
    sys.path.insert(0, "")  # as uvicorn does: --store may name a module of this folder
    try:
        settings = _settings(options)
        if problem := _unsafe(settings):
            if not options.check_config:
                options.refuse(problem)
            raise SettingsError(problem)
        if options.check_config:
            _check(settings)
        else:
            server_process.serve_forever(settings, partial(_announce, settings))
    except SettingsError as error:
        return _fail(error, _WRONG if options.check_config else _UNABLE)
    finally:
        gc.enable()
    return 0


def _fail(error: Exception, code: int = _UNABLE) -> int:
    sys.stderr.write(f"toolemu: {error}\n")
    return code


def _unsafe(settings: "ProcessSettings") -> str:
    """Why such a server is not started; empty if it may be."""
    host = settings.host
    if not is_loopback(host) and not settings.api_keys:
        flags = f"--api-key, --api-key-file or {_KEY_VARIABLE}"
        return f"{host} can be reached from other machines: set a key with {flags}."
    if settings.inspect and not is_loopback(local_address(host)):
        reason = f"which does not reach {host} as a local address"
        return f"--inspect works only on this machine, {reason}: use --host 127.0.0.1 or 0.0.0.0."
    return ""


# --- what is announced ---


def _check(process: "ProcessSettings") -> None:
    """Print what would be served, or raise a `SettingsError`; no embedded model is started."""
    from langchain_toolemu.serve.gateway import Gateway

    embedded = [model.name for model in process.models if model.model is None]
    models = tuple(model for model in process.models if model.model is not None)
    default = process.default if process.default not in embedded else None
    with ExitStack() as stack:
        gateway = Gateway(replace(process, models=models, default=default), {}, stack)
        lines = [f"  {name}: the embedded model" for name in embedded]
        _announce(process, gateway, process.port, "toolemu would serve on", *lines)


def _announce(
    process: "ProcessSettings",
    gateway: "Gateway",
    port: int,
    head: str = "toolemu serves on",
    *more: str,
) -> None:
    here = local_address(process.host)
    url = f"http://[{here}]:{port}" if ":" in here else f"http://{here}:{port}"
    key = "YOUR_KEY" if gateway.settings.api_keys else "none"
    everywhere = ["  (and on every other address of this machine)"] if here != process.host else []
    lines = [f"{head} {url}", *everywhere, "", *more]
    for model in gateway.models:
        lines += _description_of(model)
    lines += [
        "",
        "OpenAI's protocols:",
        f"  export OPENAI_BASE_URL={url}/v1",
        f"  export OPENAI_API_KEY={key}",
        "Anthropic's protocol:",
        f"  export ANTHROPIC_BASE_URL={url}",
        f"  export ANTHROPIC_API_KEY={key}",
        "Ollama's protocol:",
        f"  export OLLAMA_HOST={url}",
    ]
    lines += ["", f"The inspector: {url}/"] if gateway.recordings is not None else []
    sys.stdout.write("\n".join(lines) + "\n")
    sys.stdout.flush()


def _description_of(model: "ServedModel") -> list[str]:
    """The upstream, what is known of its tool calling, and a warning if nothing answers there."""
    from langchain_toolemu.capability import Capability
    from langchain_toolemu.capability.endpoints import address_of

    support, where = model.base.tool_support, address_of(model.upstream)
    if not model.takes_any_name:  # a local server is asked about itself
        capability = Capability(model.upstream, explicit=model.base.native_tools)
        capability.consult()
        support = capability.known.support
    kind = type(model.upstream).__name__.removeprefix("Forwarding")
    at = f" at {where}" if where else ""
    known = f"{support.verdict} ({support.reason})"
    failure = _connection_failure(where)
    return [
        f"  {model.name}: {kind} {model.upstream_name}{at}",
        f"    mode {model.base.mode}; native tool calling: {known}",
        *([f"    warning: {failure}. Requests fail until it does."] if failure else []),
    ]


def _connection_failure(address: str) -> str:
    """A message if nothing answers at an address; empty if a proxy is in between."""
    from langchain_toolemu.capability.endpoints import is_local
    from langchain_toolemu.errors import reason_of

    parts = urlsplit(address)
    if not parts.hostname or (getproxies() and not is_local(address)):
        return ""
    try:
        port = parts.port or (443 if parts.scheme == "https" else 80)
        socket.create_connection((parts.hostname, port), _CONNECT_SECONDS).close()
    except (OSError, ValueError) as error:  # a port may be out of range
        return f"nothing answers at {address} ({reason_of(error)})"
    return ""


# --- addresses ---


def is_loopback(host: str) -> bool:
    """Whether a listening address can be reached from this machine only."""
    from langchain_toolemu.serve.access import THIS_MACHINE, ip_address

    number = ip_address(host)
    return number.is_loopback if number is not None else host.lower() in THIS_MACHINE


def local_address(host: str) -> str:
    """The address of a server on this machine that listens on a host, which may be all of them."""
    from langchain_toolemu.serve.access import ip_address

    number = ip_address(host)
    if number is None or not number.is_unspecified:
        return host
    return "127.0.0.1" if number.version == 4 else "::1"


# --- settings ---


def _settings(options: argparse.Namespace) -> "ProcessSettings":
    """The settings of the file or of the named model; those of the command line replace them."""
    from langchain_toolemu.serve import settings

    settings.refuse_gone({})
    base = _base_settings(options)
    named = {name: getattr(options, name, None) for name in settings.SERVER_SETTINGS}
    given: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in named.items()
        if value is not None
    }
    flags = model_options.given_flags(options)
    models = (replace(model, toolemu={**model.toolemu, **flags}) for model in base.models)
    if options.api_key_file:
        base = replace(base, api_keys=())
    return settings.with_keys(replace(base, **given, models=tuple(models)))


def _base_settings(options: argparse.Namespace) -> "ProcessSettings":
    from langchain_toolemu.serve import settings

    if options.config and (options.model or options.base_url):
        options.refuse("--config names the models: leave out --model and --base-url.")
    if options.config:
        return settings.read_config(options.config)
    model_options.refuse_bad_address(options)
    model = settings.ModelSettings(
        name=options.name or settings.default_name(options.model),
        model=options.model,
        base_url=options.base_url,
        keep_volatile=bool(options.keep_volatile),
        options={"gguf": str(options.gguf)} if options.gguf else {},
    )
    return settings.ProcessSettings(models=(model,))


# --- options ---


_COUNT = {"type": model_options.number_between(1, kind=int), "metavar": "N"}
_MEGABYTES = model_options.number_between(1, kind=int, unit=1024 * 1024)
_WHOLE = model_options.number_between(0, kind=int)
_FLAG = {"action": "store_true", "default": None}
_MODEL: model_options.ArgumentTable = (
    ("--model", {"metavar": "PROVIDER:NAME"}, "such as openai:gemma2, or openai:* for any name"),
    ("--base-url", {"metavar": "URL"}, "where the model's server is"),
    ("--name", {}, "the clients' name for the model; any other name works, too"),
    ("--keep-volatile", _FLAG, "leave Claude Code's billing line in the system prompt"),
)
_STORED = (
    "where responses that clients refer to, and what is learned of models, are kept: "
    "memory (default), off, or MODULE:FUNCTION of a ByteStore"
)
_MORE_MODELS: model_options.ArgumentTable = (
    ("--gguf", {"type": Path, "metavar": "FILE"}, "weights for the embedded model"),
    ("--config", {"type": Path, "metavar": "FILE"}, "several models, in a TOML file"),
    ("--check-config", _FLAG, "print what would be served, and start nothing"),
    ("--store", {"metavar": "WHERE"}, _STORED),
)
_PORT = model_options.number_between(0, 65535, int)
_LEVELS = ("debug", "info", "warning", "error")
_PLACE: model_options.ArgumentTable = (
    ("--host", {}, "the address to listen on; default: 127.0.0.1"),
    ("--port", {"type": _PORT}, "default: 8787; 0 for any free port"),
    ("--drain", {"type": _WHOLE, "metavar": "SECONDS"}, "for running turns at a stop; default: 30"),
    ("--inspect", _FLAG, "show the last turns at /, on this machine only"),
    ("--log-level", {"choices": _LEVELS}, "default: info; debug shows prompts"),
    ("--log", {"choices": ("plain", "json")}, "the format of log lines; default: plain"),
)


def _several(name: str, what: str) -> dict[str, Any]:
    return {"action": "append", "dest": name, "metavar": what}


_SECONDS = {"type": model_options.number_between(0), "metavar": "SECONDS"}
_BODY = {"type": _MEGABYTES, "dest": "max_body_bytes", "metavar": "N"}
_SAFER = f"a key that clients must send; safer in {_KEY_VARIABLE} or a file, which ps does not show"
_ACCESS: model_options.ArgumentTable = (
    ("--api-key", _several("api_keys", "KEY"), _SAFER),
    ("--api-key-file", {"type": Path, "metavar": "FILE"}, "a file with keys"),
    ("--allow-host", _several("allow_hosts", "NAME"), "another name of this server; * for any"),
    ("--allow-origin", _several("allow_origins", "ORIGIN"), "a web page that may use the server"),
    ("--max-concurrency", _COUNT, "turns at the same time; default: 512"),
    ("--max-body-mb", _BODY, "the largest request, in megabytes; default: 32"),
    ("--max-messages", _COUNT, "messages of a request; default: 10,000"),
    ("--max-tools", _COUNT, "tools of a request; default: 1,000"),
    ("--timeout", _SECONDS, "how long a turn may take; default: 600"),
)


def add_command(commands: Any) -> None:
    """Add the subcommand and its options to a parser's subcommands."""
    words = "serve chat models over OpenAI's, Anthropic's and Ollama's protocols"
    command = model_options.add_subcommand(commands, "serve", words, __doc__, run)
    served = command.add_argument_group("what is served")
    model_options.add_arguments(served, _MODEL)
    model_options.add_flags(served)
    model_options.add_arguments(served, _MORE_MODELS)
    model_options.add_arguments(command.add_argument_group("where and how it runs"), _PLACE)
    model_options.add_arguments(command.add_argument_group("who may use it, and how much"), _ACCESS)
