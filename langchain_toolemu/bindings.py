"""What a binding keeps of tools, choice and form: keyword arguments that are written once and read back at every call.

The rule of this room: what the wrapped model would bind by itself is kept beside our own description, untouched, so that
a native request carries the original tools and all that they say of themselves.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.runnables import RunnableBinding

from langchain_toolemu.errors import ToolSpecError
from langchain_toolemu.forms import Form, read_form
from langchain_toolemu.tools import ToolChoice, to_openai_choice, to_openai_tools, tool_names

NATIVE = "toolemu_native"
"""The keyword argument in which a binding keeps what the wrapped model's own `bind_tools` made of the tools."""

_OPTIONS = ("strict", "parallel_tool_calls", "response_format")
_OURS = frozenset({"tools", "tool_choice", NATIVE, *_OPTIONS})


def given(**options: Any) -> dict[str, Any]:
    """The keyword arguments that are not `None`."""
    return {key: value for key, value in options.items() if value is not None}


# --- written ---


def bound_by(
    llm: BaseChatModel, tools: Sequence[Any], tool_choice: Any, options: Mapping[str, Any]
) -> dict[str, Any]:
    """What a model's own `bind_tools` makes of the original tools.

    Raises:
        NotImplementedError: It has no such method.
        ToolSpecError: What it makes is no binding.
    """
    bound = llm.bind_tools(tools, **given(tool_choice=tool_choice), **options)
    if not isinstance(bound, RunnableBinding):
        raise ToolSpecError(
            f"{type(llm).__name__}.bind_tools gives a {type(bound).__name__}, whose settings cannot be "
            "taken over. Use mode='force'."
        )
    return dict(bound.kwargs)


def demanding_call(schema: Any, options: Mapping[str, Any]) -> dict[str, Any]:
    """What binds a schema as the one tool to call."""
    described = to_openai_tools([schema], strict=options.get("strict"))
    (name,) = tool_names(described)
    choice = to_openai_choice(ToolChoice("named", name))
    return {"tools": described, "tool_choice": choice, "parallel_tool_calls": False}


def demanding_text(schema: Any, options: Mapping[str, Any]) -> dict[str, Any]:
    """What binds a schema as the form of the answer; without one, any JSON will do."""
    form = read_form(schema)
    demanded = form.response_format() if form else {"type": "json_object"}
    return {
        "response_format": demanded,
        **given(tools=to_openai_tools(options.get("tools") or ()) or None),
    }


# --- read back ---


def beside_tools(kwargs: Mapping[str, Any]) -> dict[str, Any]:
    """All keyword arguments that are the wrapped model's own."""
    return {key: value for key, value in kwargs.items() if key not in _OURS}


def options_in(kwargs: Mapping[str, Any]) -> dict[str, Any]:
    """The options of `bind_tools` among the keyword arguments of a call."""
    return given(**{key: kwargs.get(key) for key in _OPTIONS})


def as_bound_natively(kwargs: Mapping[str, Any]) -> dict[str, Any]:
    """A binding made in fallback, whose mode was set to off since (`configurable_fields`)."""
    if NATIVE not in kwargs:
        return dict(kwargs)
    return {**beside_tools(kwargs), **kwargs[NATIVE]}


def form_in(kwargs: Mapping[str, Any]) -> Form | None:
    """The form that an answer is to have."""
    return read_form(kwargs.get("response_format"), kwargs.get("tools") or ())


def constraint_in(kwargs: Mapping[str, Any], form: Form | None) -> dict[str, Any]:
    """How the wrapped model is told of a demanded form: as its own `with_structured_output` does, else as OpenAI."""
    if "response_format" not in kwargs:
        return {}
    told = kwargs.get(NATIVE, {"response_format": kwargs["response_format"]})
    if form is None or "response_format" not in told:
        return dict(told)
    # A dict, never a class: OpenAI's client would check the reply by that, and raise.
    return {**told, "response_format": form.response_format()}
