"""Who is spoken to, and where: the model's name, its address (never with a password in it), its provider.

The address is the one that requests go to, not the one that was typed: environment variables move it. A provider is
told by its host; a class only says which protocol is spoken, since ChatOpenAI is used for most local servers.
"""

import ipaddress
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, NamedTuple
from urllib.parse import urlsplit, urlunsplit

from langchain_core.language_models import BaseChatModel

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
    # Their models differ: known by name for overrides, without an entry in the registry.
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

_ADDRESSES = (
    "openai_api_base", "base_url", "anthropic_api_url", "azure_endpoint", "endpoint_url",
    "endpoint", "api_base", "server_url",
)  # fmt: skip
_NAMES = ("model_name", "model", "model_id", "deployment_name")
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
    return Endpoint(type(llm).__qualname__, name, address_of(llm))


def model_name_of(llm: BaseChatModel) -> str | None:
    """The name of the model, by whatever attribute its class keeps it."""
    for key in _NAMES:
        name = getattr(llm, key, None)
        if isinstance(name, str) and name:
            return name
    return None


def address_of(llm: BaseChatModel) -> str:
    """Where the model's requests go; empty if its class does not say."""
    holders = [getattr(llm, "root_client", None)]
    if (client := getattr(llm, "_client", None)) is not None and speaks_ollama(llm):
        # What ollama's client made of `base_url`, OLLAMA_HOST and its own default.
        holders.append(getattr(client, "_client", None))
    for holder in holders:
        if url := getattr(holder, "base_url", None):
            return _without_password(str(url))
    for key in _ADDRESSES:
        if url := getattr(llm, key, None):
            return _without_password(str(url))
    return ""


def speaks_ollama(llm: BaseChatModel) -> bool:
    """Whether the model is a ChatOllama, told by name: its package may not be installed."""
    return "ChatOllama" in [kind.__name__ for kind in type(llm).__mro__]


def _without_password(url: str) -> str:
    if "@" in url:
        parts = urlsplit(url)
        url = urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))
    return url.rstrip("/")


def host_of(address: str) -> str:
    """The host of an address, in lower case."""
    with suppress(ValueError):
        return (urlsplit(address if "//" in address else f"//{address}").hostname or "").lower()
    return ""


def is_local(address: str) -> bool:
    """Whether an address is on this machine or its network, by its spelling alone: no name is looked up."""
    host = host_of(address)
    if not host:
        return False
    with suppress(ValueError):
        number = ipaddress.ip_address(host)
        return number.is_private or number.is_loopback or number.is_link_local
    return host in _LOCAL_NAMES or host.endswith(_LOCAL_ENDINGS) or "." not in host


def may_be_asked(llm: BaseChatModel, address: str) -> bool:
    """Whether a model's server may be asked about itself."""
    return address.startswith(("http://", "https://")) and (speaks_ollama(llm) or is_local(address))


def is_this_machine(address: str) -> bool:
    """Whether an address means another server on every machine, by its spelling alone."""
    host = host_of(address)
    with suppress(ValueError):
        number = ipaddress.ip_address(host)
        return number.is_loopback or number.is_unspecified
    return host in _LOCAL_NAMES or host.endswith(".localhost")


def vendor_at(address: str) -> str | None:
    """The vendor whose own host an address is on."""
    labels = host_of(address).split(".")
    ends = (".".join(labels[start:]) for start in range(len(labels)))
    return next((HOSTS[name] for name in ends if name in HOSTS), None)


def provider_of(llm: BaseChatModel) -> str:
    """The provider by its host, or else by what LangChain calls the class's provider."""
    return vendor_at(address_of(llm)) or provider_by_class(llm)


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
