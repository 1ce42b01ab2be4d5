"""How large a model is, by its name."""

import pytest

from langchain_toolemu.capability.sizes import billions_in

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
    ("gpt-4o", None),
    ("o1-mini", None),
    ("llama3", None),
    ("claude-3-5-sonnet-20241022", None),
    ("gemma2", None),
    ("model-b", None),
    ("q4b2", None),
    ("", None),
]


@pytest.mark.parametrize(("name", "billions"), NAMES)
def test_a_size_in_a_name(name, billions):
    """A number of billions or millions counts as a size where it is a word of its own."""
    assert billions_in(name) == billions
