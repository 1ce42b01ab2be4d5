"""What a server says of itself and its model, without a probe: Ollama's `/api/show`, llama-server's `/props`, `/v1/models`.

Only ChatOllama's server and servers on this machine or its network are asked, without key, cookie or proxy. They have
two seconds in all; no answer, or one that cannot be read, means nothing.
"""

import json
import re
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from langchain_core.language_models import BaseChatModel

from langchain_toolemu.capability import endpoints
from langchain_toolemu.capability.support import ModelDescription, Support
from langchain_toolemu.model_facts import Axis, Verdict
from langchain_toolemu.model_facts.token_count import positive_count

if TYPE_CHECKING:
    import httpx

SECONDS = 2.0
_MAX_BYTES = 1_000_000
_OLLAMA_PORT = ":11434"  # elsewhere a POST might be taken for a request to a model
_NUM_CTX = re.compile(r"num_ctx\s+(\d+)")
_BEGUN = re.compile(r"(?:<[\w:]*think(?:ing)?>|\[THINK\])(?:\\n|\s)*['\"{]")  # ends the prompt
_NAME_KEYS = ("id", "name", "model")
_TOOL_WORDS = ("tools", "tool_use", "tool_calling", "function_calling")


class _Question(NamedTuple):
    """One request about the server itself, and what its answer means for a model."""

    url: str
    meaning: Callable[[Any], ModelDescription]
    sent: Mapping[str, Any] = {}  # with the request

    def read(self, answer: Any) -> ModelDescription:
        """What an answer says, with its URL as the reason; empty if it is not what was expected."""
        with suppress(AttributeError, KeyError, TypeError, ValueError):
            description, reason = self.meaning(answer), f"the server says so at {self.url}"
            claims = description.supports.items()
            supports = {axis: replace(claim, reason=reason) for axis, claim in claims}
            return replace(description, supports=supports)
        return ModelDescription()


def ask(llm: BaseChatModel, model: str) -> ModelDescription:
    """What the model's server says of itself; empty if it says nothing."""
    deadline, description = time.monotonic() + SECONDS, ModelDescription()
    with _client(llm) as client:
        for question in _questions(llm, model):
            answer = _fetch(client, deadline, question.url, **question.sent)
            description = description.and_then(question.read(answer))
            if "tools" in description.supports and description.billions and description.window:
                break
    return description


def fetch_pages(llm: BaseChatModel, urls: Sequence[str]) -> list[Any]:
    """Further pages of the model's server, as JSON; `None` for each that it lacks, and where it may not be asked."""
    if not endpoints.may_be_asked(llm, endpoints.address_of(llm)):
        return [None] * len(urls)
    deadline = time.monotonic() + SECONDS
    with _client(llm) as client:
        return [_fetch(client, deadline, url) for url in urls]


def _questions(llm: BaseChatModel, model: str) -> list[_Question]:
    address = endpoints.address_of(llm)
    root = address.removesuffix("/v1")
    show, body = f"{root}/api/show", {"json": {"model": model}}
    if endpoints.client_kind(llm) == "ollama":
        return [_Question(show, _by_ollama, body)]
    # A router of llama-servers would load the model, were it not told otherwise.
    props = {"params": {"model": model, "autoload": "false"}}
    questions = [
        _Question(f"{root}/props", _by_llama_server, props),
        _Question(f"{address}/models", lambda answer: _by_listing(answer, model)),
    ]
    if _OLLAMA_PORT in address:
        questions.insert(0, _Question(show, _by_imitated_ollama, body))
    return questions


def _by_ollama(answer: Any) -> ModelDescription:
    """Since version 0.6.4 Ollama lists what a model can do, and refuses what it does not list."""
    listed = list(answer.get("capabilities") or ())
    if "completion" not in listed:
        return ModelDescription({}, *_measures(answer))
    axes: dict[Axis, Verdict] = {"tools": "native" if "tools" in listed else "none"}
    return ModelDescription(_claims(axes | {"response_format": "native"}), *_measures(answer))


def _by_imitated_ollama(answer: Any) -> ModelDescription:
    """What speaks OpenAI on Ollama's port may only imitate it: that tools are not listed means nothing there."""
    claims = _claims(_by_capabilities(answer.get("capabilities")))
    return ModelDescription(claims, *_measures(answer))


def _measures(answer: Any) -> tuple[float | None, int | None]:
    """The size of a model on Ollama, and its window if the model file sets one: its own is far larger than what is used."""
    info = answer.get("model_info") or {}
    size = info.get("general.parameter_count")
    named = (answer.get("details") or {}).get("parameter_size")
    billions = size / 1e9 if isinstance(size, int) else endpoints.billions_in(str(named or ""))
    set_ = _NUM_CTX.search(str(answer.get("parameters") or ""))
    return billions, int(set_[1]) if set_ else None


