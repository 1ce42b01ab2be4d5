"""Who wants the reasoning of past messages back, and who refuses it: data, each row with its source.

A vendor's own host comes first: Groq serves Kimi, and refuses the field. A name counts on every other host, since models
think the same wherever they are served. What a server says in an error outranks all of it.
"""

import re
from functools import lru_cache
from typing import NamedTuple

from langchain_toolemu.capability.support import Support
from langchain_toolemu.model_facts import Verdict


class _Row(NamedTuple):
    key: str  # a vendor, or what a model's name matches
    verdict: Verdict
    source: str


_DEEPSEEK = "api-docs.deepseek.com/guides/thinking_mode"
_KIMI = "platform.moonshot.ai/docs/guide/use-kimi-k2-thinking-model"
_GLM = "docs.z.ai/guides/capabilities/thinking-mode"
_MINIMAX = "docs.vllm.ai/en/latest/features/interleaved_thinking"

HOSTS = (
    _Row("deepseek", "native", _DEEPSEEK),
    _Row("moonshot", "native", _KIMI),
    _Row("zhipu", "native", _GLM),
    _Row("minimax", "native", _MINIMAX),
    # Their schemas know no such field, and they answer 400 or 422.
    _Row("groq", "none", "janhq/jan 8136"),
    _Row("cerebras", "none", "egoist/chatwise-releases 1442"),
    _Row("mistralai", "none", "BerriAI/litellm 30835"),
)

NAMES = (
    # DeepSeek's name for its model without thoughts.
    _Row(r"deepseek-chat\b", "unknown", _DEEPSEEK),
    _Row(r"deepseek-(?:reasoner|v3[.p-][2-9]|v[4-9])", "native", _DEEPSEEK),
    # Kimi K2 of 2025 does not think; those that do say so, or are numbered.
    _Row(r"kimi-(?:k2-thinking|k2[.p-][5-9]|k[3-9]|for-coding|thinking)|\bk2p[5-9]\b", "native", _KIMI),
    _Row(r"kimi-k2\b|moonshot-v1", "unknown", _KIMI),
    _Row(r"glm-(?:4[.p][5-9]|[5-9](?!b))", "native", _GLM),
    _Row(r"minimax-m[2-9]", "native", _MINIMAX),
)  # fmt: skip


@lru_cache(maxsize=256)
def reasoning_support(vendor: str | None, model: str) -> Support | None:
    """What is known of a model at a vendor's host, or elsewhere by its name alone; `None` if nothing."""
    by_host = next((row for row in HOSTS if row.key == vendor), None)
    by_name = next((row for row in NAMES if re.search(row.key, model.lower())), None)
    found = by_host if by_host and by_host.verdict == "none" else by_name or by_host
    if found is None or found.verdict == "unknown":
        return None
    return Support(found.verdict, f"as {found.source} says", "claimed")
