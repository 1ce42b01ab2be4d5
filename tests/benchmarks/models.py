"""The chat model that a benchmark asks: the embedded one, another GGUF file, or any that `init_chat_model` knows."""

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from langchain_core.language_models import BaseChatModel

from langchain_toolemu.local import LocalServer


def add_model_options(parser: argparse.ArgumentParser) -> None:
    """The options that name a model."""
    parser.add_argument(
        "--model", metavar="PROVIDER:NAME", help="any chat model; default: the embedded one"
    )
    parser.add_argument("--base-url", metavar="URL")
    parser.add_argument(
        "--gguf", type=Path, metavar="FILE", help="other weights for the embedded server"
    )
    parser.add_argument("--threads", type=int, default=2, help="of the embedded server")


@contextmanager
def chat_model(options: argparse.Namespace, **asked: Any) -> Iterator[BaseChatModel]:
    """The model that the options name, asked at temperature 0."""
    asked = {"temperature": 0, **asked}
    if not options.model:
        with LocalServer(options.gguf, threads=options.threads) as server:
            yield server.chat_model(**asked)
        return
    from langchain.chat_models import init_chat_model

    where = {"base_url": options.base_url} if options.base_url else {}
    yield init_chat_model(options.model, **asked, **where)
