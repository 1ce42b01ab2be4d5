"""What is known of a model by its name: the registry is data, and these tests keep it well-formed."""

from typing import get_args

import pytest
from langchain_core.language_models import FakeListChatModel
from langchain_openai import ChatOpenAI

from langchain_toolemu.capability import endpoint_of
from langchain_toolemu.capability.endpoints import (
    ALIASES,
    HOSTS,
    REGISTRY,
    billions_in,
    canonical,
    description_by_name,
    entry_for,
    vendor_of,
)
from langchain_toolemu.capability.support import UNKNOWN
from langchain_toolemu.model_facts import Axis, Verdict
from tests.tables import every_row


def described(llm, model=None):
    endpoint = endpoint_of(llm, model)
    return description_by_name(llm, endpoint, vendor_of(llm, endpoint.address))


def test_every_entry_is_well_formed():
    """Axes and verdicts exist, names are canonical, and every provider has a host to be known by."""
    entries = REGISTRY.values()
    assert {axis for entry in entries for axis in entry} <= set(get_args(Axis))
    assert {verdict for entry in entries for verdict in entry.values()} <= set(get_args(Verdict))
    listed, hosted = {key.split(":")[0] for key in REGISTRY}, {*HOSTS.values()}
    assert {name for name in listed | hosted if canonical(name) != name} == set()
    assert listed <= hosted
    assert set(ALIASES) & hosted == set()


@pytest.mark.parametrize(
    ("key", "axis", "verdict"),
    [
        ("openai:gpt-4o", "tools", "native"),
        ("openai:o1-mini-2024-09-12", "tools", "none"),
        ("openai:o1-mini", "response_format", "native"),
        ("openai:chatgpt-4o-latest", "tools", "none"),
        ("google_genai:gemini-3-pro", "tools", "native"),
        ("google_genai:gemma-3-27b-it", "system_role", "none"),
        ("google_genai:something", "tools", None),
        ("openrouter:openai/gpt-4o", "tools", None),
        ("nobody:gpt-4o", "tools", None),
        ("openai:", "tools", "native"),
    ],
)
def test_a_model_s_entry_completes_its_provider_s(key, axis, verdict):
    """A model has its provider's entry, over which its own goes; whoever is not listed has none."""
    assert entry_for(key).get(axis) == verdict


# --- what is known of a model before it is asked anything ---

OPENAI = "https://api.openai.com/v1"
LOCAL = "http://127.0.0.1:1/v1"


def chat(model, url=OPENAI, **kwargs):
    return ChatOpenAI(model=model, base_url=url, api_key="x", **kwargs)


def known(llm, axis="tools"):
    support = described(llm).supports.get(axis, UNKNOWN)
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
    assert described(llm, "o1-mini").supports["tools"].verdict == "none"


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


# --- how large a model is, by its name ---

NAMES = [
    ("qwen2.5-coder:1.5b", 1.5),
    ("qwen2.5-coder:1.5b-instruct-q4_K_M", 1.5),
    ("Qwen/Qwen2.5-Coder-0.5B-Instruct", 0.5),
    ("SmolLM2-135M-Instruct.Q4_1", 0.135),
    ("smollm2:360m", 0.36),
    ("llama3.2:3b", 3),
    ("Meta-Llama-3.1-70B-Instruct", 70),
    ("mixtral-8x7b-instruct", 56),
    ("qwen3-30b-a3b", 30),
    ("gemma-2-2b-it", 2),
    ("gemma3:270m", 0.27),
    ("phi-1_5b", 1.5),
    ("deepseek-r1:671b", 671),
    ("7.6B", 7.6),
    ("gemma3n:e2b", 2),
    ("google/gemma-3n-E4B-it", 4),
    ("llama-3-8b-1048k", 8),
    ("glm-4-9b-chat-1m", 9),
    ("Qwen2.5-7B-Instruct-1M-context", 7),
    ("gemma3n-e4b-32k", 4),
    ("pythia-14m", 0.014),
    ("qwen3-coder-plus-1m", None),
    ("gpt-4.1-1m", None),
    ("gemini-2M", None),
    ("llama-4-scout-10m", None),
    ("ltm-100M-context", None),
    ("gpt-4-128k", None),
    ("model-0b", None),
    ("one2b", None),
    ("gpt-4o", None),
    ("o1-mini", None),
    ("llama3", None),
    ("claude-3-5-sonnet-20241022", None),
    ("gemma2", None),
    ("model-b", None),
    ("q4b2", None),
    ("", None),
]


@every_row(("name", "billions"), NAMES)
def test_a_size_in_a_name(name, billions):
    """A number of billions or millions counts as a size where it is a word of its own, and no context size."""
    assert billions_in(name) == billions
