"""What a binding keeps of tools, choice and form: keyword arguments that are written once and read back at every call.

The rule of this module: what the wrapped model would bind by itself is kept next to our own description, untouched, so
that a native request carries the original tools and all that they say of themselves.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from inspect import Parameter, signature
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.runnables import Runnable, RunnableBinding, RunnableConfig

from langchain_toolemu.errors import ToolSpecError
from langchain_toolemu.tools import (
    ToolChoice,
    choice_among,
    label_of,
    to_openai_choice,
    to_openai_tools,
    tool_names,
)
from langchain_toolemu.tools.redaction import redacted
from langchain_toolemu.tools.response_format import (
    ResponseForm,
    bindable_form,
    is_free,
    read_form,
)
from langchain_toolemu.tools.specs import is_built_in

NATIVE = "toolemu_native"
"""The keyword argument in which a binding keeps what the wrapped model's own `bind_tools` made of the tools."""

MADE_OF = "toolemu_made_of"
"""The keyword argument in which a binding keeps what that was made of: what differs from it in a call was set later."""

MODEL = "toolemu_model"
"""The keyword argument that names the chat model a native request goes to, where `bind_tools` gave another than its own."""

ON_FAILURE = "toolemu_on_failure"
"""The keyword argument by which a binding says what follows if a demanded call never comes."""

_OPTIONS = ("strict", "parallel_tool_calls", "response_format")
_TERMS = ("tools", "tool_choice", *_OPTIONS)
_ABOUT_CALLS = frozenset({"tool_choice", "strict", "parallel_tool_calls"})
_KEPT = frozenset({NATIVE, MADE_OF, ON_FAILURE})
_OURS = _KEPT | {*_TERMS}


def drop_none(**options: Any) -> dict[str, Any]:
    """The keyword arguments that are not `None`."""
    return {key: value for key, value in options.items() if value is not None}


# --- written ---


@dataclass(frozen=True, slots=True)
class OwnBinding:
    """What a chat model's own `bind_tools` returned, taken apart.

    Attributes:
        model: The chat model that is bound.
        kwargs: The keyword arguments that are bound to it.
        config: What is said of its runs.
    """

    model: BaseChatModel
    kwargs: dict[str, Any] = field(default_factory=dict)
    config: RunnableConfig = field(default_factory=RunnableConfig)


def own_binding(bound: Runnable[Any, Any]) -> OwnBinding | None:
    """A chat model, bound or not, taken apart; `None` if it is anything else."""
    match bound:
        case BaseChatModel():
            return OwnBinding(bound)
        case RunnableBinding() if inner := own_binding(bound.bound):
            kwargs = {**inner.kwargs, **bound.kwargs}
            return OwnBinding(inner.model, kwargs, {**inner.config, **bound.config})
    return None


def bound_by(
    llm: BaseChatModel, tools: Sequence[Any], tool_choice: Any, options: Mapping[str, Any]
) -> OwnBinding:
    """What a model's own `bind_tools` makes of the original tools; a model that it returns as it is has no settings.

    What the method has no parameter for is not passed on: whether a reply is what was asked for is seen by the reply.

    Raises:
        NotImplementedError: It has no such method, or cannot be told that no call is to be made.
        ToolSpecError: What it returns is no chat model, or it does not know another provider's built-in tool.
    """
    form = drop_none(response_format=bindable_form(options.get("response_format")))
    try:
        bound = llm.bind_tools(tools, **_taken(llm, tools, tool_choice, {**options, **form}))
    except ValueError as error:
        if not any(map(is_built_in, tools)):
            raise
        raise _unknown_built_in(llm, tools, error) from error
    own = own_binding(bound)
    if own is None:
        raise ToolSpecError(
            f"{type(llm).__name__}.bind_tools returns a {type(bound).__name__}, whose settings cannot be "
            "taken over. Use mode='force', or mode='off'."
        )
    return own


def _taken(
    llm: BaseChatModel, tools: Sequence[Any], tool_choice: Any, options: Mapping[str, Any]
) -> dict[str, Any]:
    """Of the choice and the options those that a model's own `bind_tools` has parameters for."""
    given = {**drop_none(tool_choice=tool_choice), **options}
    parameters = signature(llm.bind_tools).parameters
    if any(one.kind is Parameter.VAR_KEYWORD for one in parameters.values()):
        return given
    unheard = tool_choice is not None and "tool_choice" not in parameters
    if unheard and choice_among(to_openai_tools(tools), tool_choice).kind == "none":
        raise NotImplementedError(f"{type(llm).__name__}.bind_tools takes no tool_choice")
    return {key: value for key, value in given.items() if key in parameters}


def _unknown_built_in(llm: BaseChatModel, tools: Sequence[Any], error: ValueError) -> ToolSpecError:
    foreign, words = [tool for tool in tools if is_built_in(tool)], str(error)
    for tool in foreign:
        # LangChain quotes a dict that is no tool, headers and all.
        words = words.replace(str(tool), str(redacted(tool)))
    return ToolSpecError(
        f"{type(llm).__name__} cannot bind {', '.join(map(label_of, foreign))}: {' '.join(words.split())} "
        "Bind it to a model whose provider has it built in, or use mode='force', which leaves it out."
    )


def native_kwargs(llm: BaseChatModel, own: OwnBinding) -> dict[str, Any]:
    """What a native request carries: what was bound, and to which model where that is not the wrapped one."""
    return own.kwargs if own.model is llm else {**own.kwargs, MODEL: own.model}


