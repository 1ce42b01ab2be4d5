"""How large a model is, by its name."""

from langchain_toolemu.capability.sizes import billions_in
from tests.tables import every_row

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
