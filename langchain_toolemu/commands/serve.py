"""Serve chat models over OpenAI's, Anthropic's and Ollama's protocols, with tool calling for all.

Exit codes: 0, it was stopped; 2, invalid usage or unsafe settings; 3, a model is unavailable.
"""

import argparse
import gc
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from langchain_toolemu.check import model_options

if TYPE_CHECKING:
    from langchain_toolemu.serve.gateway import Gateway, ServedModel
    from langchain_toolemu.serve.settings import ServerSettings

_UNABLE = 3
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
        _refuse_unsafe(settings, options.refuse)
        server_process.serve_forever(settings, partial(_announce, settings))
    except SettingsError as error:
        return _fail(error)
    finally:
        gc.enable()
    return 0


def _fail(error: Exception) -> int:
    sys.stderr.write(f"toolemu: {error}\n")
    return _UNABLE


def _refuse_unsafe(settings: "ServerSettings", refuse: Callable[[str], Any]) -> None:
    host = settings.host
    if not is_loopback(host) and not settings.api_keys:
        flags = f"--api-key or {_KEY_VARIABLE}"
        refuse(f"{host} can be reached from other machines: set a key with {flags}.")
    if settings.inspect and not is_loopback(local_address(host)):
        reason = f"which does not reach {host} as a local address"
        refuse(f"--inspect works only on this machine, {reason}: use --host 127.0.0.1 or 0.0.0.0.")


_ANNOUNCED = """\
toolemu serves on {url}

{models}

OpenAI's protocols:
  export OPENAI_BASE_URL={url}/v1
  export OPENAI_API_KEY={key}
Anthropic's protocol:
  export ANTHROPIC_BASE_URL={url}
  export ANTHROPIC_API_KEY={key}
Ollama's protocol:
  export OLLAMA_HOST={url}
"""


def _announce(settings: "ServerSettings", gateway: "Gateway", port: int) -> None:
    here = local_address(settings.host)
    url = f"http://[{here}]:{port}" if ":" in here else f"http://{here}:{port}"
    key = "YOUR_KEY" if settings.api_keys else "none"
    models = "\n".join(map(_description_of, gateway.models))
    sys.stdout.write(_ANNOUNCED.format(url=url, key=key, models=models))
    if settings.inspect:
        sys.stdout.write(f"\nThe inspector: {url}/\n")
    sys.stdout.flush()


def _description_of(model: "ServedModel") -> str:
    """The upstream, and what is known of its tool calling."""
    from langchain_toolemu.capability import Capability
    from langchain_toolemu.capability.endpoints import address_of

    capability = Capability(model.upstream, explicit=model.base.native_tools)
    if not model.takes_any_name:  # a local server is asked about itself
        capability.consult()
    support, where = capability.known.support, address_of(model.upstream)
    kind = type(model.upstream).__name__.removeprefix("Forwarding")
    return (
        f"  {model.name}: {kind} {model.upstream_name}{f' at {where}' if where else ''}\n"
        f"    mode {model.base.mode}; native tool calling: {support.verdict} ({support.reason})"
    )


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


def _settings(options: argparse.Namespace) -> "ServerSettings":
    """The settings of the file or of the named model; those of the command line replace them."""
    from langchain_toolemu.serve import settings

    settings.refuse_gone({})
    if options.config and (options.model or options.base_url):
        options.refuse("--config names the models: leave out --model and --base-url.")
    if options.config:
        base = settings.read_config(options.config)
    else:
        model_options.refuse_bad_address(options)
        name = options.name or settings.default_name(options.model)
        weights = {"gguf": str(options.gguf)} if options.gguf else {}
        named = settings.ModelSettings(name, options.model, options.base_url, options=weights)
        base = settings.ServerSettings(models=(named,))
    own = model_options.given_flags(options)
    models = tuple(replace(model, toolemu={**model.toolemu, **own}) for model in base.models)
    flags = {name: getattr(options, name, None) for name in settings.SERVER_SETTINGS}
    given: dict[str, Any] = {name: value for name, value in flags.items() if value is not None}
    return settings.with_keys(replace(base, **given, models=models))


# --- options ---


_COUNT = {"type": model_options.number_between(1, kind=int), "metavar": "N"}
_FILE = {"type": Path, "metavar": "FILE"}
_FLAG = {"action": "store_true", "default": None}
_LEVELS = {"choices": ("debug", "info", "warning", "error")}
_MEGABYTES = model_options.number_between(1, kind=int, unit=1024 * 1024)
_BODY = {"type": _MEGABYTES, "dest": "max_body_bytes", "metavar": "N"}
_PORT = {"type": model_options.number_between(0, 65535, int)}
_SECONDS = {"type": model_options.number_between(0), "metavar": "SECONDS"}
_SAFER = f"a key that clients must send; safer in {_KEY_VARIABLE}, which ps does not show"
_STORED = (
    "where responses that clients refer to, and what is learned of models, are kept: "
    "memory (default), off, or MODULE:FUNCTION of a ByteStore"
)


def _several(name: str, what: str) -> dict[str, Any]:
    return {"action": "append", "dest": name, "metavar": what}


_MODEL: model_options.ArgumentTable = (
    ("--model", {"metavar": "PROVIDER:NAME"}, "such as openai:gemma2, or openai:* for any name"),
    ("--base-url", {"metavar": "URL"}, "where the model's server is"),
    ("--name", {}, "the clients' name for the model; any other name works, too"),
    ("--gguf", _FILE, "weights for the embedded model"),
    ("--config", _FILE, "several models, in a TOML file"),
    ("--store", {"metavar": "WHERE"}, _STORED),
)
_SERVER: model_options.ArgumentTable = (
    ("--host", {}, "the address to listen on; default: 127.0.0.1"),
    ("--port", _PORT, "default: 8787; 0 for any free port"),
    ("--inspect", _FLAG, "show the last turns at /, on this machine only"),
    ("--log-level", _LEVELS, "default: info; debug shows prompts"),
    ("--log", {"choices": ("plain", "json")}, "the format of log lines; default: plain"),
    ("--api-key", _several("api_keys", "KEY"), _SAFER),
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
    model_options.add_arguments(command.add_argument_group("where, how and to whom"), _SERVER)
