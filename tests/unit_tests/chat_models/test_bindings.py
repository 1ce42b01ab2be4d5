"""What a binding holds of tools, choice and form, and how it is read back."""

import pytest
from langchain_anthropic import ChatAnthropic
from langchain_core.language_models import FakeListChatModel
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.load import dumpd
from langchain_core.messages import HumanMessage
from langchain_core.runnables import RunnableBinding, RunnableLambda
from langchain_core.tools import StructuredTool
from langchain_core.utils.function_calling import convert_to_openai_tool
from langchain_ollama import ChatOllama
from langchain_openai import ChatOpenAI
from pydantic import BaseModel

from langchain_toolemu import ChatToolEmu, Recipe, ToolSpecError
from langchain_toolemu.chat_models.bindings import (
    CALL_OPTIONS,
    INTERNAL,
    MODEL,
    NATIVE,
    OURS,
    bind_natively,
    binding_kwargs,
    delegated_kwargs,
    form_kwargs,
    native_terms,
    requested_form,
    without,
)
from langchain_toolemu.chat_models.structured_output import call_terms, text_terms
from tests.tables import every_row
from tests.toy_models import (
    Binding,
    BindsCopy,
    Configured,
    ReturnsCopy,
    ReturnsItself,
    TakesToolsOnly,
)
from tests.weather import find_city, get_weather

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
    assert without(OURS, BOUND) == {"temperature": 0}


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


@every_row("case", LATER)
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
    assert without(INTERNAL, KEPT) == {
        "tools": ["described"],
        "tool_choice": "required",
        "temperature": 0,
    }
    assert without(CALL_OPTIONS, {"tool_choice": "any", "strict": True, "seed": 1}) == {"seed": 1}


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


ANTHROPIC_CHOICES = {
    "none": {"type": "none"},
    "required": {"type": "any"},
    True: {"type": "any"},
    "auto": {"type": "auto"},
    "get_weather": {"type": "tool", "name": "get_weather"},
}


@pytest.mark.parametrize("choice", ANTHROPIC_CHOICES)
def test_anthropic_is_told_the_choice_in_its_own_words(choice):
    """Its `bind_tools` would take "none" and "required" for names of tools."""
    llm = ChatAnthropic(model="claude-sonnet-4-5", api_key="none")
    own = bind_natively(llm, [get_weather], choice, {})
    assert own.kwargs["tool_choice"] == ANTHROPIC_CHOICES[choice]


def test_no_call_has_no_further_settings():
    """Anthropic's API refuses a choice of none that speaks of parallel calls."""
    llm = ChatAnthropic(model="claude-sonnet-4-5", api_key="none")
    own = bind_natively(llm, [get_weather], "none", {"parallel_tool_calls": False})
    assert own.kwargs["tool_choice"] == {"type": "none"}


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


CALL = '{"name": "get_weather", "arguments": {"city": "Paris"}}'


def chat_openai(model="m"):
    return ChatOpenAI(model=model, api_key="none", base_url="http://127.0.0.1:1/v1")


def fake():
    return FakeListChatModel(responses=[CALL])


def bound(mode="fallback", llm=None):
    return ChatToolEmu(llm or fake(), mode=mode).bind_tools([get_weather], tool_choice="any")


@pytest.mark.parametrize("mode", ["fallback", "force"])
def test_a_model_previews_its_bound_tools(mode):
    """Contract, choice and question, from what a binding holds, however it was bound."""
    expected = ChatToolEmu(fake(), mode=mode).preview("?", tools=[get_weather], tool_choice="any")
    one = bound(mode)
    previewed = one.bound.preview("?", **one.kwargs)
    assert [message.content for message in previewed] == [message.content for message in expected]
    assert "get_weather(city: string)" in previewed[0].content


def preview(llm):
    return llm.preview("?", tools=[get_weather])


def test_a_preview_says_that_nothing_is_known_yet():
    """In fallback an unknown model is asked natively first; what is shown may never be sent."""
    shown = preview(ChatToolEmu(chat_openai("never-heard-of")))
    assert "get_weather" in shown[0].content
    assert shown[0].additional_kwargs["toolemu_note"] == (
        "nothing is known of this model yet: it is asked natively first, unless its server says "
        "that it calls no tools, and this is sent only if that fails"
    )


def test_a_preview_says_what_is_known():
    """A model that calls tools is asked natively; of one that does not, what is shown is sent."""
    said = {}
    for verdict in ("native", "none"):
        shown = preview(ChatToolEmu(chat_openai(), tool_support=verdict))
        said[verdict] = shown[0].additional_kwargs.get("toolemu_note")
    assert said["none"] is None
    assert said["native"].startswith("this model is asked natively (")
    assert said["native"].endswith("), and this is sent only if that fails")


def test_what_is_sent_for_certain_has_no_note():
    """Neither in force, nor of a model without tools of its own, nor where nothing is bound."""
    unknown = chat_openai("never-heard-of")
    shown = [
        preview(ChatToolEmu(unknown, mode="force")),
        preview(ChatToolEmu(fake())),
        ChatToolEmu(unknown).preview("?"),
    ]
    assert not any("toolemu_note" in messages[0].additional_kwargs for messages in shown)


