"""What a server says of itself, without a probe: Ollama's `/api/show`, llama-server's `/props`, `/v1/models`.

The rules of this room:

- Only ChatOllama's server and servers on this machine or its network are asked, and only about themselves.
- No key, no cookie, no proxy: what needs one is not answered, and silence means nothing.
- Two seconds in all, then silence. An answer that cannot be read is silence too.
- What is asked, and what an answer means, is decided once; sync and async only carry it.
"""

import json
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from langchain_core.language_models import BaseChatModel

from langchain_toolemu.capability.endpoints import address_of, is_local, speaks_ollama
from langchain_toolemu.capability.support import Axis, Support
from langchain_toolemu.capability.verdicts import Report
from langchain_toolemu.turn.order import Verdict

if TYPE_CHECKING:
    import httpx

SECONDS = 2.0
_MAX_BYTES = 1_000_000
_OLLAMA_PORT = ":11434"  # elsewhere a POST might be taken for a request to a model
_TOOL_WORDS = ("tools", "tool_use", "tool_calling", "function_calling")


@dataclass(frozen=True, slots=True)
class _Question:
    """One request about the server itself, and what its answer means for a model."""

    url: str
    meaning: Callable[[Any], Mapping[Axis, Verdict]]
    body: Mapping[str, Any] | None = None
    params: Mapping[str, str] | None = None

    @property
    def request(self) -> dict[str, Any]:
        method = "GET" if self.body is None else "POST"
        return {"method": method, "url": self.url, "json": self.body, "params": self.params}

    def read(self, answer: Any) -> Report:
        """What an answer says, with where it was said; nothing if it is not what was expected."""
        with suppress(AttributeError, KeyError, TypeError, ValueError):
            reason = f"the server says so at {self.url}"
            return {axis: Support(said, reason) for axis, said in self.meaning(answer).items()}
        return {}


def may_be_asked(llm: BaseChatModel) -> bool:
    """Whether a model's server may be asked about itself."""
    address = address_of(llm)
    return address.startswith(("http://", "https://")) and (speaks_ollama(llm) or is_local(address))


def ask(llm: BaseChatModel, model: str) -> Report:
    """What the model's server says of itself; empty if it says nothing."""
    import httpx

    deadline = time.monotonic() + SECONDS
    with httpx.Client(**_client_settings(llm)) as client:
        for question in _questions(llm, model):
            if report := question.read(_fetch(client, question, deadline)):
                return report
    return {}


async def aask(llm: BaseChatModel, model: str) -> Report:
    """What the model's server says of itself; empty if it says nothing."""
    import httpx

    deadline = time.monotonic() + SECONDS
    async with httpx.AsyncClient(**_client_settings(llm)) as client:
        for question in _questions(llm, model):
            if report := question.read(await _afetch(client, question, deadline)):
                return report
    return {}


# --- what is asked, and what the answers mean ---


def _questions(llm: BaseChatModel, model: str) -> list[_Question]:
    address = address_of(llm)
    root = address.removesuffix("/v1")
    show, body = f"{root}/api/show", {"model": model}
    if speaks_ollama(llm):
        return [_Question(show, _by_ollama, body=body)]
    # A router of llama-servers would load the model, were it not told otherwise.
    props = {"model": model, "autoload": "false"}
    asked = [
        _Question(f"{root}/props", _by_llama_server, params=props),
        _Question(f"{address}/models", lambda answer: _by_listing(answer, model)),
    ]
    if _OLLAMA_PORT in address:
        asked.insert(
            0, _Question(show, lambda answer: _by_capabilities(answer["capabilities"]), body=body)
        )
    return asked


def _by_ollama(answer: Any) -> Mapping[Axis, Verdict]:
    """Since version 0.6.4 Ollama lists what a model can do, and refuses what it does not list."""
    listed = list(answer["capabilities"])
    if "completion" not in listed:
        return {}
    return {"tools": "native" if "tools" in listed else "none", "response_format": "native"}


def _by_llama_server(answer: Any) -> Mapping[Axis, Verdict]:
    """A template that does not mention tools gets none, without a word; any can be held to a schema or a grammar."""
    able: Verdict = "native" if answer["chat_template_caps"]["supports_tools"] else "none"
    return {"tools": able, "tool_choice": able, "response_format": "native", "grammar": "native"}


def _by_listing(answer: Any, model: str) -> Mapping[Axis, Verdict]:
    """What a list of models says of one; llama-server's own names tools nowhere."""
    entries = [*answer.get("data", []), *answer.get("models", [])]
    said = (
        _by_capabilities(entry.get("capabilities"))
        for entry in entries
        if model in (entry.get("id"), entry.get("name"), entry.get("model"))
    )
    return next(filter(None, said), {})


def _by_capabilities(listed: Any) -> Mapping[Axis, Verdict]:
    """What a list of capabilities says. Those who imitate Ollama leave tools out where they work (osaurus 2602)."""
    if isinstance(listed, list):
        return {} if set(_TOOL_WORDS).isdisjoint(listed) else {"tools": "native"}
    said = [able for word, able in listed.items() if word in _TOOL_WORDS]
    return {"tools": "native" if any(said) else "none"} if said else {}


# --- how it is carried ---


def _client_settings(llm: BaseChatModel) -> dict[str, Any]:
    # Certificates take a while to load, and plain HTTP has none.
    return {"trust_env": False, "verify": address_of(llm).startswith("https")}


def _fetch(client: "httpx.Client", question: _Question, deadline: float) -> Any:
    with suppress(Exception), client.stream(**question.request, timeout=_left(deadline)) as response:  # fmt: skip
        content = _Content(response.is_success, deadline)
        for piece in response.iter_bytes():
            content.add(piece)
        return content.parsed()
    return None


async def _afetch(client: "httpx.AsyncClient", question: _Question, deadline: float) -> Any:
    with suppress(Exception):
        async with client.stream(**question.request, timeout=_left(deadline)) as response:
            content = _Content(response.is_success, deadline)
            async for piece in response.aiter_bytes():
                content.add(piece)
            return content.parsed()
    return None


def _left(deadline: float) -> float:
    """The seconds that are left, of which there must be some."""
    seconds = deadline - time.monotonic()
    if seconds <= 0:
        raise TimeoutError
    return seconds


class _Content:
    """An answer's bytes, neither too late nor too many: a client's own limit is per piece."""

    def __init__(self, success: bool, deadline: float) -> None:
        self._success = success
        self._deadline = deadline
        self._bytes = bytearray()

    def add(self, piece: bytes) -> None:
        _left(self._deadline)
        self._bytes += piece
        if len(self._bytes) > _MAX_BYTES:
            raise ValueError("too long")

    def parsed(self) -> Any:
        return json.loads(self._bytes) if self._success else None
