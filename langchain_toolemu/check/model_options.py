"""The options that name a model on a command line, and those of the chat model. Nothing heavy is imported here."""

import argparse
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from langchain_toolemu.options import OPTIONS, Option


def add_model_options(command: argparse.ArgumentParser) -> None:
    """The options that name a model."""
    command.add_argument(
        "--model",
        metavar="PROVIDER:NAME",
        help="such as openai:gemma2 or ollama:gemma2; default: the embedded model",
    )
    command.add_argument("--base-url", metavar="URL", help="where the model's server is")
    command.add_argument(
        "--gguf", type=Path, metavar="FILE", help="other weights for the embedded model"
    )


def add_flags(command: Any, *left_out: str) -> None:
    """The options of the chat model that commands take, but for those that are left out."""
    for name, option in OPTIONS.items():
        if option.is_flag and name not in left_out:
            flag = f"--{name.replace('_', '-')}"
            form: dict[str, Any] = {"type": _reader_of(option), "metavar": "N"}
            if any(option.words):
                form = {"choices": list(filter(None, option.words))}
            default = f" Default: {option.default}." if option.default else ""
            command.add_argument(flag, help=option.sentence + default, **form)


def _reader_of(option: Option) -> Callable[[str], Any]:
    def read(text: str) -> Any:
        value: Any = text
        with suppress(ValueError):
            value = float(text)
        if complaint := option.complaint(value):
            raise argparse.ArgumentTypeError(complaint)
        return value

    return read


def given_flags(options: argparse.Namespace) -> dict[str, Any]:
    """The options of the chat model that were given on the command line."""
    flags = (name for name, option in OPTIONS.items() if option.is_flag)
    return {name: value for name in flags if (value := getattr(options, name, None)) is not None}


def refuse_bad_address(options: argparse.Namespace) -> None:
    """Say at once what is wrong with `--base-url`.

    An address without a model would be left out without a word, and the embedded model be asked instead. One without
    `http://` would only look like a server that is not there.
    """
    address = options.base_url
    if address and not options.model:
        options.refuse("--base-url wants --model: which of the models there is meant?")
    if address and not address.startswith(("http://", "https://")):
        options.refuse(
            f"--base-url {address} is no address: it begins with http:// or https://, as in http://localhost:11434/v1"
        )
