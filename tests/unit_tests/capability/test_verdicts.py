"""What is remembered of an endpoint, and what overwrites what."""

import logging
import threading

import pytest

from langchain_toolemu.capability.support import UNKNOWN, ModelDescription, Support
from langchain_toolemu.capability.verdicts import (
    count_check,
    description_of,
    distrust,
    forget,
    keep_description,
    learn,
    learned,
    mention,
    trusts,
)

HERE = ("ChatOpenAI", "m", "http://127.0.0.1:1/v1")
THERE = ("ChatOpenAI", "n", "http://127.0.0.1:1/v1")
NATIVE = Support("native", "a call came")
NONE = Support("none", "the provider said so")


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


def test_two_calls_that_only_emulation_finds_mean_none():
    """One may be chance; the second is not, whatever agreed between them."""
    assert count_check(HERE, found_call=True) == "unknown"
    assert count_check(HERE, found_call=False) == "unknown"
    assert count_check(HERE, found_call=True) == "none"


def test_checks_stop_after_three_that_agree_and_start_again():
    """Three agreements earn trust, which a found call or a missed one takes away."""
    for _ in range(3):
        assert not trusts(HERE)
        count_check(HERE, found_call=False)
    assert trusts(HERE)
    distrust(HERE)
    assert not trusts(HERE)
    for _ in range(3):
        count_check(HERE, found_call=False)
    count_check(HERE, found_call=True)
    assert not trusts(HERE)


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
            count_check(HERE, found_call=bool(number % 3))
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
