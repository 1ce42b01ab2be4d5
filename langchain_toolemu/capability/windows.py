"""How many tokens a model's window holds, where its server does not say: as its client asks for, else as LangChain knows."""

from collections.abc import Mapping
from typing import Any

from langchain_core.language_models import BaseChatModel


def asked_window(llm: BaseChatModel) -> int | None:
    """The window that a client asks its server for: ChatOllama's `num_ctx`."""
    return _count(getattr(llm, "num_ctx", None))


def profiled_window(llm: BaseChatModel) -> int | None:
    """The window that LangChain's profile of a model tells."""
    profile = getattr(llm, "profile", None)
    return _count(profile.get("max_input_tokens")) if isinstance(profile, Mapping) else None


def _count(number: Any) -> int | None:
    fits = isinstance(number, int) and not isinstance(number, bool) and number > 0
    return number if fits else None
