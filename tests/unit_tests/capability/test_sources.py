"""What is known of a model before it is asked anything."""

import pytest
from langchain_core.language_models import FakeListChatModel
from langchain_openai import ChatOpenAI

from langchain_toolemu.capability import endpoint_of
from langchain_toolemu.capability.registry import known_by_name

OPENAI = "https://api.openai.com/v1"
LOCAL = "http://127.0.0.1:1/v1"


def chat(model, url=OPENAI, **kwargs):
    return ChatOpenAI(model=model, base_url=url, api_key="x", **kwargs)


def known(llm, axis="tools"):
    support = known_by_name(llm, endpoint_of(llm), axis)
    return support.verdict, support.reason


def test_a_profile_counts_on_the_vendor_s_own_host():
    """LangChain's profile says what the vendor's model can do, not what a server of that name can."""
    assert known(chat("gpt-4o")) == ("native", "LangChain's profile of 'gpt-4o' says so")
    assert known(chat("gpt-4o", LOCAL))[0] == "unknown"
    assert known(chat("gpt-4o", "https://api.groq.com/openai/v1"))[1].startswith("the registry")


def test_a_profile_s_no_is_no_no():
    """A profile that denies tools is not believed: gpt-3.5-turbo's does, and it has them."""
    llm = chat("gpt-3.5-turbo")
    assert llm.profile["tool_calling"] is False
    assert known(llm) == ("native", "the registry lists 'openai:gpt-3.5-turbo'")


def test_a_profile_is_the_constructor_s_model_s():
    """A call that names another model is not covered by the profile of the first."""
    llm = chat("gpt-4o", profile={"tool_calling": True})
    assert known_by_name(llm, endpoint_of(llm, "o1-mini"), "tools").verdict == "none"


@pytest.mark.parametrize(
    ("model", "axis", "verdict"),
    [
        ("gpt-new", "tools", "native"),
        ("gpt-new", "tool_choice", "native"),
        ("gpt-new", "response_format", "native"),
        ("gpt-new", "system_role", "unknown"),
        ("o1-mini", "tools", "none"),
    ],
)
def test_the_registry_knows_vendors_by_axis(model, axis, verdict):
    """Where no profile speaks, the registry does, on each axis for itself."""
    assert known(chat(model, profile={}), axis)[0] == verdict
    assert known(chat(model, LOCAL, profile={}), axis)[0] == "unknown"


def test_a_class_without_bind_tools_has_no_tools():
    """Who cannot be given a tool has none; of schemas that says nothing."""
    llm = FakeListChatModel(responses=[])
    assert known(llm) == ("none", "FakeListChatModel has no bind_tools")
    assert known(llm, "response_format")[0] == "unknown"
