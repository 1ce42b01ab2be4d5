"""What the user says of a model at run time, over what is learned of it."""

import threading

import pytest

from langchain_toolemu.capability.overrides import (
    any_override,
    override_tool_support,
    overrides_for,
)
from langchain_toolemu.capability.support import UNKNOWN
from langchain_toolemu.errors import ToolSpecError


def said(provider="openai", model="m", axis="tools"):
    return overrides_for(provider, model).get(axis, UNKNOWN).verdict


def test_an_override_ends_with_its_block():
    """Inside the block it is in force, outside it is not, and an error inside ends it too."""
    with override_tool_support("openai", "none"):
        assert said() == "none"
        assert overrides_for("openai", "m")["tools"].reason == "overridden for 'openai'"
    assert said() == "unknown"
    with pytest.raises(KeyError), override_tool_support("openai", "none"):
        raise KeyError
    assert not any_override()


def test_a_plain_call_lasts_until_undone():
    """Without a block the override stays, and undoing it twice is harmless."""
    override = override_tool_support("openai", "native")
    assert said() == "native"
    override.undo()
    override.undo()
    assert said() == "unknown"


def test_a_model_s_override_beats_its_provider_s():
    """The exact name wins, whichever came later; other models keep the provider's."""
    with override_tool_support("ollama:llama3.1:8b", "native"), override_tool_support("ollama", "none"):  # fmt: skip
        assert said("ollama", "llama3.1:8b") == "native"
        assert said("ollama", "llama3.1:70b") == "none"
        assert said("openai", "llama3.1:8b") == "unknown"


def test_overrides_nest_and_end_in_any_order():
    """The latest wins, and each takes only itself away."""
    outer = override_tool_support("openai", "none")
    inner = override_tool_support("openai", "native")
    assert said() == "native"
    outer.undo()
    assert said() == "native"
    inner.undo()
    assert said() == "unknown"


def test_axes_are_overridden_one_by_one():
    """An override of the choice leaves the tools alone."""
    with override_tool_support("openai", "none", axis="tool_choice"):
        assert (said(), said(axis="tool_choice")) == ("unknown", "none")


def test_a_provider_may_be_spelt_as_langchain_spells_it():
    """The provider's name is brought to one form, the model's is left as it is."""
    with override_tool_support("Azure:GPT", "none"):
        assert said("azure_openai", "GPT") == "none"
        assert said("azure_openai", "gpt") == "unknown"


def test_threads_do_not_disturb_each_other():
    """Many overrides at once, and none is left over."""

    def run(name):
        for _ in range(50):
            with override_tool_support(f"openai:{name}", "none"):
                assert said(model=name) == "none"

    threads = [threading.Thread(target=run, args=(f"m{n}",)) for n in range(16)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert not any_override()


@pytest.mark.parametrize(
    ("key", "verdict", "axis"),
    [
        ("", "none", "tools"),
        (":gpt", "none", "tools"),
        ("openai:", "none", "tools"),
        ("openai", "unknown", "tools"),
        ("openai", True, "tools"),
        ("openai", "none", "speed"),
    ],
)
def test_a_wrong_override_is_refused(key, verdict, axis):
    """A key, verdict or axis that cannot be meant raises at once and leaves nothing behind."""
    with pytest.raises(ToolSpecError):
        override_tool_support(key, verdict, axis=axis)
    assert not any_override()
