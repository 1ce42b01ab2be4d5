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
from langchain_toolemu.check.named_model import CheckError, create_model
from langchain_toolemu.serve.settings import ModelSettings, SettingsError

ANY_NAME = "*"
_EMBEDDED_TOKENS = 512


def make_upstream(settings: ModelSettings, stack: ExitStack) -> BaseChatModel:
    """The chat model that settings describe, or a `SettingsError`; the stack closes an embedded server started for it."""
    if settings.model is None:
        settings = start_embedded(settings, stack)
    variable = settings.api_key_env
    if variable and not os.environ.get(variable):
        message = f"models.{settings.name}: the variable {variable} is not set."
        raise SettingsError(message, "models", settings.name, "api_key_env")
    own = {"base_url": settings.base_url, "api_key": os.environ[variable] if variable else None}
    given = {name: value for name, value in own.items() if value}
    try:
        return create_model(str(settings.model), _openai, **{**given, **settings.options})
    except CheckError as error:
        raise SettingsError(error.args[0], "models", settings.name, "model") from error


def _openai(base_url: str | None = None, **given: Any) -> BaseChatModel:
    """OpenAI's client; at another address only the chat API is used, and no proxy if that is local."""
    from langchain_toolemu.chat_models.forwarding_chat_openai import ForwardingChatOpenAI

    # A turn has its own time limit: a large model may read its prompt for minutes.
    options: dict[str, Any] = {"stream_usage": True, "stream_chunk_timeout": None}
    if base_url:
        options |= {"base_url": base_url, "use_responses_api": False}
    if base_url and is_local(base_url):
        from openai import DefaultAsyncHttpxClient, DefaultHttpxClient

        from langchain_toolemu.chat_models.plain_http import PlainTransport

        # Certificates take a while to load, and plain HTTP needs none.
        how: dict[str, Any] = {"trust_env": False, "verify": base_url.startswith("https")}
        options["http_client"] = DefaultHttpxClient(**how)
        how["mounts"] = {"http://": PlainTransport()}
        options["http_async_client"] = DefaultAsyncHttpxClient(**how)
    return ForwardingChatOpenAI(**{**options, **given})


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
