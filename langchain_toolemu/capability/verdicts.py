"""What this process has learned of the endpoints it spoke to: the only mutable state of the package, locked.

Kept by class, model name and address, so that copies and bindings of a model share what one of them learned.
The lock is never held across I/O.
"""

from threading import Lock
from typing import Any, TypeAlias

from langchain_core.language_models import BaseChatModel

from langchain_toolemu.capability.unsupported import says_unsupported
from langchain_toolemu.orders import Verdict

Endpoint: TypeAlias = tuple[str, str, str]

_lock = Lock()
_learned: dict[Endpoint, Verdict] = {}


def endpoint_of(llm: BaseChatModel, model: Any = None) -> Endpoint:
    """What a verdict is kept by: another model name in one call is another endpoint."""
    named = model or model_name_of(llm) or ""
    address = next((url for key in _ADDRESSES if (url := getattr(llm, key, None))), "")
    return type(llm).__qualname__, str(named), str(address)


_ADDRESSES = ("openai_api_base", "base_url", "anthropic_api_url", "azure_endpoint", "endpoint")
_NAMES = ("model_name", "model", "model_id", "deployment_name")


def model_name_of(llm: BaseChatModel) -> str | None:
    """The name of the model, by whatever attribute its class keeps it."""
    names = (getattr(llm, key, None) for key in _NAMES)
    return next((name for name in names if isinstance(name, str) and name), None)


def verdict_on(endpoint: Endpoint) -> Verdict:
    """What is known of an endpoint's native tools."""
    with _lock:
        return _learned.get(endpoint, "unknown")


def learn(endpoint: Endpoint, verdict: Verdict) -> None:
    """Remember what a turn found out."""
    if verdict != "unknown":
        with _lock:
            _learned[endpoint] = verdict


def forget(endpoint: Endpoint | None = None) -> None:
    """Forget one endpoint's verdict, or all."""
    with _lock:
        if endpoint is None:
            _learned.clear()
        else:
            _learned.pop(endpoint, None)


class Capability:
    """What is known of one wrapped model, as a turn asks for it and adds to it."""

    def __init__(self, llm: BaseChatModel, model: Any = None) -> None:
        self._endpoint = endpoint_of(llm, model)

    @property
    def verdict(self) -> Verdict:
        """What is known so far of the model's native tools."""
        return verdict_on(self._endpoint)

    def says_unsupported(self, error: BaseException) -> bool:
        """Whether an error means that the model takes no tools."""
        return says_unsupported(error)

    def learn(self, verdict: Verdict) -> None:
        """Remember what a turn found out."""
        learn(self._endpoint, verdict)