def _by_llama_server(answer: Any) -> ModelDescription:
    """A template that does not mention tools gets none, silently; any can be held to a schema or a grammar."""
    settings = answer.get("default_generation_settings") or {}
    caps, axes = answer.get("chat_template_caps"), dict[Axis, Verdict]()
    if isinstance(caps, Mapping) and "supports_tools" in caps:  # older ones do not say it
        able: Verdict = "native" if caps["supports_tools"] else "none"
        axes = {
            "tools": able,
            "tool_choice": able,
            "response_format": "native",
            "grammar": "native",
        }
    _, asks, prompt = str(answer.get("chat_template")).rpartition("add_generation_prompt")
    if asks:  # a server that tells thoughts apart leaves none in the text
        leaves = (settings.get("params") or {}).get("reasoning_format", "none") == "none"
        axes["begun_thought"] = "native" if leaves and _BEGUN.search(prompt) else "none"
    return ModelDescription(_claims(axes), window=positive_count(settings.get("n_ctx")))


def _by_listing(answer: Any, model: str) -> ModelDescription:
    """What a list of models says of one: its capabilities, llama-server's size, vLLM's window."""
    mine = entries_of(model, [*answer.get("data", []), *answer.get("models", [])])
    axes = next(filter(None, (_by_capabilities(entry.get("capabilities")) for entry in mine)), {})
    window = next((entry["max_model_len"] for entry in mine if entry.get("max_model_len")), None)
    window, counted = positive_count(window), _counted_size(mine)
    size = counted or _named_size(mine)
    return ModelDescription(_claims(axes), size, window, is_named=not counted)


def entries_of(model: str, entries: list[Any]) -> list[Any]:
    """What is listed under a name. A server that lists one model serves that one, whatever it is asked for."""
    mine = [entry for entry in entries if model in map(entry.get, _NAME_KEYS)]
    alone = len({_full_name(entry) for entry in entries}) == 1
    return entries if alone and not mine else mine


def _full_name(entry: Any) -> Any:
    """The name of a model; vLLM tells in `root` what it calls by names of the operator's."""
    return next(filter(None, map(entry.get, ("root", *_NAME_KEYS))), None)


def _counted_size(entries: list[Any]) -> float | None:
    """A model's size as its entries count it."""
    metas = (entry["meta"] for entry in entries if isinstance(entry.get("meta"), Mapping))
    sizes = (positive_count(meta.get("n_params")) for meta in metas)
    size = next(filter(None, sizes), None)
    return size / 1e9 if size else None


def _named_size(entries: list[Any]) -> float | None:
    """A model's size as the last part of its name's path says."""
    named = (endpoints.billions_in(str(_full_name(entry)).rpartition("/")[2]) for entry in entries)
    return next(filter(None, named), None)


def _claims(axes: Mapping[Axis, Verdict]) -> dict[Axis, Support]:
    return {axis: Support(verdict, "", "claimed") for axis, verdict in axes.items()}


def _by_capabilities(listed: Any) -> Mapping[Axis, Verdict]:
    """What a list of capabilities says. Imitators of Ollama omit tools that work (osaurus 2602)."""
    if listed is None:
        return {}
    if isinstance(listed, list):
        return {} if set(_TOOL_WORDS).isdisjoint(listed) else {"tools": "native"}
    flags = [able for word, able in listed.items() if word in _TOOL_WORDS]
    return {"tools": "native" if any(flags) else "none"} if flags else {}


def _client(llm: BaseChatModel) -> "httpx.Client":
    """A client of the httpx that is loaded: OpenAI's may bring its successor, and both are 5 MB more than one."""
    httpx: Any = sys.modules.get("httpx2") or import_module("httpx")
    # Certificates take a while to load, and plain HTTP has none.
    return httpx.Client(trust_env=False, verify=endpoints.address_of(llm).startswith("https"))  # type: ignore[no-any-return]


def _fetch(client: "httpx.Client", deadline: float, url: str, **sent: Any) -> Any:
    """The answer as JSON, if it is neither too late nor too long: a client's own limit is per piece."""
    if (seconds := deadline - time.monotonic()) <= 0:  # before a name is looked up in vain
        return None
    method = "POST" if "json" in sent else "GET"
    with suppress(Exception), client.stream(method, url, **sent, timeout=seconds) as response:
        content = bytearray()
        for piece in response.iter_bytes():
            content += piece
            if len(content) > _MAX_BYTES or time.monotonic() > deadline:
                return None
        return json.loads(content) if response.is_success else None
    return None
