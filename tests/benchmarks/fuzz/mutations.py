"""Texts made of other texts: cut, crossed, doubled, and with a mark put in or taken out."""

from collections.abc import Callable, Sequence
from random import Random

MARKS = [
    *"{}[]()<>\"'`~:,;=\\/#|&\n\t ",
    "```", "```json\n", "~~~", "<tool_call>", "</tool_call>", "<think>", "</think>", "<|python_tag|>", "[TOOL_CALLS]",
    "<function=", "</function>", "<parameter=", "</parameter>", "<invoke name=", "<arg_key>", "<arg_value>", "&lt;", "&quot;",
    "Action:", "Action Input:", "Observation:", "JSON_BEGIN", "JSON_END", '"name"', '"arguments"', "get_weather", "add",
    '<|"|>', "]<]minimax[>[", "<|open|>", "<|close|>", "<|sep|>", "<|im_start|>", "### Instruction:\n", "<tool_response>", "[INST]",
    "I will not run this:\n", "For example, ", "Let me see: ", "The file says: ", "Should I run ", "<![CDATA[", "\\\"", "to=functions.",
    "city", "Paris", "None", "True", "null", "1e9", "-0", "NaN", "\u201c", "\u201d", "\u2019", "\\u00e9", "\\", "\x00", "\ud800",
]  # fmt: skip

Mutation = Callable[[Random, str, Sequence[str]], str]


def _put(random: Random, text: str, _others: Sequence[str]) -> str:
    at = random.randint(0, len(text))
    return text[:at] + random.choice(MARKS) + text[at:]


def _take(random: Random, text: str, _others: Sequence[str]) -> str:
    start = random.randint(0, len(text))
    return text[:start] + text[start + random.randint(1, 6) :]


def _cut(random: Random, text: str, _others: Sequence[str]) -> str:
    return text[: random.randint(0, len(text))]


def _cross(random: Random, text: str, others: Sequence[str]) -> str:
    other = random.choice(others)
    return text[: random.randint(0, len(text))] + other[random.randint(0, len(other)) :]


def _double(random: Random, text: str, _others: Sequence[str]) -> str:
    start = random.randint(0, len(text))
    part = text[start : start + random.randint(1, 30)]
    return text[:start] + part * random.randint(2, 4) + text[start:]


def _swap(random: Random, text: str, _others: Sequence[str]) -> str:
    start, end = sorted(random.randint(0, len(text)) for _ in range(2))
    return text[end:] + text[start:end] + text[:start]


def _lengthen(random: Random, text: str, _others: Sequence[str]) -> str:
    """Make a word as long as what is passed on before it is whole."""
    start = random.randint(0, len(text))
    return text[:start] + text[start : start + 12] * 50 + text[start:]


_MUTATIONS: list[Mutation] = [_put, _put, _take, _take, _cut, _cross, _double, _swap, _lengthen]
LONGEST = 2_000


def mutate(random: Random, texts: Sequence[str]) -> str:
    """A text that nobody wrote, made of those that somebody did."""
    text = random.choice(texts)
    for _ in range(random.randint(1, 5)):
        text = random.choice(_MUTATIONS)(random, text, texts)
    return text[:LONGEST]
