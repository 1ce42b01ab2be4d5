"""What vendors are known to support on their own hosts: data, kept small.

The rules here:

- It speaks of a vendor's own host only. The same model on another server is another matter.
- It errs towards silence: a missing entry costs one request that teaches more than any list, a wrong one a
  capable model. So aggregators, whose models differ, have no entry, and `"none"` is for models that will not change.
- A model's entry completes its provider's; a key that ends in `*` is a prefix.
"""

from collections.abc import Mapping
from typing import TypeAlias

from langchain_toolemu.model_facts import Axis, Verdict

Entry: TypeAlias = Mapping[Axis, Verdict]

HOSTS: Mapping[str, str] = {
    "api.openai.com": "openai",
    "openai.azure.com": "azure_openai",
    "api.anthropic.com": "anthropic",
    "generativelanguage.googleapis.com": "google_genai",
    "aiplatform.googleapis.com": "google_vertexai",
    "api.mistral.ai": "mistralai",
    "api.groq.com": "groq",
    "api.deepseek.com": "deepseek",
    "api.x.ai": "xai",
    "api.cohere.com": "cohere",
    "api.cohere.ai": "cohere",
    "api.cerebras.ai": "cerebras",
    "api.moonshot.ai": "moonshot",
    "api.moonshot.cn": "moonshot",
    "api.z.ai": "zhipu",
    "open.bigmodel.cn": "zhipu",
    "api.perplexity.ai": "perplexity",
    # Their models differ: known by name for overrides, without an entry below.
    "openrouter.ai": "openrouter",
    "api.together.xyz": "together",
    "api.together.ai": "together",
    "api.fireworks.ai": "fireworks",
    "api.deepinfra.com": "deepinfra",
    "router.huggingface.co": "huggingface",
    "integrate.api.nvidia.com": "nvidia",
    "api.sambanova.ai": "sambanova",
    "api.siliconflow.cn": "siliconflow",
    "dashscope.aliyuncs.com": "dashscope",
    "dashscope-intl.aliyuncs.com": "dashscope",
    "services.ai.azure.com": "azure_ai",
    "ollama.com": "ollama",
}

ALIASES: Mapping[str, str] = {
    "azure": "azure_openai",
    "mistral": "mistralai",
    "google": "google_genai",
    "gemini": "google_genai",
    "google_gemini": "google_genai",
    "vertexai": "google_vertexai",
    "amazon_bedrock": "bedrock",
    "bedrock_converse": "bedrock",
    "aws": "bedrock",
    "moonshotai": "moonshot",
    "zai": "zhipu",
    "qwen": "dashscope",
    "tongyi": "dashscope",
}

_ALL: Entry = {"tools": "native", "tool_choice": "native", "response_format": "native"}
_TOOLS_AND_CHOICE: Entry = {"tools": "native", "tool_choice": "native"}
_TOOLS: Entry = {"tools": "native"}
_NO_TOOLS: Entry = {"tools": "none", "tool_choice": "none"}

PROVIDERS: Mapping[str, Entry] = {
    "openai": _ALL,
    "azure_openai": _TOOLS_AND_CHOICE,
    "anthropic": _TOOLS,  # newer models refuse a forced choice
    "mistralai": _ALL,
    "groq": _TOOLS_AND_CHOICE,
    "deepseek": _TOOLS,  # thinking refuses a forced choice
    "xai": _ALL,
    "cohere": _TOOLS,
    "cerebras": _TOOLS_AND_CHOICE,
    "moonshot": _TOOLS,  # thinking refuses a forced choice
    "zhipu": {"tools": "native", "tool_choice": "none"},
}

MODELS: Mapping[str, Entry] = {
    "openai:o1-mini*": _NO_TOOLS,
    "openai:o1-preview*": _NO_TOOLS,
    "openai:chatgpt-4o-latest": _NO_TOOLS,
    "openai:gpt-4o-search-preview*": _NO_TOOLS,
    "openai:gpt-4o-mini-search-preview*": _NO_TOOLS,
    "google_genai:gemini*": _ALL,
    "google_vertexai:gemini*": _ALL,
    "google_genai:gemma-3*": {**_NO_TOOLS, "response_format": "none", "system_role": "none"},
    "groq:groq/compound*": _NO_TOOLS,
    "perplexity:sonar*": _NO_TOOLS,
}


def entry_for(key: str) -> Entry:
    """What the registry says of a `"provider:model"`: the model's entry over its provider's."""
    models = (name for name in MODELS if _fits(name, key))
    closest = MODELS.get(max(models, key=len, default=""), {})
    return {**PROVIDERS.get(key.partition(":")[0], {}), **closest}


def _fits(name: str, key: str) -> bool:
    return key.startswith(name[:-1]) if name.endswith("*") else key == name
