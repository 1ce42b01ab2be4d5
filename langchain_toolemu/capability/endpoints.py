"""Who is spoken to, and where: the model's name, its address, its provider.

The rules here:

- The address is the one that requests go to, not the one that was typed: environment variables move it.
- A provider is told by its host. A class only says which protocol is spoken: ChatOpenAI is used for most local servers.
- No address leaves this module with a password in it.
"""

import ipaddress
from contextlib import suppress
from typing import Any, TypeAlias
from urllib.parse import urlsplit, urlunsplit

from langchain_core.language_models import BaseChatModel

from langchain_toolemu.capability.registry import ALIASES, HOSTS

Endpoint: TypeAlias = tuple[str, str, str]
"""Class, model name and address: what a verdict is kept by."""

_ADDRESSES = (
    "openai_api_base",
    "base_url",
    "anthropic_api_url",
    "azure_endpoint",
    "endpoint_url",
    "endpoint",
    "api_base",
    "server_url",
)
_NAMES = ("model_name", "model", "model_id", "deployment_name")
_LOCAL_NAMES = ("localhost", "host.docker.internal")
_LOCAL_ENDINGS = (".localhost", ".local", ".lan")


def innermost(llm: BaseChatModel) -> BaseChatModel:
    """The model that requests go through, where a wrapper of ours came instead."""
    inner = getattr(llm, "llm", None)
    return innermost(inner) if isinstance(inner, BaseChatModel) else llm


def endpoint_of(llm: BaseChatModel, model: Any = None) -> Endpoint:
    """What a verdict is kept by: another model name in one call is another endpoint."""
    return type(llm).__qualname__, str(model or model_name_of(llm) or ""), address_of(llm)


def model_name_of(llm: BaseChatModel) -> str | None:
    """The name of the model, by whatever attribute its class keeps it."""
    names = (getattr(llm, key, None) for key in _NAMES)
    return next((name for name in names if isinstance(name, str) and name), None)


def address_of(llm: BaseChatModel) -> str:
    """Where the model's requests go; empty if its class does not say."""
    known = (getattr(getattr(llm, "root_client", None), "base_url", None), _ollama_address(llm))
    typed = (getattr(llm, key, None) for key in _ADDRESSES)
    return next((_without_password(str(url)) for url in (*known, *typed) if url), "")


def speaks_ollama(llm: BaseChatModel) -> bool:
    """Whether the model is a ChatOllama, told by name: its package may not be installed."""
    return any(kind.__name__ == "ChatOllama" for kind in type(llm).__mro__)


def _ollama_address(llm: BaseChatModel) -> Any:
    """The address that ollama's client made of `base_url`, OLLAMA_HOST and its own default."""
    if not speaks_ollama(llm):
        return None
    return getattr(getattr(getattr(llm, "_client", None), "_client", None), "base_url", None)


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
