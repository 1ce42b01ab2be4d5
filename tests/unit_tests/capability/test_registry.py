"""The registry is data; these tests keep it well-formed."""

from typing import get_args

import pytest

from langchain_toolemu.capability.endpoints import canonical
from langchain_toolemu.capability.registry import ALIASES, HOSTS, MODELS, PROVIDERS, entry_for
from langchain_toolemu.model_facts import Axis, Verdict


def test_every_entry_is_well_formed():
    """Axes and verdicts exist, names are canonical, and every provider has a host to be known by."""
    entries = [*PROVIDERS.values(), *MODELS.values()]
    assert {axis for entry in entries for axis in entry} <= set(get_args(Axis))
    assert {verdict for entry in entries for verdict in entry.values()} <= set(get_args(Verdict))
    names = {*PROVIDERS, *HOSTS.values(), *(key.split(":")[0] for key in MODELS)}
    assert {name for name in names if canonical(name) != name} == set()
    assert {*PROVIDERS, *(key.split(":")[0] for key in MODELS)} <= set(HOSTS.values())
    assert set(ALIASES) & set(HOSTS.values()) == set()


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
