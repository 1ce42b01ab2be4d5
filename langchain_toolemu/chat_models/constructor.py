"""Checks the constructors' arguments before pydantic does: its errors name neither the right spelling nor the class."""

import os
from collections.abc import Collection, Mapping, Sequence
from difflib import get_close_matches
from inspect import Parameter, Signature
from typing import Any

from langchain_core.callbacks import Callbacks
from langchain_core.language_models import BaseChatModel
from langchain_core.runnables import Runnable, RunnableBinding
from pydantic import BaseModel

from langchain_toolemu.errors import ToolSpecError, warn_user
from langchain_toolemu.options import FIELDS, OPTIONS, REMOVED, Mode

_FOR_BINDING = {
    "tools": "bind_tools([...])",
    "tool_choice": "bind_tools([...], tool_choice=...)",
    "functions": "bind_tools([...])",
    "parallel_tool_calls": "bind_tools([...], parallel_tool_calls=...)",
    "strict": "bind_tools([...], strict=...)",
    "response_format": "bind_tools([...], response_format=...) or with_structured_output(...)",
}
# Options of ours whose names a provider has for one request.
_OF_REQUESTS = frozenset({"reasoning"})
# Names of every provider's that look like one of ours.
_OF_A_MODEL = frozenset({"model", "model_name", "model_provider", "base_url", "api_key", "max_retries"})  # fmt: skip


def show_options(cls: type, *, first: str = "", rest: str = "") -> None:
    """Let `help()` show the options of a class by name. By itself it would show those fields that are LangChain's."""
    before = [Parameter(first, Parameter.POSITIONAL_OR_KEYWORD)] if first else []
    after = [Parameter(rest, Parameter.VAR_KEYWORD)] if rest else []
    options = [
        Parameter(option.name, Parameter.KEYWORD_ONLY, default=option.default)
        for option in OPTIONS.values()
    ]
    shown = [*before, *options, *after]
    # Pydantic replaces the class's own when it builds the class, with what the constructor's says.
    itself = Parameter("self", Parameter.POSITIONAL_ONLY)
    cls.__init__.__signature__ = Signature([itself, *shown])  # type: ignore[misc]
    cls.__signature__ = Signature(shown)  # type: ignore[attr-defined]


def names_of(cls: type[BaseModel]) -> list[str]:
    """The names by which the fields of a class are passed."""
    aliases = [field.alias for field in cls.model_fields.values() if field.alias]
    return [*cls.model_fields, *aliases]


def refuse_unknown(
    cls: type[BaseModel], llm: Any, data: Mapping[str, Any], where: str = ""
) -> None:
    """Refuse what a class has no parameter for, with a `ToolSpecError` that says where it belongs.

    `where` is what was called, if not the class.
    """
    known = names_of(cls)
    for name in sorted(set(data) - set(known)):
        hint = REMOVED.get(name) or _hint(cls, name, known, llm)
        if name == "model" and llm is None and isinstance(data[name], str):
            hint = f"Pass the model first: {cls.__name__}({data[name]!r:.80})."
        raise _unknown(where or cls.__name__, name, hint)


def refuse_misspelt(cls: type[BaseModel], inner: type[BaseModel], data: Mapping[str, Any]) -> None:
    """Refuse what neither a class nor the one inside it has a parameter for, if it is near to one of either."""
    theirs = names_of(inner)
    own = [name for name in names_of(cls) if name not in theirs]
    for name in sorted(set(data) - set(theirs)):
        if name in REMOVED and name not in own:
            raise _unknown(cls.__name__, name, REMOVED[name])
        hint = _hint(cls, name, own, None) if name in ("tools", "functions", "tool_choice") else ""
        # A server may have `top_k`, which is near to `top_p`.
        if get_close_matches(name, own, 1, 0.8) or get_close_matches(name, theirs, 1, 0.85):
            # `modle` is as near to their `model` as to our `mode`.
            hint = f"Did you mean {' or '.join(get_close_matches(name, [*own, *theirs], 2, 0.8))}?"
        if hint:
            raise _unknown(cls.__name__, name, hint)


