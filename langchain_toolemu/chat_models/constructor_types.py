"""What the constructors take, for editors and type checkers; `python -m tests.reference` writes our options from the fields."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Literal, TypeAlias

from langchain_core.caches import BaseCache
from langchain_core.callbacks import Callbacks
from langchain_core.language_models import BaseChatModel, LanguageModelInput, ModelProfile
from langchain_core.messages import AIMessage
from langchain_core.rate_limiters import BaseRateLimiter
from langchain_core.runnables import Runnable
from pydantic import SecretStr
from typing_extensions import TypedDict

from langchain_toolemu import options
from langchain_toolemu.contract.dialects import Dialect
from langchain_toolemu.contract.examples import Example
from langchain_toolemu.contract.rules import Recipe
from langchain_toolemu.policy import CallPolicy
from langchain_toolemu.turn.suspicion import Detector

Wrappable: TypeAlias = BaseChatModel | Runnable[LanguageModelInput, AIMessage] | str
"""A chat model, a binding of one, or a name such as `"ollama:gemma2"`."""


class EmulationOptions(TypedDict, total=False):
    """What both constructors take by name; the fields say what each means."""

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
    model_size: float | None
    tool_support: options.ToolSupport | None
    dialect: options.DialectName | Dialect
    flow: options.Flow
    examples: Literal["auto"] | bool | Sequence[Example]
    contract: Literal["auto"] | Recipe
    constrain: options.Constrain
    system_role: options.SystemRole
    policy: options.PolicyName | CallPolicy
    repair_native: Literal["auto"] | bool
    max_reasks: int
    on_failure: options.OnFailure
    max_tool_rounds: int
    max_tool_result_chars: int | None
    max_tools_shown: Literal["auto"] | int | None
    send_reasoning: options.SendReasoning
    starts_in_thought: bool
    refusal_detector: Detector | None
    llm_kwargs: dict[str, Any]


class ToolEmuOptions(EmulationOptions, total=False):
    """What `ChatToolEmu` takes by name."""

    reasoning: options.Reasoning


_Key: TypeAlias = str | SecretStr | Callable[[], str] | Callable[[], Awaitable[str]]
_Timeout: TypeAlias = float | tuple[float, float] | Any


class ChatOpenAIOptions(EmulationOptions, total=False):
    """What `ToolEmuChatOpenAI` takes: all that ChatOpenAI takes, by either spelling, and ours."""

    client: Any
    async_client: Any
    root_client: Any
    root_async_client: Any
    model: str
    model_name: str
    temperature: float | None
    model_kwargs: dict[str, Any]
    api_key: _Key | None
    openai_api_key: _Key | None
    base_url: str | None
    openai_api_base: str | None
    organization: str | None
    openai_organization: str | None
    openai_proxy: str | None
    timeout: _Timeout | None
    request_timeout: _Timeout | None
    stream_usage: bool | None
    max_retries: int | None
    presence_penalty: float | None
    frequency_penalty: float | None
    seed: int | None
    logprobs: bool | None
    top_logprobs: int | None
    logit_bias: dict[int, int] | None
    streaming: bool
    n: int | None
    top_p: float | None
    max_tokens: int | None
    max_completion_tokens: int | None
    reasoning_effort: str | None
    reasoning: dict[str, Any] | options.Reasoning | None
    verbosity: str | None
    tiktoken_model_name: str | None
    default_headers: Mapping[str, str] | None
    default_query: Mapping[str, object] | None
    http_client: Any
    http_async_client: Any
    http_socket_options: Sequence[tuple[int, int, int]] | None
    stream_chunk_timeout: float | None
    stop: list[str] | str | None
    stop_sequences: list[str] | str | None
    extra_body: Mapping[str, Any] | None
    include_response_headers: bool
    disabled_params: dict[str, Any] | None
    context_management: list[dict[str, Any]] | None
    include: list[str] | None
    prompt_cache_options: dict[str, Any] | None
    service_tier: str | None
    store: bool | None
    truncation: str | None
    use_previous_response_id: bool
    use_responses_api: bool | None
