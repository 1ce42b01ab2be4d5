"""What is remembered of an endpoint, what overwrites what, and what the user says over it."""

import logging
import threading

import pytest

from langchain_toolemu.capability.endpoints import Endpoint
from langchain_toolemu.capability.support import UNKNOWN, ModelDescription, Support
from langchain_toolemu.capability.verdicts import (
    any_override,
    count,
    entry_of,
    forget,
    is_first_notice,
    keep_description,
    learn,
    override_for,
    override_tool_support,
    reset_count,
)
from langchain_toolemu.errors import ToolSpecError

HERE = Endpoint("ChatOpenAI", "m", "http://127.0.0.1:1/v1")
THERE = Endpoint("ChatOpenAI", "n", "http://127.0.0.1:1/v1")
NATIVE = Support("native", "a call came")
NONE = Support("none", "the provider said so")


def learned(endpoint, axis):
    found = entry_of(endpoint).findings.get(axis)
    return found.support if found else UNKNOWN


def mention(endpoint):
    return is_first_notice(endpoint, "emulated")


def description_of(endpoint):
    return entry_of(endpoint).said


@pytest.fixture(autouse=True)
def clean():
    yield
    forget()


def test_what_was_learned_holds_until_forgotten():
    """One endpoint's verdict is its own, with its reason, and is forgotten alone or with all others."""
    learn(HERE, NONE)
    learn(THERE, NATIVE)
    assert (learned(HERE, "tools"), learned(THERE, "tools")) == (NONE, NATIVE)
    forget(HERE)
    assert (learned(HERE, "tools"), learned(THERE, "tools")) == (UNKNOWN, NATIVE)
    forget()
    assert learned(THERE, "tools") == UNKNOWN


def test_axes_are_learned_one_by_one():
    """A refused choice says nothing of the tools."""
    learn(HERE, NONE, "tool_choice")
    assert (learned(HERE, "tools"), learned(HERE, "tool_choice")) == (UNKNOWN, NONE)


def test_unknown_teaches_nothing():
    """A turn that found nothing out does not overwrite what another did."""
    learn(HERE, NONE)
    learn(HERE, UNKNOWN)
    assert learned(HERE, "tools") == NONE


def test_what_was_seen_overwrites_and_what_was_concluded_does_not():
    """A call or a refusal is believed at once; a conclusion only where nothing is known."""
    learn(HERE, NATIVE)
    learn(HERE, NONE, concluded=True)
    assert learned(HERE, "tools") == NATIVE
    learn(HERE, NONE)
    assert learned(HERE, "tools") == NONE
    learn(THERE, NONE, concluded=True)
    learn(THERE, NATIVE)
    assert learned(THERE, "tools") == NATIVE


def test_a_counter_counts_until_it_begins_again():
    """Each counter for itself, and each endpoint."""
    assert [count(HERE, "rescues") for _ in range(3)] == [1, 2, 3]
    assert (count(HERE, "cuts"), count(THERE, "rescues")) == (1, 1)
    reset_count(HERE, "rescues")
    assert (count(HERE, "rescues"), count(HERE, "cuts")) == (1, 2)


def test_each_notice_is_given_once():
    """That calls are emulated says nothing of a prompt that is cut."""
    assert [is_first_notice(HERE, "cut"), mention(HERE), is_first_notice(HERE, "cut")] == [
        True,
        True,
        False,
    ]


def test_a_server_s_silence_is_remembered_too():
    """That a server said nothing is known, too, so it is not asked again; what another turn was told stays."""
    assert description_of(HERE) is None
    keep_description(HERE, ModelDescription())
    assert description_of(HERE) == ModelDescription()
    keep_description(HERE, ModelDescription({"tools": NONE}))
    keep_description(HERE, ModelDescription())
    assert description_of(HERE) == ModelDescription({"tools": NONE})
    forget(HERE)
    assert description_of(HERE) is None


def test_the_user_is_told_once_an_endpoint():
    """Each endpoint is mentioned once, until it is forgotten."""
    assert [mention(HERE), mention(HERE), mention(THERE)] == [True, False, True]
    forget()
    assert mention(HERE)


def test_a_changed_verdict_is_logged_once(caplog):
    """Each decision is one line under the package's logger, with its reason."""
    with caplog.at_level(logging.INFO, logger="langchain_toolemu"):
        learn(HERE, NONE)
        learn(HERE, NONE)
    (record,) = caplog.records
    assert record.getMessage() == (
        "ChatOpenAI('m') at http://127.0.0.1:1/v1 tools: none (the provider said so)"
    )


def test_64_threads_learn_one_verdict():
    """Threads that learn, count and forget at once end in a state that one of them left."""

    def run(number):
        for _ in range(100):
            learn(HERE, NONE if number % 2 else NATIVE)
            count(HERE, "calls_found" if number % 3 else "checks_agreed")
            mention(HERE)
            learned(HERE, "tools")
            if number == 7:
                forget()

    threads = [threading.Thread(target=run, args=(number,)) for number in range(64)]
    [thread.start() for thread in threads]
    [thread.join(timeout=60) for thread in threads]
    assert not any(thread.is_alive() for thread in threads)
    assert learned(HERE, "tools") in (NONE, NATIVE, UNKNOWN)


def test_one_mention_in_a_crowd():
    """However many threads ask at once, one is told that it is the first."""
    firsts = []
    barrier = threading.Barrier(32)

    def run():
        barrier.wait()
        firsts.append(mention(HERE))

    threads = [threading.Thread(target=run) for _ in range(32)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert sum(firsts) == 1


# --- what the user says at run time, and how it ends ---


def said(provider="openai", model="m", axis="tools"):
    return override_for(provider, model, axis).verdict


def test_an_override_ends_with_its_block():
    """Inside the block it is in force, outside it is not, and an error inside ends it too."""
    with override_tool_support("openai", "none") as override:
        assert said() == "none"
        assert override.support.reason == "overridden for 'openai'"
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
