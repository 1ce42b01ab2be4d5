"""Thoughts that a model's template begins."""

import pytest

from langchain_toolemu.capability import Capability
from tests.unit_tests.capability.test_knowledge import local


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