@pytest.mark.parametrize("mode", ["off", "fallback", "force"])
def test_it_is_langchains_binding(mode):
    """`bind`, `bind_tools` and `with_config` give what they give on every chat model."""
    llm = ChatToolEmu(chat_openai(), mode=mode)
    one, other = llm.bind_tools([get_weather]), llm.bind_tools([get_weather])
    expected = type(fake().bind(a=1))
    assert {type(each) for each in (one, one.bind(a=1), llm.bind(a=1))} == {expected}
    assert type(llm.with_config(tags=["a"])) is type(fake().with_config(tags=["a"]))
    assert dumpd(one)["id"] == dumpd(RunnableBinding(bound=fake()))["id"]
    assert one == other != llm.bind_tools([])


@pytest.mark.parametrize("choice", ["any", "required", True])
@pytest.mark.parametrize("mode", ["fallback", "force"])
def test_a_call_cannot_be_demanded_without_tools(mode, choice):
    """The mistake is said where it is made."""
    with pytest.raises(ToolSpecError, match="no tools are bound"):
        ChatToolEmu(fake(), mode=mode).bind_tools([], tool_choice=choice)


@pytest.mark.parametrize("model", [ChatOllama(model="m"), ChatAnthropic(model="m", api_key="k")])
def test_functions_are_refused_where_the_client_has_none(model):
    """The older form of `tools` is OpenAI's alone, and the error says what to use."""
    llm = ChatToolEmu(model).bind(functions=[{"name": "f", "parameters": {}}])
    with pytest.raises(ToolSpecError, match="`functions` is the API that `tools` replaced"):
        llm.invoke("Hi")


def test_a_binding_is_unwrapped_where_a_wrapper_is_wrapped():
    """As every binding of settings is."""
    assert ChatToolEmu(ChatToolEmu(fake()).bind(seed=1)).bound_kwargs == {"seed": 1}


# --- tools that come in other ways than `bind_tools([...])` ---


@pytest.mark.parametrize("mode", ["fallback", "force"])
def test_a_call_takes_tools_of_any_kind(mode):
    """`invoke(..., tools=[function])` and `bind(tools=[function])` call it as `bind_tools` does."""
    llm = ChatToolEmu(fake(), mode=mode)
    said = [llm.invoke("?", tools=[get_weather]), llm.bind(tools=(get_weather,)).invoke("?")]
    assert [message.tool_calls[0]["args"] for message in said] == [{"city": "Paris"}] * 2


def test_a_native_call_takes_tools_of_any_kind():
    """A model that calls tools is sent them as it binds them itself."""
    llm = ChatToolEmu(chat_openai(), tool_support="native")
    turn = llm._turn([HumanMessage("?")], None, {"tools": [get_weather]}, llm._capability({}))
    assert turn.ask().kwargs == chat_openai().bind_tools([get_weather]).kwargs


LONELY = {
    "a function": (get_weather, "not get_weather alone"),
    "a tool dict": ({"type": "function", "function": {"name": "f"}}, "not a dict"),
    "a name": ("get_weather", "not a str"),
    "nothing": (None, "not a NoneType"),
}


@pytest.mark.parametrize("case", LONELY)
def test_one_tool_is_not_a_list_of_tools(case):
    """A tool without its brackets is refused in words that show them."""
    tools, words = LONELY[case]
    with pytest.raises(ToolSpecError, match=f"bind_tools\\(\\[get_weather\\]\\), {words}"):
        ChatToolEmu(fake()).bind_tools(tools)


# --- what people see ---


def test_a_repr_is_short():
    """Class, wrapped model and mode; what a binding brought, without its headers."""
    llm = ChatToolEmu(ChatOllama(model="gemma2"), mode="force", contract=Recipe(dialect="tagged"))
    assert repr(llm) == "ChatToolEmu(ChatOllama('gemma2'), mode='force')"


def test_a_notebook_shows_a_table():
    """What is wrapped, where it is, how it is asked and what is known; no name is taken for markup."""
    shown = ChatToolEmu(chat_openai("<b>m</b>"))._repr_html_()
    assert all(word in shown for word in ("ChatOpenAI", "127.0.0.1:1", "fallback", "unknown"))
    assert "&lt;b&gt;m" in shown
    assert "<b>m" not in shown


@pytest.mark.parametrize(
    ("llm", "kinds"),
    [
        (ChatOpenAI(model="m", api_key="k"), [None, True, "tool_search"]),
        (ChatOpenAI(model="m", api_key="k", base_url="http://127.0.0.1:1/v1"), [None, None]),
        (Binding(said=["Hi."]), [None, None]),
    ],
)
def test_a_search_for_tools_goes_only_to_a_vendors_own_host(llm, kinds):
    """Elsewhere it is left out, and what it would find is bound like the other tools."""
    deferred = StructuredTool.from_function(find_city, extras={"defer_loading": True})
    tools = [get_weather, deferred, {"type": "tool_search"}]
    bound = bind_natively(llm, tools, None, {}).kwargs["tools"]
    told = [one.get("defer_loading") if one["type"] == "function" else one["type"] for one in bound]
    assert told == kinds
    assert deferred.extras == {"defer_loading": True}
