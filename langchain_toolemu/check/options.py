"""The options that name a model on a command line. Nothing heavy is imported here: `toolemu --help` reads them."""

import argparse
from pathlib import Path


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