def keeping(terms: Mapping[str, Any], native: Mapping[str, Any] | None) -> dict[str, Any]:
    """What a binding holds: our description of the terms, and what the wrapped model made of them itself."""
    if native is None:
        return dict(terms)
    made_of = {term: terms[term] for term in _TERMS if term in terms}
    return {**terms, NATIVE: native, MADE_OF: made_of}


def demanding_call(schema: Any, options: Mapping[str, Any]) -> dict[str, Any]:
    """What binds a schema as the one tool to call."""
    described = to_openai_tools([schema], strict=options.get("strict"))
    (name,) = tool_names(described)
    if isinstance(schema, Mapping) and "parameters" not in described[0]["function"]:
        # LangChain describes a schema by its properties, and drops one that has none.
        described = [form.tool()] if (form := read_form(schema)) else described
    choice = to_openai_choice(ToolChoice("named", name))
    return {"tools": described, "tool_choice": choice, "parallel_tool_calls": False}


JSON_MODE = {"response_format": {"type": "json_object"}}
"""How a server is told to write JSON, whatever its form: all that `method="json_mode"` asks of it."""


def demanding_text(schema: Any, options: Mapping[str, Any]) -> dict[str, Any]:
    """What binds a schema as the form of the answer; without one, any JSON will do."""
    form = read_form(schema)
    demanded = {"response_format": form.response_format()} if form else JSON_MODE
    return {
        **demanded,
        **drop_none(tools=to_openai_tools(options.get("tools") or ()) or None),
    }


# --- read back ---


def with_described_tools(kwargs: Mapping[str, Any]) -> Mapping[str, Any]:
    """The keyword arguments of a call with tool dicts in `tools`, whatever tools were passed to it without `bind_tools`."""
    tools = kwargs.get("tools")
    if not tools or (isinstance(tools, list) and all(isinstance(one, Mapping) for one in tools)):
        return kwargs
    return {**kwargs, "tools": to_openai_tools(tools)}


def beside_tools(kwargs: Mapping[str, Any]) -> dict[str, Any]:
    """All keyword arguments that are the wrapped model's own."""
    return {key: value for key, value in kwargs.items() if key not in _OURS}


def without_kept(kwargs: Mapping[str, Any]) -> dict[str, Any]:
    """The keyword arguments without what a binding keeps for itself."""
    return {key: value for key, value in kwargs.items() if key not in _KEPT}


def without_idle_terms(kwargs: Mapping[str, Any]) -> dict[str, Any]:
    """The keyword arguments without what says how to call: where there is nothing to call, a server refuses it."""
    return {key: value for key, value in kwargs.items() if key not in _ABOUT_CALLS}


def options_in(kwargs: Mapping[str, Any]) -> dict[str, Any]:
    """The options of `bind_tools` among the keyword arguments of a call."""
    return drop_none(**{key: kwargs.get(key) for key in _OPTIONS})


def as_bound_natively(llm: BaseChatModel, kwargs: Mapping[str, Any]) -> dict[str, Any]:
    """A binding made in fallback, whose mode was set to off since (`configurable_fields`)."""
    if NATIVE not in kwargs:
        return without_kept(kwargs)
    return {**beside_tools(kwargs), **native_in(llm, kwargs)}


def native_in(llm: BaseChatModel, kwargs: Mapping[str, Any]) -> dict[str, Any]:
    """The terms as the wrapped model takes them: those it bound, and whatever was set since, which it binds now.

    Raises:
        NotImplementedError: It has no `bind_tools`.
    """
    later, bound = _set_later(kwargs), kwargs.get(NATIVE, {})
    if NATIVE in kwargs and not later:
        return dict(bound)
    if not kwargs.get("tools"):
        return drop_none(response_format=kwargs.get("response_format"))
    options = options_in(kwargs)
    # JSON of any form is no schema that could be bound.
    free = {"response_format": options.pop("response_format")} if _is_formless(kwargs) else {}
    anew = native_kwargs(llm, bound_by(llm, kwargs["tools"], kwargs.get("tool_choice"), options))
    return {**anew, **free, **{key: bound[key] for key in _untouched(later) if key in bound}}


def _is_formless(kwargs: Mapping[str, Any]) -> bool:
    """Whether a response format is asked for that demands no schema."""
    return kwargs.get("response_format") is not None and form_in(kwargs) is None


def _set_later(kwargs: Mapping[str, Any]) -> set[str]:
    """The terms that are not those of the binding any more: `bind` or the call itself set others."""
    made_of = kwargs.get(MADE_OF)
    if made_of is None:
        return set()
    terms = _TERMS if kwargs.get("tools") else ("tools", "response_format")
    return {term for term in terms if kwargs.get(term) != made_of.get(term)}


def _untouched(later: set[str]) -> set[str]:
    """What the wrapped model bound in its own way and our description would only retell."""
    described = {"tools": {"tools", "strict"}, "response_format": {"response_format"}}
    return {key for key, terms in described.items() if not terms & later}


def form_in(kwargs: Mapping[str, Any]) -> ResponseForm | None:
    """The form that an answer is to have."""
    return read_form(kwargs.get("response_format"), kwargs.get("tools") or ())


def constraint_in(kwargs: Mapping[str, Any], form: ResponseForm | None) -> dict[str, Any]:
    """How the wrapped model is told of a demanded form: as its own `with_structured_output` does, else as OpenAI."""
    if "response_format" not in kwargs:
        return {}
    told = {"response_format": kwargs["response_format"]}
    if not _set_later(kwargs) & {"tools", "response_format"}:
        told = kwargs.get(NATIVE, told)
    if form is None or "response_format" not in told:
        return dict(told)
    if is_free(told["response_format"]):
        return dict(told)
    # A dict, never a class: OpenAI's client would check the reply by that, and raise.
    return {**told, "response_format": form.constraint()}
