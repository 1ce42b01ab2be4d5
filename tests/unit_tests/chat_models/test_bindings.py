"""What a binding keeps of tools, choice and form, and how it is read back."""

import pytest
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.runnables import RunnableLambda
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import BaseModel

from langchain_toolemu.chat_models.bindings import (
    MODEL,
    NATIVE,
    bind_natively,
    binding_kwargs,
    delegated_kwargs,
    drop_internal,
    drop_unused_tool_options,
    form_kwargs,
    model_kwargs,
    native_terms,
    requested_form,
)
from langchain_toolemu.chat_models.structured_output import call_terms, text_terms
from langchain_toolemu.errors import ToolSpecError
from tests.toy_models import (
    Binding,
    BindsCopy,
    Configured,
    ReturnsCopy,
    ReturnsItself,
    TakesToolsOnly,
)
from tests.weather import get_weather

DESCRIBED = convert_to_openai_tool(get_weather)


class Person(BaseModel):
    """A person."""

    name: str


class Odd(GenericFakeChatModel):
    """A chat model whose `bind_tools` gives something else than a binding."""

    def bind_tools(self, tools, **kwargs):
        return RunnableLambda(lambda message: message)


BOUND = {
    "tools": ["described"],
    "tool_choice": "required",
    "strict": True,
    "temperature": 0,
    NATIVE: {"tools": ["original"]},
}


def test_what_is_ours_is_told_from_what_is_the_models():
    """Tools, choice and options stay here; everything else is the wrapped model's."""
    assert model_kwargs(BOUND) == {"temperature": 0}


def test_a_binding_of_fallback_is_native_again_in_mode_off():
    """What the wrapped model bound by itself is what it is sent; a binding without that is sent as it is."""
    llm = GenericFakeChatModel(messages=iter(()))
    assert delegated_kwargs(llm, BOUND) == {"temperature": 0, "tools": ["original"]}
    assert delegated_kwargs(llm, {"tools": ["any"]}) == {"tools": ["any"]}


class Marking(GenericFakeChatModel):
    """A chat model whose `bind_tools` marks what it binds."""

    def bind_tools(self, tools, **kwargs):
        return self.bind(**{f"{name}_marked": value for name, value in kwargs.items()}, tools=tools)


KEPT = binding_kwargs(
    {"tools": ["described"], "tool_choice": "required", "temperature": 0},
    {"tools": ["original"], "tool_choice_marked": "any"},
)
LATER = {
    "nothing": ({}, KEPT[NATIVE]),
    "the same": ({"tools": ["described"], "tool_choice": "required"}, KEPT[NATIVE]),
    "another choice": ({"tool_choice": "x"}, {"tools": ["original"], "tool_choice_marked": "x"}),
    "no choice": ({"tool_choice": None}, {"tools": ["original"]}),
    "another tool": ({"tools": ["t"]}, {"tools": ["t"], "tool_choice_marked": "required"}),
    "no tools": ({"tools": []}, {}),
    "no tools, and a form": (
        {"tools": None, "response_format": {"type": "text"}},
        {"response_format": {"type": "text"}},
    ),
    "an option": (
        {"parallel_tool_calls": False},
        {
            "tools": ["original"],
            "tool_choice_marked": "required",
            "parallel_tool_calls_marked": False,
        },
    ),
    "strict, which is written into the tools": (
        {"strict": True},
        {"tools": ["described"], "tool_choice_marked": "required", "strict_marked": True},
    ),
}


@pytest.mark.parametrize("case", LATER)
def test_what_is_set_after_binding_wins(case):
    """A term that differs from the bound one is bound anew, beside the original tools and form that nobody changed."""
    later, expected = LATER[case]
    llm, kwargs = Marking(messages=iter(())), {**KEPT, **later}
    assert native_terms(llm, kwargs) == expected
    assert delegated_kwargs(llm, kwargs) == {"temperature": 0, **expected}


