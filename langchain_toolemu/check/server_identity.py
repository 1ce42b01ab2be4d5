"""Which server serves a model, by its pages: its name, its version, and the models it lists.

Only servers that may be asked about themselves are asked; for others, the address tells the
provider.
"""

from dataclasses import dataclass
from typing import Any

from langchain_core.language_models import BaseChatModel

from langchain_toolemu.capability import endpoints
from langchain_toolemu.capability.servers import fetch_pages

# Servers by the owner of the models that they list.
_OWNERS = {"llamacpp": "llama.cpp", "library": "Ollama", "vllm": "vLLM", "sglang": "SGLang"}
# Pages, and the key and the server of those that only one server has.
_PAGES = {
    "/props": ("build_info", "llama.cpp"),
    "/api/v0/models": ("data", "LM Studio"),
    "/api/version": ("version", "Ollama"),
    "/version": ("", ""),
    "/api/tags": ("", ""),
    "/v1/models": ("", ""),
}
_VERSION_KEYS = ("build_info", "version")


@dataclass(frozen=True, slots=True)
class ServerIdentity:
    """What is known of a server; empty where nothing is."""

    name: str
    version: str
    models: tuple[str, ...]  # that it lists
    address: str  # of its list, if that is not below the model's address

    def __str__(self) -> str:
        return f"{self.name} {self.version}".strip() or "unknown"


def identify_server(llm: BaseChatModel) -> ServerIdentity:
    """Ask a model's server which one it is."""
    address = endpoints.address_of(llm)
    root = address.removesuffix("/v1")
    urls = [*(f"{root}{page}" for page in _PAGES), f"{address}/models"]
    pages = [page if isinstance(page, dict) else {} for page in fetch_pages(llm, urls)]
    *known, below = pages
    entries = [entry for page in pages for entry in _entries(page)]
    owners = [_OWNERS.get(str(entry.get("owned_by"))) for entry in entries]
    signs = [name for page, (key, name) in zip(known, _PAGES.values(), strict=True) if key in page]
    versions = (page.get(key) for page in known for key in _VERSION_KEYS)
    models = tuple(dict.fromkeys(map(_name_of, entries)))
    right = address if _entries(below) else f"{root}/v1"
    right = root if endpoints.client_kind(llm) == "ollama" else right
    return ServerIdentity(
        _first(*owners, *signs, endpoints.vendor_at(address)),
        _first(*versions),
        models,
        right if models and right != address else "",
    )


def _first(*values: Any) -> str:
    return str(next(filter(None, values), ""))


def _entries(page: dict[str, Any]) -> list[dict[str, Any]]:
    """The models that a page lists."""
    lists = [entries for key in ("data", "models") if isinstance(entries := page.get(key), list)]
    return [entry for entries in lists for entry in entries if isinstance(entry, dict)]


def _name_of(entry: dict[str, Any]) -> str:
    return _first(*map(entry.get, ("id", "name", "model"))).removesuffix(":latest")
