"""Tool calling for every LangChain chat model that lacks it.

The names are loaded on first use: importing the package costs next to nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from langchain_toolemu._version import __version__

if TYPE_CHECKING:
    from langchain_toolemu.callbacks import ToolEmuCallbackHandler, get_toolemu_callback
    from langchain_toolemu.capability import (
        Support,
        aprobe_tool_support,
        forget_tool_support,
        override_tool_support,
        probe_tool_support,
        set_verdict_store,
    )
    from langchain_toolemu.chat_models.middleware import ToolEmuMiddleware
    from langchain_toolemu.chat_models.openai import ToolEmuChatOpenAI
    from langchain_toolemu.chat_models.toolemu import ChatToolEmu
    from langchain_toolemu.contract import FENCED, JSON, MARKDOWN, TAGGED, Dialect, Recipe
    from langchain_toolemu.errors import (
        ToolCallParseError,
        ToolChoiceError,
        ToolEmuError,
        ToolEmuWarning,
        ToolSpecError,
    )
    from langchain_toolemu.policy import CallContext, CallPolicy, Checks, Review

_HOMES = {
    "callbacks": ("ToolEmuCallbackHandler", "get_toolemu_callback"),
    "capability": (
        "Support", "aprobe_tool_support", "forget_tool_support", "override_tool_support", "probe_tool_support",
        "set_verdict_store",
    ),
    "chat_models": ("ChatToolEmu",),
    "chat_models.middleware": ("ToolEmuMiddleware",),
    "chat_models.openai": ("ToolEmuChatOpenAI",),
    "contract": ("FENCED", "JSON", "MARKDOWN", "TAGGED", "Dialect", "Recipe"),
    "errors": ("ToolCallParseError", "ToolChoiceError", "ToolEmuError", "ToolEmuWarning", "ToolSpecError"),
    "policy": ("CallContext", "CallPolicy", "Checks", "Review"),
}  # fmt: skip

__all__ = [  # noqa: RUF022 - as `dir` sorts
    "CallContext", "CallPolicy", "ChatToolEmu", "Checks", "Dialect", "FENCED", "JSON", "MARKDOWN",
    "Recipe", "Review", "Support", "TAGGED", "ToolCallParseError", "ToolChoiceError",
    "ToolEmuCallbackHandler", "ToolEmuChatOpenAI", "ToolEmuError", "ToolEmuMiddleware",
    "ToolEmuWarning", "ToolSpecError", "__version__", "aprobe_tool_support", "forget_tool_support",
    "get_toolemu_callback", "override_tool_support", "probe_tool_support", "set_verdict_store",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    for home, names in _HOMES.items():
        if name in names:
            return getattr(import_module(f"{__name__}.{home}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
