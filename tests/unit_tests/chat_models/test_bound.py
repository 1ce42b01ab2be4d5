"""What a binding shows of what it would send, and that it is LangChain's binding all the same. No network."""

import copy
import pickle

import pytest
from langchain_core.language_models import FakeListChatModel
from langchain_core.load import dumpd
from langchain_core.messages import HumanMessage
from langchain_core.runnables import RunnableBinding
from langchain_ollama import ChatOllama
from langchain_openai import ChatOpenAI

from langchain_toolemu import ChatToolEmu, ToolSpecError
from langchain_toolemu.chat_models.bindings import ToolEmuBinding
from tests.weather import get_weather

CALL = '{"name": "get_weather", "arguments": {"city": "Paris"}}'


def chat_openai(model="m"):
    return ChatOpenAI(model=model, api_key="none", base_url="http://127.0.0.1:1/v1")


def fake():
    return FakeListChatModel(responses=[CALL])


def bound(mode="fallback", llm=None):
    return ChatToolEmu(llm or fake(), mode=mode).bind_tools([get_weather], tool_choice="any")


WAYS = {
    "as it is": lambda one: one,
    "bound again": lambda one: one.bind(temperature=0),
    "configured": lambda one: one.with_config(tags=["mine"]),
    "tried again": lambda one: one.with_retry(),
    "copied": copy.copy,
    "pickled": lambda one: pickle.loads(pickle.dumps(one)),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("mode", ["fallback", "force"])
def test_a_binding_previews_what_is_bound(mode, way):
    """The contract, the choice and the question, as the model itself previews them when it is told the tools."""
    expected = ChatToolEmu(fake(), mode=mode).preview("?", tools=[get_weather], tool_choice="any")
    previewed = WAYS[way](bound(mode)).preview("?")
    assert [message.content for message in previewed] == [message.content for message in expected]
    assert "get_weather(city: string)" in previewed[0].content


def test_off_previews_what_is_sent():
    """In mode off nothing is changed, and a binding that the wrapped model made can be previewed, too."""
    assert bound("off", chat_openai()).preview("Hi") == [HumanMessage("Hi")]


def test_a_preview_sees_what_is_set_later():
    """As in a call: what is bound or passed last counts."""
    assert "get_weather" not in bound("force").preview("Hi", tools=[])[0].content
    free = bound("force").bind(tool_choice="auto").preview("Hi")
    assert free[-1].content == "Hi"
    configured = ChatToolEmu(fake()).with_config(tags=["mine"]).bind(tools=[get_weather])
    assert "get_weather" in configured.preview("Hi")[0].content
    assert configured.config["tags"] == ["mine"]


def test_a_preview_says_that_nothing_is_known_yet():
    """In fallback an unknown model is asked natively first; what is shown may never be sent."""
    shown = bound(llm=chat_openai("never-heard-of")).preview("?")
    assert "get_weather" in shown[0].content
    assert shown[0].additional_kwargs["toolemu_note"] == (
        "nothing is known of this model yet: it is asked natively first, unless its server says that it calls no tools, "
        "and this is sent only if that fails"
    )


def test_a_preview_says_what_is_known():
    """A model that calls tools is asked natively; one that does not is sent what is shown, which needs no note."""
    said = {}
    for verdict in ("native", "none"):
        llm = ChatToolEmu(chat_openai(), tool_support=verdict).bind_tools([get_weather])
        said[verdict] = llm.preview("?")[0].additional_kwargs.get("toolemu_note")
    assert said["none"] is None
    assert said["native"].startswith("this model is asked natively (")
    assert said["native"].endswith("), and this is sent only if that fails")


def test_what_is_sent_for_certain_has_no_note():
    """Neither in force, nor of a model without tools of its own, nor where nothing is bound."""
    unknown = chat_openai("never-heard-of")
    shown = [
        bound("force", unknown).preview("?"),
        bound().preview("?"),
        ChatToolEmu(unknown).preview("?"),
    ]
    assert not any("toolemu_note" in messages[0].additional_kwargs for messages in shown)


def test_it_is_langchains_binding():
    """Dumped by the same name, equal to another of the same model, and still of its class when it is bound further."""
    llm = ChatToolEmu(fake())
    one, other = llm.bind_tools([get_weather]), llm.bind_tools([get_weather])
    assert isinstance(one, RunnableBinding)
    assert dumpd(one)["id"] == dumpd(RunnableBinding(bound=fake()))["id"]
    assert one == other != llm.bind_tools([])
    kinds = {type(each) for each in (one, one.bind(a=1), one.with_config(tags=["a"]))}
    assert kinds == {ToolEmuBinding}


def test_a_binding_is_unwrapped_where_a_wrapper_is_wrapped():
    """As every binding of settings is."""
    assert ChatToolEmu(ChatToolEmu(fake()).bind(seed=1)).llm_kwargs == {"seed": 1}


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
    llm = ChatToolEmu(ChatOllama(model="gemma2"), mode="force", dialect="tagged")
    assert repr(llm) == "ChatToolEmu(ChatOllama('gemma2'), mode='force')"


def test_a_notebook_shows_a_table():
    """What is wrapped, where it is, how it is asked and what is known; no name is taken for markup."""
    shown = ChatToolEmu(chat_openai("<b>m</b>"))._repr_html_()
    assert all(word in shown for word in ("ChatOpenAI", "127.0.0.1:1", "fallback", "unknown"))
    assert "&lt;b&gt;m" in shown
    assert "<b>m" not in shown
