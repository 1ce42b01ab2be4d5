"""The tools of `toolemu chat`: those that a user names, or two to begin with."""

import sys
from datetime import datetime
from importlib import import_module
from typing import Any

from langchain_core.tools import BaseTool, tool

from langchain_toolemu.check.troubles import CheckError


def add(a: float, b: float) -> float:
    """Add two numbers."""
    return a + b


def current_time() -> str:
    """Get the current date and time."""
    return datetime.now().astimezone().strftime("%A, %d %B %Y, %H:%M")


def load_tools(names: str | None) -> list[BaseTool]:
    """The tools that a text names, as `module:function` with commas between them.

    Raises:
        CheckError: One of them cannot be had; says why.
    """
    if names is None:
        return [tool(current_time), tool(add)]
    # A command's path begins where it is installed, not where it is run.
    if "" not in sys.path:
        sys.path.insert(0, "")
    return [_load(name.strip()) for name in names.split(",") if name.strip()]


def _load(name: str) -> BaseTool:
    module, _, function = name.partition(":")
    if not (module and function):
        raise CheckError(f"{name!r} names no tool: write module:function.")
    try:
        found = getattr(import_module(module), function)
    except AttributeError as error:
        raise CheckError(f"The module {module} has no {function!r}.") from error
    except Exception as error:
        raise CheckError(f"The tool {name} cannot be imported: {error}") from error
    return _as_tool(name, found)


def _as_tool(name: str, found: Any) -> BaseTool:
    try:
        return found if isinstance(found, BaseTool) else tool(found)
    except (TypeError, ValueError) as error:
        raise CheckError(f"{name} cannot be a tool: {error}") from error
