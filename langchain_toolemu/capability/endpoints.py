"""Who is spoken to, and where: the model's name, its address (never with a password or a query in it), its provider.

The address is the one that requests go to, not the one that was typed: environment variables move it. A provider is
told by its host; a class only says which protocol is spoken, since ChatOpenAI is used for most local servers.
"""

import ipaddress
import re
from collections.abc import Mapping
from contextlib import suppress
from fnmatch import fnmatchcase
from functools import lru_cache
from operator import attrgetter
from typing import Any, Literal, NamedTuple, TypeAlias
from urllib.parse import urlsplit, urlunsplit

from langchain_core.language_models import BaseChatModel
from pydantic import SecretStr

from langchain_toolemu.capability.reasoning_demand import reasoning_support
from langchain_toolemu.capability.support import ModelDescription, Support
from langchain_toolemu.model_facts import Axis, Verdict
from langchain_toolemu.model_facts.token_count import positive_count

HOSTS: Mapping[str, str] = {
    "api.openai.com": "openai", "openai.azure.com": "azure_openai", "api.anthropic.com": "anthropic",
    "generativelanguage.googleapis.com": "google_genai", "api.mistral.ai": "mistralai",
    "aiplatform.googleapis.com": "google_vertexai", "api.groq.com": "groq", "api.x.ai": "xai",
    "api.deepseek.com": "deepseek", "api.cohere.com": "cohere", "api.cohere.ai": "cohere",
    "api.cerebras.ai": "cerebras", "api.moonshot.ai": "moonshot", "api.moonshot.cn": "moonshot",
    "api.kimi.com": "moonshot", "api.z.ai": "zhipu", "open.bigmodel.cn": "zhipu",
    "api.minimax.io": "minimax", "api.minimaxi.com": "minimax", "api.perplexity.ai": "perplexity",
    # Their models differ: known by name for overrides, without an entry in the registry.
    "openrouter.ai": "openrouter", "api.together.xyz": "together", "api.together.ai": "together",
    "api.fireworks.ai": "fireworks", "api.deepinfra.com": "deepinfra",
    "router.huggingface.co": "huggingface", "integrate.api.nvidia.com": "nvidia",
    "api.sambanova.ai": "sambanova", "api.siliconflow.cn": "siliconflow",
    "dashscope.aliyuncs.com": "dashscope", "dashscope-intl.aliyuncs.com": "dashscope",
    "services.ai.azure.com": "azure_ai", "ollama.com": "ollama",
}  # fmt: skip

_SHORTEST_SECRET = 8  # a shorter one, such as "none", is a word that a message may hold
WELL_BEHAVED = frozenset({"openai", "anthropic", "google_genai", "google_vertexai"})
"""Vendors on whose own hosts native calls are passed on as they come."""

ALIASES: Mapping[str, str] = {
    "azure": "azure_openai", "mistral": "mistralai", "vertexai": "google_vertexai",
    "google": "google_genai", "gemini": "google_genai", "google_gemini": "google_genai",
    "aws": "bedrock", "amazon_bedrock": "bedrock", "bedrock_converse": "bedrock",
    "moonshotai": "moonshot", "zai": "zhipu", "qwen": "dashscope", "tongyi": "dashscope",
}  # fmt: skip

VENDORS = frozenset({*HOSTS.values(), *ALIASES.values()})
"""All that serve models of their own choice."""

_ADDRESSES = (
    "openai_api_base", "base_url", "anthropic_api_url", "azure_endpoint", "endpoint_url",
    "endpoint", "api_base", "server_url", "groq_api_base", "fireworks_api_base",
)  # fmt: skip
ClientKind: TypeAlias = Literal["openai", "anthropic", "ollama", "other"]
_CLASSES: Mapping[str, ClientKind] = {
    "BaseChatOpenAI": "openai", "ChatAnthropic": "anthropic", "ChatOllama": "ollama",
}  # fmt: skip
_NAMES = ("model_name", "model", "model_id", "deployment_name")
_OURS = "langchain_toolemu."
_LOCAL_NAMES = ("localhost", "host.docker.internal")
_LOCAL_ENDINGS = (".localhost", ".local", ".lan")


class Endpoint(NamedTuple):
    """What a verdict is kept by: class, model name and address."""

    class_name: str
    model: str
    address: str

    def __str__(self) -> str:
        """The endpoint in words, for logs and warnings."""
        return f"{self.class_name}({self.model!r}) at {self.address or 'its default address'}"


def innermost(llm: BaseChatModel) -> BaseChatModel:
    """The model that requests go through, where a wrapper of ours came instead."""
    inner = getattr(llm, "llm", None)
    return innermost(inner) if isinstance(inner, BaseChatModel) else llm