def refuse_near(where: str, given: Collection[str], known: Sequence[str]) -> None:
    """Refuse what is passed on to the wrapped model, and was meant for us."""
    for name in given:
        if name not in known and (near := get_close_matches(name, known, 1, 0.8)):
            raise _unknown(where, name, f"Did you mean {near[0]}?")
        if name in OPTIONS and name not in _OF_REQUESTS:
            raise _unknown(
                where, name, f"Pass it to the constructor: ChatToolEmu(llm, {name}=...)."
            )


def _unknown(where: str, name: str, hint: str) -> ToolSpecError:
    text = f"{where} has no parameter {name!r}. {hint}"
    return ToolSpecError(text, code="unknown_parameter")


def _hint(cls: type[BaseModel], name: str, known: list[str], llm: Any) -> str:
    if name in _FOR_BINDING:
        return f"Pass it when you bind tools: {cls.__name__}(...).{_FOR_BINDING[name]}."
    theirs = names_of(type(llm)) if isinstance(llm, BaseChatModel) else []
    is_theirs = name in theirs or name in _OF_A_MODEL
    if not is_theirs and (near := get_close_matches(name, known, 1, 0.7)):
        return f"Did you mean {near[0]}?"
    there = "Set it on the wrapped model"
    if isinstance(llm, str):
        return f"{there}: ChatToolEmu(init_chat_model({llm!r:.80}, {name}=...))."
    if not isinstance(llm, BaseChatModel):
        return f"{there}, such as ChatToolEmu(ChatOpenAI({name}=...))."
    inner = type(llm).__name__
    meant = [name] if name in theirs else get_close_matches(name, theirs, 1, 0.8)
    if meant:
        return f"{there}: ChatToolEmu({inner}({meant[0]}=...))."
    return (
        f"{inner} has no such parameter either. To send it with every request, bind it: "
        f"ChatToolEmu({inner}(...).bind({name}=...))."
    )


def refuse_bad_values(data: Mapping[str, Any]) -> None:
    """Refuse a value that its option cannot have, whether it is passed, assigned or copied, with a `ToolSpecError`."""
    for name, value in data.items():
        option = OPTIONS.get(name) or FIELDS.get(name)
        if option and (complaint := option.complaint(value)):
            raise ToolSpecError(complaint, code="bad_value")


def default_mode() -> Mode:
    """The mode where none is given: the environment's, else fallback."""
    word = os.environ.get("TOOLEMU_MODE", "")
    mode = word.strip().lower() or "fallback"
    if OPTIONS["mode"].takes(mode):
        return mode  # type: ignore[return-value]
    text = f"TOOLEMU_MODE={word!r} is not a mode. Set it to 'off', 'fallback' or 'force'."
    raise ToolSpecError(text, code="bad_value")


# The chat class of a class that completes text, where it is known.
_CHAT_CLASSES = {
    "OllamaLLM": "ChatOllama", "Ollama": "ChatOllama", "OpenAI": "ChatOpenAI",
    "AzureOpenAI": "AzureChatOpenAI", "AnthropicLLM": "ChatAnthropic", "LlamaCpp": "ChatLlamaCpp",
    "HuggingFacePipeline": "ChatHuggingFace(llm=...)", "VertexAI": "ChatVertexAI",
    "HuggingFaceEndpoint": "ChatHuggingFace(llm=...)", "BedrockLLM": "ChatBedrock",
}  # fmt: skip
_RUN_SETTINGS = ("callbacks", "tags", "metadata", "name")


def is_plain_binding(llm: Any) -> bool:
    """Whether it binds settings and nothing else, which a wrapper can take over."""
    # What `with_retry` gives is a binding, too, and calls the model in a way of its own.
    return isinstance(llm, RunnableBinding) and type(llm).invoke is RunnableBinding.invoke


