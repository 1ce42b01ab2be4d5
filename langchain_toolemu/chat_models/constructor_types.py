"""What `ChatToolEmu` takes by name, for editors and type checkers; the fields say what each is for."""

from collections.abc import Callable, Mapping
from typing import Any, Literal, TypeAlias

from langchain_core.caches import BaseCache
from langchain_core.callbacks import Callbacks
from langchain_core.language_models import BaseChatModel, LanguageModelInput, ModelProfile
from langchain_core.messages import AIMessage
from langchain_core.rate_limiters import BaseRateLimiter
from langchain_core.runnables import Runnable
from typing_extensions import TypedDict

from langchain_toolemu import options
from langchain_toolemu.contract.recipe import Recipe
from langchain_toolemu.policy import CallPolicy

Wrappable: TypeAlias = BaseChatModel | Runnable[LanguageModelInput, AIMessage] | str
"""A chat model, a binding of one, or a name such as `"ollama:gemma2"`."""


class ToolEmuOptions(TypedDict, total=False):
    """What the constructor takes by name."""

    # What every LangChain chat model takes.
    name: str | None
    cache: BaseCache | bool | None
    verbose: bool
    callbacks: Callbacks
    tags: list[str] | None
    metadata: dict[str, Any] | None
    custom_get_token_ids: Callable[[str], list[int]] | None
    rate_limiter: BaseRateLimiter | None
    disable_streaming: bool | Literal["tool_calling"]
    output_version: str | None
    profile: ModelProfile | None
    # Ours.
    mode: options.Mode
    flow: options.Flow
    tool_support: options.ToolSupport | None
    model_size: float | None
    contract: Literal["auto"] | Recipe | Mapping[str, Any]
    policy: options.PolicyName | CallPolicy
    max_reasks: int
    on_failure: options.OnFailure
    max_tool_rounds: int
    max_tool_result_chars: int | None
    reasoning: options.Reasoning