def endpoint_of(llm: BaseChatModel, model: Any = None) -> Endpoint:
    """What a verdict is kept by: another model name in one call is another endpoint."""
    name = str(model or model_name_of(llm) or "")
    return Endpoint(_class_name(type(llm)), name, address_of(llm))


@lru_cache(maxsize=256)
def _class_name(kind: type) -> str:
    """A class of ours that only adds to one of LangChain's shares what is known of that."""
    return next(base for base in kind.__mro__ if not base.__module__.startswith(_OURS)).__qualname__


def model_name_of(llm: BaseChatModel) -> str | None:
    """The name of the model, by whatever attribute its class keeps it."""
    for key in _NAMES:
        name = getattr(llm, key, None)
        if isinstance(name, str) and name:
            return name
    return None


def address_of(llm: BaseChatModel) -> str:
    """Where the model's requests go; empty if its class does not say."""
    client = getattr(llm, "root_client", None)
    if client is None and client_kind(llm) == "ollama":
        # What ollama's client made of `base_url`, OLLAMA_HOST and its own default.
        client = getattr(getattr(llm, "_client", None), "_client", None)
    if url := getattr(client, "base_url", None):
        return _without_secrets(str(url))
    for key in _ADDRESSES:
        if url := getattr(llm, key, None):
            return _without_secrets(str(url))
    return ""


def client_kind(llm: BaseChatModel) -> ClientKind:
    """Whose protocol a chat model speaks, by the name of its class: its package may not be installed."""
    return _kind_of(type(llm))


@lru_cache(maxsize=256)
def _kind_of(kind: type) -> ClientKind:
    names = map(attrgetter("__name__"), kind.__mro__)
    return next((_CLASSES[name] for name in names if name in _CLASSES), "other")


def _without_secrets(url: str) -> str:
    """An address without a password, and without its query, where some servers have a key."""
    url = re.split("[?#]", url, maxsplit=1)[0]
    if "@" in url:
        parts = urlsplit(url)
        url = urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))
    return url.rstrip("/")


@lru_cache(maxsize=256)
def host_of(address: str) -> str:
    """The host of an address, in lower case."""
    with suppress(ValueError):
        return (urlsplit(address if "//" in address else f"//{address}").hostname or "").lower()
    return ""


@lru_cache(maxsize=256)
def is_local(address: str) -> bool:
    """Whether an address is on this machine or its network, by its spelling alone: no name is looked up."""
    host = host_of(address)
    with suppress(ValueError):
        number = ipaddress.ip_address(host)
        return number.is_private or number.is_loopback or number.is_link_local
    is_name = host in _LOCAL_NAMES or host.endswith(_LOCAL_ENDINGS) or "." not in host
    return bool(host) and is_name


def may_be_asked(llm: BaseChatModel, address: str) -> bool:
    """Whether a model's server may be asked about itself."""
    is_url = address.startswith(("http://", "https://"))
    return is_url and (is_local(address) or client_kind(llm) == "ollama")


def is_this_machine(address: str) -> bool:
    """Whether an address means another server on every machine, by its spelling alone."""
    host = host_of(address)
    with suppress(ValueError):
        number = ipaddress.ip_address(host)
        return number.is_loopback or number.is_unspecified
    return host in _LOCAL_NAMES or host.endswith(".localhost")


@lru_cache(maxsize=256)
def vendor_at(address: str) -> str | None:
    """The vendor whose own host an address is on."""
    labels = host_of(address).split(".")
    ends = (".".join(labels[start:]) for start in range(len(labels)))
    return next((HOSTS[name] for name in ends if name in HOSTS), None)


def vendor_of(llm: BaseChatModel, address: str) -> str | None:
    """The vendor whose own host requests go to; one without an address is at the default of its class."""
    return vendor_at(address) if address else provider_by_class(llm)


def provider_by_class(llm: BaseChatModel) -> str:
    """What LangChain calls the provider of a class, wherever its requests go."""
    with suppress(Exception):  # a hook that any class may override
        return canonical(str(llm._get_ls_params().get("ls_provider", "")))  # noqa: SLF001
    return ""


def canonical(provider: str) -> str:
    """One spelling of a provider's name."""
    name = provider.strip().lower().replace("-", "_")
    return ALIASES.get(name, name)


# --- what is known of a model by its name alone ---
# Names count only on the vendor's own host: any server may serve any name. The registry errs towards silence: a missing
# entry costs one request, a wrong one a capable model, so aggregators have no entry. A key that ends in `*` is a prefix;
# a model's row comes after its provider's.

_Listing: TypeAlias = Mapping[Axis, Verdict]