def unwrap_arguments(llm: Any, data: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The constructor's arguments with a chat model in `llm`, and what the bindings held around it."""
    kwargs: dict[str, Any] = {}
    run = {key: data[key] for key in _RUN_SETTINGS if key in data}
    while is_plain_binding(llm):
        kwargs = {**llm.kwargs, **kwargs}
        run = _run_settings(llm.config, run)
        llm = llm.bound
    model = _model_by_name(llm.strip()) if isinstance(llm, str) and llm.strip() else llm
    if not isinstance(model, BaseChatModel):
        raise ToolSpecError(_not_a_chat_model(llm), code="not_a_chat_model")
    if hasattr(type(model), "preview"):  # one of ours: it works, at the price of a second reading
        warn_user(
            f"The model to wrap is a {type(model).__name__}, which calls tools already: both read its replies. Wrap the "
            "chat model inside it, once, with all settings.",
            "wrapped_twice",
        )
    for foreign in ("tools", "functions", "response_format"):
        if foreign in kwargs:
            raise ToolSpecError(
                f"The binding passed as `llm` already carries {foreign!r}. Wrap the model itself and bind on the "
                "wrapper: ChatToolEmu(model).bind_tools(tools).",
                code="bound_already",
            )
    return {**data, **run, "llm": model}, kwargs


def _model_by_name(name: str) -> BaseChatModel:
    """The chat model of a name such as `"ollama:gemma2"`, made as LangChain's agents make it."""
    try:
        from langchain.chat_models import init_chat_model
    except ImportError as error:
        raise ToolSpecError(
            f"llm={name!r:.80} needs langchain to find the chat model: pip install langchain. "
            "Or pass the chat model itself, such as ChatOllama(model='gemma2').",
            code="model_name",
        ) from error
    try:
        return init_chat_model(name)
    except ValueError as error:
        if "provider" not in str(error):
            raise
        raise ToolSpecError(
            f"llm={name!r:.80} names no provider that langchain knows. Write 'provider:model', such as "
            "'ollama:gemma2', or pass the chat model itself, such as ChatOllama(model='gemma2').",
            code="model_name",
        ) from error


def _not_a_chat_model(llm: Any) -> str:
    if llm is None:
        return "`llm` is missing: the chat model to wrap, such as ChatToolEmu(ChatOllama(model='gemma2'))."
    # By name: its module takes a while to load, and nothing else needs it.
    if any(kind.__name__ == "BaseLLM" for kind in type(llm).__mro__):
        name = type(llm).__name__
        chat = _CHAT_CLASSES.get(name, "the class of its package whose name has Chat in it")
        return f"`llm` must be a chat model, not {name}, which completes text. Use {chat} instead."
    if isinstance(llm, Runnable):
        return (
            f"`llm` must be a chat model, not a {type(llm).__name__}. Wrap the chat model first and call "
            ".with_retry(), .with_fallbacks() or .configurable_fields() on the ChatToolEmu."
        )
    # No object is shown: it may hold a key.
    named = f"the class {llm.__name__}" if isinstance(llm, type) else type(llm).__name__
    kind = "an empty text" if isinstance(llm, str) else named
    return (
        f"`llm` must be a chat model (a BaseChatModel) or a name such as 'ollama:gemma2', not {kind}. "
        "Pass an object, such as ChatOpenAI(model=...) or init_chat_model(...)."
    )


def _run_settings(config: Mapping[str, Any], outer: Mapping[str, Any]) -> dict[str, Any]:
    """The run settings of the wrapper's arguments and of a binding's config together; of two names the outer one."""
    return {
        "callbacks": merge_handlers(config.get("callbacks"), outer.get("callbacks")),
        "tags": merge_tags(config.get("tags"), outer.get("tags")),
        "metadata": {**(config.get("metadata") or {}), **(outer.get("metadata") or {})},
        "name": outer.get("name") or config.get("run_name"),
    }


def merge_handlers(inner: Callbacks, outer: Callbacks) -> Callbacks:
    """The handlers of both, each once: a copy that LangChain makes to configure it has those of both already."""
    if not inner or not outer:
        return outer or inner
    theirs, ours = (held if isinstance(held, list) else held.handlers for held in (inner, outer))
    further = [handler for handler in theirs if handler not in ours]
    if isinstance(outer, list):
        return [*outer, *further]
    manager = outer.copy()
    for handler in further:
        manager.add_handler(handler)
    return manager


def merge_tags(inner: list[str] | None, outer: list[str] | None) -> list[str] | None:
    """The tags of both, each once; `None` if there are none."""
    return list(dict.fromkeys([*(outer or ()), *(inner or ())])) or None
