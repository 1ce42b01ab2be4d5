"""What is known of a model before it is asked anything, strongest first.

The rules here:

- Pure look-ups: no request is made here, and nothing is remembered.
- Names count only on the vendor's own host. A profile or a list knows names, and any server may serve any name.
- A profile's False is not a no: profiles are often older than their models.
"""

from typing import Any

from langchain_core.language_models import BaseChatModel

from langchain_toolemu.capability.endpoints import (
    Endpoint,
    model_name_of,
    provider_by_class,
    vendor_of,
)
from langchain_toolemu.capability.registry import entry_for
from langchain_toolemu.capability.support import UNKNOWN, Support
from langchain_toolemu.model_facts import Axis

_PROFILE_KEYS: dict[Axis, str] = {
    "tools": "tool_calling",
    "tool_choice": "tool_choice",
    "response_format": "structured_output",
}


def known_by_name(llm: BaseChatModel, endpoint: Endpoint, axis: Axis) -> Support:
    """What profile, registry and class say of a model at its endpoint."""
    _, model, address = endpoint
    vendor = vendor_of(llm, address)
    by_vendor = _at_vendor(llm, vendor, model, axis) if vendor else UNKNOWN
    return by_vendor if by_vendor.verdict != "unknown" else _by_class(llm, axis)


def window_by_name(llm: BaseChatModel, endpoint: Endpoint) -> int | None:
    """The window that LangChain's profile of a model tells; `None` if there is none, or the host is not its vendor's."""
    _, model, address = endpoint
    vendor = vendor_of(llm, address)
    if not vendor or vendor != provider_by_class(llm) or model != model_name_of(llm):
        return None
    return _count((getattr(llm, "profile", None) or {}).get("max_input_tokens"))


def window_asked_for(llm: BaseChatModel) -> int | None:
    """The window that a client asks its server for: ChatOllama's `num_ctx`."""
    return _count(getattr(llm, "num_ctx", None))


def _count(number: Any) -> int | None:
    fits = isinstance(number, int) and not isinstance(number, bool) and number > 0
    return number if fits else None


def _at_vendor(llm: BaseChatModel, vendor: str, model: str, axis: Axis) -> Support:
    if _profile_says(llm, model, axis) and vendor == provider_by_class(llm):
        return Support("native", f"LangChain's profile of {model!r} says so")
    verdict = entry_for(f"{vendor}:{model}").get(axis, "unknown")
    return Support(verdict, f"the registry lists '{vendor}:{model}'")


def _profile_says(llm: BaseChatModel, model: str, axis: Axis) -> bool:
    """Whether LangChain's profile, which is that of the constructor's model, has an axis."""
    profile = getattr(llm, "profile", None) or {}
    has = profile.get(_PROFILE_KEYS.get(axis, "")) is True
    # gpt-3.5-turbo's profile denies tools, and has a choice among them.
    denied = axis == "tool_choice" and profile.get("tool_calling") is not True
    return has and not denied and model == model_name_of(llm)


def _by_class(llm: BaseChatModel, axis: Axis) -> Support:
    """A class that does not override `bind_tools` has no way to send a tool."""
    kind = type(llm)
    if axis not in ("tools", "tool_choice") or kind.bind_tools is not BaseChatModel.bind_tools:
        return UNKNOWN
    return Support("none", f"{kind.__name__} has no bind_tools")