_ALL: _Listing = {"tools": "native", "tool_choice": "native", "response_format": "native"}
_TOOLS_AND_CHOICE: _Listing = {"tools": "native", "tool_choice": "native"}
_TOOLS: _Listing = {"tools": "native"}
_NO_TOOLS: _Listing = {"tools": "none", "tool_choice": "none"}

REGISTRY: Mapping[str, _Listing] = {
    "openai:*": _ALL,
    "azure_openai:*": _TOOLS_AND_CHOICE,
    "anthropic:*": _TOOLS,  # newer models refuse a forced choice
    "mistralai:*": _ALL,
    "groq:*": _TOOLS_AND_CHOICE,
    "deepseek:*": _TOOLS,  # thinking refuses a forced choice
    "xai:*": _ALL,
    "cohere:*": _TOOLS,
    "cerebras:*": _TOOLS_AND_CHOICE,
    "moonshot:*": _TOOLS,  # thinking refuses a forced choice
    "zhipu:*": {"tools": "native", "tool_choice": "none"},
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


@lru_cache(maxsize=256)
def entry_for(key: str) -> _Listing:
    """What the registry says of a `"provider:model"`: each row over those before it."""
    rows = (REGISTRY[name] for name in REGISTRY if fnmatchcase(key, name))
    return {axis: verdict for row in rows for axis, verdict in row.items()}


def description_by_name(
    llm: BaseChatModel, endpoint: Endpoint, vendor: str | None
) -> ModelDescription:
    """What profile, registry and class say of a model at its endpoint, and the size that its name states."""
    profile = getattr(llm, "profile", None) or {}
    supports: dict[Axis, Support] = {}
    if type(llm).bind_tools is BaseChatModel.bind_tools:  # it has no way to send a tool
        lacking = Support("none", f"{type(llm).__name__} has no bind_tools")
        supports = {"tools": lacking, "tool_choice": lacking}
    if client_kind(llm) == "ollama":  # its client has no such argument
        supports["parallel_tool_calls"] = Support("none", "Ollama has no such field")
    is_models = vendor and endpoint.model == model_name_of(llm)
    if profile and not (is_models and vendor == provider_by_class(llm)):
        profile = {}  # it is that of the constructor's model on its provider's own host
    if vendor:
        listed = f"the registry lists '{vendor}:{endpoint.model}'"
        for axis, verdict in entry_for(f"{vendor}:{endpoint.model}").items():
            supports[axis] = Support(verdict, listed)
    if wanted := reasoning_support(vendor, endpoint.model):
        supports["reasoning"] = wanted
    for axis, key in _PROFILE_KEYS.items():
        # gpt-3.5-turbo's profile denies tools, and has a choice among them.
        denied = axis == "tool_choice" and profile.get("tool_calling") is not True
        if profile.get(key) is True and not denied:
            supports[axis] = Support("native", f"LangChain's profile of {endpoint.model!r} says so")
    size, window = billions_in(endpoint.model), positive_count(profile.get("max_input_tokens"))
    return ModelDescription(supports, size, window)


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


@lru_cache(maxsize=256)
def billions_in(text: str) -> float | None:
    """The size that a name or a server's word states; the largest, where there are several (`30b-a3b`)."""
    largest = _LARGEST_CONTEXT
    for found in _SIZE.finditer(text):
        number = float(found["number"].replace("_", ".")) * int(found["experts"] or 1)
        largest = max(largest, number if found["unit"].lower() == "b" else number / 1000)
    return largest if largest > _LARGEST_CONTEXT else None


def thinks(model: str) -> bool:
    """Whether a model's name says that it thinks, so that its template may begin the thought."""
    return bool(_THINKS.search(model)) and not _ANSWERS.search(model)


_THINKS = re.compile(
    r"(?i)think|reason|\bqwq|\br1\b|qwen-?3(?:\.\d)?(?!-?coder)|glm-?(?:4\.[5-9]|[5-9])|kimi-k(?:2\.|[3-9])|deepseek-(?:v3\.[12]|v[4-9])"
    r"|minimax-m[1-9]|seed-oss|magistral|nemotron|ernie-4\.5.*-think|step-?3|longcat"
)
_ANSWERS = re.compile(r"(?i)instruct|non-?think|no-?think|-chat\b|\bcoder\b|embed")


def secrets_of(llm: BaseChatModel) -> list[str]:
    """The keys that a chat model was made with."""
    values = [getattr(llm, name, None) for name in type(llm).model_fields]
    found = [value.get_secret_value() for value in values if isinstance(value, SecretStr)]
    headers = getattr(llm, "default_headers", None)
    found += map(str, headers.values()) if isinstance(headers, Mapping) else ()
    return [secret for secret in found if len(secret) >= _SHORTEST_SECRET]
