r"""Errors that say "this is too long for my window", told apart from those about other lengths.

The rules of this module:

- It is about all that was sent, or that with the reply: not about one string, one array, one file or the reply alone.
- A limit of tokens per minute is none of a window, whatever its words: a status or a code of that kind is another matter.
- Wordings are matched against a folded text: lower case, no quotation marks, no contractions. Gaps are bounded.
"""

import re
from collections.abc import Iterator

from langchain_toolemu.capability.refusal_patterns import folded
from langchain_toolemu.capability.statements import codes, links, statements, statuses

_OTHER_STATUSES = frozenset({401, 402, 403, 404, 407, 408, 409, 425, 429, *range(502, 600)})
_CODES = frozenset(
    {
        "context_length_exceeded",
        "exceed_context_size_error",
        "context_window_exceeded",
        "tokens_limit_reached",
        "model_context_window_exceeded",
    }
)
_OTHER_CODES = frozenset({"rate_limit_exceeded", "rate_limit_error", "insufficient_quota"})
_KINDS = ("contextoverflow", "contextwindowexceeded", "contextlengthexceeded")
_OTHER_KINDS = ("timeout", "connect", "ratelimit", "authentication", "permission", "cancel")
_OTHER_MATTERS = re.compile(
    r"\bper (?:minute|min|day|hour|second)\b|\b[tr]pm\b|\brate limit|\bquota\b|\btimed? ?out\b"
)

_EXCEEDS = r"(?:exceed(?:s|ed|ing)?|(?:is |are )?(?:larger|longer|greater|more) than|overflow(?:s|ed)?|is over)"


def _wordings() -> Iterator[str]:
    # llama.cpp, llama-cpp-python, MiniMax, Ollama, SGLang, watsonx
    yield (
        _EXCEEDS
        + r"(?: \w+){0,3} (?:available |maximum |max |models? )*context (?:length|window|size|limit)"
    )
    yield r"\bcontext (?:size|window|length|limit) (?:has been |was |is )?exceed(?:ed|s)"
    # OpenAI, Azure, vLLM, DeepSeek, OpenRouter, Fireworks, Mistral
    yield r"\bmaximum (?:context|model|prompt|input) length (?:is|of) [\d,]{2,}.{0,40}?(?:however|but|and your|tokens? and)"
    yield r"\bmodels? maximum context length\b"
    yield r"\b(?:too large|too long) for (?:the )?model with [\d,]+ maximum context length"
    yield r"\bmodel maximum context length\b"
    # OpenAI's Responses API
    yield r"\binput exceeds the context window\b"
    # vLLM, of a prompt and of what is left for the reply
    yield r"\bprompt(?: \([^)]{0,60}\))? is longer than the maximum model length\b"
    yield r"\blonger than the maximum model length\b"
    yield r"\bmax_tokens must be at least 1, got -\d"
    # SGLang
    yield r"\binput(?: \([^)]{0,60}\))? is longer than the models context length\b"
    # Anthropic, Fireworks, Ollama
    yield r"\b(?:prompt|input|conversation|request) is too long\b(?!.{0,40}characters)"
    yield r"\binput length and max_tokens exceed context limit\b"
    # Google
    yield r"\binput token count\b.{0,40}?\bexceeds the maximum number of tokens\b"
    # Bedrock, Cohere
    yield r"\btoo many (?:input )?tokens\b.{0,20}?(?:prompt|total|model|input|context|cannot|can not)"
    # Groq
    yield r"\breduce the length of the (?:messages|prompt|input)\b"
    # xAI
    yield r"\bmaximum prompt length is [\d,]+ but\b"
    # Text Generation Inference, Together
    yield r"\binputs tokens \+ max_new_tokens must be <="
    yield r"\binputs must have less than [\d,]+ tokens\b"
    # LM Studio
    yield r"\btokens to keep from the initial prompt is greater than the context length\b"
    yield r"\bcontext the overflows\b|\bcontext overflows\b"
    yield r"\bloaded with context length of only\b"
    # watsonx
    yield r"\bnumber of input tokens [\d,]+ can not exceed the total tokens limit\b"
    # DashScope, Zhipu
    yield r"\brange of input length should be \[\d"
    yield r"\bprompt 超长|上下文.{0,10}超"
    # Moonshot
    yield r"\bexceeded (?:the )?model token limit\b"
    # GitHub Models
    yield r"\brequest body too large for .{0,60}?\bmax size: [\d,]+ tokens\b"


_WORDINGS = tuple(re.compile(wording) for wording in _wordings())


def is_too_long(error: BaseException) -> bool:
    """Whether an error says that a request does not fit the model's window.

    Example:
        ```python
        is_too_long(error)  # True for "request (2500 tokens) exceeds the available context size (2048 tokens)"
        ```
    """
    chain = links(error)
    if any(_is_another_matter(link) for link in chain):
        return False
    return any(_is_named(link) or _is_said(link) for link in chain)


def _is_another_matter(link: BaseException) -> bool:
    if not _OTHER_STATUSES.isdisjoint(statuses(link)) or not _OTHER_CODES.isdisjoint(codes(link)):
        return True
    return any(word in kind for kind in _kinds(link) for word in _OTHER_KINDS)


def _is_named(link: BaseException) -> bool:
    """Whether its class or its code says so."""
    named = any(word in kind for kind in _kinds(link) for word in _KINDS)
    return named or not _CODES.isdisjoint(codes(link))


def _is_said(link: BaseException) -> bool:
    said = [folded(text) for text in statements(link)]
    return any(
        wording.search(text)
        for text in said
        if not _OTHER_MATTERS.search(text)
        for wording in _WORDINGS
    )


def _kinds(link: BaseException) -> list[str]:
    return [kind.__name__.lower() for kind in type(link).__mro__]
