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
    *known, below = [one if isinstance(one, dict) else {} for one in answers]
    pages = dict(zip(_PAGES, known, strict=True))
    entries = [one for page in (*known, below) for one in _entries(page)]
    owners = [_OWNERS.get(str(one.get("owned_by"))) for one in entries]
    signs = [name for name, (page, key) in _SIGNS.items() if key in pages[page]]
    versions = [pages["/props"].get("build_info"), *(page.get("version") for page in known)]
    right = f"{root}/v1" if not _entries(below) else address
    right = root if endpoints.speaks_ollama(llm) else right
    return ServerIdentity(
        _first(*owners, *signs, endpoints.vendor_at(address)),
        _first(*versions),
        _first(pages["/props"].get("model_ftype"), *_quantisations(entries, model)),
        models := tuple(dict.fromkeys(_first(*map(one.get, ("id", "name", "model"))).removesuffix(":latest") for one in entries)),
        right if models and right != address else "",
    )  # fmt: skip


def _first(*values: Any) -> str:
    return str(next(filter(None, values), ""))


def _entries(page: Mapping[str, Any]) -> list[Any]:
    """The models that a page lists."""
    lists = [entries for key in ("data", "models") if isinstance(entries := page.get(key), list)]
    return [one for entries in lists for one in entries if isinstance(one, dict)]


def _quantisations(entries: list[Any], model: str) -> list[Any]:
    """The quantisation of a model by its entries, and by its name."""
    mine = entries_of(model, entries) or entries_of(f"{model}:latest", entries)
    parts = [part for one in mine for part in (one, one.get("meta"), one.get("details"))]
    said = [part.get(key) for part in parts if isinstance(part, dict) for key in _QUANTISATION_KEYS]
    return [*said, *(found[0] for found in [_IN_NAME.search(model)] if found)]
