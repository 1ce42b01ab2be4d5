"""What a binding holds of tools, choice and response format: keyword arguments, read back at every call.

What the wrapped model itself makes of them is kept next to our description, and is what a native request carries.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from inspect import Parameter, signature
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.runnables import (
    Runnable,
    RunnableBinding,
    RunnableConfig,
    RunnableParallel,
    RunnableSequence,
)

from langchain_toolemu.capability.endpoints import (
    address_of,
    client_kind,
    provider_by_class,
    vendor_of,
)
from langchain_toolemu.contract.response_format import (
    ResponseForm,
    bindable_form,
    is_free,
    read_form,
)
from langchain_toolemu.errors import ToolSpecError
from langchain_toolemu.options import redact
from langchain_toolemu.tools import ToolChoice, choice_among, label_of, to_openai_tools
from langchain_toolemu.tools.specs import ACTS, is_built_in

NATIVE = "toolemu_native"
"""The keyword argument in which a binding keeps what the wrapped model's own `bind_tools` made of the tools."""

BOUND_TERMS = "toolemu_made_of"
"""The keyword argument in which a binding keeps what that was made of: what differs from it in a call was set later."""

MODEL = "toolemu_model"
"""The keyword argument that names the chat model a native request goes to, where `bind_tools` gave another than its own."""

ON_FAILURE = "toolemu_on_failure"
"""The keyword argument by which a binding says what follows if a demanded call never comes."""

_OPTIONS = ("strict", "parallel_tool_calls", "response_format")
_TERMS = ("tools", "tool_choice", *_OPTIONS)
CALL_OPTIONS = ("tool_choice", "strict", "parallel_tool_calls")
"""How to call: where there is nothing to call, a server refuses them."""

_OBJECTS = (dict, Mapping)  # the second takes longer to tell

INTERNAL = (NATIVE, BOUND_TERMS, ON_FAILURE)
"""What a binding keeps for itself."""

OURS = (*INTERNAL, *_TERMS)
"""What is not the wrapped model's own."""


def drop_none(**options: Any) -> dict[str, Any]:
    """The keyword arguments that are not `None`."""
    return {key: value for key, value in options.items() if value is not None}


def rebase(runnable: Any, old: BaseChatModel, new: BaseChatModel) -> Any:
    """A chain that a chat model built on itself, built on another instead."""
    if runnable is old:
        return new
    match runnable:
        case RunnableBinding():
            return runnable.model_copy(update={"bound": rebase(runnable.bound, old, new)})
        case RunnableSequence():
            return RunnableSequence(*(rebase(step, old, new) for step in runnable.steps))
        case RunnableParallel():
            steps = runnable.steps__.items()
            return RunnableParallel({key: rebase(step, old, new) for key, step in steps})
    return runnable


@dataclass(frozen=True, slots=True)
class NativeBinding:
    """What a chat model's own `bind_tools` returned, taken apart."""

    model: BaseChatModel
    kwargs: dict[str, Any] = field(default_factory=dict)
    config: RunnableConfig = field(default_factory=RunnableConfig)

    @classmethod
    def of(cls, bound: Runnable[Any, Any]) -> "NativeBinding | None":
        """A chat model, bound or not, taken apart; `None` if it is anything else."""
        match bound:
            case BaseChatModel():
                return cls(bound)
            case RunnableBinding() if inner := cls.of(bound.bound):
                kwargs = {**inner.kwargs, **bound.kwargs}
                return cls(inner.model, kwargs, {**inner.config, **bound.config})
        return None

    def request_kwargs(self, llm: BaseChatModel) -> dict[str, Any]:
        """What a native request carries: what was bound, and to which model where that is not the wrapped one."""
        return self.kwargs if self.model is llm else {**self.kwargs, MODEL: self.model}


