"""Deep Agents' entry point: an agent on a local model calls tools as soon as this package is installed.

Deep Agents calls `register` when it first looks for profiles. The profile adds a middleware, which wraps the models of Ollama,
and those of OpenAI's client that a server on this machine or its network answers. The environment variable
`TOOLEMU_DEEPAGENTS=off` switches it off, and the log says once that it is on.
"""

import logging
import os
from importlib import import_module
from typing import Any

from langchain_core.language_models import BaseChatModel
from typing_extensions import override

from langchain_toolemu.capability.endpoints import address_of, client_kind, is_local
from langchain_toolemu.chat_models.middleware import ToolEmuMiddleware

_SWITCH = "TOOLEMU_DEEPAGENTS"
_PROVIDERS = ("ollama", "openai")
_log = logging.getLogger("langchain_toolemu")


class DeepAgentMiddleware(ToolEmuMiddleware):
    """Wraps the local models of a deep agent; all others stay as they are."""

    _announced: list[str]  # shared by all agents of the process, so that the log says it once

    @override
    def _wrap(self, model: Any) -> Any:
        if not isinstance(model, BaseChatModel):  # a binding, or a model with fallbacks
            return super()._wrap(model)
        wrapped = super()._wrap(model) if _is_local_model(model) else model
        if wrapped is not model and not self._announced:
            self._announced.append(type(model).__name__)
            text = "langchain-toolemu gives tool calling to this deep agent's %s (%s=off switches that off)"
            _log.warning(text, type(model).__name__, _SWITCH)
        return wrapped


def _is_local_model(model: BaseChatModel) -> bool:
    return client_kind(model) == "ollama" or is_local(address_of(model))


def register() -> None:
    """Add the middleware to the profiles of the providers that local models come from."""
    if os.environ.get(_SWITCH, "").lower() in ("off", "0", "false"):
        return
    deepagents: Any = import_module("deepagents")  # which calls this, so it is there
    announced: list[str] = []

    def middleware() -> list[DeepAgentMiddleware]:
        made = DeepAgentMiddleware()
        made._announced = announced  # noqa: SLF001 - our own
        return [made]

    for provider in _PROVIDERS:
        profile = deepagents.HarnessProfile(extra_middleware=middleware)
        deepagents.register_harness_profile(provider, profile)
