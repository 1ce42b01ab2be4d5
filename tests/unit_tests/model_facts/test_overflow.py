"""The numbers in errors about the window."""

import pytest

from langchain_toolemu.model_facts.overflow import Overflow, overflow_in
from tests.tables import every_row
from tests.unit_tests.model_facts.length_texts import TOO_LONG
from tests.unit_tests.model_facts.test_error_text import carriers

NUMBERS = {
    "llama.cpp": Overflow(2048, (2500,)),
    "OpenAI": Overflow(8192, (9012,)),
    "vLLM": Overflow(2048, (2612, 2100, 512)),
    "vLLM, of the reply": Overflow(2048, (512, 1900, 512, 1900)),
    "SGLang, input": Overflow(2048, (2500,)),
    "LM Studio, older": Overflow(4096, (5012,)),
    "TGI": Overflow(2048, (1900, 512)),
    "Anthropic": Overflow(200_000, (210_345,)),
    "Anthropic, with the reply": Overflow(200_000, (190_000, 20_000)),
    "Google": Overflow(1_048_576, (1_200_000,)),
    "Cohere": Overflow(4081, (4500,)),
    "Mistral": Overflow(32_768, (40_012, 0)),
    "xAI": Overflow(131_072, (537_812,)),
    "Fireworks": Overflow(8191, (10_012,)),
    "watsonx": Overflow(8192, (9012,)),
    "DashScope": Overflow(30_720, (400, 1)),
    "Moonshot": Overflow(8192),
    "GitHub Models": Overflow(8000),
    # A number that is no window: what is too much, and a code.
    "Ollama, as a prompt": None,
    "MiniMax": None,
    "vLLM, nothing left": None,
}


@every_row("answer", [answer for answer in TOO_LONG if answer.name in NUMBERS])
def test_the_numbers_are_read(answer):
    """The window and what else is said, in whatever way a client passes the answer on."""
    for error in carriers(answer):
        assert overflow_in(error) == NUMBERS[answer.name]


def test_fields_of_their_own_are_read():
    """Older llama.cpp has the numbers beside a sentence without any."""
    error = ValueError({"error": {"message": "too long", "n_ctx": 2048, "n_prompt_tokens": 2500}})
    assert overflow_in(error) == Overflow(2048, (2500,))


@pytest.mark.parametrize(
    ("overflow", "limit", "prompt", "excess"),
    [
        pytest.param(Overflow(2048, (2612, 2100, 512)), 512, 2100, (2612, 2048), id="all told"),
        pytest.param(Overflow(2048, (2612,)), 512, 2100, (2612, 2048), id="the sum"),
        pytest.param(Overflow(2048, (1900, 512)), 512, 1900, None, id="both apart"),
        pytest.param(Overflow(8192, (9000, 7992, 200)), 200, 9000, (9000, 8192), id="too long"),
        pytest.param(Overflow(2048), 512, None, None, id="the window alone"),
    ],
)
def test_the_prompt_is_told_from_the_reply(overflow, limit, prompt, excess):
    """What was asked for in reply explains which numbers hold it."""
    assert (overflow.prompt(limit), overflow.excess) == (prompt, excess)