def bind_natively(
    llm: BaseChatModel, tools: Sequence[Any], tool_choice: Any, options: Mapping[str, Any]
) -> NativeBinding:
    """What a model's own `bind_tools` makes of the original tools; what it has no parameter for is not passed on."""
    tools = unmarked(tools)
    if not can_search_tools(llm):  # what the search would find is sent like the other tools
        tools = [*map(_undeferred, without_search(tools))]
    form = drop_none(response_format=bindable_form(options.get("response_format")))
    is_ollama = client_kind(llm) == "ollama"
    if is_ollama and choice_among(to_openai_tools(tools), tool_choice).kind == "none":
        return NativeBinding(llm, form)  # it never sends the choice, so the tools are not offered
    if tool_choice is not None and provider_by_class(llm) == "anthropic":
        tool_choice = _anthropic_choice(tools, tool_choice)
        if tool_choice == {"type": "none"}:  # which has no further settings
            options = without(("parallel_tool_calls",), options)
    known = _known_options(llm, tools, tool_choice, {**options, **form})
    try:
        bound = llm.bind_tools(tools, **known)
    except ValueError as error:
        if not any(map(is_built_in, tools)):
            raise
        raise _unknown_built_in(llm, tools, error) from error
    native = NativeBinding.of(bound)
    if native is None:
        raise ToolSpecError(
            f"{type(llm).__name__}.bind_tools returns a {type(bound).__name__}, whose settings cannot be "
            "taken over. Use mode='force', or mode='off'.",
            code="native_binding",
        )
    return native


def _anthropic_choice(tools: Sequence[Any], choice: Any) -> Any:
    """The choice as Anthropic's API has it: its `bind_tools` takes any word but two for the name of a tool."""
    is_own = isinstance(choice, Mapping) and choice.get("type") != "function"
    if choice is None or is_own:
        return choice
    match choice_among(to_openai_tools(tools), choice):
        case ToolChoice(kind="named", name=name):
            return {"type": "tool", "name": name}
        case ToolChoice(kind=kind, name=None):
            return {"type": kind}
    return choice


def unmarked(tools: Sequence[Any]) -> list[Any]:
    """The tools without our mark of what they do, which no provider is sent."""
    return [without((ACTS,), tool) if isinstance(tool, Mapping) else tool for tool in tools]


def can_search_tools(llm: BaseChatModel) -> bool:
    """Whether a provider finds tools by itself that are not sent at once: only on its vendor's own host."""
    return vendor_of(llm, address_of(llm)) in ("openai", "anthropic")


def without_search(tools: Sequence[Any]) -> Sequence[Any]:
    """The tools without the provider's search among them, unless there is nothing else."""
    if not any(map(_is_search, tools)):
        return tools
    return [tool for tool in tools if not _is_search(tool)] or tools


def _is_search(tool: Any) -> bool:
    return isinstance(tool, Mapping) and str(tool.get("type")).startswith("tool_search")


def _undeferred(tool: Any) -> Any:
    is_dict = isinstance(tool, Mapping)
    extras = tool if is_dict else getattr(tool, "extras", None) or {}
    kept = without(("defer_loading",), extras)
    if is_dict:
        return kept
    return tool if kept == extras else tool.model_copy(update={"extras": kept or None})


def _known_options(
    llm: BaseChatModel, tools: Sequence[Any], tool_choice: Any, options: Mapping[str, Any]
) -> dict[str, Any]:
    """The choice and the options that a model's own `bind_tools` has parameters for."""
    given = {**drop_none(tool_choice=tool_choice), **options}
    parameters = _parameters(getattr(llm.bind_tools, "__func__", llm.bind_tools))
    if any(parameter.kind is Parameter.VAR_KEYWORD for parameter in parameters.values()):
        return given
    ignored = tool_choice is not None and "tool_choice" not in parameters
    if ignored and choice_among(to_openai_tools(tools), tool_choice).kind == "none":
        raise NotImplementedError(f"{type(llm).__name__}.bind_tools takes no tool_choice")
    return {key: value for key, value in given.items() if key in parameters}


@lru_cache(64)
def _parameters(function: Callable[..., Any]) -> Mapping[str, Parameter]:
    return signature(function).parameters


def _unknown_built_in(llm: BaseChatModel, tools: Sequence[Any], error: ValueError) -> ToolSpecError:
    foreign, words = [tool for tool in tools if is_built_in(tool)], str(error)
    for tool in foreign:
        # LangChain quotes a dict that is no tool, headers and all.
        words = words.replace(str(tool), str(redact(tool)))
    return ToolSpecError(
        f"{type(llm).__name__} cannot bind {', '.join(map(label_of, foreign))}: {' '.join(words.split())} "
        "Bind it to a model whose provider has it built in, or use mode='force', which leaves it out.",
        code="native_binding",
    )


