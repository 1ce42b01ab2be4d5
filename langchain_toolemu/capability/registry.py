"""What is known of a model by its name alone: what vendors support on their own hosts, LangChain's profile, its size.

Names count only on the vendor's own host: any server may serve any name. The registry errs towards silence: a missing
entry costs one request, a wrong one a capable model, so aggregators have no entry. A profile's False is not a no:
profiles are often older than their models.
"""

import re
from collections.abc import Mapping
from typing import Any, TypeAlias

from langchain_core.language_models import BaseChatModel

from langchain_toolemu.capability.endpoints import (
    Endpoint,
    model_name_of,
    provider_by_class,
    vendor_of,
)
from langchain_toolemu.capability.support import ModelDescription, Support
from langchain_toolemu.model_facts import Axis, Verdict

_Listing: TypeAlias = Mapping[Axis, Verdict]

_ALL: _Listing = {"tools": "native", "tool_choice": "native", "response_format": "native"}
_TOOLS_AND_CHOICE: _Listing = {"tools": "native", "tool_choice": "native"}
_TOOLS: _Listing = {"tools": "native"}
_NO_TOOLS: _Listing = {"tools": "none", "tool_choice": "none"}

PROVIDERS: Mapping[str, _Listing] = {
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

MODELS: Mapping[str, _Listing] = {
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

_PROFILE_KEYS: Mapping[Axis, str] = {
    "tools": "tool_calling",
    "tool_choice": "tool_choice",
    "response_format": "structured_output",
}


def entry_for(key: str) -> _Listing:
    """What the registry says of a `"provider:model"`: the model's entry over its provider's."""
    provider, closest = key.partition(":")[0], ""
    for name in MODELS:
        fits = key.startswith(name[:-1]) if name.endswith("*") else key == name
        if fits and len(name) > len(closest):
            closest = name
    return {**PROVIDERS.get(provider, {}), **MODELS.get(closest, {})}


def description_by_name(llm: BaseChatModel, endpoint: Endpoint) -> ModelDescription:
    """What profile, registry and class say of a model at its endpoint, and the size that its name states."""
    vendor, profile = vendor_of(llm, endpoint.address), _profile_of(llm, endpoint)
    supports = _by_class(llm)
    if vendor:
        listed = f"the registry lists '{vendor}:{endpoint.model}'"
        for axis, verdict in entry_for(f"{vendor}:{endpoint.model}").items():
            supports[axis] = Support(verdict, listed)
    for axis, key in _PROFILE_KEYS.items():
        # gpt-3.5-turbo's profile denies tools, and has a choice among them.
        denied = axis == "tool_choice" and profile.get("tool_calling") is not True
        if profile.get(key) is True and not denied:
            supports[axis] = Support("native", f"LangChain's profile of {endpoint.model!r} says so")
    size, window = billions_in(endpoint.model), positive_count(profile.get("max_input_tokens"))
    return ModelDescription(supports, size, window)


def _profile_of(llm: BaseChatModel, endpoint: Endpoint) -> Mapping[str, Any]:
    """LangChain's profile, which is that of the constructor's model on its provider's own host; else nothing."""
    profile: Mapping[str, Any] = getattr(llm, "profile", None) or {}
    if not profile or endpoint.model != model_name_of(llm):
        return {}
    vendor = vendor_of(llm, endpoint.address)
    return profile if vendor and vendor == provider_by_class(llm) else {}


def _by_class(llm: BaseChatModel) -> dict[Axis, Support]:
    """A class that does not override `bind_tools` has no way to send a tool."""
    kind = type(llm)
    if kind.bind_tools is not BaseChatModel.bind_tools:
        return {}
    lacking = Support("none", f"{kind.__name__} has no bind_tools")
    return {"tools": lacking, "tool_choice": lacking}


def positive_count(number: Any) -> int | None:
    """A number that can be a count of tokens; `None` for anything else."""
    fits = isinstance(number, int) and not isinstance(number, bool) and number > 0
    return number if fits else None


# --- how large a model is, in billions of parameters ---

# A number with B or M after it, and no letter or digit around: `qwen2.5-coder:1.5b`, `SmolLM2-135M`, `mixtral-8x7b`;
# Gemma's `e4b` has as many parameters in effect. Of a context size (`1M-context`) no word is a size.
_SIZE = re.compile(
    r"(?<![a-z0-9.])(?:(?P<experts>\d{1,3})x|e(?=\d+b))?(?P<number>\d{1,4}(?:[._]\d{1,3})?)\s?(?P<unit>[bm])"
    r"(?![a-z0-9]|[-_ ]?(?:context|ctx|tokens?\b))",
    re.IGNORECASE,
)
_LARGEST_CONTEXT = 0.01
"""In billions: `qwen3-coder-plus-1m` has a context of a million tokens, `-10m` one of ten; no model is so small."""


def billions_in(text: str) -> float | None:
    """The size that a name or a server's word states; the largest, where there are several (`30b-a3b`)."""
    largest = _LARGEST_CONTEXT
    for found in _SIZE.finditer(text):
        number = float(found["number"].replace("_", ".")) * int(found["experts"] or 1)
        largest = max(largest, number if found["unit"].lower() == "b" else number / 1000)
    return largest if largest > _LARGEST_CONTEXT else None
