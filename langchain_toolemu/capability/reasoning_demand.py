"""Who wants the reasoning of past messages back, and who refuses it: data, each row with its source.

A vendor's own host comes first: Groq serves Kimi, and refuses the field. A name counts on every other host, since models
think the same wherever they are served. What a server says in an error outranks all of it.
"""

import re
from collections.abc import Mapping
from functools import lru_cache

from langchain_toolemu.capability.support import Support
from langchain_toolemu.model_facts import Verdict

_DEEPSEEK = "api-docs.deepseek.com/guides/thinking_mode"
_KIMI = "platform.moonshot.ai/docs/guide/use-kimi-k2-thinking-model"
_GLM = "docs.z.ai/guides/capabilities/thinking-mode"
_MINIMAX = "docs.vllm.ai/en/latest/features/interleaved_thinking"

HOSTS: Mapping[str, tuple[Verdict, str]] = {
    "deepseek": ("native", _DEEPSEEK),
    "moonshot": ("native", _KIMI),
    "zhipu": ("native", _GLM),
    "minimax": ("native", _MINIMAX),
    # Their schemas know no such field, and they answer 400 or 422.
    "groq": ("none", "janhq/jan 8136"),
    "cerebras": ("none", "egoist/chatwise-releases 1442"),
    "mistralai": ("none", "BerriAI/litellm 30835"),
}
"""By vendor."""

NAMES: Mapping[str, tuple[Verdict, str]] = {
    # DeepSeek's name for its model without thoughts.
    r"deepseek-chat\b": ("unknown", _DEEPSEEK),
    r"deepseek-(?:reasoner|v3[.p-][2-9]|v[4-9])": ("native", _DEEPSEEK),
    # Kimi K2 of 2025 does not think; those that do say so, or are numbered.
    r"kimi-(?:k2-thinking|k2[.p-][5-9]|k[3-9]|for-coding|thinking)|\bk2p[5-9]\b": ("native", _KIMI),
    r"kimi-k2\b|moonshot-v1": ("unknown", _KIMI),
    r"glm-(?:4[.p][5-9]|[5-9](?!b))": ("native", _GLM),
    r"minimax-m[2-9]": ("native", _MINIMAX),
}  # fmt: skip
"""By what a model's name matches, the first that does."""


@lru_cache(maxsize=256)
def reasoning_support(vendor: str | None, model: str) -> Support | None:
    """What is known of a model at a vendor's host, or elsewhere by its name alone; `None` if nothing."""
    by_host = HOSTS.get(vendor or "")
    by_name = next((NAMES[name] for name in NAMES if re.search(name, model.lower())), None)
    found = by_host if by_host and by_host[0] == "none" else by_name or by_host
    verdict, source = found or ("unknown", "")
    return Support(verdict, f"as {source} says", "claimed") if verdict != "unknown" else None
