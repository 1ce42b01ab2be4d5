"""Failures and right calls of a model whose size nobody says."""

import pytest
from langchain_openai import ChatOpenAI

from langchain_toolemu.capability import Capability, memory
from langchain_toolemu.capability.memory import EXPIRES_AFTER
from langchain_toolemu.model_facts import InputTokens
from tests.unit_tests.capability.test_knowledge import local, sent

FAILED, CALLED = "contract_failed", "contract_followed"


def learn(known, *lessons):
    for lesson in lessons:
        known.learn_from(lesson)
    return known.known.follows_capable


def test_it_takes_twice_as_many_right_calls_each_time():
    """A small model does not fail two turns of three."""
    known, needed = Capability(local()), []
    for _ in range(4):
        assert not learn(known, FAILED, FAILED)
        calls = 1
        while not learn(known, CALLED):
            calls += 1
        needed.append(calls)
    assert needed == [1, 2, 4, 8]


def test_failures_expire(monkeypatch):
    """After thirty days the recipe for capable models is tried again."""
    known = Capability(local())
    assert not learn(known, FAILED, FAILED)
    now = memory.time.time()
    monkeypatch.setattr(memory.time, "time", lambda: now + EXPIRES_AFTER)
    assert known.known.follows_capable


def test_a_contract_that_was_cut_off_teaches_nothing():
    """The model has not seen it."""
    known = Capability(local())
    for _ in range(3):
        learn(known, InputTokens(1000, 0, sent(6000)), FAILED)
    assert known.known.follows_capable


@pytest.mark.parametrize(
    ("url", "adapts"),
    [
        (None, False),
        ("https://api.groq.com/openai/v1", False),
        ("https://openrouter.ai/api/v1", False),
        ("https://models.example.com/v1", True),
        ("http://localhost:8000/v1", True),
    ],
)
def test_a_vendor_host_is_believed(url, adapts):
    """Who serves models of its own choice has no small ones."""
    known = Capability(ChatOpenAI(model="m", base_url=url, api_key="x"))
    assert known.known.adapts_recipe is adapts
    assert learn(known, FAILED, FAILED) is not adapts


def test_a_thought_that_the_prompt_begins_is_learned_and_forgotten():
    """One reply shows it, and one reply without a thought shows that it is over."""
    capability = Capability(local("nobody-knows"))
    assert not capability.known.may_begin_thoughts
    capability.learn_from("thought_begun")
    assert capability.known.may_begin_thoughts
    capability.learn_from("no_thought_begun")
    assert not capability.known.may_begin_thoughts


@pytest.mark.parametrize(
    ("model", "thinks"),
    [
        ("Qwen/Qwen3-30B-A3B-Thinking-2507", True),
        ("qwen3:8b", True),
        ("deepseek-r1:7b", True),
        ("zai-org/GLM-4.7", True),
        ("moonshotai/Kimi-K3", True),
        ("Qwen/Qwen3-30B-A3B-Instruct-2507", False),
        ("qwen3-coder:30b", False),
        ("llama3.2:3b", False),
        ("gemma-3-4b-it", False),
    ],
)
def test_a_name_tells_whether_a_model_thinks(model, thinks):
    """Before the first reply, nothing else does."""
    assert Capability(local(model)).known.may_begin_thoughts is thinks
