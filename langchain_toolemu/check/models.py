"""The chat model that a user names on a command line, and how a program makes the same one.

Keys are taken from the providers' own variables.
"""

import argparse
import os
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from langchain_core.language_models import BaseChatModel

from langchain_toolemu.check.troubles import CheckError, unmade


@dataclass(frozen=True, slots=True)
class NamedModel:
    """A plain chat model, and the lines that make it.

    Attributes:
        llm: The chat model.
        name: What tables call it.
        expression: What makes it in a program.
        imported: The line that the expression wants at the top.
    """

    llm: BaseChatModel
    name: str
    expression: str
    imported: str


def named_model(options: argparse.Namespace, stack: ExitStack, **asked: Any) -> NamedModel:
    """The chat model that `--model`, `--base-url` and `--gguf` name.

    Args:
        options: What the user said.
        stack: What closes it: the embedded model's server is started here.
        **asked: Further settings of the chat model.

    Raises:
        CheckError: It cannot be made; says what to do.
    """
    if options.model is None:
        return _embedded(options.gguf, stack, asked)
    provider, _, name = options.model.partition(":")
    where = {"base_url": options.base_url} if options.base_url else {}
    if provider == "openai" and name:
        return _openai(options.model, where, asked)
    return _any_provider(options.model, where, asked)


def _openai(model: str, where: dict[str, Any], asked: dict[str, Any]) -> NamedModel:
    from langchain_openai import ChatOpenAI

    has_key = bool(os.environ.get("OPENAI_API_KEY"))
    if not (where or has_key):
        raise CheckError(
            "OpenAI wants a key, and there is none. Set OPENAI_API_KEY, or pass --base-url for a server of your own."
        )
    # Servers on one's own machine want no key, and OpenAI's client insists on one.
    key: dict[str, Any] = {} if has_key else {"api_key": "none"}
    name = model.partition(":")[2]
    made = ChatOpenAI(model=name, max_retries=0, **asked, **where, **key)
    expression = f'ChatOpenAI(model="{name}"{_written({**where, **key})})'
    return NamedModel(made, model, expression, "from langchain_openai import ChatOpenAI")


def _embedded(gguf: Path | None, stack: ExitStack, asked: dict[str, Any]) -> NamedModel:
    from langchain_toolemu.local import LocalModelError, LocalServer

    try:
        server = stack.enter_context(LocalServer(gguf))
    except LocalModelError as error:
        raise CheckError(str(error)) from error
    given = repr(str(gguf)) if gguf else ""
    imported = "from langchain_toolemu.local import LocalServer"
    expression = f"LocalServer({given}).chat_model()"
    return NamedModel(server.chat_model(**asked), "the embedded model", expression, imported)


def _any_provider(model: str, where: dict[str, Any], asked: dict[str, Any]) -> NamedModel:
    try:
        from langchain.chat_models import init_chat_model

        made: BaseChatModel = init_chat_model(model, **asked, **where)
    except Exception as error:
        raise CheckError(unmade(model, error)) from error
    expression = f'init_chat_model("{model}"{_written(where)})'
    return NamedModel(made, model, expression, "from langchain.chat_models import init_chat_model")


def _written(settings: dict[str, Any]) -> str:
    return "".join(f', {name}="{value}"' for name, value in settings.items())
