"""The chat models of a gateway, made from settings: whatever `init_chat_model` knows, or the embedded one.

- Nothing heavy is imported before a model of its kind is made.
- Nothing is retried here: the client does, and twice would be nine times.
"""

import os
from collections.abc import Callable
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from langchain_core.language_models import BaseChatModel

from langchain_toolemu.capability.endpoints import is_local
from langchain_toolemu.check.troubles import unmade
from langchain_toolemu.serve.settings import ModelSettings, SettingsError

if TYPE_CHECKING:
    from langchain_toolemu.local import LocalServer

ANY_NAME = "*"
_EMBEDDED_TOKENS = 512


def make_upstream(settings: ModelSettings, stack: ExitStack) -> BaseChatModel:
    """The chat model that settings describe.

    Args:
        settings: The model's settings.
        stack: What closes it: an embedded server is started here.

    Raises:
        SettingsError: It cannot be made; says what is missing.
    """
    if settings.model is None:
        return _embedded(settings, stack)
    provider, _, name = settings.model.partition(":")
    if provider == "openai" and name:
        return _openai(name, settings)
    return _any_provider(settings)


def _openai(name: str, settings: ModelSettings) -> BaseChatModel:
    from langchain_toolemu.serve.forwarding_chat_openai import ForwardingChatOpenAI

    base_url = settings.base_url or os.environ.get("OPENAI_BASE_URL")
    key = _key(settings) or os.environ.get("OPENAI_API_KEY")
    if not (key or base_url):
        raise SettingsError(
            "OpenAI wants a key, and there is none. Set OPENAI_API_KEY, or pass --base-url for a server of your own."
        )
    asked: dict[str, Any] = {
        "model": name,
        # Servers on one's own machine want no key, and OpenAI's client insists on one.
        "api_key": key or "none",
        "max_retries": 0,
        "stream_usage": True,
        # The turn has a limit of its own; a large model may read its prompt for minutes.
        "stream_chunk_timeout": None,
        **_where(base_url),
    }
    return _made(str(settings.model), lambda: ForwardingChatOpenAI(**{**asked, **settings.options}))


def _where(base_url: str | None) -> dict[str, Any]:
    """The address, for a server that is not OpenAI's: it is spoken to as OpenAI's own chat API, without a proxy if near."""
    if base_url is None:
        return {}
    said: dict[str, Any] = {"base_url": base_url, "use_responses_api": False}
    if is_local(base_url):
        from openai import DefaultAsyncHttpxClient, DefaultHttpxClient

        said["http_client"] = DefaultHttpxClient(trust_env=False)
        said["http_async_client"] = DefaultAsyncHttpxClient(trust_env=False)
    return said


def _embedded(settings: ModelSettings, stack: ExitStack) -> BaseChatModel:
    server, options = start_embedded(settings, stack)
    where = ModelSettings(settings.name, base_url=server.base_url, options=options)
    return _openai(server.model_name, where)


def start_embedded(
    settings: ModelSettings, stack: ExitStack
) -> tuple["LocalServer", dict[str, Any]]:
    """The embedded model's server, and the options of a chat model for it.

    Raises:
        SettingsError: It cannot be started; says what to install.
    """
    from langchain_toolemu.local import LocalModelError, LocalServer

    options = {"temperature": 0, "max_tokens": _EMBEDDED_TOKENS, **settings.options}
    try:
        return stack.enter_context(LocalServer(options.pop("gguf", None))), options
    except LocalModelError as error:
        raise SettingsError(str(error)) from error


def _any_provider(settings: ModelSettings) -> BaseChatModel:
    where = {"base_url": settings.base_url} if settings.base_url else {}
    key = {"api_key": key} if (key := _key(settings)) else {}
    asked = {**where, **key, **settings.options}

    def make() -> BaseChatModel:
        from langchain.chat_models import init_chat_model

        made: BaseChatModel = init_chat_model(str(settings.model), **asked)
        return made

    return _made(str(settings.model), make)


def _made(model: str, make: Callable[[], BaseChatModel]) -> BaseChatModel:
    try:
        return make()
    except Exception as error:
        raise SettingsError(unmade(model, error)) from error


def _key(settings: ModelSettings) -> str | None:
    """The upstream's key, from the variable that the settings name."""
    if settings.api_key_env is None:
        return None
    key = os.environ.get(settings.api_key_env)
    if not key:
        raise SettingsError(
            f"models.{settings.name}: the variable {settings.api_key_env} is not set."
        )
    return key
