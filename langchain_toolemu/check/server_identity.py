"""Which server serves a model, by its pages: its name and version, the model's quantisation, and the models it lists.

Only servers that may be asked about themselves are asked; for others, the address tells the provider.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from langchain_core.language_models import BaseChatModel

from langchain_toolemu.capability import endpoints
from langchain_toolemu.capability.servers import entries_of, fetch_pages

_PAGES = ("/props", "/api/version", "/version", "/info", "/api/tags", "/api/v0/models", "/v1/models")  # fmt: skip
# Servers by the owner of the models that they list.
_OWNERS = {"llamacpp": "llama.cpp", "library": "Ollama", "vllm": "vLLM", "sglang": "SGLang"}
# Pages and keys that only one server has.
_SIGNS = {
    "llama.cpp": ("/props", "build_info"), "LM Studio": ("/api/v0/models", "data"), "Ollama": ("/api/version", "version"),
    "Text Generation Inference": ("/info", "model_id"),
}  # fmt: skip
_QUANTISATION_KEYS = ("quantization", "quantization_level", "ftype")
_IN_NAME = re.compile(r"(?<![a-z0-9])(i?q\d(_[a-z0-9]+)*|bf16|fp?16|fp8|int[48]|awq|gptq)(?![a-z0-9])", re.IGNORECASE)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ServerIdentity:
    """What is known of a server; empty where nothing is."""

    name: str = ""
    version: str = ""
    quantisation: str = ""  # of the model
    models: tuple[str, ...] = ()  # that it lists
    address: str = ""  # of its list, if that is not below the model's address

    def __str__(self) -> str:
        return f"{self.name} {self.version}".strip() or "unknown"


def identify_server(llm: BaseChatModel) -> ServerIdentity:
    """Ask a model's server which one it is."""
    address, model = endpoints.address_of(llm), endpoints.model_name_of(llm) or ""
    root = address.removesuffix("/v1")
    answers = fetch_pages(llm, [*(f"{root}{page}" for page in _PAGES), f"{address}/models"])
    *known, below = [answer if isinstance(answer, dict) else {} for answer in answers]
    pages = dict(zip(_PAGES, known, strict=True))
    entries = [entry for page in (*known, below) for entry in _entries(page)]
    owners = [_OWNERS.get(str(entry.get("owned_by"))) for entry in entries]
    signs = [name for name, (page, key) in _SIGNS.items() if key in pages[page]]
    versions = [pages["/props"].get("build_info"), *(page.get("version") for page in known)]
    right = f"{root}/v1" if not _entries(below) else address
    right = root if endpoints.client_kind(llm) == "ollama" else right
    return ServerIdentity(
        _first(*owners, *signs, endpoints.vendor_at(address)),
        _first(*versions),
        _first(pages["/props"].get("model_ftype"), *_quantisations(entries, model)),
        models := tuple(dict.fromkeys(_first(*map(entry.get, ("id", "name", "model"))).removesuffix(":latest") for entry in entries)),
        right if models and right != address else "",
    )  # fmt: skip


def _first(*values: Any) -> str:
    return str(next(filter(None, values), ""))


def _entries(page: Mapping[str, Any]) -> list[Any]:
    """The models that a page lists."""
    lists = [entries for key in ("data", "models") if isinstance(entries := page.get(key), list)]
    return [entry for entries in lists for entry in entries if isinstance(entry, dict)]


def _quantisations(entries: list[Any], model: str) -> list[Any]:
    """The quantisation of a model by its entries, and by its name."""
    mine = entries_of(model, entries) or entries_of(f"{model}:latest", entries)
    parts = [part for entry in mine for part in (entry, entry.get("meta"), entry.get("details"))]
    objects = [part for part in parts if isinstance(part, dict)]
    named = [part.get(key) for part in objects for key in _QUANTISATION_KEYS]
    return [*named, *(found[0] for found in [_IN_NAME.search(model)] if found)]
