"""What may be wrapped: a chat model, whatever came in its place taken apart or refused in words that help."""

from collections.abc import Mapping
from typing import Any

from langchain_core.language_models import BaseChatModel, BaseLLM
from langchain_core.runnables import Runnable, RunnableBinding

from langchain_toolemu.errors import ToolSpecError

# Exactly these: `with_retry` and `with_fallbacks` give runnables that are bindings of more than settings.
_BINDINGS = ("RunnableBinding", "_ChatModelBinding", "ToolEmuBinding")

_CHAT_CLASSES = {
    "OllamaLLM": "ChatOllama",
    "Ollama": "ChatOllama",
    "OpenAI": "ChatOpenAI",
    "AzureOpenAI": "AzureChatOpenAI",
    "AnthropicLLM": "ChatAnthropic",
    "HuggingFacePipeline": "ChatHuggingFace(llm=...)",
    "HuggingFaceEndpoint": "ChatHuggingFace(llm=...)",
    "LlamaCpp": "ChatLlamaCpp",
    "VertexAI": "ChatVertexAI",
    "BedrockLLM": "ChatBedrock",
}
"""The chat class of a class that completes text, where it is known."""


def is_plain_binding(llm: Any) -> bool:
    """Whether this is a binding of settings, and of nothing more."""
    return type(llm).__name__ in _BINDINGS and isinstance(llm, RunnableBinding)


def chat_model_of(llm: Any) -> BaseChatModel:
    """A chat model as it is, or the one that a name means.

    Raises:
        ToolSpecError: What came is neither.
    """
    if isinstance(llm, str) and llm.strip():
        return _named(llm.strip())
    if not isinstance(llm, BaseChatModel):
        raise ToolSpecError(_refusal(llm))
    return llm


def refuse_bound_tools(kwargs: Mapping[str, Any]) -> None:
    """Refuse a binding of what is to be bound on the wrapper."""
    for foreign in ("tools", "functions", "response_format"):
        if foreign in kwargs:
            raise ToolSpecError(
                f"The binding passed as `llm` already carries {foreign!r}. Wrap the model itself and bind on the "
                "wrapper: ChatToolEmu(model).bind_tools(tools)."
            )


def _named(name: str) -> BaseChatModel:
    """The chat model of a name such as `"ollama:gemma2"`, made as LangChain's agents make it."""
    try:
        from langchain.chat_models import init_chat_model
    except ImportError as error:
        raise ToolSpecError(
            f"To find the chat model of llm={name!r:.80}, langchain is needed: pip install langchain. "
            "Or pass the chat model itself, such as ChatOllama(model='gemma2')."
        ) from error
    try:
        return init_chat_model(name)
    except ValueError as error:
        if "provider" not in str(error):
            raise
        raise ToolSpecError(
            f"llm={name!r:.80} names no provider that langchain knows. Write 'provider:model', such as "
            "'ollama:gemma2', or pass the chat model itself, such as ChatOllama(model='gemma2')."
        ) from error


def _refusal(llm: Any) -> str:
    if llm is None:
        return "`llm` is missing: the chat model to wrap, such as ChatToolEmu(ChatOllama(model='gemma2'))."
    if isinstance(llm, BaseLLM):
        return _completes_text(type(llm).__name__)
    if isinstance(llm, Runnable):
        return (
            f"`llm` must be a chat model, not a {type(llm).__name__}. Wrap the chat model first and call "
            ".with_retry(), .with_fallbacks() or .configurable_fields() on the ChatToolEmu."
        )
    return (
        f"`llm` must be a chat model (a BaseChatModel) or a name such as 'ollama:gemma2', not {_kind(llm)}. "
        "Pass an object, such as ChatOpenAI(model=...) or init_chat_model(...)."
    )


def _completes_text(name: str) -> str:
    chat = _CHAT_CLASSES.get(name)
    better = f"Use {chat}" if chat else "Use the class of its package whose name has Chat in it"
    return f"`llm` must be a chat model, not {name}, which completes text. {better} instead."


def _kind(llm: Any) -> str:
    """What came instead of a chat model. No object is shown: it may hold a key."""
    if isinstance(llm, type):
        return f"the class {llm.__name__}"
    return "an empty text" if isinstance(llm, str) else type(llm).__name__
