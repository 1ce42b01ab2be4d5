"""The chat model that a user names on a command line, and what its errors mean.

Keys come from the providers' own variables. Errors are recognised by status and type: every
provider has its own classes.
"""

import argparse
import os
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from langchain_core.language_models import BaseChatModel

from langchain_toolemu.capability.endpoints import address_of, model_name_of
from langchain_toolemu.chat_models.diagnostics import advice_on_404
from langchain_toolemu.errors import ToolEmuError
from langchain_toolemu.model_facts.error_text import links

_UNREACHABLE = ("connect", "timeout", "refused", "resolve")


class CheckError(ToolEmuError):
    """A command cannot go on; says why and what to do."""

    code = "command_failed"


@dataclass(frozen=True, slots=True)
class NamedModel:
    """A plain chat model, and how a program makes the same one."""

    llm: BaseChatModel
    name: str  # what tables call it
    expression: str
    imported: str  # the import that the expression needs


def named_model(options: argparse.Namespace, stack: ExitStack, **settings: Any) -> NamedModel:
    """The chat model that the options name, or a `ToolEmuError`.

    The stack closes an embedded server that was started for it.
    """
    if options.model is None:
        return _embedded(options.gguf, stack, settings)
    where = {"base_url": options.base_url} if options.base_url else {}
    llm = create_model(options.model, _chat_openai, **where, **settings)
    if not (name := openai_name(options.model)):
        expression = f'init_chat_model("{options.model}"{_written(where)})'
        imported = "from langchain.chat_models import init_chat_model"
        return NamedModel(llm, options.model, expression, imported)
    key = {} if os.environ.get("OPENAI_API_KEY") else {"api_key": "none"}
    expression = f'ChatOpenAI(model="{name}"{_written({**where, **key})})'
    return NamedModel(llm, options.model, expression, "from langchain_openai import ChatOpenAI")


def _embedded(gguf: Path | None, stack: ExitStack, settings: dict[str, Any]) -> NamedModel:
    from langchain_toolemu.local import LocalServer

    server = stack.enter_context(LocalServer(gguf))
    expression = f"LocalServer({repr(str(gguf)) if gguf else ''}).chat_model()"
    imported = "from langchain_toolemu.local import LocalServer"
    name = f"{server.model_name} (embedded)"
    return NamedModel(server.chat_model(**settings), name, expression, imported)


def _written(settings: dict[str, Any]) -> str:
    return "".join(f', {name}="{value}"' for name, value in settings.items())


def _chat_openai(**settings: Any) -> BaseChatModel:
    from langchain_openai import ChatOpenAI

    return ChatOpenAI(**settings)


def openai_name(model: str) -> str:
    """The name in `openai:NAME`; empty for another provider."""
    provider, _, name = model.partition(":")
    return name if provider == "openai" else ""


def create_model(
    model: str, make_openai: Callable[..., BaseChatModel], **settings: Any
) -> BaseChatModel:
    """The chat model of a name such as `openai:gemma2`, or a `CheckError`."""
    try:
        if not (name := openai_name(model)):
            from langchain.chat_models import init_chat_model

            made: BaseChatModel = init_chat_model(model, **settings)
            return made
        known = {"api_key": "OPENAI_API_KEY", "base_url": "OPENAI_BASE_URL"}
        found = {key: os.environ.get(name) for key, name in known.items()}
        own = {key: value for key, value in found.items() if value} | settings
        if not known.keys() & own.keys():
            why = "OpenAI needs an API key. "
            raise CheckError(why + "Set OPENAI_API_KEY, or pass --base-url for your own server.")
        # Servers on one's own machine want no key, and OpenAI's client insists on one.
        return make_openai(**{"model": name, "max_retries": 0, "api_key": "none", **own})
    except CheckError:
        raise
    except Exception as error:
        raise CheckError(explain_creation_error(model, error)) from error


# --- errors ---


def explain_creation_error(model: str, error: Exception) -> str:
    """Why LangChain could not create a model of this name."""
    # LangChain's own words are about an argument of Python, and list thirty providers.
    if "infer model provider" in str(error):
        return (
            f"{model!r} names no provider that LangChain knows. Write PROVIDER:NAME, such as "
            "ollama:gemma2; for any server with OpenAI's protocol, openai:NAME and --base-url."
        )
    if isinstance(error, ModuleNotFoundError) and str(error.name).startswith("langchain"):
        provider = model.partition(":")[0].replace("_", "-")
        fix = f"pip install langchain langchain-{provider}"
        return f"{model!r} needs packages that are not installed: {fix}"
    return f"{model!r} could not be created: {error}"


def explain_request_error(error: Exception, llm: BaseChatModel) -> str:
    """What an error of a model's request means, and what to do."""
    return " ".join(filter(None, problem_and_advice(error, llm)))


def problem_and_advice(error: Exception, llm: BaseChatModel) -> tuple[str, str]:
    """The same in two parts; no advice where only the provider knows."""
    chain = links(error)
    statuses = (getattr(link, "status_code", None) for link in chain)
    status = next((number for number in statuses if isinstance(number, int)), None)
    where, name = address_of(llm) or "The provider", model_name_of(llm)
    match status:
        case 401 | 403:
            advice = "Set the provider's variable, such as OPENAI_API_KEY."
            return f"{where} refuses the API key ({status}).", advice
        case 404:
            problem = f"{where} does not know the model {name!r} or the address (404)."
            return problem, advice_on_404(llm)
        case int() if status >= 500:
            return f"{where} failed with a server error ({status}): {error}", ""
    text = " ".join(f"{type(link).__name__} {link}" for link in chain).lower()
    if status is None and any(word in text for word in _UNREACHABLE):
        return f"{where} cannot be reached.", "Start the server, or correct the address."
    return f"{where} answered with an error: {type(error).__name__}: {error}", ""