def binding_kwargs(terms: Mapping[str, Any], native: Mapping[str, Any] | None) -> dict[str, Any]:
    """What a binding holds: our description of the terms, and what the wrapped model made of them itself."""
    if native is None:
        return dict(terms)
    bound_terms = {term: terms[term] for term in _TERMS if term in terms}
    return {**terms, NATIVE: native, BOUND_TERMS: bound_terms}


def any_object_kwargs(kwargs: Mapping[str, Any], json_mode: Mapping[str, Any]) -> dict[str, Any]:
    """What a binding holds if an answer must be an object of any form: natively the server's JSON mode, else a schema."""
    described = {"name": "answer", "schema": {"type": "object"}}
    terms = {**kwargs, "response_format": {"type": "json_schema", "json_schema": described}}
    if "tools" in kwargs and NATIVE not in kwargs:  # it cannot be asked natively
        return terms
    return binding_kwargs(terms, {**kwargs.get(NATIVE, {}), **json_mode})


def describe_tools(kwargs: Mapping[str, Any]) -> Mapping[str, Any]:
    """The keyword arguments of a call with tool dicts in `tools`, whatever tools were passed to it without `bind_tools`."""
    tools = kwargs.get("tools")
    if not tools or (isinstance(tools, list) and all(isinstance(tool, _OBJECTS) for tool in tools)):
        return kwargs
    return {**kwargs, "tools": to_openai_tools(tools)}


def without(names: Collection[str], kwargs: Mapping[str, Any]) -> dict[str, Any]:
    """The keyword arguments but for those of these names."""
    return {key: value for key, value in kwargs.items() if key not in names}


def delegated_kwargs(llm: BaseChatModel, kwargs: Mapping[str, Any]) -> dict[str, Any]:
    """What mode off sends of a binding that may have been made in another mode (`configurable_fields`)."""
    if NATIVE not in kwargs:
        tools = {"tools": unmarked(kwargs["tools"])} if kwargs.get("tools") else {}
        return {**without(INTERNAL, kwargs), **tools}
    return {**without(OURS, kwargs), **native_terms(llm, kwargs)}


def native_terms(llm: BaseChatModel, kwargs: Mapping[str, Any]) -> dict[str, Any]:
    """The terms as the wrapped model takes them: those it bound, and whatever was set since, which it binds now."""
    later, bound = _terms_set_later(kwargs), kwargs.get(NATIVE, {})
    if NATIVE in kwargs and not later:
        return dict(bound)
    if not kwargs.get("tools"):
        return drop_none(response_format=kwargs.get("response_format"))
    options = drop_none(**{key: kwargs.get(key) for key in _OPTIONS})
    # JSON of any form is no schema that could be bound.
    formless = "response_format" in options and requested_form(kwargs) is None
    free = {"response_format": options.pop("response_format")} if formless else {}
    anew = bind_natively(llm, kwargs["tools"], kwargs.get("tool_choice"), options)
    # What the wrapped model bound in its own way and our description would only retell.
    kept = {"tools": {"tools", "strict"}, "response_format": {"response_format"}}
    same = {key: bound[key] for key, terms in kept.items() if key in bound and not terms & later}
    sent = anew.request_kwargs(llm)
    if "tools" not in sent:
        same.pop("tools", None)
    return {**sent, **free, **same}


def _terms_set_later(kwargs: Mapping[str, Any]) -> set[str]:
    """The terms that `bind` or the call itself has changed since the binding was made."""
    bound = kwargs.get(BOUND_TERMS)
    if bound is None:
        return set()
    terms = _TERMS if kwargs.get("tools") else ("tools", "response_format")
    return {term for term in terms if kwargs.get(term) != bound.get(term)}


def requested_form(kwargs: Mapping[str, Any]) -> ResponseForm | None:
    """The form that an answer is to have."""
    return read_form(kwargs.get("response_format"), kwargs.get("tools") or ())


def form_kwargs(kwargs: Mapping[str, Any], form: ResponseForm | None) -> dict[str, Any]:
    """How the wrapped model is told of a `response_format`: as its own `with_structured_output` does, else as OpenAI."""
    native = {"response_format": kwargs["response_format"]}
    if not _terms_set_later(kwargs) & {"tools", "response_format"}:
        native = kwargs.get(NATIVE, native)
    if form is None or "response_format" not in native or is_free(native["response_format"]):
        return dict(native)
    # A dict, never a class: OpenAI's client would check the reply by that, and raise.
    return {**native, "response_format": form.response_format(as_object=True)}