def test_a_later_form_is_what_the_model_is_told():
    """A demanded form that was replaced is not told in the words of the first."""
    bound = binding_kwargs(text_terms(Person, {}), {"format": "of its own"})
    later = {**bound, "response_format": {"type": "json_object"}}
    assert form_kwargs(bound, requested_form(bound)) == {"format": "of its own"}
    assert form_kwargs(later, None) == {"response_format": {"type": "json_object"}}


def test_nobody_is_shown_what_a_binding_keeps():
    """A trace and a model without tools are told neither of the native binding nor of how to call."""
    assert drop_internal(KEPT) == {
        "tools": ["described"],
        "tool_choice": "required",
        "temperature": 0,
    }
    assert drop_unused_tool_options({"tool_choice": "any", "strict": True, "seed": 1}) == {
        "seed": 1
    }


def test_what_no_settings_can_be_taken_from_is_refused():
    """A `bind_tools` that returns no chat model is named, and so is the fix."""
    with pytest.raises(
        ToolSpecError, match="Odd.bind_tools returns a RunnableLambda.*mode='force'"
    ):
        bind_natively(Odd(messages=iter(())), [], None, {})


CONVENTIONS = {
    Binding: ({"tools": [DESCRIBED], "tool_choice": "any"}, {}, True),
    ReturnsItself: ({}, {}, True),
    ReturnsCopy: ({}, {}, False),
    BindsCopy: ({"tool_choice": "any", "seed": 7}, {}, False),
    Configured: ({"tools": [DESCRIBED], "tool_choice": "any"}, {"tags": ["bound"]}, True),
}


@pytest.mark.parametrize("kind", CONVENTIONS, ids=lambda kind: kind.__name__)
def test_every_convention_of_bind_tools_is_taken_apart(kind):
    """A binding has settings, a model that is returned as it is has none, and a copy is the model that is asked natively."""
    kwargs, config, itself = CONVENTIONS[kind]
    llm = kind(said=["Hi."])
    own = bind_natively(llm, [get_weather], "any", {})
    assert (own.kwargs, own.config, own.model is llm) == (kwargs, config, itself)
    assert own.request_kwargs(llm) == (kwargs if itself else {**kwargs, MODEL: own.model})


@pytest.mark.parametrize("choice", [None, "auto", "any", "get_weather"])
def test_what_bind_tools_has_no_parameter_for_is_not_passed_on(choice):
    """The native request carries the tools alone."""
    llm = TakesToolsOnly(said=["Hi."])
    own = bind_natively(llm, [get_weather], choice, {"strict": True, "parallel_tool_calls": False})
    assert own.kwargs == {"tools": [DESCRIBED]}


def test_a_model_that_cannot_be_told_to_make_no_call_is_not_offered_tools():
    """Without the choice it might make one all the same."""
    with pytest.raises(NotImplementedError, match="TakesToolsOnly.bind_tools takes no tool_choice"):
        bind_natively(TakesToolsOnly(said=["Hi."]), [get_weather], "none", {})


def test_a_model_without_tools_says_so():
    """What to do without them is the caller's matter."""
    with pytest.raises(NotImplementedError):
        bind_natively(GenericFakeChatModel(messages=iter(())), [], None, {})


def test_a_schema_is_demanded_as_the_only_call():
    """One tool, named by the choice, and called once."""
    bound = call_terms(Person, {})
    assert bound["tool_choice"] == {"type": "function", "function": {"name": "Person"}}
    assert bound["parallel_tool_calls"] is False


def test_a_schema_is_demanded_as_text_and_read_back():
    """A demanded form comes back as a form, and the wrapped model is told of it as OpenAI's API is."""
    bound = text_terms(Person, {})
    form = requested_form(bound)
    assert form is not None
    assert form.name == "Person"
    assert form_kwargs(bound, form) == {"response_format": form.response_format()}


def test_without_a_schema_any_json_will_do():
    """JSON mode has no form, and is handed on as it is."""
    bound = text_terms(None, {})
    assert requested_form(bound) is None
    assert form_kwargs(bound, None) == {"response_format": {"type": "json_object"}}
