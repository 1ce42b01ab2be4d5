"""Deep Agents' profiles: once a program calls `register`, its agents on local models call tools.

The profile adds a middleware, which wraps the models of Ollama, and those of OpenAI's client that a
server on this machine or its network answers. No import and no installation registers anything.
"""

from importlib import import_module
from typing import Any

from langchain_core.language_models import BaseChatModel
from typing_extensions import override

from langchain_toolemu.capability.endpoints import address_of, client_kind, is_local
from langchain_toolemu.chat_models.middleware import ToolEmuMiddleware

_PROVIDERS = ("ollama", "openai")


class DeepAgentMiddleware(ToolEmuMiddleware):
    """Wraps the local models of a deep agent; all others stay as they are."""

    @override
    def _wrap(self, model: Any) -> Any:
        # A binding, or a model with fallbacks, is no chat model.
        stays = isinstance(model, BaseChatModel) and not _is_local_model(model)
        return model if stays else super()._wrap(model)


def _is_local_model(model: BaseChatModel) -> bool:
    return client_kind(model) == "ollama" or is_local(address_of(model))


def register() -> None:
    """Add the middleware to the profiles of the providers that local models come from.

    Example:
        ```python
        register()
        agent = create_deep_agent(model="ollama:qwen2.5-coder", tools=[get_weather])
        ```
    """
    deepagents: Any = import_module("deepagents")
    for provider in _PROVIDERS:
        profile = deepagents.HarnessProfile(extra_middleware=lambda: [DeepAgentMiddleware()])
        deepagents.register_harness_profile(provider, profile)
