"""The chat models of a gateway, created from settings: any that `init_chat_model` knows, or the embedded one.

- Heavy packages are imported when a model needs them.
- Nothing is retried here: the client retries, and both together would multiply.
"""

import os
from contextlib import ExitStack
from dataclasses import replace
from typing import Any

from langchain_core.language_models import BaseChatModel

from langchain_toolemu.capability.endpoints import is_local
from langchain_toolemu.check.named_model import NO_OPENAI_KEY, explain_creation_error
from langchain_toolemu.serve.settings import ModelSettings, SettingsError

ANY_NAME = "*"
_EMBEDDED_TOKENS = 512


def make_upstream(settings: ModelSettings, stack: ExitStack) -> BaseChatModel:
    """The chat model that settings describe, or a `SettingsError`; the stack closes an embedded server started for it."""
    if settings.model is None:
        settings = start_embedded(settings, stack)
    model = str(settings.model)
    provider, _, name = model.partition(":")
    try:
        if provider == "openai" and name:
            return _openai(name, settings)
        from langchain.chat_models import init_chat_model

        own = {"base_url": settings.base_url, "api_key": _api_key(settings)}
        given = {name: value for name, value in own.items() if value}
        made: BaseChatModel = init_chat_model(model, **{**given, **settings.options})
        return made
    except SettingsError:
        raise
    except Exception as error:
        said = explain_creation_error(model, error)
        raise SettingsError(said, "models", settings.name, "model") from error


def _openai(name: str, settings: ModelSettings) -> BaseChatModel:
    from langchain_toolemu.serve.forwarding_chat_openai import ForwardingChatOpenAI

    base_url = settings.base_url or os.environ.get("OPENAI_BASE_URL")
    key = _api_key(settings) or os.environ.get("OPENAI_API_KEY")
    if not (key or base_url):
        raise SettingsError(NO_OPENAI_KEY, "models", settings.name, "model")
    asked: dict[str, Any] = {
        "model": name,
        # Servers on one's own machine want no key, and OpenAI's client insists on one.
        "api_key": key or "none",
        "max_retries": 0,
        "stream_usage": True,
        # The turn has a limit of its own; a large model may read its prompt for minutes.
        "stream_chunk_timeout": None,
        **_address_kwargs(base_url),
    }
    return ForwardingChatOpenAI(**{**asked, **settings.options})


def _address_kwargs(base_url: str | None) -> dict[str, Any]:
    """The address of a server that is not OpenAI's: only its chat API is used, and no proxy if it is local."""
    if base_url is None:
        return {}
    said: dict[str, Any] = {"base_url": base_url, "use_responses_api": False}
    if is_local(base_url):
        from openai import DefaultAsyncHttpxClient, DefaultHttpxClient

        # Certificates take a while to load, and plain HTTP has none.
        how: dict[str, Any] = {"trust_env": False, "verify": base_url.startswith("https")}
        said["http_client"] = DefaultHttpxClient(**how)
        said["http_async_client"] = DefaultAsyncHttpxClient(**how)
    return said


def start_embedded(settings: ModelSettings, stack: ExitStack) -> ModelSettings:
    """The settings of an embedded model, with the address of a server that is started for it."""
    from langchain_toolemu.local import LocalModelError, LocalServer

    options = {"temperature": 0, "max_tokens": _EMBEDDED_TOKENS, **settings.options}
    try:
        server = stack.enter_context(LocalServer(options.pop("gguf", None)))
    except LocalModelError as error:
        raise SettingsError(str(error)) from error
    name, url = f"openai:{server.model_name}", server.base_url
    return replace(settings, model=name, base_url=url, options=options)


def _api_key(settings: ModelSettings) -> str | None:
    if settings.api_key_env is None:
        return None
    if key := os.environ.get(settings.api_key_env):
        return key
    message = f"models.{settings.name}: the variable {settings.api_key_env} is not set."
    raise SettingsError(message, "models", settings.name, "api_key_env")
